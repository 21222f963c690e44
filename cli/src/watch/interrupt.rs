//! What Ctrl-C asks for: first that the run ends in good order, then that the program ends at once.

use crate::exit::Code;
use crate::output::{complain, end_at_once};
use std::ops::ControlFlow;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Somebody looks at [`ASKED`] and ends in good order.
static HEARD: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C has been pressed since [`catch`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// What a monitor of launches answers: they go on until Ctrl-C is pressed.
pub fn flow() -> ControlFlow<()> {
    if asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// From now on Ctrl-C is told by [`asked`], and a second one ends the program.
pub fn catch() {
    HEARD.store(true, Ordering::Relaxed);
    tidy();
}

/// From now on no Ctrl-C leaves a temporary file. Unless it is [caught](catch) the first one ends the program.
pub fn tidy() {
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        let handler = || {
            if !HEARD.load(Ordering::Relaxed) || ASKED.swap(true, Ordering::Relaxed) {
                end_at_once(Code::Interrupted);
            }
            // A host program may work for long ahead of a launch, and nothing else would show that it was heard.
            complain("Ctrl-C: stops the launch under way, or else the next; again: ends the program at once");
        };
        // Where signals cannot be caught Ctrl-C ends the program, as it does anyway.
        let _ = ctrlc::set_handler(handler);
    });
}
