//! Signals: the first one ends the run in an orderly way, the second one ends the program
//! immediately.
//!
//! A command ends within a second of the first signal. Only a command that stops a launch, and so
//! has a report to write, has longer.
//!
//! The exit code distinguishes Ctrl-C (SIGINT), SIGTERM and SIGHUP.

use crate::exit::Code;
use crate::output::{complain, end_now};
use std::ops::ControlFlow;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

/// Time from the first signal to the end of a command that has not noticed it: it works outside of
/// launches.
const PATIENCE: Duration = Duration::from_millis(800);

/// Additional time of a command that writes the report of a stopped launch.
const TO_WRITE: Duration = Duration::from_secs(4);

/// Exit code of the first signal; 0 before a signal.
static ASKED: AtomicU8 = AtomicU8::new(0);

/// Whether a command checks [`ASKED`] and ends in an orderly way.
static CAUGHT: AtomicBool = AtomicBool::new(false);

/// Whether a command has stopped its work because of a signal, and ends in an orderly way.
static NOTICED: AtomicBool = AtomicBool::new(false);

/// Whether a signal has arrived since [`catch`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}

/// Returns the exit code of a run that a signal or a monitor stopped.
pub fn code() -> Code {
    let asked = ASKED.load(Ordering::Relaxed);
    let signals = [Code::HungUp, Code::Interrupted, Code::Terminated];
    signals.into_iter().find(|code| *code as u8 == asked).unwrap_or(Code::Interrupted)
}

/// Returns the answer of a monitor of launches: `Continue` until a signal arrives.
pub fn flow() -> ControlFlow<()> {
    if !asked() {
        return ControlFlow::Continue(());
    }
    ends();
    ControlFlow::Break(())
}

/// The command has stopped its work after a signal, and writes its results.
pub fn ends() {
    NOTICED.store(true, Ordering::Relaxed);
}

/// Ends the program if its command does not end by itself.
fn enforce(code: Code) {
    let wait = move || {
        thread::sleep(PATIENCE);
        if NOTICED.load(Ordering::Relaxed) {
            thread::sleep(TO_WRITE);
        }
        end_now(code);
    };
    // Without a thread, the second signal ends the program.
    drop(thread::Builder::new().name("end".to_owned()).spawn(wait));
}

/// Makes [`asked`] report the first signal; a second one ends the program.
pub fn catch() {
    CAUGHT.store(true, Ordering::Relaxed);
    tidy();
}

/// Makes signals delete temporary files. Unless signals are [caught](catch), the first one ends the
/// program.
pub fn tidy() {
    static LISTENS: Once = Once::new();
    // If signals cannot be caught, they end the program, as they do by default.
    LISTENS.call_once(|| drop(signals::listen(handle)));
}

/// Does what the first Ctrl-C does, for a terminal that sends no signal.
pub fn ask() {
    handle(Code::Interrupted, "Ctrl-C");
}

/// Handles a signal, given by its exit code and its name.
fn handle(code: Code, name: &str) {
    // The message below must not be written into a screen, and the program may end here.
    debugger::mode::leave();
    if !CAUGHT.load(Ordering::Relaxed) {
        end_now(code);
    }
    if ASKED.compare_exchange(0, code as u8, Ordering::Relaxed, Ordering::Relaxed).is_err() {
        // A closing terminal sends several hangups, which do not mean a second request.
        if code != Code::HungUp {
            end_now(code);
        }
        return;
    }
    enforce(code);
    // The report of a launch takes a moment, so the message confirms the signal.
    complain(&format!("{name} received: the run stops; repeat the signal to end the program at once"));
}

#[cfg(unix)]
pub use signals::ignores;

#[cfg(unix)]
mod signals {
    use crate::exit::Code;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::{fs, io, thread};

    /// Calls `handle` on a separate thread for each signal.
    pub fn listen(handle: fn(Code, &str)) -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        if !ignores(SIGHUP) {
            signals.add_signal(SIGHUP)?;
        }
        let wait = move || {
            for signal in signals.forever() {
                match signal {
                    SIGHUP => handle(Code::HungUp, "SIGHUP"),
                    SIGTERM => handle(Code::Terminated, "SIGTERM"),
                    _ => handle(Code::Interrupted, "Ctrl-C"),
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
    }

    /// Whether the program was started with a signal ignored, as `nohup` ignores SIGHUP. Linux
    /// only: on other systems this cannot be determined without unsafe code.
    pub fn ignores(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 != 0)
    }
}

#[cfg(not(unix))]
mod signals {
    use crate::exit::Code;
    use std::io;

    /// Does nothing: Ctrl-C ends the program.
    pub fn listen(_: fn(Code, &str)) -> io::Result<()> {
        Ok(())
    }
}
