//! The textures or surfaces of a launch, selected by a name or by a handle in a register.
//!
//! Handles are numbers ([`isa::uop::handle`]). Each lane may select another texture or surface. An
//! access to one that does not exist, has no memory or has another geometry is a fault.

use super::trap::{Checked, Fault, FaultKind};
use super::{Kernel, Warp, mask, rows};
use isa::types::StateSpace;
use isa::uop::{Geometry, Inst, Op, Program, TextureQuery};
use std::sync::Arc;

/// A texture or a surface.
pub trait Object {
    /// `.tex` or `.surf`.
    const SPACE: StateSpace;
    /// First handle of the module's own.
    const NAMED: u32;
    /// First handle of the objects of the host program.
    const OBJECTS: u32;

    /// Returns the names in the module.
    fn names(program: &Program) -> &[String];

    /// Returns the geometry of its memory.
    fn geometry(&self) -> Geometry;
}

/// The textures or the surfaces of a launch.
#[derive(Clone, Debug)]
pub struct Objects<T> {
    /// Those of the module, by number; `None` without memory.
    pub named: Arc<[Option<T>]>,
    /// Those that the host program has created, by number; `None` without memory.
    pub created: Arc<[Option<T>]>,
}

impl<T> Default for Objects<T> {
    fn default() -> Self {
        Self { named: Arc::default(), created: Arc::default() }
    }
}

/// Selects a texture or surface.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// Number in the module.
    Named(u32),
    /// Handle of a register.
    Handle(u64),
}

impl Which {
    /// Returns the selection of an instruction, in a lane with this handle.
    pub fn of(inst: &Inst, handle: u64) -> Self {
        if inst.imm == Inst::BY_HANDLE { Self::Handle(handle) } else { Self::Named(inst.imm) }
    }
}

impl<T: Object> Objects<T> {
    /// Whether none has memory.
    pub fn is_empty(&self) -> bool {
        self.named.iter().chain(&*self.created).all(Option::is_none)
    }

    /// Returns the texture or surface that an instruction selects; `None` without memory.
    #[inline]
    pub fn get(&self, which: Which) -> Option<&T> {
        let handle = match which {
            Which::Named(number) => return self.named.get(number as usize)?.as_ref(),
            Which::Handle(handle) => u32::try_from(handle).ok()?,
        };
        let named = self.named.get(handle.wrapping_sub(T::NAMED) as usize);
        named.or_else(|| self.created.get(handle.wrapping_sub(T::OBJECTS) as usize))?.as_ref()
    }
}

/// Returns the name of a texture or surface for messages.
pub fn title<T: Object>(program: &Program, which: Which) -> String {
    let number = match which {
        Which::Named(number) => Some(number),
        Which::Handle(handle) => u32::try_from(handle).ok().and_then(|handle| handle.checked_sub(T::NAMED)),
    };
    let what = if T::SPACE == StateSpace::Surf { "surface" } else { "texture" };
    match (number.and_then(|number| T::names(program).get(number as usize)), which) {
        (Some(name), _) => format!("{what} `{name}`"),
        (None, Which::Handle(handle)) => format!("{what} handle {handle:#x}"),
        (None, Which::Named(number)) => format!("{what} {number}"),
    }
}

/// Returns the fault of an access in `lanes`; `which` and `wanted` are what the first of them
/// selects and its geometry, which the texture or surface does not have.
#[cold]
pub fn fault<T: Object>(
    kernel: &Kernel,
    objects: &Objects<T>,
    which: Which,
    wanted: Option<Geometry>,
    lanes: u32,
) -> Checked {
    let object = title::<T>(&kernel.program, which);
    let problem = match (objects.get(which), wanted) {
        (Some(found), Some(wanted)) => {
            format!("its geometry is .{}, and the access has .{}", found.geometry().name(), wanted.name())
        }
        _ if object.ends_with('`') => "no memory is bound to it".to_owned(),
        _ => "no object has this handle, or its memory is freed".to_owned(),
    };
    Err(Box::new(Fault { kind: FaultKind::BadObject { object, problem }, lanes }))
}

/// Executes a query of a property, which `property` returns.
#[inline(never)]
pub fn query<T: Object>(
    kernel: &Kernel,
    objects: &Objects<T>,
    property: fn(&T, TextureQuery) -> u32,
    warp: &mut Warp,
    inst: &Inst,
    active: u32,
) -> Checked {
    let Some(query) = inst.query() else { return Ok(()) };
    let which = |warp: &Warp, lane: usize| {
        let by_handle = matches!(inst.op, Op::TxqHandle | Op::SuqHandle);
        Which::of(inst, if by_handle { rows::d(kernel, warp, inst.src[0])[lane] } else { 0 })
    };
    let (mut values, mut failed) = ([0; 32], 0);
    for lane in mask::lanes(active) {
        match objects.get(which(warp, lane)) {
            Some(object) => values[lane] = property(object, query),
            None => failed |= 1 << lane,
        }
    }
    if failed != 0 {
        return fault(kernel, objects, which(warp, mask::first(failed)), None, failed);
    }
    mask::store(&mut warp.w[inst.dst as usize], &values, active);
    Ok(())
}
