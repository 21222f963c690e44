//! Fewer registers in code that needs many: arithmetic moves up to its operands.
//!
//! Compilers move arithmetic down to the block that reads its result, past the loads of its
//! operands: clang leaves the sum of an unrolled tiled product at the end of the kernel, so that
//! all factors stay in registers. In code that needs more registers than [`ENOUGH`], an instruction
//! moves up behind the last definition of its operands if at least as many registers become free
//! there as its result needs. Then the instructions of each block are ordered so that values are
//! loaded near their readers ([`schedule::relieve`]).
//!
//! An instruction moves if it only writes its one result, has no guard, and
//!
//! * its operands and its result have one definition each, which is before all of their readers
//!   ([`Reach::settled`]); or
//! * it stays in its block, and nothing in between writes its operands or accesses its result.
//!
//! It stays in its loop. Loads, stores, barriers, and everything that depends on time or on other
//! lanes keep their places and order; arithmetic cannot be observed between them. Code that does
//! not need clearly fewer registers afterwards stays as it is.

use super::Context;
use super::reach::Reach;
use crate::lower::code::{Code, VInst};
use crate::lower::pressure::{points, size};
use crate::lower::pure::is_pure;
use crate::lower::schedule;
use crate::types::Capability;
use crate::uop::{Inst, Op};

/// Number of registers up to which code stays as it is: the largest number with which a block of
/// 256 threads fits on the smallest chip, and two thirds of the warps of a Fermi SM are resident.
const ENOUGH: u32 = 32;

/// The same for code with variables of CUDA C, whose values a debugger shows where the code assigns
/// them: the largest number of registers of a thread of Fermi.
const ENOUGH_WITH_VARIABLES: u32 = 63;

/// Numbers of registers of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Up to this number, code stays as it is.
    enough: u32,
    /// Other code is ordered for this number.
    pub goal: u32,
}

impl Budget {
    /// Returns the budget for a target. `most`: limit of the registers. `variables`: whether a
    /// debugger shows variables in the registers.
    pub fn new(target: Capability, most: Option<u32>, variables: bool) -> Self {
        let enough = if variables { ENOUGH_WITH_VARIABLES } else { ENOUGH };
        // With up to 20, all warps of a Fermi SM are resident (32,768 registers, 1,536 threads),
        // with up to 16, all warps of a GT200 SM (16,384 registers, 1,024 threads).
        let resident = if target.major >= 2 { 20 } else { 16 };
        let most = most.unwrap_or(u32::MAX);
        Self { enough: enough.min(most), goal: resident.min(most) }
    }
}

/// A place in the new order: in a block, behind the micro-op before the PC `behind`, or at the
/// start of the block; then by `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OrderPlace {
    block: u32,
    behind: u32,
    number: u32,
}

/// Moves arithmetic of code that needs more registers than is [`Budget::enough`]. Returns whether
/// the code needs fewer registers now.
pub fn relieve(code: &mut Code, Context { budget, .. }: &Context) -> bool {
    let Some(before) = points(code) else { return false };
    let needed = before.iter().copied().max().unwrap_or(0);
    if needed <= budget.enough {
        return false;
    }
    let goal = budget.goal;
    let mut fewer = code.clone();
    move_up(&mut fewer, &before, goal);
    schedule::relieve(&mut fewer, goal);
    // A new order for few registers is not worth its risk of longer waits.
    let relieved = points(&fewer).is_some_and(|after| {
        let after = after.into_iter().max().unwrap_or(0);
        after < needed && (after <= budget.enough || after + after / 8 <= needed)
    });
    if relieved {
        *code = fewer;
    }
    relieved
}

