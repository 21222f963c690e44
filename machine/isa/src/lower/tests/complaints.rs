//! Rendered errors about modules that parse but cannot be lowered. Every code of this stage appears
//! here.

use super::super::CODES;
use crate::diag::render_all;

pub(super) fn assert_diagnostics(text: &str, expected: &str) {
    let (module, diagnostics) = crate::compile("k.ptx", text);
    assert_eq!(render_all(&diagnostics, "k.ptx", text), expected.trim_matches('\n'));
    assert_eq!(module.is_none(), diagnostics.iter().any(crate::diag::Diagnostic::is_error));
}

#[test]
fn every_code_has_a_rendered_example() {
    // The text of the largest kernel is too long to show: see `too_large_kernels_are_rejected`.
    let here =
        [include_str!("complaints.rs"), include_str!("header.rs"), include_str!("../modules/tests.rs")]
            .concat();
    let missing: Vec<_> = CODES.iter().filter(|(code, _)| !here.contains(&format!("[{code}]"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(CODES.is_sorted(), "the table is in order");
}

#[test]
fn the_most_similar_name_is_suggested_for_an_unknown_one() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .u32 %r<3>, %count;
  mov.u32 %r1, %cuont;
  add.u32 %r3, %r1, 1;
  mov.u32 %r2, %cuont;
}
",
        "
error[E0301]: `%cuont` is not declared
 --> k.ptx:6:16
  |
6 |   mov.u32 %r1, %cuont;
  |                ^^^^^^ not found in this scope
  |
  = help: did you mean `%count`?

error[E0301]: `%r3` is not declared
 --> k.ptx:7:11
  |
7 |   add.u32 %r3, %r1, 1;
  |           ^^^ not found in this scope
  |
  = help: `%r<3>` declares `%r0` to `%r2`
",
    );
}

#[test]
fn a_syntax_error_elsewhere_hides_no_unknown_name() {
    let text = ".version 1.4
.target sm_10
.entry k()
{
  .reg .u32 %r<3>;
  mov.u32 %r1, %tidx.x;
  ld.global.u32 %r1, [%rd4];
  add.u32 %r1, %r1, 1
  exit;
}
";
    let (_, diagnostics) = crate::compile("k.ptx", text);
    let found: Vec<_> = diagnostics.iter().map(|d| (d.code, d.message.as_str())).collect();
    let expected = [
        ("E0111", "missing `;` after the instruction"),
        ("E0301", "`%tidx.x` is not declared"),
        ("E0301", "`%rd4` is not declared"),
    ];
    assert_eq!(found, expected);
    assert_eq!(diagnostics[1].helps, ["did you mean `%tid.x`?"]);
}

#[test]
fn an_alignment_above_that_of_device_memory_is_rejected() {
    let (module, _) = crate::compile(
        "k.ptx",
        ".version 1.4\n.target sm_10\n.global .align 256 .u32 a;\n.shared .align 4096 .u32 s;\n",
    );
    assert!(module.is_some());
    assert_diagnostics(
        ".version 1.4
.target sm_10
.global .align 512 .u32 far;
",
        "
error[E0402]: `far`: an alignment of more than 256 bytes in .global memory is not supported by this simulator
 --> k.ptx:3:1
  |
3 | .global .align 512 .u32 far;
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^ device memory is allocated with an alignment of 256 bytes
",
    );
}

#[test]
fn a_scope_rejects_a_second_declaration_of_a_name() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .u32 %a;
  .reg .f32 %a;
L: exit;
L: exit;
}
.entry k() { exit; }
",
        "
error[E0302]: `%a` is declared twice
 --> k.ptx:6:13
  |
5 |   .reg .u32 %a;
  |             -- first declared here
6 |   .reg .f32 %a;
  |             ^^ declared again here

error[E0302]: `L` is declared twice
 --> k.ptx:8:1
  |
7 | L: exit;
  | - first declared here
8 | L: exit;
  | ^ declared again here

error[E0302]: `k` is declared twice
  --> k.ptx:10:8
   |
 3 | .entry k()
   |        - first declared here
...
10 | .entry k() { exit; }
   |        ^ declared again here
