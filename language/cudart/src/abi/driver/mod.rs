//! The functions of the driver API. Those that `cuda.h` maps to a name with `_v2` have both names
//! with the same parameters: sizes and device pointers of 64 bits.

pub mod contexts;
pub mod devices;
pub mod errors;
pub mod functions;
pub mod memory;
pub mod modules;
pub mod streams;
pub mod textures;

use super::{on_thread, run};
use crate::runtime::Runtime;
use crate::runtime::driver::Done;
use crate::runtime::driver::contexts::Need;
use crate::runtime::driver::status::Status;
use crate::runtime::thread::Thread;
use std::ffi::c_int;

/// Defines one exported function that returns a `CUresult`, with an older name or without.
macro_rules! row {
    ($need:ident $name:ident ($($argument:ident: $kind:ty),* $(,)?) |$runtime:ident, $thread:ident| $body:expr) => {
        #[doc = concat!("`", stringify!($name), "`")]
        #[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
        pub extern "C" fn $name($($argument: $kind),*) -> std::ffi::c_int {
            // Some parameters have no effect.
            let _ = ($($argument,)*);
            $crate::abi::driver::call(
                stringify!($name),
                $crate::runtime::driver::contexts::Need::$need,
                &mut |$runtime, $thread| {
                    let _ = (&$runtime, &$thread);
                    $crate::abi::driver::done($body)
                },
            )
        }
    };
    ($need:ident $name:ident $old:ident ($($argument:ident: $kind:ty),* $(,)?) |$runtime:ident, $thread:ident| $body:expr) => {
        $crate::abi::driver::row! {
            $need $name ($($argument: $kind),*) |$runtime, $thread| $body
        }
        #[doc = concat!("`", stringify!($old), "`, as `", stringify!($name), "`")]
        #[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
        pub extern "C" fn $old($($argument: $kind),*) -> std::ffi::c_int {
            $name($($argument),*)
        }
    };
}
pub(crate) use row;

/// Defines exported functions that return a `CUresult`, and the list of their names. A row begins
/// with the state that the call needs; `new = old` is a function with two names.
macro_rules! driver {
    ($($need:ident $name:ident $(= $old:ident)? ($($arguments:tt)*) |$runtime:ident, $thread:ident| $body:expr;)*) => {
        $(
            $crate::abi::driver::row! { $need $name $($old)? ($($arguments)*) |$runtime, $thread| $body }
        )*

        /// Names of the functions.
        pub const NAMES: &[&str] = &[$(stringify!($name), $(stringify!($old),)?)*];
    };
}
pub(crate) use driver;

/// Returns the result of a call, which the runtime API may have made.
fn done(result: Result<(), impl Into<Status>>) -> Done {
    result.map_err(Into::into)
}

/// Runs a call of the driver API and returns its result for C.
fn call(name: &str, need: Need, work: &mut dyn FnMut(&mut Runtime, &mut Thread) -> Done) -> c_int {
    on_thread(|thread| {
        thread.in_driver = true;
        let result = run(thread, |runtime, thread| {
            let result = runtime.enter(thread, need).and_then(|()| work(runtime, thread));
            if let Err(status) = result {
                runtime.note_status(thread.device, name, status);
            }
            result
        });
        thread.in_driver = false;
        result.err().unwrap_or(Status::SUCCESS).0
    })
}
