//! THE table of instruction forms, in the manual's notation.
//!
//! A form is `name.word{.optional}.class operands`. A word that [`CLASSES`] lists stands for any one of its
//! words; `.a|b` is a class written in place; what stands in braces may be left out. Operands are
//!
//! | text | operand |
//! |---|---|
//! | `d` | a register; with `.v2` or `.v4` as many in braces |
//! | `p` `p\|q` | a predicate register; one or two of them |
//! | `a` `b` `c` | a register or number; with `.v2` or `.v4` as many in braces |
//! | `q` `r` `{!}c` | a predicate register as a source; where `!` stands, possibly negated |
//! | `s` | as `a`, or a special register |
//! | `x` | as `s`, or the address of a variable |
//! | `[a]` | an address |
//! | `{v}` | registers in braces: the parts of a wider value |
//! | `n` | the number of a barrier |
//! | `u` | a register as a source |
//! | `t` | a label |
//!
//! To teach the simulator another form, add a row here, its micro-ops to the list of micro-ops, and its lowering.

use super::Opcode::{
    self, Abs, Add, And, Atom, BarSync, Bra, Cvt, Cvta, Div, Exit, Fma, Ld, Mad, Mad24, Max, Membar, Min,
    Mov, Mul, Mul24, Neg, Not, Or, Red, Rem, Ret, Sad, Selp, Setp, Shl, Shr, St, Sub, Trap, Vote, Xor,
};

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// What the row's instructions are resolved to.
    pub opcode: Opcode,
    /// The form in the manual's notation.
    pub text: &'static str,
    /// The least `sm_` target that has it.
    pub sm: u32,
    /// False: legal PTX that this simulator does not execute yet.
    pub executed: bool,
}

impl Row {
    /// Needs at least this `sm_` target.
    const fn sm(self, sm: u32) -> Self {
        Self { sm, ..self }
    }

    /// Legal PTX, but not executed yet.
    const fn later(self) -> Self {
        Self { executed: false, ..self }
    }
}

const fn row(opcode: Opcode, text: &'static str) -> Row {
    Row { opcode, text, sm: 10, executed: true }
}

