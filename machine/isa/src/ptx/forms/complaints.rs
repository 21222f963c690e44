//! Rendered errors about instructions; every code appears at least once.

use super::tests::parsed;
use super::*;
use crate::diag::render_all;

fn assert_diagnostics(body: &str, expected: &str) {
    let (instructions, text) = parsed(body);
    let found: Vec<Diagnostic> = instructions.iter().filter_map(|inst| form(inst).err()).flatten().collect();
    let found = render_all(&found, "k.ptx", text);
    assert_eq!(found, expected.trim(), "\n{found}\n");
}

#[test]
fn no_such_instruction() {
    assert_diagnostics(
        r"  addd.s32 %r1, %r2, %r3;
  frobnicate %r1;",
        r"
error[E0201]: unknown instruction `addd`
 --> k.ptx:4:3
  |
4 |   addd.s32 %r1, %r2, %r3;
  |   ^^^^ not a PTX instruction
  |
  = help: did you mean `add`?

error[E0201]: unknown instruction `frobnicate`
 --> k.ptx:5:3
  |
5 |   frobnicate %r1;
  |   ^^^^^^^^^^ not a PTX instruction
",
    );
}

#[test]
fn unsupported_instructions() {
    assert_diagnostics(
        r"  dp4a.u32.u32 %r1, %r2, %r3, %r4;
  brx.idx %r1, %r2;",
        r"
error[E0202]: `dp4a` is PTX 5.0 for sm_61; this machine ends at PTX 2.3 for sm_21
 --> k.ptx:4:3
  |
4 |   dp4a.u32.u32 %r1, %r2, %r3, %r4;
  |   ^^^^ not supported

error[E0202]: `brx` is PTX 6.0 for sm_30; this machine ends at PTX 2.3 for sm_21
 --> k.ptx:5:3
  |
5 |   brx.idx %r1, %r2;
  |   ^^^ not supported
",
    );
}

#[test]
fn illegal_modifiers() {
    assert_diagnostics(
        r"  add.sat.u32 %r1, %r2, %r3;
  mul.u32.lo %r1, %r2, %r3;
  ld.gobal.u32 %r1, [%r2];
  st.const.u32 [%r1], %r2;",
        r"
error[E0203]: `add` does not accept `.sat` here
 --> k.ptx:4:6
  |
4 |   add.sat.u32 %r1, %r2, %r3;
  |      ^^^^ not allowed here
  |
  = note: similar forms of `add`:
            add.int d, a, b
            add.sat.s32 d, a, b
            add{.rnd}{.ftz}{.sat}.f32 d, a, b
            add.cc.word d, a, b
            .int is one of .u16, .u32, .u64, .s16, .s32 or .s64
            .word is one of .u32 or .s32
            .rnd is one of .rn or .rz

error[E0204]: missing modifier after `mul`
 --> k.ptx:5:3
  |
5 |   mul.u32.lo %r1, %r2, %r3;
  |   ^^^ expected .lo or .hi after this

error[E0203]: `.lo` is in the wrong position
 --> k.ptx:5:10
  |
5 |   mul.u32.lo %r1, %r2, %r3;
  |          ^^^ this word has a fixed position
  |
  = note: similar forms of `mul`:
            mul.part.int d, a, b
            mul.wide.narrow d, a, b
            .int is one of .u16, .u32, .u64, .s16, .s32 or .s64
            .narrow is one of .u16, .u32, .s16 or .s32
            .part is one of .lo or .hi

error[E0203]: `ld` does not accept `.gobal` here
 --> k.ptx:6:5
  |
6 |   ld.gobal.u32 %r1, [%r2];
  |     ^^^^^^ expected .const, .global, .local, .param or .shared
  |
  = note: similar forms of `ld`:
            ld.space{.v2|v4}.mtype d, [a]
            .mtype is one of .b8, .b16, .b32, .u8, .u16, .u32, .s8, .s16, .s32 or .f32
            .space is one of .const, .global, .local, .param or .shared
  = help: did you mean `.global`?

error[E0203]: `st` does not accept `.const` here
 --> k.ptx:7:5
  |
7 |   st.const.u32 [%r1], %r2;
  |     ^^^^^^ expected .global, .local, .shared, .param, .wb, .cg, .cs or .wt
  |
  = note: similar forms of `st`:
            st.global|local|shared{.v2|v4}.mtype [a], b
            st.param{.v2|v4}.mtype [a], b
            st{.volatile}{.v2|v4}.mtype [a], b
            st{.global|local|shared}.wb|cg|cs|wt{.v2|v4}.mtype [a], b
            .mtype is one of .b8, .b16, .b32, .u8, .u16, .u32, .s8, .s16, .s32 or .f32
",
    );
}

