//! Limits of the registers: which values leave them, and the code around the accesses.

use crate::diag::render_all;
use crate::options::Options;
use crate::types::Capability;
use crate::uop::{Module, Program, Spills, disasm, verify};
use std::fmt::Write;
use std::sync::Arc;

fn module(text: &str, options: Options) -> Module {
    let (module, diagnostics) = crate::compile_with("k.ptx", text, options);
    let module = module.unwrap_or_else(|| panic!("{}", render_all(&diagnostics, "k.ptx", text)));
    for program in &module.entries {
        assert_eq!(verify::verify(program), Ok(()), "{}", disasm::program(program));
    }
    module
}

/// A kernel with `live` loaded values that are all live at the same time.
fn wide(head: &str, live: u32) -> String {
    let mut text = format!(
        ".version 2.0\n.target sm_20\n.entry k(.param .u32 a) {head}\n{{\n.reg .u32 %r<99>; .reg .f32 %f<99>;\n\
         ld.param.u32 %r1, [a];\n"
    );
    for at in 0..live {
        let _ = writeln!(text, "ld.global.f32 %f{at}, [%r1+{}];", 4 * at);
    }
    for at in 0..live {
        let _ = writeln!(text, "st.global.f32 [%r1+{}], %f{};", 4 * at, live - 1 - at);
    }
    text + "}\n"
}

fn limited(text: &str, limit: u32) -> Arc<Program> {
    let options = Options { max_registers: Some(limit), ..Options::default() };
    Arc::clone(&module(text, options).entries[0])
}

#[test]
fn a_limit_moves_values_to_local_memory() {
    let text = wide("", 80);
    let free = &module(&text, Options::default()).entries[0];
    assert_eq!((free.registers, free.spills), (81, Spills::default()));
    let program = limited(&text, 63);
    assert_eq!(program.registers, 63);
    // The address takes one register, a load of a spilled value another one.
    let spills = program.spills;
    assert_eq!(spills.stack_bytes, spills.store_bytes);
    assert_eq!(spills.stack_bytes, spills.load_bytes);
    assert!((18 * 4..=24 * 4).contains(&spills.stack_bytes), "{spills:?}");
    assert_eq!(program.local_bytes, spills.stack_bytes);
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let text = wide("", 20);
    let free = disasm::program(&module(&text, Options::default()).entries[0]);
    assert_eq!(disasm::program(&limited(&text, 21)), free);
}

#[test]
fn the_directive_limits_the_registers() {
    let program = Arc::clone(&module(&wide(".maxnreg 32", 40), Options::default()).entries[0]);
    assert_eq!(program.registers, 32);
    assert!(program.spills.store_bytes > 0);
    assert_eq!(limited(&wide(".maxnreg 32", 40), 24).registers, 24, "the smaller limit applies");
}

#[test]
fn cheap_values_are_computed_again() {
    let mut text = String::from(
        ".version 2.0\n.target sm_20\n.entry k(.param .u32 a)\n{\n.reg .u32 %r<99>;\n.shared .u32 s[64];\n",
    );
    let sources = ["%tid.x", "%tid.y", "%ntid.x", "%ntid.y", "%ctaid.x", "%ctaid.y", "%nctaid.x", "%laneid"];
    for (at, source) in sources.iter().enumerate() {
        let _ = writeln!(text, "mov.u32 %r{at}, {source};");
    }
    for at in 0..8 {
        let _ = writeln!(text, "st.shared.u32 [s+{}], %r{};", 4 * at, 7 - at);
    }
    let program = limited(&(text + "}\n"), 4);
    assert_eq!((program.registers, program.spills), (4, Spills::default()));
    let reads = program.code.iter().filter(|inst| inst.op.text() == "mov.sreg").count();
    assert_eq!(reads, 8, "each is read once, in front of its store");
}

#[test]
fn values_of_a_loop_stay_in_registers() {
    let mut text = String::from(
        ".version 2.0\n.target sm_20\n.entry k(.param .u32 a)\n{\n.reg .u32 %r<99>; .reg .pred %p<2>;\n\
         ld.param.u32 %r90, [a];\n",
    );
    for at in 0..12 {
        let _ = writeln!(text, "ld.global.u32 %r{at}, [%r90+{}];", 4 * at);
    }
    text +=
        "LOOP:\nadd.u32 %r0, %r0, %r1; add.u32 %r2, %r2, %r0; setp.lt.u32 %p1, %r0, %r2;\n@%p1 bra LOOP;\n";
    for at in 0..12 {
        let _ = writeln!(text, "st.global.u32 [%r90+{}], %r{at};", 4 * at);
    }
    let program = limited(&(text + "}\n"), 8);
    assert_eq!(program.registers, 8);
    let (branch, target) = program
        .code
        .iter()
        .enumerate()
        .find_map(|(pc, inst)| (inst.op.text() == "bra").then_some((pc, inst.imm as usize)))
        .expect("the loop has a branch");
    let inside = &program.code[target..branch];
    assert!(inside.iter().all(|inst| inst.op.memory().is_none()), "{}", disasm::program(&program));
}

/// Tests: `spilling-changes-no-result`.
#[test]
fn a_guarded_write_is_stored_under_its_guard() {
    let mut text = String::from(
        ".version 2.0\n.target sm_20\n.entry k(.param .u32 a)\n{\n.reg .u32 %r<99>; .reg .pred %p<2>;\n\
         ld.param.u32 %r90, [a]; mov.u32 %r91, %tid.x; setp.eq.u32 %p1, %r91, 3;\n",
    );
    for at in 0..8 {
        let _ = writeln!(text, "ld.global.u32 %r{at}, [%r90+{}]; @%p1 add.u32 %r{at}, %r91, {at};", 4 * at);
    }
    for at in 0..8 {
        let _ = writeln!(text, "st.global.u32 [%r90+{}], %r{at};", 4 * at);
    }
    let program = limited(&(text + "}\n"), 6);
    assert_eq!(program.registers, 6);
    let stores = program.code.iter().filter(|inst| inst.op.text() == "st.local.b32");
    assert!(stores.clone().any(|inst| inst.guard.get().is_some()), "{}", disasm::program(&program));
    assert!(stores.clone().any(|inst| inst.guard.get().is_none()));
}

#[test]
fn a_module_is_fitted_to_a_chip() {
    let text = wide("", 80);
    let capability = Capability::new(2, 0);
    let fitted = module(&text, Options::default()).fitted(63, capability);
    assert_eq!(fitted.iter().map(|program| program.registers).collect::<Vec<_>>(), [63]);
    assert!(module(&wide("", 20), Options::default()).fitted(63, capability).is_empty());
    assert_eq!(module(&text, Options::PLAIN).fitted(63, capability)[0].registers, 63, "at -O0 as well");
}