",
    );
}

#[test]
fn labels_must_exist() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  bra DOEN;
DONE: exit;
}
",
        "
error[E0303]: unknown label `DOEN`
 --> k.ptx:5:7
  |
5 |   bra DOEN;
  |       ^^^^ not found in this function
  |
  = help: did you mean `DONE`?
",
    );
}

#[test]
fn labels_are_not_values() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
L: add.u32 %r1, L, 1;
  bra %r1;
  ld.global.u32 %r1, [L];
  ld.global.u32 %r1, [%tid.x];
}
",
        "
error[E0304]: invalid operand of `add.u32`
 --> k.ptx:6:17
  |
6 | L: add.u32 %r1, L, 1;
  |                 ^ expected a .u32 register or constant

error[E0304]: invalid operand of `bra`
 --> k.ptx:7:7
  |
7 |   bra %r1;
  |       ^^^ expected a label

error[E0304]: `L` is not allowed here
 --> k.ptx:8:23
  |
8 |   ld.global.u32 %r1, [L];
  |                       ^ expected a register or a variable as the base of the address

error[E0304]: `%tid.x` is not allowed here
 --> k.ptx:9:23
  |
9 |   ld.global.u32 %r1, [%tid.x];
  |                       ^^^^^^ expected a register or a variable as the base of the address
",
    );
}

#[test]
fn register_types_must_match() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  add.s32 %r1, %d1, 2;
  add.f32 %f1, %f1, %r1;
  ld.global.u16 %r2, [%h1];
  @%r1 exit;
  cvt.u16.u32 %h1, %h2;
  mov.f32 %f1, %tid.x;
  ld.global.f32 %d1, [%r1];
  setp.eq.u32 %r1, %r2, 0;
}
",
        "
error[E0305]: `%d1` is .u64, but `add.s32` expects a .s32 here
 --> k.ptx:6:16
  |
6 |   add.s32 %r1, %d1, 2;
  |                ^^^ expected a .s32
  |
  = help: convert the value with `cvt.s32.u64`

error[E0305]: `%r1` is .u32, but `add.f32` expects a .f32 here
 --> k.ptx:7:21
  |
7 |   add.f32 %f1, %f1, %r1;
  |                     ^^^ expected a .f32
  |
  = help: convert the value with `cvt.rn.f32.u32`, or copy its bits with `mov.b32`

error[E0305]: `%h1` is .u16, but `ld.global.u16` expects an address (a 32-bit or 64-bit integer) here
 --> k.ptx:8:22
  |
8 |   ld.global.u16 %r2, [%h1];
  |                      ^^^^^ expected an address (a 32-bit or 64-bit integer)

error[E0305]: `%r1` is .u32, but a guard must be .pred
 --> k.ptx:9:4
  |
9 |   @%r1 exit;
  |    ^^^ expected a predicate

error[E0305]: `%h2` is .u16, but `cvt.u16.u32` expects a .u32 or wider here
  --> k.ptx:10:20
   |
10 |   cvt.u16.u32 %h1, %h2;
   |                    ^^^ expected a .u32 or wider

error[E0304]: invalid operand of `mov.f32`
  --> k.ptx:11:16
   |
11 |   mov.f32 %f1, %tid.x;
   |                ^^^^^^ expected a .f32; special registers are .u32 (or .u16 in PTX 1.x)

error[E0305]: `%d1` is .u64, but `ld.global.f32` expects a .f32 here
  --> k.ptx:12:17
   |
12 |   ld.global.f32 %d1, [%r1];
   |                 ^^^ expected a .f32

error[E0305]: `%r1` is .u32, but `setp.eq.u32` expects a .pred register here
  --> k.ptx:13:15
   |
13 |   setp.eq.u32 %r1, %r2, 0;
   |               ^^^ expected a .pred register
",
    );
}

#[test]
fn an_instruction_for_another_type_is_suggested() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>;
  add.s32 %f1, %f1, %f2;
  add.f32 %r1, %r1, %r2;
  mul.lo.s32 %f1, %f1, %f2;
  div.u32 %f1, %f1, %f2;
  setp.lt.s32 %p1, %f1, %f2;
  st.global.u32 [%r1], %f1;
  and.b32 %f1, %f1, %f2;
}
",
        "
