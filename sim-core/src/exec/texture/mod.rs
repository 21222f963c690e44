//! Textures: the properties of a bound texture, and fetches of texels.
//!
//! A texture reads the bytes that its memory has at the launch: writes of the same launch to that
//! memory have no effect on it, as the programming model leaves them undefined. The timing model
//! gets the device addresses of the texels ([`Access::texels`]).
//!
//! The position in the texture ([`position`]) and the filter ([`filter`]) follow a recording on a
//! real GPU: positions have 8 fractional bits, and so have the weights of the filter.
//!
//! Invariant `texture-fetches`: A fetch returns the values that were recorded on a real GPU, bit
//! for bit, for every format, filter and address mode of the recording.

mod filter;
mod position;
mod texel;

use super::{Access, Kernel, Warp, mask, rows};
use crate::words::words;
use filter::Weights;
use isa::uop::{Inst, Op, TextureQuery};
use position::Axis;
use std::sync::Arc;

words! {
    /// Type of a component of a texel.
    pub enum TexelFormat {
        /// Unsigned byte.
        U8 = "u8",
        /// Signed byte.
        S8 = "s8",
        /// Unsigned, two bytes.
        U16 = "u16",
        /// Signed, two bytes.
        S16 = "s16",
        /// Unsigned, four bytes.
        U32 = "u32",
        /// Signed, four bytes.
        S32 = "s32",
        /// IEEE 754 binary16.
        F16 = "f16",
        /// IEEE 754 binary32.
        F32 = "f32",
    }
}

words! {
    /// Conversion of a component.
    #[derive(Default)]
    pub enum ReadMode {
        /// No conversion; f16 becomes f32.
        #[default]
        Element = "element",
        /// Integers of one or two bytes become floating-point numbers from 0 to 1, or from -1 to 1.
        Normalized = "normalized",
    }
}

words! {
    /// How a fetch computes its result from texels.
    #[derive(Default)]
    pub enum FilterMode {
        /// The texel at the position.
        #[default]
        Point = "point",
        /// Linear interpolation between the 2, 4 or 8 nearest texels.
        Linear = "linear",
    }
}

words! {
    /// Texel of a position outside of the texture.
    #[derive(Default)]
    pub enum AddressMode {
        /// The texture is repeated. Without normalized coordinates as `clamp`.
        Wrap = "wrap",
        /// The nearest texel inside.
        #[default]
        Clamp = "clamp",
        /// The texture is repeated, every second time mirrored. Without normalized coordinates as
        /// `clamp`.
        Mirror = "mirror",
        /// Zero.
        Border = "border",
    }
}

impl TexelFormat {
    /// Bytes of a component.
    pub fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 | Self::F16 => 2,
            Self::U32 | Self::S32 | Self::F32 => 4,
        }
    }

    /// Whether the read mode `normalized` exists for the format.
    pub fn can_be_normalized(self) -> bool {
        matches!(self, Self::U8 | Self::S8 | Self::U16 | Self::S16)
    }

    /// Whether the components are floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32)
    }

    /// Number of the format in the driver's interface, the result of `txq.channel_data_type`.
    fn number(self) -> u32 {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 3,
            Self::S8 => 8,
            Self::S16 => 9,
            Self::S32 => 10,
            Self::F16 => 16,
            Self::F32 => 32,
        }
    }
}

impl AddressMode {
    /// Number of the mode, the result of `txq.addr_mode_0` (PTX ISA, "Texture, Sampler, and Surface
    /// Types").
    fn number(self) -> u32 {
        match self {
            Self::Wrap => 0,
            Self::Mirror => 1,
            Self::Clamp => 3,
            Self::Border => 4,
        }
    }
}

/// Memory of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureShape {
    /// Linear memory with this number of texels: read by integer coordinates, without a filter.
    Linear(u32),
    /// Rows of linear memory, at a distance in bytes.
    Pitch {
        /// Texels of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes from one row to the next.
        pitch: u32,
    },
    /// An array of one dimension with this number of texels.
    Array1(u32),
    /// An array of two dimensions: width and height.
    Array2(u32, u32),
    /// An array of three dimensions: width, height and depth.
    Array3(u32, u32, u32),
}

