//! Timing properties of each instruction, computed once per launch.

use super::front::scoreboard::Producer;
use crate::config::{L1Config, OperandConfig, SecondCost, SecondPort, SmConfig};
use crate::counters::Flops;
use crate::mem::bank;
use crate::state::Value;
use isa::uop::issue::{Issue, MAX_OPERANDS, issues, operand_space};
use isa::uop::{CacheOperator, Class, ConstValue, Inst, MemorySpace, NO_ROW, Op, OperandKind, Program};

/// Largest number of scoreboard entries that one micro-op can need: four sources, a guard and two
/// destinations; or address, guard and the four elements of a vector.
const SINGLE: usize = 7;

/// Largest number of scoreboard entries that an instruction can write: the elements of a vector, or
/// a register and a predicate, and the result of a test.
const MAX_RESULTS: usize = 4;

/// Largest number of scoreboard entries that an instruction can need: its main micro-op, source and
/// result of each operand, and the result of a test.
const MAX_NEEDS: usize = SINGLE + 2 * MAX_OPERANDS + 1;

/// Scoreboard entries that an instruction needs: four of them, completed by an entry that is always
/// ready, and the others, if there are any.
pub type Needs<'a> = ([u16; 4], Option<&'a [u16]>);

/// Timing properties of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties that the issue logic tests")]
pub struct Decoded {
    /// Registers that must be ready: sources, guard, and destinations (writes must stay in order).
    /// The rest of the list is an entry that is always ready.
    needs: [u16; MAX_NEEDS],
    needs_len: u8,
    /// Registers that it writes. The rest of the list is an entry that is never read.
    results: [u16; MAX_RESULTS],
    results_len: u8,
    /// Issue slots.
    pub slots: u8,
    /// Shader cycles before its unit accepts another instruction. An operand from memory may
    /// increase it.
    pub busy: u32,
    /// Whether it is a single micro-op of one slot, without an operand in constant memory, and
    /// nothing but its lanes must be counted.
    pub plain: bool,
    /// Number of operand micro-ops, which are executed before the main one.
    pub operands: u8,
    /// Whether a comparison with zero is executed after the main micro-op.
    pub tested: bool,
    /// Number of instructions before it in the program.
    pub number: u32,
    /// Index of its main micro-op, to which its slots and waits are charged.
    pub main: u32,
    /// Rank of its type under the `priority` policy.
    pub rank: u8,
    /// Timing class of the instruction.
    pub class: Class,
    /// Floating-point operations of one lane.
    pub flops: Flops,
    /// Whether the lanes that execute these operations must be counted, because of a guard.
    pub counts_lanes: bool,
    /// Unit and queue that must be free when it issues; see [`Need`].
    pub need: Need,
    /// Whether its loads of global memory transfer whole lines: for the L1, or because there is no
    /// L1.
    pub cached: bool,
    /// Whether it is a branch with a guard.
    pub conditional: bool,
    /// Kind of producer of its result.
    pub producer: Producer,
    /// Shader cycles until the result can be used.
    pub latency: u32,
    /// How it can be dual-issued.
    pub dual_issue: DualIssue,
    /// Device address of an operand in constant memory or in the parameters; [`NO_CONSTANT`] if it
    /// has none.
    pub constant: u32,
}

/// How an instruction can issue together with another one in the same issue cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DualIssue {
    /// No dual issue.
    Nothing,
    /// Through the second port at this cost, together with an instruction of another warp. All its
    /// operands are registers.
    OtherWarp(SecondCost),
    /// With the previous or the next instruction of the same warp. It uses one slot and leaves the
    /// warp running.
    OtherInstruction,
}

impl DualIssue {
    /// The unit to which the second port can issue the instruction together with an instruction of
    /// another warp, with its cost.
    pub fn other_unit(self) -> Option<SecondCost> {
        if let Self::OtherWarp(unit) = self { Some(unit) } else { None }
    }
}

/// Resources that an instruction needs in its issue cycle, in one byte: its unit (bits 0 to 2), an
/// entry of the load/store queue (bit 3), and the unit plus 1 to which the second port could issue
/// it together with an instruction of another warp (bits 4 to 7; 0: none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
pub struct Need(u8);

impl Need {
    fn new(unit: u8, queued: bool, dual_issue: DualIssue) -> Self {
        let second = dual_issue.other_unit().map_or(0, |cost| cost.unit + 1);
        Self(unit | u8::from(queued) << 3 | second << 4)
    }

    /// Returns the number of its execution unit.
    #[inline]
    pub fn unit(self) -> u8 {
        self.0 & 7
    }