#[test]
fn missing_modifiers() {
    assert_diagnostics(
        r"  cvt.s32.f32 %r1, %f1;
  mul.s32 %r1, %r2, %r3;
  membar;",
        r"
error[E0204]: missing modifier after `cvt`
 --> k.ptx:4:3
  |
4 |   cvt.s32.f32 %r1, %f1;
  |   ^^^ expected .rni, .rzi, .rmi or .rpi after this
  |
  = note: similar forms of `cvt`:
            cvt.irnd{.ftz}{.sat}.itype.f32 d, a
            .itype is one of .u8, .u16, .u32, .u64, .s8, .s16, .s32 or .s64
            .irnd is one of .rni, .rzi, .rmi or .rpi

error[E0204]: missing modifier after `mul`
 --> k.ptx:5:3
  |
5 |   mul.s32 %r1, %r2, %r3;
  |   ^^^ expected .lo, .hi or .wide after this
  |
  = note: similar forms of `mul`:
            mul.part.int d, a, b
            mul.wide.narrow d, a, b
            .int is one of .u16, .u32, .u64, .s16, .s32 or .s64
            .narrow is one of .u16, .u32, .s16 or .s32
            .part is one of .lo or .hi

error[E0204]: missing modifier after `membar`
 --> k.ptx:6:3
  |
6 |   membar;
  |   ^^^^^^ expected .cta, .gl or .sys after this
  |
  = note: similar forms of `membar`:
            membar.level
            membar.sys
            .level is one of .cta or .gl
",
    );
}

#[test]
fn wrong_number_of_operands() {
    assert_diagnostics(
        r"  setp.lt.and.s32 %p1, %r1, %r2;
  bar.sync;
  exit %r1;",
        r"
error[E0205]: `setp.lt.and.s32` has 3 operands
 --> k.ptx:4:19
  |
4 |   setp.lt.and.s32 %p1, %r1, %r2;
  |                   ^^^^^^^^^^^^^ expected 4 (p|q, a, b, {!}c)

error[E0205]: `bar.sync` has 0 operands
 --> k.ptx:5:3
  |
5 |   bar.sync;
  |   ^^^^^^^^ expected 1 (n) or 1 (u) or 2 (n|u, m)

error[E0205]: `exit` has 1 operand
 --> k.ptx:6:8
  |
6 |   exit %r1;
  |        ^^^ expected none
",
    );
}

#[test]
fn wrong_kind_of_operand() {
    assert_diagnostics(
        r"  add.s32 5, %tid.x, 0f3F800000;
  ld.global.u32 %r1, %r2;
  ld.global.v2.f32 {%f1, %f2, %f3}, [%r2];
  bar.sync 16;",
        r"
error[E0206]: operand 1 of `add.s32` must be a destination register
 --> k.ptx:4:11
  |
4 |   add.s32 5, %tid.x, 0f3F800000;
  |           ^ this is an integer
  |
  = note: the form of this instruction is `add.int d, a, b`

error[E0206]: operand 2 of `add.s32` must be a register or number
 --> k.ptx:4:14
  |
4 |   add.s32 5, %tid.x, 0f3F800000;
  |              ^^^^^^ this is a special register
  |
  = note: the form of this instruction is `add.int d, a, b`
  = help: copy the special register to a register first: `mov.u32 %r1, %tid.x;`

error[E0206]: operand 3 of `add.s32` must be a register or integer
 --> k.ptx:4:22
  |
4 |   add.s32 5, %tid.x, 0f3F800000;
  |                      ^^^^^^^^^^ this is a floating-point number
  |
  = note: the form of this instruction is `add.int d, a, b`

error[E0206]: operand 2 of `ld.global.u32` must be an address
 --> k.ptx:5:22
  |
5 |   ld.global.u32 %r1, %r2;
  |                      ^^^ this is a name
  |
  = note: the form of this instruction is `ld.space{.v2|v4}.mtype d, [a]`
  = help: write the address in brackets: `[%r1]`, `[%r1+4]` or `[variable]`

error[E0206]: operand 1 of `ld.global.v2.f32` must be 2 registers in braces, separated by commas
 --> k.ptx:6:20
  |
6 |   ld.global.v2.f32 {%f1, %f2, %f3}, [%r2];
  |                    ^^^^^^^^^^^^^^^ this is a list in braces
  |
  = note: the form of this instruction is `ld.space{.v2|v4}.mtype d, [a]`

error[E0206]: operand 1 of `bar.sync` must be the number of a barrier, 0 to 15
 --> k.ptx:7:12
  |
7 |   bar.sync 16;
  |            ^^ this is an integer
  |
  = note: the form of this instruction is `bar.sync n`
",
    );
}

/// Tests: `every-code-has-a-case`.
#[test]
fn every_code_has_a_test() {
    for (code, meaning) in CODES {
        let rendered = format!("error[{code}]");
        assert!(include_str!("complaints.rs").contains(&rendered), "{code} ({meaning}) is not tested");
    }
}
