//! The binary `wm`.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "failpoints")]
    let _failpoints = fail::FailScenario::setup();
    wm::run(std::env::args_os().collect(), &mut wm::Terminal::standard()).into()
}
