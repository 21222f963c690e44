//! Textures: memory and properties that a host program binds to those of a module, or makes objects
//! of.

use super::gpu::{Gpu, HostError, ModuleId};
use super::launch::Launch;
use super::launch_error::LaunchError;
use super::memory::DevicePtr;
use super::module::Loaded;
use super::objects::{Numbers, handle_at};
use crate::exec::Mode;
use crate::exec::objects::Objects;
use crate::exec::texture::{
    AddressMode, FilterMode, ReadMode, SamplerOptions, TexelFormat, Texture, TextureOptions, TextureShape,
};
use isa::uop::{ObjectSource, Program, SampledTexture, Sampler, SamplerAddress, handle};
use std::sync::Arc;

/// Largest size of a texture along a dimension, of all chips: 65536 texels.
const LARGEST: u32 = 1 << 16;

/// Largest number of texels of a texture in linear memory (CUDA C Programming Guide, table 12).
const LARGEST_LINEAR: u32 = 1 << 27;

/// Why memory cannot be bound to a texture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextureError {
    /// The module has no texture of this name.
    #[error("the module has no texture `{name}`; its textures: {known}")]
    Unknown {
        /// Name.
        name: String,
        /// The names that exist, or "none".
        known: String,
    },
    /// A texel has another number of components.
    #[error("texture `{0}` has {1} channels; expected 1, 2 or 4")]
    Channels(String, u32),
    /// A size is zero or too large.
    #[error("texture `{name}` has a size of {size} texels; expected 1 to {most}")]
    Size {
        /// Name.
        name: String,
        /// Texels along a dimension.
        size: u32,
        /// Largest size.
        most: u32,
    },
    /// The rows overlap, or a row does not begin at a texel.
    #[error("texture `{name}` has a pitch of {pitch} bytes; expected a multiple of {texel}, at least {row}")]
    Pitch {
        /// Name.
        name: String,
        /// Bytes from row to row.
        pitch: u32,
        /// Bytes of a texel.
        texel: u32,
        /// Bytes of a row.
        row: u64,
    },
    /// The memory does not begin at a multiple of the texel size.
    #[error("the memory of texture `{name}` is not aligned to its texels of {texel} bytes")]
    Alignment {
        /// Name.
        name: String,
        /// Bytes of a texel.
        texel: u32,
    },
    /// The format cannot be read as normalized numbers.
    #[error("texture `{0}` cannot be read as normalized numbers: only 8-bit and 16-bit integers can")]
    Normalized(String),
    /// The filter needs floating-point results.
    #[error("texture `{0}` cannot have a linear filter: its texels are read as integers")]
    Filter(String),
    /// No texture object has this handle.
    #[error("no texture object has the handle {0:#x}")]
    NoObject(u64),
    /// No sampler has this handle.
    #[error("no sampler has the handle {0:#x}")]
    NoSampler(u64),
    /// The components do not fit the order.
    #[error("texture `{0}` has {1} channels; its channel order has {2}")]
    Order(String, u32, u32),
    /// Linear memory has neither filter nor normalized coordinates.
    #[error("texture `{0}` in linear memory cannot have a linear filter or normalized coordinates")]
    Linear(String),
}

/// A texture with its memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    address: u32,
    options: TextureOptions,
}

impl Gpu {
    /// `cudaBindTexture`, `cudaBindTexture2D`, `cudaBindTextureToArray`: binds the memory at `ptr`
    /// to a texture of a module, for later launches. The texels of an array are stored without
    /// gaps, x first, then y, then z: fill it with [`Gpu::copy_in`].
    pub fn bind_texture(
        &mut self,
        module: ModuleId,
        name: &str,
        ptr: DevicePtr,
        options: TextureOptions,
    ) -> Result<(), HostError> {
        let names = &self.modules[module.0 as usize].module.textures;
        let Some(number) = names.iter().position(|known| known == name) else {
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(TextureError::Unknown { name: name.to_owned(), known }.into());
        };
        check(name, ptr, &options)?;
        self.allocator.check_copy(ptr, options.bytes())?;
        let bound = Bound { address: ptr.address(), options };
        self.modules[module.0 as usize].textures[number] = Some(bound);
        Ok(())
    }

