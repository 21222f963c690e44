//! Arrays, copies with them, and copies in three dimensions.

use super::structs::Extent;
use super::{Address, api};
use crate::runtime::Runtime;
use crate::runtime::arrays::End;
use crate::runtime::copies::Rows;
use crate::runtime::error::{Error, Outcome};
use crate::runtime::regions::Shape;
use crate::runtime::thread::Thread;
use std::ffi::c_int;

/// Returns rows of memory.
fn memory(address: Address, pitch: usize) -> End {
    End::Memory(Rows::plane(address as u64, pitch as u64))
}

/// Returns a position in an array.
fn array(handle: Address, x: usize, y: usize) -> End {
    End::Array(handle as u64, [x as u64, y as u64, 0])
}

fn plane(width: usize, height: usize) -> Shape {
    Shape { width: width as u64, height: height as u64, depth: 1 }
}

/// Words of `cudaMemcpy3DParms`, and of `cudaMemcpy3DPeerParms` without the devices.
const PARAMETER_WORDS: u64 = 20;

/// `cudaMemcpy3D`. `words` has array (1 word), position (3) and pitched pointer (4) of the source,
/// the same of the destination, and the extent (3).
fn copy_3d(runtime: &mut Runtime, thread: &Thread, words: &[u64], kind: c_int, stream: u64) -> Outcome {
    let element = |handle: u64| if handle == 0 { Ok(1) } else { runtime.element(thread, handle) };
    let (source, target) = (element(words[0])?, element(words[8])?);
    if words[0] != 0 && words[8] != 0 && source != target {
        return Err(Error::INVALID_VALUE);
    }
    // The extent is in elements if an array takes part, and otherwise in bytes.
    let size = source.max(target);
    let width = words[16].checked_mul(size).ok_or(Error::INVALID_VALUE)?;
    let shape = Shape { width, height: words[17], depth: words[18] };
    let end = |side: &[u64], element: u64| {
        let [x, y, z] = [side[1], side[2], side[3]];
        if side[0] != 0 {
            if side[4] != 0 {
                return Err(Error::INVALID_VALUE);
            }
            return Ok(End::Array(side[0], [x.checked_mul(element).ok_or(Error::INVALID_VALUE)?, y, z]));
        }
        let (pitch, rows) = (side[5], side[7]);
        let slice = pitch.checked_mul(rows).ok_or(Error::INVALID_VALUE)?;
        // A position in memory is in bytes.
        let offset = (|| z.checked_mul(slice)?.checked_add(y.checked_mul(pitch)?)?.checked_add(x))();
        let address = offset.and_then(|offset| side[4].checked_add(offset)).ok_or(Error::INVALID_VALUE)?;
        if side[4] == 0 {
            return Err(Error::INVALID_VALUE);
        }
        Ok(End::Memory(Rows { address, pitch, slice }))
    };
    let (from, to) = (end(&words[..8], source)?, end(&words[8..16], target)?);
    runtime.copy_ends(thread, to, from, shape, kind, stream)
}

/// Reads words of the host program.
fn words(runtime: &Runtime, address: Address, count: u64) -> Outcome<Vec<u64>> {
    let bytes = runtime.get(address as u64, 8 * count)?;
    let word = |word: &[u8]| u64::from_le_bytes(word.try_into().expect("a chunk has 8 bytes"));
    Ok(bytes.chunks_exact(8).map(word).collect())
}

fn with_parameters(runtime: &mut Runtime, thread: &Thread, parameters: Address, stream: u64) -> Outcome {
    let words = words(runtime, parameters, PARAMETER_WORDS)?;
    copy_3d(runtime, thread, &words, words[19] as u32 as c_int, stream)
}

/// `cudaMemcpy3DPeer`: each side names its device in a separate word. Copies between different
/// devices are linear only.
fn with_peers(runtime: &mut Runtime, thread: &Thread, parameters: Address, stream: u64) -> Outcome {
    let all = words(runtime, parameters, PARAMETER_WORDS + 1)?;
    let (from, to) = (all[8] as u32 as i32, all[17] as u32 as i32);
    if from != to {
        return Err(Error::NOT_SUPPORTED);
    }
    let plain: Vec<u64> = all[..8].iter().chain(&all[9..17]).chain(&all[18..]).copied().collect();
    let own = Thread { device: usize::try_from(from).map_err(|_| Error::INVALID_DEVICE)?, ..Thread::new() };
    runtime.known(from)?;
    copy_3d(runtime, if own.device == thread.device { thread } else { &own }, &plain, 3, stream)
}

