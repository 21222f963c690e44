//! The operations on registers that kernels are made of, as templates.

/// 32-bit operations: `$d`, `$a`, `$b`, `$c` are registers, `$b` perhaps a number.
pub const INT_OPS: [&str; 22] = [
    "add.u32 $d, $a, $b",
    "sub.s32 $d, $a, $b",
    "xor.b32 $d, $a, $b",
    "mul24.lo.u32 $d, $a, $b",
    "mad24.lo.s32 $d, $a, $b, $c",
    "mul.lo.u32 $d, $a, $b",
    "mul.hi.u32 $d, $a, $b",
    "mad.lo.u32 $d, $a, $b, $c",
    "and.b32 $d, $a, $b",
    "or.b32 $d, $a, $b",
    "shl.b32 $d, $a, $b",
    "shr.u32 $d, $a, $b",
    "shr.s32 $d, $a, $b",
    "min.s32 $d, $a, $b",
    "max.u32 $d, $a, $b",
    "sad.u32 $d, $a, $b, $c",
    "div.u32 $d, $a, $b",
    "rem.u32 $d, $a, $b",
    "neg.s32 $d, $a",
    "not.b32 $d, $a",
    "abs.s32 $d, $a",
    "mov.u32 $d, $a",
];

/// Single-precision operations.
pub const FLOAT_OPS: [&str; 8] = [
    "add.f32 $d, $a, $b",
    "mad.f32 $d, $a, $b, $c",
    "mul.f32 $d, $a, $b",
    "sub.f32 $d, $a, $b",
    "min.f32 $d, $a, $b",
    "max.f32 $d, $a, $b",
    "neg.f32 $d, $a",
    "abs.f32 $d, $a",
];

/// Operations between kinds: `$rd` and `$ra` are 32-bit registers, `$fd` and `$fa` floats, `$wd` and `$wa` 64-bit.
pub const WIDE_OPS: [&str; 11] = [
    "cvt.rn.f32.u32 $fd, $ra",
    "cvt.rzi.s32.f32 $rd, $fa",
    "mov.b32 $fd, $ra",
    "mov.b32 $rd, $fa",
    "cvt.u64.u32 $wd, $ra",
    "cvt.u32.u64 $rd, $wa",
    "add.u64 $wd, $wd, $wa",
    "xor.b64 $wd, $wd, $wa",
    "mul.wide.u32 $wd, $ra, $rd",
    "shl.b64 $wd, $wa, 3",
    "shr.u64 $wd, $wa, 5",
];