error[E0305]: `%f1` is .f32, but `add.s32` expects a .s32 here
 --> k.ptx:6:16
  |
6 |   add.s32 %f1, %f1, %f2;
  |                ^^^ expected a .s32
  |
  = help: the registers are .f32: did you mean `add.f32`?

error[E0305]: `%r1` is .u32, but `add.f32` expects a .f32 here
 --> k.ptx:7:16
  |
7 |   add.f32 %r1, %r1, %r2;
  |                ^^^ expected a .f32
  |
  = help: the registers are .u32: did you mean `add.u32`?

error[E0305]: `%f1` is .f32, but `mul.lo.s32` expects a .s32 here
 --> k.ptx:8:19
  |
8 |   mul.lo.s32 %f1, %f1, %f2;
  |                   ^^^ expected a .s32
  |
  = help: the registers are .f32: did you mean `mul.f32`?

error[E0305]: `%f1` is .f32, but `div.u32` expects a .u32 here
 --> k.ptx:9:16
  |
9 |   div.u32 %f1, %f1, %f2;
  |                ^^^ expected a .u32
  |
  = help: the registers are .f32: did you mean `div.approx.f32`?

error[E0305]: `%f1` is .f32, but `setp.lt.s32` expects a .s32 here
  --> k.ptx:10:20
   |
10 |   setp.lt.s32 %p1, %f1, %f2;
   |                    ^^^ expected a .s32
   |
   = help: the registers are .f32: did you mean `setp.lt.f32`?

error[E0305]: `%f1` is .f32, but `st.global.u32` expects a .u32 or wider here
  --> k.ptx:11:24
   |
11 |   st.global.u32 [%r1], %f1;
   |                        ^^^ expected a .u32 or wider
   |
   = help: the registers are .f32: did you mean `st.global.f32`?
",
    );
}

#[test]
fn an_address_must_have_the_address_size() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.global .u32 g;
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  mov.u32 %r1, g;
  ld.global.u32 %r2, [%d1];
}
",
        "
error[E0305]: an address of .global memory has 64 bits, but the instruction has type .u32
 --> k.ptx:7:16
  |
7 |   mov.u32 %r1, g;
  |                ^ expected an instruction of type .u64
",
    );
}

#[test]
fn initial_values_must_match_the_type() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.global .u32 a[2] = {1.0, 2};
.const .f32 b = 3;
.entry k()
{
  exit;
}
",
        "
error[E0306]: expected a .u32 value, found a floating-point number
 --> k.ptx:3:22
  |
3 | .global .u32 a[2] = {1.0, 2};
  |                      ^^^ expected an integer

error[E0306]: expected a .f32 value, found an integer
 --> k.ptx:4:17
  |
4 | .const .f32 b = 3;
  |                 ^ expected a floating-point number such as 0f3F800000 or 1.0
",
    );
}

#[test]
fn spaces_must_agree() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.const .u32 table[4];
.global .u16 p = table;
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  ld.shared.u32 %r1, [table];
}
",
        "
error[E0307]: the address of `table` cannot be stored in a .u16
 --> k.ptx:4:18
  |
4 | .global .u16 p = table;
  |                  ^^^^^ expected a .global or .const variable, and a type of 32 or 64 bits

error[E0307]: `ld.shared.u32` cannot access a .const variable
 --> k.ptx:8:22
  |
8 |   ld.shared.u32 %r1, [table];
  |                      ^^^^^^^ this variable is in .const memory
  |
  = help: use `ld.const.u32` for .const memory
",
    );
}

#[test]
fn accesses_outside_parameters_are_rejected() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k(.param .u32 n)
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  ld.param.u64 %d1, [n];
  ld.param.u32 %r1, [n+-4];
  ld.param.u32 %r1, [8];
}
",
        "
error[E0308]: `ld.param.u64` reads outside the parameter
 --> k.ptx:6:21
  |
6 |   ld.param.u64 %d1, [n];
  |                     ^^^ the parameter has 4 bytes

