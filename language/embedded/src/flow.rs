//! What instructions read and write, blocks of code, and which registers are live.

use crate::code::{Access, Binary, Function, Instr, Launch, Reg, Unary};
use smallvec::{SmallVec, smallvec};

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// An integer or an address.
    Int,
    F32,
    F64,
}

/// The class of a value; `None` if the instruction only moves its bits.
pub type Known = Option<Class>;

/// The effects of an instruction on registers.
#[derive(Default, Debug)]
pub struct Effects {
    /// Registers that are read.
    pub uses: SmallVec<[(Reg, Known); 4]>,
    /// The register that is written.
    pub def: Option<(Reg, Known)>,
    /// Registers from here on have no value afterwards, except `def`.
    pub clobbers: Option<Reg>,
}

impl Effects {
    /// Whether a register is read.
    pub fn reads(&self, reg: Reg) -> bool {
        self.uses.iter().any(|(one, _)| *one == reg)
    }

    /// Whether a register has another value afterwards, or none.
    pub fn writes(&self, reg: Reg) -> bool {
        self.def.is_some_and(|(def, _)| def == reg) || self.clobbers.is_some_and(|first| reg >= first)
    }
}

const INT: Known = Some(Class::Int);
const F32: Known = Some(Class::F32);
const F64: Known = Some(Class::F64);

/// Classes of the operands and of the result.
fn of_binary(binary: Binary) -> (Known, Known) {
    use Binary as B;
    match binary {
        B::AddF32 | B::SubF32 | B::MulF32 | B::DivF32 => (F32, F32),
        B::AddF64 | B::SubF64 | B::MulF64 | B::DivF64 => (F64, F64),
        B::EqF32 | B::NeF32 | B::LtF32 | B::LeF32 => (F32, INT),
        B::EqF64 | B::NeF64 | B::LtF64 | B::LeF64 => (F64, INT),
        _ => (INT, INT),
    }
}

/// Classes of the operand and of the result.
pub fn of_unary(unary: Unary) -> (Known, Known) {
    use Unary as U;
    match unary {
        U::F32ToBool | U::F32ToI64 | U::F32ToU64 | U::F32ToI32 => (F32, INT),
        U::F64ToBool | U::F64ToI64 | U::F64ToU64 | U::F64ToI32 => (F64, INT),
        U::NegF32 => (F32, F32),
        U::NegF64 => (F64, F64),
        U::SignedToF32 | U::UnsignedToF32 => (INT, F32),
        U::SignedToF64 | U::UnsignedToF64 => (INT, F64),
        U::F32ToF64 => (F32, F64),
        U::F64ToF32 => (F64, F32),
        _ => (INT, INT),
    }
}

fn of_access(access: Access) -> Known {
    if matches!(access, Access::U32 | Access::W64) { None } else { INT }
}

