//! Errors in statements and bodies.

use super::assert_diagnostics;

#[test]
fn something_else_expected() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.entry k {
  add.s32 %r1, %r2 %r3;
  mov.u32 %r1, ;
  mov.b64 {%r1 %r2}, %rd1;
  ld.global.u32 %r1, [%r2;
  ld.global.u32 %r1, [%r2+%r3];
  %r1 = 5;
  exit;
}
",
        r"
error[E0110]: expected `,` or `;` after the instruction, found `%r3`
 --> k.ptx:4:20
  |
4 |   add.s32 %r1, %r2 %r3;
  |                    ^^^ expected `,` or `;` after the instruction

error[E0110]: expected an operand: a register, number, label, `[address]` or `{vector}`, found `;`
 --> k.ptx:5:16
  |
5 |   mov.u32 %r1, ;
  |                ^ expected an operand: a register, number, label, `[address]` or `{vector}`

error[E0110]: expected `,` or `}`, found `%r2`
 --> k.ptx:6:16
  |
6 |   mov.b64 {%r1 %r2}, %rd1;
  |                ^^^ expected `,` or `}`

error[E0110]: expected `]` after the address, found `;`
 --> k.ptx:7:26
  |
7 |   ld.global.u32 %r1, [%r2;
  |                          ^ expected `]` after the address

error[E0110]: the offset of an address must be a constant, not `%r3`
 --> k.ptx:8:27
  |
8 |   ld.global.u32 %r1, [%r2+%r3];
  |                           ^^^ expected a number
  |
  = help: add the two registers first and use the sum as the address

error[E0110]: expected an instruction, found `%r1`
 --> k.ptx:9:3
  |
9 |   %r1 = 5;
  |   ^^^ a register cannot begin a statement
",
    );
}

#[test]
fn missing_semicolons() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.entry k {
  add.s32 %r1, %r2, %r3
  mov.u32 %r1, 5;
  ret
}
",
        r"
error[E0111]: missing `;` after the instruction
 --> k.ptx:4:24
  |
4 |   add.s32 %r1, %r2, %r3
  |                        ^ add `;` here

error[E0111]: missing `;` after the instruction
 --> k.ptx:6:6
  |
6 |   ret
  |      ^ add `;` here
",
    );
}

#[test]
fn missing_brace() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.entry a {
  {
    exit;
.visible .entry b {
  exit;
}
",
        r"
error[E0112]: missing `}` before `.visible`
 --> k.ptx:6:1
  |
4 |   {
  |   - this block is not closed
5 |     exit;
6 | .visible .entry b {
  | ^^^^^^^^ expected `}`
",
    );
}

#[test]
fn superfluous_brace() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.entry k {
  exit;
}
}
",
        r"
error[E0112]: unmatched `}`
 --> k.ptx:6:1
  |
6 | }
  | ^ no open block here
",
    );
}

#[test]
fn unknown_directives() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.entyr k { exit; }
.entry k .maxntdi 5 {
  .regg .u32 %r;
  exit;
}
",
        r"
error[E0114]: unknown directive `.entyr`
 --> k.ptx:3:1
  |
3 | .entyr k { exit; }
  | ^^^^^^ expected .entry, .func, .global, .const or another module directive
  |
  = help: did you mean `.entry`?

error[E0114]: unknown directive `.maxntdi` before a function body
 --> k.ptx:4:10
  |
4 | .entry k .maxntdi 5 {
  |          ^^^^^^^^ expected .maxntid, .reqntid, .maxnreg or `{`
  |
  = help: did you mean `.maxntid`?

error[E0114]: unknown directive `.regg` in a function body
 --> k.ptx:5:3
  |
5 |   .regg .u32 %r;
  |   ^^^^^ expected a declaration, .loc, .pragma or an instruction
  |
  = help: did you mean `.reg`?
",
    );
}
