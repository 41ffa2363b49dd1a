//! Givens of this crate's tests: a queue on a database of its own, with a clock and a gate that the test moves.

use crate::gate::Gate;
use crate::new_task::NewTask;
use crate::queue::Queue;
use crate::settings::Settings;
use crate::{Created, QueueError};
use database::Options;
use database::testing::ScratchPostgres;
use futures_util::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use worker_manager_client::{BreakerState, Enforced, GateState, WatchState};
use worker_types::{
    Caller, ContentHash, Item, Outcome, RevisionNumber, RevisionRef, Task, TaskId, UncheckedReason, ValidationMode,
    Verdict, WorkerTypeId,
};

/// Runs each test on both databases.
macro_rules! on_each_database {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::testing::Given::on_sqlite()).await;
            })+
        }

        mod postgresql {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                if let Some(given) = $crate::testing::Given::on_postgresql() {
                    super::$name(given).await;
                }
            })+
        }
    };
}
pub(crate) use on_each_database;

/// When the tests begin.
pub(crate) const NOW: &str = "2027-01-02T12:00:00.000Z";

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// `minutes` from the beginning of the tests, as Taskcluster writes it.
pub(crate) fn minutes(minutes: i64) -> String {
    crate::time::format(at(NOW) + SignedDuration::from_mins(minutes))
}

pub(crate) fn queue_id() -> WorkerTypeId {
    "proj-a/linux".parse().unwrap()
}

/// A new slug id: a version 4 UUID in base64url.
pub(crate) fn task_id() -> TaskId {
    use base64::Engine;
    base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(uuid::Uuid::new_v4()).parse().unwrap()
}

/// What every task must have, and nothing more.
pub(crate) fn definition() -> Value {
    json!({
        "taskQueueId": "proj-a/linux", "created": NOW, "deadline": minutes(60), "payload": {"command": ["true"]},
        "metadata": {"name": "a test", "description": "made for a test", "owner": "tests@example.com", "source": "https://example.com/tests"},
    })
}

/// The same with other or further fields.
pub(crate) fn definition_with(fields: Value) -> Value {
    let mut definition = definition();
    let Value::Object(fields) = fields else { panic!("fields are an object") };
    definition.as_object_mut().unwrap().extend(fields);
    definition
}

pub(crate) fn new_task(fields: Value) -> NewTask {
    NewTask::read(task_id(), &Task::normalised(definition_with(fields)).unwrap()).unwrap()
}

/// A gate that says what the test tells it to say.
pub(crate) struct FakeGate {
    says: Mutex<Verdict>,
    enforced: Mutex<Option<Enforced>>,
    state: Mutex<Option<GateState>>,
}

/// A gate to which all is well.
pub(crate) fn gate_state() -> GateState {
    GateState {
        breaker: BreakerState::Closed,
        failing_since: None,
        last_error: None,
        kept: 3,
        stale: 0,
        faulty: 0,
        oldest_age_seconds: Some(60),
        heard_at: Some(at(NOW)),
        watch: WatchState { connected: true, since: at(NOW), reached: true, cause: None },
    }
}

impl FakeGate {
    /// Says this of every task from now on.
    pub(crate) fn says(&self, verdict: Verdict) {
        *self.says.lock().unwrap() = verdict;
    }

    pub(crate) fn enforces(&self, enforced: Enforced) {
        *self.enforced.lock().unwrap() = Some(enforced);
    }

    pub(crate) fn is(&self, state: GateState) {
        *self.state.lock().unwrap() = Some(state);
    }
}

impl Gate for FakeGate {
    fn check<'a>(&'a self, task: &'a Task) -> BoxFuture<'a, Verdict> {
        let says = self.says.lock().unwrap().clone();
        Box::pin(async move { Verdict { worker_type_id: task.worker_type_id().clone(), ..says } })
    }

    fn enforced<'a>(&'a self, id: &'a WorkerTypeId) -> BoxFuture<'a, Result<Enforced, Box<Verdict>>> {
        let says = Verdict { worker_type_id: id.clone(), ..self.says.lock().unwrap().clone() };
        let enforced = self.enforced.lock().unwrap().clone();
        Box::pin(async move { enforced.ok_or_else(|| Box::new(says)) })
    }

