//! Parameters that a kernel uses as addresses of global memory.
//!
//! PTX declares a pointer as an unsigned integer. What it points to follows from its use: the
//! analysis follows each parameter through the code, over branches and calls, and notes the
//! accesses to global memory whose address has the parameter as its *base*.
//!
//! A sum keeps the bases of its terms. A product, a shift or any other arithmetic has none, so that
//! a row width that is multiplied with an index is no base. Values that go through memory are not
//! followed.

use crate::element::TYPES;
use isa::types::{ScalarType, TypeKind};
use isa::uop::{Class, ConstValue, Inst, MemoryKind, MemorySpace, NO_ROW, Op, OperandKind, Program};
use std::collections::{BTreeMap, BTreeSet};

/// How a kernel uses what a parameter points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointee {
    /// Element type of the first access in the code.
    pub ty: ScalarType,
    /// Most elements that one thread accesses at once: 2 or 4 of a vector, else 1.
    pub elements: u32,
    /// Whether an access reads memory.
    pub read: bool,
    /// Whether an access writes memory.
    pub written: bool,
}

/// What a parameter in constant memory is assumed to point to.
pub const CONSTANT: Pointee = Pointee { ty: ScalarType::F32, elements: 1, read: true, written: false };

/// Micro-ops over which the analysis follows a parameter.
#[derive(Clone, Copy, Debug)]
enum Follow {
    /// Those of [`KEEPS`], whose result is an address if a source is one.
    Addresses,
    /// All that do not access memory.
    Arithmetic,
}

/// Sources of a micro-op whose bases its result keeps.
#[derive(Clone, Copy, Debug)]
enum Keeps {
    All,
    First,
    Last,
}

/// Micro-ops whose result has bases: moves, sums, selections, and conversions of addresses.
const KEEPS: [(Op, Keeps); 28] = [
    (Op::MovB32, Keeps::All),
    (Op::MovB64, Keeps::All),
    (Op::SelpB32, Keeps::All),
    (Op::SelpB64, Keeps::All),
    (Op::AddB32, Keeps::All),
    (Op::AddB64, Keeps::All),
    (Op::AddCcB32, Keeps::All),
    (Op::AddcB32, Keeps::All),
    (Op::AddcCcB32, Keeps::All),
    (Op::OrB32, Keeps::All),
    (Op::OrB64, Keeps::All),
    (Op::PackB64, Keeps::All),
    (Op::HiB64, Keeps::All),
    (Op::CvtB64U32, Keeps::All),
    (Op::CvtB32B64, Keeps::All),
    (Op::SubB32, Keeps::First),
    (Op::SubB64, Keeps::First),
    // A mask rounds an address down.
    (Op::AndB32, Keeps::First),
    (Op::AndB64, Keeps::First),
    (Op::MadLoB32, Keeps::Last),
    (Op::MadLoB64, Keeps::Last),
    (Op::MadWideU32, Keeps::Last),
    (Op::MadWideS32, Keeps::Last),
    (Op::Mad24LoU32, Keeps::Last),
    (Op::Mad24LoS32, Keeps::Last),
    (Op::Mad16B32, Keeps::Last),
    (Op::SubCcB32, Keeps::First),
    (Op::SubcB32, Keeps::First),
];

/// A register row: whether it has 64 bits, and its number.
type Row = (bool, u16);

/// Parameters, by their numbers.
type Bases = BTreeSet<usize>;

/// The rows that have bases at one point of the program.
type State = BTreeMap<Row, Bases>;

/// Returns the numbers of the parameters on which an integer comparison depends, by any arithmetic:
/// counts of elements, widths of rows, ends of loops.
pub fn compared(program: &Program) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (inst, state) in program.code.iter().zip(states(program, Follow::Arithmetic)) {
        let Some(state) = state.filter(|_| matches!(inst.op.class(), Class::IntCmp | Class::IntCmp64)) else {
            continue;
        };
        let rows = inst.srcs().filter_map(|(kind, row)| file(kind, inst, row));
        found.extend(rows.flat_map(|row| bases(program, &state, row)));
    }
    found
}

/// Returns what each parameter points to; `None` for a parameter that is no pointer.
pub fn of(program: &Program) -> Vec<Option<Pointee>> {
    // Narrowed addresses are 32-bit words like any others.
    let wide = program.widened();
    let program = wide.as_deref().unwrap_or(program);
    let mut found = vec![None; program.params.len()];
    for (pc, state) in states(program, Follow::Addresses).iter().enumerate() {
        let (inst, Some(state)) = (&program.code[pc], state) else { continue };
        let Some(memory) = inst.op.memory() else { continue };
        match memory.space {
            MemorySpace::Global | MemorySpace::Generic => {}
            MemorySpace::Param | MemorySpace::Const | MemorySpace::Shared | MemorySpace::Local => continue,
        }
        let wide = inst.aux & Inst::ADDR64 != 0;
        for param in bases(program, state, (wide, inst.src[0])) {
            let ty = program.params[param].ty;
            let size = if wide { 8 } else { 4 };
            if program.params[param].bytes != size || ty.bytes() != size || ty.kind() == TypeKind::Float {
                continue;
            }
            let pointee = found[param].get_or_insert_with(|| Pointee {
                ty: element(program, pc, memory.width.bytes() / inst.op.shape().elements() as u32),
                elements: 1,
                read: false,
                written: false,
            });
            pointee.elements = pointee.elements.max(inst.op.shape().elements() as u32);
            pointee.read |= memory.kind == MemoryKind::Load || memory.kind.is_atomic();
            pointee.written |= memory.kind.writes();
        }
    }
    found
}

