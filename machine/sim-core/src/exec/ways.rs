//! Control-flow analysis for diagnostics: the loop around an instruction, and the barriers that can
//! follow it. It does not affect execution.

use isa::uop::{Class, Op, Program};

/// The instructions that may follow `pc`. A return is followed by the instructions after all calls
/// of its function.
pub fn after(program: &Program, pc: u32) -> impl Iterator<Item = u32> {
    let inst = &program.code[pc as usize];
    let always = inst.guard.get().is_none();
    let falls = !(always && matches!(inst.op, Op::Bra | Op::Exit | Op::Ret | Op::Trap));
    let next = (falls && (pc as usize + 1) < program.code.len()).then_some(pc + 1);
    let target = (inst.op == Op::Bra).then_some(inst.imm);
    let callers = (inst.op == Op::Ret).then(|| program.function_of(pc)).flatten();
    let callers = callers.into_iter().flat_map(|function| {
        (0..).zip(&program.code).filter_map(|(at, call)| {
            let calls = program.callees(call).any(|callee| callee.start == function.start);
            (calls && at + 1 < program.code.len() as u32).then_some(at + 1)
        })
    });
    next.into_iter().chain(target).chain(program.callees(inst).map(|f| f.start)).chain(callers)
}

/// Instructions that can be reached from `pc` in one or more steps without `until`, ascending. An
/// instruction for which `stops` is true is included, but its successors are not followed.
pub fn reached(program: &Program, pc: u32, until: u32, stops: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut seen = vec![false; program.code.len()];
    let mut open = vec![pc];
    while let Some(at) = open.pop() {
        for next in after(program, at) {
            if next != until && !std::mem::replace(&mut seen[next as usize], true) && !stops(next) {
                open.push(next);
            }
        }
    }
    (0..).zip(seen).filter_map(|(pc, seen)| seen.then_some(pc)).collect()
}

/// Whether the instruction `to` can follow `from`.
pub fn follows(program: &Program, from: u32, to: u32) -> bool {
    reached(program, from, isa::uop::TO_EXIT, |_| false).binary_search(&to).is_ok()
}

/// First and last line of the loop that contains `pc`: of the instructions on cyclic paths through
/// `pc` that do not contain `until`. `None` if `pc` is in no loop.
pub fn loop_around(program: &Program, pc: u32, until: u32) -> Option<(u32, u32)> {
    let ahead = reached(program, pc, until, |_| false);
    ahead.binary_search(&pc).ok()?;
    // Searches backwards from `pc`, among the instructions that can follow it.
    let mut before = vec![Vec::new(); program.code.len()];
    for &from in &ahead {
        after(program, from).for_each(|to| before[to as usize].push(from));
    }
    let mut members = vec![false; program.code.len()];
    let mut open = vec![pc];
    members[pc as usize] = true;
    while let Some(at) = open.pop() {
        for &from in &before[at as usize] {
            if !std::mem::replace(&mut members[from as usize], true) {
                open.push(from);
            }
        }
    }
    lines(program, (0..).zip(members).filter_map(|(pc, member)| member.then_some(pc)))
}

/// First and last line of the instructions `pcs`.
pub fn lines(program: &Program, pcs: impl Iterator<Item = u32>) -> Option<(u32, u32)> {
    let line = |pc: u32| program.lines.get(pc as usize).copied().unwrap_or(0);
    pcs.map(line).fold(None, |range, line| {
        let (first, last) = range.unwrap_or((line, line));
        Some((first.min(line), last.max(line)))
    })
}

/// The barriers that may be reached first on a path from `pc` (inclusive) that does not contain
/// `until`, ascending.
pub fn barriers_ahead(program: &Program, pc: u32, until: u32) -> Vec<u32> {
    let barrier =
        |pc: u32| program.code.get(pc as usize).is_some_and(|inst| inst.op.class() == Class::Barrier);
    if pc == until || pc as usize >= program.code.len() {
        return Vec::new();
    }
    if barrier(pc) && program.code[pc as usize].guard.get().is_none() {
        return vec![pc];
    }
    let mut ahead = reached(program, pc, until, barrier);
    ahead.push(pc);
    ahead.retain(|pc| barrier(*pc));
    ahead.sort_unstable();
    ahead.dedup();
    ahead
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::build::{Builder, bra, guarded, with_imm};
    use isa::uop::{FunctionCode, Inst, NO_ROW, TO_EXIT};

    #[test]
    fn a_loop_contains_the_instructions_on_cyclic_paths() {
        // 0; 1: start of the loop; 2: loop exit to 5; 3: inner branch to 1; 4: branch back to 1; 5:
        // barrier.
        let kernel = Builder::new()
            .inst(Inst::new(Op::MembarGl))
            .inst(Inst::new(Op::MembarGl))
            .inst(guarded(bra(5, 5), 0, false))
            .inst(guarded(bra(1, 5), 1, false))
            .inst(bra(1, 1))
            .inst(with_imm(Op::BarSync, NO_ROW, 3))
            .exit()
            .kernel();
        let program = &kernel.program;
        // The line number is pc + 1.
        for pc in 1..5 {
            assert_eq!(loop_around(program, pc, 5), Some((2, 5)), "{pc}");
            assert_eq!(loop_around(program, pc, TO_EXIT), Some((2, 5)), "{pc}");
        }
        assert_eq!(loop_around(program, 0, TO_EXIT), None);
        assert_eq!(loop_around(program, 5, TO_EXIT), None);
        assert_eq!(loop_around(program, 2, 1), None, "the path ends at the reconvergence point");
        assert_eq!(barriers_ahead(program, 0, TO_EXIT), [5]);
        assert_eq!(barriers_ahead(program, 5, TO_EXIT), [5]);
        assert_eq!(barriers_ahead(program, 1, 5), []);
        assert_eq!(barriers_ahead(program, TO_EXIT, TO_EXIT), []);
    }

    #[test]
    fn a_call_is_followed_by_the_function_and_the_next_instruction() {
        // 0: call 4 | 1: barrier 1 | 2: bra 0 | 3: exit | 4, a function: barrier 2 | 5: return
        let mut kernel = Builder::new()
            .inst(with_imm(Op::Call, NO_ROW, 4))
            .inst(with_imm(Op::BarSync, NO_ROW, 1))
            .inst(guarded(bra(0, 3), 0, false))
            .exit()
            .inst(with_imm(Op::BarSync, NO_ROW, 2))
            .inst(Inst::new(Op::Ret))
            .kernel();
        let function = FunctionCode { name: "f".to_owned(), start: 4, end: 6, ..FunctionCode::default() };
        std::sync::Arc::make_mut(&mut kernel.program).functions = vec![function];
        let program = &kernel.program;
        assert_eq!(after(program, 0).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(after(program, 5).collect::<Vec<_>>(), [1]);
        assert_eq!(barriers_ahead(program, 0, TO_EXIT), [1, 4]);
        assert_eq!(barriers_ahead(program, 5, TO_EXIT), [1], "a return continues after the call");
        assert_eq!(loop_around(program, 5, TO_EXIT), Some((1, 6)), "the loop around the call");
    }
}
