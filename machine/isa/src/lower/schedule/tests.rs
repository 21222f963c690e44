//! Schedules of single blocks, and the orders that they must keep.

use crate::diag::render_all;
use crate::options::Options;
use crate::uop::{Program, disasm, verify};
use std::fmt::Write;
use std::sync::Arc;

const REGISTERS: &str = ".reg .u32 %r<30>; .reg .u64 %d<9>; .reg .f32 %f<30>; .reg .pred %p<9>;";

fn compiled(target: &str, schedule: bool, body: &str) -> Arc<Program> {
    let text = format!(
        ".version 2.0\n.target {target}\n.entry k(.param .u32 a)\n{{\n{REGISTERS}\n.shared .f32 s[64];\n{body}\n}}\n"
    );
    let (module, diagnostics) =
        crate::compile_with("k.ptx", &text, Options { schedule, ..Options::default() });
    let module = module.unwrap_or_else(|| panic!("{}", render_all(&diagnostics, "k.ptx", &text)));
    assert_eq!(verify::verify(&module.entries[0]), Ok(()), "{}", disasm::program(&module.entries[0]));
    Arc::clone(&module.entries[0])
}

/// Returns the names of the scheduled micro-ops.
fn names(target: &str, body: &str) -> Vec<&'static str> {
    compiled(target, true, body).code.iter().map(|inst| inst.op.text()).collect()
}

/// Checks that scheduling changes no micro-op of a body.
#[track_caller]
fn assert_kept(body: &str) {
    let [plain, scheduled] = [false, true].map(|schedule| compiled("sm_20", schedule, body));
    assert_eq!(disasm::program(&scheduled), disasm::program(&plain));
}

/// Two loads and two stores in the order in which they are written naively.
const NAIVE: &str = "ld.param.u32 %r1, [a]; mov.u32 %r9, %tid.x; add.u32 %r1, %r1, %r9;\n\
     ld.global.f32 %f1, [%r1]; add.f32 %f3, %f1, %f1; st.shared.f32 [s], %f3;\n\
     ld.global.f32 %f2, [%r1+64]; add.f32 %f4, %f2, %f2; st.shared.f32 [s+4], %f4;";

#[test]
fn loads_are_ahead_of_their_readers() {
    // The second load moves up, which needs one register that the first one leaves free.
    let pressure = "mov.u32 %r2, 1; mov.u32 %r3, %tid.y; st.shared.v4.u32 [s+16], {%r9, %r3, %r3, %r9};";
    let names = names("sm_20", &format!("{NAIVE}{pressure}"));
    let loads: Vec<usize> = (0..names.len()).filter(|at| names[*at] == "ld.global.b32").collect();
    assert_eq!(loads[1], loads[0] + 1, "{names:?}");
}

#[test]
fn every_micro_op_keeps_its_line() {
    let [plain, scheduled] = [false, true].map(|schedule| {
        let program = compiled("sm_20", schedule, NAIVE);
        let mut lines: Vec<_> = (program.code.iter().map(|inst| inst.op.text()))
            .zip(program.lines.clone())
            .zip(program.spans.iter().map(|span| span.start))
            .collect();
        lines.sort_unstable();
        lines
    });
    assert_eq!(scheduled, plain);
}

/// Tests: `scheduling-changes-no-result`.
#[test]
fn accesses_to_one_space_keep_their_order() {
    let body = |space: &str| {
        format!(
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; st.{space}.u32 [%r1], %r2; ld.{space}.u32 %r3, [%r2];\n\
             add.u32 %r4, %r3, 1; add.u32 %r5, %r4, 1; st.{space}.u32 [%r1], %r5;"
        )
    };
    for space in ["shared", "global"] {
        let names = names("sm_20", &body(space));
        let memory: Vec<_> =
            names.iter().filter(|name| name.starts_with("ld") || name.starts_with("st")).collect();
        assert!(memory[0].starts_with("st") && memory[1].starts_with("ld"), "{names:?}");
    }
}

/// Tests: `scheduling-changes-no-result`.
#[test]
fn nothing_crosses_a_clock_a_barrier_or_a_fence() {
    for between in ["mov.u32 %r5, %clock;", "bar.sync 0;", "membar.gl;", "atom.global.add.u32 %r5, [%r1], 1;"]
    {
        assert_kept(&format!(
            "ld.param.u32 %r1, [a]; mov.u32 %r2, 1; mov.u32 %r3, 2; st.global.u32 [%r1+4], %r2;\n\
             {between}\n ld.global.u32 %r6, [%r1+8]; st.global.u32 [%r1+16], %r6; st.global.u32 [%r1+20], %r5;"
        ));
    }
}

/// Tests: `scheduling-changes-no-result`.
#[test]
fn fused_micro_ops_stay_together() {
    let mut body = String::from("mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2;\n");
    for at in 0..6 {
        let _ = writeln!(
            body,
            "ld.shared.f32 %f1, [%r1+{}]; neg.f32 %f2, %f1; mad.f32 %f{}, %f2, %f2, %f9;",
            4 * at,
            10 + at
        );
    }
    for at in 0..6 {
        let _ = writeln!(body, "add.f32 %f9, %f9, %f{};", 10 + at);
    }
    // The verifier rejects a fused micro-op without its instruction.
    let program = compiled("sm_10", true, &(body + "st.shared.f32 [s], %f9;"));
    assert!(program.code.iter().any(|inst| inst.fused().is_some()));
}

#[test]
fn a_schedule_needs_no_more_registers() {
    for target in ["sm_10", "sm_20"] {
        let [plain, scheduled] = [false, true].map(|schedule| compiled(target, schedule, NAIVE).registers);
        let allowed = if target == "sm_20" { plain.next_multiple_of(2) } else { plain };
        assert!(scheduled <= allowed, "{target}: {scheduled}, {plain} without");
    }
}
