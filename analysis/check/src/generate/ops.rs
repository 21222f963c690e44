//! The operations on registers that kernels consist of, as templates.
//!
//! A template is one instruction or several, separated by semicolons, with the first target that
//! supports it. In a template `$r`, `$f`, `$w` and `$e` mean a 32-bit register, a float, a 64-bit
//! register and a double, followed by `d`, `a`, `b` or `c` for the operand; `$own`, `$double`,
//! `$mine` and `$slot` mean the addresses of the thread's word and eight bytes in global memory, of
//! its word in shared memory and of its local memory. Other names are temporaries: predicates `%q`
//! and `%z`, halves `%h0` and `%h1`.

/// A list of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// 32-bit integers; `$rb` may be a number, which is not allowed as a position of bits.
    Int,
    /// Single precision.
    Float,
    /// Conversions between kinds, and 64-bit integers.
    Wide,
    /// Double precision.
    Double,
    /// Operations for which the manual gives only an error bound, so that implementations may
    /// differ.
    Approximate,
    /// Atomics and generic addresses, on private memory of the thread.
    Atomic,
}

impl List {
    /// All lists.
    pub const ALL: [Self; 6] =
        [Self::Int, Self::Float, Self::Wide, Self::Double, Self::Approximate, Self::Atomic];

    /// Returns its templates, in the order of the first targets that support them.
    pub fn templates(self) -> &'static [Template] {
        match self {
            Self::Int => INT,
            Self::Float => FLOAT,
            Self::Wide => WIDE,
            Self::Double => DOUBLE,
            Self::Approximate => APPROXIMATE,
            Self::Atomic => ATOMIC,
        }
    }

    /// Returns template `op`, modulo the number of templates for target `sm`; from the list of
    /// integers if the target has none of this list.
    pub fn template(self, op: u8, sm: u32) -> &'static str {
        let has = |list: Self| list.templates().iter().filter(move |t| t.from <= sm && sm < t.below);
        let list = if has(self).next().is_some() { self } else { Self::Int };
        let at = usize::from(op) % has(list).count();
        has(list).nth(at).map_or("", |template| template.text)
    }
}

/// Some instructions, and the targets that support them.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The first target that supports them.
    pub from: u32,
    /// The first later target that does not support them.
    pub below: u32,
    /// Text of the instructions.
    pub text: &'static str,
}

const fn from(from: u32, text: &'static str) -> Template {
    Template { from, below: u32::MAX, text }
}

const fn old(text: &'static str) -> Template {
    Template { from: 10, below: 20, text }
}

const fn all(text: &'static str) -> Template {
    from(10, text)
}