    /// Whether it needs an entry of the load/store queue.
    #[inline]
    pub fn queued(self) -> bool {
        self.0 >> 3 & 1 == 1
    }

    /// The unit of the second port.
    #[inline]
    pub fn second(self) -> Option<u8> {
        (self.0 >> 4).checked_sub(1)
    }
}

/// Value of [`Decoded::constant`] for an instruction without such an operand.
pub const NO_CONSTANT: u32 = u32::MAX;

impl Decoded {
    /// The scoreboard entries that must be ready.
    #[inline]
    pub fn needs(&self) -> &[u16] {
        &self.needs[..self.needs_len as usize]
    }

    /// The first four of [`Self::needs`], and the others.
    #[inline]
    pub fn split_needs(&self) -> Needs<'_> {
        let [first, second, third, fourth, more @ ..] = &self.needs;
        ([*first, *second, *third, *fourth], (self.needs_len > 4).then_some(more))
    }

    /// The first of [`Self::dsts`], or an entry that is never read, and the others, if there are
    /// any.
    #[inline]
    pub fn results(&self) -> (u16, Option<&[u16]>) {
        let [first, more @ ..] = &self.results;
        (*first, (self.results_len > 1).then_some(more))
    }

    /// Returns the number of its execution unit.
    #[inline]
    pub fn unit(&self) -> u8 {
        self.need.unit()
    }

    /// Whether the instruction is a single micro-op.
    pub fn is_single(&self) -> bool {
        self.operands == 0 && !self.tested
    }

    /// The scoreboard entries of its results. A vector load has several.
    #[inline]
    pub fn dsts(&self) -> &[u16] {
        &self.results[..self.results_len as usize]
    }
}

/// Number of scoreboard entries of one warp: 32-bit rows, then 64-bit rows, then predicates.
pub fn scoreboard_entries(program: &Program) -> usize {
    program.rows.w as usize + program.rows.d as usize + program.rows.p as usize
}

/// Scoreboard entry of an operand; constants have none.
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

/// Device address of an operand in constant memory or in the parameters.
fn constant(program: &Program, inst: &Inst, kind: OperandKind, row: u16) -> Option<u32> {
    let wide = kind == OperandKind::D || kind == OperandKind::Addr && inst.aux & Inst::ADDR64 != 0;
    let value = match kind {
        OperandKind::P => None,
        _ if row == NO_ROW => None,
        _ if wide => program.const64.get(row.checked_sub(program.rows.d)? as usize),
        _ => program.const32.get(row.checked_sub(program.rows.w)? as usize),
    };
    match value? {
        ConstValue::Bank { offset } => Some(bank::CONSTANTS + offset),
        ConstValue::Param { offset } => Some(bank::PARAMETERS + offset),
        ConstValue::Bits(_) | ConstValue::Global { .. } => None,
    }
}

/// The scoreboard entries of an instruction.
struct NeedList {
    list: [u16; MAX_NEEDS],
    len: u8,
}

impl NeedList {
    fn add(&mut self, register: u16) {
        if !self.list[..self.len as usize].contains(&register) {
            self.list[self.len as usize] = register;
            self.len += 1;
        }
    }
}

/// Scoreboard entries that an instruction needs and writes: sources first, then results. The values
/// of its fused operands are in no register after the instruction, but their rows must be free.
fn needs(program: &Program, issue: &Issue) -> (NeedList, u8) {
    let mut needs = NeedList { list: [0; MAX_NEEDS], len: 0 };
    let parts = &program.code[issue.first..issue.end];
    let entry = |inst: &Inst, (kind, row)| entry(program, inst, kind, row);
    let results = parts.iter().skip(issue.main - issue.first);
    let written = |register: u16| {
        results.clone().flat_map(|i| i.dsts().map(|d| entry(i, d))).any(|e| e == Some(register))
    };
    for inst in parts {
        let guard = inst.guard.get().map(|(row, _)| (OperandKind::P, row));
        let sources = inst.srcs().chain(guard).filter_map(|source| entry(inst, source));
        sources.filter(|register| !written(*register)).for_each(|register| needs.add(register));
    }
    for inst in &parts[..issue.main - issue.first] {
        let operands = inst.dsts().filter_map(|dst| entry(inst, dst));
        operands.filter(|register| !written(*register)).for_each(|register| needs.add(register));
    }
    let read = needs.len;
    for inst in results.clone() {
        inst.dsts().filter_map(|dst| entry(inst, dst)).for_each(|register| needs.add(register));
    }
    let dsts = needs.len - read;
    (needs, dsts)
}

