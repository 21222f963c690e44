//! THE list of micro-ops. Enum, names, classes, operand kinds, disassembler and executor all follow from it.
//!
//! `for_each_uop!(m)` expands to `m! { alu { rows } machine { rows } }`:
//!
//! * an **alu** row is `Name "text" Class shape flops meaning;` where `meaning` is the path below
//!   [`crate::sem`] of a pure function of one lane, and `shape` names its operands and the lane loop in the
//!   executor that applies it;
//! * a **machine** row is `Name "text" Class shape;`: what touches memory, control flow or other warps, each
//!   with an arm of its own in the executor.
//!
//! Shapes spell destination, underscore, sources: `w` a 32-bit row, `d` a 64-bit row, `p` a predicate.
//! Types narrower than 32 bits live zero-extended in 32-bit rows. Signed and unsigned forms that do the same to
//! the bits share a row. `flops` counts floating-point operations per lane, two for a multiply-add.

/// Expands `$m!` with the whole list; see the module's documentation for its grammar.
#[macro_export]
macro_rules! for_each_uop {
    ($m:ident) => {
        $m! {
            alu {
                // moves and selection
                MovB32      "mov.b32"       Mov      w_w    0 int::id32;
                MovB64      "mov.b64"       Mov64    d_d    0 int::id64;
                MovPred     "mov.pred"      Pred     p_p    0 int::id_pred;
                SelpB32     "selp.b32"      Select   w_wwp  0 int::selp32;
                SelpB64     "selp.b64"      Select64 d_ddp  0 int::selp64;
                // 32-bit integers
                AddB32      "add.b32"       IntAdd   w_ww   0 int::add32;
                SubB32      "sub.b32"       IntAdd   w_ww   0 int::sub32;
                NegS32      "neg.s32"       IntAdd   w_w    0 int::neg32;
                AbsS32      "abs.s32"       IntAdd   w_w    0 int::abs32;
                MinU32      "min.u32"       IntAdd   w_ww   0 int::min_u32;
                MinS32      "min.s32"       IntAdd   w_ww   0 int::min_s32;
                MaxU32      "max.u32"       IntAdd   w_ww   0 int::max_u32;
                MaxS32      "max.s32"       IntAdd   w_ww   0 int::max_s32;
                SadU32      "sad.u32"       IntAdd   w_www  0 int::sad_u32;
                SadS32      "sad.s32"       IntAdd   w_www  0 int::sad_s32;
                MulLoB32    "mul.lo.b32"    IntMul   w_ww   0 int::mul_lo32;
                MulHiU32    "mul.hi.u32"    IntMulHi w_ww   0 int::mul_hi_u32;
                MulHiS32    "mul.hi.s32"    IntMulHi w_ww   0 int::mul_hi_s32;
                MulWideU32  "mul.wide.u32"  IntMulWide d_ww 0 int::mul_wide_u32;
                MulWideS32  "mul.wide.s32"  IntMulWide d_ww 0 int::mul_wide_s32;
                MadLoB32    "mad.lo.b32"    IntMad   w_www  0 int::mad_lo32;
                MadWideU32  "mad.wide.u32"  IntMadWide d_wwd 0 int::mad_wide_u32;
                MadWideS32  "mad.wide.s32"  IntMadWide d_wwd 0 int::mad_wide_s32;
                Mul24LoU32  "mul24.lo.u32"  IntMul24 w_ww   0 int::mul24_lo_u32;
                Mul24LoS32  "mul24.lo.s32"  IntMul24 w_ww   0 int::mul24_lo_s32;
                Mad24LoU32  "mad24.lo.u32"  IntMul24 w_www  0 int::mad24_lo_u32;
                Mad24LoS32  "mad24.lo.s32"  IntMul24 w_www  0 int::mad24_lo_s32;
                DivU32      "div.u32"       IntDiv   w_ww   0 int::div_u32;
                DivS32      "div.s32"       IntDiv   w_ww   0 int::div_s32;
                RemU32      "rem.u32"       IntDiv   w_ww   0 int::rem_u32;
                RemS32      "rem.s32"       IntDiv   w_ww   0 int::rem_s32;
                AndB32      "and.b32"       Logic    w_ww   0 int::and32;
                OrB32       "or.b32"        Logic    w_ww   0 int::or32;
                XorB32      "xor.b32"       Logic    w_ww   0 int::xor32;
                NotB32      "not.b32"       Logic    w_w    0 int::not32;
                ShlB32      "shl.b32"       Shift    w_ww   0 int::shl32;
                ShrU32      "shr.u32"       Shift    w_ww   0 int::shr_u32;
                ShrS32      "shr.s32"       Shift    w_ww   0 int::shr_s32;
                // 64-bit integers (addresses, mostly)
                AddB64      "add.b64"       Int64    d_dd   0 int::add64;
                SubB64      "sub.b64"       Int64    d_dd   0 int::sub64;
                AndB64      "and.b64"       Logic64  d_dd   0 int::and64;
                OrB64       "or.b64"        Logic64  d_dd   0 int::or64;
                XorB64      "xor.b64"       Logic64  d_dd   0 int::xor64;
                NotB64      "not.b64"       Logic64  d_d    0 int::not64;
                ShlB64      "shl.b64"       Shift64  d_dw   0 int::shl64;
                ShrU64      "shr.u64"       Shift64  d_dw   0 int::shr_u64;
                ShrS64      "shr.s64"       Shift64  d_dw   0 int::shr_s64;
                MulLoB64    "mul.lo.b64"    IntMul64 d_dd   0 int::mul_lo64;
                MadLoB64    "mad.lo.b64"    IntMul64 d_ddd  0 int::mad_lo64;
                // conversions
                CvtB64U32   "cvt.u64.u32"   Mov64    d_w    0 int::zext64;
                CvtB64S32   "cvt.s64.s32"   Int64    d_w    0 int::sext64;
                CvtB32B64   "cvt.u32.u64"   Mov      w_d    0 int::lo32;
                CvtU32U8    "cvt.u32.u8"    Cvt      w_w    0 int::zext8;
                CvtS32S8    "cvt.s32.s8"    Cvt      w_w    0 int::sext8;
                CvtU32U16   "cvt.u32.u16"   Cvt      w_w    0 int::zext16;
                CvtS32S16   "cvt.s32.s16"   Cvt      w_w    0 int::sext16;
                CvtRnF32S32 "cvt.rn.f32.s32" Cvt     w_w    0 cvt::f32_from_s32_rn;
                CvtRnF32U32 "cvt.rn.f32.u32" Cvt     w_w    0 cvt::f32_from_u32_rn;
                CvtRziS32F32 "cvt.rzi.ftz.s32.f32" Cvt w_w  0 cvt::s32_from_f32_rzi_ftz;
                CvtRziU32F32 "cvt.rzi.ftz.u32.f32" Cvt w_w  0 cvt::u32_from_f32_rzi_ftz;
                // single precision that flushes: subnormals are zero on the way in and out (sm_1x, and .ftz)
                AddFtzF32   "add.rn.ftz.f32" FAdd    w_ww   1 float::add_rn_ftz_f32;
                SubFtzF32   "sub.rn.ftz.f32" FAdd    w_ww   1 float::sub_rn_ftz_f32;
                MulFtzF32   "mul.rn.ftz.f32" FMul    w_ww   1 float::mul_rn_ftz_f32;
                MadTruncF32 "mad.ftz.f32"   FMad     w_www  2 float::mad_trunc_ftz_f32;
                MinFtzF32   "min.ftz.f32"   FAdd     w_ww   0 float::min_ftz_f32;
                MaxFtzF32   "max.ftz.f32"   FAdd     w_ww   0 float::max_ftz_f32;
                NegFtzF32   "neg.ftz.f32"   FAdd     w_w    0 float::neg_ftz_f32;
                AbsFtzF32   "abs.ftz.f32"   FAdd     w_w    0 float::abs_ftz_f32;
                FmaFtzF32   "fma.rn.ftz.f32" FMad   w_www  2 float::fma_rn_ftz_f32;
                // single precision that keeps subnormals (from sm_20 on, without .ftz)
                AddF32      "add.rn.f32"    FAdd    w_ww   1 float::add_rn_f32;
                SubF32      "sub.rn.f32"    FAdd    w_ww   1 float::sub_rn_f32;
                MulF32      "mul.rn.f32"    FMul    w_ww   1 float::mul_rn_f32;
                FmaF32      "fma.rn.f32"    FMad    w_www  2 float::fma_rn_f32;
                MinF32      "min.f32"       FAdd    w_ww   0 float::min_f32;
                MaxF32      "max.f32"       FAdd    w_ww   0 float::max_f32;
                NegF32      "neg.f32"       FAdd    w_w    0 float::neg_f32;
                AbsF32      "abs.f32"       FAdd    w_w    0 float::abs_f32;
                // comparison into a predicate
                SetpEqB32   "setp.eq.b32"   IntCmp   p_ww   0 int::eq32;
                SetpNeB32   "setp.ne.b32"   IntCmp   p_ww   0 int::ne32;
                SetpLtU32   "setp.lt.u32"   IntCmp   p_ww   0 int::lt_u32;
                SetpLeU32   "setp.le.u32"   IntCmp   p_ww   0 int::le_u32;
                SetpGtU32   "setp.gt.u32"   IntCmp   p_ww   0 int::gt_u32;
                SetpGeU32   "setp.ge.u32"   IntCmp   p_ww   0 int::ge_u32;
                SetpLtS32   "setp.lt.s32"   IntCmp   p_ww   0 int::lt_s32;
                SetpLeS32   "setp.le.s32"   IntCmp   p_ww   0 int::le_s32;
                SetpGtS32   "setp.gt.s32"   IntCmp   p_ww   0 int::gt_s32;
                SetpGeS32   "setp.ge.s32"   IntCmp   p_ww   0 int::ge_s32;
                SetpEqB64   "setp.eq.b64"   IntCmp64 p_dd   0 int::eq64;
                SetpNeB64   "setp.ne.b64"   IntCmp64 p_dd   0 int::ne64;
                SetpLtU64   "setp.lt.u64"   IntCmp64 p_dd   0 int::lt_u64;
                SetpLeU64   "setp.le.u64"   IntCmp64 p_dd   0 int::le_u64;
                SetpGtU64   "setp.gt.u64"   IntCmp64 p_dd   0 int::gt_u64;
                SetpGeU64   "setp.ge.u64"   IntCmp64 p_dd   0 int::ge_u64;
                SetpLtS64   "setp.lt.s64"   IntCmp64 p_dd   0 int::lt_s64;
                SetpLeS64   "setp.le.s64"   IntCmp64 p_dd   0 int::le_s64;
                SetpGtS64   "setp.gt.s64"   IntCmp64 p_dd   0 int::gt_s64;
                SetpGeS64   "setp.ge.s64"   IntCmp64 p_dd   0 int::ge_s64;
                SetpEqFtzF32 "setp.eq.ftz.f32" FCmp  p_ww   0 float::eq_ftz_f32;
                SetpNeFtzF32 "setp.ne.ftz.f32" FCmp  p_ww   0 float::ne_ftz_f32;
                SetpLtFtzF32 "setp.lt.ftz.f32" FCmp  p_ww   0 float::lt_ftz_f32;
                SetpLeFtzF32 "setp.le.ftz.f32" FCmp  p_ww   0 float::le_ftz_f32;
                SetpGtFtzF32 "setp.gt.ftz.f32" FCmp  p_ww   0 float::gt_ftz_f32;
                SetpGeFtzF32 "setp.ge.ftz.f32" FCmp  p_ww   0 float::ge_ftz_f32;
                SetpEqF32   "setp.eq.f32"   FCmp    p_ww   0 float::eq_f32;
                SetpNeF32   "setp.ne.f32"   FCmp    p_ww   0 float::ne_f32;
                SetpLtF32   "setp.lt.f32"   FCmp    p_ww   0 float::lt_f32;
                SetpLeF32   "setp.le.f32"   FCmp    p_ww   0 float::le_f32;
                SetpGtF32   "setp.gt.f32"   FCmp    p_ww   0 float::gt_f32;
                SetpGeF32   "setp.ge.f32"   FCmp    p_ww   0 float::ge_f32;
                // predicates
                AndPred     "and.pred"      Pred     p_pp   0 int::and_pred;
                OrPred      "or.pred"       Pred     p_pp   0 int::or_pred;
                XorPred     "xor.pred"      Pred     p_pp   0 int::xor_pred;
                NotPred     "not.pred"      Pred     p_p    0 int::not_pred;
            }
            machine {
                // `imm` is a special register's code
                MovSreg     "mov.sreg"      Sreg     w_imm;
                // loads: `imm` is the byte offset, `src[0]` the address row or none
                LdParamB8   "ld.param.u8"   LdParam  w_addr;
                LdParamS8   "ld.param.s8"   LdParam  w_addr;
                LdParamB16  "ld.param.u16"  LdParam  w_addr;
                LdParamS16  "ld.param.s16"  LdParam  w_addr;
                LdParamB32  "ld.param.b32"  LdParam  w_addr;
                LdParamB64  "ld.param.b64"  LdParam  d_addr;
                LdConstB8   "ld.const.u8"   LdConst  w_addr;
                LdConstS8   "ld.const.s8"   LdConst  w_addr;
                LdConstB16  "ld.const.u16"  LdConst  w_addr;
                LdConstS16  "ld.const.s16"  LdConst  w_addr;
                LdConstB32  "ld.const.b32"  LdConst  w_addr;
                LdConstB64  "ld.const.b64"  LdConst  d_addr;
                LdSharedB8  "ld.shared.u8"  LdShared w_addr;
                LdSharedS8  "ld.shared.s8"  LdShared w_addr;
                LdSharedB16 "ld.shared.u16" LdShared w_addr;
                LdSharedS16 "ld.shared.s16" LdShared w_addr;
                LdSharedB32 "ld.shared.b32" LdShared w_addr;
                LdSharedB64 "ld.shared.b64" LdShared d_addr;
                LdGlobalB8  "ld.global.u8"  LdGlobal w_addr;
                LdGlobalS8  "ld.global.s8"  LdGlobal w_addr;
                LdGlobalB16 "ld.global.u16" LdGlobal w_addr;
                LdGlobalS16 "ld.global.s16" LdGlobal w_addr;
                LdGlobalB32 "ld.global.b32" LdGlobal w_addr;
                LdGlobalB64 "ld.global.b64" LdGlobal d_addr;
                // stores: `src[0]` the address row or none, `src[1]` the value
                StSharedB8  "st.shared.b8"  StShared addr_w;
                StSharedB16 "st.shared.b16" StShared addr_w;
                StSharedB32 "st.shared.b32" StShared addr_w;
                StSharedB64 "st.shared.b64" StShared addr_d;
                StGlobalB8  "st.global.b8"  StGlobal addr_w;
                StGlobalB16 "st.global.b16" StGlobal addr_w;
                StGlobalB32 "st.global.b32" StGlobal addr_w;
                StGlobalB64 "st.global.b64" StGlobal addr_d;
                // atomics: `src[0]` the address row or none, then the operands, for `cas` the value compared with first;
                // `aux` holds the operation; `red` brings no old value home
                AtomGlobalB32 "atom.global.b32" AtomGlobal w_addr_w;
                AtomGlobalB64 "atom.global.b64" AtomGlobal d_addr_d;
                CasGlobalB32 "atom.global.cas.b32" AtomGlobal w_addr_ww;
                CasGlobalB64 "atom.global.cas.b64" AtomGlobal d_addr_dd;
                RedGlobalB32 "red.global.b32" AtomGlobal addr_w;
                RedGlobalB64 "red.global.b64" AtomGlobal addr_d;
                AtomSharedB32 "atom.shared.b32" AtomShared w_addr_w;
                AtomSharedB64 "atom.shared.b64" AtomShared d_addr_d;
                CasSharedB32 "atom.shared.cas.b32" AtomShared w_addr_ww;
                CasSharedB64 "atom.shared.cas.b64" AtomShared d_addr_dd;
                RedSharedB32 "red.shared.b32" AtomShared addr_w;
                RedSharedB64 "red.shared.b64" AtomShared addr_d;
                // votes: over the lanes that execute them
                VoteAll     "vote.all"      Pred     p_p;
                VoteAny     "vote.any"      Pred     p_p;
                VoteUni     "vote.uni"      Pred     p_p;
                VoteBallot  "vote.ballot.b32" Pred   w_p;
                // control: `imm` is a target or a barrier, `aux` the reconvergence point
                Bra         "bra"           Branch   control;
                BarSync     "bar.sync"      Barrier  control;
                MembarCta   "membar.cta"    Membar   control;
                MembarGl    "membar.gl"     Membar   control;
                Exit        "exit"          Exit     control;
                Trap        "trap"          Exit     control;
            }
        }
    };
}
