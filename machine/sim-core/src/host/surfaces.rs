//! Surfaces: memory that a host program binds to those of a module, or makes objects of.

use super::gpu::{Gpu, HostError, ModuleId};
use super::memory::DevicePtr;
use super::module::Loaded;
use super::objects::{Numbers, handle_at};
use crate::exec::objects::Objects;
use crate::exec::surface::{Surface, SurfaceOptions};
use crate::exec::texture::TextureShape;
use isa::uop::{Program, handle};

/// Largest size of a surface along a dimension, of all chips: 65536 elements.
const LARGEST: u32 = 1 << 16;

/// Why memory cannot be bound to a surface.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SurfaceError {
    /// The module has no surface of this name.
    #[error("the module has no surface `{name}`; its surfaces: {known}")]
    Unknown {
        /// Name.
        name: String,
        /// Names of the module's surfaces.
        known: String,
    },
    /// Wrong number of components.
    #[error("surface `{0}` has {1} channels; expected 1, 2 or 4")]
    Channels(String, u32),
    /// A size is zero or too large.
    #[error("surface `{name}` has a size of {size} elements; expected 1 to {LARGEST}")]
    Size {
        /// Name.
        name: String,
        /// Size in bytes.
        size: u32,
    },
    /// The memory is linear.
    #[error("surface `{0}` is in linear memory; expected an array")]
    Linear(String),
    /// No surface object has this handle.
    #[error("no surface object has the handle {0:#x}")]
    NoObject(u64),
    /// The memory is not aligned to an element.
    #[error("the memory of surface `{name}` is not aligned to its elements of {element} bytes")]
    Alignment {
        /// Name.
        name: String,
        /// Bytes of an element.
        element: u32,
    },
}

impl Gpu {
    /// `cudaBindSurfaceToArray`: binds the memory at `ptr` to a surface of a module, for later
    /// launches. Its rows are stored without gaps: fill it with [`Gpu::copy_in`].
    pub fn bind_surface(
        &mut self,
        module: ModuleId,
        name: &str,
        ptr: DevicePtr,
        options: SurfaceOptions,
    ) -> Result<(), HostError> {
        let names = &self.modules[module.0 as usize].module.surfaces;
        let Some(number) = names.iter().position(|known| known == name) else {
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(SurfaceError::Unknown { name: name.to_owned(), known }.into());
        };
        check(name, ptr, &options)?;
        self.allocator.check_copy(ptr, options.bytes())?;
        let bound = Surface { address: ptr.address(), options };
        self.modules[module.0 as usize].surfaces[number] = Some(bound);
        Ok(())
    }
    /// `cudaCreateSurfaceObject`: makes a surface of the memory at `ptr`, as for
    /// [`Gpu::bind_surface`]. Returns its handle, which kernels of all modules can use.
    pub fn create_surface(&mut self, ptr: DevicePtr, options: SurfaceOptions) -> Result<u64, HostError> {
        check("object", ptr, &options)?;
        self.allocator.check_copy(ptr, options.bytes())?;
        let bound = Surface { address: ptr.address(), options };
        Ok(Numbers(handle::SURFACE_OBJECTS).insert(&mut self.objects.surfaces, bound))
    }

    /// `cudaDestroySurfaceObject`. A later object may get the same handle.
    pub fn destroy_surface(&mut self, object: u64) -> Result<(), HostError> {
        let removed = Numbers(handle::SURFACE_OBJECTS).remove(&mut self.objects.surfaces, object);
        removed.ok_or(SurfaceError::NoObject(object).into())
    }

    /// Returns the surfaces of a launch of `program` with the parameter block `params`, without
    /// those whose memory is freed.
    pub(super) fn surfaces(&self, loaded: &Loaded, program: &Program, params: &[u8]) -> Objects<Surface> {
        let exists = |bound: &Option<Surface>| {
            let surface = (*bound)?;
            let memory = DevicePtr::new(surface.address);
            self.allocator.check_copy(memory, surface.options.bytes()).is_ok().then_some(surface)
        };
        let passed = program.selections.surfaces.iter().map(|offset| {
            let handle = handle_at(params, *offset);
            exists(&Numbers(handle::SURFACE_OBJECTS).get(&self.objects.surfaces, handle))
        });
        Objects {
            named: loaded.surfaces.iter().map(exists).chain(passed).collect(),
            created: self.objects.surfaces.iter().map(exists).collect(),
        }
    }
}

/// Checks the properties of a surface.
fn check(name: &str, ptr: DevicePtr, options: &SurfaceOptions) -> Result<(), SurfaceError> {
    let name = || name.to_owned();
    if !matches!(options.channels, 1 | 2 | 4) {
        return Err(SurfaceError::Channels(name(), options.channels));
    }
    if matches!(options.shape, TextureShape::Linear(_) | TextureShape::Pitch { .. }) {
        return Err(SurfaceError::Linear(name()));
    }
    if let Some(size) = options.shape.size().into_iter().find(|size| !(1..=LARGEST).contains(size)) {
        return Err(SurfaceError::Size { name: name(), size });
    }
    let element = options.element_bytes();
    if !ptr.address().is_multiple_of(element) {
        return Err(SurfaceError::Alignment { name: name(), element });
    }
    Ok(())
}