error[E0308]: `ld.param.u32` reads outside the parameter
 --> k.ptx:7:21
  |
7 |   ld.param.u32 %r1, [n+-4];
  |                     ^^^^^^ the parameter has 4 bytes

error[E0308]: `ld.param.u32` reads outside the parameter block
 --> k.ptx:8:21
  |
8 |   ld.param.u32 %r1, [8];
  |                     ^^^ the block has 4 bytes
",
    );
}

#[test]
fn declarations_are_checked() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.global .u32 a[];
.global .u32 r<4>;
.entry k()
{
  exit;
}
.entry m()
{
  .shared .u32 s = 4;
  .local .pred q;
  .local .u64 huge[0x40000000];
  exit;
}
",
        "
error[E0309]: the size of `a` is missing
 --> k.ptx:3:1
  |
3 | .global .u32 a[];
  | ^^^^^^^^^^^^^^^^ only an `.extern .shared` array may omit its size

error[E0309]: `r<…>`: only registers can be declared as a range
 --> k.ptx:4:1
  |
4 | .global .u32 r<4>;
  | ^^^^^^^^^^^^^^^^^ expected an array: `name[n]`

error[E0309]: `s`: a .shared variable cannot be initialized
  --> k.ptx:11:3
   |
11 |   .shared .u32 s = 4;
   |   ^^^^^^^^^^^^^^^^^^ only .global and .const variables can

error[E0309]: `q`: a predicate cannot be stored in memory
  --> k.ptx:12:3
   |
12 |   .local .pred q;
   |   ^^^^^^^^^^^^^^ expected a type other than .pred

error[E0309]: `huge` does not fit in an address space of 4 GiB
  --> k.ptx:13:3
   |
13 |   .local .u64 huge[0x40000000];
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ too large
",
    );
}

#[test]
fn the_target_must_be_known() {
    assert_diagnostics(
        ".version 1.4
.target g80
.entry k()
{
  exit;
}
",
        "
error[E0310]: unknown target `g80`
 --> k.ptx:2:9
  |
2 | .target g80
  |         ^^^ expected sm_10, sm_11, sm_12, sm_13, sm_20 or sm_21
",
    );
}

#[test]
fn a_form_may_require_a_newer_target() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  ld.u32 %r1, [%r2];
}
",
        "
error[E0401]: `ld.u32` requires sm_20, but this module targets sm_10
 --> k.ptx:6:3
  |
6 |   ld.u32 %r1, [%r2];
  |   ^^^^^^ not available in sm_10
  |
  = help: write `.version 2.0` and `.target sm_20`, or above
",
    );
}

#[test]
fn unsupported_forms_are_named() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.extern .global .u32 elsewhere;
.entry k()
{
  .reg .v2 .u32 %v;
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  add.s32 %r1, %r1, 1;
}
",
        "
error[E0315]: `elsewhere` is not defined in the given files
 --> k.ptx:3:1
  |
3 | .extern .global .u32 elsewhere;
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ declared without a definition
  |
  = help: give the PTX file that defines the variable with `.visible` as another file

error[E0402]: vector registers are not supported by this simulator
 --> k.ptx:6:3
  |
6 |   .reg .v2 .u32 %v;
  |   ^^^^^^^^^^^^^^^^ not supported
",
    );
}

#[test]
fn generic_accesses_of_variables_require_cvta() {
    assert_diagnostics(
        ".version 2.3
.target sm_20
.shared .u32 tile[4];
.global .u32 words[4];
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  cvta.global.u64 %d1, words;
  cvta.to.global.u64 %d2, %d1;
  cvta.global.u64 %d1, tile;
  ld.u32 %r1, [words];
  st.v2.u32 [tile], {%r1, %r2};
  isspacep.shared %p1, %f1;
}
",
        "
error[E0307]: `cvta.global.u64` does not accept a .shared variable
  --> k.ptx:10:24
   |
10 |   cvta.global.u64 %d1, tile;
   |                        ^^^^ this variable is in .shared memory

error[E0307]: `st.v2.u32` cannot access a .shared variable
  --> k.ptx:12:13
   |
12 |   st.v2.u32 [tile], {%r1, %r2};
   |             ^^^^^^ this variable is in .shared memory
   |
   = help: use `st.shared.v2.u32` for .shared memory

error[E0305]: `%f1` is .f32, but `isspacep.shared` expects an address (a 32-bit or 64-bit integer) here
  --> k.ptx:13:24
   |
13 |   isspacep.shared %p1, %f1;
   |                        ^^^ expected an address (a 32-bit or 64-bit integer)
",
    );
}

