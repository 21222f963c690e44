//! Arrays: device memory with a shape and a format. Their rows are stored without gaps.

use super::Runtime;
use super::error::{Error, Outcome};
use super::regions::{Place, Region, Shape, Side, sides};
use super::thread::Thread;
use sim_core::host::{DevicePtr, TexelFormat, TextureShape};

/// A `cudaChannelFormatDesc`: bits of the four components, and the kind of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels {
    /// Bits of each component.
    pub bits: [i32; 4],
    /// `cudaChannelFormatKind`.
    pub kind: i32,
}

impl Channels {
    /// Reads a descriptor of 20 bytes.
    pub fn read(bytes: &[u8]) -> Self {
        let int = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Self { bits: [int(0), int(4), int(8), int(12)], kind: int(16) }
    }

    /// Returns the descriptor's 20 bytes.
    pub fn bytes(self) -> Vec<u8> {
        self.bits.into_iter().chain([self.kind]).flat_map(i32::to_le_bytes).collect()
    }

    /// Returns the format and the number of components.
    ///
    /// # Errors
    ///
    /// The hardware has no such format.
    pub fn format(self) -> Outcome<(TexelFormat, u32)> {
        let bits = self.bits[0];
        let channels = self.bits.iter().take_while(|size| **size != 0).count();
        let same = self.bits[..channels].iter().all(|size| *size == bits);
        let rest = self.bits[channels..].iter().all(|size| *size == 0);
        if !same || !rest || !matches!(channels, 1 | 2 | 4) {
            return Err(Error::INVALID_CHANNELS);
        }
        let format = match (self.kind, bits) {
            (0, 8) => TexelFormat::S8,
            (0, 16) => TexelFormat::S16,
            (0, 32) => TexelFormat::S32,
            (1, 8) => TexelFormat::U8,
            (1, 16) => TexelFormat::U16,
            (1, 32) => TexelFormat::U32,
            (2, 16) => TexelFormat::F16,
            (2, 32) => TexelFormat::F32,
            _ => return Err(Error::INVALID_CHANNELS),
        };
        Ok((format, channels as u32))
    }
}

/// An array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// Number of its device.
    pub device: usize,
    /// Its memory.
    pub ptr: DevicePtr,
    /// Its format.
    pub channels: Channels,
    /// Bytes of an element.
    pub element: u64,
    /// Width, height and depth in elements; 0 for a dimension that it does not have. Layers and
    /// faces are the depth.
    pub extent: [u64; 3],
    /// Flags of `cudaMalloc3DArray`.
    pub flags: u32,
}

impl Array {
    /// Returns the shape.
    ///
    /// # Errors
    ///
    /// No array has these flags and extents.
    pub fn shape(&self) -> Outcome<TextureShape> {
        let [width, height, depth] = self.extent.map(|size| size as u32);
        let is_cube = height == width && depth != 0 && depth.is_multiple_of(FACES);
        Ok(match (self.flags & (LAYERED | CUBE), height, depth) {
            _ if width == 0 => return Err(Error::INVALID_VALUE),
            (0, 0, 0) => TextureShape::Array1(width),
            (0, 1.., 0) => TextureShape::Array2(width, height),
            (0, 1.., 1..) => TextureShape::Array3(width, height, depth),
            (LAYERED, 0, 1..) => TextureShape::Layers1(width, depth),
            (LAYERED, 1.., 1..) => TextureShape::Layers2(width, height, depth),
            (CUBE, 1.., FACES) if is_cube => TextureShape::Cube(width),
            (LAYERED_CUBE, 1.., 1..) if is_cube => TextureShape::Cubes(width, depth / FACES),
            _ => return Err(Error::INVALID_VALUE),
        })
    }

    /// Bytes of a row.
    pub fn row(&self) -> u64 {
        self.extent[0] * self.element
    }

