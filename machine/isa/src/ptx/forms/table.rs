//! The table of instruction forms, in the notation of the PTX manual.
//!
//! A form is `name.word{.optional}.class operands`. A word in [`CLASSES`](super::classes::CLASSES)
//! represents any one of the words of its class. `.a|b` is a class written in place. An item in
//! braces is optional. The operands are:
//!
//! | text | operand |
//! |---|---|
//! | `d` | a register; with `.v2` or `.v4` two or four in braces |
//! | `p` `p\|q` | a predicate register; one or two of them |
//! | `a` `b` `c` `e` | a register or number; with `.v2` or `.v4` two or four in braces |
//! | `{!}q` `{!}r` `{!}c` | a predicate register as a source, which may be negated with `!` |
//! | `s` | as `a`, or a special register |
//! | `x` | as `s`, or the address of a variable |
//! | `[a]` | an address |
//! | `[t]` | a texture |
//! | `[t,{c}]` | a texture and its coordinates, or one coordinate without braces |
//! | `a{.sel}` `b{.sel}` | as `a`; a register may have a part: `.b0` to `.b3`, `.h0`, `.h1` |
//! | `d.sel` | a register with a part |
//! | `{-}a{.sel}` `{-}b{.sel}` `{-}c` | as without `{-}`; a register may have a minus sign |
//! | `[t,s,{c}]` | a texture, a sampler, and coordinates |
//! | `[s]` `[s,{c}]` | a surface; with its coordinates |
//! | `{v}` | registers in braces: the parts of a wider value |
//! | `d\|p` | a register, or a register and a predicate register |
//! | `i` | a truth table of three bits: 0 to 255 |
//! | `n` `n\|u` | the number of a barrier; or a register that holds it |
//! | `m` | a number of threads, a multiple of the warp size, or a register that holds it |
//! | `u` | a register as a source |
//! | `k` | the number of a performance monitor event |
//! | `t` | a label |
//! | `f` | a function, or a register that holds the address of one |
//! | `(r)` | a list in parentheses: destinations of the results |
//! | `(l)` | a list in parentheses: arguments |
//! | `g` | the label of a `.callprototype` or `.calltargets` |
//!
//! To add a form, add a row here, its micro-ops to the micro-op table, and its lowering.
//! [`Opcode::meaning`](super::Opcode::meaning) describes the forms of an opcode; a row with another
//! description adds `.means(…)`. A row whose results do not agree with the hardware bit for bit
//! adds `.within(BOUND)`.
//!
//! Invariant `executed-forms`: Every form that is documented as executed is lowered in all its
//! spellings, and is as exact as its micro-ops. Another form, and an instruction without a form, is
//! rejected by name. docs/ISA.md has them all.

use super::Opcode::{
    Abs, Activemask, Add, Addc, And, Atom, BarArrive, BarRed, BarSync, BarWarp, Bfe, Bfi, Bfind, Bra, Brev,
    Brkpt, Call, Clz, Cnot, Copysign, Cos, Cvt, Cvta, CvtaTo, Div, Ex2, Exit, Fma, Isspacep, Ld, Lg2, Lop3,
    Mad, Mad24, Madc, Max, Membar, Min, Mov, Mul, Mul24, Neg, Not, Or, Pmevent, Popc, Prefetch, Prmt, Rcp,
    Red, Rem, Ret, Rsqrt, Sad, Selp, Set, Setp, Shf, Shfl, ShflSync, Shl, Shr, Sin, Slct, Sqrt, St, Sub,
    Subc, Suld, Suq, Sust, Testp, Tex, Trap, Txq, Vabsdiff, Vadd, Vmad, Vmax, Vmin, Vote, VoteSync, Vset,
    Vshl, Vshr, Vsub, Xor,
};
use super::row::{FormRow, row};
use crate::sem::fidelity::{DIVISION, DOUBLE, LOGARITHM, POWER, RECIPROCAL, ROOT, TURN};

