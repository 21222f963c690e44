//! What is wrong with headers and declarations.

use super::assert_complaints;

#[test]
fn no_header() {
    assert_complaints(
        r".entry k { exit; }
",
        r"
error[E0115]: the module has no `.version` and `.target`
 --> k.ptx:1:1
  |
1 | .entry k { exit; }
  | ^ expected here
  |
  = note: a module begins with, for example: .version 1.4 and .target sm_10, each on its line
",
    );
}

#[test]
fn wrong_header() {
    assert_complaints(
        r".version 1.4
.version 1.5
.target sm_10
.address_size 48
",
        r"
error[E0115]: a second `.version`
 --> k.ptx:2:1
  |
1 | .version 1.4
  | ------------ the first one
2 | .version 1.5
  | ^^^^^^^^^^^^ a module has one

error[E0115]: an address size of 48 bits
 --> k.ptx:4:15
  |
4 | .address_size 48
  |               ^^ must be 32 or 64
",
    );
}

#[test]
fn wrong_declarations() {
    assert_complaints(
        r".version 1.4
.target sm_10
.global .u23 a;
.global b;
.global .shared .u32 c;
.global .align 3 .u32 d;
",
        r"
error[E0116]: a declaration has no `.u23`; did you mean `.u32`?
 --> k.ptx:3:9
  |
3 | .global .u23 a;
  |         ^^^^ expected a state space, type, .align, .v2 or .v4

error[E0116]: a declaration without a type
 --> k.ptx:4:9
  |
4 | .global b;
  |         ^ expected a type such as .u32 before this

error[E0116]: a second state space
 --> k.ptx:5:9
  |
5 | .global .shared .u32 c;
  |         ^^^^^^^ a variable lives in one space

error[E0116]: an alignment of 3 bytes
 --> k.ptx:6:16
  |
6 | .global .align 3 .u32 d;
  |                ^ must be a power of two
",
    );
}

#[test]
fn constants_without_a_value() {
    assert_complaints(
        r".version 1.4
.target sm_10
.global .u32 a[1/0];
.global .u32 b[-1];
.global .u32 c = 1 << 64;
.global .u32 d = 1.5 + 2;
",
        r"
error[E0117]: division by zero in a constant
 --> k.ptx:3:18
  |
3 | .global .u32 a[1/0];
  |                  ^ this is 0

error[E0117]: an array of -1 elements
 --> k.ptx:4:16
  |
4 | .global .u32 b[-1];
  |                ^^ must not be negative

error[E0117]: this constant needs more than 64 bits
 --> k.ptx:5:18
  |
5 | .global .u32 c = 1 << 64;
  |                  ^^^^^^^ overflows

error[E0117]: an integer is needed here, and this is a floating-point number
 --> k.ptx:6:18
  |
6 | .global .u32 d = 1.5 + 2;
  |                  ^^^ not an integer
",
    );
}

#[test]
fn initialisers_that_do_not_fit() {
    assert_complaints(
        r".version 1.4
.target sm_10
.global .u32 a[2] = {1, 2, 3};
.global .u32 b = {{1}};
.global .u32 c[2][33554432] = {{1}, {2}};
",
        r"
error[E0118]: 3 initial values for 2 elements
 --> k.ptx:3:19
  |
3 | .global .u32 a[2] = {1, 2, 3};
  |                   ^^^^^^^^^^^ too many values

error[E0118]: more braces than the variable has dimensions
 --> k.ptx:4:19
  |
4 | .global .u32 b = {{1}};
  |                   ^ a brace too deep

error[E0118]: this initialiser fills 33554432 elements; this simulator takes up to 16777216
 --> k.ptx:5:32
  |
5 | .global .u32 c[2][33554432] = {{1}, {2}};
  |                                ^^^ fills too many elements
",
    );
}

#[test]
fn not_read_yet() {
    assert_complaints(
        r".version 1.4
.target sm_10
.global .texref t;
.entry k {
  ld.global.u32 %r1, a[4];
}
",
        r"
error[E0119]: `.texref`: textures and surfaces are not implemented by this simulator yet
 --> k.ptx:3:9
  |
3 | .global .texref t;
  |         ^^^^^^^ not read yet

error[E0119]: `a[…]`: an array element as an operand is not read yet
 --> k.ptx:5:22
  |
5 |   ld.global.u32 %r1, a[4];
  |                      ^^ indexed here
  |
  = note: write the byte offset: `[a+4]` for memory, `a+4` for an address
",
    );
}
