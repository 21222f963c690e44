//! How each instruction passes on the objects of its operands: derived once for a launch.

use super::tags::{NUMBER, Row, UNKNOWN};
use super::{Range, is_object};
use crate::check::place::{object_of, symbols};
use crate::exec::{Kernel, Row32};
use isa::types::StateSpace;
use isa::uop::{ConstValue, Inst, MemorySpace, NO_ROW, Op, OperandKind, Symbol};

/// Operand of a sum or a difference of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// It always has this tag.
    Always(u8),
    /// A register that can hold an address, by the number of its tags.
    Slot(u16),
}

/// The address of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// No access, or one that is not checked.
    None,
    /// The operand with the object.
    Of(Operand),
}

impl Address {
    /// Whether there is an access to check.
    pub fn is_some(self) -> bool {
        self != Self::None
    }
}

/// Effect of an instruction on the tags of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The result is no register that can hold an address.
    Nothing,
    /// The tag of the operand.
    Copy { dst: u16, from: Operand },
    /// A sum of two operands.
    Sum { dst: u16, of: [Operand; 2] },
    /// A difference of two operands.
    Difference { dst: u16, of: [Operand; 2] },
    /// A product of the factors plus an addend.
    MultiplyAdd { dst: u16, factors: [Operand; 2], plus: Operand },
    /// The first operand where a predicate row is true, the second one elsewhere.
    Select { dst: u16, of: [Operand; 2], by: u16 },
    /// Any other result: unknown if an operand is not a number.
    Other { dst: u16, of: [Operand; 3] },
}

/// Action of the checker at an instruction.
#[derive(Clone, Copy, Debug)]
pub struct PlanStep {
    /// Address of the access.
    pub access: Address,
    /// The effect on the result.
    pub flow: Flow,
}

/// The plan of a launch.
#[derive(Debug)]
pub struct Plan {
    /// One step for each instruction.
    pub steps: Vec<PlanStep>,
    /// Number of registers that can hold an address.
    pub slots: usize,
    /// The objects; object i has the tag i + 1.
    objects: Vec<Range>,
}

impl Plan {
    /// Returns the object of a tag.
    pub fn range(&self, tag: u8) -> Option<Range> {
        is_object(tag).then(|| self.objects[tag as usize - 1])
    }

    /// Whether the lanes of `mask` have one tag and access bytes in its object, or need no check.
    pub fn all_inside(&self, tags: &Row, space: StateSpace, mask: u32, addr: &Row32, bytes: u32) -> bool {
        let first = tags[mask.trailing_zeros() as usize & 31];
        if tags.iter().any(|tag| *tag != first) {
            return false;
        }
        let Some(range) = self.range(first) else { return true };
        // Inactive lanes repeat the address of an active lane, except in generic accesses, which
        // are then compared lane by lane.
        range.space == space && addr.iter().all(|at| range.holds(*at, bytes))
    }

    /// Derives the plan of a launch.
    pub fn new(kernel: &Kernel, pointers: &[(u32, u32)]) -> Self {
        let builder = Builder::new(kernel, pointers);
        let slots = builder.slots();
        let steps = (0..kernel.program.code.len()).map(|pc| builder.step(pc, &slots)).collect();
        let count = slots.iter().flatten().filter(|slot| **slot != NO_ROW).count();
        Self { steps, slots: count, objects: builder.objects }
    }
}

/// Numbers of the tags of each row, for 32-bit and 64-bit rows; [`NO_ROW`] for a row that never
/// holds an address.
type Slots = [Vec<u16>; 2];

struct Builder<'k> {
    kernel: &'k Kernel,
    pointers: &'k [(u32, u32)],
    objects: Vec<Range>,
}

impl<'k> Builder<'k> {
    fn new(kernel: &'k Kernel, pointers: &'k [(u32, u32)]) -> Self {
        let mut builder = Self { kernel, pointers, objects: Vec::new() };
        let variables = |space, symbols: &[Symbol]| -> Vec<Range> {
            let range = |symbol| {
                let object = object_of(kernel, space, symbol);
                Range { space, start: object.start as u32, bytes: object.bytes as u32 }
            };
            symbols.iter().map(range).collect()
        };
        let mut objects = variables(StateSpace::Shared, &kernel.program.shared);
        objects.extend(variables(StateSpace::Local, &kernel.program.local));
        let constants = kernel.program.const32.iter().chain(&kernel.program.const64);
        let values =
            kernel.const32.iter().map(|row| row[0].into()).chain(kernel.const64.iter().map(|row| row[0]));
        let globals = constants.zip(values).filter(|(value, _)| matches!(value, ConstValue::Global { .. }));
        let addresses = pointers.iter().map(|(_, address)| u64::from(*address));
        for address in addresses.chain(globals.map(|(_, address)| address)) {
            objects.extend(u32::try_from(address).ok().and_then(|address| builder.allocation(address)));
        }
        objects.extend(variables(StateSpace::Const, &kernel.program.consts));
        for range in objects {
            if !builder.objects.contains(&range) && builder.objects.len() < usize::from(UNKNOWN) - 1 {
                builder.objects.push(range);
            }
        }
        builder
    }

