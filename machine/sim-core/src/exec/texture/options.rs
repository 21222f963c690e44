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
    pub(super) fn number(self) -> u32 {
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
    /// Conversion of the components.
    pub read: ReadMode,
    /// Computation of a result from texels.
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