const INT: &[Template] = &[
    all("add.u32 $rd, $ra, $rb"),
    all("sub.s32 $rd, $ra, $rb"),
    all("xor.b32 $rd, $ra, $rb"),
    all("mul24.lo.u32 $rd, $ra, $rb"),
    all("mad24.lo.s32 $rd, $ra, $rb, $rc"),
    all("mul.lo.u32 $rd, $ra, $rb"),
    all("mul.hi.u32 $rd, $ra, $rb"),
    all("mad.lo.u32 $rd, $ra, $rb, $rc"),
    all("and.b32 $rd, $ra, $rb"),
    all("or.b32 $rd, $ra, $rb"),
    all("shl.b32 $rd, $ra, $rb"),
    all("shr.u32 $rd, $ra, $rb"),
    all("shr.s32 $rd, $ra, $rb"),
    all("min.s32 $rd, $ra, $rb"),
    all("max.u32 $rd, $ra, $rb"),
    all("sad.u32 $rd, $ra, $rb, $rc"),
    all("div.u32 $rd, $ra, $rb"),
    all("rem.u32 $rd, $ra, $rb"),
    all("neg.s32 $rd, $ra"),
    all("not.b32 $rd, $ra"),
    all("abs.s32 $rd, $ra"),
    all("mov.u32 $rd, $ra"),
    all("mul.hi.s32 $rd, $ra, $rb"),
    all("mad.hi.s32 $rd, $ra, $rb, $rc"),
    all("mul24.hi.s32 $rd, $ra, $rb"),
    all("mad24.hi.u32 $rd, $ra, $rb, $rc"),
    all("add.sat.s32 $rd, $ra, $rb"),
    all("sub.sat.s32 $rd, $ra, $rb"),
    all("div.s32 $rd, $ra, $rb"),
    all("rem.s32 $rd, $ra, $rb"),
    all("cnot.b32 $rd, $ra"),
    all("slct.u32.s32 $rd, $ra, $rb, $rc"),
    all("set.lt.u32.s32 $rd, $ra, $rb"),
    all("set.hs.s32.u32 $rd, $ra, $rb"),
    all("setp.lt.s32 %q, $ra, $rb; selp.b32 $rd, $ra, $rc, %q"),
    all("setp.hi.u32 %q|%z, $ra, $rb; setp.ne.xor.s32 %q, $rb, $rc, %z; selp.u32 $rd, $ra, $rc, %q"),
    all("setp.eq.u32 %q, $ra, $rc; setp.le.or.s32 %z, $ra, $rb, !%q; selp.s32 $rd, $ra, $rb, %z"),
    all("add.cc.u32 $rd, $ra, $rb; addc.u32 $rc, $rc, $ra"),
    all("sub.cc.u32 $rd, $ra, $rb; subc.cc.u32 $rc, $rc, $ra; subc.u32 $rd, $rd, $rc"),
    all("addc.cc.u32 $rd, $ra, $rb"),
    all("cvt.u16.u32 %h0, $ra; cvt.u16.u32 %h1, $rc; mad.lo.u16 %h0, %h0, %h1, %h1; cvt.u32.u16 $rd, %h0"),
    all("cvt.u16.u32 %h0, $ra; cvt.u16.u32 %h1, $rc; mul.wide.s16 $rd, %h0, %h1"),
    all("cvt.u16.u32 %h0, $ra; shr.s16 %h0, %h0, $rb; cvt.s32.s16 $rd, %h0"),
    all("cvt.u16.u32 %h0, $ra; cvt.u16.u32 %h1, $rc; div.u16 %h0, %h0, %h1; cvt.u32.u16 $rd, %h0"),
    all("mov.b32 {%h0, %h1}, $ra; mov.b32 $rd, {%h1, %h0}"),
    all("cvt.s32.s8 $rd, $ra"),
    all("cvt.sat.u8.s32 $rd, $ra"),
    all("cvt.sat.s16.u32 $rd, $ra"),
    from(20, "bfe.u32 $rd, $rb, $ra, $rc"),
    from(20, "bfe.s32 $rd, $rb, $ra, $rc"),
    from(20, "bfi.b32 $rd, $ra, $rb, $rc, $ra"),
    from(20, "prmt.b32 $rd, $ra, $rb, $rc"),
    from(20, "prmt.b32.b4e $rd, $ra, $rb, $rc"),
    from(20, "prmt.b32.ecl $rd, $ra, $rb, $rc"),
    from(20, "prmt.b32.f4e $rd, $ra, $rb, $rc"),
    from(20, "prmt.b32.rc8 $rd, $ra, $rb, $rc"),
    from(20, "popc.b32 $rd, $ra"),
    from(20, "clz.b32 $rd, $ra"),
    from(20, "brev.b32 $rd, $ra"),
    from(20, "bfind.u32 $rd, $ra"),
    from(20, "bfind.shiftamt.s32 $rd, $ra"),
    all("mov.u32 $rd, %laneid"),
    from(20, "mov.u32 $rd, %lanemask_lt"),
    from(20, "mov.u32 $rd, %lanemask_ge"),
    from(20, "mad.lo.cc.u32 $rd, $ra, $rb, $rc; madc.hi.u32 $rc, $ra, $rb, $rc"),
];

