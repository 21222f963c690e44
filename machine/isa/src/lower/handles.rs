//! Addresses of parameters and handles of textures and surfaces in registers.
//!
//! Compilers move the address of a function's parameter, a texture or a surface to a register and
//! access `[%r+4]`. If the register can hold only that one address, the access gets the name:
//! `[name+4]`. Moves without a further use are removed. Parameters whose address is still used are
//! recorded in [`Resolved::addressed`]; they are copied to local memory.

use super::resolve::{Arg, ArgKind, Base, Inst, Item, Resolved};
use super::scope::VarRef;
use crate::ptx::ast::{Literal, Variable};
use crate::ptx::forms::Opcode;
use crate::types::StateSpace;
use std::collections::BTreeSet;

/// The variable and byte offset of an address.
type Place = (VarRef, i64);

/// Definition of a register.
#[derive(Clone, Copy)]
enum Def {
    None,
    /// The item with this index, and no other.
    One(usize),
    Many,
}

/// Replaces registers by names in the body of a function with the parameters `params`, or of a
/// kernel if there are none. `module` has the variables of the module.
pub fn name<'a>(resolved: &mut Resolved<'a>, params: Option<&'a [Variable<'a>]>, module: &[Variable]) {
    let is_handle = |variable: VarRef| match variable {
        VarRef::Param(_) | VarRef::Return(_) => params.is_some(),
        VarRef::Function(_) => false,
        VarRef::Module(number) => {
            matches!(module[number as usize].space, StateSpace::Tex | StateSpace::Surf | StateSpace::Sampler)
        }
    };
    let moved = |inst: &Inst| match inst.operands.get(1) {
        Some(Arg { kind: ArgKind::Address(variable, offset), .. })
            if inst.form.opcode == Opcode::Mov && is_handle(*variable) =>
        {
            Some((*variable, *offset))
        }
        _ => None,
    };
    if !instructions(resolved).any(|inst| moved(inst).is_some()) {
        return;
    }
    let known = {
        let defs = defs(resolved);
        // Address that the definition of a register moves, or the register that it is based on.
        let step = |register: u32| -> Option<Result<Place, (u32, i64)>> {
            let Def::One(item) = defs[register as usize] else { return None };
            let Item::Inst(inst) = &resolved.items[item] else { return None };
            if !matches!(inst.operands[0].kind, ArgKind::Register(_)) {
                return None;
            }
            let ArgKind::Register(from) = inst.operands.get(1)?.kind else {
                return moved(inst).map(Ok);
            };
            match (inst.form.opcode, inst.operands.get(2).map(|arg| &arg.kind)) {
                (Opcode::Mov, _) => Some(Err((from, 0))),
                (Opcode::Add, Some(ArgKind::Literal(Literal::Int { value, .. }))) => {
                    Some(Err((from, value.cast_signed())))
                }
                _ => None,
            }
        };
        let mut known: Vec<Option<Option<Place>>> = vec![None; defs.len()];
        for register in 0..defs.len() as u32 {
            let (mut chain, mut at) = (Vec::new(), register);
            let mut place = loop {
                if let Some(found) = known[at as usize] {
                    break found;
                }
                // A cycle of moves has no address.
                known[at as usize] = Some(None);
                match step(at) {
                    Some(Err((from, offset))) => {
                        chain.push((at, offset));
                        at = from;
                    }
                    found => {
                        let found = found.and_then(Result::ok);
                        known[at as usize] = Some(found);
                        break found;
                    }
                }
            };
            for (register, more) in chain.into_iter().rev() {
                place = place.map(|(variable, offset)| (variable, offset.wrapping_add(more)));
                known[register as usize] = Some(place);
            }
        }
        known.into_iter().map(Option::flatten).collect::<Vec<_>>()
    };
    for item in &mut resolved.items {
        let Item::Inst(inst) = item else { continue };
        let accesses = match inst.form.opcode {
            Opcode::Ld | Opcode::St => inst.form.space == Some(StateSpace::Param),
            Opcode::Tex | Opcode::Txq | Opcode::Suld | Opcode::Sust | Opcode::Suq => true,
            _ => false,
        };
        if accesses {
            inst.operands.iter_mut().for_each(|arg| rename(arg, &known));
        }
    }
    remove_unused(resolved, &known);
    let mut addressed = BTreeSet::new();
    for arg in instructions(resolved).flat_map(|inst| &inst.operands) {
        if let ArgKind::Address(VarRef::Param(number), _) = arg.kind {
            addressed.insert(number);
        }
    }
    let params = params.unwrap_or_default();
    resolved.addressed =
        addressed.into_iter().filter_map(|number| Some((number, params.get(number as usize)?))).collect();
}

