//! Images: their formats, creation, and the regions of commands.

use super::memory::{Fill, Rows};
use super::{Handle, Object, State};
use crate::status::{Done, Status};
use isa::sem::cvt;
use sim_core::host::{ChannelOrder, SurfaceOptions, TexelFormat, TextureOptions, TextureShape};

/// Type of an image of two dimensions.
pub const IMAGE2D: u32 = 0x10F1;
/// Type of an image of three dimensions.
pub const IMAGE3D: u32 = 0x10F2;

/// A channel order: its number, and the channels (red 0 to alpha 3) of the components in memory.
type OrderRow = (u32, ChannelOrder, &'static [usize]);

const ORDERS: [OrderRow; 9] = [
    (0x10B0, ChannelOrder::R, &[0]),
    (0x10B1, ChannelOrder::A, &[3]),
    (0x10B2, ChannelOrder::Rg, &[0, 1]),
    (0x10B3, ChannelOrder::Ra, &[0, 3]),
    (0x10B5, ChannelOrder::Rgba, &[0, 1, 2, 3]),
    (0x10B6, ChannelOrder::Bgra, &[2, 1, 0, 3]),
    (0x10B7, ChannelOrder::Argb, &[3, 0, 1, 2]),
    (0x10B8, ChannelOrder::Intensity, &[0]),
    (0x10B9, ChannelOrder::Luminance, &[0]),
];

/// Channel types: number, format, and whether it is normalized. `CL_SNORM_INT8` is missing, as in
/// the list of NVIDIA's driver.
const TYPES: [(u32, TexelFormat, bool); 11] = [
    (0x10DE, TexelFormat::F32, false),
    (0x10DD, TexelFormat::F16, false),
    (0x10D2, TexelFormat::U8, true),
    (0x10D3, TexelFormat::U16, true),
    (0x10D1, TexelFormat::S16, true),
    (0x10D7, TexelFormat::S8, false),
    (0x10D8, TexelFormat::S16, false),
    (0x10D9, TexelFormat::S32, false),
    (0x10DA, TexelFormat::U8, false),
    (0x10DB, TexelFormat::U16, false),
    (0x10DC, TexelFormat::U32, false),
];

/// Order and type of the channels (`cl_image_format`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// `CL_R` and so on.
    pub order: u32,
    /// `CL_FLOAT` and so on.
    pub kind: u32,
}

impl Format {
    /// Whether OpenCL has the combination (OpenCL 1.1, table 5.6 and 5.7).
    fn is_valid(self) -> bool {
        let is_packed = matches!(self.kind, 0x10D4..=0x10D6);
        match self.order {
            // CL_RGB and CL_RGBx
            0x10B4 | 0x10BC => is_packed,
            0x10B6 | 0x10B7 => matches!(self.kind, 0x10D0 | 0x10D2 | 0x10D7 | 0x10DA),
            0x10B8 | 0x10B9 => matches!(self.kind, 0x10D0..=0x10D3 | 0x10DD | 0x10DE),
            0x10B0..=0x10BB => !is_packed && (0x10D0..=0x10DE).contains(&self.kind),
            _ => false,
        }
    }

    /// All formats, in the order of NVIDIA's driver, for images of two and three dimensions that
    /// kernels read or write.
    pub fn all() -> Vec<Self> {
        let pairs = ORDERS
            .iter()
            .flat_map(|(order, ..)| TYPES.iter().map(|(kind, ..)| Self { order: *order, kind: *kind }));
        pairs.filter(|format| format.is_valid()).collect()
    }

    fn rows(self) -> Done<(&'static OrderRow, TexelFormat, bool)> {
        if !self.is_valid() {
            return Err(Status::INVALID_IMAGE_FORMAT_DESCRIPTOR);
        }
        let order = ORDERS.iter().find(|(number, ..)| *number == self.order);
        let kind = TYPES.iter().find(|(number, ..)| *number == self.kind);
        match (order, kind) {
            (Some(order), Some((_, format, normalized))) => Ok((order, *format, *normalized)),
            _ => Err(Status::IMAGE_FORMAT_NOT_SUPPORTED),
        }
    }

