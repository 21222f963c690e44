//! What timing needs to know of each instruction, worked out once per launch.

use super::scoreboard::Producer;
use crate::config::{SecondCost, SecondPort, SmConfig};
use isa::uop::{Class, Inst, NO_ROW, Op, OperandKind, Program};

/// The most scoreboard entries that one instruction can need: four sources, a guard and two destinations; or address,
/// guard and four elements of a vector.
const MAX_NEEDS: usize = 7;

/// One instruction as the SM sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Registers that must be ready: sources, guard, and destinations (no write may overtake another).
    needs: [u16; MAX_NEEDS],
    needs_len: u8,
    /// How many of them, the last ones, it writes.
    dsts_len: u8,
    /// Unit.
    pub unit: u8,
    /// Issue slots.
    pub slots: u8,
    /// Hot cycles for which it keeps its unit from taking another instruction.
    pub busy: u32,
    /// Rank of its type under the `priority` policy.
    pub rank: u8,
    /// Class.
    pub class: Class,
    /// Floating-point operations per lane.
    pub flops: u8,
    /// It goes through the load/store queue.
    pub queued: bool,
    /// It is a branch with a guard.
    pub conditional: bool,
    /// Who makes its result.
    pub producer: Producer,
    /// Hot cycles until the result can be used.
    pub latency: u32,
    /// How it issues through the second port beside an instruction of another warp, if it can.
    pub second: Option<SecondCost>,
    /// It may issue together with its neighbours of the same warp: one slot, and it leaves the warp running.
    pub pairs: bool,
}

impl Decoded {
    /// The scoreboard entries that must be ready.
    pub fn needs(&self) -> &[u16] {
        &self.needs[..self.needs_len as usize]
    }

    /// The scoreboard entries of its results: those of a vector load are several.
    pub fn dsts(&self) -> &[u16] {
        let needs = self.needs();
        &needs[needs.len() - self.dsts_len as usize..]
    }
}

/// Number of scoreboard entries of one warp: 32-bit rows, then 64-bit rows, then predicates.
pub fn scoreboard_entries(program: &Program) -> usize {
    program.rows.w as usize + program.rows.d as usize + program.rows.p as usize
}

/// The scoreboard entry of an operand; constants have none.
fn entry(program: &Program, inst: &Inst, kind: OperandKind, row: u16) -> Option<u16> {
    let rows = program.rows;
    let wide = kind == OperandKind::D || kind == OperandKind::Addr && inst.aux & Inst::ADDR64 != 0;
    let (base, count) = match kind {
        OperandKind::P => (rows.w + rows.d, rows.p),
        _ if wide => (rows.w, rows.d),
        _ => (0, rows.w),
    };
    (row != NO_ROW && row < count).then(|| base + row)
}

fn decode(program: &Program, config: &SmConfig, inst: &Inst) -> Decoded {
    let class = inst.op.class();
    let cost = config.classes[class as usize];
    let dsts = inst.dsts().filter_map(|(kind, row)| entry(program, inst, kind, row));
    let sources = inst.srcs().filter_map(|(kind, row)| entry(program, inst, kind, row));
    let guard = inst.guard.get().and_then(|(row, _)| entry(program, inst, OperandKind::P, row));
    let mut needs = [0; MAX_NEEDS];
    let (mut needs_len, mut dsts_len) = (0, 0);
    for (register, written) in
        sources.chain(guard).map(|register| (register, 0)).chain(dsts.map(|register| (register, 1)))
    {
        needs[needs_len as usize] = register;
        needs_len += 1;
        dsts_len += written;
    }
    let (producer, rank) = match class {
        Class::LdGlobal | Class::StGlobal | Class::AtomGlobal | Class::LdLocal | Class::StLocal => {
            (Producer::Memory, 2)
        }
        Class::LdShared | Class::StShared | Class::AtomShared => (Producer::Shared, 1),
        Class::LdConst | Class::LdParam => (Producer::Constant, 1),
        _ => (Producer::Execution, 0),
    };
    Decoded {
        needs,
        needs_len,
        dsts_len,
        unit: cost.unit,
        slots: cost.slots,
        busy: cost.busy(&config.units),
        rank,
        class,
        flops: inst.op.flops() as u8,
        queued: producer == Producer::Memory || inst.op == Op::MembarGl,
        conditional: inst.op == Op::Bra && inst.guard.get().is_some(),
        producer,
        latency: u32::from(cost.latency),
        second: cost.second.filter(|_| config.second_port == SecondPort::AnyWarp),
        pairs: config.second_port == SecondPort::SameWarp && cost.slots == 1 && class < Class::Branch,
    }
}

/// Decodes a whole program for an SM.
pub fn decode_program(program: &Program, config: &SmConfig) -> Vec<Decoded> {
    program.code.iter().map(|inst| decode(program, config, inst)).collect()
}
