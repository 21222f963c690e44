//! Errors in headers and declarations.

use super::assert_diagnostics;

#[test]
fn no_header() {
    assert_diagnostics(
        r".entry k { exit; }
",
        r"
error[E0115]: the module has no `.version` and `.target`
 --> k.ptx:1:1
  |
1 | .entry k { exit; }
  | ^ expected here
  |
  = help: begin the module with, for example, `.version 1.4` and `.target sm_10`, each on its own line
",
    );
}

#[test]
fn wrong_header() {
    assert_diagnostics(
        r".version 1.4
.version 1.5
.target sm_10
.address_size 48
",
        r"
error[E0115]: duplicate `.version`
 --> k.ptx:2:1
  |
1 | .version 1.4
  | ------------ first `.version`
2 | .version 1.5
  | ^^^^^^^^^^^^ a module has one `.version`

error[E0115]: invalid address size of 48 bits
 --> k.ptx:4:15
  |
4 | .address_size 48
  |               ^^ expected 32 or 64
",
    );
}

#[test]
fn wrong_declarations() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.address_size 64
.address_size 32
.extern .visible .global .u32 e;
.entry r (.reg .u32 x) { ret; }
.global .u23 a;
.global b;
.global .shared .u32 c;
.global .align 3 .u32 d;
",
        r"
error[E0115]: duplicate `.address_size`
 --> k.ptx:4:1
  |
3 | .address_size 64
  | ---------------- first `.address_size`
4 | .address_size 32
  | ^^^^^^^^^^^^^^^^ a module has one `.address_size`

error[E0116]: the declaration has two linkages
 --> k.ptx:5:9
  |
5 | .extern .visible .global .u32 e;
  |         ^^^^^^^^ expected one linkage

error[E0116]: invalid parameter `x` of an entry
 --> k.ptx:6:11
  |
6 | .entry r (.reg .u32 x) { ret; }
  |           ^^^^^^^^^^^ expected a `.param` scalar or array

error[E0116]: unknown word `.u23` in a declaration
 --> k.ptx:7:9
  |
7 | .global .u23 a;
  |         ^^^^ expected a state space, type, .align, .v2 or .v4
  |
  = help: did you mean `.u32`?

error[E0116]: the declaration has no type
 --> k.ptx:8:9
  |
8 | .global b;
  |         ^ expected a type such as .u32 before this

error[E0116]: the declaration has two state spaces
 --> k.ptx:9:9
  |
9 | .global .shared .u32 c;
  |         ^^^^^^^ expected one state space

error[E0116]: invalid alignment of 3 bytes
  --> k.ptx:10:16
   |
10 | .global .align 3 .u32 d;
   |                ^ expected a power of two
",
    );
}

#[test]
fn constants_without_a_value() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.global .u32 a[1/0];
.global .u32 b[-1];
.global .f64 c = 1e400;
.global .u32 d = 1.5 + 2;
.global .f32 e = -0f3F800000;
.global .u32 f = 1.5 % 2.0;
",
        r"
error[E0117]: division by zero in a constant expression
 --> k.ptx:3:18
  |
3 | .global .u32 a[1/0];
  |                  ^ this divisor is 0

error[E0117]: invalid array length -1
 --> k.ptx:4:16
  |
4 | .global .u32 b[-1];
  |                ^^ expected 0 or more

error[E0102]: `1e400` is out of the range of `.f64`
 --> k.ptx:5:18
  |
5 | .global .f64 c = 1e400;
  |                  ^^^^^ invalid number

error[E0117]: expected an integer, found a floating-point number
 --> k.ptx:6:18
  |
6 | .global .u32 d = 1.5 + 2;
  |                  ^^^ not an integer

error[E0117]: a number `0f…` has no operators
 --> k.ptx:7:18
  |
7 | .global .f32 e = -0f3F800000;
  |                  ^^^^^^^^^^^ not a number
  |
  = help: set the highest bit instead: `0fBF800000` is -1.0

error[E0117]: expected integers, found floating-point numbers
 --> k.ptx:8:18
  |
8 | .global .u32 f = 1.5 % 2.0;
  |                  ^^^^^^^^^ this operator takes integers
",
    );
}

#[test]
fn initializers_that_do_not_fit() {
    assert_diagnostics(
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

error[E0118]: the initializer has more levels of braces than the variable has dimensions
 --> k.ptx:4:19
  |
4 | .global .u32 b = {{1}};
  |                   ^ one level of braces too many

error[E0118]: the initializer has 33554432 elements; this simulator accepts at most 16777216
 --> k.ptx:5:32
  |
5 | .global .u32 c[2][33554432] = {{1}, {2}};
  |                                ^^^ too many elements
",
    );
}

#[test]
fn unsupported_declarations() {
    assert_diagnostics(
        r".version 1.4
.target sm_10
.surf .u32 t;
.global .samplerref s = { addr_mode_0 = clamp_ogl };
.global .samplerref q = { width = 4 };
.entry k (.param .u32 .ptr .param p) {
  ld.global.u32 %r1, a[4];
}
",
        r"
error[E0119]: `.surf` variables are not supported by this simulator
 --> k.ptx:3:1
  |
3 | .surf .u32 t;
  | ^^^^^ write `.global .surfref`

error[E0118]: `clamp_ogl` is not supported as address mode of a sampler
 --> k.ptx:4:41
  |
4 | .global .samplerref s = { addr_mode_0 = clamp_ogl };
  |                                         ^^^^^^^^^ expected one of: wrap, mirror, clamp_to_edge, clamp_to_border

error[E0118]: a sampler has no member `width`
 --> k.ptx:5:27
  |
5 | .global .samplerref q = { width = 4 };
  |                           ^^^^^ expected addr_mode_0, 1, 2, filter_mode or force_unnormalized_coords

error[E0116]: a parameter cannot point to .param memory
 --> k.ptx:6:28
  |
6 | .entry k (.param .u32 .ptr .param p) {
  |                            ^^^^^^ expected .const, .global, .local or .shared

error[E0119]: `a[…]`: an array element as an operand is not supported
 --> k.ptx:7:22
  |
7 |   ld.global.u32 %r1, a[4];
  |                      ^^ indexed here
  |
  = help: write the byte offset: `[a+4]` for memory, `a+4` for an address
",
    );
}
