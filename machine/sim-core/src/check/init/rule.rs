//! Rule of each micro-op for values that nothing wrote: computed once for each launch.

use isa::uop::{Inst, NO_ROW, Op, OperandKind, Program};

/// Numbers of the register rows of a warp over all register files: 32-bit rows, 64-bit rows,
/// predicates. Two more numbers follow: of a row that is always defined, for constants and absent
/// operands, and of a row that is never read, for absent results.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    w: u32,
    d: u32,
    p: u32,
}

impl Slots {
    /// The rows of a program.
    pub fn of(program: &Program) -> Self {
        let rows = program.rows;
        Self { w: rows.w.into(), d: rows.d.into(), p: rows.p.into() }
    }

    /// Number of rows.
    pub const fn count(self) -> u32 {
        self.w + self.d + self.p
    }

    /// Number of predicates.
    pub const fn predicates(self) -> u32 {
        self.p
    }

    /// The row that is always defined.
    pub const fn defined(self) -> u32 {
        self.count()
    }

    /// The row that is never read.
    pub const fn unread(self) -> u32 {
        self.count() + 1
    }

    /// Number of a register row; `None` for a constant or an absent operand.
    fn number(self, kind: OperandKind, row: u16, aux: u32) -> Option<u32> {
        let (first, count) = match kind {
            OperandKind::D => (self.w, self.d),
            OperandKind::Addr if aux & Inst::ADDR64 != 0 => (self.w, self.d),
            OperandKind::W | OperandKind::Addr => (0, self.w),
            OperandKind::P => (self.w + self.d, self.p),
        };
        let row = u32::from(row);
        (row < count).then_some(first + row)
    }
}

/// How a micro-op treats undefined operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It has no operands besides the guard, or ignores them.
    Control,
    /// The results are undefined if an operand is.
    Compute,
    /// A selection: only the predicate and the selected operand are used.
    Select,
    /// A product or conjunction: 0 if an operand is 0.
    Product,
    /// A disjunction: all ones if an operand is all ones.
    Disjunction,
    /// A product and a sum: the product is 0 if a factor is 0.
    MultiplyAdd,
    /// A division of integers: the result is also undefined if the divisor is 0.
    Divide,
    /// A load, store or atomic.
    Memory,
    /// A barrier with operands, or a vote: it needs its operands, and its result is defined.
    Warp,
    /// A shuffle: the first operand counts in the lane that it is copied from.
    Shuffle,
}

/// The rule of a micro-op.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// How it treats undefined operands.
    pub action: Action,
    /// Row of the guard.
    pub guard: u32,
    /// Rows of the results.
    pub dsts: [u32; 4],
    /// Rows of the operands.
    pub srcs: [u32; 5],
    /// Row of the predicate that it writes, in the predicate file; [`NO_ROW`] if there is none.
    pub predicate: u16,
}

impl Rule {
    /// Returns the rules of all micro-ops.
    pub fn all(program: &Program) -> Vec<Self> {
        let slots = Slots::of(program);
        program.code.iter().map(|inst| Self::of(inst, slots)).collect()
    }

    fn of(inst: &Inst, slots: Slots) -> Self {
        let mut rule = Self {
            action: action(inst.op),
            guard: slots.defined(),
            dsts: [slots.unread(); 4],
            srcs: [slots.defined(); 5],
            predicate: NO_ROW,
        };
        if let Some((row, _)) = inst.guard.get() {
            rule.guard = slots.number(OperandKind::P, row, 0).unwrap_or(rule.guard);
        }
        for (to, (kind, row)) in rule.dsts.iter_mut().zip(inst.dsts()) {
            *to = slots.number(kind, row, inst.aux).unwrap_or(*to);
            if kind == OperandKind::P && *to != slots.unread() {
                rule.predicate = row;
            }
        }
        if !is_known(inst) {
            for (to, (kind, row)) in rule.srcs.iter_mut().zip(inst.srcs()) {
                *to = slots.number(kind, row, inst.aux).unwrap_or(*to);
            }
        }
        rule
    }
}

/// Whether the result is the same for every value of the operands, because the two are equal.
fn is_known(inst: &Inst) -> bool {
    let cancels = matches!(
        inst.op,
        Op::XorB32
            | Op::XorB64
            | Op::XorPred
            | Op::SubB32
            | Op::SubB64
            | Op::SetpEqB32
            | Op::SetpNeB32
            | Op::SetpLtU32
            | Op::SetpLeU32
            | Op::SetpGtU32
            | Op::SetpGeU32
            | Op::SetpLtS32
            | Op::SetpLeS32
            | Op::SetpGtS32
            | Op::SetpGeS32
            | Op::SetpEqB64
            | Op::SetpNeB64
            | Op::SetpLtU64
            | Op::SetpLeU64
            | Op::SetpGtU64
            | Op::SetpGeU64
            | Op::SetpLtS64
            | Op::SetpLeS64
            | Op::SetpGtS64
            | Op::SetpGeS64
    );
    cancels && inst.src[0] == inst.src[1]
}

/// Micro-ops whose operands have a special effect; all others compute.
const ACTIONS: [(Action, &[Op]); 7] = [
    (
        Action::Control,
        &[
            Op::Bra,
            Op::BarSync,
            Op::MembarCta,
            Op::MembarGl,
            Op::Exit,
            Op::Trap,
            Op::Brkpt,
            Op::Call,
            Op::Ret,
            Op::Prefetch,
            Op::Pmevent,
            Op::BarWarpSync,
        ],
    ),
    (
        Action::Warp,
        &[
            Op::VoteAll,
            Op::VoteAny,
            Op::VoteUni,
            Op::VoteBallot,
            Op::VoteSyncAll,
            Op::VoteSyncAny,
            Op::VoteSyncUni,
            Op::VoteSyncBallot,
            Op::BarSyncN,
            Op::BarArrive,
            Op::BarRedPopc,
            Op::BarRedAnd,
            Op::BarRedOr,
            Op::CallInd,
        ],
    ),
    (Action::Shuffle, &[Op::ShflUp, Op::ShflDown, Op::ShflBfly, Op::ShflIdx]),
    (Action::Select, &[Op::SelpB32, Op::SelpB64]),
    (
        Action::Product,
        &[
            Op::AndB32,
            Op::AndB64,
            Op::AndPred,
            Op::MulLoB32,
            Op::MulLoB64,
            Op::MulHiU32,
            Op::MulHiS32,
            Op::MulHiU64,
            Op::MulHiS64,
            Op::MulWideU32,
            Op::MulWideS32,
            Op::Mul16B32,
            Op::Mul24LoU32,
            Op::Mul24LoS32,
            Op::Mul24HiU32,
            Op::Mul24HiS32,
        ],
    ),
    (Action::Disjunction, &[Op::OrB32, Op::OrB64, Op::OrPred]),
    (
        Action::MultiplyAdd,
        &[
            Op::MadLoB32,
            Op::MadLoB64,
            Op::MadWideU32,
            Op::MadWideS32,
            Op::Mad16B32,
            Op::Mad24LoU32,
            Op::Mad24LoS32,
        ],
    ),
];

fn action(op: Op) -> Action {
    if op.memory().is_some() {
        return Action::Memory;
    }
    if op.class().is_integer_division() {
        return Action::Divide;
    }
    ACTIONS.iter().find(|(_, ops)| ops.contains(&op)).map_or(Action::Compute, |(action, _)| *action)
}
