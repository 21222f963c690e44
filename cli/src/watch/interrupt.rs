//! What a signal asks for: first that the run ends in good order, then that the program ends at
//! once.
//!
//! Ctrl-C (SIGINT), SIGTERM and SIGHUP are told apart by the exit code.

use crate::exit::Code;
use crate::output::{complain, end_at_once};
use std::ops::ControlFlow;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// The exit code of the first signal; 0 before one comes.
static ASKED: AtomicU8 = AtomicU8::new(0);

/// Somebody looks at [`ASKED`] and ends in good order.
static HEARD: AtomicBool = AtomicBool::new(false);

/// Whether a signal has come since [`catch`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed) != 0
}

/// The exit code of a run that a signal stopped, or a monitor of launches.
pub fn code() -> Code {
    let asked = ASKED.load(Ordering::Relaxed);
    let signals = [Code::HungUp, Code::Interrupted, Code::Terminated];
    signals.into_iter().find(|code| *code as u8 == asked).unwrap_or(Code::Interrupted)
}

/// What a monitor of launches answers: they go on until a signal comes.
pub fn flow() -> ControlFlow<()> {
    if asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// From now on the first signal is told by [`asked`], and a second one ends the program.
pub fn catch() {
    HEARD.store(true, Ordering::Relaxed);
    tidy();
}

/// From now on no signal leaves a temporary file. Unless it is [caught](catch) the first one ends
/// the program.
pub fn tidy() {
    static LISTENS: Once = Once::new();
    // Where signals cannot be caught they end the program, as they do anyway.
    LISTENS.call_once(|| drop(signals::listen(came)));
}

/// A signal, given by its exit code and its name.
fn came(code: Code, name: &str) {
    if !HEARD.load(Ordering::Relaxed) {
        end_at_once(code);
    }
    if ASKED.compare_exchange(0, code as u8, Ordering::Relaxed, Ordering::Relaxed).is_err() {
        // A terminal that closes sends several hangups; nobody has become impatient.
        if code != Code::HungUp {
            end_at_once(code);
        }
        return;
    }
    // A host program may work for long ahead of a launch, and nothing else would show that it was
    // heard.
    complain(&format!(
        "{name} received: the current or next launch stops; repeat the signal to end the program at once"
    ));
}

#[cfg(unix)]
mod signals {
    use crate::exit::Code;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::{fs, io, thread};

    /// Calls `came` on a thread of its own for each signal.
    pub fn listen(came: fn(Code, &str)) -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        if !ignores_hangups() {
            signals.add_signal(SIGHUP)?;
        }
        let wait = move || {
            for signal in signals.forever() {
                match signal {
                    SIGHUP => came(Code::HungUp, "SIGHUP"),
                    SIGTERM => came(Code::Terminated, "SIGTERM"),
                    _ => came(Code::Interrupted, "Ctrl-C"),
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
    }

    /// Whether the program was started with SIGHUP ignored, as `nohup` does. Linux only: elsewhere
    /// this is unknown without unsafe code.
    fn ignores_hangups() -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 != 0)
    }
}

#[cfg(not(unix))]
mod signals {
    use crate::exit::Code;
    use std::io;

    /// Nothing: Ctrl-C ends the program.
    pub fn listen(_: fn(Code, &str)) -> io::Result<()> {
        Ok(())
    }
}
