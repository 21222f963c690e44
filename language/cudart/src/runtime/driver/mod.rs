//! The driver API, over the runtime API: a context is a device of the runtime, and memory, streams,
//! events and arrays are the runtime's. Only contexts, modules, kernel handles, texture references
//! and links are objects of the driver API.

pub mod contexts;
pub mod copies;
pub mod devices;
pub mod functions;
pub mod link;
pub mod modules;
pub mod primary;
pub mod status;
pub mod textures;

use contexts::Context;
use functions::Setup;
use link::Link;
use modules::Loaded;
use sim_core::host::ModuleId;
use status::Status;
use std::collections::BTreeMap;
use textures::{Surface, Texture};

/// Result of a call of the driver API.
pub type Done<T = ()> = Result<T, Status>;

/// The state of the driver API, by handles.
#[derive(Debug, Default)]
pub struct Driver {
    /// Whether `cuInit` was called.
    initialized: bool,
    contexts: BTreeMap<u64, Context>,
    modules: BTreeMap<u64, Loaded>,
    /// Settings of `cuFuncSetBlockShape` and `cuParamSet…`, by the handle of the kernel.
    setups: BTreeMap<u64, Setup>,
    textures: BTreeMap<u64, Texture>,
    surfaces: BTreeMap<u64, Surface>,
    links: BTreeMap<u64, Link>,
}

impl Driver {
    /// Whether a context exists and is the runtime's device `slot`.
    pub(super) fn is_at(&self, context: u64, slot: usize) -> bool {
        self.contexts.get(&context).is_some_and(|context| context.slot == slot)
    }

    /// Whether a module was loaded by the driver API.
    pub(super) fn has_module(&self, slot: usize, module: ModuleId) -> bool {
        self.modules.values().any(|loaded| loaded.slot == slot && loaded.module == module)
    }

    /// Forgets the objects of a context that is reset.
    pub(super) fn forget(&mut self, slot: usize) {
        self.modules.retain(|_, module| module.slot != slot);
        self.setups.retain(|_, setup| setup.slot != slot);
        self.textures.retain(|_, texture| texture.slot != slot);
        self.surfaces.retain(|_, surface| surface.slot != slot);
    }
}
