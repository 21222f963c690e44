//! The exported C functions. Pointers are numbers here too: only [`host`] accesses the memory of
//! the host program.
//!
//! One lock guards all state. It is free while a callback of the host program runs, and a message
//! is printed after a call has given it back.

#![expect(
    unsafe_code,
    reason = "exported names, memory of the host program and functions of the C library: \
              docs/decisions/0019-unsafe-code-at-the-c-abi.md"
)]
// The compiler accepts the names of C only for exported functions, and a page exports none.
#![cfg_attr(target_arch = "wasm32", expect(non_snake_case, reason = "the names of CUDA"))]

pub mod arrays;
pub mod copies;
pub mod devices;
pub mod driver;
pub mod errors;
mod exit;
pub mod host;
pub mod launches;
pub mod memory;
pub mod registration;
pub mod streams;
pub mod structs;
pub mod textures;
pub mod words;

use crate::runtime::Runtime;
use crate::runtime::error::{Error, Outcome};
use crate::runtime::images::Images;
use crate::runtime::notes::Note;
use crate::runtime::thread::Thread;
use crate::settings::Settings;
use host::Memory;
use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A pointer of the host program.
#[cfg(target_pointer_width = "64")]
pub type Address = usize;
/// A pointer of the host program, which has 64 bits even if the host has fewer.
#[cfg(not(target_pointer_width = "64"))]
pub type Address = u64;

/// Defines exported functions that return a `cudaError_t`, and the list of their names.
macro_rules! api {
    ($(fn $name:ident($($argument:ident: $kind:ty),* $(,)?) |$runtime:ident, $thread:ident| $body:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`")]
            #[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
            pub extern "C" fn $name($($argument: $kind),*) -> std::ffi::c_int {
                // Some parameters have no effect.
                let _ = ($($argument,)*);
                $crate::abi::call(stringify!($name), &mut |$runtime, $thread| {
                    let _ = (&$runtime, &$thread);
                    $body
                })
            }
        )*

        /// Names of the functions.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The functions for callers whose arguments are words.
        pub const ENTRIES: &[(&str, $crate::abi::words::Entry)] = &[$((
            stringify!($name),
            |$runtime, $thread, words| {
                let _ = &words;
                $(let $argument = <$kind as $crate::abi::words::Argument>::take(words);)*
                let _ = ($($argument,)*);
                let _ = (&$runtime, &$thread);
                $body
            },
        )),*];
    };
}
pub(crate) use api;

/// Names of all exported functions.
pub fn names() -> Vec<&'static str> {
    let lists = [
        arrays::NAMES,
        copies::NAMES,
        devices::NAMES,
        driver::contexts::NAMES,
        driver::devices::NAMES,
        driver::errors::NAMES,
        driver::functions::NAMES,
        driver::functions::OTHERS,
        driver::memory::NAMES,
        driver::modules::NAMES,
        driver::streams::NAMES,
        driver::streams::OTHERS,
        driver::textures::NAMES,
        errors::NAMES,
        errors::OTHERS,
        launches::NAMES,
        launches::OTHERS,
        memory::NAMES,
        registration::NAMES,
        streams::NAMES,
        textures::NAMES,
        textures::OTHERS,
    ];
    lists.into_iter().flatten().copied().collect()
}

/// The state of the process.
struct State {
    /// What object files have registered before the first call.
    early: Images,
    runtime: Option<Runtime>,
}

/// The state, which one thread at a time uses.
struct Shared(State);

// SAFETY: `Gpu` is not `Send` because it can have callbacks and a user's scheduling policy. The
// runtime sets none of them, so the state has no data that belongs to a thread.
unsafe impl Send for Shared {}

static STATE: Mutex<Shared> = Mutex::new(Shared(State { early: Images::new(), runtime: None }));

/// Number of the process that has made the first call; 0 before it.
static PROCESS: AtomicU32 = AtomicU32::new(0);

static SETTINGS: OnceLock<Settings> = OnceLock::new();

thread_local! {
    static THREAD: RefCell<Thread> = const { RefCell::new(Thread::new()) };
}

/// Locks the state. A panic in a call leaves state that later calls can use.
fn lock() -> MutexGuard<'static, Shared> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this process was forked after the first call. The devices belong to the parent, as in
/// CUDA, and the lock may be held by a thread that this process does not have.
fn is_forked() -> bool {
    let owner = PROCESS.load(Ordering::Relaxed);
    owner != 0 && owner != std::process::id()
}

/// Runs `work` on the images, before or after the first call.
fn with_images<T>(work: impl FnOnce(&mut Images) -> T) -> Option<T> {
    if is_forked() {
        return None;
    }
    let mut state = lock();
    let State { early, runtime } = &mut state.0;
    Some(work(runtime.as_mut().map_or(early, |runtime| &mut runtime.images)))
}

/// Runs a call and returns its result for C. The error is the thread's last error.
fn call(name: &str, work: &mut dyn FnMut(&mut Runtime, &mut Thread) -> Outcome) -> c_int {
    on_thread(|thread| {
        let result = run(thread, |runtime, thread| {
            let result = work(runtime, thread);
            if let Err(error) = result {
                runtime.note_failed(thread.device, name, error);
            }
            result
        });
        if let Err(error) = result {
            thread.last = error;
        }
        result.err().unwrap_or(Error::SUCCESS).0
    })
}

/// Runs `work` with the state of the host thread, which may be about to end.
fn on_thread<T>(work: impl FnOnce(&mut Thread) -> T) -> T {
    let mut own = THREAD.try_with(RefCell::take).unwrap_or_default();
    let result = work(&mut own);
    // A thread that ends has no state any more.
    let _ = THREAD.try_with(|thread| thread.replace(own));
    result
}

/// Returns the settings of the process, which the first call reads. A wrong setting ends it.
pub fn settings() -> &'static Settings {
    SETTINGS.get_or_init(|| match Settings::read(|name| std::env::var(name).ok()) {
        Ok(settings) => settings,
        Err(message) => {
            eprintln!("warpsim: error: {message}");
            std::process::exit(2);
        }
    })
}

/// Returns the runtime, which the first call makes.
fn started<'a>(state: &'a mut State, settings: &Settings) -> &'a mut Runtime {
    let State { early, runtime } = state;
    runtime.get_or_insert_with(|| {
        PROCESS.store(std::process::id(), Ordering::Relaxed);
        exit::register();
        Runtime::new(settings.clone(), Box::new(Memory), std::mem::take(early))
    })
}

/// Prints the messages of a call.
fn print(notes: Vec<Note>, output: Option<String>) {
    if let Some(output) = output {
        host::print(&output);
    }
    if !notes.is_empty() {
        host::flush();
    }
    for note in notes {
        eprintln!("{}", note.text);
    }
}

/// Runs `work` with the runtime, then prints its messages.
fn run<E: From<Error>>(
    thread: &mut Thread,
    work: impl FnOnce(&mut Runtime, &mut Thread) -> Result<(), E>,
) -> Result<(), E> {
    if is_forked() {
        return Err(Error::INITIALIZATION.into());
    }
    // A wrong setting ends the program, so it is found before the lock is taken.
    let settings = settings();
    let (result, notes, output) = {
        let mut state = lock();
        let runtime = started(&mut state.0, settings);
        let result = work(runtime, thread);
        (result, runtime.notes.take(), runtime.notes.take_output())
    };
    print(notes, output);
    result
}
