//! The access log: one JSON line for each request, handed to a thread of its own.
//!
//! Writers append to a buffer; the thread is woken by the first line and then waits a moment, so that a busy server
//! pays one wake for many lines. When the sink is stuck, lines are dropped and counted rather than kept for ever.

use crate::context::Context;
use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use jiff::Timestamp;
use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Lines wait at most this long.
const PAUSE: Duration = Duration::from_millis(50);
/// More than this is not kept for a sink that does not take it.
const MOST_BYTES: usize = 8 << 20;

/// Where the lines go. Clones share it; what is buffered is written when the last one is dropped.
#[derive(Clone)]
pub struct AccessLog(Arc<Owner>);

struct Owner {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

struct Shared {
    buffer: Mutex<Buffer>,
    /// Rings for the writer.
    bell: Condvar,
    /// Rings when the writer has written.
    written: Condvar,
}

#[derive(Default)]
struct Buffer {
    text: Vec<u8>,
    dropped: u64,
    /// The writer holds lines that are not written yet.
    in_flight: bool,
    closed: bool,
}

/// What a line says.
pub(crate) struct Entry<'a> {
    pub(crate) request: &'a HttpRequest,
    pub(crate) context: &'a Context,
    pub(crate) status: StatusCode,
    pub(crate) bytes: Option<u64>,
    pub(crate) elapsed: Duration,
}

impl AccessLog {
    /// A log that writes to `sink`.
    pub fn to(sink: impl Write + Send + 'static) -> Self {
        let shared = Arc::new(Shared { buffer: Mutex::default(), bell: Condvar::new(), written: Condvar::new() });
        let for_writer = shared.clone();
        let spawned = std::thread::Builder::new().name("access-log".to_owned()).spawn(move || for_writer.run(sink));
        if let Err(error) = &spawned {
            tracing::error!(%error, "the access log has no thread; requests are not logged");
        }
        Self(Arc::new(Owner { shared, writer: spawned.ok() }))
    }

    pub(crate) fn write(&self, entry: &Entry<'_>) {
        let mut buffer = self.0.shared.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.text.len() > MOST_BYTES {
            buffer.dropped += 1;
            return;
        }
        let was_empty = buffer.text.is_empty();
        entry.append_to(&mut buffer.text);
        drop(buffer);
        if was_empty {
            self.0.shared.bell.notify_one();
        }
    }

    /// Waits until everything so far is written. Blocks.
    pub fn flush(&self) {
        if self.0.writer.is_none() {
            return;
        }
        let mut buffer = self.0.shared.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        while !buffer.text.is_empty() || buffer.in_flight {
            buffer = self.0.shared.written.wait(buffer).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.shared.buffer.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.shared.bell.notify_one();
        if let Some(writer) = self.writer.take() {
            // A sink that panicked has nothing more to write.
            let _ = writer.join();
        }
    }
}

impl Shared {
    fn run(&self, mut sink: impl Write) {
        loop {
            let (text, dropped, closed) = self.take();
            // There is nobody to tell when the log itself cannot be written.
            let _ = sink.write_all(&text);
            if dropped > 0 {
                let _ = writeln!(sink, "{{\"kind\":\"access\",\"dropped\":{dropped}}}");
            }
            let _ = sink.flush();
            self.buffer.lock().unwrap_or_else(PoisonError::into_inner).in_flight = false;
            self.written.notify_all();
            if closed {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Waits for lines, or for the end.
    fn take(&self) -> (Vec<u8>, u64, bool) {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        while buffer.text.is_empty() && !buffer.closed {
            buffer = self.bell.wait(buffer).unwrap_or_else(PoisonError::into_inner);
        }
        buffer.in_flight = true;
        let capacity = buffer.text.len().min(1 << 16);
        let text = std::mem::replace(&mut buffer.text, Vec::with_capacity(capacity));
        (text, std::mem::take(&mut buffer.dropped), buffer.closed)
    }
}

impl Entry<'_> {
    fn append_to(&self, line: &mut Vec<u8>) {
        // Writing to memory does not fail.
        let _ = write!(line, "{{\"kind\":\"access\",\"time\":\"{:.3}\",\"method\":\"", Timestamp::now());
        escape(self.request.method().as_str(), line);
        line.extend_from_slice(b"\",\"path\":\"");
        escape(self.request.uri().path(), line);
        let _ = write!(line, "\",\"status\":{}", self.status.as_u16());
        if let Some(endpoint) = self.context.endpoint.get() {
            let (service, operation) = (endpoint.service, endpoint.operation.id);
            let _ = write!(line, ",\"service\":\"{service}\",\"operation\":\"{operation}\"");
        }
        line.extend_from_slice(b",\"caller\":\"");
        escape(self.context.caller.name(), line);
        if let Some(bytes) = self.bytes {
            let _ = write!(line, "\",\"bytes\":{bytes}");
        } else {
            line.extend_from_slice(b"\",\"bytes\":null");
        }
        let (micros, id) = (self.elapsed.as_micros(), self.context.id.as_str());
        let _ = writeln!(line, ",\"elapsed_us\":{micros},\"request_id\":\"{id}\"}}");
    }
}

/// Text in a JSON string.
fn escape(text: &str, line: &mut Vec<u8>) {
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => line.extend_from_slice(&[b'\\', byte]),
            0..=0x1f => {
                let _ = write!(line, "\\u{byte:04x}");
            }
            _ => line.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AccessLog, Entry, escape};
    use crate::context::{Context, RequestId};
    use actix_web::http::StatusCode;
    use actix_web::http::header::HeaderMap;
    use actix_web::test::TestRequest;
    use std::io::Write;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;
    use worker_types::Caller;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_is_json_and_none_is_lost() {
        let sink = Sink::default();
        let log = AccessLog::to(sink.clone());
        let request = TestRequest::with_uri("/a%22b?secret=1").to_http_request();
        let context = Context::new(RequestId::of(&HeaderMap::new()), Caller::new("a \"name\"", []));
        for _ in 0..100 {
            let elapsed = Duration::from_micros(12);
            log.write(&Entry { request: &request, context: &context, status: StatusCode::OK, bytes: None, elapsed });
        }
        let written = || String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
        log.flush();
        assert_eq!(written().lines().count(), 100);
        let elapsed = Duration::from_micros(12);
        log.write(&Entry { request: &request, context: &context, status: StatusCode::OK, bytes: Some(7), elapsed });
        drop(log);
        let text = written();
        assert_eq!(text.lines().count(), 101);
        let line: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(line["path"], "/a%22b", "the query may hold what is not for the log");
        assert_eq!(line["caller"], "a \"name\"");
        assert_eq!(line["elapsed_us"], 12);
    }

    #[test]
    fn text_is_escaped() {
        let mut line = Vec::new();
        escape("a\"\\\n", &mut line);
        assert_eq!(line, b"a\\\"\\\\\\u000a");
    }
}