    /// The bytes of an element with a color: four floats or integers of 32 bits.
    fn element(self, color: &[u8]) -> Done<Vec<u8>> {
        let ((.., channels), format, normalized) = self.rows()?;
        let mut bytes = Vec::new();
        for channel in *channels {
            let word = color.get(4 * channel..).and_then(|rest| rest.first_chunk());
            let word = u32::from_le_bytes(*word.ok_or(Status::INVALID_VALUE)?);
            let value = component(format, normalized, word).to_le_bytes();
            bytes.extend(&value[..format.bytes() as usize]);
        }
        Ok(bytes)
    }
}

/// A component in memory, from the bits of a float or integer (OpenCL 1.1, section 8.3.1).
fn component(format: TexelFormat, normalized: bool, word: u32) -> u32 {
    let rounded = |largest: f32, least: f32| {
        // A conversion from NaN is 0.
        (f32::from_bits(word) * largest).round_ties_even().clamp(least, largest) as i32 as u32
    };
    let signed = |least: i32, largest: i32| word.cast_signed().clamp(least, largest).cast_unsigned();
    match (format, normalized) {
        (TexelFormat::U8, true) => rounded(255.0, 0.0),
        (TexelFormat::U16, true) => rounded(65535.0, 0.0),
        (TexelFormat::S8, true) => rounded(127.0, -128.0),
        (TexelFormat::S16, true) => rounded(32767.0, -32768.0),
        (TexelFormat::S8, false) => signed(-128, 127),
        (TexelFormat::S16, false) => signed(-32768, 32767),
        (TexelFormat::U8, false) => word.min(255),
        (TexelFormat::U16, false) => word.min(65535),
        (TexelFormat::F16, _) => cvt::f16_from_f32_rn(word),
        (TexelFormat::U32 | TexelFormat::S32 | TexelFormat::F32, _) => word,
    }
}

/// What an image is.
#[derive(Clone, Debug)]
pub struct Image {
    /// Order and type of its channels.
    pub format: Format,
    /// Bytes of an element.
    pub element: u64,
    /// Elements along each dimension; 1 for a depth that the image does not have.
    pub size: [u64; 3],
    /// 2 or 3.
    pub dimensions: u8,
    /// Distance of rows and of slices in the memory of the host program. On the device they follow
    /// each other without gaps.
    pub pitches: [u64; 2],
    /// Handle for kernels that read.
    pub texture: u64,
    /// Handle for kernels that write.
    pub surface: u64,
}

/// An image that a program creates.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// 2 or 3.
    pub dimensions: u8,
    /// Width, height and depth.
    pub size: [u64; 3],
    /// Distances of rows and slices in the memory of the host program; 0 without gaps.
    pub pitches: [u64; 2],
    /// The error of distances that do not fit.
    pub error: Status,
}

/// The first bytes of rows: `extent` is bytes, rows and slices.
fn rows([_, rows, slices]: [u64; 3], [row, slice]: [u64; 2]) -> Vec<u64> {
    (0..slices).flat_map(|z| (0..rows).map(move |y| z * slice + y * row)).collect()
}

/// The distances of rows and slices of a region, which are at least those without gaps.
fn pitches(extent: [u64; 3], [row, slice]: [u64; 2]) -> Option<[u64; 2]> {
    let row = if row == 0 { extent[0] } else { row };
    let least = row.checked_mul(extent[1])?;
    let slice = if slice == 0 { least } else { slice };
    // The end of the region has an address.
    slice.checked_mul(extent[2])?;
    (row >= extent[0] && slice >= least).then_some([row, slice])
}

impl State {
    /// Largest sizes of images of two and of three dimensions, as NVIDIA's drivers had them.
    pub fn image_limits(&self, dimensions: u8) -> [u64; 3] {
        let is_fermi = self.runtime.settings.chip.capability.major >= 2;
        match dimensions {
            3 => [2048; 3],
            _ if is_fermi => [32768, 32768, 1],
            _ => [4096, 16383, 1],
        }
    }

