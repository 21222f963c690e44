//! The end of the program when the system has no memory left for it.

/// Makes a failed allocation end the program with the exit code of a limit. The standard library
/// prints the message, and raises SIGABRT.
#[cfg(unix)]
pub fn end_at_limit() {
    use crate::exit::Code;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let always = Arc::new(AtomicBool::new(true));
    let code = i32::from(Code::HangOrLimit as u8);
    // Without the handler, the signal ends the program, as it does by default.
    drop(signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, code, always));
}

/// Does nothing: the system ends the program.
#[cfg(not(unix))]
pub const fn end_at_limit() {}
