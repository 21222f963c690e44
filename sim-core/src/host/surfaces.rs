//! Surfaces of a module: memory that a host program binds to them.

use super::gpu::{Gpu, HostError, ModuleId};
use super::launch_error::LaunchError;
use super::memory::DevicePtr;
use super::module::Loaded;
use crate::exec::surface::{Surface, SurfaceOptions};
use isa::uop::Program;

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
        /// Size.
        size: u32,
    },
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
}

/// Rejects a launch whose surfaces are not bound or have other dimensions than its accesses.
pub(super) fn check_surfaces(loaded: &Loaded, program: &Program) -> Result<(), LaunchError> {
    for (number, used) in program.used_surfaces() {
        let kernel = || program.name.clone();
        let surface = || program.surfaces.get(number as usize).cloned().unwrap_or_default();
        let Some(bound) = loaded.surfaces.get(number as usize).copied().flatten() else {
            return Err(LaunchError::UnboundSurface { kernel: kernel(), surface: surface() });
        };
        let bound = bound.options.dimensions();
        if used != 0 && used != bound {
            return Err(LaunchError::SurfaceDimensions { kernel: kernel(), surface: surface(), bound, used });
        }
    }
    Ok(())
}

/// Checks the properties of a surface.
fn check(name: &str, ptr: DevicePtr, options: &SurfaceOptions) -> Result<(), SurfaceError> {
    let name = || name.to_owned();
    if !matches!(options.channels, 1 | 2 | 4) {
        return Err(SurfaceError::Channels(name(), options.channels));
    }
    let sizes = [Some(options.width), options.height];
    if let Some(size) = sizes.into_iter().flatten().find(|size| !(1..=LARGEST).contains(size)) {
        return Err(SurfaceError::Size { name: name(), size });
    }
    let element = options.element_bytes();
    if !ptr.address().is_multiple_of(element) {
        return Err(SurfaceError::Alignment { name: name(), element });
    }
    Ok(())
}
