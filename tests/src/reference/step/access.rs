//! Loads and stores, in every state space, and generic addresses.

use super::super::memory::Memory;
use super::{Instruction, Operand, Result, Surroundings, Thread, cut, elements, number, width};
use isa::types::{ScalarType, StateSpace};

/// Generic addresses from here on are those of shared memory; where a machine has its window nobody
/// can tell from an ordered program's results but by storing such an address.
const SHARED_WINDOW: u64 = 0xe000_0000;
/// From here on they are the thread's local memory's, up to [`WINDOWS_END`].
const LOCAL_WINDOW: u64 = 0xe100_0000;
/// From here on they are global memory's again.
const WINDOWS_END: u64 = 0xe200_0000;

fn window(space: StateSpace) -> u64 {
    match space {
        StateSpace::Shared => SHARED_WINDOW,
        StateSpace::Local => LOCAL_WINDOW,
        _ => 0,
    }
}

/// The space of a generic address.
fn space_of(address: u64) -> StateSpace {
    match address {
        SHARED_WINDOW..LOCAL_WINDOW => StateSpace::Shared,
        LOCAL_WINDOW..WINDOWS_END => StateSpace::Local,
        _ => StateSpace::Global,
    }
}

impl Thread {
    /// An instruction's space and the address there that `operand` means.
    pub(super) fn place(
        &self,
        inst: &Instruction,
        operand: &Operand,
        around: &Surroundings,
    ) -> Result<(StateSpace, u64)> {
        let Operand::Memory(base, offset) = operand else { return Err(format!("{operand:?} is no address")) };
        let sum = self.base(*base).wrapping_add(*offset);
        let address = match base {
            super::Base::Register(register) => cut(sum.into(), width(self.register_type(*register, around))),
            _ => sum,
        };
        Ok(inst.space().map_or_else(
            || (space_of(address), address - window(space_of(address))),
            |space| (space, address),
        ))
    }

    /// The memory of a space.
    pub(super) fn memory<'a>(
        &'a mut self,
        space: StateSpace,
        around: &'a mut Surroundings,
    ) -> &'a mut Memory {
        match space {
            StateSpace::Shared => around.shared,
            StateSpace::Const => around.constants,
            StateSpace::Param => &mut self.now.params,
            StateSpace::Local => &mut self.local,
            StateSpace::Global | StateSpace::Reg => around.global,
        }
    }

    pub(super) fn load(&mut self, inst: &Instruction, around: &mut Surroundings) -> Result<()> {
        let ty = inst.types[0];
        let (space, address) = self.place(inst, &inst.operands[1], around)?;
        let elements = elements(&inst.operands[0]);
        let size = aligned(address, ty, elements)?;
        let mut values = Vec::new();
        for place in 0..elements.len() as u64 {
            values.push(self.memory(space, around).load(address + place * size, ty.bytes())?);
        }
        for (element, bits) in elements.iter().zip(values) {
            self.write(element, number(bits, ty), around)?;
        }
        Ok(())
    }

    pub(super) fn store(&mut self, inst: &Instruction, around: &mut Surroundings) -> Result<()> {
        let ty = inst.types[0];
        let (space, address) = self.place(inst, &inst.operands[0], around)?;
        let elements = elements(&inst.operands[1]);
        let size = aligned(address, ty, elements)?;
        for (place, element) in (0..).zip(elements) {
            let value = self.read(element, ty, around)?;
            self.memory(space, around).store(address + place * size, ty.bytes(), value)?;
        }
        Ok(())
    }

    /// `cvta{.to}.space.size d, a`.
    pub(super) fn generic(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let ty = *inst.types.first().ok_or("no type")?;
        let window = window(inst.space().ok_or("no space")?);
        let address = self.read(&inst.operands[1], ty, around)?;
        let result = if inst.has("to") { address.wrapping_sub(window) } else { address.wrapping_add(window) };
        self.write(&inst.operands[0], result.into(), around)
    }

    /// `isspacep.space p, a`.
    pub(super) fn is_in_space(&mut self, inst: &Instruction, around: &Surroundings) -> Result<()> {
        let address = self.read(&inst.operands[1], ScalarType::U64, around)?;
        let holds = inst.space() == Some(space_of(address));
        self.write(&inst.operands[0], holds.into(), around)
    }
}

/// The size of an element, if the whole vector is aligned.
fn aligned(address: u64, ty: ScalarType, elements: &[Operand]) -> Result<u64> {
    let size = u64::from(ty.bytes());
    let whole = size * elements.len() as u64;
    if address.is_multiple_of(whole) {
        Ok(size)
    } else {
        Err(format!("{address:#x} is no multiple of {whole}"))
    }
}
