//! Textures and surfaces that a launch selects: textures with separate samplers, and parameters of
//! opaque types. Each distinct combination gets a number after those of the module.

use super::finish::Context;
use super::layout::ModuleLayout;
use super::resolve::{Arg, ArgKind, Base, Inst, Item, Resolved};
use super::scope::VarRef;
use crate::ptx::forms::Opcode;
use crate::types::StateSpace;
use crate::uop::{ObjectSource, Param, SampledTexture, Selections};
use std::sync::Arc;

/// Largest number of textures with samplers, and of surfaces, of a kernel. NVIDIA's limits are 256
/// textures, 32 samplers and 16 surfaces (PTX ISA, "Texturing Modes").
pub const MAX_SELECTIONS: usize = 8192;

/// Names of textures and surfaces.
type Names = (Arc<[String]>, Arc<[String]>);

/// Returns the selections of all instructions. The parameters `params` are those of the first body,
/// if it is an entry.
pub fn of(
    bodies: &[(&Resolved, bool)],
    params: &[Param],
    is_entry: bool,
    module: &ModuleLayout,
) -> Selections {
    let mut found = Selections::default();
    for (number, (resolved, _)) in bodies.iter().enumerate() {
        let params = if number == 0 && is_entry { params } else { &[] };
        let instructions = resolved.items.iter().filter_map(|item| match item {
            Item::Inst(inst) => Some(&**inst),
            Item::Label(_) => None,
        });
        for inst in instructions {
            let Some((object, sampler)) = operands(inst) else { continue };
            let source = |variable: VarRef| source(variable, params, module);
            let sampler = sampler.and_then(variable).and_then(source).map(|(_, sampler)| sampler);
            match (variable(object).and_then(source), sampler) {
                (Some((StateSpace::Tex, texture)), sampler) => {
                    add(&mut found.textures, texture_of(texture, sampler));
                }
                (Some((StateSpace::Sampler, sampler)), None) => {
                    add(&mut found.textures, Some(SampledTexture { texture: None, sampler: Some(sampler) }));
                }
                (Some((StateSpace::Surf, ObjectSource::Param(offset))), _) => {
                    add(&mut found.surfaces, Some(offset));
                }
                _ => {}
            }
        }
    }
    found
}

/// Returns the selection of a texture and a sampler; `None` for a texture of the module without a
/// sampler, which has its number already.
pub fn texture_of(texture: ObjectSource, sampler: Option<ObjectSource>) -> Option<SampledTexture> {
    let is_plain = sampler.is_none() && matches!(texture, ObjectSource::Module(_));
    (!is_plain).then_some(SampledTexture { texture: Some(texture), sampler })
}

/// Returns the source of a texture, surface or sampler and its kind: the declared state space, for
/// parameters that of the object.
pub fn source(
    variable: VarRef,
    params: &[Param],
    module: &ModuleLayout,
) -> Option<(StateSpace, ObjectSource)> {
    match variable {
        VarRef::Module(number) => {
            let place = module.locations.get(number as usize).copied().flatten()?;
            Some((place.space, ObjectSource::Module(place.offset)))
        }
        VarRef::Param(number) => {
            let param = params.get(number as usize)?;
            Some((param.opaque?, ObjectSource::Param(param.offset)))
        }
        VarRef::Return(_) | VarRef::Function(_) => None,
    }
}

/// Returns the names of the program's textures and surfaces, those of the module first.
pub fn names(selections: &Selections, params: &[Param], context: &Context) -> Names {
    let param = |offset: u32| {
        let name = params.iter().find(|param| param.offset == offset).map(|param| param.name.clone());
        name.unwrap_or_default()
    };
    let texture = |one: &SampledTexture| match (one.texture, one.sampler) {
        (Some(ObjectSource::Module(number)), _) => context.textures[number as usize].clone(),
        (Some(ObjectSource::Param(offset)), _) | (None, Some(ObjectSource::Param(offset))) => param(offset),
        (None, _) => "sampler".to_owned(),
    };
    let joined = |names: &Arc<[String]>, more: Vec<String>| match more.as_slice() {
        [] => Arc::clone(names),
        more => names.iter().chain(more).cloned().collect(),
    };
    (
        joined(context.textures, selections.textures.iter().map(texture).collect()),
        joined(context.surfaces, selections.surfaces.iter().map(|offset| param(*offset)).collect()),
    )
}

/// Returns the operand that names a texture, surface or queried sampler, and that of a sampler.
fn operands(inst: &Inst) -> Option<(&Arg, Option<&Arg>)> {
    let operand = |number: usize| inst.operands.get(number);
    match inst.form.opcode {
        Opcode::Tex | Opcode::Suld => listed(operand(1)?),
        Opcode::Sust => listed(operand(0)?),
        Opcode::Txq | Opcode::Suq => operand(1).map(|object| (object, None)),
        _ => None,
    }
}

/// Returns the object and the sampler of `[object, {x}]` or `[object, sampler, {x}]`.
fn listed(arg: &Arg) -> Option<(&Arg, Option<&Arg>)> {
    let ArgKind::List(parts) = &arg.kind else { return None };
    match parts.as_slice() {
        [object, _] => Some((object, None)),
        [object, sampler, _] => Some((object, Some(sampler))),
        _ => None,
    }
}

/// Returns the variable of `[name]`.
fn variable(arg: &Arg) -> Option<VarRef> {
    match arg.kind {
        ArgKind::Memory(Base::Variable(variable), 0) => Some(variable),
        _ => None,
    }
}

fn add<T: PartialEq>(all: &mut Vec<T>, one: Option<T>) {
    if let Some(one) = one.filter(|one| all.len() < MAX_SELECTIONS && !all.contains(one)) {
        all.push(one);
    }
}