    /// `cudaCreateTextureObject`: makes a texture of the memory at `ptr`, as for
    /// [`Gpu::bind_texture`]. Returns its handle, which kernels of all modules can use.
    pub fn create_texture(&mut self, ptr: DevicePtr, options: TextureOptions) -> Result<u64, HostError> {
        check("object", ptr, &options)?;
        self.allocator.check_copy(ptr, options.bytes())?;
        let bound = Bound { address: ptr.address(), options };
        Ok(Numbers(handle::TEXTURE_OBJECTS).insert(&mut self.objects.textures, bound))
    }

    /// `cudaDestroyTextureObject`. A later object may get the same handle.
    pub fn destroy_texture(&mut self, object: u64) -> Result<(), HostError> {
        let removed = Numbers(handle::TEXTURE_OBJECTS).remove(&mut self.objects.textures, object);
        removed.ok_or(TextureError::NoObject(object).into())
    }

    /// Makes a sampler, for parameters `.samplerref` of kernels of all modules. Returns its handle.
    pub fn create_sampler(&mut self, options: SamplerOptions) -> u64 {
        Numbers(handle::SAMPLER_OBJECTS).insert(&mut self.objects.samplers, options)
    }

    /// Removes a sampler. A later one may get the same handle.
    pub fn destroy_sampler(&mut self, sampler: u64) -> Result<(), HostError> {
        let removed = Numbers(handle::SAMPLER_OBJECTS).remove(&mut self.objects.samplers, sampler);
        removed.ok_or(TextureError::NoSampler(sampler).into())
    }

    /// Returns the textures of a launch of `program` with the parameter block `params`, with the
    /// bytes of their memory: those that the program names, and if it has handles in registers, all
    /// others too.
    pub(super) fn textures(&self, loaded: &Loaded, program: &Program, params: &[u8]) -> Objects<Texture> {
        let handles = program.has_texture_handles();
        let used = program.fetched_textures();
        let read = |bound: Bound| {
            let Bound { address, options } = bound;
            // The memory may be freed.
            self.allocator.check_copy(DevicePtr::new(address), options.bytes()).ok()?;
            let mut bytes = vec![0; options.bytes() as usize];
            self.memory.read(address, &mut bytes);
            Some(Texture { address, options, bytes: Arc::new(bytes) })
        };
        let named = |(number, bound): (u32, &Option<Bound>)| {
            let is_used = handles || used.iter().any(|(texture, _)| *texture == number);
            bound.filter(|_| is_used).and_then(read)
        };
        let created = self.objects.textures.iter().filter(|_| handles);
        let mut all: Vec<Option<Texture>> = (0..).zip(&loaded.textures).map(named).collect();
        for one in &program.selections.textures {
            let selected = self.selected(loaded, one, params);
            // Textures with several samplers have the same bytes.
            let is_same = |other: &&Texture| {
                let options = |of: TextureOptions| (of.shape, of.texel_bytes());
                selected.is_some_and(|bound| {
                    (other.address, options(other.options)) == (bound.address, options(bound.options))
                })
            };
            let known = all.iter().flatten().find(is_same).map(|other| Arc::clone(&other.bytes));
            all.push(match (selected, known) {
                (Some(Bound { address, options }), Some(bytes)) => Some(Texture { address, options, bytes }),
                (Some(bound), None) if one.texture.is_some() => read(bound),
                (Some(Bound { address, options }), None) => {
                    Some(Texture { address, options, bytes: Arc::default() })
                }
                (None, _) => None,
            });
        }
        Objects { named: all.into(), created: created.map(|bound| bound.and_then(read)).collect() }
    }

