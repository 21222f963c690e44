//! Texture fetches and queries, as encoded in micro-ops.

use super::{Class, Inst, Op, Program};

/// Dimensions of a texture or surface, and whether it has layers or faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Geometry {
    /// `.1d`: one dimension.
    D1,
    /// `.2d`: two dimensions.
    D2,
    /// `.3d`: three dimensions.
    D3,
    /// `.a1d`: layers of one dimension.
    A1,
    /// `.a2d`: layers of two dimensions.
    A2,
    /// `.cube`: the six faces of a cube.
    Cube,
    /// `.acube`: layers of cubes.
    CubeArray,
}

impl Geometry {
    /// All geometries with their PTX names, in the order of their numbers from 1 on.
    pub const NAMES: [(&str, Self); 7] = [
        ("1d", Self::D1),
        ("2d", Self::D2),
        ("3d", Self::D3),
        ("a1d", Self::A1),
        ("a2d", Self::A2),
        ("cube", Self::Cube),
        ("acube", Self::CubeArray),
    ];

    /// Returns the PTX name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// Returns the number of dimensions of the texture, or of one layer or face.
    pub const fn dimensions(self) -> u32 {
        match self {
            Self::D1 | Self::A1 => 1,
            Self::D2 | Self::A2 | Self::Cube | Self::CubeArray => 2,
            Self::D3 => 3,
        }
    }

    /// Whether the first coordinate is the number of a layer.
    pub const fn has_layers(self) -> bool {
        matches!(self, Self::A1 | Self::A2 | Self::CubeArray)
    }

    /// Returns the number of coordinates, including that of the layer.
    pub const fn coordinates(self) -> usize {
        match self {
            Self::D1 => 1,
            Self::D2 | Self::A1 => 2,
            Self::D3 | Self::A2 | Self::Cube => 3,
            Self::CubeArray => 4,
        }
    }

    /// Returns the number in [`Inst::aux`].
    pub(super) const fn number(self) -> u32 {
        self as u32 + 1
    }

    /// Returns the geometry with a number in [`Inst::aux`].
    pub(super) fn numbered(number: u32) -> Option<Self> {
        Self::NAMES.get((number as usize).checked_sub(1)?).map(|(_, geometry)| *geometry)
    }
}

/// Operands of a texture fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureFetch {
    /// Geometry of the texture.
    pub geometry: Geometry,
    /// Whether the coordinates are integers; otherwise they are f32.
    pub integers: bool,
}

impl TextureFetch {
    /// Returns the encoding in [`Inst::aux`] of a fetch that its micro-op does not describe.
    pub fn encode(self) -> u32 {
        self.geometry.number() | u32::from(self.integers) << 4
    }

    /// Returns the fetch that [`Inst::aux`] encodes; `None` if it encodes none.
    fn decode(aux: u32) -> Option<Self> {
        let fetch = Self { geometry: Geometry::numbered(aux & 0xf)?, integers: aux >> 4 & 1 != 0 };
        (fetch.encode() == aux).then_some(fetch)
    }
}

/// A property of a texture that `txq` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum TextureQuery {
    Width,
    Height,
    Depth,
    ChannelDataType,
    ChannelOrder,
    NormalizedCoords,
    FilterMode,
    AddressMode0,
    AddressMode1,
    AddressMode2,
    ForceUnnormalizedCoords,
}

impl TextureQuery {
    /// All properties with their PTX names, in the order of their numbers in [`Inst::aux`].
    pub const NAMES: [(&str, Self); 11] = [
        ("width", Self::Width),
        ("height", Self::Height),
        ("depth", Self::Depth),
        ("channel_data_type", Self::ChannelDataType),
        ("channel_order", Self::ChannelOrder),
        ("normalized_coords", Self::NormalizedCoords),
        ("filter_mode", Self::FilterMode),
        ("addr_mode_0", Self::AddressMode0),
        ("addr_mode_1", Self::AddressMode1),
        ("addr_mode_2", Self::AddressMode2),
        ("force_unnormalized_coords", Self::ForceUnnormalizedCoords),
    ];
}