/// What an instruction reads and writes.
pub fn effects(launches: &[Launch], instr: Instr) -> Effects {
    let mut all = Effects::default();
    let mut uses = |list: &[(Reg, Known)]| all.uses.extend_from_slice(list);
    match instr {
        Instr::Const { to, .. } | Instr::Variable { to, .. } | Instr::Mark { to } => {
            all.def = Some((to, None));
        }
        Instr::Catches { to, .. } | Instr::Caught { to, .. } => all.def = Some((to, INT)),
        Instr::Move { to, from } => {
            uses(&[(from, None)]);
            all.def = Some((to, None));
        }
        Instr::AddImm32 { to, a, .. } | Instr::AddImm64 { to, a, .. } => {
            uses(&[(a, INT)]);
            all.def = Some((to, INT));
        }
        Instr::Scaled { to, base, index, .. } => {
            uses(&[(base, INT), (index, INT)]);
            all.def = Some((to, INT));
        }
        Instr::Unary { op, to, a } => {
            let (operand, result) = of_unary(op);
            uses(&[(a, operand)]);
            all.def = Some((to, result));
        }
        Instr::Divide { to, a, b, .. } => {
            uses(&[(a, INT), (b, INT)]);
            all.def = Some((to, INT));
        }
        Instr::Load { access, to, base, .. } => {
            uses(&[(base, INT)]);
            all.def = Some((to, of_access(access)));
        }
        Instr::Store { access, from, base, .. } => uses(&[(from, of_access(access)), (base, INT)]),
        Instr::StoreBits { from, base, .. } => uses(&[(from, INT), (base, INT)]),
        Instr::Copy { to, from, .. } => uses(&[(to, INT), (from, INT)]),
        Instr::Zero { to, .. } => uses(&[(to, INT)]),
        Instr::LoadAt { access, to, base, index, .. } => {
            uses(&[(base, INT), (index, INT)]);
            all.def = Some((to, of_access(access)));
        }
        Instr::StoreAt { access, from, base, index, .. } => {
            uses(&[(from, of_access(access)), (base, INT), (index, INT)]);
        }
        Instr::JumpIf { a, .. } | Instr::JumpCompareImm { a, .. } => uses(&[(a, INT)]),
        Instr::JumpCompare { a, b, .. } => uses(&[(a, INT), (b, INT)]),
        Instr::Call { base, count, .. } => {
            all.uses.extend((base..base + count).map(|reg| (reg, None)));
            (all.def, all.clobbers) = (Some((base, None)), Some(base));
        }
        Instr::CallIndirect { address, base, count } => {
            all.uses.push((address, INT));
            all.uses.extend((base..base + count).map(|reg| (reg, None)));
            (all.def, all.clobbers) = (Some((base, None)), Some(base));
        }
        Instr::Keep { object, base, .. } => {
            all.uses.push((object, INT));
            (all.def, all.clobbers) = (Some((base, INT)), Some(base));
        }
        Instr::Library { base, count, .. } => {
            all.uses.extend((base..base + count).map(|reg| (reg, None)));
            all.def = Some((base, None));
        }
        Instr::Launch { launch, base } => {
            let count = 9 + launches[launch as usize].parameters.len() as Reg;
            all.uses.extend((base..base + count).map(|reg| (reg, None)));
        }
        Instr::Throw { object, destructor, uncaught, .. } => {
            uses(&[(object, INT), (destructor, INT), (uncaught, INT)]);
        }
        Instr::Defer { object, destructor, .. } => {
            uses(&[(object, INT), (destructor, INT)]);
        }
        Instr::Forget { object } => uses(&[(object, INT)]),
        Instr::Unwind { mark, base } => {
            uses(&[(mark, INT)]);
            all.clobbers = Some(base);
        }
        Instr::Propagate { base } => all.clobbers = Some(base),
        Instr::Return => uses(&[(0, None)]),
        Instr::Jump { .. } | Instr::Try { .. } | Instr::Rethrow | Instr::NoResult => {}
        _ => {
            let Some((binary, to, a, b)) = instr.binary() else {
                unreachable!("the effects of {instr:?} are above")
            };
            let (operand, result) = of_binary(binary);
            uses(&[(a, operand), (b, operand)]);
            all.def = Some((to, result));
        }
    }
    all
}

/// A set of registers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Set(Vec<u64>);

impl Set {
    pub fn new(registers: u16) -> Self {
        Self(vec![0; usize::from(registers).div_ceil(64)])
    }

    pub fn insert(&mut self, reg: Reg) {
        self.0[usize::from(reg / 64)] |= 1 << (reg % 64);
    }

    pub fn remove(&mut self, reg: Reg) {
        self.0[usize::from(reg / 64)] &= !(1 << (reg % 64));
    }

    pub fn contains(&self, reg: Reg) -> bool {
        self.0[usize::from(reg / 64)] >> (reg % 64) & 1 == 1
    }