    fn state(&self) -> Option<GateState> {
        self.state.lock().unwrap().clone()
    }
}

pub(crate) fn valid() -> Verdict {
    let content_hash: ContentHash = format!("sha256:{}", "0".repeat(64)).parse().unwrap();
    Verdict {
        verdict: Outcome::Valid,
        reason: None,
        revisions: vec![RevisionRef { revision: RevisionNumber(7), content_hash }].into(),
        validation: Some(ValidationMode::Enforce),
        ..Verdict::unchecked(queue_id(), UncheckedReason::Off)
    }
}

pub(crate) fn invalid(validation: ValidationMode) -> Verdict {
    let message = "task.payload.maxRunTime must be an integer, not a string";
    let errors = vec![Item::new("type", "/payload/maxRunTime", message)];
    Verdict { verdict: Outcome::Invalid, validation: Some(validation), errors, ..valid() }
}

pub(crate) fn unchecked(reason: UncheckedReason) -> Verdict {
    let said = Item::new(reason.as_str(), "/taskQueueId", format!("it is said to be {reason}"))
        .suggest(Some("proj-a/linux-2"));
    Verdict { warnings: vec![said], ..Verdict::unchecked(queue_id(), reason) }
}

/// A queue on a database of its own.
pub(crate) struct Given {
    pub(crate) queue: Queue,
    pub(crate) gate: Arc<FakeGate>,
    pub(crate) url: String,
    clock: Arc<Mutex<Timestamp>>,
    _place: (Option<TempDir>, Option<ScratchPostgres>),
}

impl Given {
    pub(crate) fn on_sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("queue.sqlite").display());
        Self::on(url, Settings::new("https://ci.example.com"), (Some(folder), None))
    }

    pub(crate) fn on_postgresql() -> Option<Self> {
        let scratch = ScratchPostgres::create()?;
        Some(Self::on(scratch.url(), Settings::new("https://ci.example.com"), (None, Some(scratch))))
    }

    /// On the empty database at `url`.
    pub(crate) fn at(url: String) -> Self {
        Self::on(url, Settings::new("https://ci.example.com"), (None, None))
    }

    fn on(url: String, settings: Settings, place: (Option<TempDir>, Option<ScratchPostgres>)) -> Self {
        let gate =
            Arc::new(FakeGate { says: Mutex::new(valid()), enforced: Mutex::default(), state: Mutex::default() });
        let clock = Arc::new(Mutex::new(at(NOW)));
        let queue = open(&url, &gate, settings, &clock);
        Self { queue, gate, url, clock, _place: place }
    }

    /// The same database, opened again with other settings.
    pub(crate) fn reopened(self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = self.queue.settings().clone();
        change(&mut settings);
        let Self { queue, gate, url, clock, _place } = self;
        drop(queue);
        let queue = open(&url, &gate, settings, &clock);
        Self { queue, gate, url, clock, _place }
    }

    pub(crate) fn pass(&self, minutes: i64) {
        let mut now = self.clock.lock().unwrap();
        *now += SignedDuration::from_mins(minutes);
    }

    pub(crate) async fn create(&self, id: &TaskId, definition: Value) -> Result<Created, QueueError> {
        self.queue.create_task(&Caller::unrestricted("tests"), id.clone(), definition).await
    }

    /// Creates a task that is as it should be.
    pub(crate) async fn created(&self, fields: Value) -> TaskId {
        let id = task_id();
        self.create(&id, definition_with(fields)).await.unwrap();
        id
    }
}

fn open(url: &str, gate: &Arc<FakeGate>, settings: Settings, clock: &Arc<Mutex<Timestamp>>) -> Queue {
    let clock = Arc::clone(clock);
    let now = Box::new(move || *clock.lock().unwrap());
    let options = Options { pool_size: 4, ..Options::default() };
    Queue::open_at(url, &options, Arc::clone(gate) as Arc<dyn Gate>, settings, now).unwrap()
}