/// First handle of each kind. The handle of the object with number n is the first one plus n.
///
/// A program gets handles of objects from the host. The address of a texture or surface in a
/// register is the handle of the name. Handle 0 has no object.
pub mod handle {
    /// Texture objects, which the host program creates.
    pub const TEXTURE_OBJECTS: u32 = 1;
    /// Sampler objects.
    pub const SAMPLER_OBJECTS: u32 = 1 << 29;
    /// Surface objects.
    pub const SURFACE_OBJECTS: u32 = 1 << 30;
    /// Textures of the module, by their number.
    pub const TEXTURES: u32 = 2 << 30;
    /// Surfaces of the module, by their number.
    pub const SURFACES: u32 = 3 << 30;
}

impl Op {
    /// Whether the micro-op fetches from a texture.
    pub const fn is_fetch(self) -> bool {
        matches!(self.class(), Class::Tex)
    }
}

impl Inst {
    /// [`Inst::imm`] of an access to a texture or surface that a handle in a register selects.
    pub const BY_HANDLE: u32 = u32::MAX;

    /// Returns the property that a `txq` or `suq` reads; `None` if its number is invalid.
    pub fn query(&self) -> Option<TextureQuery> {
        TextureQuery::NAMES.get(self.aux as usize).map(|(_, query)| *query)
    }

    /// Returns what a texture fetch reads; `None` for other micro-ops and an invalid encoding.
    #[inline]
    pub fn fetch(&self) -> Option<TextureFetch> {
        let (geometry, integers) = match self.op {
            Op::Tex1dS32 => (Geometry::D1, true),
            Op::Tex1dF32 => (Geometry::D1, false),
            Op::Tex2dS32 => (Geometry::D2, true),
            Op::Tex2dF32 => (Geometry::D2, false),
            Op::Tex3dS32 => (Geometry::D3, true),
            Op::Tex3dF32 => (Geometry::D3, false),
            Op::TexWide1 | Op::TexWide2 | Op::TexWide3 => return TextureFetch::decode(self.aux),
            _ => return None,
        };
        Some(TextureFetch { geometry, integers })
    }

    /// Whether the instruction reads a texture or its properties.
    fn reads_texture(&self) -> bool {
        self.op.is_fetch() || matches!(self.op, Op::Txq | Op::TxqHandle)
    }
}

impl Program {
    /// Returns the textures of the module that the code names in fetches and queries: the number of
    /// the texture, and the geometry of the fetch, or `None` for a query. In ascending order, each
    /// pair once.
    pub fn fetched_textures(&self) -> Vec<(u32, Option<Geometry>)> {
        let named = self.code.iter().filter(|inst| inst.reads_texture() && inst.imm != Inst::BY_HANDLE);
        let of_module = |inst: &Inst| Some((self.texture_of_module(inst)?, inst.fetch().map(|f| f.geometry)));
        let mut found: Vec<_> = named.filter_map(of_module).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the code fetches from textures or reads their properties.
    pub fn uses_textures(&self) -> bool {
        self.code.iter().any(Inst::reads_texture)
    }

    /// Whether handles in registers select textures.
    pub fn has_texture_handles(&self) -> bool {
        self.code.iter().any(|inst| inst.reads_texture() && inst.imm == Inst::BY_HANDLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fetch_is_read_back_and_other_words_are_invalid() {
        let valid = (0..1 << 10).filter(|aux| TextureFetch::decode(*aux).is_some());
        assert_eq!(valid.count(), 7 * 2);
        for (name, geometry) in Geometry::NAMES {
            let fetch = TextureFetch { geometry, integers: true };
            assert_eq!((TextureFetch::decode(fetch.encode()), geometry.name()), (Some(fetch), name));
        }
    }
}
