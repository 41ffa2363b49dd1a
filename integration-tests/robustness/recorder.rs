//! Writes a run down while it happens: what was seen is kept also when the run itself fails.

use super::record::{Clock, Ending, Filter, Made, Operation, Run, Stream, Watch};
use super::releases::ReleaseWrite;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The record of a run that goes on.
pub struct Recorder {
    pub clock: Clock,
    run: Mutex<Run>,
}

impl Recorder {
    /// Begins a run with a reader for each filter.
    pub fn start(name: &str, seed: u64, readers: &[Filter]) -> Self {
        let watches = readers.iter().map(|filter| Watch { filter: filter.clone(), streams: Vec::new() }).collect();
        let seconds = super::duration().as_secs();
        let run = Run { name: name.to_owned(), seed, seconds, watches, ..Run::default() };
        Self { clock: Clock::start(), run: Mutex::new(run) }
    }

    pub fn operation(&self, operation: Operation) {
        self.run().operations.push(operation);
    }

    pub fn release(&self, write: ReleaseWrite) {
        self.run().releases.push(write);
    }

    pub fn trouble(&self, made: Made) {
        self.run().troubles.push(made);
    }

    pub fn stream(&self, reader: usize, stream: Stream) {
        self.run().watches[reader].streams.push(stream);
    }

    /// What is there in the end, after so many connections were cut.
    pub fn ending(&self, ending: Ending, cut: usize) {
        let mut run = self.run();
        (run.ending, run.cut) = (ending, cut);
    }

    /// The whole record.
    pub fn finish(self) -> Run {
        std::mem::take(&mut *self.run())
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the run did not come to its end; {}", self.run().save());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::robustness::promises::given::whole;
    use crate::robustness::record::{Made, Run};
    use crate::robustness::troubles::Trouble;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let made = |replica| Made { trouble: Trouble::HalfOpen, replica, started: 1, ended: 2 };
        let run = Run { troubles: vec![made(Some(1)), made(None)], ..whole() };
        let written = serde_json::to_string(&run).unwrap();
        assert_eq!(serde_json::from_str::<Run>(&written).unwrap(), run);
    }

    #[test]
    fn a_record_from_before_troubles_of_all_replicas_is_still_read() {
        let written = r#"{"trouble": "Cut", "replica": 2, "started": 1, "ended": 2}"#;
        let made = Made { trouble: Trouble::Cut, replica: Some(2), started: 1, ended: 2 };
        assert_eq!(serde_json::from_str::<Made>(written).unwrap(), made);
    }
}
