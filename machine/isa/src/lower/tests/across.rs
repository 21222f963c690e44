//! Lowering of instructions after Fermi: votes with masks, shuffles, three-input logic, atomics on
//! 64-bit words.

use crate::Options;
use crate::feature::{Feature, Features};
use crate::uop::disasm;

/// Code of a body, and the groups of instructions in it.
fn lowered(header: &str, body: &str) -> (String, Features) {
    let text = format!(
        "{header}\n.entry k (.param .u32 n)\n{{\n.reg .b32 %r<9>; .reg .f32 %f<3>; .reg .b64 %rd<9>; .reg .f64 %fd<3>; \
         .reg .pred %p<9>;\n{body}\nexit;\n}}\n"
    );
    let (module, diagnostics) = crate::compile_with("k.ptx", &text, Options::PLAIN);
    let module =
        module.unwrap_or_else(|| panic!("{}", crate::diag::render_all(&diagnostics, "k.ptx", &text)));
    let program = &module.entries[0];
    let text = disasm::program(program);
    (text, program.code.iter().filter_map(Feature::of).fold(Features::NONE, Features::with))
}

const NEW: &str = ".version 6.2\n.target sm_60";

#[track_caller]
fn assert_lowered(body: &str, parts: &[&str], features: &str) {
    let (text, found) = lowered(NEW, body);
    for part in parts {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(found.to_string(), features);
}

#[test]
fn shuffles_have_a_value_and_a_predicate() {
    assert_lowered(
        "shfl.up.b32 %r1, %r2, %r3, 0; shfl.sync.down.b32 %f1|%p1, %f2, 4, 31, %r4;\n\
         @%p2 shfl.sync.bfly.b32 %r1|%p3, %r2, 1, 0x181f, -1; shfl.idx.b32 %r1|_, %r2, %r3, %r4;",
        &["shfl.up.b32 w", "shfl.down.b32 w", "@p", "shfl.bfly.b32 w", ", #1, #6175", "shfl.idx.b32 w"],
        "[shuffle]",
    );
}

#[test]
fn votes_have_masks() {
    assert_lowered(
        "vote.sync.all.pred %p1, %p2, -1; vote.sync.any.pred %p1, !%p2, %r1; vote.sync.uni.pred %p1, %p2, 0xff;\n\
         vote.sync.ballot.b32 %r1, %p2, %r2; activemask.b32 %r3; bar.warp.sync %r3; bar.warp.sync -1;",
        &[
            "vote.sync.all p",
            ", #-1",
            "vote.sync.any",
            "vote.sync.uni",
            "vote.sync.ballot.b32 w",
            "activemask.b32 w",
            "bar.warp.sync",
        ],
        "[warp_sync]",
    );
}

#[test]
fn three_input_logic_has_a_truth_table() {
    assert_lowered("lop3.b32 %r1, %r2, %r3, %r4, 0xE8;", &["lop3.b32 w", ", #232"], "[lop3]");
}

#[test]
fn atomics_on_long_words_have_their_operations() {
    assert_lowered(
        "atom.global.max.s64 %rd1, [%rd2], %rd3; red.shared.and.b64 [%rd2], %rd3; atom.min.u64 %rd1, [%rd2], %rd3;",
        &["atom.global.b64 d", "max.s", "red.shared.b64", " and", "atom.generic.b64", "min.u"],
        "[atomics64]",
    );
    assert_lowered(
        "atom.add.f64 %fd1, [%rd2], %fd2; red.global.add.f64 [%rd2], 0d3FF0000000000000; atom.shared.add.f64 %fd1, [%rd2], %fd2;",
        &["atom.generic.b64", "red.global.b64", "atom.shared.b64", "add.f64"],
        "[atomic_f64]",
    );
    assert_lowered("atom.global.add.u64 %rd1, [%rd2], %rd3; shf.l.wrap.b32 %r1, %r2, %r3, 5;", &[], "[]");
    assert_lowered(
        "ld.global.nc.v2.f32 {%f1, %f2}, [%rd1]; ld.global.nc.u64 %rd2, [%rd1];",
        &["ld.global.v2.b32"],
        "[]",
    );
}

#[test]
fn older_headers_are_rejected() {
    let errors = |header: &str, body: &str| {
        let text =
            format!("{header}\n.entry k ()\n{{\n.reg .b32 %r<9>; .reg .pred %p<9>;\n{body}\nexit;\n}}\n");
        let (_, diagnostics) = crate::compile("k.ptx", &text);
        crate::diag::render_all(&diagnostics, "k.ptx", &text)
    };
    let old = errors(".version 2.3\n.target sm_20", "shfl.up.b32 %r1, %r2, %r3, 0;");
    assert!(old.contains("`shfl.up.b32` requires sm_30, but this module targets sm_20"), "{old}");
    let old = errors(".version 3.1\n.target sm_30", "shf.l.wrap.b32 %r1, %r2, %r3, 5;");
    assert!(old.contains("`shf.l.wrap.b32` requires sm_32, but this module targets sm_30"), "{old}");
    let old = errors(".version 5.0\n.target sm_30", "bar.warp.sync -1;");
    assert!(old.contains("`bar.warp.sync` requires PTX 6.0"), "{old}");
    let table = errors(NEW, "lop3.b32 %r1, %r2, %r3, %r4, 256;");
    assert!(
        table.contains("operand 5 of `lop3.b32` must be a truth table: a number from 0 to 255"),
        "{table}"
    );
    let kind = errors(NEW, "shfl.up.b32 %r1|%r2, %r2, %r3, 0;");
    assert!(kind.contains("E0305"), "{kind}");
}
