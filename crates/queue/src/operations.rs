//! The table of the queue's operations. Taskcluster's names, where it has the operation.

use crate::settings::BODY_LIMIT;
use crate::verdict::Action;
use ::service::{Access, Answer, Body, BodyLimit, Kind, Operation, Parameter, Verb};
use worker_types::Problem;

pub(crate) const BODY: BodyLimit = BodyLimit { setting: "queue.body_limit", default: BODY_LIMIT };

pub(crate) static CREATE_TASK: Operation = Operation {
    id: "createTask",
    method: Verb::Put,
    path: "/task/{taskId}",
    summary: "Create a task, if its worker type accepts it. The same request again is answered as the first was",
    tag: "tasks",
    access: Access::Each("queue:create-task:<priority>:<taskQueueId>"),
    body: Some(Body {
        media: Body::JSON,
        schema: Some("TaskDefinition"),
        limit: BODY,
        description: "The task's definition.",
    }),
    answers: &[Answer::json(
        200,
        "TaskStatusResponse",
        "The task exists. The header Payload-Verdict says valid, invalid (a warning: Link leads to what the worker type accepts), or unchecked with a reason",
    )],
    problems: &[Problem::InvalidTaskSchema, Problem::InvalidTask, Problem::TaskConflict, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(crate) static TASK: Operation = Operation {
    id: "task",
    path: "/task/{taskId}",
    summary: "A task's definition, with every default",
    tag: "tasks",
    access: Access::Scope("queue:get-task:<taskId>"),
    answers: &[Answer::json(200, "TaskDefinition", "The definition")],
    problems: READS,
    ..Operation::BLANK
};

pub(crate) static STATUS: Operation = Operation {
    id: "status",
    path: "/task/{taskId}/status",
    summary: "Where a task stands",
    tag: "tasks",
    access: Access::Scope("queue:status:<taskId>"),
    answers: &[Answer::json(200, "TaskStatusResponse", "Its status")],
    problems: READS,
    ..Operation::BLANK
};

pub(crate) static TASKS: Operation = Operation {
    id: "tasks",
    method: Verb::Post,
    path: "/tasks",
    summary: "The definitions of several tasks; those that do not exist are left out",
    tag: "tasks",
    access: Access::Each("queue:get-task:<taskId>"),
    query: PAGED,
    body: Some(Body {
        media: Body::JSON,
        schema: Some("TasksRequest"),
        limit: BODY,
        description: "The ids of the tasks.",
    }),
    answers: &[Answer::json(200, "TasksResponse", "Those that exist, in the order of the request")],
    problems: &[Problem::InvalidRequest, Problem::InvalidContinuation, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(crate) static TASK_VALIDATION: Operation = Operation {
    id: "taskValidation",
    path: "/task/{taskId}/validation",
    summary: "The verdict that a task was created with",
    tag: "payloads",
    access: Access::Scope("queue:get-task:<taskId>"),
    answers: &[Answer::json(200, "KeptVerdictBody", "The verdict, when it was made, and what it led to")],
    problems: READS,
    ..Operation::BLANK
};

pub(crate) static PAYLOAD_VERDICTS: Operation = Operation {
    id: "payloadVerdicts",
    path: "/task-queues/{provisionerId}/{workerType}/payload-verdicts",
    summary: "Tasks that were warned of or refused, newest first, and what they have in common",
    tag: "payloads",
    access: Access::Scope("queue:list-payload-verdicts:<workerTypeId>"),
    query: VERDICTS,
    answers: &[Answer::json(200, "PayloadVerdicts", "A page; the first has the summary")],
    problems: &[Problem::InvalidContinuation, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(crate) static PAYLOAD_SCHEMA: Operation = Operation {
    id: "payloadSchema",
    path: "/task-queues/{provisionerId}/{workerType}/payload-schema",
    summary: "What this queue enforces now, with its revision",
    tag: "payloads",
    access: Access::Public,
    answers: &[Answer::json(200, "EnforcedSchema", "The live contracts, as this queue knows them")],
    problems: &[Problem::UnknownWorkerType, Problem::Deleted, Problem::NoSchema, Problem::NotReady],
    ..Operation::BLANK
};

pub(crate) static LIST_PENDING_TASKS: Operation = Operation {
    id: "listPendingTasks",
    path: "/task-queues/{provisionerId}/{workerType}/pending",
    summary: "The tasks that wait for a worker now",
    tag: "tasks",
    access: Access::Scope("queue:pending-list:<workerTypeId>"),
    query: PAGED,
    answers: &[Answer::json(200, "PendingTasks", "A page; fewer than asked for where definitions are large")],
    problems: &[Problem::InvalidContinuation, Problem::StoreUnavailable],
    ..Operation::BLANK
};

pub(crate) static RECORDED_TASKS: Operation = Operation {
    id: "recordedTasks",
    path: "/task-queues/{provisionerId}/{workerType}/recorded-tasks",
    summary: "Tasks that were created, redacted, newest first, for replays against definitions to come",
    tag: "payloads",
    access: Access::Scope("queue:get-recorded-tasks:<workerTypeId>"),
    query: RECORDED,
    answers: &[Answer::of(
        200,
        "application/x-ndjson",
        "A task definition on each line, as `wm check --tasks` reads it; nothing where the queue records nothing. Broken off \
         if the database goes away",
    )],
    problems: &[Problem::StoreUnavailable],
    ..Operation::BLANK
};

/// Every row.
pub(crate) static ALL: &[&Operation] = &[
    &CREATE_TASK,
    &TASK,
    &STATUS,
    &TASKS,
    &TASK_VALIDATION,
    &PAYLOAD_VERDICTS,
    &PAYLOAD_SCHEMA,
    &LIST_PENDING_TASKS,
    &RECORDED_TASKS,
];

const READS: &[Problem] = &[Problem::UnknownTask, Problem::StoreUnavailable];

const LIMIT: Parameter = Parameter::optional("limit", Kind::Integer(1, 1000), "Entries on a page");
const CONTINUATION: Parameter =
    Parameter::optional("continuationToken", Kind::Text, "From the page before, unchanged, with the same query");

pub(crate) const RECORDED: &[Parameter] = &[Parameter::optional(
    "limit",
    Kind::Integer(1, 1_000_000),
    "Tasks at most; all that are kept where it is left out",
)];

pub(crate) const PAGED: &[Parameter] = &[LIMIT, CONTINUATION];

pub(crate) const VERDICTS: &[Parameter] = &[
    Parameter::optional("verdict", Kind::OneOf(&["valid", "invalid", "unchecked"]), "Those with this verdict only"),
    Parameter::optional(
        "action",
        Kind::OneOf(Action::NAMES),
        "Those of which this became only; without it and without verdict, those that were warned of or refused",
    ),
    Parameter::optional("since", Kind::Text, "Not before this time of RFC 3339; without it, of the last 7 days"),
    LIMIT,
    CONTINUATION,
];