const FLOAT: &[Template] = &[
    all("add.f32 $fd, $fa, $fb"),
    old("mad.f32 $fd, $fa, $fb, $fc"),
    all("mul.f32 $fd, $fa, $fb"),
    all("sub.f32 $fd, $fa, $fb"),
    all("min.f32 $fd, $fa, $fb"),
    all("max.f32 $fd, $fa, $fb"),
    all("neg.f32 $fd, $fa"),
    all("abs.f32 $fd, $fa"),
    all("add.rz.f32 $fd, $fa, $fb"),
    all("mul.rz.sat.f32 $fd, $fa, $fb"),
    all("sub.rn.sat.f32 $fd, $fa, $fb"),
    all("div.approx.f32 $fd, $fa, $fb"),
    all("div.full.f32 $fd, $fa, $fb"),
    all("rcp.approx.f32 $fd, $fa"),
    all("sqrt.approx.f32 $fd, $fa"),
    all("rsqrt.approx.f32 $fd, $fa"),
    all("slct.f32.f32 $fd, $fa, $fb, $fc"),
    all("slct.f32.s32 $fd, $fa, $fb, $ra"),
    all("set.lt.f32.f32 $fd, $fa, $fb"),
    all("setp.geu.f32 %q, $fa, $fb; selp.f32 $fd, $fb, $fc, %q"),
    all("setp.num.f32 %q|%z, $fa, $fb; setp.ne.and.f32 %q, $fb, $fc, %z; selp.f32 $fd, $fa, $fc, %q"),
    all("cvt.rni.f32.f32 $fd, $fa"),
    all("cvt.rmi.sat.f32.f32 $fd, $fa"),
    from(20, "mad.rn.f32 $fd, $fa, $fb, $fc"),
    from(20, "fma.rn.f32 $fd, $fa, $fb, $fc"),
    from(20, "fma.rz.ftz.f32 $fd, $fa, $fb, $fc"),
    from(20, "fma.rm.sat.f32 $fd, $fa, $fb, $fc"),
    from(20, "fma.rp.f32 $fd, $fa, $fb, $fc"),
    from(20, "add.rm.f32 $fd, $fa, $fb"),
    from(20, "mul.rp.ftz.f32 $fd, $fa, $fb"),
    from(20, "div.rn.f32 $fd, $fa, $fb"),
    from(20, "div.rz.ftz.f32 $fd, $fa, $fb"),
    from(20, "rcp.rm.f32 $fd, $fa"),
    from(20, "sqrt.rp.f32 $fd, $fa"),
    from(20, "copysign.f32 $fd, $fa, $fb"),
    from(20, "testp.normal.f32 %q, $fa; selp.f32 $fd, $fb, $fc, %q"),
];

const WIDE: &[Template] = &[
    all("cvt.rn.f32.u32 $fd, $ra"),
    all("cvt.rzi.s32.f32 $rd, $fa"),
    all("mov.b32 $fd, $ra"),
    all("mov.b32 $rd, $fa"),
    all("cvt.u64.u32 $wd, $ra"),
    all("cvt.u32.u64 $rd, $wa"),
    all("add.u64 $wd, $wd, $wa"),
    all("xor.b64 $wd, $wd, $wa"),
    all("mul.wide.u32 $wd, $ra, $rd"),
    all("shl.b64 $wd, $wa, 3"),
    all("shr.u64 $wd, $wa, 5"),
    all("cvt.rz.f32.s32 $fd, $ra"),
    all("cvt.rp.sat.f32.u16 $fd, $ra"),
    all("cvt.rni.u32.f32 $rd, $fa"),
    all("cvt.rmi.s8.f32 $rd, $fa"),
    all("cvt.rpi.s64.f32 $wd, $fa"),
    all("cvt.rm.f32.u64 $fd, $wa"),
    all("cvt.rn.f16.f32 %h0, $fa; cvt.f32.f16 $fd, %h0"),
    all("set.gtu.u32.f32 $rd, $fa, $fb"),
    all("cvt.sat.s32.u64 $rd, $wa"),
    all("cvt.sat.u32.s64 $rd, $wa"),
    all("sub.s64 $wd, $wa, $wb"),
    all("and.b64 $wd, $wa, $wb"),
    all("not.b64 $wd, $wa"),
    all("mul.lo.u64 $wd, $wa, $wb"),
    all("mul.hi.s64 $wd, $wa, $wb"),
    all("mad.lo.u64 $wd, $wa, $wb, $wd"),
    all("mul.wide.s32 $wd, $ra, $rb"),
    all("mad.wide.s32 $wd, $ra, $rb, $wa"),
    all("div.u64 $wd, $wa, $wb"),
    all("rem.s64 $wd, $wa, $wb"),
    all("min.s64 $wd, $wa, $wb"),
    all("max.u64 $wd, $wa, $wb"),
    all("abs.s64 $wd, $wa"),
    all("sad.u64 $wd, $wa, $wb, $wd"),
    all("shr.s64 $wd, $wa, $rb"),
    all("cnot.b64 $wd, $wa"),
    all("setp.lt.s64 %q, $wa, $wb; selp.b64 $wd, $wb, $wa, %q; selp.u32 $rd, $ra, $rb, %q"),
    all("mov.b64 $wd, {$ra, $rb}"),
    all("mov.b64 {$rd, $rc}, $wa"),
    from(20, "popc.b64 $rd, $wa"),
    from(20, "clz.b64 $rd, $wa"),
    from(20, "brev.b64 $wd, $wa"),
    from(20, "bfe.s64 $wd, $wa, $ra, $rb"),
    from(20, "bfi.b64 $wd, $wa, $wb, $ra, $rb"),
    from(20, "bfind.s64 $rd, $wa"),
];

