//! Loads and stores, in every state space, and generic addresses.

use super::super::memory::Memory;
use super::{Context, Instruction, Operand, Result, Thread, elements, number, truncate, width};
use isa::types::{ScalarType, StateSpace};

/// First generic address of shared memory. An ordered program can observe the location of this
/// window only by storing such an address.
const SHARED_WINDOW: u64 = 0xe000_0000;
/// First generic address of the thread's local memory, up to [`WINDOWS_END`].
const LOCAL_WINDOW: u64 = 0xe100_0000;
/// From here on generic addresses are in global memory again.
const WINDOWS_END: u64 = 0xe200_0000;

fn window(space: StateSpace) -> u64 {
    match space {
        StateSpace::Shared => SHARED_WINDOW,
        StateSpace::Local => LOCAL_WINDOW,
        _ => 0,
    }
}

/// Returns the space of a generic address.
fn space_of(address: u64) -> StateSpace {
    match address {
        SHARED_WINDOW..LOCAL_WINDOW => StateSpace::Shared,
        LOCAL_WINDOW..WINDOWS_END => StateSpace::Local,
        _ => StateSpace::Global,
    }
}

impl Thread {
    /// Returns an instruction's space and the address that `operand` denotes in it.
    pub(super) fn place(
        &self,
        inst: &Instruction,
        operand: &Operand,
        context: &Context,
    ) -> Result<(StateSpace, u64)> {
        let Operand::Memory(base, offset) = operand else {
            return Err(format!("{operand:?} is not an address"));
        };
        let sum = self.base(*base).wrapping_add(*offset);
        let address = match base {
            super::Base::Register(register) => {
                truncate(sum.into(), width(self.register_type(*register, context)))
            }
            _ => sum,
        };
        Ok(inst.space().map_or_else(
            || (space_of(address), address - window(space_of(address))),
            |space| (space, address),
        ))
    }

    /// Returns the memory of a space.
    pub(super) fn memory<'a>(&'a mut self, space: StateSpace, context: &'a mut Context) -> &'a mut Memory {
        match space {
            StateSpace::Shared => context.shared,
            StateSpace::Const => context.constants,
            StateSpace::Param => &mut self.now.params,
            StateSpace::Local => &mut self.local,
            StateSpace::Global
            | StateSpace::Reg
            | StateSpace::Tex
            | StateSpace::Surf
            | StateSpace::Sampler => context.global,
        }
    }

    pub(super) fn load(&mut self, inst: &Instruction, context: &mut Context) -> Result<()> {
        let ty = inst.types[0];
        let (space, address) = self.place(inst, &inst.operands[1], context)?;
        let elements = elements(&inst.operands[0]);
        let size = aligned(address, ty, elements)?;
        let mut values = Vec::new();
        for place in 0..elements.len() as u64 {
            values.push(self.memory(space, context).load(address + place * size, ty.bytes())?);
        }
        for (element, bits) in elements.iter().zip(values) {
            self.write(element, number(bits, ty), context)?;
        }
        Ok(())
    }

    pub(super) fn store(&mut self, inst: &Instruction, context: &mut Context) -> Result<()> {
        let ty = inst.types[0];
        let (space, address) = self.place(inst, &inst.operands[0], context)?;
        let elements = elements(&inst.operands[1]);
        let size = aligned(address, ty, elements)?;
        for (place, element) in (0..).zip(elements) {
            let value = self.read(element, ty, context)?;
            self.memory(space, context).store(address + place * size, ty.bytes(), value)?;
        }
        Ok(())
    }

    /// `cvta{.to}.space.size d, a`.
    pub(super) fn generic(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let ty = *inst.types.first().ok_or("no type")?;
        let window = window(inst.space().ok_or("no space")?);
        let address = self.read(&inst.operands[1], ty, context)?;
        let result = if inst.has("to") { address.wrapping_sub(window) } else { address.wrapping_add(window) };
        self.write(&inst.operands[0], result.into(), context)
    }

    /// `isspacep.space p, a`.
    pub(super) fn is_in_space(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let address = self.read(&inst.operands[1], ScalarType::U64, context)?;
        let holds = inst.space() == Some(space_of(address));
        self.write(&inst.operands[0], holds.into(), context)
    }
}

/// Returns the size of an element if the whole vector is aligned.
fn aligned(address: u64, ty: ScalarType, elements: &[Operand]) -> Result<u64> {
    let size = u64::from(ty.bytes());
    let whole = size * elements.len() as u64;
    if address.is_multiple_of(whole) {
        Ok(size)
    } else {
        Err(format!("{address:#x} is not a multiple of {whole}"))
    }
}