#[test]
fn long_numbers_are_truncated_with_a_warning() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  mov.u32 %r1, 0x123456789;
}
",
        "
warning[W0301]: the number does not fit in .u32; only its low 32 bits are used
 --> k.ptx:6:16
  |
6 |   mov.u32 %r1, 0x123456789;
  |                ^^^^^^^^^^^ the upper bits are discarded
",
    );
}

#[test]
fn names_of_an_invalid_declaration_are_not_reported() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .q32 %r<3>;
  mov.u32 %r1, 5;
  bra NOWHERE;
}
",
        "
error[E0116]: unknown word `.q32` in a declaration
 --> k.ptx:5:8
  |
5 |   .reg .q32 %r<3>;
  |        ^^^^ expected a state space, type, .align, .v2 or .v4
  |
  = help: did you mean `.b32`?

error[E0303]: unknown label `NOWHERE`
 --> k.ptx:7:7
  |
7 |   bra NOWHERE;
  |       ^^^^^^^ not found in this function
",
    );
}

#[test]
fn an_invalid_declaration_causes_only_one_error() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.const .u32 c[];
.entry k()
{
  .reg .u32 %r<3>; .reg .u64 %d<3>; .reg .f32 %f<3>; .reg .pred %p<3>; .reg .u16 %h<3>;
  ld.const.u32 %r1, [c];
  mov.u32 %r1, c;
}
",
        "
error[E0309]: the size of `c` is missing
 --> k.ptx:3:1
  |
3 | .const .u32 c[];
  | ^^^^^^^^^^^^^^^ only an `.extern .shared` array may omit its size
",
    );
}

#[test]
fn too_large_kernels_are_rejected() {
    use std::fmt::Write;
    let mut text = String::from(".version 1.4\n.target sm_10\n.entry k() {\n.reg .u32 %r<1100>;\n");
    for i in 0..1100 {
        let _ = writeln!(text, "mov.u32 %r{i}, %clock;");
    }
    for i in 0..1100 {
        let _ = writeln!(text, "st.global.u32 [0], %r{i};");
    }
    text.push('}');
    assert_diagnostics(
        &text,
        "
error[E0403]: entry `k` is too large: 1100 values are live at the same time
 --> k.ptx:3:8
  |
3 | .entry k() {
  |        ^ more than any GPU has registers",
    );
}

#[test]
fn calls_must_match_the_declaration() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.func (.reg .u32 r) half (.reg .u32 a);
.func (.reg .u32 r) half (.reg .u64 a)
{
  ret;
}
.func gone (.reg .u32 a);
.entry k()
{
  .reg .u32 %r<3>;
  call half, (%r1);
  call gone, (%r1);
}
",
        "
error[E0313]: conflicting declarations of `half`
 --> k.ptx:4:1
  |
3 | .func (.reg .u32 r) half (.reg .u32 a);
  | -------------------------------------- first declaration
4 | .func (.reg .u32 r) half (.reg .u64 a)
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the parameters or results differ from the first declaration

error[E0311]: the call has 0 results, but the function returns 1
  --> k.ptx:12:8
   |
 4 | .func (.reg .u32 r) half (.reg .u64 a)
   | -------------------------------------- declared here
...
12 |   call half, (%r1);
   |        ^^^^ expected 1 result

error[E0312]: `gone` has no body in the given files
  --> k.ptx:13:8
   |
 8 | .func gone (.reg .u32 a);
   | ------------------------ declared without a body
...
13 |   call gone, (%r1);
   |        ^^^^ called here
   |
   = help: define the function in this file, or give the PTX file that defines it as another file
",
    );
}
