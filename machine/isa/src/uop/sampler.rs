//! Samplers, and the textures and surfaces that a launch selects.

use super::{Inst, Program};

/// Position outside of a texture, as a `.samplerref` declares it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamplerAddress {
    /// The texture is repeated.
    #[default]
    Wrap,
    /// The texture is repeated, every second time mirrored.
    Mirror,
    /// The nearest texel inside.
    ClampToEdge,
    /// The border color.
    ClampToBorder,
}

impl SamplerAddress {
    /// All modes with their PTX names. `clamp_ogl`, which mixes texels at the edge with the border,
    /// is not one of them.
    pub const NAMES: [(&str, Self); 4] = [
        ("wrap", Self::Wrap),
        ("mirror", Self::Mirror),
        ("clamp_to_edge", Self::ClampToEdge),
        ("clamp_to_border", Self::ClampToBorder),
    ];
}

/// The initial values of a `.global .samplerref` of the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampler {
    /// `addr_mode_0` to `addr_mode_2`.
    pub address: [SamplerAddress; 3],
    /// `filter_mode`: whether it is `linear`, and not `nearest`.
    pub linear: bool,
    /// `force_unnormalized_coords`: coordinates are numbers of texels, also if the texture has
    /// normalized coordinates.
    pub unnormalized: bool,
}

/// Where a texture, surface or sampler comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectSource {
    /// Number in the module.
    Module(u32),
    /// Handle in the parameter block, at this byte offset.
    Param(u32),
}

/// A texture with a sampler, as an instruction of independent texture mode names them, or a
/// texture that is a parameter.
///
/// The program gives each pair a number after those of the module's textures. So a fetch finds its
/// properties in one table in both modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampledTexture {
    /// The texture; `None` for a query of a sampler.
    pub texture: Option<ObjectSource>,
    /// The sampler; `None` if the properties of the texture apply.
    pub sampler: Option<ObjectSource>,
}

/// The textures and surfaces of a program that have numbers after those of the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selections {
    /// Textures: the first one has the number after the last texture of the module.
    pub textures: Vec<SampledTexture>,
    /// Surfaces, likewise: their handles are in the parameter block, at these byte offsets.
    pub surfaces: Vec<u32>,
}

impl Program {
    /// Returns the number of textures of the module; higher numbers are
    /// [`selections`](Self::selections).
    pub fn module_textures(&self) -> usize {
        self.textures.len() - self.selections.textures.len()
    }

    /// Returns the number of the module's texture that an instruction reads; `None` for a parameter
    /// and for a handle in a register.
    pub(super) fn texture_of_module(&self, inst: &Inst) -> Option<u32> {
        let number = (inst.imm as usize).checked_sub(self.module_textures());
        match number.map(|number| self.selections.textures.get(number)) {
            None => Some(inst.imm),
            Some(Some(SampledTexture { texture: Some(ObjectSource::Module(number)), .. })) => Some(*number),
            Some(_) => None,
        }
    }
}