fn instructions<'r>(resolved: &'r Resolved) -> impl Iterator<Item = &'r Inst> {
    resolved.items.iter().filter_map(|item| match item {
        Item::Inst(inst) => Some(&**inst),
        Item::Label(_) => None,
    })
}

/// Calls `see` for each register of an operand.
fn registers(arg: &Arg, see: &mut impl FnMut(u32)) {
    match &arg.kind {
        ArgKind::Register(register)
        | ArgKind::Not(register)
        | ArgKind::Part { register, .. }
        | ArgKind::Memory(Base::Register(register), _) => see(*register),
        ArgKind::Pair(first, second) => first.iter().chain(second).for_each(|register| see(*register)),
        ArgKind::List(parts) | ArgKind::Vector(parts) => {
            for part in parts {
                registers(part, see);
            }
        }
        _ => {}
    }
}

/// Returns the definition of each register. A register in the first operand counts as defined also
/// where it is read.
fn defs(resolved: &Resolved) -> Vec<Def> {
    let mut defs = vec![Def::None; resolved.registers.len()];
    for register in resolved.params.iter().flatten() {
        defs[*register as usize] = Def::Many;
    }
    for (number, item) in resolved.items.iter().enumerate() {
        let Item::Inst(inst) = item else { continue };
        // A store reads its first operand; to a surface this is a list with the handle.
        let stores = |arg: &&Arg| matches!(arg.kind, ArgKind::Memory(..)) || inst.form.opcode == Opcode::Sust;
        let Some(first) = inst.operands.first().filter(|arg| !stores(arg)) else { continue };
        registers(first, &mut |register| {
            let def = &mut defs[register as usize];
            *def = if matches!(def, Def::None) { Def::One(number) } else { Def::Many };
        });
    }
    defs
}

/// Replaces the base of an address by the variable that the register holds.
fn rename(arg: &mut Arg, known: &[Option<Place>]) {
    match &mut arg.kind {
        ArgKind::Memory(base, offset) => {
            let Base::Register(register) = *base else { return };
            if let Some((variable, start)) = known[register as usize] {
                (*base, *offset) = (Base::Variable(variable), offset.wrapping_add(start));
            }
        }
        ArgKind::List(parts) => parts.iter_mut().for_each(|part| rename(part, known)),
        _ => {}
    }
}

/// Removes the definitions of known registers that no instruction reads.
fn remove_unused(resolved: &mut Resolved, known: &[Option<Place>]) {
    let mut uses = vec![0_u32; known.len()];
    // Definition of each known register, with the register that it reads.
    let mut defined = vec![None; known.len()];
    for (number, item) in resolved.items.iter().enumerate() {
        let Item::Inst(inst) = item else { continue };
        if let Some((register, ..)) = inst.guard {
            uses[register as usize] += 1;
        }
        let target = match inst.operands.first().map(|arg| &arg.kind) {
            Some(ArgKind::Register(register)) if known[*register as usize].is_some() => Some(*register),
            _ => None,
        };
        for arg in inst.operands.iter().skip(usize::from(target.is_some())) {
            registers(arg, &mut |register| uses[register as usize] += 1);
        }
        if let Some(target) = target {
            let from = match inst.operands[1].kind {
                ArgKind::Register(from) => Some(from),
                _ => None,
            };
            defined[target as usize] = Some((number, from));
        }
    }
    let mut unused: Vec<usize> = (0..known.len()).filter(|register| uses[*register] == 0).collect();
    let mut removed = vec![false; resolved.items.len()];
    while let Some(register) = unused.pop() {
        let Some((item, from)) = defined[register].take() else { continue };
        removed[item] = true;
        if let Some(from) = from {
            uses[from as usize] -= 1;
            if uses[from as usize] == 0 {
                unused.push(from as usize);
            }
        }
    }
    let mut removed = removed.into_iter();
    resolved.items.retain(|_| removed.next() != Some(true));
}
