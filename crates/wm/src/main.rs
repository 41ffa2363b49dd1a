//! The binary `wm`.

use std::process::ExitCode;

fn main() -> ExitCode {
    wm::run(std::env::args_os().collect(), &mut wm::Terminal::standard()).into()
}