/// Cost of operands from memory in addition to the cost of the class: the maximum over the
/// operands.
fn reading(program: &Program, config: &SmConfig, issue: &Issue) -> OperandConfig {
    let operands = &config.operands;
    let main = &program.code[issue.main];
    let spaces = program.code[issue.first..issue.main].iter().filter_map(|inst| operand_space(inst.op));
    let loaded =
        spaces.map(|space| if space == MemorySpace::Shared { operands.shared } else { operands.constant });
    let constants = main.srcs().filter_map(|(kind, row)| {
        let (registers, pool) = match kind {
            OperandKind::W => (program.rows.w, &program.const32),
            OperandKind::D => (program.rows.d, &program.const64),
            OperandKind::P | OperandKind::Addr => return None,
        };
        match pool.get(row.checked_sub(registers)? as usize)? {
            ConstValue::Param { .. } => Some(operands.param),
            ConstValue::Bank { .. } => Some(operands.constant),
            ConstValue::Bits(_) | ConstValue::Global { .. } => None,
        }
    });
    let none = OperandConfig { cycles: 0, latency: 0 };
    let computes = main.op.meaning().is_some();
    loaded.chain(constants.filter(|_| computes)).fold(none, |most, one| OperandConfig {
        cycles: most.cycles.max(one.cycles),
        latency: most.latency.max(one.latency),
    })
}

fn decode(program: &Program, config: &SmConfig, issue: &Issue, number: u32) -> Decoded {
    let inst = &program.code[issue.main];
    let class = inst.op.class();
    let cost = config.classes[class as usize];
    let (needs, results_len) = needs(program, issue);
    let entries = scoreboard_entries(program) as u16;
    let mut results = [entries + 1; MAX_RESULTS];
    let written = &needs.list[(needs.len - results_len) as usize..needs.len as usize];
    results[..written.len()].copy_from_slice(written);
    let reading = reading(program, config, issue);
    let constant = inst.srcs().find_map(|(kind, row)| constant(program, inst, kind, row));
    let constant = constant.unwrap_or(NO_CONSTANT);
    let of_registers = issue.end - issue.first == 1 && constant == NO_CONSTANT;
    let (producer, rank) = match inst.op.memory().map(|memory| memory.space) {
        Some(MemorySpace::Global | MemorySpace::Local | MemorySpace::Generic) => (Producer::Memory, 2),
        Some(MemorySpace::Shared) => (Producer::Shared, 1),
        Some(MemorySpace::Const | MemorySpace::Param) => (Producer::Constant, 1),
        None => (Producer::Execution, 0),
    };
    let queued = producer == Producer::Memory || inst.op == Op::MembarGl;
    let dual_issue = match (config.second_port, cost.second) {
        (SecondPort::AnyWarp, Some(unit)) if of_registers => DualIssue::OtherWarp(unit),
        (SecondPort::SameWarp, _) if cost.slots == 1 && class < Class::Branch => DualIssue::OtherInstruction,
        _ => DualIssue::Nothing,
    };
    let is_single = issue.end - issue.first == 1;
    let counts_lanes = !Flops::of(inst.op).is_none() && inst.guard.get().is_some();
    let mut all = [entries; MAX_NEEDS];
    all[..needs.len as usize].copy_from_slice(&needs.list[..needs.len as usize]);
    Decoded {
        plain: is_single && cost.slots == 1 && constant == NO_CONSTANT && !counts_lanes,
        needs: all,
        needs_len: needs.len,
        results,
        results_len,
        slots: cost.slots,
        busy: reading.cycles.max(cost.busy(&config.units)),
        operands: (issue.main - issue.first) as u8,
        tested: issue.end - issue.main > 1,
        number,
        main: issue.main as u32,
        rank,
        class,
        flops: Flops::of(inst.op),
        counts_lanes,
        need: Need::new(cost.unit, queued, dual_issue),
        cached: config.l1.is_none_or(|l1| by_l1(inst, l1)),
        conditional: inst.op == Op::Bra && inst.guard.get().is_some(),
        producer,
        latency: u32::from(cost.latency) + reading.latency,
        constant,
        dual_issue,
    }
}

/// Whether a load of global memory uses the L1.
fn by_l1(inst: &Inst, l1: L1Config) -> bool {
    match inst.cache() {
        _ if inst.aux & Inst::VOLATILE != 0 => false,
        CacheOperator::Default => l1.global,
        CacheOperator::Cg => false,
        _ => true,
    }
}

/// Decodes a whole program for an SM: returns, for each micro-op, the instruction that contains it.
pub fn decode_program(program: &Program, config: &SmConfig) -> Vec<Decoded> {
    let instructions = issues(&program.code).zip(0..);
    instructions
        .flat_map(|(issue, number)| vec![decode(program, config, &issue, number); issue.end - issue.first])
        .collect()
}