    /// Returns the allocation that contains an address.
    fn allocation(&self, address: u32) -> Option<Range> {
        let range = self.kernel.allocations.find(address)?;
        Some(Range { space: StateSpace::Global, start: range.start, bytes: range.bytes })
    }

    /// Returns the tag of an object; unknown if there are too many objects.
    fn tag(&self, range: Option<Range>) -> u8 {
        let place = range.and_then(|range| self.objects.iter().position(|known| *known == range));
        place.map_or(UNKNOWN, |place| place as u8 + 1)
    }

    /// Returns the tag of the argument whose bytes begin at `offset`.
    fn argument(&self, offset: u32) -> u8 {
        let pointer = self.pointers.iter().find(|(at, _)| *at == offset);
        pointer.map_or(NUMBER, |(_, address)| self.tag(self.allocation(*address)))
    }

    /// Returns the variable that instruction `pc` names: its tag, and whether the instruction
    /// accesses the variable.
    fn named(&self, pc: usize) -> Option<(u8, bool)> {
        let used = self.kernel.program.variable_use(pc as u32)?;
        let symbol = symbols(self.kernel, used.space).get(used.symbol as usize)?;
        let object = object_of(self.kernel, used.space, symbol);
        let range = Range { space: used.space, start: object.start as u32, bytes: object.bytes as u32 };
        Some((self.tag(Some(range)), used.accesses))
    }

    /// Returns the registers that can hold an address, numbered.
    fn slots(&self) -> Slots {
        let program = &self.kernel.program;
        let mut slots = [vec![NO_ROW; program.rows.w.into()], vec![NO_ROW; program.rows.d.into()]];
        let mut count = 0;
        loop {
            let before = count;
            for (pc, inst) in program.code.iter().enumerate() {
                if !self.can_be_address(pc, inst, &slots) {
                    continue;
                }
                for (kind, row) in inst.dsts() {
                    let Some(file) = file(kind, inst) else { continue };
                    let slot = &mut slots[file][row as usize];
                    if *slot == NO_ROW {
                        *slot = count;
                        count += 1;
                    }
                }
            }
            if count == before {
                return slots;
            }
        }
    }

    /// Whether the result of an instruction can have another tag than that of a number.
    fn can_be_address(&self, pc: usize, inst: &Inst, slots: &Slots) -> bool {
        if let Some(memory) = inst.op.memory() {
            return memory.space == MemorySpace::Param && self.loaded(inst) != NUMBER;
        }
        self.named(pc).is_some_and(|(_, accesses)| !accesses)
            || inst.srcs().any(|(kind, row)| self.operand(kind, row, inst, slots) != Operand::Always(NUMBER))
    }

    /// Returns the tag of the value that a load of a parameter loads.
    fn loaded(&self, inst: &Inst) -> u8 {
        let plain = matches!(inst.op, Op::LdParamB32 | Op::LdParamB64) && inst.src[0] == NO_ROW;
        if plain { self.argument(inst.imm) } else { NUMBER }
    }

    fn operand(&self, kind: OperandKind, row: u16, inst: &Inst, slots: &Slots) -> Operand {
        let Some(file) = file(kind, inst).filter(|_| row != NO_ROW) else { return Operand::Always(NUMBER) };
        if let Some(slot) = slots[file].get(row as usize) {
            return if *slot == NO_ROW { Operand::Always(NUMBER) } else { Operand::Slot(*slot) };
        }
        let program = &self.kernel.program;
        let number = row as usize - slots[file].len();
        let (value, bits) = if file == 0 {
            (program.const32.get(number), self.kernel.const32.get(number).map(|row| u64::from(row[0])))
        } else {
            (program.const64.get(number), self.kernel.const64.get(number).map(|row| row[0]))
        };
        Operand::Always(match value {
            Some(ConstValue::Param { offset }) => self.argument(*offset),
            Some(ConstValue::Global { .. }) => {
                let address = bits.and_then(|bits| u32::try_from(bits).ok());
                self.tag(address.and_then(|address| self.allocation(address)))
            }
            Some(ConstValue::Bits(_) | ConstValue::Bank { .. }) | None => NUMBER,
        })
    }

