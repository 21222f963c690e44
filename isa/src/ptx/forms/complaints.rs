//! The rendered complaints about instructions: each code at least once.

use super::tests::parsed;
use super::*;
use crate::diag::render_all;

fn assert_complaints(body: &str, expected: &str) {
    let (instructions, text) = parsed(body);
    let found: Vec<Diagnostic> = instructions.iter().filter_map(|inst| form(inst).err()).flatten().collect();
    let found = render_all(&found, "k.ptx", text);
    assert_eq!(found, expected.trim(), "\n{found}\n");
}

#[test]
fn no_such_instruction() {
    assert_complaints(
        r"  addd.s32 %r1, %r2, %r3;
  frobnicate %r1;",
        r"
error[E0201]: there is no instruction `addd`; did you mean `add`?
 --> k.ptx:4:3
  |
4 |   addd.s32 %r1, %r2, %r3;
  |   ^^^^ not a PTX instruction

error[E0201]: there is no instruction `frobnicate`
 --> k.ptx:5:3
  |
5 |   frobnicate %r1;
  |   ^^^^^^^^^^ not a PTX instruction
",
    );
}

#[test]
fn not_executed_yet() {
    assert_complaints(
        r"  pmevent 7;
  addc.s64 %d1, %d2, %d3;",
        r"
error[E0202]: `pmevent` is not implemented by this simulator yet
 --> k.ptx:4:3
  |
4 |   pmevent 7;
  |   ^^^^^^^ not executed yet
  |
  = note: `pmevent` came with PTX 1.4

error[E0202]: `addc.s64` is not implemented by this simulator yet
 --> k.ptx:5:3
  |
5 |   addc.s64 %d1, %d2, %d3;
  |   ^^^^^^^^ legal PTX, but not executed yet
",
    );
}

#[test]
fn illegal_modifiers() {
    assert_complaints(
        r"  add.sat.u32 %r1, %r2, %r3;
  add.ftz.rn.f32 %f1, %f2, %f3;
  ld.gobal.u32 %r1, [%r2];
  st.const.u32 [%r1], %r2;",
        r"
error[E0203]: `add` has no `.sat` here
 --> k.ptx:4:6
  |
4 |   add.sat.u32 %r1, %r2, %r3;
  |      ^^^^ not allowed here
  |
  = note: forms of `add` near this one:
            add.int d, a, b
            add.sat.s32 d, a, b
            add{.rnd}{.ftz}{.sat}.f32 d, a, b
            add.cc.word d, a, b
            .int is one of .u16, .u32, .u64, .s16, .s32 or .s64
            .word is one of .u32 or .s32
            .rnd is one of .rn or .rz

error[E0203]: `.rn` stands in the wrong place
 --> k.ptx:5:10
  |
5 |   add.ftz.rn.f32 %f1, %f2, %f3;
  |          ^^^ the order of modifiers is fixed
  |
  = note: forms of `add` near this one:
            add{.rnd}{.ftz}{.sat}.f32 d, a, b
            .rnd is one of .rn or .rz

error[E0203]: `ld` has no `.gobal` here; did you mean `.global`?
 --> k.ptx:6:5
  |
6 |   ld.gobal.u32 %r1, [%r2];
  |     ^^^^^^ expected .const, .global, .local, .param or .shared
  |
  = note: forms of `ld` near this one:
            ld{.volatile}.space{.v2|v4}.mtype d, [a]
            .mtype is one of .b8, .b16, .b32, .u8, .u16, .u32, .s8, .s16, .s32 or .f32
            .space is one of .const, .global, .local, .param or .shared

error[E0203]: `st` has no `.const` here
 --> k.ptx:7:5
  |
7 |   st.const.u32 [%r1], %r2;
  |     ^^^^^^ expected .global, .local, .shared, .param, .wb, .cg, .cs or .wt
  |
  = note: forms of `st` near this one:
            st{.volatile}.global|local|shared{.v2|v4}.mtype [a], b
            st.param{.v2|v4}.mtype [a], b
            st{.volatile}{.v2|v4}.mtype [a], b
            st{.global|local|shared}.wb|cg|cs|wt{.v2|v4}.mtype [a], b
            .mtype is one of .b8, .b16, .b32, .u8, .u16, .u32, .s8, .s16, .s32 or .f32
",
    );
}