const DOUBLE: &[Template] = &[
    from(13, "add.f64 $ed, $ea, $eb"),
    from(13, "sub.rz.f64 $ed, $ea, $eb"),
    from(13, "mul.rp.f64 $ed, $ea, $eb"),
    from(13, "fma.rn.f64 $ed, $ea, $eb, $ec"),
    from(13, "fma.rm.f64 $ed, $ea, $eb, $ec"),
    from(13, "mad.rn.f64 $ed, $ea, $eb, $ec"),
    from(13, "div.rn.f64 $ed, $ea, $eb"),
    from(13, "rcp.rn.f64 $ed, $ea"),
    from(13, "sqrt.rn.f64 $ed, $ea"),
    from(13, "min.f64 $ed, $ea, $eb"),
    from(13, "max.f64 $ed, $ea, $eb"),
    from(13, "neg.f64 $ed, $ea"),
    from(13, "abs.f64 $ed, $ea"),
    from(13, "cvt.rn.f64.s32 $ed, $ra"),
    from(13, "cvt.rz.f64.u64 $ed, $wa"),
    from(13, "cvt.rzi.s32.f64 $rd, $ea"),
    from(13, "cvt.rni.u64.f64 $wd, $ea"),
    from(13, "cvt.rpi.u16.f64 $rd, $ea"),
    from(13, "cvt.rn.f32.f64 $fd, $ea"),
    from(13, "cvt.rm.sat.f32.f64 $fd, $ea"),
    from(13, "cvt.f64.f32 $ed, $fa"),
    from(13, "cvt.rmi.f64.f64 $ed, $ea"),
    from(13, "mov.b64 $wd, $ea"),
    from(13, "mov.b64 $ed, {$ra, $rb}"),
    from(13, "setp.ltu.f64 %q, $ea, $eb; selp.f64 $ed, $eb, $ec, %q"),
    from(13, "set.ge.u32.f64 $rd, $ea, $eb"),
    from(13, "slct.f64.s32 $ed, $ea, $eb, $ra"),
    from(20, "div.rm.f64 $ed, $ea, $eb"),
    from(20, "rcp.rz.f64 $ed, $ea"),
    from(20, "sqrt.rp.f64 $ed, $ea"),
    from(20, "copysign.f64 $ed, $ea, $eb"),
    from(20, "testp.finite.f64 %q, $ea; selp.f64 $ed, $eb, $ec, %q"),
];

const APPROXIMATE: &[Template] = &[
    all("sin.approx.f32 $fd, $fa"),
    all("cos.approx.f32 $fd, $fa"),
    all("lg2.approx.f32 $fd, $fa"),
    all("ex2.approx.f32 $fd, $fa"),
    from(13, "rsqrt.approx.f64 $ed, $ea"),
    from(20, "rcp.approx.ftz.f64 $ed, $ea"),
];