    /// Returns the step of an instruction.
    fn step(&self, pc: usize, slots: &Slots) -> PlanStep {
        let inst = &self.kernel.program.code[pc];
        let named = self.named(pc);
        let sources: Vec<Operand> =
            inst.srcs().map(|(kind, row)| self.operand(kind, row, inst, slots)).collect();
        let access = match (inst.op.memory().map(|memory| memory.space), named) {
            (None | Some(MemorySpace::Param), _) => Address::None,
            // A variable in a stack frame has no object.
            (Some(_), Some((_, true))) if inst.src[0] != NO_ROW => Address::None,
            (Some(_), Some((tag, true))) => Address::Of(Operand::Always(tag)),
            (
                Some(
                    MemorySpace::Shared
                    | MemorySpace::Local
                    | MemorySpace::Const
                    | MemorySpace::Global
                    | MemorySpace::Generic,
                ),
                _,
            ) => sources.first().map_or(Address::None, |operand| Address::Of(*operand)),
        };
        let access = if access == Address::Of(Operand::Always(NUMBER)) { Address::None } else { access };
        let result = inst.dsts().find_map(|(kind, row)| {
            let slot = slots[file(kind, inst)?].get(row as usize)?;
            (*slot != NO_ROW).then_some(*slot)
        });
        let flow = result.map_or(Flow::Nothing, |dst| self.flow(inst, dst, named, &sources));
        PlanStep { access, flow }
    }

    fn flow(&self, inst: &Inst, dst: u16, named: Option<(u8, bool)>, sources: &[Operand]) -> Flow {
        let of = |place: usize| sources.get(place).copied().unwrap_or(Operand::Always(NUMBER));
        if inst.op.memory().is_some() {
            return Flow::Copy { dst, from: Operand::Always(self.loaded(inst)) };
        }
        if let Some((tag, false)) = named {
            return if matches!(inst.op, Op::MovB32 | Op::MovB64) {
                Flow::Copy { dst, from: Operand::Always(tag) }
            } else if matches!(inst.op, Op::AddB32 | Op::AddB64) {
                // The variable's address is a constant, whose tag is that of a number.
                let other = if of(0) == Operand::Always(NUMBER) { of(1) } else { of(0) };
                Flow::Sum { dst, of: [Operand::Always(tag), other] }
            } else {
                Flow::Copy { dst, from: Operand::Always(UNKNOWN) }
            };
        }
        let is = |ops: &[Op]| ops.contains(&inst.op);
        if is(&[Op::MovB32, Op::MovB64, Op::CvtB64U32, Op::CvtB64S32, Op::CvtB32B64]) {
            Flow::Copy { dst, from: of(0) }
        } else if is(&[Op::AddB32, Op::AddB64]) {
            Flow::Sum { dst, of: [of(0), of(1)] }
        } else if is(&[Op::SubB32, Op::SubB64]) {
            Flow::Difference { dst, of: [of(0), of(1)] }
        } else if is(&MULTIPLY_ADD) {
            Flow::MultiplyAdd { dst, factors: [of(0), of(1)], plus: of(2) }
        } else if is(&[Op::SelpB32, Op::SelpB64]) {
            Flow::Select { dst, of: [of(0), of(1)], by: inst.src[2] }
        } else if sources.len() > 3 {
            // At most three operands of any other micro-op can be addresses, or its result is
            // unknown in any case.
            Flow::Copy { dst, from: Operand::Always(UNKNOWN) }
        } else {
            Flow::Other { dst, of: [of(0), of(1), of(2)] }
        }
    }
}

/// Products plus an addend.
const MULTIPLY_ADD: [Op; 7] = [
    Op::MadLoB32,
    Op::MadWideU32,
    Op::MadWideS32,
    Op::Mad24LoU32,
    Op::Mad24LoS32,
    Op::Mad16B32,
    Op::MadLoB64,
];

/// Returns the file of an operand with 32 or 64 bits; `None` for a predicate.
fn file(kind: OperandKind, inst: &Inst) -> Option<usize> {
    match kind {
        OperandKind::W => Some(0),
        OperandKind::D => Some(1),
        OperandKind::P => None,
        OperandKind::Addr => Some((inst.aux & Inst::ADDR64 != 0).into()),
    }
}