    fn remove_from(&mut self, first: Reg) {
        for (at, word) in self.0.iter_mut().enumerate() {
            let start = at * 64;
            let kept = usize::from(first).saturating_sub(start).min(64);
            *word &= if kept == 64 { !0 } else { (1 << kept) - 1 };
        }
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, more)| *own |= more);
    }

    fn full(registers: u16) -> Self {
        Self(vec![!0; usize::from(registers).div_ceil(64)])
    }

    /// Keeps the registers of another set.
    fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, kept)| *own &= kept);
    }

    /// The registers in ascending order.
    #[cfg(feature = "jit")]
    pub fn iter(&self) -> impl Iterator<Item = Reg> {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (at * 64 + bit) as Reg)
        })
    }

    /// What is live before an instruction, from what is live behind it.
    fn step_back(&mut self, effects: &Effects) {
        if let Some(first) = effects.clobbers {
            self.remove_from(first);
        }
        if let Some((def, _)) = effects.def {
            self.remove(def);
        }
        effects.uses.iter().for_each(|(reg, _)| self.insert(*reg));
    }
}

/// Instructions that are executed one after the other.
#[derive(Debug)]
pub struct Block {
    /// Number of the first instruction.
    pub start: usize,
    /// Number of the instruction behind the last one.
    pub end: usize,
    /// Blocks that follow.
    pub next: Vec<usize>,
    /// Registers that are live at the start.
    pub live: Set,
}

/// The blocks that an entry reaches; the first is the entry.
#[derive(Debug)]
pub struct Flow {
    pub blocks: Vec<Block>,
    /// Where handlers of exceptions begin.
    landings: Vec<usize>,
    /// Registers that handlers of exceptions in the function may read.
    handled: Set,
}

/// What a block does to the set of live registers.
struct Summary {
    /// Registers that it reads before it writes them.
    read: Set,
    /// Registers that it does not write.
    kept: Set,
    /// Registers that have the value of the block's start where the code may leave for a handler;
    /// `None` if it never leaves.
    left: Option<Set>,
}

impl Summary {
    fn new(launches: &[Launch], code: &[Instr], registers: u16) -> Self {
        let mut all = Self { read: Set::new(registers), kept: Set::full(registers), left: None };
        for instr in code.iter().rev() {
            let effects = effects(launches, *instr);
            if let Some(first) = effects.clobbers {
                all.kept.remove_from(first);
                all.left.iter_mut().for_each(|left| left.remove_from(first));
            }
            if let Some((def, _)) = effects.def {
                all.kept.remove(def);
                all.left.iter_mut().for_each(|left| left.remove(def));
            }
            all.read.step_back(&effects);
            if leaves(*instr) {
                all.left = Some(Set::full(registers));
            }
        }
        all
    }
}

/// Whether an exception may leave an instruction.
pub fn leaves(instr: Instr) -> bool {
    matches!(
        instr,
        Instr::Call { .. }
            | Instr::CallIndirect { .. }
            | Instr::Keep { .. }
            | Instr::Library { .. }
            | Instr::Throw { .. }
            | Instr::Rethrow
            | Instr::Propagate { .. }
            | Instr::Unwind { .. }
    )
}

/// Targets of a jump, the one that is taken first.
fn targets(instr: Instr, at: usize) -> Option<SmallVec<[usize; 2]>> {
    match instr {
        Instr::Jump { target } => Some(smallvec![target as usize]),
        Instr::JumpIf { target, .. }
        | Instr::JumpCompare { target, .. }
        | Instr::JumpCompareImm { target, .. } => Some(smallvec![target as usize, at + 1]),
        Instr::Return | Instr::NoResult | Instr::Propagate { .. } => Some(SmallVec::new()),
        _ => None,
    }
}

impl Flow {
    /// The blocks of a function from an instruction on, with their live registers.
    #[cfg(feature = "jit")]
    pub fn new(launches: &[Launch], function: &Function, entry: usize) -> Self {
        let mut flow = Self::blocks(function, entry);
        flow.find_live(launches, function);
        flow
    }

