//! Common subexpressions: a micro-op that computes what a register already contains becomes a move.
//!
//! Arithmetic and constant special registers are compared by operation and operands. The earlier
//! result is used where [`Facts`] say that it still holds: in the same block, or in blocks that its
//! block dominates. Signs are left out because they cost nothing as part of their reader, and moves
//! because they copy a constant. A result that lives longer may need a register more, so the caller
//! compares the register counts ([`super::run`]).

use super::Context;
use super::facts::Facts;
use super::identity::{commutes, to_move};
use super::reach::Reach;
use crate::lower::code::{Code, OperandRow, VInst};
use crate::lower::pure::{depends_on_time, is_pure};
use crate::sreg::SReg;
use crate::uop::Op;
use crate::uop::issue::is_modifier;
use std::collections::BTreeMap;

/// Maximum number of registers with the same expression that are tried: those of the last blocks.
const TRIED: usize = 4;

/// Expression that a micro-op computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Expression {
    /// Number of the micro-op.
    op: u16,
    sources: [OperandRow; 4],
    imm: u32,
}

/// Replaces repeated computations by moves. Returns whether there were any.
pub fn eliminate(code: &mut Code, _: &Context) -> bool {
    let places = Reach::new(code);
    let numbers = &places.numbers;
    let mut clobbered = vec![false; numbers.len];
    code.clobbered().for_each(|register| clobbered[numbers.of(register)] = true);
    let mut facts = Facts::<Expression>::new(&places);
    let mut known: BTreeMap<Expression, Vec<(usize, u32)>> = BTreeMap::new();
    let mut found = false;
    for block in &places.order {
        facts.enter(*block);
        for pc in places.flow.range(*block as usize) {
            let inst = &mut code.insts[pc];
            let sources: Vec<usize> = inst.uses().map(|used| numbers.of(used)).collect();
            let result = inst.dsts().next().zip(expression(inst)).and_then(|((file, row), expression)| {
                let OperandRow::Reg(register) = row else { return None };
                let number = numbers.of((file, register));
                let free = sources.len() <= 3 && sources.iter().chain([&number]).all(|r| !clobbered[*r]);
                free.then_some((number, register, expression))
            });
            let Some((number, register, expression)) = result else {
                facts.pass(pc, inst, None);
                continue;
            };
            let same = known.entry(expression).or_default();
            let mut tried = same.iter().rev().take(TRIED);
            if let Some((_, from)) = tried.find(|(known, _)| facts.get(*known) == Some(&expression)) {
                to_move(inst, OperandRow::Reg(*from));
                inst.imm = 0;
                found = true;
                facts.pass(pc, inst, None);
            } else {
                same.push((number, register));
                facts.pass(pc, inst, Some((expression, &sources)));
            }
        }
    }
    found
}

/// Returns what a micro-op computes, if it always executes and has one result that depends on
/// nothing else.
fn expression(inst: &VInst) -> Option<Expression> {
    let moves = matches!(inst.op, Op::MovB32 | Op::MovB64 | Op::MovPred);
    let constant = match inst.op {
        Op::MovSreg | Op::MovSreg64 => {
            SReg::from_code(inst.imm).is_some_and(|register| !depends_on_time(register))
        }
        op => is_pure(op) && !moves && !is_modifier(op),
    };
    if !constant || inst.guard.is_some() || inst.dsts().count() != 1 {
        return None;
    }
    let mut sources = inst.src;
    if commutes(inst.op) && sources[1] < sources[0] {
        sources.swap(0, 1);
    }
    Some(Expression { op: inst.op as u16, sources, imm: inst.imm })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lines, program};
    use crate::options::Options;
    use std::fmt::Write;

    #[track_caller]
    fn assert_optimized(body: &str, expected: &[&str]) {
        assert_eq!(lines(&program("sm_20", Options::default(), body)), expected);
    }

    #[test]
    fn a_result_is_computed_once() {
        assert_optimized(
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mul.lo.u32 %r3, %r1, %r2; mul.lo.u32 %r4, %r2, %r1;\n\
             st.shared.v2.u32 [s], {%r3, %r4};",
            &[
                "mov.sreg w0, %tid.x",
                "mov.sreg w1, %tid.y",
                "mul.lo.b32 w0, w0, w1",
                "st.shared.v2.b32 [0], {w0, w0}",
            ],
        );
        assert_optimized(
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x; add.u32 %r3, %r1, %r2; st.shared.u32 [s], %r3;",
            &["mov.sreg w0, %tid.x", "add.b32 w0, w0, w0", "st.shared.b32 [0], w0"],
        );
    }

    /// Tests: `optimizing-changes-no-result`.
    #[test]
    fn a_changed_operand_is_another_expression() {
        let kept = |body: &str| {
            let of = |options| program("sm_20", options, body).code.len();
            assert_eq!(of(Options::default()), of(Options::PLAIN), "{body}");
        };
        kept(
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mul.lo.u32 %r3, %r1, %r2; st.shared.u32 [s], %r3;\n\
             ld.volatile.shared.u32 %r1, [s]; mul.lo.u32 %r4, %r1, %r2; st.shared.u32 [s+4], %r4;",
        );
        kept("mov.u32 %r1, %clock; mov.u32 %r2, %clock; st.shared.v2.u32 [s], {%r1, %r2};");
        // The first product exists on one path only.
        kept(
            "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 3; @%p1 bra L; mul.lo.u32 %r3, %r1, %r1;\n\
             st.shared.u32 [s], %r3;\nL: mul.lo.u32 %r4, %r1, %r1; st.shared.u32 [s+4], %r4;",
        );
    }

    #[test]
    fn a_result_is_not_kept_if_that_needs_a_register_more() {
        // Nine loaded values are live between the two products.
        let mut body = String::from("mov.u32 %r1, %tid.x; mul.lo.u32 %r2, %r1, 5; st.shared.u32 [s], %r2;\n");
        for at in 0..9 {
            let _ = writeln!(body, "ld.shared.u32 %r{}, [s+{}];", at + 4, 4 * at);
        }
        for at in 0..9 {
            let _ = writeln!(body, "st.shared.u32 [s+{}], %r{};", 4 * at, 12 - at);
        }
        body += "mul.lo.u32 %r3, %r1, 5; st.shared.u32 [s+60], %r3; st.shared.u32 [s+56], %r1;";
        let found = lines(&program("sm_20", Options::default(), &body));
        assert_eq!(found.iter().filter(|line| line.starts_with("mul")).count(), 2, "{found:?}");
    }
}
