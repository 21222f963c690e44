//! All operands known: the one-lane meaning of the micro-op, the very function that the executor
//! applies, applied now.

use crate::for_each_uop;
use crate::uop::Op;

/// Operands by their places: bits, as wide as the operand; of a predicate 0 or 1.
pub type Operands = [Option<u64>; 4];

/// Takes operand `$i` of `$from`, or gives up.
macro_rules! operand {
    (w $from:ident $i:literal) => {
        $from[$i]? as u32
    };
    (d $from:ident $i:literal) => {
        $from[$i]?
    };
    (p $from:ident $i:literal) => {
        $from[$i]? != 0
    };
}

/// Applies the meaning of a row as its shape says. Of two results neither is folded.
macro_rules! apply {
    (w_w $o:ident $f:expr) => { apply!(@ $f, $o w 0) };
    (w_ww $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1) };
    (w_www $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, w 2) };
    (w_wwp $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, p 2) };
    (w_wwww $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, w 2, w 3) };
    (wp_ww $o:ident $f:expr) => { None };
    (wp_wwp $o:ident $f:expr) => { None };
    (w_d $o:ident $f:expr) => { apply!(@ $f, $o d 0) };
    (d_w $o:ident $f:expr) => { apply!(@ $f, $o w 0) };
    (d_ww $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1) };
    (d_wwd $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, d 2) };
    (d_d $o:ident $f:expr) => { apply!(@ $f, $o d 0) };
    (d_dd $o:ident $f:expr) => { apply!(@ $f, $o d 0, d 1) };
    (d_ddd $o:ident $f:expr) => { apply!(@ $f, $o d 0, d 1, d 2) };
    (d_dw $o:ident $f:expr) => { apply!(@ $f, $o d 0, w 1) };
    (d_dww $o:ident $f:expr) => { apply!(@ $f, $o d 0, w 1, w 2) };
    (d_ddww $o:ident $f:expr) => { apply!(@ $f, $o d 0, d 1, w 2, w 3) };
    (d_ddp $o:ident $f:expr) => { apply!(@ $f, $o d 0, d 1, p 2) };
    (p_ww $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1) };
    (p_dd $o:ident $f:expr) => { apply!(@ $f, $o d 0, d 1) };
    (p_p $o:ident $f:expr) => { apply!(@ $f, $o p 0) };
    (p_pp $o:ident $f:expr) => { apply!(@ $f, $o p 0, p 1) };
    (@ $f:expr, $o:ident $($file:ident $i:literal),+) => { Some(u64::from($f($(operand!($file $o $i)),+))) };
}

macro_rules! define_fold {
    (alu { $($a:ident $at:literal $ac:ident $shape:ident $($ftz:ident)? $af:literal $module:ident :: $meaning:ident $(=> $bound:ident)?;)* }
     memory { $($memory:tt)* } machine { $($rest:tt)* }) => {
        /// What the micro-op gives, if it has one result and its operands are known.
        pub fn fold(op: Op, operands: Operands) -> Option<u64> {
            // What these give depends on the chip that they are loaded on.
            if matches!(op, Op::MadTruncF32 | Op::MadTruncSatF32) {
                return None;
            }
            match op {
                $(Op::$a => apply!($shape operands crate::sem::$module::$meaning),)*
                _ => None,
            }
        }

        /// Whether the micro-op does nothing but write its results: that of an alu row.
        pub fn is_pure(op: Op) -> bool {
            matches!(op, $(Op::$a)|*)
        }
    };
}
for_each_uop!(define_fold);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meaning_is_that_of_one_lane() {
        let of = |op, a: u64, b: u64| fold(op, [Some(a), Some(b), None, None]);
        assert_eq!(of(Op::AddB32, 0xffff_ffff, 3), Some(2));
        assert_eq!(of(Op::DivU32, 7, 0), Some(0xffff_ffff));
        assert_eq!(of(Op::ShlB32, 1, 40), Some(0), "shifts clamp");
        assert_eq!(of(Op::MulWideS32, 0xffff_ffff, 2), Some(u64::MAX - 1));
        assert_eq!(of(Op::AddFtzF32, 1, 0), Some(0), "subnormals are flushed");
        assert_eq!(of(Op::SetpLtS32, 0xffff_ffff, 0), Some(1));
        assert_eq!(fold(Op::SelpB64, [Some(1), Some(2), Some(0), None]), Some(2));
    }

    #[test]
    fn what_is_not_known_is_not_folded() {
        assert_eq!(fold(Op::AddB32, [Some(1), None, None, None]), None);
        assert_eq!(fold(Op::MulLoB32, [None, Some(0), None, None]), None);
        assert_eq!(fold(Op::AddCcB32, [Some(1), Some(2), None, None]), None, "two results");
        assert_eq!(fold(Op::MadTruncF32, [Some(0), Some(0), Some(0), None]), None);
        assert_eq!(fold(Op::MovSreg, [None; 4]), None);
    }
}