    /// The blocks of a function from an instruction on; no register is live yet.
    pub fn blocks(function: &Function, entry: usize) -> Self {
        let code = &function.code;
        let mut starts = vec![false; code.len() + 1];
        let mut seen = vec![false; code.len()];
        let mut work = vec![entry];
        let mut landings = Vec::new();
        for instr in code {
            if let Instr::Try { target, .. } = instr {
                landings.push(*target as usize);
            }
        }
        starts[entry] = true;
        let mut visit = |work: &mut Vec<usize>, starts: &mut Vec<bool>| {
            while let Some(mut at) = work.pop() {
                while at < code.len() && !seen[at] {
                    seen[at] = true;
                    if let Some(next) = targets(code[at], at) {
                        for target in &next {
                            starts[*target] = true;
                        }
                        work.extend(next);
                        break;
                    }
                    at += 1;
                }
            }
        };
        visit(&mut work, &mut starts);
        // Handlers are entered by the interpreter; what they read stays in memory.
        work.clone_from(&landings);
        for at in &landings {
            starts[*at] = true;
        }
        visit(&mut work, &mut starts);
        let mut order: Vec<usize> = (0..code.len()).filter(|at| starts[*at] && seen[*at]).collect();
        // The entry is the first block.
        if let Some(at) = order.iter().position(|start| *start == entry) {
            order.swap(0, at);
        }
        let mut numbers = vec![None; code.len()];
        order.iter().enumerate().for_each(|(number, start)| numbers[*start] = Some(number));
        let number = |start: usize| numbers.get(start).copied().flatten();
        let mut blocks: Vec<Block> = Vec::with_capacity(order.len());
        for &start in &order {
            let mut end = start;
            let next = loop {
                let next = targets(code[end], end);
                end += 1;
                if let Some(next) = next {
                    break next;
                }
                if end == code.len() {
                    break SmallVec::new();
                }
                if starts[end] {
                    break smallvec![end];
                }
            };
            let next = next.into_iter().filter_map(number).collect();
            blocks.push(Block { start, end, next, live: Set::default() });
        }
        Self { blocks, landings, handled: Set::new(function.registers) }
    }

    /// Finds the live registers of each block.
    pub fn find_live(&mut self, launches: &[Launch], function: &Function) {
        let summaries: Vec<Summary> = self
            .blocks
            .iter()
            .map(|block| Summary::new(launches, &function.code[block.start..block.end], function.registers))
            .collect();
        loop {
            let mut changed = false;
            for at in (0..self.blocks.len()).rev() {
                let mut live = self.live_out(at);
                let summary = &summaries[at];
                live.keep(&summary.kept);
                live.add(&summary.read);
                if let Some(left) = &summary.left {
                    let mut handled = self.handled.clone();
                    handled.keep(left);
                    live.add(&handled);
                }
                if live != self.blocks[at].live {
                    self.blocks[at].live = live;
                    changed = true;
                }
            }
            let mut handled = self.handled.clone();
            let landing = |block: &&Block| self.landings.contains(&block.start);
            self.blocks.iter().filter(landing).for_each(|block| handled.add(&block.live));
            changed |= handled != self.handled;
            self.handled = handled;
            if !changed {
                return;
            }
        }
    }

    /// What is live behind a block.
    pub fn live_out(&self, at: usize) -> Set {
        let block = &self.blocks[at];
        let mut live = Set(vec![0; self.handled.0.len()]);
        block.next.iter().for_each(|next| live.add(&self.blocks[*next].live));
        live
    }

    /// What is live before an instruction, from what is live behind it.
    pub fn back(&self, launches: &[Launch], instr: Instr, live: &mut Set) {
        live.step_back(&effects(launches, instr));
        if leaves(instr) {
            live.add(&self.handled);
        }
    }
}