    /// The image of a handle.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn image(&self, handle: Handle) -> Done<&Image> {
        self.memory(handle)?.image.as_ref().ok_or(Status::INVALID_MEM_OBJECT)
    }

    /// Reads a format of the host program.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn image_format(&self, address: u64) -> Done<Format> {
        let bytes = self.runtime.get(address, 8).map_err(|_| Status::INVALID_IMAGE_FORMAT_DESCRIPTOR)?;
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Ok(Format { order: word(0), kind: word(4) })
    }

    /// `clCreateImage2D`, `clCreateImage3D` and `clCreateImage`.
    ///
    /// # Errors
    ///
    /// The flags, the format or the sizes are invalid, or there is no memory.
    pub fn create_image(
        &mut self,
        context: Handle,
        flags: u64,
        format: Format,
        wanted: Wanted,
        host: u64,
    ) -> Done<Handle> {
        self.context(context)?;
        let needs_host = Self::check_flags(flags, host)?;
        let (order, texel, normalized) = format.rows()?;
        let Wanted { dimensions, size, .. } = wanted;
        let most = self.image_limits(dimensions);
        if (0..3).any(|axis| size[axis] == 0 || size[axis] > most[axis]) {
            return Err(Status::INVALID_IMAGE_SIZE);
        }
        let element = u64::from(texel.bytes()) * order.2.len() as u64;
        let extent = [size[0] * element, size[1], size[2]];
        let bytes = extent.iter().product::<u64>();
        let fits = host != 0 || wanted.pitches == [0, 0];
        let pitches = pitches(extent, wanted.pitches).filter(|_| fits).ok_or(wanted.error)?;
        if !pitches[0].is_multiple_of(element) || !pitches[1].is_multiple_of(pitches[0]) {
            return Err(wanted.error);
        }
        if bytes > self.memory_limits().1 {
            return Err(Status::MEM_OBJECT_ALLOCATION_FAILURE);
        }
        let mut initial = None;
        if needs_host {
            let all: &mut Vec<u8> = initial.insert(Vec::new());
            for row in rows(extent, pitches) {
                let at = host.checked_add(row).ok_or(Status::INVALID_HOST_PTR)?;
                all.extend(self.runtime.get(at, extent[0]).map_err(|_| Status::INVALID_HOST_PTR)?);
            }
        }
        let [width, height, depth] = size.map(|size| size as u32);
        let shape = match dimensions {
            3 => TextureShape::Array3(width, height, depth),
            _ => TextureShape::Array2(width, height),
        };
        let handle = self.add_memory(context, flags, bytes, (host, initial))?;
        let ptr = self.memory(handle)?.ptr;
        let gpu = &mut self.runtime.device(&self.thread)?.gpu;
        let texture = gpu.create_texture(ptr, TextureOptions::image(shape, texel, order.1, normalized));
        let surface = gpu.create_surface(ptr, SurfaceOptions::image(shape, texel, order.1, normalized));
        let (Ok(texture), Ok(surface)) = (texture, surface) else { return Err(Status::OUT_OF_RESOURCES) };
        let image = Image { format, element, size, dimensions, pitches, texture, surface };
        self.memory_mut(handle)?.image = Some(image);
        Ok(handle)
    }

    /// Bytes, rows and slices of a region of an image, and the first bytes of the rows.
    fn region(&self, handle: Handle, origin: [u64; 3], region: [u64; 3]) -> Done<([u64; 3], Vec<u64>)> {
        let image = self.image(handle)?;
        let fits = |axis: usize| {
            let end = origin[axis].checked_add(region[axis]);
            region[axis] > 0 && end.is_some_and(|end| end <= image.size[axis])
        };
        if !(0..3).all(fits) {
            return Err(Status::INVALID_VALUE);
        }
        let [width, height, _] = image.size;
        let row = width * image.element;
        let extent = [region[0] * image.element, region[1], region[2]];
        let first = origin[2] * row * height + origin[1] * row + origin[0] * image.element;
        let all = rows(extent, [row, row * height]).into_iter().map(|at| first + at).collect();
        Ok((extent, all))
    }

    /// The rows of `clEnqueueReadImage` and `clEnqueueWriteImage`.
    ///
    /// # Errors
    ///
    /// The region is outside of the image, or the distances are too small.
    pub fn image_rows(
        &self,
        memory: Handle,
        origin: [u64; 3],
        region: [u64; 3],
        (host, distances): (u64, [u64; 2]),
    ) -> Done<Rows> {
        let (extent, device) = self.region(memory, origin, region)?;
        let flat = self.image(memory)?.dimensions == 2;
        let pitches = pitches(extent, distances).filter(|_| host != 0 && !(flat && distances[1] != 0));
        let behind = rows(extent, pitches.ok_or(Status::INVALID_VALUE)?);
        let host: Option<Vec<u64>> = behind.into_iter().map(|at| host.checked_add(at)).collect();
        Ok(Rows { memory, device, host: host.ok_or(Status::INVALID_VALUE)?, bytes: extent[0] })
    }

    /// The rows of `clEnqueueCopyImage`.
    ///
    /// # Errors
    ///
    /// The formats differ, a region is outside of its image, or the regions overlap.
    pub fn image_copy(
        &self,
        from: (Handle, [u64; 3]),
        to: (Handle, [u64; 3]),
        region: [u64; 3],
    ) -> Done<(Rows, Vec<u64>)> {
        if self.image(from.0)?.format != self.image(to.0)?.format {
            return Err(Status::IMAGE_FORMAT_MISMATCH);
        }
        let (extent, own) = self.region(from.0, from.1, region)?;
        let (_, other) = self.region(to.0, to.1, region)?;
        self.check_overlap((from.0, &own), (to.0, &other), extent[0])?;
        Ok((Rows { memory: from.0, device: own, host: Vec::new(), bytes: extent[0] }, other))
    }

    /// The rows of a region of an image, and as many rows of a buffer from `offset` on, without
    /// gaps.
    ///
    /// # Errors
    ///
    /// A region is outside of its object.
    pub fn image_and_buffer(
        &self,
        (image, origin): (Handle, [u64; 3]),
        region: [u64; 3],
        (buffer, offset): (Handle, u64),
    ) -> Done<(Vec<u64>, Vec<u64>, u64)> {
        let (extent, own) = self.region(image, origin, region)?;
        self.buffer(buffer)?;
        self.check_rows(buffer, &[offset], extent.iter().product())?;
        let other = rows(extent, [extent[0], extent[0] * extent[1]]);
        Ok((own, other.into_iter().map(|at| offset + at).collect(), extent[0]))
    }

    /// `clEnqueueFillImage`.
    ///
    /// # Errors
    ///
    /// The region is outside of the image.
    pub fn image_fill(&self, memory: Handle, color: &[u8], origin: [u64; 3], region: [u64; 3]) -> Done<Fill> {
        let (extent, rows) = self.region(memory, origin, region)?;
        let pattern = self.image(memory)?.format.element(color)?;
        Ok(Fill { memory, pattern, rows, bytes: extent[0] })
    }

    /// `clEnqueueMapImage`: the copy that fills the region in the host program, and its distances
    /// of rows and slices.
    ///
    /// # Errors
    ///
    /// The region is outside of the image.
    pub fn image_map(
        &mut self,
        memory: Handle,
        access: u64,
        origin: [u64; 3],
        region: [u64; 3],
    ) -> Done<(Rows, [u64; 2])> {
        let (extent, device) = self.region(memory, origin, region)?;
        let image = self.image(memory)?;
        let given = self.memory(memory)?.host.map(|host| {
            let [row, slice] = image.pitches;
            host + origin[2] * slice + origin[1] * row + origin[0] * image.element
        });
        let pitches = if given.is_some() { image.pitches } else { [extent[0], extent[0] * extent[1]] };
        let behind = rows(extent, pitches);
        Ok((self.map_rows(memory, access, (device, behind), extent[0], given)?, pitches))
    }

    /// `clCreateSampler`. Samplers with the same properties are one sampler of the device.
    ///
    /// # Errors
    ///
    /// The properties are invalid: images are repeated for normalized coordinates only.
    pub fn create_sampler(
        &mut self,
        context: Handle,
        normalized: u32,
        addressing: u32,
        filter: u32,
    ) -> Done<Handle> {
        use sim_core::host::{AddressMode, FilterMode, SamplerOptions};
        self.context(context)?;
        let mode = match (addressing, normalized) {
            // CL_ADDRESS_NONE leaves places outside undefined: they are the nearest elements.
            (0x1130 | 0x1131, 0 | 1) => AddressMode::Clamp,
            (0x1132, 0 | 1) => AddressMode::Border,
            (0x1133, 1) => AddressMode::Wrap,
            (0x1134, 1) => AddressMode::Mirror,
            _ => return Err(Status::INVALID_VALUE),
        };
        let filter_mode = match filter {
            0x1140 => FilterMode::Point,
            0x1141 => FilterMode::Linear,
            _ => return Err(Status::INVALID_VALUE),
        };
        let options =
            SamplerOptions { address: [mode; 3], filter: filter_mode, unnormalized: normalized == 0 };
        let known = self.samplers.iter().find(|(known, _)| *known == options).map(|(_, object)| *object);
        let object = if let Some(object) = known {
            object
        } else {
            let object = self.runtime.device(&self.thread)?.gpu.create_sampler(options);
            self.samplers.push((options, object));
            object
        };
        self.retain(context);
        let normalized = normalized != 0;
        Ok(self.add(Object::Sampler(super::Sampler { context, normalized, addressing, filter, object })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formats_are_those_of_the_driver() {
        let all = Format::all();
        assert_eq!(all.len(), 71);
        // The record of the driver (docs/OPENCL.md) has these at 44 to 54.
        let kinds = [4318, 4317, 4306, 4307, 4305, 4311, 4312, 4313, 4314, 4315, 4316];
        assert_eq!(all[44..55].to_vec(), kinds.map(|kind| Format { order: 4277, kind }));
        let status = |order, kind| Format { order, kind }.rows().err();
        assert_eq!(status(0x10B5, 0x10D0), Some(Status::IMAGE_FORMAT_NOT_SUPPORTED));
        assert_eq!(status(0x10B4, 0x10D4), Some(Status::IMAGE_FORMAT_NOT_SUPPORTED));
        for (order, kind) in
            [(0x10B6, 0x10DE), (0x10B8, 0x10D9), (0x10B5, 0x10D4), (0x10AF, 0x10DE), (0x10B0, 1)]
        {
            assert_eq!(status(order, kind), Some(Status::INVALID_IMAGE_FORMAT_DESCRIPTOR), "{order} {kind}");
        }
    }

    #[test]
    fn colors_are_converted_to_elements() {
        let floats: Vec<u8> =
            [2.0f32, -1.0, 0.5, f32::NAN].iter().flat_map(|one| one.to_le_bytes()).collect();
        let of = |order, kind| Format { order, kind }.element(&floats).expect("a format");
        assert_eq!(of(0x10B5, 0x10D2), [255, 0, 128, 0]);
        assert_eq!(of(0x10B6, 0x10D2), [128, 0, 255, 0]);
        assert_eq!(of(0x10B7, 0x10D2), [0, 255, 0, 128]);
        assert_eq!(of(0x10B2, 0x10D1), [0xff, 0x7f, 0x01, 0x80]);
        assert_eq!(of(0x10B0, 0x10DD), [0x00, 0x40]);
        assert_eq!(component(TexelFormat::S8, false, -300i32 as u32) as u8, 0x80);
        assert_eq!(component(TexelFormat::U16, false, 70_000), 65535);
    }
}