    /// Rows of a slice.
    pub fn rows(&self) -> u64 {
        self.extent[1].max(1)
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> u64 {
        self.row() * self.rows() * self.extent[2].max(1)
    }

    /// Returns the rows from a position on: byte, row and slice.
    ///
    /// # Errors
    ///
    /// The shape is not inside the array.
    pub fn region(&self, [x, y, z]: [u64; 3], shape: Shape) -> Outcome<Region> {
        let inside = |from: u64, size: u64, all: u64| from.checked_add(size).is_some_and(|end| end <= all);
        if !inside(x, shape.width, self.row())
            || !inside(y, shape.height, self.rows())
            || !inside(z, shape.depth, self.extent[2].max(1))
        {
            return Err(Error::INVALID_VALUE);
        }
        let slice = self.row() * self.rows();
        let place = Place::Device(self.ptr.offset((z * slice + y * self.row() + x) as u32));
        Ok(Region { place, pitch: self.row(), slice })
    }
}

/// Flags `cudaArrayLayered`, `cudaArraySurfaceLoadStore` and `cudaArrayCubemap`.
const LAYERED: u32 = 1;
const SURFACE: u32 = 2;
const CUBE: u32 = 4;
const LAYERED_CUBE: u32 = LAYERED | CUBE;

/// Faces of a cube.
const FACES: u32 = 6;

/// A side of a copy with arrays: rows of memory, or a position in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Rows of memory.
    Memory(super::copies::Rows),
    /// Handle of an array, and position: byte, row, slice.
    Array(u64, [u64; 3]),
}

impl Runtime {
    /// `cudaMallocArray` and `cudaMalloc3DArray`. `channels` points to a descriptor.
    pub fn malloc_array(
        &mut self,
        thread: &Thread,
        out: u64,
        channels: u64,
        extent: [u64; 3],
        flags: u32,
    ) -> Outcome {
        self.device(thread)?;
        let channels = Channels::read(&self.get(channels, 20)?);
        self.create_array(thread, out, channels, extent, flags)
    }

    /// Creates an array and writes its handle to `out`.
    pub(super) fn create_array(
        &mut self,
        thread: &Thread,
        out: u64,
        channels: Channels,
        extent: [u64; 3],
        flags: u32,
    ) -> Outcome {
        let (format, components) = channels.format()?;
        if flags & !(LAYERED_CUBE | SURFACE) != 0 {
            let text = format!("arrays with the flags {flags:#x} (texture gather) are not supported");
            return self.refuse(Error::NOT_SUPPORTED, text);
        }
        if extent.iter().any(|size| *size > 1 << 20) {
            return Err(Error::INVALID_VALUE);
        }
        let element = u64::from(format.bytes() * components);
        let array = Array { device: thread.device, ptr: DevicePtr::new(0), channels, element, extent, flags };
        array.shape()?;
        let Some(ptr) = self.allocate(thread, array.bytes())? else { return Err(Error::INVALID_VALUE) };
        let handle = self.handle();
        if let Err(error) = self.put_word(out, handle) {
            let _ = self.device(thread)?.gpu.free(ptr);
            return Err(error);
        }
        self.arrays.insert(handle, Array { ptr, ..array });
        Ok(())
    }

    /// `cudaFreeArray`.
    pub fn free_array(&mut self, thread: &Thread, handle: u64) -> Outcome {
        self.device(thread)?;
        if handle == 0 {
            return Ok(());
        }
        let array = self.array(thread, handle)?;
        self.arrays.remove(&handle);
        let freed = self.device(thread)?.gpu.free(array.ptr);
        self.told(freed)
    }

    /// Returns the array of a handle.
    pub(super) fn array(&self, thread: &Thread, handle: u64) -> Outcome<Array> {
        let array = self.arrays.get(&handle).copied();
        array.filter(|array| array.device == thread.device).ok_or(Error::INVALID_HANDLE)
    }

    /// Bytes of an element of an array.
    pub fn element(&self, thread: &Thread, handle: u64) -> Outcome<u64> {
        Ok(self.array(thread, handle)?.element)
    }