/// Words that stand for any one of others. Some differ only in name: the name says what the word means.
pub(super) const CLASSES: [(&str, &[&str]); 23] = [
    ("int", &["u16", "u32", "u64", "s16", "s32", "s64"]),
    ("uint", &["u16", "u32", "u64"]),
    ("sint", &["s16", "s32", "s64"]),
    ("narrow", &["u16", "u32", "s16", "s32"]),
    ("word", &["u32", "s32"]),
    ("bits", &["b16", "b32", "b64"]),
    ("type", &["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"]),
    ("itype", &["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"]),
    ("isrc", &["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"]),
    ("mtype", &["b8", "b16", "b32", "u8", "u16", "u32", "s8", "s16", "s32", "f32"]),
    ("mtype64", &["b64", "u64", "s64", "f64"]),
    ("size", &["u32", "u64"]),
    ("part", &["lo", "hi"]),
    ("rnd", &["rn", "rz"]),
    ("rnd20", &["rm", "rp"]),
    ("rnd4", &["rn", "rz", "rm", "rp"]),
    ("irnd", &["rni", "rzi", "rmi", "rpi"]),
    ("cmpi", &["eq", "ne", "lt", "le", "gt", "ge"]),
    ("cmpu", &["lo", "ls", "hi", "hs"]),
    ("cmpf", &["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]),
    ("bool", &["and", "or", "xor"]),
    ("space", &["const", "global", "local", "param", "shared"]),
    ("level", &["cta", "gl"]),
];

/// All forms. The first that fits an instruction is taken.
#[rustfmt::skip]
pub(super) const FORMS: &[Row] = &[
    // moves
    row(Mov,   "mov.type d, x"),
    row(Mov,   "mov.pred p, a"),
    row(Mov,   "mov.bits d, {v}").later(),
    row(Mov,   "mov.bits {v}, a").later(),
    row(Selp,  "selp.type d, a, b, q"),
    // arithmetic; the f32 forms of PTX 1.0 round as .rn without saying so
    row(Add,   "add.int d, a, b"),
    row(Add,   "add.sat.s32 d, a, b"),
    row(Add,   "add{.rnd}{.ftz}{.sat}.f32 d, a, b"),
    row(Add,   "add.rnd20{.ftz}{.sat}.f32 d, a, b").sm(20),
    row(Add,   "add{.rnd4}.f64 d, a, b").sm(13).later(),
    row(Add,   "add.cc.word d, a, b").later(),
    row(Sub,   "sub.int d, a, b"),
    row(Sub,   "sub.sat.s32 d, a, b"),
    row(Sub,   "sub{.rnd}{.ftz}{.sat}.f32 d, a, b"),
    row(Sub,   "sub.rnd20{.ftz}{.sat}.f32 d, a, b").sm(20),
    row(Sub,   "sub{.rnd4}.f64 d, a, b").sm(13).later(),
    row(Sub,   "sub.cc.word d, a, b").later(),
    row(Neg,   "neg.sint d, a"),
    row(Neg,   "neg{.ftz}.f32 d, a"),
    row(Neg,   "neg.f64 d, a").sm(13).later(),
    row(Abs,   "abs.sint d, a"),
    row(Abs,   "abs{.ftz}.f32 d, a"),
    row(Abs,   "abs.f64 d, a").sm(13).later(),
    row(Min,   "min.int d, a, b"),
    row(Min,   "min{.ftz}.f32 d, a, b"),
    row(Min,   "min.f64 d, a, b").sm(13).later(),
    row(Max,   "max.int d, a, b"),
    row(Max,   "max{.ftz}.f32 d, a, b"),
    row(Max,   "max.f64 d, a, b").sm(13).later(),
    row(Sad,   "sad.int d, a, b, c"),
    row(Mul,   "mul.part.int d, a, b"),
    row(Mul,   "mul.wide.narrow d, a, b"),
    row(Mul,   "mul{.rnd}{.ftz}{.sat}.f32 d, a, b"),
    row(Mul,   "mul.rnd20{.ftz}{.sat}.f32 d, a, b").sm(20),
    row(Mul,   "mul{.rnd4}.f64 d, a, b").sm(13).later(),
    row(Mad,   "mad.part.int d, a, b, c"),
    row(Mad,   "mad.hi.sat.s32 d, a, b, c"),
    row(Mad,   "mad.wide.narrow d, a, b, c"),
    row(Mad,   "mad{.ftz}{.sat}.f32 d, a, b, c"),
    row(Mad,   "mad.rnd4{.ftz}{.sat}.f32 d, a, b, c").sm(20),
    row(Mad,   "mad{.rnd4}.f64 d, a, b, c").sm(13).later(),
    row(Fma,   "fma.rnd4{.ftz}{.sat}.f32 d, a, b, c").sm(20),
    row(Fma,   "fma.rnd4.f64 d, a, b, c").sm(13).later(),
    row(Mul24, "mul24.part.word d, a, b"),
    row(Mad24, "mad24.part.word d, a, b, c"),
    row(Mad24, "mad24.hi.sat.s32 d, a, b, c"),
    row(Div,   "div.int d, a, b"),
    row(Div,   "div{.approx|full}{.ftz}.f32 d, a, b").later(),
    row(Div,   "div.rnd4{.ftz}.f32 d, a, b").sm(20).later(),
    row(Div,   "div{.rnd4}.f64 d, a, b").sm(13).later(),
    row(Rem,   "rem.int d, a, b"),
    // logic
    row(And,   "and.bits d, a, b"),
    row(And,   "and.pred p, q, r"),
    row(Or,    "or.bits d, a, b"),
    row(Or,    "or.pred p, q, r"),
    row(Xor,   "xor.bits d, a, b"),
    row(Xor,   "xor.pred p, q, r"),
    row(Not,   "not.bits d, a"),
    row(Not,   "not.pred p, q"),
    row(Shl,   "shl.bits d, a, b"),
    row(Shr,   "shr.bits|u16|u32|u64|s16|s32|s64 d, a, b"),
    // conversion; .sat only where the result's type lacks some of the source's values
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
    row(Cvt,   "cvt.irnd{.sat}.itype.f64 d, a").sm(13).later(),
    row(Cvt,   "cvt.rnd4{.sat}.f64.isrc d, s").sm(13).later(),
    row(Cvt,   "cvt{.irnd}{.sat}.f64.f64 d, a").sm(13).later(),
    row(Cvt,   "cvt{.ftz}{.sat}.f64.f32 d, a").sm(13).later(),
    row(Cvt,   "cvt.rnd4{.ftz}{.sat}.f32.f64 d, a").sm(13).later(),
    row(Cvt,   "cvt.rnd4{.ftz}{.sat}.f16.f32 d, a").later(),
    row(Cvt,   "cvt{.ftz}{.sat}.f32.f16 d, a").later(),
    // between generic addresses and those of a space
    row(Cvta,  "cvta.global.size d, x").sm(20),
    row(Cvta,  "cvta.to.global.size d, u").sm(20),
    row(Cvta,  "cvta.local|shared.size d, x").sm(20).later(),
    row(Cvta,  "cvta.to.local|shared.size d, u").sm(20).later(),
    // comparison
    row(Setp,  "setp.eq|ne.bits p|q, a, b"),
    row(Setp,  "setp.eq|ne.bool.bits p|q, a, b, {!}c"),
    row(Setp,  "setp.cmpi.int p|q, a, b"),
    row(Setp,  "setp.cmpi.bool.int p|q, a, b, {!}c"),
    row(Setp,  "setp.cmpu.uint p|q, a, b"),
    row(Setp,  "setp.cmpu.bool.uint p|q, a, b, {!}c"),
    row(Setp,  "setp.cmpf{.ftz}.f32 p|q, a, b"),
    row(Setp,  "setp.cmpf.bool{.ftz}.f32 p|q, a, b, {!}c"),
    row(Setp,  "setp.cmpf.f64 p|q, a, b").sm(13).later(),
    row(Setp,  "setp.cmpf.bool.f64 p|q, a, b, {!}c").sm(13).later(),
    // memory; without a space the address is generic
    row(Ld,    "ld{.volatile}.space{.v2|v4}.mtype d, [a]"),
    row(Ld,    "ld{.volatile}.space{.v2}.mtype64 d, [a]"),
    row(Ld,    "ld{.volatile}{.v2|v4}.mtype d, [a]").sm(20),
    row(Ld,    "ld{.volatile}{.v2}.mtype64 d, [a]").sm(20),
    row(Ld,    "ld{.space}.ca|cg|cs|lu|cv{.v2|v4}.mtype d, [a]").sm(20),
    row(Ld,    "ld{.space}.ca|cg|cs|lu|cv{.v2}.mtype64 d, [a]").sm(20),
    row(St,    "st{.volatile}.global|local|shared{.v2|v4}.mtype [a], b"),
    row(St,    "st{.volatile}.global|local|shared{.v2}.mtype64 [a], b"),
    row(St,    "st.param{.v2|v4}.mtype [a], b").sm(20).later(),
    row(St,    "st.param{.v2}.mtype64 [a], b").sm(20).later(),
    row(St,    "st{.volatile}{.v2|v4}.mtype [a], b").sm(20),
    row(St,    "st{.volatile}{.v2}.mtype64 [a], b").sm(20),
    row(St,    "st{.global|local|shared}.wb|cg|cs|wt{.v2|v4}.mtype [a], b").sm(20),
    row(St,    "st{.global|local|shared}.wb|cg|cs|wt{.v2}.mtype64 [a], b").sm(20),
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
    row(Atom,  "atom.add|min|max.word d, [a], b").sm(20).later(),
    row(Atom,  "atom.inc|dec.u32 d, [a], b").sm(20).later(),
    row(Atom,  "atom.and|or|xor|exch.b32 d, [a], b").sm(20).later(),
    row(Atom,  "atom.add.u64|f32 d, [a], b").sm(20).later(),
    row(Atom,  "atom.exch.b64 d, [a], b").sm(20).later(),
    row(Atom,  "atom.cas.b32|b64 d, [a], b, c").sm(20).later(),
    row(Red,   "red.global.add|min|max.word [a], b").sm(11),
    row(Red,   "red.global.inc|dec.u32 [a], b").sm(11),
    row(Red,   "red.global.and|or|xor.b32 [a], b").sm(11),
    row(Red,   "red.global.add.u64 [a], b").sm(12),
    row(Red,   "red.global.add.f32 [a], b").sm(20),
    row(Red,   "red.shared.add|min|max.word [a], b").sm(12),
    row(Red,   "red.shared.inc|dec.u32 [a], b").sm(12),
    row(Red,   "red.shared.and|or|xor.b32 [a], b").sm(12),
    row(Red,   "red.shared.add.u64|f32 [a], b").sm(20),
    row(Red,   "red.add|min|max.word [a], b").sm(20).later(),
    row(Red,   "red.inc|dec.u32 [a], b").sm(20).later(),
    row(Red,   "red.and|or|xor.b32 [a], b").sm(20).later(),
    row(Red,   "red.add.u64|f32 [a], b").sm(20).later(),
    // votes
    row(Vote,  "vote.all|any|uni.pred p, {!}c").sm(12),
    row(Vote,  "vote.ballot.b32 d, {!}c").sm(20),
    // control
    row(Bra,     "bra{.uni} t"),
    row(BarSync, "bar.sync n"),
    row(BarSync, "bar.sync u").sm(20).later(),
    row(BarSync, "bar.sync a, b").sm(20).later(),
    row(BarSync, "bar.arrive a, b").sm(20).later(),
    row(BarSync, "bar.red.popc.u32 d, a, {!}c").sm(20).later(),
    row(BarSync, "bar.red.popc.u32 d, a, b, {!}c").sm(20).later(),
    row(BarSync, "bar.red.and|or.pred p, a, {!}c").sm(20).later(),
    row(BarSync, "bar.red.and|or.pred p, a, b, {!}c").sm(20).later(),
    row(Membar,  "membar.level"),
    row(Membar,  "membar.sys").sm(20),
    row(Ret,     "ret{.uni}"),
    row(Exit,    "exit"),
    row(Trap,    "trap"),
];

/// Instructions of PTX that have no row above: name, the PTX version that brought it, and the least `sm_` target.
#[rustfmt::skip]
pub(super) const KNOWN: &[(&str, (u32, u32), u32)] = &[
    ("addc", (1, 2), 10),
    ("bfe", (2, 0), 20),
    ("bfi", (2, 0), 20),
    ("bfind", (2, 0), 20),
    ("brev", (2, 0), 20),
    ("brkpt", (1, 0), 11),
    ("call", (1, 0), 10),
    ("clz", (2, 0), 20),
    ("cnot", (1, 0), 10),
    ("copysign", (2, 0), 20),
    ("cos", (1, 0), 10),
    ("ex2", (1, 0), 10),
    ("isspacep", (2, 0), 20),
    ("ldu", (2, 0), 20),
    ("lg2", (1, 0), 10),
    ("lop3", (4, 3), 50),
    ("madc", (3, 0), 20),
    ("pmevent", (1, 4), 10),
    ("popc", (2, 0), 20),
    ("prefetch", (2, 0), 20),
    ("prefetchu", (2, 0), 20),
    ("prmt", (2, 0), 20),
    ("rcp", (1, 0), 10),
    ("rsqrt", (1, 0), 10),
    ("set", (1, 0), 10),
    ("shf", (3, 1), 32),
    ("shfl", (3, 0), 30),
    ("sin", (1, 0), 10),
    ("slct", (1, 0), 10),
    ("sqrt", (1, 0), 10),
    ("subc", (1, 3), 10),
    ("suld", (1, 5), 20),
    ("suq", (1, 5), 20),
    ("sured", (2, 0), 20),
    ("sust", (1, 5), 20),
    ("testp", (2, 0), 20),
    ("tex", (1, 0), 10),
    ("txq", (1, 5), 10),
    ("vabsdiff", (2, 0), 20),
    ("vadd", (2, 0), 20),
    ("vmad", (2, 0), 20),
    ("vmax", (2, 0), 20),
    ("vmin", (2, 0), 20),
    ("vset", (2, 0), 20),
    ("vshl", (2, 0), 20),
    ("vshr", (2, 0), 20),
    ("vsub", (2, 0), 20),
];
