//! What is wrong with tokens.

use super::assert_complaints;

#[test]
fn foreign_characters() {
    assert_complaints(
        r".version 1.4
.target sm_10
.entry k {
  add.s32 %r1, ?? 2;
}
",
        r"
error[E0101]: `??` is not part of PTX
 --> k.ptx:4:16
  |
4 |   add.s32 %r1, ?? 2;
  |                ^^ not expected anywhere
",
    );
}

#[test]
fn malformed_numbers() {
    assert_complaints(
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
error[E0102]: `0f3F8` is not a number
 --> k.ptx:4:16
  |
4 |   mov.f32 %f1, 0f3F8;
  |                ^^^^^ not an f32 in hexadecimal
  |
  = note: `0f` takes exactly 8 hexadecimal digits: 0f3F800000 is 1.0

error[E0102]: `0d3FF0` is not a number
 --> k.ptx:5:16
  |
5 |   mov.f64 %d1, 0d3FF0;
  |                ^^^^^^ not an f64 in hexadecimal
  |
  = note: `0d` takes exactly 16 hexadecimal digits: 0d3FF0000000000000 is 1.0

error[E0102]: `12ab` is not a number
 --> k.ptx:6:16
  |
6 |   mov.u32 %r1, 12ab;
  |                ^^^^ not a number
  |
  = note: integers are decimal, 0x… (hexadecimal), 0b… (binary) or 0… (octal), with an optional U; a name cannot begin with a digit

error[E0102]: `0189` begins with 0, so it is octal, which has no digits 8 and 9
 --> k.ptx:7:16
  |
7 |   mov.u32 %r1, 0189;
  |                ^^^^ this number

error[E0102]: `99999999999999999999` needs more than 64 bits
 --> k.ptx:8:16
  |
8 |   mov.u32 %r1, 99999999999999999999;
  |                ^^^^^^^^^^^^^^^^^^^^ this number
",
    );
}

#[test]
fn open_strings_and_comments() {
    assert_complaints(
        r#".version 1.4
.target sm_10
.entry k {
  .pragma "nounroll;
  exit; /* not closed
}
"#,
        r#"
error[E0103]: this string is never closed
 --> k.ptx:4:11
  |
4 |   .pragma "nounroll;
  |           ^ opened here
  |
  = note: a string ends with `"` on the line on which it begins

error[E0103]: this comment is never closed
 --> k.ptx:5:9
  |
5 |   exit; /* not closed
  |         ^^ opened here
  |
  = note: all text behind it was taken for the comment; close it with `*/`
"#,
    );
}
