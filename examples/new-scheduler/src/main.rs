//! `warpsim` with the policy of this crate: every command accepts `--set sm.scheduler=abreast`.

use std::process::ExitCode;

fn main() -> ExitCode {
    warpsim::cli(new_scheduler::register)
}