const ATOMIC: &[Template] = &[
    from(11, "atom.global.add.u32 $rd, [$own], $ra"),
    from(11, "atom.global.min.s32 $rd, [$own], $ra"),
    from(11, "atom.global.inc.u32 $rd, [$own], $ra"),
    from(11, "atom.global.dec.u32 $rd, [$own], $ra"),
    from(11, "atom.global.xor.b32 $rd, [$own], $ra"),
    from(11, "atom.global.exch.b32 $rd, [$own], $ra"),
    from(11, "atom.global.cas.b32 $rd, [$own], $ra, $rb"),
    from(11, "red.global.max.u32 [$own], $ra"),
    from(12, "atom.global.add.u64 $wd, [$double], $wa"),
    from(12, "atom.global.cas.b64 $wd, [$double], $wa, $wb"),
    from(12, "atom.shared.add.u32 $rd, [$mine], $ra"),
    from(12, "atom.shared.exch.b32 $rd, [$mine], $ra"),
    from(12, "atom.shared.cas.b32 $rd, [$mine], $ra, $rb"),
    from(12, "red.shared.or.b32 [$mine], $ra"),
    from(20, "atom.global.add.f32 $fd, [$own], $fa"),
    from(20, "atom.shared.add.f32 $fd, [$mine], $fa"),
    from(20, "cvta.shared.u32 %t0, $mine; st.u32 [%t0], $ra; ld.u32 $rd, [%t0]"),
    from(20, "cvta.local.u32 %t0, $slot; ld.u16 $rd, [%t0+6]; st.u64 [%t0+16], $wa"),
    from(20, "cvta.global.u32 %t0, $double; ld.u64 $wd, [%t0]"),
    from(20, "cvta.shared.u32 %t0, $mine; atom.add.u32 $rd, [%t0], $ra"),
    from(20, "cvta.global.u32 %t0, $own; atom.max.s32 $rd, [%t0], $ra"),
    from(20, "cvta.local.u32 %t0, $slot; isspacep.local %q, %t0; selp.u32 $rd, $ra, $rc, %q"),
    from(20, "cvta.shared.u32 %t0, $mine; isspacep.global %q, %t0; selp.u32 $rd, $ra, $rc, %q"),
    from(20, TWO_SPACES),
    from(20, THREE_SPACES),
];

/// Some lanes access shared memory, others global memory.
const TWO_SPACES: &str = "cvta.shared.u32 %t0, $mine; cvta.global.u32 %t1, $own; and.b32 %t2, $rc, 1; \
    setp.ne.u32 %q, %t2, 0; selp.u32 %t0, %t0, %t1, %q; ld.u32 $rd, [%t0]; st.u32 [%t0], $ra";

/// The same with local memory.
const THREE_SPACES: &str = "cvta.shared.u32 %t0, $mine; cvta.global.u32 %t1, $own; cvta.local.u32 %t2, $slot; \
    setp.lt.s32 %q, $rc, 0; setp.lt.u32 %z, $ra, $rc; selp.u32 %t0, %t0, %t1, %q; selp.u32 %t0, %t0, %t2, %z; \
    st.u16 [%t0+2], $rc; ld.u32 $rd, [%t0]";

/// Commutative reductions. Threads of all blocks may apply any number of them to common cells, with
/// different cells for each operation: the result does not depend on their order. `$t` is the cell.
pub const TALLIES: &[Template] = &[
    from(11, "red.global.add.u32 [$t], $ra"),
    from(11, "red.global.min.s32 [$t], $ra"),
    from(11, "red.global.max.u32 [$t], $ra"),
    from(11, "red.global.and.b32 [$t], $ra"),
    from(11, "red.global.xor.b32 [$t], $ra"),
    from(12, "red.global.add.u64 [$t], $wa"),
    from(12, "red.shared.add.u32 [$t], $ra"),
    from(12, "red.shared.max.s32 [$t], $ra"),
    from(12, "red.shared.or.b32 [$t], $ra"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_templates_for_every_target() {
        for list in List::ALL {
            for sm in [10, 11, 12, 13, 20] {
                assert!((0..=255).all(|op| !list.template(op, sm).is_empty()));
            }
        }
        assert_eq!(List::Int.template(16, 10), "div.u32 $rd, $ra, $rb");
        assert_eq!(List::Double.template(0, 10), List::Int.template(0, 10));
        assert!(List::Float.template(1, 20).starts_with("mul"));
    }
}
