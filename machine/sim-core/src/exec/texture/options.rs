//! Properties of a texture.

use super::shape::TextureShape;
use crate::words::words;

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

words! {
    /// The components of an image of OpenCL, in the order of memory.
    pub enum ChannelOrder {
        /// Red.
        R = "r",
        /// Alpha.
        A = "a",
        /// Red, green.
        Rg = "rg",
        /// Red, alpha.
        Ra = "ra",
        /// Red, green, blue, alpha.
        Rgba = "rgba",
        /// Blue, green, red, alpha.
        Bgra = "bgra",
        /// Alpha, red, green, blue.
        Argb = "argb",
        /// One value for all components.
        Intensity = "intensity",
        /// One value for red, green and blue.
        Luminance = "luminance",
    }
}

impl ChannelOrder {
    /// Components of a texel.
    pub fn channels(self) -> u32 {
        match self {
            Self::R | Self::A | Self::Intensity | Self::Luminance => 1,
            Self::Rg | Self::Ra => 2,
            Self::Rgba | Self::Bgra | Self::Argb => 4,
        }
    }

    /// Returns red, green, blue and alpha of a texel with the components `c` in memory (OpenCL 1.1,
    /// section 5.3.1.1). Applied to zeros, it is the border color.
    #[inline]
    pub(super) fn arranged(self, c: [u32; 4], one: u32) -> [u32; 4] {
        match self {
            Self::R => [c[0], 0, 0, one],
            Self::A => [0, 0, 0, c[0]],
            Self::Rg => [c[0], c[1], 0, one],
            Self::Ra => [c[0], 0, 0, c[1]],
            Self::Rgba => c,
            Self::Bgra => [c[2], c[1], c[0], c[3]],
            Self::Argb => [c[1], c[2], c[3], c[0]],
            Self::Intensity => [c[0]; 4],
            Self::Luminance => [c[0], c[0], c[0], one],
        }
    }

    /// Number of the order in OpenCL (`cl_channel_order`).
    fn number(self) -> u32 {
        match self {
            Self::R => 0x10b0,
            Self::A => 0x10b1,
            Self::Rg => 0x10b2,
            Self::Ra => 0x10b3,
            Self::Rgba => 0x10b5,
            Self::Bgra => 0x10b6,
            Self::Argb => 0x10b7,
            Self::Intensity => 0x10b8,
            Self::Luminance => 0x10b9,
        }
    }
}

/// Returns the results of the queries `channel_data_type` and `channel_order`: with `order`
/// the numbers of OpenCL, otherwise that of the format in the driver's interface of CUDA, and the
/// number of components.
pub fn channel_numbers(
    order: Option<ChannelOrder>,
    format: TexelFormat,
    read: ReadMode,
    channels: u32,
) -> [u32; 2] {
    let Some(order) = order else { return [format.number(), channels] };
    let normalized = read == ReadMode::Normalized;
    let data_type = match format {
        TexelFormat::S8 if normalized => 0x10d0,
        TexelFormat::S16 if normalized => 0x10d1,
        TexelFormat::U8 if normalized => 0x10d2,
        TexelFormat::U16 if normalized => 0x10d3,
        TexelFormat::S8 => 0x10d7,
        TexelFormat::S16 => 0x10d8,
        TexelFormat::S32 => 0x10d9,
        TexelFormat::U8 => 0x10da,
        TexelFormat::U16 => 0x10db,
        TexelFormat::U32 => 0x10dc,
        TexelFormat::F16 => 0x10dd,
        TexelFormat::F32 => 0x10de,
    };
    [data_type, order.number()]
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
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Wrap => 0,
            Self::Mirror => 1,
            Self::Clamp => 3,
            Self::Border => 4,
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
    /// The meaning of the components in OpenCL; `None`: they are the results of a fetch.
    pub order: Option<ChannelOrder>,
    /// Conversion of the components.
    pub read: ReadMode,
    /// Computation of a result from texels.
    pub filter: FilterMode,
    /// Positions outside, for each dimension.
    pub address: [AddressMode; 3],
    /// Whether the coordinates are from 0 to 1, and not from 0 to the number of texels.
    pub normalized: bool,
}

/// Properties of a sampler, which is separate from textures in OpenCL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SamplerOptions {
    /// Positions outside, for each dimension.
    pub address: [AddressMode; 3],
    /// Computation of a result from texels.
    pub filter: FilterMode,
    /// Whether coordinates are numbers of texels also for a texture with normalized coordinates.
    pub unnormalized: bool,
}

impl TextureOptions {
    /// Texels of `format` with `channels` components, without conversion and filter.
    pub fn new(shape: TextureShape, format: TexelFormat, channels: u32) -> Self {
        Self {
            shape,
            format,
            channels,
            order: None,
            read: ReadMode::default(),
            filter: FilterMode::default(),
            address: [AddressMode::default(); 3],
            normalized: false,
        }
    }

    /// An image of OpenCL: texels of `format` with components in an order, read as numbers from 0
    /// to 1 or from -1 to 1 if `normalized`. Coordinates are from 0 to 1 unless a sampler says
    /// otherwise.
    pub fn image(shape: TextureShape, format: TexelFormat, order: ChannelOrder, normalized: bool) -> Self {
        Self {
            order: Some(order),
            read: if normalized { ReadMode::Normalized } else { ReadMode::Element },
            normalized: true,
            ..Self::new(shape, format, order.channels())
        }
    }

    /// Returns the properties with those of a sampler. Linear memory has neither a filter nor
    /// normalized coordinates. Integers are not filtered: OpenCL leaves the result undefined.
    #[must_use]
    pub fn sampled(self, sampler: SamplerOptions) -> Self {
        let is_linear = matches!(self.shape, TextureShape::Linear(_));
        let can_filter = !is_linear && (self.read == ReadMode::Normalized || self.format.is_float());
        Self {
            address: sampler.address,
            filter: if can_filter { sampler.filter } else { FilterMode::Point },
            normalized: self.normalized && !sampler.unnormalized && !is_linear,
            ..self
        }
    }

    /// Bytes of a texel.
    pub fn texel_bytes(&self) -> u32 {
        self.format.bytes() * self.channels
    }

    /// Bytes from one row to the next.
    pub(super) fn pitch(&self) -> u32 {
        match self.shape {
            TextureShape::Pitch { pitch, .. } => pitch,
            _ => self.shape.size()[0].saturating_mul(self.texel_bytes()),
        }
    }

    /// Bytes of the memory from the first to the last texel.
    pub fn bytes(&self) -> u64 {
        let [width, height, depth] = self.shape.size().map(u64::from);
        let rows = (height * depth).saturating_sub(1);
        rows.saturating_mul(self.pitch().into()).saturating_add(width * u64::from(self.texel_bytes()))
    }
}
