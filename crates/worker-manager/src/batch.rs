//! Many tasks, judged while they still come: lines in, verdicts out, in order.
//!
//! Lines are judged off the thread that serves connections, in batches, several at a time. Answers wait for the client
//! up to a bound; then the lines wait.

mod judge;

use actix_web::rt;
use bytes::Bytes;
use futures_util::stream::FuturesOrdered;
use futures_util::{Stream, StreamExt, stream};
use judge::Judge;
use registry::Registry;
use service::{Line, Lines};
use std::io;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;
use worker_types::Caller;

/// Lines that are judged at once, at most.
const LINES: usize = 256;
/// Bytes of lines that are judged at once, about.
const BYTES: usize = 128 << 10;

/// Answers, with the room that they take.
type Answers = (Bytes, OwnedSemaphorePermit);

/// Starts to judge `lines`. Up to `room` bytes of answers wait for a client that does not read them yet.
pub(crate) fn start(
    lines: Lines,
    caller: Caller,
    registry: Arc<Registry>,
    room: usize,
) -> impl Stream<Item = io::Result<Bytes>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let limit = lines.limit();
    let judge = Arc::new(Judge { registry, caller, limit });
    let batch = Batch { lines, gathered: Vec::new(), bytes: 0, ended: false, judge };
    rt::spawn(batch.run(Outbox { sender, room: Arc::new(Semaphore::new(room.max(1))), size: room.max(1) }));
    stream::unfold(receiver, |mut receiver| async move {
        let answers: io::Result<Answers> = receiver.recv().await?;
        Some((answers.map(|(text, _room)| text), receiver))
    })
}

struct Batch {
    lines: Lines,
    gathered: Vec<(u64, Line)>,
    bytes: usize,
    ended: bool,
    judge: Arc<Judge>,
}

impl Batch {
    async fn run(mut self, outbox: Outbox) {
        let most = std::thread::available_parallelism().map_or(2, usize::from);
        let mut judging: FuturesOrdered<JoinHandle<Vec<u8>>> = FuturesOrdered::new();
        loop {
            let may_read = !self.ended && judging.len() < most;
            tokio::select! {
                () = self.gather(), if may_read => judging.extend(self.judge_gathered()),
                Some(judged) = judging.next(), if !judging.is_empty() => {
                    if outbox.send(judged.map_err(io::Error::other)).await.is_err() {
                        return;
                    }
                }
                else => return,
            }
        }
    }

    /// Gathers lines until they are enough, or until waiting for more would keep those that are there waiting too.
    async fn gather(&mut self) {
        while self.gathered.len() < LINES && self.bytes < BYTES {
            if !self.gathered.is_empty() && !self.lines.is_ready() {
                return;
            }
            match self.lines.next().await {
                Ok(Some((number, line))) => {
                    self.bytes += if let Line::Text(text) = &line { text.len() } else { 0 };
                    self.gathered.push((number, line));
                }
                // A body that breaks off has no client any more who could be told.
                Ok(None) | Err(_) => {
                    self.ended = true;
                    return;
                }
            }
        }
    }

    fn judge_gathered(&mut self) -> Option<JoinHandle<Vec<u8>>> {
        if self.gathered.is_empty() {
            return None;
        }
        self.bytes = 0;
        let (lines, judge) = (std::mem::take(&mut self.gathered), self.judge.clone());
        Some(tokio::task::spawn_blocking(move || judge.lines(&lines)))
    }
}

/// Where answers wait for the client.
struct Outbox {
    sender: mpsc::UnboundedSender<io::Result<Answers>>,
    room: Arc<Semaphore>,
    size: usize,
}

impl Outbox {
    /// Waits for room. A batch that was not judged to its end breaks the stream off: lines may not go missing in the
    /// middle. An error means that there is nothing more to do.
    async fn send(&self, judged: io::Result<Vec<u8>>) -> Result<(), ()> {
        let answers = match judged {
            Ok(answers) => answers,
            Err(error) => {
                tracing::error!(%error, "a batch of tasks was not judged");
                // The client may be gone; then nobody misses anything.
                let _ = self.sender.send(Err(error));
                return Err(());
            }
        };
        let wanted = u32::try_from(answers.len().min(self.size)).unwrap_or(u32::MAX);
        let room = self.room.clone().acquire_many_owned(wanted).await.map_err(|_| ())?;
        self.sender.send(Ok((answers.into(), room))).map_err(|_| ())
    }
}
