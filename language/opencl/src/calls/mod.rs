//! The functions of the API, each defined once, over [`State`]. A call that blocks returns what it
//! waits for, and its caller waits.
//!
//! The exported C functions are made of them for the dispatch table of the ICD, and entries for
//! callers whose arguments are words, such as an interpreter of host programs.

pub mod commands;
pub mod functions;
pub mod images;

use crate::objects::command::COMPLETE;
use crate::objects::{Handle, State};
use crate::status::{Done, Status};
pub use warpsim_cuda::abi::words::{Argument, Words};

/// What a call waits for before it returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Until {
    /// Nothing.
    Now,
    /// A command of the call is complete. The call has a reference of its event.
    Complete(Handle),
    /// All events are complete.
    AllComplete(Vec<Handle>),
    /// A queue has no command left.
    Finished(Handle),
}

/// What a call returns, if its status is `CL_SUCCESS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// A handle or an address.
    pub value: u64,
    /// What the call waits for before.
    pub until: Until,
}

impl From<()> for Reply {
    fn from((): ()) -> Self {
        Self { value: 0, until: Until::Now }
    }
}

impl From<u64> for Reply {
    fn from(value: u64) -> Self {
        Self { value, until: Until::Now }
    }
}

impl From<Until> for Reply {
    fn from(until: Until) -> Self {
        Self { value: 0, until }
    }
}

impl From<(u64, Until)> for Reply {
    fn from((value, until): (u64, Until)) -> Self {
        Self { value, until }
    }
}

impl State {
    /// Whether a call that waits can return.
    ///
    /// # Errors
    ///
    /// An event has an error.
    pub fn is_reached(&self, until: &Until) -> Done<bool> {
        match until {
            Until::Now => Ok(true),
            Until::Complete(event) => Ok(self.event(*event)?.status <= COMPLETE),
            Until::AllComplete(events) => self.are_complete(events),
            Until::Finished(queue) => Ok(self.is_finished(*queue)),
        }
    }

    /// Ends the wait of a call.
    ///
    /// # Errors
    ///
    /// The command of the call has an error, or the device has failed.
    pub fn end_wait(&mut self, until: &Until) -> Done {
        match until {
            Until::Now | Until::AllComplete(_) => Ok(()),
            Until::Complete(event) => {
                let status = self.event(*event)?.status;
                self.release(*event);
                if status < COMPLETE { Err(Status(status)) } else { Ok(()) }
            }
            Until::Finished(_) => {
                self.runtime.device(&self.thread)?.gpu.synchronize();
                Ok(())
            }
        }
    }
}

/// A call that never returns, because no other thread completes the event that it waits for. The
/// text is a message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless(pub String);

/// What a call returns to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// A `cl_int` extended to 64 bits, a handle, or an address.
    pub value: u64,
    /// The status, which some functions return and others write.
    pub status: Status,
}

/// A function for callers whose arguments are words.
pub type Entry = fn(&mut State, &mut Words<'_>) -> Result<Outcome, Endless>;

/// Calls a function for a host program with one thread: no other thread completes its events.
fn call_alone<T: Into<Reply>>(
    state: &mut State,
    name: &str,
    work: impl FnOnce(&mut State) -> Done<T>,
) -> Result<Done<u64>, Endless> {
    let Reply { value, until } = match work(state) {
        Ok(reply) => reply.into(),
        Err(error) => return Ok(Err(error)),
    };
    match state.is_reached(&until) {
        // Every command runs as soon as it can, so only an event of the program holds others back.
        Ok(false) => Err(Endless(format!(
            "`{name}` never returns: it waits for a user event, whose status no other thread sets \
             (`clSetUserEventStatus`)"
        ))),
        reached => Ok(reached.and(state.end_wait(&until)).map(|()| value)),
    }
}

/// Calls a function that returns a status.
fn status<T: Into<Reply>>(
    state: &mut State,
    name: &str,
    work: impl FnOnce(&mut State) -> Done<T>,
) -> Result<Outcome, Endless> {
    let status = call_alone(state, name, work)?.err().unwrap_or(Status::SUCCESS);
    Ok(Outcome { value: i64::from(status.0) as u64, status })
}

/// Calls a function that returns a handle or an address, and writes its status to `error`.
fn created<T: Into<Reply>>(
    state: &mut State,
    name: &str,
    error: u64,
    work: impl FnOnce(&mut State) -> Done<T>,
) -> Result<Outcome, Endless> {
    let result = call_alone(state, name, work)?;
    let result = state.reported(error, result);
    Ok(Outcome { value: result.unwrap_or(0), status: result.err().unwrap_or(Status::SUCCESS) })
}

impl State {
    /// Writes the status of a result to `error`, unless it is null.
    ///
    /// # Errors
    ///
    /// The result is an error, or the address has no memory.
    pub fn reported(&self, error: u64, result: Done<u64>) -> Done<u64> {
        if error != 0 {
            self.runtime.put_int(error, result.err().unwrap_or(Status::SUCCESS).0)?;
        }
        result
    }
}

/// Defines functions of the API: exported functions, and the list of their entries. A function
/// returns its status, or a handle or an address if its parameters end with `; error`, the address
/// of its status.
macro_rules! api {
    (@exported $name:ident [$($argument:ident: $kind:ty),*] [] |$state:ident| $body:expr) => {
        #[doc = concat!("`", stringify!($name), "`")]
        #[cfg(not(target_arch = "wasm32"))]
        pub extern "C" fn $name($($argument: $kind),*) -> std::ffi::c_int {
            $crate::abi::call(|$state| $body)
        }
    };
    (@exported $name:ident [$($argument:ident: $kind:ty),*] [$error:ident] |$state:ident| $body:expr) => {
        #[doc = concat!("`", stringify!($name), "`")]
        #[cfg(not(target_arch = "wasm32"))]
        pub extern "C" fn $name($($argument: $kind,)* $error: u64) -> u64 {
            $crate::abi::create($error, |$state| $body)
        }
    };
    (@called $own:ident $name:ident $words:ident [] |$state:ident| $body:expr) => {
        $crate::calls::status($own, stringify!($name), |$state| $body)
    };
    (@called $own:ident $name:ident $words:ident [$error:ident] |$state:ident| $body:expr) => {{
        let $error = $words.word();
        $crate::calls::created($own, stringify!($name), $error, |$state| $body)
    }};
    ($(
        fn $name:ident($($argument:ident: $kind:ty),* $(; $error:ident)?) |$state:ident| $body:expr;
    )*) => {
        $(api! { @exported $name [$($argument: $kind),*] [$($error)?] |$state| $body })*

        /// The functions for callers whose arguments are words.
        pub const ENTRIES: &[(&str, $crate::calls::Entry)] = &[$((
            stringify!($name),
            |own, words| {
                let _ = &words;
                $(let $argument = <$kind as $crate::calls::Argument>::take(words);)*
                api!(@called own $name words [$($error)?] |$state| $body)
            },
        )),*];
    };
}
use api;

fn all() -> impl Iterator<Item = &'static (&'static str, Entry)> {
    functions::ENTRIES.iter().chain(commands::ENTRIES).chain(images::ENTRIES)
}

/// The names of the functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|(name, _)| *name)
}

/// Finds a function by its name.
pub fn find(name: &str) -> Option<Entry> {
    all().find(|(known, _)| *known == name).map(|(_, entry)| *entry)
}