api! {
    fn cudaMallocArray(out: Address, channels: Address, width: usize, height: usize, flags: u32)
        |runtime, thread| runtime.malloc_array(
            thread, out as u64, channels as u64, [width as u64, height as u64, 0], flags);
    fn cudaMalloc3DArray(out: Address, channels: Address, extent: Extent, flags: u32) |runtime, thread|
        runtime.malloc_array(thread, out as u64, channels as u64, extent.sizes(), flags);
    fn cudaFreeArray(array: Address) |runtime, thread| runtime.free_array(thread, array as u64);
    fn cudaArrayGetInfo(channels: Address, extent: Address, flags: Address, array: Address) |runtime, thread|
        runtime.array_info(thread, [channels, extent, flags].map(|out| out as u64), array as u64);
    fn cudaGetChannelDesc(out: Address, array: Address) |runtime, thread|
        runtime.channels_of(thread, out as u64, array as u64);
    fn cudaMallocMipmappedArray(out: Address, channels: Address, extent: Extent, levels: u32, flags: u32)
        |runtime, thread| Err(Error::NOT_SUPPORTED);
    fn cudaGetMipmappedArrayLevel(out: Address, array: Address, level: u32) |runtime, thread|
        Err(Error::NOT_SUPPORTED);
    fn cudaFreeMipmappedArray(array: Address) |runtime, thread|
        if array == 0 { Ok(()) } else { Err(Error::INVALID_HANDLE) };
    fn cudaMemcpyToArray(to: Address, x: usize, y: usize, from: Address, bytes: usize, kind: c_int)
        |runtime, thread| runtime.copy_array_bytes(
            thread, array(to, x, y), memory(from, 0), bytes as u64, kind, 0);
    fn cudaMemcpyFromArray(to: Address, from: Address, x: usize, y: usize, bytes: usize, kind: c_int)
        |runtime, thread| runtime.copy_array_bytes(
            thread, memory(to, 0), array(from, x, y), bytes as u64, kind, 0);
    fn cudaMemcpyToArrayAsync(to: Address, x: usize, y: usize, from: Address, bytes: usize, kind: c_int,
        stream: Address) |runtime, thread| runtime.copy_array_bytes(
            thread, array(to, x, y), memory(from, 0), bytes as u64, kind, stream as u64);
    fn cudaMemcpyFromArrayAsync(to: Address, from: Address, x: usize, y: usize, bytes: usize, kind: c_int,
        stream: Address) |runtime, thread| runtime.copy_array_bytes(
            thread, memory(to, 0), array(from, x, y), bytes as u64, kind, stream as u64);
    fn cudaMemcpyArrayToArray(to: Address, to_x: usize, to_y: usize, from: Address, x: usize, y: usize,
        bytes: usize, kind: c_int) |runtime, thread| runtime.copy_array_bytes(
            thread, array(to, to_x, to_y), array(from, x, y), bytes as u64, kind, 0);
    fn cudaMemcpy2DToArray(to: Address, x: usize, y: usize, from: Address, pitch: usize, width: usize,
        height: usize, kind: c_int) |runtime, thread| runtime.copy_ends(
            thread, array(to, x, y), memory(from, pitch), plane(width, height), kind, 0);
    fn cudaMemcpy2DFromArray(to: Address, pitch: usize, from: Address, x: usize, y: usize, width: usize,
        height: usize, kind: c_int) |runtime, thread| runtime.copy_ends(
            thread, memory(to, pitch), array(from, x, y), plane(width, height), kind, 0);
    fn cudaMemcpy2DToArrayAsync(to: Address, x: usize, y: usize, from: Address, pitch: usize, width: usize,
        height: usize, kind: c_int, stream: Address) |runtime, thread| runtime.copy_ends(
            thread, array(to, x, y), memory(from, pitch), plane(width, height), kind, stream as u64);
    fn cudaMemcpy2DFromArrayAsync(to: Address, pitch: usize, from: Address, x: usize, y: usize, width: usize,
        height: usize, kind: c_int, stream: Address) |runtime, thread| runtime.copy_ends(
            thread, memory(to, pitch), array(from, x, y), plane(width, height), kind, stream as u64);
    fn cudaMemcpy2DArrayToArray(to: Address, to_x: usize, to_y: usize, from: Address, x: usize, y: usize,
        width: usize, height: usize, kind: c_int) |runtime, thread| runtime.copy_ends(
            thread, array(to, to_x, to_y), array(from, x, y), plane(width, height), kind, 0);
    fn cudaMemcpy3D(parameters: Address) |runtime, thread| with_parameters(runtime, thread, parameters, 0);
    fn cudaMemcpy3DAsync(parameters: Address, stream: Address) |runtime, thread|
        with_parameters(runtime, thread, parameters, stream as u64);
    fn cudaMemcpy3DPeer(parameters: Address) |runtime, thread| with_peers(runtime, thread, parameters, 0);
    fn cudaMemcpy3DPeerAsync(parameters: Address, stream: Address) |runtime, thread|
        with_peers(runtime, thread, parameters, stream as u64);
}