impl TextureShape {
    /// Number of dimensions.
    pub fn dimensions(self) -> u32 {
        match self {
            Self::Linear(_) | Self::Array1(_) => 1,
            Self::Pitch { .. } | Self::Array2(..) => 2,
            Self::Array3(..) => 3,
        }
    }

    /// Texels along each dimension; 1 for a dimension that the texture does not have.
    pub fn size(self) -> [u32; 3] {
        match self {
            Self::Linear(width) | Self::Array1(width) => [width, 1, 1],
            Self::Pitch { width, height, .. } | Self::Array2(width, height) => [width, height, 1],
            Self::Array3(width, height, depth) => [width, height, depth],
        }
    }
}

/// Properties of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureOptions {
    /// Memory of the texels.
    pub shape: TextureShape,
    /// Type of a component.
    pub format: TexelFormat,
    /// Components of a texel: 1, 2 or 4. A fetch returns 0 for the others.
    pub channels: u32,
    /// Conversion of the components.
    pub read: ReadMode,
    /// Filter.
    pub filter: FilterMode,
    /// Positions outside, for each dimension.
    pub address: [AddressMode; 3],
    /// Whether the coordinates are from 0 to 1, and not from 0 to the number of texels.
    pub normalized: bool,
}

impl TextureOptions {
    /// Texels of `format` with `channels` components, without conversion and filter.
    pub fn new(shape: TextureShape, format: TexelFormat, channels: u32) -> Self {
        Self {
            shape,
            format,
            channels,
            read: ReadMode::default(),
            filter: FilterMode::default(),
            address: [AddressMode::default(); 3],
            normalized: false,
        }
    }

    /// Bytes of a texel.
    pub fn texel_bytes(&self) -> u32 {
        self.format.bytes() * self.channels
    }

    /// Bytes from one row to the next.
    fn pitch(&self) -> u32 {
        match self.shape {
            TextureShape::Pitch { pitch, .. } => pitch,
            TextureShape::Linear(_)
            | TextureShape::Array1(_)
            | TextureShape::Array2(..)
            | TextureShape::Array3(..) => self.shape.size()[0].saturating_mul(self.texel_bytes()),
        }
    }

    /// Bytes of the memory from the first to the last texel.
    pub fn bytes(&self) -> u64 {
        let [width, height, depth] = self.shape.size().map(u64::from);
        let rows = (height * depth).saturating_sub(1);
        rows.saturating_mul(self.pitch().into()).saturating_add(width * u64::from(self.texel_bytes()))
    }
}

/// A texture of a launch.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Device address of the first texel.
    pub address: u32,
    /// Properties.
    pub options: TextureOptions,
    /// Bytes of its memory at the launch.
    pub bytes: Arc<Vec<u8>>,
}

impl Texture {
    /// Fetches at the coordinates `c`: integers, or else bits of f32. Appends the device address of
    /// each texel that is read to `texels`.
    fn fetch(&self, c: [u32; 3], integers: bool, texels: &mut Vec<u32>) -> [u32; 4] {
        let options = &self.options;
        let axes = [0, 1, 2].map(|i| Axis::new(options, i, c[i], integers));
        let linear = options.filter == FilterMode::Linear && !integers;
        if linear && !matches!(options.shape, TextureShape::Linear(_)) {
            return self.filtered(&axes, texels);
        }
        let mut found = [0; 4];
        if let Some(offset) = self.offset(axes.map(|axis| axis.texel)) {
            texels.push(self.address.wrapping_add(offset));
            for (i, value) in found.iter_mut().enumerate().take(options.channels as usize) {
                *value = texel::converted(options, self.component(offset, i as u32));
            }
        }
        found
    }

