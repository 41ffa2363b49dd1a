//! Where a command writes: results to standard output, words about the work to standard error.
//!
//! Colours and progress are for terminals only; `NO_COLOR` and its relatives are heeded.

use crate::Failure;
use anstream::{AutoStream, StripStream};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// Good news, and what is added.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Bad news, and what is taken away.
pub const BAD: Style = AnsiColor::Red.on_default();
/// What should be known.
pub const WARN: Style = AnsiColor::Yellow.on_default();
/// What is talked about.
pub const NAME: Style = Style::new().bold();
/// What can be passed over.
pub const FAINT: Style = Style::new().dimmed();

/// For whom the results are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON document.
    Json,
}

/// The two streams of a command.
pub struct Terminal {
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    output: Output,
    progress: bool,
}

impl Terminal {
    /// The process's own.
    pub fn standard() -> Self {
        let out = AutoStream::auto(io::stdout());
        Self {
            out: Box::new(out),
            err: Box::new(AutoStream::auto(io::stderr())),
            output: Output::Text,
            progress: io::stderr().is_terminal(),
        }
    }

    /// Streams of one's own, without colours.
    pub fn plain(out: impl Write + Send + 'static, err: impl Write + Send + 'static) -> Self {
        Self {
            out: Box::new(StripStream::new(Box::new(out) as Box<dyn Write + Send>)),
            err: Box::new(StripStream::new(Box::new(err) as Box<dyn Write + Send>)),
            output: Output::Text,
            progress: false,
        }
    }

    /// Writes results for `output` from now on.
    pub fn set_output(&mut self, output: Output) {
        self.output = output;
    }

    /// For whom the results are.
    pub fn output(&self) -> Output {
        self.output
    }

    /// Whether results are for programs.
    pub fn is_json(&self) -> bool {
        self.output == Output::Json
    }

    /// Writes a line of the result.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{}", text.as_ref())?)
    }

    /// Writes text of the result as it is.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn raw(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.out.write_all(bytes)?)
    }

    /// Writes the result as JSON.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
        self.line(text)
    }

    /// Says something about the work. That nobody listens does not matter.
    pub fn say(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.err, "{}", text.as_ref());
    }

    /// Says what should be known.
    pub fn warn(&mut self, text: impl AsRef<str>) {
        self.say(format!("{WARN}warning:{WARN:#} {}", text.as_ref()));
    }

    /// Says why the command ends.
    pub fn error(&mut self, text: impl AsRef<str>) {
        self.say(format!("{BAD}error:{BAD:#} {}", text.as_ref()));
    }

    /// Sends what is written on its way.
    ///
    /// # Errors
    /// Standard output is closed.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// A bar for `steps` of work; shown on a terminal, when there is more than one.
    pub fn progress(&self, steps: usize, what: &'static str) -> ProgressBar {
        if !self.progress || self.is_json() || steps < 2 {
            return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len}");
        let bar = ProgressBar::new(steps as u64).with_message(what);
        match style {
            Ok(style) => bar.with_style(style.progress_chars("=> ")),
            Err(_) => bar,
        }
    }

    /// A count that goes up; shown on a terminal.
    pub fn counter(&self, what: &'static str) -> ProgressBar {
        if !self.progress || self.is_json() {
            return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        }
        ProgressBar::new_spinner().with_message(what)
    }
}