#[test]
fn missing_modifiers() {
    assert_complaints(
        r"  cvt.s32.f32 %r1, %f1;
  mul.s32 %r1, %r2, %r3;
  membar;",
        r"
error[E0204]: `cvt` lacks a modifier after `cvt`
 --> k.ptx:4:3
  |
4 |   cvt.s32.f32 %r1, %f1;
  |   ^^^ expected .rni, .rzi, .rmi or .rpi after this
  |
  = note: forms of `cvt` near this one:
            cvt.irnd{.ftz}{.sat}.itype.f32 d, a
            .itype is one of .u8, .u16, .u32, .u64, .s8, .s16, .s32 or .s64
            .irnd is one of .rni, .rzi, .rmi or .rpi

error[E0204]: `mul` lacks a modifier after `mul`
 --> k.ptx:5:3
  |
5 |   mul.s32 %r1, %r2, %r3;
  |   ^^^ expected .lo, .hi or .wide after this
  |
  = note: forms of `mul` near this one:
            mul.part.int d, a, b
            mul.wide.narrow d, a, b
            .int is one of .u16, .u32, .u64, .s16, .s32 or .s64
            .narrow is one of .u16, .u32, .s16 or .s32
            .part is one of .lo or .hi

error[E0204]: `membar` lacks a modifier after `membar`
 --> k.ptx:6:3
  |
6 |   membar;
  |   ^^^^^^ expected .cta, .gl or .sys after this
  |
  = note: forms of `membar` near this one:
            membar.level
            membar.sys
            .level is one of .cta or .gl
",
    );
}

#[test]
fn wrong_number_of_operands() {
    assert_complaints(
        r"  setp.lt.and.s32 %p1, %r1, %r2;
  bar.sync;
  exit %r1;",
        r"
error[E0205]: `setp.lt.and.s32` with 3 operands
 --> k.ptx:4:19
  |
4 |   setp.lt.and.s32 %p1, %r1, %r2;
  |                   ^^^^^^^^^^^^^ takes 4 (p|q, a, b, {!}c)

error[E0205]: `bar.sync` with 0 operands
 --> k.ptx:5:3
  |
5 |   bar.sync;
  |   ^^^^^^^^ takes 1 (n) or 1 (u) or 2 (n|u, m)

error[E0205]: `exit` with 1 operand
 --> k.ptx:6:8
  |
6 |   exit %r1;
  |        ^^^ takes 0 (none)
",
    );
}

#[test]
fn wrong_kind_of_operand() {
    assert_complaints(
        r"  add.s32 5, %tid.x, 0f3F800000;
  ld.global.u32 %r1, %r2;
  ld.global.v2.f32 {%f1, %f2, %f3}, [%r2];
  bar.sync 16;",
        r"
error[E0206]: operand 1 of `add.s32` must be a register, which takes the result
 --> k.ptx:4:11
  |
4 |   add.s32 5, %tid.x, 0f3F800000;
  |           ^ this is an integer
  |
  = note: its form is `add.int d, a, b`

error[E0206]: operand 2 of `add.s32` must be a register or number
 --> k.ptx:4:14
  |
4 |   add.s32 5, %tid.x, 0f3F800000;
  |              ^^^^^^ this is a special register
  |
  = note: `%tid.x` is a special register: copy it first, as in mov.u32 %r1, %tid.x;
  = note: its form is `add.int d, a, b`

error[E0206]: operand 3 of `add.s32` must be a register or integer
 --> k.ptx:4:22
  |
4 |   add.s32 5, %tid.x, 0f3F800000;
  |                      ^^^^^^^^^^ this is a floating-point number
  |
  = note: its form is `add.int d, a, b`

error[E0206]: operand 2 of `ld.global.u32` must be an address
 --> k.ptx:5:22
  |
5 |   ld.global.u32 %r1, %r2;
  |                      ^^^ this is a name
  |
  = note: an address stands in brackets: [%r1], [%r1+4], [variable]
  = note: its form is `ld{.volatile}.space{.v2|v4}.mtype d, [a]`

error[E0206]: operand 1 of `ld.global.v2.f32` must be 2 registers in braces, separated by commas
 --> k.ptx:6:20
  |
6 |   ld.global.v2.f32 {%f1, %f2, %f3}, [%r2];
  |                    ^^^^^^^^^^^^^^^ this is a list in braces
  |
  = note: its form is `ld{.volatile}.space{.v2|v4}.mtype d, [a]`

error[E0206]: operand 1 of `bar.sync` must be the number of a barrier, 0 to 15
 --> k.ptx:7:12
  |
7 |   bar.sync 16;
  |            ^^ this is an integer
  |
  = note: its form is `bar.sync n`
",
    );
}

#[test]
fn every_code_has_a_test() {
    for (code, meaning) in CODES {
        let rendered = format!("error[{code}]");
        assert!(include_str!("complaints.rs").contains(&rendered), "{code} ({meaning}) is not tested");
    }
}