/// State of the walk through the code. PCs refer to the code before the pass.
struct Walk {
    places: Reach,
    /// Whether each register has one definition, which is before all of its readers.
    settled: Vec<bool>,
    /// Whether other functions may access each register.
    clobbered: Vec<bool>,
    /// Number for the loops around each PC: equal for two PCs in the same loops.
    loops: Vec<u64>,
    /// Number of PCs up to each one at which more registers are live than the goal.
    over: Vec<u32>,
    /// Micro-ops that read each register and are not visited.
    left: Vec<u32>,
    /// Last place of a visited reader of each register: the PC behind it.
    read: Vec<u32>,
    /// Place of the last definition of each register that was visited.
    defined: Vec<Option<OrderPlace>>,
    /// Block and PC of the last access of each register as a result or operand.
    touched: Vec<Option<(u32, u32)>>,
    /// Micro-ops that move behind each PC, and to the start of each block.
    behind: Vec<Vec<u32>>,
    front: Vec<Vec<u32>>,
    moved: Vec<bool>,
}

/// Moves arithmetic up to its operands where more registers are live than `goal`. `points` has the
/// number of registers after each micro-op.
fn move_up(code: &mut Code, points: &[u32], goal: u32) {
    let mut walk = Walk::new(code, points, goal);
    let order = std::mem::take(&mut walk.places.order);
    for block in order {
        for pc in walk.places.flow.range(block as usize) {
            walk.visit(&code.insts[pc], pc as u32, block);
        }
    }
    walk.rebuild(code);
}

impl Walk {
    fn new(code: &Code, points: &[u32], goal: u32) -> Self {
        let places = Reach::new(code);
        let len = places.numbers.len;
        let mut left = vec![0; len];
        for inst in &code.insts {
            distinct(inst, &places).for_each(|register| left[register] += 1);
        }
        let mut clobbered = vec![false; len];
        for shared in &code.shared {
            let all = shared.params.iter().chain(&shared.returns);
            all.for_each(|register| clobbered[places.numbers.of(*register)] = true);
        }
        let counted = points.iter().scan(0, |count, live| {
            *count += u32::from(*live > goal);
            Some(*count)
        });
        Self {
            settled: places.settled(code),
            clobbered,
            loops: loops(code),
            over: counted.collect(),
            left,
            read: vec![0; len],
            defined: vec![None; len],
            touched: vec![None; len],
            behind: vec![Vec::new(); code.insts.len()],
            front: vec![Vec::new(); places.flow.starts.len()],
            moved: vec![false; code.insts.len()],
            places,
        }
    }

    /// Moves a micro-op if that is correct and useful, and records its accesses.
    fn visit(&mut self, inst: &VInst, pc: u32, block: u32) {
        let here = OrderPlace { block, behind: pc + 1, number: 0 };
        let new = self.place(inst, pc, block).filter(|place| self.is_useful(inst, pc, *place));
        let place = match new {
            Some(OrderPlace { block, behind, .. }) => {
                let start = behind == self.places.flow.starts[block as usize];
                let list = if start {
                    &mut self.front[block as usize]
                } else {
                    &mut self.behind[behind as usize - 1]
                };
                list.push(pc);
                self.moved[pc as usize] = true;
                OrderPlace { block, behind, number: list.len() as u32 }
            }
            None => here,
        };
        for register in distinct(inst, &self.places) {
            self.left[register] -= 1;
            self.read[register] = self.read[register].max(place.behind);
            self.touched[register] = Some((block, pc));
        }
        for def in inst.defs() {
            let register = self.places.numbers.of(def);
            self.defined[register] = Some(place);
            self.touched[register] = Some((block, pc));
        }
    }

    /// Returns the first place at which a micro-op computes the same result.
    fn place(&self, inst: &VInst, pc: u32, block: u32) -> Option<OrderPlace> {
        let numbers = &self.places.numbers;
        let moves = is_pure(inst.op)
            && inst.guard.is_none()
            && inst.aux & Inst::FUSED == 0
            && inst.passed.is_none()
            && inst.defs().count() == 1;
        let mut all = inst.defs().chain(inst.uses()).map(|register| numbers.of(register));
        if !moves || all.any(|register| self.clobbered[register]) {
            return None;
        }
        let result = numbers.of(inst.defs().next()?);
        let start = OrderPlace { block, behind: self.places.flow.starts[block as usize], number: 0 };
        let mut last: Option<OrderPlace> = None;
        let across = self.settled[result] && inst.uses().all(|used| self.settled[numbers.of(used)]);
        for register in inst.uses().map(|used| numbers.of(used)) {
            let defined = self.defined[register];
            let place =
                if across { defined? } else { defined.filter(|at| at.block == block).unwrap_or(start) };
            if last.is_none_or(|last| self.is_later(place, last)) {
                last = Some(place);
            }
        }
        let last = last?;
        if across {
            return (self.loops[self.point(last)] == self.loops[pc as usize]).then_some(last);
        }
        // The result may hold another value up to its last access.
        match self.touched[result].filter(|(touched, _)| *touched == block) {
            Some((_, pc)) if pc + 1 > last.behind => Some(OrderPlace { block, behind: pc + 1, number: 0 }),
            _ => Some(last),
        }
    }