/// Element type of an access: the type in its PTX instruction, where launch files have it.
fn element(program: &Program, pc: usize, bytes: u32) -> ScalarType {
    let text = program.ptx_text(pc as u32);
    let opcode = text.split_whitespace().find(|word| !word.starts_with(['@', '{']) && word.contains('.'));
    let named = opcode.and_then(|word| ScalarType::from_name(word.rsplit('.').next()?));
    // Below `sm_13` an access to a double uses the lower half of its eight bytes.
    if named == Some(ScalarType::F64) {
        return ScalarType::F64;
    }
    let known = |ty: &ScalarType| ty.bytes() == bytes && TYPES.iter().any(|(_, known)| known == ty);
    named.filter(known).unwrap_or(match bytes {
        1 => ScalarType::B8,
        2 => ScalarType::B16,
        8 => ScalarType::B64,
        _ => ScalarType::B32,
    })
}

/// The state in front of each micro-op; `None` for code that cannot be reached.
fn states(program: &Program, follow: Follow) -> Vec<Option<State>> {
    let mut before: Vec<Option<State>> = vec![None; program.code.len()];
    let returns = after_calls(program);
    let mut due = BTreeSet::new();
    if let Some(first) = before.first_mut() {
        *first = Some(State::new());
        due.insert(0);
    }
    while let Some(pc) = due.pop_first() {
        let mut state = before[pc].clone().unwrap_or_default();
        step(program, follow, pc, &mut state);
        for next in successors(program, pc, &returns) {
            let Some(old) = before.get_mut(next) else { continue };
            let mut grown = old.is_none();
            let old = old.get_or_insert_default();
            for (row, bases) in &state {
                let known = old.entry(*row).or_default();
                grown |= !bases.is_subset(known);
                known.extend(bases);
            }
            if grown {
                due.insert(next);
            }
        }
    }
    before
}

/// The micro-ops behind all calls.
fn after_calls(program: &Program) -> Vec<usize> {
    let calls = program.code.iter().enumerate().filter(|(_, inst)| matches!(inst.op, Op::Call | Op::CallInd));
    calls.map(|(pc, _)| pc + 1).collect()
}

/// The micro-ops that control may pass to. A return leads behind every call, which is more than may
/// happen and never less.
fn successors(program: &Program, pc: usize, returns: &[usize]) -> Vec<usize> {
    let inst = &program.code[pc];
    let mut next = Vec::new();
    match inst.op {
        Op::Bra => next.push(inst.imm as usize),
        Op::Ret => next.extend(returns),
        _ => next.extend(program.callees(inst).map(|function| function.start as usize)),
    }
    let ends = matches!(inst.op, Op::Bra | Op::Exit | Op::Ret | Op::Trap);
    if !ends || inst.guard.get().is_some() {
        next.push(pc + 1);
    }
    next
}

/// Applies a micro-op to the state.
fn step(program: &Program, follow: Follow, pc: usize, state: &mut State) {
    let inst = &program.code[pc];
    let sources: Vec<Row> = inst.srcs().filter_map(|(kind, row)| file(kind, inst, row)).collect();
    let of = |row: &Row| bases(program, state, *row);
    let keeps = match follow {
        Follow::Addresses => KEEPS.iter().find(|(op, _)| *op == inst.op).map(|(_, keeps)| *keeps),
        Follow::Arithmetic => inst.op.memory().is_none().then_some(Keeps::All),
    };
    let kept = match keeps {
        Some(Keeps::All) => sources.iter().flat_map(of).collect(),
        Some(Keeps::First) => sources.first().map(of).unwrap_or_default(),
        Some(Keeps::Last) => sources.last().map(of).unwrap_or_default(),
        None => loaded(program, inst),
    };
    for row in inst.dsts().filter_map(|(kind, row)| file(kind, inst, row)).collect::<Vec<_>>() {
        // Under a guard some lanes keep the old value.
        if inst.guard.get().is_none() {
            state.remove(&row);
        }
        if !kept.is_empty() {
            state.entry(row).or_default().extend(&kept);
        }
    }
}

/// The parameter that an instruction loads, if it loads one.
fn loaded(program: &Program, inst: &Inst) -> Bases {
    let from_params = inst.op.memory().is_some_and(|memory| memory.space == MemorySpace::Param);
    if from_params && inst.src[0] == NO_ROW { at_offset(program, inst.imm) } else { Bases::new() }
}

/// The parameter at an offset of the parameter block.
fn at_offset(program: &Program, offset: u32) -> Bases {
    program.params.iter().position(|param| param.offset == offset).into_iter().collect()
}

/// The bases of a row, which may be a constant.
fn bases(program: &Program, state: &State, (wide, row): Row) -> Bases {
    let (registers, pool) =
        if wide { (program.rows.d, &program.const64) } else { (program.rows.w, &program.const32) };
    let constant = row.checked_sub(registers).and_then(|index| pool.get(usize::from(index)));
    match constant {
        Some(ConstValue::Param { offset }) => at_offset(program, *offset),
        Some(ConstValue::Bits(_) | ConstValue::Global { .. } | ConstValue::Bank { .. }) => Bases::new(),
        None => state.get(&(wide, row)).cloned().unwrap_or_default(),
    }
}

/// The row of an operand; `None` for a predicate.
fn file(kind: OperandKind, inst: &Inst, row: u16) -> Option<Row> {
    match kind {
        OperandKind::W => Some((false, row)),
        OperandKind::D => Some((true, row)),
        OperandKind::Addr => Some((inst.aux & Inst::ADDR64 != 0, row)),
        OperandKind::P => None,
    }
}
