//! Errors in tokens.

use super::assert_diagnostics;

#[test]
fn invalid_characters() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.entry k {
  add.s32 %r1, \\ 2;
}
",
        r"
error[E0101]: invalid characters `\\\\`
 --> k.ptx:4:16
  |
4 |   add.s32 %r1, \\ 2;
  |                ^^ PTX does not use this outside comments
",
    );
}

#[test]
fn malformed_numbers() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.entry k {
  mov.f32 %f1, 0f3F8;
  mov.f64 %d1, 0d3FF0;
  mov.u32 %r1, 12ab;
  mov.u32 %r1, 0189;
  mov.u32 %r1, 99999999999999999999;
}
",
        r"
error[E0102]: invalid number `0f3F8`
 --> k.ptx:4:16
  |
4 |   mov.f32 %f1, 0f3F8;
  |                ^^^^^ not a hexadecimal .f32 number
  |
  = help: write exactly 8 hexadecimal digits after `0f`: `0f3F800000` is 1.0

error[E0102]: invalid number `0d3FF0`
 --> k.ptx:5:16
  |
5 |   mov.f64 %d1, 0d3FF0;
  |                ^^^^^^ not a hexadecimal .f64 number
  |
  = help: write exactly 16 hexadecimal digits after `0d`: `0d3FF0000000000000` is 1.0

error[E0102]: invalid number `12ab`
 --> k.ptx:6:16
  |
6 |   mov.u32 %r1, 12ab;
  |                ^^^^ not a number
  |
  = help: write an integer in decimal, `0x…` (hexadecimal), `0b…` (binary) or `0…` (octal); a name cannot begin with a digit

error[E0102]: `0189` begins with 0 and is octal, but octal has no digits 8 and 9
 --> k.ptx:7:16
  |
7 |   mov.u32 %r1, 0189;
  |                ^^^^ invalid number

error[E0102]: `99999999999999999999` does not fit in 64 bits
 --> k.ptx:8:16
  |
8 |   mov.u32 %r1, 99999999999999999999;
  |                ^^^^^^^^^^^^^^^^^^^^ invalid number
",
    );
}

#[test]
fn open_strings_and_comments() {
    assert_diagnostics(
        r#".version 1.4
.target sm_10
.entry k {
  .pragma "nounroll;
  exit; /* not closed
}
"#,
        r#"
error[E0103]: unterminated string
 --> k.ptx:4:11
  |
4 |   .pragma "nounroll;
  |           ^ the string begins here
  |
  = help: close the string with `"` on the line where it begins

error[E0103]: unterminated comment
 --> k.ptx:5:9
  |
5 |   exit; /* not closed
  |         ^^ the comment begins here
  |
  = help: close the comment with `*/`; all text after `/*` is read as the comment
"#,
    );
}
