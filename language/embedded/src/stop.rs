//! Why a program stops.

use crate::memory::{Fault, Kind, Refused};
use cuda::source::Span;

/// Why a program stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// `exit`, or the end of `main`.
    Exit(i32),
    /// `abort`, or a failed `assert`, after its message.
    Abort,
    /// A wrong access to memory.
    Fault(Fault),
    /// Another mistake of the program.
    Mistake(String),
    /// The limit of executed instructions.
    Budget,
    /// The limit of simulated time in calls of the runtime.
    CallBudget,
    /// The debugger has ended the program.
    Killed,
    /// The user has interrupted the program.
    Interrupted,
    /// Before a launch that is not started.
    Held,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Help for a program that gets no more memory.
const LIMITS: &str =
    "host memory has a limit of bytes and of blocks (docs/PROGRAMS.md); `--compiler clang` has none";

/// Why a program stops, in words.
pub fn reason(stop: &Stop) -> String {
    match stop {
        Stop::Exit(code) => format!("it exits with code {code}"),
        Stop::Abort => "it aborts".to_owned(),
        Stop::Budget => "the host code has executed its limit of instructions".to_owned(),
        Stop::CallBudget => "its copies and launches have taken their limit of simulated time".to_owned(),
        Stop::Killed => "the debugger ends it".to_owned(),
        Stop::Interrupted => "it is interrupted".to_owned(),
        Stop::Held => "the next launch is not started".to_owned(),
        Stop::Mistake(message) => message.clone(),
        Stop::Fault(fault) => describe(fault).0,
    }
}

/// What to know about an allocation that returned null.
fn failed_allocation(refused: Option<Refused>) -> Vec<(Option<Span>, String)> {
    let Some(Refused { bytes, place }) = refused else { return Vec::new() };
    let returned = format!("the last allocation that failed, of {bytes} bytes, returned a null pointer");
    vec![(Some(place), returned), (None, LIMITS.to_owned())]
}

/// A wrong access: what is wrong, and what to know about it.
pub fn describe(fault: &Fault) -> (String, Vec<(Option<Span>, String)>) {
    // Memory of the runtime has no place in the source.
    let at = |span: &Span, what: &str| {
        let known = (*span != Span::NONE).then(|| (Some(*span), what.to_owned()));
        known.into_iter().collect::<Vec<_>>()
    };
    match fault {
        Fault::Null(refused) => ("a null pointer is used".to_owned(), failed_allocation(*refused)),
        Fault::Device(address, refused) => {
            let whose = match refused {
                None => ", which belongs to the device",
                Some(_) => ": of the device, or behind a null pointer",
            };
            let copy = (None, "copy the data with `cudaMemcpy` first".to_owned());
            let notes = std::iter::once(copy).chain(failed_allocation(*refused));
            (format!("host code accesses address {address:#x}{whose}"), notes.collect())
        }
        Fault::Wild(address) => (format!("there is no memory at address {address:#x}"), Vec::new()),
        Fault::Freed { kind, made, freed } => {
            let (what, end) = match kind {
                Kind::Local(_) => ("declared", "its function has returned"),
                _ => ("allocated", "freed"),
            };
            (format!("{kind} is used after its end"), [at(made, what), at(freed, end)].concat())
        }
        Fault::Outside { kind, made, size, offset, bytes } => {
            let side = if *offset < 0 { "before the start" } else { "behind the end" };
            let what = if matches!(kind, Kind::Heap | Kind::Pinned) { "allocated" } else { "declared" };
            (
                format!(
                    "an access of {bytes} bytes at offset {offset} is {side} of {kind}, which has {size} bytes"
                ),
                at(made, what),
            )
        }
        Fault::Uninitialized { kind, made, offset } => {
            let what = if matches!(kind, Kind::Heap | Kind::Pinned) { "allocated" } else { "declared" };
            (format!("the value at offset {offset} of {kind} is used before it is set"), at(made, what))
        }
        Fault::NotAllocated(None) => (
            "`free` of an address that `malloc` did not return".to_owned(),
            vec![(None, "`cudaFree` frees memory of the device".to_owned())],
        ),
        Fault::NotAllocated(Some(kind)) => {
            (format!("`free` of {kind}, which `malloc` did not return"), Vec::new())
        }
        Fault::Pending => ("a device may still use the memory".to_owned(), Vec::new()),
        Fault::Exhausted(bytes) => {
            (format!("no memory is left for {bytes} bytes"), vec![(None, LIMITS.to_owned())])
        }
    }
}
