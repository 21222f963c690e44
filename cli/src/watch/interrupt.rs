//! What Ctrl-C asks for: first that the run ends in good order, then that the program ends at once.

use crate::exit::Code;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C has been pressed since [`catch`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on Ctrl-C is told by [`asked`], and a second one ends the program.
pub fn catch() {
    static CATCH: Once = Once::new();
    CATCH.call_once(|| {
        let handler = || {
            if ASKED.swap(true, Ordering::Relaxed) {
                std::process::exit(Code::Interrupted as i32);
            }
        };
        // Where signals cannot be caught Ctrl-C ends the program, as it does anyway.
        let _ = ctrlc::set_handler(handler);
    });
}
