//! Constant folding: if all operands are known, the optimizer applies the one-lane function that
//! the executor also applies.

use crate::for_each_uop;
use crate::uop::Op;

/// Known operands by position. Bits of the operand's width; 0 or 1 for a predicate.
pub type Operands = [Option<u64>; 4];

/// Reads operand `$i` of `$from`; returns `None` if it is unknown.
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

/// Applies the function of a table row to the operands of its shape. Micro-ops with two results,
/// and video instructions, whose modifiers are not operands, are not folded.
macro_rules! apply {
    (w_w $o:ident $f:expr) => { apply!(@ $f, $o w 0) };
    (w_row $o:ident $f:expr) => { Some(u64::from($f(&[operand!(w $o 0); 32])[0])) };
    (w_ww $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1) };
    (w_www $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, w 2) };
    (w_mad $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, w 2) };
    (w_fma $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, w 2) };
    (w_wwp $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, p 2) };
    (w_wwww $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, w 2, w 3) };
    (wp_ww $o:ident $f:expr) => { None };
    (wp_wwp $o:ident $f:expr) => { None };
    (w_video $o:ident $f:expr) => { None };
    (w_d $o:ident $f:expr) => { apply!(@ $f, $o d 0) };
    (d_w $o:ident $f:expr) => { apply!(@ $f, $o w 0) };
    (d_ww $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1) };
    (d_wwd $o:ident $f:expr) => { apply!(@ $f, $o w 0, w 1, d 2) };
    (d_d $o:ident $f:expr) => { apply!(@ $f, $o d 0) };
    (d_dd $o:ident $f:expr) => { apply!(@ $f, $o d 0, d 1) };
    (d_ddd $o:ident $f:expr) => { apply!(@ $f, $o d 0, d 1, d 2) };
    (d_fma $o:ident $f:expr) => { apply!(@ $f, $o d 0, d 1, d 2) };
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
    (alu { $($ac:ident $shape:ident $af:literal {
        $($a:ident $at:literal $module:ident :: $meaning:ident $($word:ident)* $(=> $bound:ident)?;)*
     })* }
     memory { $($memory:tt)* } machine { $($rest:tt)* }) => {
        /// Returns the result of the micro-op if it has one result and its operands are known.
        pub fn fold(op: Op, operands: Operands) -> Option<u64> {
            // The results of these micro-ops depend on the chip that executes the program.
            if matches!(op, Op::MadTruncF32 | Op::MadTruncSatF32) {
                return None;
            }
            match op {
                $($(Op::$a => apply!($shape operands crate::sem::$module::$meaning),)*)*
                _ => None,
            }
        }
    };
}
for_each_uop!(define_fold);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_applies_the_function_of_one_lane() {
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
    fn unknown_operands_and_double_results_are_not_folded() {
        assert_eq!(fold(Op::AddB32, [Some(1), None, None, None]), None);
        assert_eq!(fold(Op::MulLoB32, [None, Some(0), None, None]), None);
        assert_eq!(fold(Op::AddCcB32, [Some(1), Some(2), None, None]), None, "two results");
        assert_eq!(fold(Op::MadTruncF32, [Some(0), Some(0), Some(0), None]), None);
        assert_eq!(fold(Op::MovSreg, [None; 4]), None);
    }
}