    /// Interpolates between the texels around a position.
    fn filtered(&self, axes: &[Axis; 3], texels: &mut Vec<u32>) -> [u32; 4] {
        let corners = 1 << self.options.shape.dimensions();
        let weights = Weights::new(axes);
        let mut offsets = [None; 8];
        for (corner, offset) in offsets.iter_mut().enumerate().take(corners) {
            let side = |i: usize| axes[i].near[corner >> i & 1];
            *offset = self.offset([side(0), side(1), side(2)]);
            texels.extend(offset.map(|offset| self.address.wrapping_add(offset)));
        }
        let mut found = [0; 4];
        for (i, value) in found.iter_mut().enumerate().take(self.options.channels as usize) {
            let raw = offsets.map(|offset| offset.map_or(0, |offset| self.component(offset, i as u32)));
            *value = filter::apply(self.options.format, &raw[..corners], &weights);
        }
        found
    }

    /// Byte offset of a texel; `None` outside of the texture.
    fn offset(&self, at: [Option<u32>; 3]) -> Option<u32> {
        let [x, y, z] = at;
        let rows = z?.wrapping_mul(self.options.shape.size()[1]).wrapping_add(y?);
        let row = rows.wrapping_mul(self.options.pitch());
        Some(row.wrapping_add(x?.wrapping_mul(self.options.texel_bytes())))
    }

    /// Component `i` of the texel at a byte offset, zero-extended.
    fn component(&self, offset: u32, i: u32) -> u32 {
        let bytes = self.options.format.bytes();
        let from = self.bytes.get((offset + i * bytes) as usize..).unwrap_or_default();
        from.iter().take(bytes as usize).rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
    }

    /// Value of a property.
    fn property(&self, query: TextureQuery) -> u32 {
        let options = &self.options;
        let [width, height, depth] = options.shape.size();
        let has = |dimension: u32, texels: u32| {
            if options.shape.dimensions() > dimension { texels } else { 0 }
        };
        match query {
            TextureQuery::Width => width,
            TextureQuery::Height => has(1, height),
            TextureQuery::Depth => has(2, depth),
            TextureQuery::ChannelDataType => options.format.number(),
            TextureQuery::ChannelOrder => options.channels,
            TextureQuery::NormalizedCoords => u32::from(options.normalized),
            TextureQuery::FilterMode => u32::from(options.filter == FilterMode::Linear),
            TextureQuery::AddressMode0 => options.address[0].number(),
            TextureQuery::AddressMode1 => options.address[1].number(),
            TextureQuery::AddressMode2 => options.address[2].number(),
        }
    }
}

/// Texture number `number` of a launch. A launch binds all textures that its kernel reads.
fn texture(kernel: &Kernel, number: u32) -> Option<&Texture> {
    kernel.textures.get(number as usize)?.as_ref()
}

/// Executes a texture fetch in the lanes of `access.mask`.
#[inline(never)]
pub(super) fn fetch(kernel: &Kernel, warp: &mut Warp, inst: &Inst, access: &mut Access) {
    access.texels.clear();
    let mut found = [[0; 32]; 4];
    if let Some(texture) = texture(kernel, inst.imm) {
        let integers = matches!(inst.op, Op::Tex1dS32 | Op::Tex2dS32 | Op::Tex3dS32);
        let dimensions = inst.op.fetched_dimensions();
        for lane in mask::lanes(access.mask) {
            let word = |i: usize| rows::w(kernel, warp, inst.src[i])[lane];
            let at = match dimensions {
                Some(3) => {
                    let both = rows::d(kernel, warp, inst.src[0])[lane];
                    [both as u32, (both >> 32) as u32, word(1)]
                }
                Some(2) => [word(0), word(1), 0],
                _ => [word(0), 0, 0],
            };
            let values = texture.fetch(at, integers, &mut access.texels);
            found.iter_mut().zip(values).for_each(|(row, value)| row[lane] = value);
        }
    }
    for (row, values) in inst.dst_rows().into_iter().zip(&found) {
        mask::store(&mut warp.w[row as usize], values, access.mask);
    }
}

/// Executes a query of a property.
#[inline(never)]
pub(super) fn query(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) {
    let value = texture(kernel, inst.imm).zip(inst.query()).map_or(0, |(t, query)| t.property(query));
    mask::store(&mut warp.w[inst.dst as usize], &[value; 32], active);
}

#[cfg(test)]
mod tests;
