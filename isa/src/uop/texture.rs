//! Texture fetches and queries, as encoded in micro-ops.

use super::{Inst, Op, Program};

/// Number of dimensions of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Geometry {
    D1,
    D2,
    D3,
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
}

impl TextureQuery {
    /// All properties with their PTX names, in the order of their numbers in [`Inst::aux`].
    pub const NAMES: [(&str, Self); 10] = [
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
    ];
}

impl Op {
    /// Returns the number of dimensions of a texture fetch; `None` for every other micro-op.
    pub const fn fetched_dimensions(self) -> Option<u32> {
        match self {
            Self::Tex1dS32 | Self::Tex1dF32 => Some(1),
            Self::Tex2dS32 | Self::Tex2dF32 => Some(2),
            Self::Tex3dS32 | Self::Tex3dF32 => Some(3),
            _ => None,
        }
    }
}

impl Inst {
    /// Returns the property that a `txq` reads; `None` if its number is invalid.
    pub fn query(&self) -> Option<TextureQuery> {
        TextureQuery::NAMES.get(self.aux as usize).map(|(_, query)| *query)
    }
}

impl Program {
    /// Returns the textures that the code fetches from or queries: the number of the texture, and
    /// the dimensions of the fetch, or 0 for a query. In ascending order, each pair once.
    pub fn fetched_textures(&self) -> Vec<(u32, u32)> {
        let fetches = self.code.iter().filter_map(|inst| match inst.op {
            Op::Txq => Some((inst.imm, 0)),
            op => Some((inst.imm, op.fetched_dimensions()?)),
        });
        let mut found: Vec<(u32, u32)> = fetches.collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