    /// Returns the texture that a launch selects, with the properties of its sampler; without
    /// memory for a sampler alone. `None` if the texture or the sampler does not exist.
    fn selected(&self, loaded: &Loaded, one: &SampledTexture, params: &[u8]) -> Option<Bound> {
        let bound = match one.texture {
            Some(ObjectSource::Module(number)) => loaded.textures.get(number as usize).copied().flatten()?,
            Some(ObjectSource::Param(offset)) => {
                let handle = handle_at(params, offset);
                Numbers(handle::TEXTURE_OBJECTS).get(&self.objects.textures, handle)?
            }
            None => {
                let options = TextureOptions::new(TextureShape::Array1(1), TexelFormat::F32, 1);
                Bound { address: 0, options: TextureOptions { normalized: true, ..options } }
            }
        };
        let sampler = match one.sampler {
            None => return Some(bound),
            Some(ObjectSource::Module(number)) => declared(*loaded.module.samplers.get(number as usize)?),
            Some(ObjectSource::Param(offset)) => {
                let handle = handle_at(params, offset);
                Numbers(handle::SAMPLER_OBJECTS).get(&self.objects.samplers, handle)?
            }
        };
        Some(Bound { options: bound.options.sampled(sampler), ..bound })
    }

    /// Rejects a timed launch that reads textures on a chip without texture units.
    pub(super) fn check_textures(&self, program: &Program, launch: &Launch) -> Result<(), LaunchError> {
        let without = launch.mode == Mode::Timed && self.chip.cluster.texture_cache.is_none();
        if without && program.uses_textures() {
            let kernel = program.name.clone();
            return Err(LaunchError::NoTextureUnits { kernel, chip: self.chip.name.clone() });
        }
        Ok(())
    }
}

/// Returns the properties of a sampler of a module.
fn declared(sampler: Sampler) -> SamplerOptions {
    let address = sampler.address.map(|mode| match mode {
        SamplerAddress::Wrap => AddressMode::Wrap,
        SamplerAddress::Mirror => AddressMode::Mirror,
        SamplerAddress::ClampToEdge => AddressMode::Clamp,
        SamplerAddress::ClampToBorder => AddressMode::Border,
    });
    let filter = if sampler.linear { FilterMode::Linear } else { FilterMode::Point };
    SamplerOptions { address, filter, unnormalized: sampler.unnormalized }
}

/// Checks the properties of a texture.
fn check(name: &str, ptr: DevicePtr, options: &TextureOptions) -> Result<(), TextureError> {
    let name = || name.to_owned();
    let linear = matches!(options.shape, TextureShape::Linear(_));
    if !matches!(options.channels, 1 | 2 | 4) {
        return Err(TextureError::Channels(name(), options.channels));
    }
    if let Some(order) = options.order.filter(|order| order.channels() != options.channels) {
        return Err(TextureError::Order(name(), options.channels, order.channels()));
    }
    let most = if linear { LARGEST_LINEAR } else { LARGEST };
    if let Some(size) = options.shape.size().into_iter().find(|size| !(1..=most).contains(size)) {
        return Err(TextureError::Size { name: name(), size, most });
    }
    let texel = options.texel_bytes();
    if let TextureShape::Pitch { width, pitch, .. } = options.shape {
        let row = u64::from(width) * u64::from(texel);
        if u64::from(pitch) < row || !pitch.is_multiple_of(texel) {
            return Err(TextureError::Pitch { name: name(), pitch, texel, row });
        }
    }
    if !ptr.address().is_multiple_of(texel) {
        return Err(TextureError::Alignment { name: name(), texel });
    }
    let normalized = options.read == ReadMode::Normalized;
    if normalized && !options.format.can_be_normalized() {
        return Err(TextureError::Normalized(name()));
    }
    let filter = options.filter == FilterMode::Linear;
    if linear && (filter || options.normalized) {
        return Err(TextureError::Linear(name()));
    }
    if filter && !normalized && !options.format.is_float() {
        return Err(TextureError::Filter(name()));
    }
    Ok(())
}