/// All forms. An instruction is resolved to the first form that matches.
#[rustfmt::skip]
pub(super) const FORMS: &[FormRow] = &[
    // moves
    row(Mov,   "mov.type d, x"),
    row(Mov,   "mov.pred p, a"),
    row(Mov,   "mov.bits d, {v}")
        .means("d = concatenation of the parts, the first in the lowest bits"),
    row(Mov,   "mov.bits {v}, a")
        .means("the parts = pieces of a, the first from the lowest bits"),
    row(Selp,  "selp.type d, a, b, {!}q"),
    // arithmetic; the f32 forms of PTX 1.0 round to nearest (.rn) without a modifier
    row(Add,   "add.int d, a, b"),
    row(Add,   "add.sat.s32 d, a, b"),
    row(Add,   "add{.rnd}{.ftz}{.sat}.f32 d, a, b"),
    row(Add,   "add.rnd20{.ftz}{.sat}.f32 d, a, b").sm(20),
    row(Add,   "add{.rnd4}.f64 d, a, b").sm(13),
    row(Add,   "add.cc.word d, a, b").since(1, 2)
        .means("d = a + b, writes the carry to the condition code"),
    row(Sub,   "sub.int d, a, b"),
    row(Sub,   "sub.sat.s32 d, a, b"),
    row(Sub,   "sub{.rnd}{.ftz}{.sat}.f32 d, a, b"),
    row(Sub,   "sub.rnd20{.ftz}{.sat}.f32 d, a, b").sm(20),
    row(Sub,   "sub{.rnd4}.f64 d, a, b").sm(13),
    row(Sub,   "sub.cc.word d, a, b").since(1, 3)
        .means("d = a - b, writes 1 to the condition code if there is no borrow"),
    row(Neg,   "neg.sint d, a"),
    row(Neg,   "neg{.ftz}.f32 d, a"),
    row(Neg,   "neg.f64 d, a").sm(13),
    row(Abs,   "abs.sint d, a"),
    row(Abs,   "abs{.ftz}.f32 d, a"),
    row(Abs,   "abs.f64 d, a").sm(13),
    row(Min,   "min.int d, a, b"),
    row(Min,   "min{.ftz}.f32 d, a, b"),
    row(Min,   "min.f64 d, a, b").sm(13),
    row(Max,   "max.int d, a, b"),
    row(Max,   "max{.ftz}.f32 d, a, b"),
    row(Max,   "max.f64 d, a, b").sm(13),
    row(Sad,   "sad.int d, a, b, c"),
    row(Mul,   "mul.part.int d, a, b")
        .means("d = the lower or upper half of a × b"),
    row(Mul,   "mul.wide.narrow d, a, b")
        .means("d = the full product a × b, twice as wide as a and b"),
    row(Mul,   "mul{.rnd}{.ftz}{.sat}.f32 d, a, b"),
    row(Mul,   "mul.rnd20{.ftz}{.sat}.f32 d, a, b").sm(20),
    row(Mul,   "mul{.rnd4}.f64 d, a, b").sm(13),
    row(Mad,   "mad.part.int d, a, b, c")
        .means("d = the lower or upper half of a × b, plus c"),
    row(Mad,   "mad.hi.sat.s32 d, a, b, c")
        .means("d = the upper half of a × b, plus c"),
    row(Mad,   "mad.wide.narrow d, a, b, c")
        .means("d = a × b + c, d and c twice as wide as a and b"),
    row(Mad,   "mad{.ftz}{.sat}.f32 d, a, b, c")
        .means("d = a × b + c, rounded once; below sm_20 the product is first truncated to 24 bits"),
    row(Mad,   "mad.rnd4{.ftz}{.sat}.f32 d, a, b, c").sm(20),
    row(Mad,   "mad.rnd4.f64 d, a, b, c").sm(13),
    row(Mad,   "mad.f64 d, a, b, c").sm(13).removed(1, 4),
    row(Fma,   "fma.rnd4{.ftz}{.sat}.f32 d, a, b, c").sm(20),
    row(Fma,   "fma.rnd4.f64 d, a, b, c").sm(13).since(1, 4),
    row(Mul24, "mul24.part.word d, a, b"),
    row(Mad24, "mad24.part.word d, a, b, c"),
    row(Mad24, "mad24.hi.sat.s32 d, a, b, c"),
    row(Div,   "div.int d, a, b"),
    row(Div,   "div.f32 d, a, b").removed(1, 4).within(DIVISION),
    row(Div,   "div.approx|full{.ftz}.f32 d, a, b").within(DIVISION),
    row(Div,   "div.rnd4{.ftz}.f32 d, a, b").sm(20),
    row(Div,   "div.rn.f64 d, a, b").sm(13),
    row(Div,   "div.f64 d, a, b").sm(13).removed(1, 4),
    row(Div,   "div.rz|rm|rp.f64 d, a, b").sm(20),
    row(Rem,   "rem.int d, a, b"),
    // reciprocals and roots
    row(Rcp,   "rcp.f32 d, a").removed(1, 4).within(RECIPROCAL),
    row(Rcp,   "rcp.approx{.ftz}.f32 d, a").within(RECIPROCAL),
    row(Rcp,   "rcp.rnd4{.ftz}.f32 d, a").sm(20),
    row(Rcp,   "rcp.rn.f64 d, a").sm(13),
    row(Rcp,   "rcp.f64 d, a").sm(13).removed(1, 4),
    row(Rcp,   "rcp.rz|rm|rp.f64 d, a").sm(20),
    row(Rcp,   "rcp.approx.ftz.f64 d, a").sm(20).since(2, 1).within(DOUBLE),
    row(Sqrt,  "sqrt.f32 d, a").removed(1, 4).within(ROOT),
    row(Sqrt,  "sqrt.approx{.ftz}.f32 d, a").within(ROOT),
    row(Sqrt,  "sqrt.rnd4{.ftz}.f32 d, a").sm(20),
    row(Sqrt,  "sqrt.rn.f64 d, a").sm(13),
    row(Sqrt,  "sqrt.f64 d, a").sm(13).removed(1, 4),
    row(Sqrt,  "sqrt.rz|rm|rp.f64 d, a").sm(20),
    row(Rsqrt, "rsqrt.f32 d, a").removed(1, 4).within(ROOT),
    row(Rsqrt, "rsqrt.approx{.ftz}.f32 d, a").within(ROOT),
    row(Rsqrt, "rsqrt.approx.f64 d, a").sm(13).within(DOUBLE),
    row(Rsqrt, "rsqrt.approx.ftz.f64 d, a").sm(20).since(4, 0).within(DOUBLE),
    row(Rsqrt, "rsqrt.f64 d, a").sm(13).removed(1, 4).within(DOUBLE),
    // copysign and testp
    row(Copysign, "copysign.f32 d, a, b").sm(20),
    row(Copysign, "copysign.f64 d, a, b").sm(20),
    row(Testp, "testp.test.f32 p, a").sm(20),
    row(Testp, "testp.test.f64 p, a").sm(20),
    // special functions; the forms of PTX 1.0 to 1.3 are approximations without a modifier
    row(Sin,   "sin.f32 d, a").removed(1, 4).within(TURN),
    row(Sin,   "sin.approx{.ftz}.f32 d, a").within(TURN),
    row(Cos,   "cos.f32 d, a").removed(1, 4).within(TURN),
    row(Cos,   "cos.approx{.ftz}.f32 d, a").within(TURN),
    row(Lg2,   "lg2.f32 d, a").removed(1, 4).within(LOGARITHM),
    row(Lg2,   "lg2.approx{.ftz}.f32 d, a").within(LOGARITHM),
    row(Ex2,   "ex2.f32 d, a").removed(1, 4).within(POWER),
    row(Ex2,   "ex2.approx{.ftz}.f32 d, a").within(POWER),
    // logic
    row(And,   "and.bits d, a, b"),
    row(And,   "and.pred p, {!}q, {!}r"),
    row(Or,    "or.bits d, a, b"),
    row(Or,    "or.pred p, {!}q, {!}r"),
    row(Xor,   "xor.bits d, a, b"),
    row(Xor,   "xor.pred p, {!}q, {!}r"),
    row(Not,   "not.bits d, a"),
    row(Not,   "not.pred p, {!}q"),
    row(Shl,   "shl.bits d, a, b"),
    row(Shr,   "shr.bits|u16|u32|u64|s16|s32|s64 d, a, b"),
    // carry chains; mad.cc and madc were introduced in PTX 3.0, and compilers emit them
    row(Addc,  "addc{.cc}.word d, a, b").since(1, 2),
    row(Subc,  "subc{.cc}.word d, a, b").since(1, 3),
    // accepted only by the assembler; the manual does not define them
    row(Addc,  "addc.u16|u64|s16|s64 d, a, b").since(1, 2),
    row(Subc,  "subc.u16|u64|s16|s64 d, a, b").since(1, 3),
    row(Mad,   "mad.part.cc.word d, a, b, c").sm(20)
        .means("d = one half of a × b, plus c, writes the carry to the condition code"),
    row(Madc,  "madc.part{.cc}.word d, a, b, c").sm(20),
    // bits
    row(Cnot,  "cnot.bits d, a"),
    row(Popc,  "popc.bits20 d, a").sm(20),
    row(Clz,   "clz.bits20 d, a").sm(20),
    row(Brev,  "brev.bits20 d, a").sm(20),
    row(Bfind, "bfind{.shiftamt}.int20 d, a").sm(20),
    row(Bfe,   "bfe.int20 d, a, b, c").sm(20),
    row(Bfi,   "bfi.bits20 d, a, b, c, e").sm(20),
    row(Prmt,  "prmt.b32{.permute} d, a, b, c").sm(20),
    row(Shf,   "shf.l|r.wrap|clamp.b32 d, a, b, c").sm(32).since(3, 1),
    // video instructions: with a second operation; with a merge into c, or without c
    row(Vadd,  "vadd.word.aword.bword{.sat} d, a{.sel}, b{.sel}").sm(20),
    row(Vadd,  "vadd.word.aword.bword{.sat}{.second} d, a{.sel}, b{.sel}, c").sm(20),
    row(Vadd,  "vadd.word.aword.bword{.sat} d.sel, a{.sel}, b{.sel}, c").sm(20),
    row(Vsub,  "vsub.word.aword.bword{.sat} d, a{.sel}, b{.sel}").sm(20),
    row(Vsub,  "vsub.word.aword.bword{.sat}{.second} d, a{.sel}, b{.sel}, c").sm(20),
    row(Vsub,  "vsub.word.aword.bword{.sat} d.sel, a{.sel}, b{.sel}, c").sm(20),
    row(Vabsdiff, "vabsdiff.word.aword.bword{.sat} d, a{.sel}, b{.sel}").sm(20),
    row(Vabsdiff, "vabsdiff.word.aword.bword{.sat}{.second} d, a{.sel}, b{.sel}, c").sm(20),
    row(Vabsdiff, "vabsdiff.word.aword.bword{.sat} d.sel, a{.sel}, b{.sel}, c").sm(20),
    row(Vmin,  "vmin.word.aword.bword{.sat} d, a{.sel}, b{.sel}").sm(20),
    row(Vmin,  "vmin.word.aword.bword{.sat}{.second} d, a{.sel}, b{.sel}, c").sm(20),
    row(Vmin,  "vmin.word.aword.bword{.sat} d.sel, a{.sel}, b{.sel}, c").sm(20),
    row(Vmax,  "vmax.word.aword.bword{.sat} d, a{.sel}, b{.sel}").sm(20),
    row(Vmax,  "vmax.word.aword.bword{.sat}{.second} d, a{.sel}, b{.sel}, c").sm(20),
    row(Vmax,  "vmax.word.aword.bword{.sat} d.sel, a{.sel}, b{.sel}, c").sm(20),
    row(Vshl,  "vshl.word.aword.u32{.sat}.clamp|wrap d, a{.sel}, b{.sel}").sm(20),
    row(Vshl,  "vshl.word.aword.u32{.sat}.clamp|wrap{.second} d, a{.sel}, b{.sel}, c").sm(20),
    row(Vshl,  "vshl.word.aword.u32{.sat}.clamp|wrap d.sel, a{.sel}, b{.sel}, c").sm(20),
    row(Vshr,  "vshr.word.aword.u32{.sat}.clamp|wrap d, a{.sel}, b{.sel}").sm(20),
    row(Vshr,  "vshr.word.aword.u32{.sat}.clamp|wrap{.second} d, a{.sel}, b{.sel}, c").sm(20),
    row(Vshr,  "vshr.word.aword.u32{.sat}.clamp|wrap d.sel, a{.sel}, b{.sel}, c").sm(20),
    row(Vset,  "vset.aword.bword.cmpi d, a{.sel}, b{.sel}").sm(20),
    row(Vset,  "vset.aword.bword.cmpi{.second} d, a{.sel}, b{.sel}, c").sm(20),
    row(Vset,  "vset.aword.bword.cmpi d.sel, a{.sel}, b{.sel}, c").sm(20),
    row(Vmad,  "vmad.word.aword.bword{.sat}{.shr7|shr15} d, {-}a{.sel}, {-}b{.sel}, {-}c").sm(20),
    row(Vmad,  "vmad.word.aword.bword.po{.sat}{.shr7|shr15} d, a{.sel}, b{.sel}, c").sm(20)
        .means("d = a × b + c + 1, shifted to the right"),
    // comparisons with a value as result, and selection by a sign
    row(Set,   "set.eq|ne.truth.bits d, a, b"),
    row(Set,   "set.eq|ne.bool.truth.bits d, a, b, {!}c"),
    row(Set,   "set.cmpi.truth.int d, a, b"),
    row(Set,   "set.cmpi.bool.truth.int d, a, b, {!}c"),
    row(Set,   "set.cmpu.truth.uint d, a, b"),
    row(Set,   "set.cmpu.bool.truth.uint d, a, b, {!}c"),
    row(Set,   "set.cmpf{.ftz}.truth.f32 d, a, b"),
    row(Set,   "set.cmpf.bool{.ftz}.truth.f32 d, a, b, {!}c"),
    row(Set,   "set.cmpf.truth.f64 d, a, b").sm(13),
    row(Set,   "set.cmpf.bool.truth.f64 d, a, b, {!}c").sm(13),
    row(Slct,  "slct.type.s32 d, a, b, c"),
    row(Slct,  "slct{.ftz}.type.f32 d, a, b, c"),
    // conversion; .sat only if the result type cannot represent all values of the source type
    row(Cvt,   "cvt.itype.isrc d, s"),
    row(Cvt,   "cvt.sat.u8.u16|u32|u64|s8|s16|s32|s64 d, s"),
    row(Cvt,   "cvt.sat.u16.u32|u64|s8|s16|s32|s64 d, s"),
    row(Cvt,   "cvt.sat.u32.u64|s8|s16|s32|s64 d, s"),
    row(Cvt,   "cvt.sat.u64.s8|s16|s32|s64 d, s"),
    row(Cvt,   "cvt.sat.s8.u8|u16|u32|u64|s16|s32|s64 d, s"),
    row(Cvt,   "cvt.sat.s16.u16|u32|u64|s32|s64 d, s"),
    row(Cvt,   "cvt.sat.s32.u32|u64|s64 d, s"),
    row(Cvt,   "cvt.sat.s64.u64 d, s"),
    row(Cvt,   "cvt.irnd{.ftz}{.sat}.itype.f32 d, a"),
    row(Cvt,   "cvt.rnd4{.sat}.f32.isrc d, s"),
    row(Cvt,   "cvt{.irnd}{.ftz}{.sat}.f32.f32 d, a"),
    row(Cvt,   "cvt.irnd{.sat}.itype.f64 d, a").sm(13),
    row(Cvt,   "cvt.rnd4{.sat}.f64.isrc d, s").sm(13),
    row(Cvt,   "cvt{.irnd}{.sat}.f64.f64 d, a").sm(13),
    row(Cvt,   "cvt{.ftz}{.sat}.f64.f32 d, a").sm(13),
    row(Cvt,   "cvt.rnd4{.ftz}{.sat}.f32.f64 d, a").sm(13),
    row(Cvt,   "cvt.rnd4{.ftz}{.sat}.f16.f32 d, a"),
    row(Cvt,   "cvt{.ftz}{.sat}.f32.f16 d, a"),
    // conversions between generic addresses and addresses of a state space
    row(Cvta,  "cvta.global|local|shared.size d, x").sm(20),
    row(CvtaTo, "cvta.to.global|local|shared.size d, u").sm(20),
    row(Isspacep, "isspacep.global|local|shared p, u").sm(20),
    // the same for constant memory: introduced in PTX 3.1, and compilers emit it
    row(Cvta,  "cvta.const.size d, x").sm(20),
    row(CvtaTo, "cvta.to.const.size d, u").sm(20),
    row(Isspacep, "isspacep.const p, u").sm(20),
    // comparison
    row(Setp,  "setp.eq|ne.bits p|q, a, b"),
    row(Setp,  "setp.eq|ne.bool.bits p|q, a, b, {!}c"),
    row(Setp,  "setp.cmpi.int p|q, a, b"),
    row(Setp,  "setp.cmpi.bool.int p|q, a, b, {!}c"),
    row(Setp,  "setp.cmpu.uint p|q, a, b"),
    row(Setp,  "setp.cmpu.bool.uint p|q, a, b, {!}c"),
    row(Setp,  "setp.cmpf{.ftz}.f32 p|q, a, b"),
    row(Setp,  "setp.cmpf.bool{.ftz}.f32 p|q, a, b, {!}c"),
    row(Setp,  "setp.cmpf.f64 p|q, a, b").sm(13),
    row(Setp,  "setp.cmpf.bool.f64 p|q, a, b, {!}c").sm(13),
    // memory; without a space the address is generic
    row(Ld,    "ld.space{.v2|v4}.mtype d, [a]"),
    row(Ld,    "ld.space{.v2}.mtype64 d, [a]"),
    row(Ld,    "ld.volatile.global|shared{.v2|v4}.mtype d, [a]"),
    row(Ld,    "ld.volatile.global|shared{.v2}.mtype64 d, [a]"),
    row(Ld,    "ld{.volatile}{.v2|v4}.mtype d, [a]").sm(20),
    row(Ld,    "ld{.volatile}{.v2}.mtype64 d, [a]").sm(20),
    row(Ld,    "ld{.space}.ca|cg|cs|lu|cv{.v2|v4}.mtype d, [a]").sm(20),
    row(Ld,    "ld{.space}.ca|cg|cs|lu|cv{.v2}.mtype64 d, [a]").sm(20),
    row(St,    "st.global|local|shared{.v2|v4}.mtype [a], b"),
    row(St,    "st.global|local|shared{.v2}.mtype64 [a], b"),
    row(St,    "st.volatile.global|shared{.v2|v4}.mtype [a], b"),
    row(St,    "st.volatile.global|shared{.v2}.mtype64 [a], b"),
    row(St,    "st.param{.v2|v4}.mtype [a], b").sm(20),
    row(St,    "st.param{.v2}.mtype64 [a], b").sm(20),
    row(St,    "st{.volatile}{.v2|v4}.mtype [a], b").sm(20),
    row(St,    "st{.volatile}{.v2}.mtype64 [a], b").sm(20),
    row(St,    "st{.global|local|shared}.wb|cg|cs|wt{.v2|v4}.mtype [a], b").sm(20),
    row(St,    "st{.global|local|shared}.wb|cg|cs|wt{.v2}.mtype64 [a], b").sm(20),
    // loads through the non-coherent cache, uniform loads, and prefetches
    row(Ld,    "ld.global.nc{.v2|v4}.mtype d, [a]").sm(20),
    row(Ld,    "ld.global.nc{.v2}.mtype64 d, [a]").sm(20),
    row(Ld,    "ldu{.global}{.v2|v4}.mtype d, [a]").sm(20)
        .means("d = value at the address, which is the same for all threads of the warp"),
    row(Ld,    "ldu{.global}{.v2}.mtype64 d, [a]").sm(20)
        .means("d = value at the address, which is the same for all threads of the warp"),
    row(Prefetch, "prefetch{.global|local}.L1|L2 [a]").sm(20),
    row(Prefetch, "prefetchu.L1 [a]").sm(20),
    // atomics; without a space the address is generic
    row(Atom,  "atom.global.add|min|max.word d, [a], b").sm(11),
    row(Atom,  "atom.global.inc|dec.u32 d, [a], b").sm(11),
    row(Atom,  "atom.global.and|or|xor|exch.b32 d, [a], b").sm(11),
    row(Atom,  "atom.global.cas.b32 d, [a], b, c").sm(11),
    row(Atom,  "atom.global.add.u64 d, [a], b").sm(12),
    row(Atom,  "atom.global.exch.b64 d, [a], b").sm(12),
    row(Atom,  "atom.global.cas.b64 d, [a], b, c").sm(12),
    row(Atom,  "atom.global.add.f32 d, [a], b").sm(20),
    row(Atom,  "atom.shared.add|min|max.word d, [a], b").sm(12),
    row(Atom,  "atom.shared.inc|dec.u32 d, [a], b").sm(12),
    row(Atom,  "atom.shared.and|or|xor|exch.b32 d, [a], b").sm(12),
    row(Atom,  "atom.shared.cas.b32 d, [a], b, c").sm(12),
    row(Atom,  "atom.shared.add.u64|f32 d, [a], b").sm(20),
    row(Atom,  "atom.shared.exch.b64 d, [a], b").sm(20),
    row(Atom,  "atom.shared.cas.b64 d, [a], b, c").sm(20),
    row(Atom,  "atom.add|min|max.word d, [a], b").sm(20),
    row(Atom,  "atom.inc|dec.u32 d, [a], b").sm(20),
    row(Atom,  "atom.and|or|xor|exch.b32 d, [a], b").sm(20),
    row(Atom,  "atom.add.u64|f32 d, [a], b").sm(20),
    row(Atom,  "atom.exch.b64 d, [a], b").sm(20),
    row(Atom,  "atom.cas.b32|b64 d, [a], b, c").sm(20),
    row(Red,   "red.global.add|min|max.word [a], b").sm(11),
    row(Red,   "red.global.inc|dec.u32 [a], b").sm(11),
    row(Red,   "red.global.and|or|xor.b32 [a], b").sm(11),
    row(Red,   "red.global.add.u64 [a], b").sm(12),
    row(Red,   "red.global.add.f32 [a], b").sm(20),
    row(Red,   "red.shared.add|min|max.word [a], b").sm(12),
    row(Red,   "red.shared.inc|dec.u32 [a], b").sm(12),
    row(Red,   "red.shared.and|or|xor.b32 [a], b").sm(12),
    row(Red,   "red.shared.add.u64|f32 [a], b").sm(20),
    row(Red,   "red.add|min|max.word [a], b").sm(20),
    row(Red,   "red.inc|dec.u32 [a], b").sm(20),
    row(Red,   "red.and|or|xor.b32 [a], b").sm(20),
    row(Red,   "red.add.u64|f32 [a], b").sm(20),
    // textures
    row(Tex,   "tex.geom.v4.texel.coord d, [t,{c}]"),
    row(Tex,   "tex.a1d|a2d.v4.texel.coord d, [t,{c}]").since(2, 3)
        .means("d = the texel, or the filtered texels, of the layer of texture t at coordinates c"),
    row(Tex,   "tex.cube|acube.v4.texel.f32 d, [t,{c}]").sm(20).since(3, 0).within(DIVISION)
        .means("d = the texel, or the filtered texels, of the cube map t in direction c"),
    // a texture and a sampler, in independent texture mode
    row(Tex,   "tex.geom.v4.texel.coord d, [t,s,{c}]").since(1, 5)
        .means("d = the texel, or the filtered texels, of texture t at coordinates c, with sampler s"),
    row(Tex,   "tex.a1d|a2d.v4.texel.coord d, [t,s,{c}]").since(2, 3)
        .means("d = the texel, or the filtered texels, of the layer of texture t at coordinates c, with sampler s"),
    row(Tex,   "tex.cube|acube.v4.texel.f32 d, [t,s,{c}]").sm(20).since(3, 0).within(DIVISION)
        .means("d = the texel, or the filtered texels, of the cube map t in direction c, with sampler s"),
    row(Txq,   "txq.query.b32 d, [t]").since(1, 5),
    row(Txq,   "txq.channel_data_type|channel_order.b32 d, [t]").since(2, 1),
    // surfaces: bytes at a byte offset in a row
    row(Suld,  "suld.b.1d|2d{.v2|v4}.b8|b16|b32.trap d, [s,{c}]").since(1, 5),
    row(Suld,  "suld.b.1d|2d{.v2}.b64.trap d, [s,{c}]").since(1, 5),
    row(Sust,  "sust.b.1d|2d{.v2|v4}.b8|b16|b32.trap [s,{c}], b").since(1, 5),
    row(Sust,  "sust.b.1d|2d{.v2}.b64.trap [s,{c}], b").since(1, 5),
    row(Suld,  "suld.b.geom{.ca|cg|cs|cv}{.v2|v4}.b8|b16|b32.trap|clamp|zero d, [s,{c}]").sm(20),
    row(Suld,  "suld.b.geom{.ca|cg|cs|cv}{.v2}.b64.trap|clamp|zero d, [s,{c}]").sm(20),
    row(Suld,  "suld.b.a1d|a2d{.ca|cg|cs|cv}{.v2|v4}.b8|b16|b32.trap|clamp|zero d, [s,{c}]").sm(20)
        .since(3, 0),
    row(Suld,  "suld.b.a1d|a2d{.ca|cg|cs|cv}{.v2}.b64.trap|clamp|zero d, [s,{c}]").sm(20)
        .since(3, 0),
    row(Sust,  "sust.b.geom{.wb|cg|cs|wt}{.v2|v4}.b8|b16|b32.trap|clamp|zero [s,{c}], b").sm(20),
    row(Sust,  "sust.b.geom{.wb|cg|cs|wt}{.v2}.b64.trap|clamp|zero [s,{c}], b").sm(20),
    row(Sust,  "sust.b.a1d|a2d{.wb|cg|cs|wt}{.v2|v4}.b8|b16|b32.trap|clamp|zero [s,{c}], b").sm(20)
        .since(3, 0),
    row(Sust,  "sust.b.a1d|a2d{.wb|cg|cs|wt}{.v2}.b64.trap|clamp|zero [s,{c}], b").sm(20)
        .since(3, 0),
    row(Sust,  "sust.p.1d|2d{.v2|v4}.b32.trap|clamp|zero [s,{c}], b").sm(20).unsupported(),
    row(Suq,   "suq.width|height|depth.b32 d, [s]").since(1, 5),
    row(Suq,   "suq.channel_data_type|channel_order.b32 d, [s]").since(2, 1),
    // votes
    row(Vote,  "vote.all|any|uni.pred p, {!}c").sm(12),
    row(Vote,  "vote.ballot.b32 d, {!}c").sm(20),
    // instructions after Fermi, which a chip file enables: machine/isa/src/feature.rs
    row(Shfl,  "shfl.up|down|bfly|idx.b32 d|p, a, b, c").sm(30),
    row(ShflSync, "shfl.sync.up|down|bfly|idx.b32 d|p, a, b, c, e").sm(30).since(6, 0),
    row(VoteSync, "vote.sync.all|any|uni.pred p, {!}c, b").sm(30).since(6, 0),
    row(VoteSync, "vote.sync.ballot.b32 d, {!}c, b").sm(30).since(6, 0),
    row(Activemask, "activemask.b32 d").sm(30).since(6, 2),
    row(BarWarp, "bar.warp.sync a").sm(30).since(6, 0),
    row(Lop3,  "lop3.b32 d, a, b, c, i").sm(50).since(4, 3),
    row(Atom,  "atom{.global|shared}.and|or|xor.b64 d, [a], b").sm(32),
    row(Atom,  "atom{.global|shared}.min|max.u64|s64 d, [a], b").sm(32),
    row(Atom,  "atom{.global|shared}.add.f64 d, [a], b").sm(60).since(5, 0),
    row(Red,   "red{.global|shared}.and|or|xor.b64 [a], b").sm(32),
    row(Red,   "red{.global|shared}.min|max.u64|s64 [a], b").sm(32),
    row(Red,   "red{.global|shared}.add.f64 [a], b").sm(60).since(5, 0),
    // control
    row(Bra,     "bra{.uni} t"),
    row(BarSync, "bar.sync n"),
    row(BarSync, "bar.sync u").sm(20),
    row(BarSync, "bar.sync n|u, m").sm(20),
    row(BarArrive, "bar.arrive n|u, m").sm(20),
    row(BarRed,  "bar.red.popc.u32 d, n|u, {!}c").sm(20),
    row(BarRed,  "bar.red.popc.u32 d, n|u, m, {!}c").sm(20)
        .means("waits like bar.sync; d = number of the m threads with c true"),
    row(BarRed,  "bar.red.and|or.pred p, n|u, {!}c").sm(20)
        .means("waits like bar.sync; p = whether c is true in all, or any, threads of the block"),
    row(BarRed,  "bar.red.and|or.pred p, n|u, m, {!}c").sm(20)
        .means("waits like bar.sync; p = whether c is true in all, or any, of the m threads"),
    row(Membar,  "membar.level").since(1, 4),
    row(Membar,  "membar.sys").sm(20),
    row(Ret,     "ret{.uni}"),
    // calls: of a function by its name, then of a function by its address
    row(Call,    "call{.uni} f"),
    row(Call,    "call{.uni} f, (l)"),
    row(Call,    "call{.uni} (r), f"),
    row(Call,    "call{.uni} (r), f, (l)"),
    row(Call,    "call{.uni} f, g").sm(20).since(2, 1),
    row(Call,    "call{.uni} f, (l), g").sm(20).since(2, 1),
    row(Call,    "call{.uni} (r), f, g").sm(20).since(2, 1),
    row(Call,    "call{.uni} (r), f, (l), g").sm(20).since(2, 1),
    row(Exit,    "exit"),
    row(Trap,    "trap"),
    row(Brkpt,   "brkpt").sm(11),
    row(Pmevent, "pmevent k").since(1, 4),
];
