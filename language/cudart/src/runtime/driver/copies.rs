//! Copies with the structures of the driver API, and arrays.

use super::Done;
use super::status::Status;
use crate::runtime::Runtime;
use crate::runtime::arrays::{Channels, End};
use crate::runtime::copies::Rows;
use crate::runtime::regions::{Shape, Side};
use crate::runtime::thread::Thread;

/// Words of `CUDA_MEMCPY2D`, and of `CUDA_MEMCPY3D` and `CUDA_MEMCPY3D_PEER`.
const WORDS_2D: u64 = 16;
const WORDS_3D: u64 = 25;

/// One side of a structure, in the order of `CUDA_MEMCPY3D`.
#[derive(Clone, Copy, Debug)]
struct End3 {
    at: [u64; 3],
    level: u64,
    kind: u32,
    host: u64,
    device: u64,
    array: u64,
    /// The context of `CUDA_MEMCPY3D_PEER`.
    context: u64,
    pitch: u64,
    height: u64,
}

impl End3 {
    /// Reads a side of a `CUDA_MEMCPY2D`: seven words.
    fn plane(words: &[u64]) -> Self {
        let [x, y, kind, host, device, array, pitch] = words[..7] else { unreachable!("seven words") };
        let kind = kind as u32;
        Self { at: [x, y, 0], level: 0, kind, host, device, array, context: 0, pitch, height: 0 }
    }

    /// Reads a side of a `CUDA_MEMCPY3D`: eleven words.
    fn volume(words: &[u64]) -> Self {
        let [x, y, z, level, kind, host, device, array, context, pitch, height] = words[..11] else {
            unreachable!("eleven words")
        };
        Self { at: [x, y, z], level, kind: kind as u32, host, device, array, context, pitch, height }
    }

    /// Returns the side for the runtime. A pitch of 0 means rows without gaps.
    fn end(self, shape: Shape) -> Done<(End, Side)> {
        if self.level != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let (base, side) = match self.kind {
            1 => (self.host, Side::Host),
            2 => (self.device, Side::Device),
            3 => return Ok((End::Array(self.array, self.at), Side::Device)),
            4 => (self.device, Side::Any),
            _ => return Err(Status::INVALID_VALUE),
        };
        let [x, y, z] = self.at;
        let pitch = if self.pitch == 0 { shape.width } else { self.pitch };
        let height = if self.height == 0 { shape.height } else { self.height };
        let address = (|| {
            let slice = pitch.checked_mul(height)?;
            let offset = z.checked_mul(slice)?.checked_add(y.checked_mul(pitch)?)?.checked_add(x)?;
            Some((base.checked_add(offset)?, slice))
        })();
        let (address, slice) = address.ok_or(Status::INVALID_VALUE)?;
        if base == 0 && !shape.is_empty() {
            return Err(Status::INVALID_VALUE);
        }
        Ok((End::Memory(Rows { address, pitch, slice }), side))
    }
}

impl Runtime {
    fn words(&self, address: u64, count: u64) -> Done<Vec<u64>> {
        let bytes = self.get(address, 8 * count)?;
        let word = |word: &[u8]| u64::from_le_bytes(word.try_into().expect("a chunk has 8 bytes"));
        Ok(bytes.chunks_exact(8).map(word).collect())
    }

    fn copy_sides(&mut self, thread: &Thread, to: End3, from: End3, shape: Shape, stream: u64) -> Done {
        let (to, from) = (to.end(shape)?, from.end(shape)?);
        Ok(self.copy_between(thread, to, from, shape, stream)?)
    }

    /// `cuMemcpy2D`: `parameters` points to a `CUDA_MEMCPY2D`.
    pub fn cu_copy_2d(&mut self, thread: &Thread, parameters: u64, stream: u64) -> Done {
        let words = self.words(parameters, WORDS_2D)?;
        let shape = Shape { width: words[14], height: words[15], depth: 1 };
        let (from, to) = (End3::plane(&words[..7]), End3::plane(&words[7..14]));
        self.copy_sides(thread, to, from, shape, stream)
    }

    /// `cuMemcpy3D`: `parameters` points to a `CUDA_MEMCPY3D`; with `peers` to a
    /// `CUDA_MEMCPY3D_PEER`, whose contexts have to be the same.
    pub fn cu_copy_3d(&mut self, thread: &Thread, parameters: u64, stream: u64, peers: bool) -> Done {
        let words = self.words(parameters, WORDS_3D)?;
        let shape = Shape { width: words[22], height: words[23], depth: words[24] };
        let (from, to) = (End3::volume(&words[..11]), End3::volume(&words[11..22]));
        if !peers {
            return self.copy_sides(thread, to, from, shape, stream);
        }
        let (source, target) = (self.context(from.context)?.slot, self.context(to.context)?.slot);
        if source != target {
            return Err(Status::NOT_SUPPORTED);
        }
        if source == thread.device {
            return self.copy_sides(thread, to, from, shape, stream);
        }
        let own = Thread { device: source, in_driver: true, ..Thread::new() };
        self.copy_sides(&own, to, from, shape, 0)
    }