    /// Returns the PC in front of a place, or the first one of its block.
    fn point(&self, place: OrderPlace) -> usize {
        place.behind.saturating_sub(1).max(self.places.flow.starts[place.block as usize]) as usize
    }

    /// Whether place `a` comes after place `b`; both come before a common micro-op on all paths.
    fn is_later(&self, a: OrderPlace, b: OrderPlace) -> bool {
        if a.block == b.block {
            (a.behind, a.number) > (b.behind, b.number)
        } else {
            self.places.dominates(b.block, a.block)
        }
    }

    /// Whether a move past points with too many registers frees at least as many registers as it
    /// needs.
    fn is_useful(&self, inst: &VInst, pc: u32, place: OrderPlace) -> bool {
        let (first, pc) = (self.point(place), pc as usize);
        let over = |first: usize| first.checked_sub(1).map_or(0, |before| self.over[before]);
        if place.behind as usize >= pc || over(pc) == over(first) {
            return false;
        }
        let numbers = &self.places.numbers;
        let dies = |register: &usize| {
            let looped =
                self.defined[*register].is_some_and(|at| self.loops[self.point(at)] != self.loops[pc]);
            self.left[*register] == 1 && self.read[*register] <= place.behind && !looped
        };
        let of = |register: usize| size(numbers.register(register).0);
        let freed: u32 = distinct(inst, &self.places).filter(dies).map(of).sum();
        freed >= inst.defs().map(|(file, _)| size(file)).sum()
    }

    /// Writes the micro-ops in their new order.
    fn rebuild(self, code: &mut Code) {
        let mut old: Vec<Option<VInst>> = std::mem::take(&mut code.insts).into_iter().map(Some).collect();
        let mut at = Vec::with_capacity(old.len() + 1);
        let mut block = 0;
        for pc in 0..old.len() {
            at.push(code.insts.len() as u32);
            if self.places.flow.starts.get(block) == Some(&(pc as u32)) {
                let front = self.front[block].iter();
                code.insts.extend(front.filter_map(|from| old[*from as usize].take()));
                block += 1;
            }
            if !self.moved[pc] {
                code.insts.extend(old[pc].take());
            }
            code.insts.extend(self.behind[pc].iter().filter_map(|from| old[*from as usize].take()));
        }
        at.push(code.insts.len() as u32);
        code.labels.iter_mut().for_each(|pc| *pc = at[*pc as usize]);
        for inst in code.insts.iter_mut().filter(|inst| inst.op == Op::Bra) {
            inst.imm = at[inst.imm as usize];
        }
    }
}

/// Returns the registers that a micro-op reads, each once.
fn distinct<'a>(inst: &'a VInst, places: &'a Reach) -> impl Iterator<Item = usize> + use<> {
    let mut registers: Vec<usize> = inst.uses().map(|used| places.numbers.of(used)).collect();
    registers.sort_unstable();
    registers.dedup();
    registers.into_iter()
}