    /// `cudaArrayGetInfo`; null pointers are left out.
    pub fn array_info(&mut self, thread: &Thread, outs: [u64; 3], handle: u64) -> Outcome {
        self.device(thread)?;
        let array = self.array(thread, handle)?;
        let extent: Vec<u8> = array.extent.into_iter().flat_map(u64::to_le_bytes).collect();
        let values = [array.channels.bytes(), extent, array.flags.to_le_bytes().to_vec()];
        for (out, value) in outs.into_iter().zip(values).filter(|(out, _)| *out != 0) {
            self.put(out, &value)?;
        }
        Ok(())
    }

    /// `cudaGetChannelDesc`.
    pub fn channels_of(&mut self, thread: &Thread, out: u64, handle: u64) -> Outcome {
        self.device(thread)?;
        let array = self.array(thread, handle)?;
        self.put(out, &array.channels.bytes())
    }

    /// `cudaMemcpyToArray` and the other copies with arrays. The width is in bytes.
    pub fn copy_ends(
        &mut self,
        thread: &Thread,
        to: End,
        from: End,
        shape: Shape,
        kind: i32,
        stream: u64,
    ) -> Outcome {
        let (to_side, from_side) = sides(kind)?;
        self.copy_between(thread, (to, to_side), (from, from_side), shape, stream)
    }

    /// Copies rows between two ends, each with its side.
    pub(super) fn copy_between(
        &mut self,
        thread: &Thread,
        (to, to_side): (End, Side),
        (from, from_side): (End, Side),
        shape: Shape,
        stream: u64,
    ) -> Outcome {
        self.device(thread)?;
        self.stream_of(thread, stream)?;
        for (end, side) in [(to, to_side), (from, from_side)] {
            if let End::Array(handle, _) = end {
                self.array(thread, handle)?;
                if side == Side::Host {
                    return Err(Error::INVALID_DIRECTION);
                }
            }
        }
        if shape.is_empty() {
            return Ok(());
        }
        let to = self.end_region(thread, to, to_side, shape, "destination")?;
        let from = self.end_region(thread, from, from_side, shape, "source")?;
        self.copy_regions(thread, to, from, shape, stream)
    }

    fn end_region(
        &mut self,
        thread: &Thread,
        end: End,
        side: Side,
        shape: Shape,
        name: &str,
    ) -> Outcome<Region> {
        match end {
            End::Memory(rows) => self.region(thread, rows, side, name),
            End::Array(handle, at) => self.array(thread, handle)?.region(at, shape),
        }
    }

    /// `cudaMemcpyToArray`, `cudaMemcpyFromArray` and `cudaMemcpyArrayToArray`: `count` bytes that
    /// may be several rows. A position is a byte and a row.
    pub fn copy_array_bytes(
        &mut self,
        thread: &Thread,
        to: End,
        from: End,
        count: u64,
        kind: i32,
        stream: u64,
    ) -> Outcome {
        let (to_side, from_side) = sides(kind)?;
        self.device(thread)?;
        self.stream_of(thread, stream)?;
        let mut regions = Vec::new();
        for (end, side, name) in [(to, to_side, "destination"), (from, from_side, "source")] {
            regions.push(match end {
                End::Memory(rows) if count > 0 => self.region(thread, rows, side, name)?,
                End::Memory(_) => Region::line(Place::Host(0)),
                End::Array(handle, [x, y, _]) => {
                    let array = self.array(thread, handle)?;
                    let start = y.checked_mul(array.row()).and_then(|row| row.checked_add(x));
                    let end = start.and_then(|start| start.checked_add(count));
                    let (Some(start), Some(_)) = (start, end.filter(|end| *end <= array.bytes())) else {
                        return Err(Error::INVALID_VALUE);
                    };
                    Region::line(Place::Device(array.ptr.offset(start as u32)))
                }
            });
        }
        if count == 0 {
            return Ok(());
        }
        self.copy_regions(thread, regions[0], regions[1], Shape::line(count), stream)
    }
}