    /// `cuMemAllocPitch`.
    pub fn alloc_pitch(
        &mut self,
        thread: &Thread,
        (out, pitch): (u64, u64),
        (width, height): (u64, u64),
        element: u32,
    ) -> Done {
        if !matches!(element, 4 | 8 | 16) || width == 0 || height == 0 {
            return Err(Status::INVALID_VALUE);
        }
        self.put_word(pitch, 0)?;
        let bytes = self.malloc_pitch(thread, out, width, height)?;
        Ok(self.put_word(pitch, bytes)?)
    }

    /// `cuMemsetD8` to `cuMemset2DD32`: `count` elements in each of `height` rows.
    pub fn set_memory(
        &mut self,
        thread: &Thread,
        rows: Rows,
        pattern: &[u8],
        (count, height): (u64, u64),
        stream: u64,
    ) -> Done {
        let size = pattern.len() as u64;
        let width = count.checked_mul(size).ok_or(Status::INVALID_VALUE)?;
        if !rows.address.is_multiple_of(size) || height > 1 && !rows.pitch.is_multiple_of(size) {
            return Err(Status::INVALID_VALUE);
        }
        let shape = Shape { width, height, depth: 1 };
        Ok(self.fill_with(thread, rows, pattern, shape, stream)?)
    }

    /// `cuArrayCreate` and, with `volume`, `cuArray3DCreate`: `descriptor` points to the structure.
    pub fn cu_array_create(&mut self, thread: &Thread, out: u64, descriptor: u64, volume: bool) -> Done {
        self.device(thread)?;
        let sizes = self.words(descriptor, if volume { 3 } else { 2 })?;
        let extent = [sizes[0], sizes[1], sizes.get(2).copied().unwrap_or(0)];
        let rest = self.get(descriptor + 8 * sizes.len() as u64, if volume { 12 } else { 8 })?;
        let int = |at: usize| {
            rest.get(at..at + 4).map_or(0, |word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        };
        let channels = channels(int(0), int(4))?;
        Ok(self.create_array(thread, out, channels, extent, int(8))?)
    }

    /// `cuArrayGetDescriptor` and, with `volume`, `cuArray3DGetDescriptor`.
    pub fn cu_array_descriptor(&mut self, thread: &Thread, out: u64, handle: u64, volume: bool) -> Done {
        self.device(thread)?;
        let array = self.array(thread, handle)?;
        let (format, count) = format_of(array.channels);
        let sizes = &array.extent[..if volume { 3 } else { 2 }];
        let mut bytes: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        bytes.extend([format, count].into_iter().flat_map(u32::to_le_bytes));
        if volume {
            // The structure ends with four bytes of padding.
            bytes.extend([array.flags, 0].into_iter().flat_map(u32::to_le_bytes));
        }
        Ok(self.put(out, &bytes)?)
    }
}

/// Formats of the driver API: number, bits, and `cudaChannelFormatKind`.
const FORMATS: [(u32, i32, i32); 8] = [
    (0x01, 8, 1),
    (0x02, 16, 1),
    (0x03, 32, 1),
    (0x08, 8, 0),
    (0x09, 16, 0),
    (0x0a, 32, 0),
    (0x10, 16, 2),
    (0x20, 32, 2),
];

/// Returns the channels of a `CUarray_format` with `count` components.
pub(super) fn channels(format: u32, count: u32) -> Done<Channels> {
    let known = FORMATS.into_iter().find(|(number, ..)| *number == format);
    let (_, size, kind) = known.ok_or(Status::INVALID_VALUE)?;
    if !matches!(count, 1 | 2 | 4) {
        return Err(Status::INVALID_VALUE);
    }
    let bits = [0, 1, 2, 3].map(|at| if at < count { size } else { 0 });
    Ok(Channels { bits, kind })
}

/// Returns the `CUarray_format` and the number of components.
pub(super) fn format_of(channels: Channels) -> (u32, u32) {
    let known =
        FORMATS.into_iter().find(|(_, bits, kind)| *bits == channels.bits[0] && *kind == channels.kind);
    let count = channels.bits.iter().filter(|bits| **bits != 0).count();
    (known.map_or(0, |(number, ..)| number), count as u32)
}