/// Returns a number for each PC that is equal for two PCs in the same loops: the sum of different
/// numbers of the loops around it. A branch backwards ends a loop.
fn loops(code: &Code) -> Vec<u64> {
    let mut change = vec![0_u64; code.insts.len() + 1];
    let loops =
        code.insts.iter().enumerate().filter(|(pc, inst)| inst.op == Op::Bra && inst.imm as usize <= *pc);
    for (number, (pc, inst)) in (1_u64..).zip(loops) {
        // An odd factor spreads the numbers, so that sums of different loops differ.
        let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        change[inst.imm as usize] = change[inst.imm as usize].wrapping_add(number);
        change[pc + 1] = change[pc + 1].wrapping_sub(number);
    }
    let sums = change.into_iter().scan(0_u64, |sum, change| {
        *sum = sum.wrapping_add(change);
        Some(*sum)
    });
    sums.collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lines, program};
    use crate::options::Options;
    use std::fmt::Write;

    /// Three tiles of sixteen products, and their sums at the end, behind `before`.
    fn tiles(target: &str, before: &str) -> String {
        let mut body = String::from(
            ".reg .f32 %a<48>, %b<48>, %v<49>; mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2;\n\
             mov.f32 %v0, 0f00000000;\n",
        );
        for tile in 0..3 {
            let _ = writeln!(body, "st.shared.u32 [%r1], %r1; bar.sync 0;");
            for at in 16 * tile..16 * tile + 16 {
                let offset = 4 * (at % 16);
                let _ = writeln!(
                    body,
                    "ld.shared.f32 %a{at}, [s+{offset}]; ld.shared.f32 %b{at}, [%r1+{offset}];"
                );
            }
            body += "bar.sync 0;\n";
        }
        body += before;
        let sum = if target == "sm_20" { "fma.rn.f32" } else { "mad.f32" };
        for at in 0..48 {
            let _ = writeln!(body, "{sum} %v{}, %a{at}, %b{at}, %v{at};", at + 1);
        }
        body + "LE: st.shared.f32 [s], %v48;"
    }

    #[test]
    fn sums_at_the_end_move_to_their_operands() {
        for target in ["sm_13", "sm_20"] {
            for before in ["", "setp.gt.u32 %p1, %r1, 7; @%p1 bra LE;\n"] {
                let found = program(target, Options::default(), &tiles(target, before));
                assert!(found.registers <= 20, "{target}: {} registers", found.registers);
                // Accesses and barriers keep their order.
                let kept = |options| {
                    let mut kept = lines(&program(target, options, &tiles(target, before)));
                    kept.retain(|line| line.starts_with("bar") || line.starts_with("st"));
                    kept.iter()
                        .map(|line| line.split(' ').next().unwrap_or("").to_owned())
                        .collect::<Vec<_>>()
                };
                assert_eq!(kept(Options::default()), kept(Options::PLAIN));
            }
        }
    }

    #[test]
    fn a_sum_reads_the_new_value_of_an_operand() {
        let body = tiles("sm_20", "ld.shared.f32 %a0, [s+252];\n");
        let found = lines(&program("sm_20", Options::default(), &body));
        let load = found.iter().position(|line| line.contains("[252]")).expect("the load");
        let first = found.iter().position(|line| line.starts_with("fma")).expect("a sum");
        assert!(first > load, "{found:#?}");
    }

    #[test]
    fn a_sum_stays_behind_its_loop() {
        let mut body = String::from(".reg .f32 %a<40>, %v<41>; mov.u32 %r1, %tid.x;\nL:\n");
        for at in 0..40 {
            let _ = writeln!(body, "ld.shared.f32 %a{at}, [%r1+{}];", 4 * at);
        }
        body += "add.u32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, 100; @%p1 bra L; mov.f32 %v0, %f1;\n";
        for at in 0..40 {
            let _ = writeln!(body, "fma.rn.f32 %v{}, %a{at}, %a{at}, %v{at};", at + 1);
        }
        body += "st.shared.f32 [s], %v40;";
        let found = lines(&program("sm_20", Options::default(), &body));
        let branch = found.iter().position(|line| line.contains("bra")).expect("a loop");
        let first = found.iter().position(|line| line.starts_with("fma")).expect("a sum");
        assert!(first > branch, "{found:#?}");
    }

    #[test]
    fn code_with_few_registers_keeps_its_order() {
        let body = "mov.u32 %r1, %tid.x; ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4];\n\
                    bar.sync 0; mul.f32 %f3, %f1, %f2; st.shared.f32 [s], %f3;";
        let found = lines(&program("sm_20", Options::default(), body));
        assert!(
            found.iter().position(|line| line.starts_with("bar"))
                < found.iter().position(|line| line.starts_with("mul"))
        );
    }
}
