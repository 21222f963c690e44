//! Registration of device code. Compiled object files call these functions before `main`.

use super::{Address, host::Memory, with_images};
use crate::runtime::host::{Code, Process, read_code, read_text};
use crate::runtime::images::{Images, Named};
use std::ffi::c_int;

/// Names of the functions.
pub const NAMES: &[&str] = &[
    "__cudaRegisterFatBinary",
    "__cudaRegisterFatBinaryEnd",
    "__cudaUnregisterFatBinary",
    "__cudaRegisterFunction",
    "__cudaRegisterVar",
    "__cudaRegisterManagedVar",
    "__warpsimManagedMemory",
    "__cudaRegisterTexture",
    "__cudaRegisterSurface",
    "__cudaInitModule",
];

/// First handle of registered device code. The handle of each further one is 16 higher.
const FIRST: Address = 0x10;

/// Largest size of a name.
const MOST_NAME: u64 = 1 << 16;

fn image(handle: Address) -> usize {
    (handle.wrapping_sub(FIRST) as u64 / 16) as usize
}

fn name(address: Address) -> Option<String> {
    read_text(&Memory, address as u64, MOST_NAME)
}

/// `__cudaRegisterFatBinary`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaRegisterFatBinary(wrapper: Address) -> Address {
    let text = match read_code(&Memory, wrapper as u64) {
        Some(Code::Text(text)) => Some(text),
        Some(Code::Binary) | None => None,
    };
    with_images(|images| images.add(text)).map_or(FIRST, |image| FIRST + 16 * image as Address)
}

/// `__cudaRegisterFatBinaryEnd`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaRegisterFatBinaryEnd(_handle: Address) {}

/// `__cudaUnregisterFatBinary`: the program ends, or a library is closed whose names are not used
/// any more.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaUnregisterFatBinary(_handle: Address) {}

/// `__cudaInitModule`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaInitModule(_handle: Address) -> c_int {
    1
}

/// `__cudaRegisterFunction`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaRegisterFunction(
    handle: Address,
    function: Address,
    _text: Address,
    device_name: Address,
    _threads: c_int,
    _thread: Address,
    _block: Address,
    _block_size: Address,
    _grid_size: Address,
    _warp_size: Address,
) {
    let Some(name) = name(device_name) else { return };
    with_images(|images| {
        let named = Named { image: image(handle), name, normalized: false };
        images.functions.insert(function as u64, named);
    });
}

/// `__cudaRegisterVar`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaRegisterVar(
    handle: Address,
    variable: Address,
    _text: Address,
    device_name: Address,
    _external: c_int,
    size: usize,
    _constant: c_int,
    _global: c_int,
) {
    let Some(name) = name(device_name) else { return };
    with_images(|images| {
        let named = Named { image: image(handle), name, normalized: false };
        images.variables.insert(variable as u64, named);
        images.shadows.insert(variable as u64, size as u64);
    });
    initialize_managed();
}

/// Writes the initial values of managed variables that are new.
fn initialize_managed() {
    for (address, bytes) in with_images(Images::new_managed).unwrap_or_default() {
        Memory.write(&[(address, bytes.len() as u64)], &bytes);
    }
}

/// Registers the host memory from `start` to `end` with the `__managed__` variables of an
/// executable or library. The header `cuda_runtime.h` calls this function before `main`.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __warpsimManagedMemory(start: Address, end: Address) {
    with_images(|images| {
        let range = start as u64..end as u64;
        if !range.is_empty() && !images.managed.contains(&range) {
            images.managed.push(range);
        }
    });
    initialize_managed();
}

/// `__cudaRegisterManagedVar`: only nvcc writes calls of it, and its object files have no PTX that
/// can be used.
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaRegisterManagedVar(
    _handle: Address,
    _variable: Address,
    _text: Address,
    _device_name: Address,
    _external: c_int,
    _size: usize,
    _constant: c_int,
    _global: c_int,
) {
}

/// `__cudaRegisterTexture`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaRegisterTexture(
    handle: Address,
    reference: Address,
    _device: Address,
    device_name: Address,
    _dimensions: c_int,
    normalized: c_int,
    _external: c_int,
) {
    let Some(name) = name(device_name) else { return };
    with_images(|images| {
        let named = Named { image: image(handle), name, normalized: normalized != 0 };
        images.textures.insert(reference as u64, named);
    });
}

/// `__cudaRegisterSurface`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn __cudaRegisterSurface(
    handle: Address,
    reference: Address,
    _device: Address,
    device_name: Address,
    _dimensions: c_int,
    _external: c_int,
) {
    let Some(name) = name(device_name) else { return };
    with_images(|images| {
        let named = Named { image: image(handle), name, normalized: false };
        images.surfaces.insert(reference as u64, named);
    });
}
