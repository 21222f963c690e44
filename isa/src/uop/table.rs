//! The table of micro-ops. The enum, names, classes, operand kinds, disassembler and executor are
//! all generated from it.
//!
//! `for_each_uop!(m)` expands to `m! { alu { rows } memory { groups } machine { rows } }`:
//!
//! * an **alu** row is `Name "text" Class shape flops meaning;`. `meaning` is the path below
//!   [`crate::sem`] of a pure function of one lane. `shape` names the operands and the lane loop in
//!   the executor that applies the function. The word `ftz` before `flops` marks a row that flushes
//!   subnormal numbers to zero. A row whose function is an approximation ends with `=> BOUND`, a
//!   constant of [`crate::sem::fidelity`]; all other rows agree with the hardware bit for bit;
//! * a **memory** group is `Kind Space Class { rows }` with rows `Name "text" Width;`: the loads,
//!   stores and atomics of one kind ([`MemoryKind`](super::MemoryKind)), one space
//!   ([`MemorySpace`](super::MemorySpace)) and the widths ([`Width`](super::Width)) of its rows.
//!   Kind and width determine the operands;
//! * a **machine** row is `Name "text" Class shape;`: a micro-op that affects control flow or other
//!   warps. Each one has a separate match arm in the executor.
//!
//! A shape name consists of destinations, underscore, sources: `w` is a 32-bit row, `d` a 64-bit
//! row, `p` a predicate; a number after a letter is a repeat count. With two destinations the
//! function returns a pair. Types narrower than 32 bits are zero-extended in 32-bit rows. Signed
//! and unsigned forms with the same bits as result share a row. `flops` is the number of
//! floating-point operations per lane, two for a multiply-add.

/// Expands `$m!` with the whole table. The module documentation describes the grammar.
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
                NegS32      "neg.s32"       IntAbs   w_w    0 int::neg32;
                AbsS32      "abs.s32"       IntAbs   w_w    0 int::abs32;
                MinU32      "min.u32"       IntAdd   w_ww   0 int::min_u32;
                MinS32      "min.s32"       IntAdd   w_ww   0 int::min_s32;
                MaxU32      "max.u32"       IntAdd   w_ww   0 int::max_u32;
                MaxS32      "max.s32"       IntAdd   w_ww   0 int::max_s32;
                SadU32      "sad.u32"       IntSad   w_www  0 int::sad_u32;
                SadS32      "sad.s32"       IntSad   w_www  0 int::sad_s32;
                MulLoB32    "mul.lo.b32"    IntMul   w_ww   0 int::mul_lo32;
                MulHiU32    "mul.hi.u32"    IntMulHi w_ww   0 int::mul_hi_u32;
                MulHiS32    "mul.hi.s32"    IntMulHiS w_ww   0 int::mul_hi_s32;
                MulWideU32  "mul.wide.u32"  IntMulWide d_ww 0 int::mul_wide_u32;
                MulWideS32  "mul.wide.s32"  IntMulWide d_ww 0 int::mul_wide_s32;
                MadLoB32    "mad.lo.b32"    IntMad   w_www  0 int::mad_lo32;
                MadWideU32  "mad.wide.u32"  IntMadWide d_wwd 0 int::mad_wide_u32;
                MadWideS32  "mad.wide.s32"  IntMadWide d_wwd 0 int::mad_wide_s32;
                Mul24LoU32  "mul24.lo.u32"  IntMul24 w_ww   0 int::mul24_lo_u32;
                Mul24LoS32  "mul24.lo.s32"  IntMul24 w_ww   0 int::mul24_lo_s32;
                Mad24LoU32  "mad24.lo.u32"  IntMul24 w_www  0 int::mad24_lo_u32;
                Mad24LoS32  "mad24.lo.s32"  IntMul24 w_www  0 int::mad24_lo_s32;
                // 32-bit operations with zero- or sign-extended 16-bit factors, for the 24-bit
                // multiplier of sm_1x
                Mul16B32    "mul16.b32"     IntMul24 w_ww   0 int::mul_lo32;
                Mad16B32    "mad16.b32"     IntMul24 w_www  0 int::mad_lo32;
                DivU32      "div.u32"       IntDiv   w_ww   0 int::div_u32;
                DivS32      "div.s32"       IntDivS  w_ww   0 int::div_s32;
                RemU32      "rem.u32"       IntRem   w_ww   0 int::rem_u32;
                RemS32      "rem.s32"       IntRemS  w_ww   0 int::rem_s32;
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
                // carry chains: sums that write the condition code, a predicate, and sums that read
                // it
                AddCcB32    "add.cc.b32"    IntAdd   wp_ww  0 bits::add_cc;
                AddcB32     "addc.b32"      IntAdd   w_wwp  0 bits::addc;
                AddcCcB32   "addc.cc.b32"   IntAdd   wp_wwp 0 bits::addc_cc;
                SubCcB32    "sub.cc.b32"    IntAdd   wp_ww  0 bits::sub_cc;
                SubcB32     "subc.b32"      IntAdd   w_wwp  0 bits::subc;
                SubcCcB32   "subc.cc.b32"   IntAdd   wp_wwp 0 bits::subc_cc;
                // saturation, high halves, 64-bit division
                AddSatS32   "add.sat.s32"   IntAdd   w_ww   0 bits::add_sat_s32;
                SubSatS32   "sub.sat.s32"   IntAdd   w_ww   0 bits::sub_sat_s32;
                Mul24HiU32  "mul24.hi.u32"  IntMul24 w_ww   0 int::mul24_hi_u32;
                Mul24HiS32  "mul24.hi.s32"  IntMul24 w_ww   0 int::mul24_hi_s32;
                MulHiU64    "mul.hi.u64"    IntMulHi64 d_dd 0 int::mul_hi_u64;
                MulHiS64    "mul.hi.s64"    IntMulHi64 d_dd 0 int::mul_hi_s64;
                DivU64      "div.u64"       IntDiv64 d_dd   0 int::div_u64;
                DivS64      "div.s64"       IntDiv64 d_dd   0 int::div_s64;
                RemU64      "rem.u64"       IntDiv64 d_dd   0 int::rem_u64;
                RemS64      "rem.s64"       IntDiv64 d_dd   0 int::rem_s64;
                // counts, bit fields and permutations
                PopcB32     "popc.b32"      Shift    w_w    0 bits::popc32;
                PopcB64     "popc.b64"      Shift64  w_d    0 bits::popc64;
                ClzB32      "clz.b32"       Shift    w_w    0 bits::clz32;
                ClzB64      "clz.b64"       Shift64  w_d    0 bits::clz64;
                BrevB32     "brev.b32"      Shift    w_w    0 bits::brev32;
                BrevB64     "brev.b64"      Shift64  d_d    0 bits::brev64;
                BfindU32    "bfind.u32"     Shift    w_w    0 bits::bfind_u32;
                BfindS32    "bfind.s32"     Shift    w_w    0 bits::bfind_s32;
                BfindU64    "bfind.u64"     Shift64  w_d    0 bits::bfind_u64;
                BfindS64    "bfind.s64"     Shift64  w_d    0 bits::bfind_s64;
                BfindShiftU32 "bfind.shiftamt.u32" Shift w_w 0 bits::bfind_shiftamt_u32;
                BfindShiftS32 "bfind.shiftamt.s32" Shift w_w 0 bits::bfind_shiftamt_s32;
                BfindShiftU64 "bfind.shiftamt.u64" Shift64 w_d 0 bits::bfind_shiftamt_u64;
                BfindShiftS64 "bfind.shiftamt.s64" Shift64 w_d 0 bits::bfind_shiftamt_s64;
                BfeU32      "bfe.u32"       Shift    w_www  0 bits::bfe_u32;
                BfeS32      "bfe.s32"       Shift    w_www  0 bits::bfe_s32;
                BfeU64      "bfe.u64"       Shift64  d_dww  0 bits::bfe_u64;
                BfeS64      "bfe.s64"       Shift64  d_dww  0 bits::bfe_s64;
                BfiB32      "bfi.b32"       Shift    w_wwww 0 bits::bfi32;
                // a direction as a position on a face of a cube: s and t from 0 to 1, and the face
                // with the number of the cube
                CubeS       "cube.s.approx.f32" FDivApprox w_www 0 cube::s => DIVISION;
                CubeT       "cube.t.approx.f32" FDivApprox w_www 0 cube::t => DIVISION;
                CubeFace    "cube.face.u32" Shift    w_wwww 0 cube::face;
                BfiB64      "bfi.b64"       Shift64  d_ddww 0 bits::bfi64;
                PrmtB32     "prmt.b32"      Shift    w_www  0 bits::prmt;
                PrmtF4e     "prmt.b32.f4e"  Shift    w_www  0 bits::prmt_f4e;
                PrmtB4e     "prmt.b32.b4e"  Shift    w_www  0 bits::prmt_b4e;
                PrmtRc8     "prmt.b32.rc8"  Shift    w_www  0 bits::prmt_rc8;
                PrmtEcl     "prmt.b32.ecl"  Shift    w_www  0 bits::prmt_ecl;
                PrmtEcr     "prmt.b32.ecr"  Shift    w_www  0 bits::prmt_ecr;
                PrmtRc16    "prmt.b32.rc16" Shift    w_www  0 bits::prmt_rc16;
                ShfLWrap    "shf.l.wrap.b32" Shift   w_www  0 bits::shf_l_wrap;
                ShfLClamp   "shf.l.clamp.b32" Shift  w_www  0 bits::shf_l_clamp;
                ShfRWrap    "shf.r.wrap.b32" Shift   w_www  0 bits::shf_r_wrap;
                ShfRClamp   "shf.r.clamp.b32" Shift  w_www  0 bits::shf_r_clamp;
                // three-input logic: the last source is the truth table
                Lop3        "lop3.b32"      Logic    w_wwww 0 bits::lop3;
                // video instructions: `imm` has the modifiers (`Inst::video`)
                Vadd        "vadd"          IntAdd   w_video 0 video::add;
                Vsub        "vsub"          IntAdd   w_video 0 video::sub;
                Vabsdiff    "vabsdiff"      IntSad   w_video 0 video::abs_diff;
                Vmin        "vmin"          IntAdd   w_video 0 video::min;
                Vmax        "vmax"          IntAdd   w_video 0 video::max;
                Vshl        "vshl"          Shift    w_video 0 video::shl;
                Vshr        "vshr"          Shift    w_video 0 video::shr;
                Vset        "vset"          IntAdd   w_video 0 video::set;
                Vmad        "vmad"          IntMad   w_video 0 video::mad;
                // packing and unpacking of values
                PackB32     "pack.b32"      Logic    w_ww   0 bits::pack32;
                PackB64     "pack.b64"      Mov64    d_ww   0 bits::pack64;
                HiB64       "hi.b64"        Mov      w_d    0 bits::hi32;
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
                CvtRziS32F32 "cvt.rzi.ftz.s32.f32" Cvt w_w   ftz 0 cvt::s32_from_f32_rzi_ftz;
                CvtRziU32F32 "cvt.rzi.ftz.u32.f32" Cvt w_w   ftz 0 cvt::u32_from_f32_rzi_ftz;
                // single precision with flushing: subnormal operands and results become zero
                // (sm_1x, and .ftz)
                AddFtzF32   "add.rn.ftz.f32" FAdd    w_ww  ftz 1 float::add_rn_ftz_f32;
                SubFtzF32   "sub.rn.ftz.f32" FAdd    w_ww  ftz 1 float::sub_rn_ftz_f32;
                MulFtzF32   "mul.rn.ftz.f32" FMul    w_ww  ftz 1 float::mul_rn_ftz_f32;
                MadTruncF32 "mad.ftz.f32"   FMad     w_mad ftz 2 float::mad_trunc_ftz_f32;
                MinFtzF32   "min.ftz.f32"   FAdd     w_ww  ftz 0 float::min_ftz_f32;
                MaxFtzF32   "max.ftz.f32"   FAdd     w_ww  ftz 0 float::max_ftz_f32;
                NegFtzF32   "neg.ftz.f32"   FAdd     w_w   ftz 0 float::neg_ftz_f32;
                AbsFtzF32   "abs.ftz.f32"   FAdd     w_w   ftz 0 float::abs_ftz_f32;
                FmaFtzF32   "fma.rn.ftz.f32" FMad   w_www ftz 2 float::fma_rn_ftz_f32;
                // single precision without flushing: subnormals are kept (from sm_20 on, without
                // .ftz)
                AddF32      "add.rn.f32"    FAdd    w_ww   1 float::add_rn_f32;
                SubF32      "sub.rn.f32"    FAdd    w_ww   1 float::sub_rn_f32;
                MulF32      "mul.rn.f32"    FMul    w_ww   1 float::mul_rn_f32;
                FmaF32      "fma.rn.f32"    FMad    w_fma  2 float::fma_rn_f32;
                MinF32      "min.f32"       FAdd    w_ww   0 float::min_f32;
                MaxF32      "max.f32"       FAdd    w_ww   0 float::max_f32;
                NegF32      "neg.f32"       FAdd    w_w    0 float::neg_f32;
                AbsF32      "abs.f32"       FAdd    w_w    0 float::abs_f32;
                // single-precision division, reciprocal, roots and special functions: with
                // flushing, then without; correctly rounded rows, then approximate ones
                DivRnFtzF32      "div.rn.ftz.f32"       FDivRn     w_ww  ftz 1 divide::div_rn_ftz_f32;
                DivRnF32         "div.rn.f32"           FDivRn     w_ww  1 divide::div_rn_f32;
                DivRzFtzF32      "div.rz.ftz.f32"       FDivRn     w_ww  ftz 1 divide::div_rz_ftz_f32;
                DivRzF32         "div.rz.f32"           FDivRn     w_ww  1 divide::div_rz_f32;
                DivRmFtzF32      "div.rm.ftz.f32"       FDivRn     w_ww  ftz 1 divide::div_rm_ftz_f32;
                DivRmF32         "div.rm.f32"           FDivRn     w_ww  1 divide::div_rm_f32;
                DivRpFtzF32      "div.rp.ftz.f32"       FDivRn     w_ww  ftz 1 divide::div_rp_ftz_f32;
                DivRpF32         "div.rp.f32"           FDivRn     w_ww  1 divide::div_rp_f32;
                RcpRnFtzF32      "rcp.rn.ftz.f32"       FRcpRn     w_w   ftz 1 divide::rcp_rn_ftz_f32;
                RcpRnF32         "rcp.rn.f32"           FRcpRn     w_w   1 divide::rcp_rn_f32;
                RcpRzFtzF32      "rcp.rz.ftz.f32"       FRcpRn     w_w   ftz 1 divide::rcp_rz_ftz_f32;
                RcpRzF32         "rcp.rz.f32"           FRcpRn     w_w   1 divide::rcp_rz_f32;
                RcpRmFtzF32      "rcp.rm.ftz.f32"       FRcpRn     w_w   ftz 1 divide::rcp_rm_ftz_f32;
                RcpRmF32         "rcp.rm.f32"           FRcpRn     w_w   1 divide::rcp_rm_f32;
                RcpRpFtzF32      "rcp.rp.ftz.f32"       FRcpRn     w_w   ftz 1 divide::rcp_rp_ftz_f32;
                RcpRpF32         "rcp.rp.f32"           FRcpRn     w_w   1 divide::rcp_rp_f32;
                SqrtRnFtzF32     "sqrt.rn.ftz.f32"      FSqrtRn    w_w   ftz 1 divide::sqrt_rn_ftz_f32;
                SqrtRnF32        "sqrt.rn.f32"          FSqrtRn    w_w   1 divide::sqrt_rn_f32;
                SqrtRzFtzF32     "sqrt.rz.ftz.f32"      FSqrtRn    w_w   ftz 1 divide::sqrt_rz_ftz_f32;
                SqrtRzF32        "sqrt.rz.f32"          FSqrtRn    w_w   1 divide::sqrt_rz_f32;
                SqrtRmFtzF32     "sqrt.rm.ftz.f32"      FSqrtRn    w_w   ftz 1 divide::sqrt_rm_ftz_f32;
                SqrtRmF32        "sqrt.rm.f32"          FSqrtRn    w_w   1 divide::sqrt_rm_f32;
                SqrtRpFtzF32     "sqrt.rp.ftz.f32"      FSqrtRn    w_w   ftz 1 divide::sqrt_rp_ftz_f32;
                SqrtRpF32        "sqrt.rp.f32"          FSqrtRn    w_w   1 divide::sqrt_rp_f32;
                DivApproxFtzF32  "div.approx.ftz.f32"   FDivApprox w_ww  ftz 1 approx::div_ftz_f32 => DIVISION;
                DivApproxF32     "div.approx.f32"       FDivApprox w_ww  1 approx::div_f32 => DIVISION;
                DivFullFtzF32    "div.full.ftz.f32"     FDiv       w_ww  ftz 1 approx::div_full_ftz_f32 => DIVISION;
                DivFullF32       "div.full.f32"         FDiv       w_ww  1 approx::div_full_f32 => DIVISION;
                RcpApproxFtzF32  "rcp.approx.ftz.f32"   FRcp       w_w   ftz 1 approx::rcp_ftz_f32 => RECIPROCAL;
                RcpApproxF32     "rcp.approx.f32"       FRcp       w_w   1 approx::rcp_f32 => RECIPROCAL;
                SqrtApproxFtzF32 "sqrt.approx.ftz.f32"  FSqrt      w_w   ftz 1 approx::sqrt_ftz_f32 => ROOT;
                SqrtApproxF32    "sqrt.approx.f32"      FSqrt      w_w   1 approx::sqrt_f32 => ROOT;
                RsqrtFtzF32      "rsqrt.approx.ftz.f32" FRcp       w_w   ftz 1 approx::rsqrt_ftz_f32 => ROOT;
                RsqrtF32         "rsqrt.approx.f32"     FRcp       w_w   1 approx::rsqrt_f32 => ROOT;
                SinFtzF32        "sin.approx.ftz.f32"   FSin       w_w   ftz 1 approx::sin_ftz_f32 => TURN;
                SinF32           "sin.approx.f32"       FSin       w_w   1 approx::sin_f32 => TURN;
                CosFtzF32        "cos.approx.ftz.f32"   FSin       w_w   ftz 1 approx::cos_ftz_f32 => TURN;
                CosF32           "cos.approx.f32"       FSin       w_w   1 approx::cos_f32 => TURN;
                Lg2FtzF32        "lg2.approx.ftz.f32"   FRcp       w_w   ftz 1 approx::lg2_ftz_f32 => LOGARITHM;
                Lg2F32           "lg2.approx.f32"       FRcp       w_w   1 approx::lg2_f32 => LOGARITHM;
                Ex2FtzF32        "ex2.approx.ftz.f32"   FSin       w_w   ftz 1 approx::ex2_ftz_f32 => POWER;
                Ex2F32           "ex2.approx.f32"       FSin       w_w   1 approx::ex2_f32 => POWER;
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
                SetpEqFtzF32 "setp.eq.ftz.f32" FCmp  p_ww  ftz 0 float::eq_ftz_f32;
                SetpNeFtzF32 "setp.ne.ftz.f32" FCmp  p_ww  ftz 0 float::ne_ftz_f32;
                SetpLtFtzF32 "setp.lt.ftz.f32" FCmp  p_ww  ftz 0 float::lt_ftz_f32;
                SetpLeFtzF32 "setp.le.ftz.f32" FCmp  p_ww  ftz 0 float::le_ftz_f32;
                SetpGtFtzF32 "setp.gt.ftz.f32" FCmp  p_ww  ftz 0 float::gt_ftz_f32;
                SetpGeFtzF32 "setp.ge.ftz.f32" FCmp  p_ww  ftz 0 float::ge_ftz_f32;
                SetpEqF32   "setp.eq.f32"   FCmp    p_ww   0 float::eq_f32;
                SetpNeF32   "setp.ne.f32"   FCmp    p_ww   0 float::ne_f32;
                SetpLtF32   "setp.lt.f32"   FCmp    p_ww   0 float::lt_f32;
                SetpLeF32   "setp.le.f32"   FCmp    p_ww   0 float::le_f32;
                SetpGtF32   "setp.gt.f32"   FCmp    p_ww   0 float::gt_f32;
                SetpGeF32   "setp.ge.f32"   FCmp    p_ww   0 float::ge_f32;
                // double precision (from sm_13 on)
                AddF64          "add.rn.f64"         DAdd    d_dd  1 double::add_rn;
                AddRzF64        "add.rz.f64"         DAdd    d_dd  1 double::add_rz;
                AddRmF64        "add.rm.f64"         DAdd    d_dd  1 double::add_rm;
                AddRpF64        "add.rp.f64"         DAdd    d_dd  1 double::add_rp;
                SubF64          "sub.rn.f64"         DAdd    d_dd  1 double::sub_rn;
                SubRzF64        "sub.rz.f64"         DAdd    d_dd  1 double::sub_rz;
                SubRmF64        "sub.rm.f64"         DAdd    d_dd  1 double::sub_rm;
                SubRpF64        "sub.rp.f64"         DAdd    d_dd  1 double::sub_rp;
                MulF64          "mul.rn.f64"         DMul    d_dd  1 double::mul_rn;
                MulRzF64        "mul.rz.f64"         DMul    d_dd  1 double::mul_rz;
                MulRmF64        "mul.rm.f64"         DMul    d_dd  1 double::mul_rm;
                MulRpF64        "mul.rp.f64"         DMul    d_dd  1 double::mul_rp;
                FmaF64          "fma.rn.f64"         DFma    d_fma 2 double::fma_rn;
                FmaRzF64        "fma.rz.f64"         DFma    d_ddd 2 double::fma_rz;
                FmaRmF64        "fma.rm.f64"         DFma    d_ddd 2 double::fma_rm;
                FmaRpF64        "fma.rp.f64"         DFma    d_ddd 2 double::fma_rp;
                DivF64          "div.rn.f64"         DDiv    d_dd  1 double::div_rn;
                DivRzF64        "div.rz.f64"         DDiv    d_dd  1 double::div_rz;
                DivRmF64        "div.rm.f64"         DDiv    d_dd  1 double::div_rm;
                DivRpF64        "div.rp.f64"         DDiv    d_dd  1 double::div_rp;
                RcpF64          "rcp.rn.f64"         DRcp    d_d   1 double::rcp_rn;
                RcpRzF64        "rcp.rz.f64"         DRcp    d_d   1 double::rcp_rz;
                RcpRmF64        "rcp.rm.f64"         DRcp    d_d   1 double::rcp_rm;
                RcpRpF64        "rcp.rp.f64"         DRcp    d_d   1 double::rcp_rp;
                SqrtF64         "sqrt.rn.f64"        DSqrt   d_d   1 double::sqrt_rn;
                SqrtRzF64       "sqrt.rz.f64"        DSqrt   d_d   1 double::sqrt_rz;
                SqrtRmF64       "sqrt.rm.f64"        DSqrt   d_d   1 double::sqrt_rm;
                SqrtRpF64       "sqrt.rp.f64"        DSqrt   d_d   1 double::sqrt_rp;
                RsqrtApproxF64  "rsqrt.approx.f64"   DSqrt   d_d   1 double::rsqrt_approx => DOUBLE;
                RcpApproxFtzF64 "rcp.approx.ftz.f64" DLookup d_d   ftz 1 double::rcp_approx_ftz => DOUBLE;
                MinF64          "min.f64"            DAdd    d_dd  0 double::min;
                MaxF64          "max.f64"            DAdd    d_dd  0 double::max;
                NegF64          "neg.f64"            Logic64 d_d   0 double::neg;
                AbsF64          "abs.f64"            Logic64 d_d   0 double::abs;
                SetpEqF64       "setp.eq.f64"        DCmp    p_dd  0 double::eq;
                SetpNeF64       "setp.ne.f64"        DCmp    p_dd  0 double::ne;
                SetpLtF64       "setp.lt.f64"        DCmp    p_dd  0 double::lt;
                SetpLeF64       "setp.le.f64"        DCmp    p_dd  0 double::le;
                SetpGtF64       "setp.gt.f64"        DCmp    p_dd  0 double::gt;
                SetpGeF64       "setp.ge.f64"        DCmp    p_dd  0 double::ge;
                CvtF64S32       "cvt.f64.s32"        DCvt    d_w   0 double::f64_from_s32;
                CvtF64U32       "cvt.f64.u32"        DCvt    d_w   0 double::f64_from_u32;
                CvtRnF64S64     "cvt.rn.f64.s64"     DCvt    d_d   0 double::f64_from_s64_rn;
                CvtRzF64S64     "cvt.rz.f64.s64"     DCvt    d_d   0 double::f64_from_s64_rz;
                CvtRmF64S64     "cvt.rm.f64.s64"     DCvt    d_d   0 double::f64_from_s64_rm;
                CvtRpF64S64     "cvt.rp.f64.s64"     DCvt    d_d   0 double::f64_from_s64_rp;
                CvtRnF64U64     "cvt.rn.f64.u64"     DCvt    d_d   0 double::f64_from_u64_rn;
                CvtRzF64U64     "cvt.rz.f64.u64"     DCvt    d_d   0 double::f64_from_u64_rz;
                CvtRmF64U64     "cvt.rm.f64.u64"     DCvt    d_d   0 double::f64_from_u64_rm;
                CvtRpF64U64     "cvt.rp.f64.u64"     DCvt    d_d   0 double::f64_from_u64_rp;
                CvtRniS32F64    "cvt.rni.s32.f64"    DCvt    w_d   0 double::s32_from_f64_rni;
                CvtRziS32F64    "cvt.rzi.s32.f64"    DCvt    w_d   0 double::s32_from_f64_rzi;
                CvtRmiS32F64    "cvt.rmi.s32.f64"    DCvt    w_d   0 double::s32_from_f64_rmi;
                CvtRpiS32F64    "cvt.rpi.s32.f64"    DCvt    w_d   0 double::s32_from_f64_rpi;
                CvtRniU32F64    "cvt.rni.u32.f64"    DCvt    w_d   0 double::u32_from_f64_rni;
                CvtRziU32F64    "cvt.rzi.u32.f64"    DCvt    w_d   0 double::u32_from_f64_rzi;
                CvtRmiU32F64    "cvt.rmi.u32.f64"    DCvt    w_d   0 double::u32_from_f64_rmi;
                CvtRpiU32F64    "cvt.rpi.u32.f64"    DCvt    w_d   0 double::u32_from_f64_rpi;
                CvtRniS64F64    "cvt.rni.s64.f64"    DCvt    d_d   0 double::s64_from_f64_rni;
                CvtRziS64F64    "cvt.rzi.s64.f64"    DCvt    d_d   0 double::s64_from_f64_rzi;
                CvtRmiS64F64    "cvt.rmi.s64.f64"    DCvt    d_d   0 double::s64_from_f64_rmi;
                CvtRpiS64F64    "cvt.rpi.s64.f64"    DCvt    d_d   0 double::s64_from_f64_rpi;
                CvtRniU64F64    "cvt.rni.u64.f64"    DCvt    d_d   0 double::u64_from_f64_rni;
                CvtRziU64F64    "cvt.rzi.u64.f64"    DCvt    d_d   0 double::u64_from_f64_rzi;
                CvtRmiU64F64    "cvt.rmi.u64.f64"    DCvt    d_d   0 double::u64_from_f64_rmi;
                CvtRpiU64F64    "cvt.rpi.u64.f64"    DCvt    d_d   0 double::u64_from_f64_rpi;
                CvtRziS16F64    "cvt.rzi.s16.f64"    DCvt    w_d   0 double::s16_from_f64_rzi;
                CvtRziU16F64    "cvt.rzi.u16.f64"    DCvt    w_d   0 double::u16_from_f64_rzi;
                CvtRziS8F64     "cvt.rzi.s8.f64"     DCvt    w_d   0 double::s8_from_f64_rzi;
                CvtRziU8F64     "cvt.rzi.u8.f64"     DCvt    w_d   0 double::u8_from_f64_rzi;
                CvtRniF64F64    "cvt.rni.f64.f64"    DCvt    d_d   0 double::f64_from_f64_rni;
                CvtRziF64F64    "cvt.rzi.f64.f64"    DCvt    d_d   0 double::f64_from_f64_rzi;
                CvtRmiF64F64    "cvt.rmi.f64.f64"    DCvt    d_d   0 double::f64_from_f64_rmi;
                CvtRpiF64F64    "cvt.rpi.f64.f64"    DCvt    d_d   0 double::f64_from_f64_rpi;
                CvtSatF64F64    "cvt.sat.f64.f64"    DCvt    d_d   0 double::saturated;
                CvtRnF32F64     "cvt.rn.f32.f64"     DCvt    w_d   0 double::f32_from_f64_rn;
                CvtRzF32F64     "cvt.rz.f32.f64"     DCvt    w_d   0 double::f32_from_f64_rz;
                CvtRmF32F64     "cvt.rm.f32.f64"     DCvt    w_d   0 double::f32_from_f64_rm;
                CvtRpF32F64     "cvt.rp.f32.f64"     DCvt    w_d   0 double::f32_from_f64_rp;
                CvtRnFtzF32F64  "cvt.rn.ftz.f32.f64" DCvt    w_d   ftz 0 double::f32_from_f64_rn_ftz;
                CvtRzFtzF32F64  "cvt.rz.ftz.f32.f64" DCvt    w_d   ftz 0 double::f32_from_f64_rz_ftz;
                CvtRmFtzF32F64  "cvt.rm.ftz.f32.f64" DCvt    w_d   ftz 0 double::f32_from_f64_rm_ftz;
                CvtRpFtzF32F64  "cvt.rp.ftz.f32.f64" DCvt    w_d   ftz 0 double::f32_from_f64_rp_ftz;
                CvtF64F32       "cvt.f64.f32"        DCvt    d_w   0 double::f64_from_f32;
                CvtFtzF64F32    "cvt.ftz.f64.f32"    DCvt    d_w   ftz 0 double::f64_from_f32_ftz;
                // single precision with other rounding modes or saturation to 0 … 1
                AddSatF32       "add.rn.sat.f32"      FAdd   w_ww  1 float::add_rn_sat_f32;
                AddFtzSatF32    "add.rn.ftz.sat.f32"  FAdd   w_ww  ftz 1 float::add_rn_ftz_sat_f32;
                AddRzF32        "add.rz.f32"          FAdd   w_ww  1 float::add_rz_f32;
                AddRzSatF32     "add.rz.sat.f32"      FAdd   w_ww  1 float::add_rz_sat_f32;
                AddRzFtzF32     "add.rz.ftz.f32"      FAdd   w_ww  ftz 1 float::add_rz_ftz_f32;
                AddRzFtzSatF32  "add.rz.ftz.sat.f32"  FAdd   w_ww  ftz 1 float::add_rz_ftz_sat_f32;
                AddRmF32        "add.rm.f32"          FAdd   w_ww  1 float::add_rm_f32;
                AddRmSatF32     "add.rm.sat.f32"      FAdd   w_ww  1 float::add_rm_sat_f32;
                AddRmFtzF32     "add.rm.ftz.f32"      FAdd   w_ww  ftz 1 float::add_rm_ftz_f32;
                AddRmFtzSatF32  "add.rm.ftz.sat.f32"  FAdd   w_ww  ftz 1 float::add_rm_ftz_sat_f32;
                AddRpF32        "add.rp.f32"          FAdd   w_ww  1 float::add_rp_f32;
                AddRpSatF32     "add.rp.sat.f32"      FAdd   w_ww  1 float::add_rp_sat_f32;
                AddRpFtzF32     "add.rp.ftz.f32"      FAdd   w_ww  ftz 1 float::add_rp_ftz_f32;
                AddRpFtzSatF32  "add.rp.ftz.sat.f32"  FAdd   w_ww  ftz 1 float::add_rp_ftz_sat_f32;
                SubSatF32       "sub.rn.sat.f32"      FAdd   w_ww  1 float::sub_rn_sat_f32;
                SubFtzSatF32    "sub.rn.ftz.sat.f32"  FAdd   w_ww  ftz 1 float::sub_rn_ftz_sat_f32;
                SubRzF32        "sub.rz.f32"          FAdd   w_ww  1 float::sub_rz_f32;
                SubRzSatF32     "sub.rz.sat.f32"      FAdd   w_ww  1 float::sub_rz_sat_f32;
                SubRzFtzF32     "sub.rz.ftz.f32"      FAdd   w_ww  ftz 1 float::sub_rz_ftz_f32;
                SubRzFtzSatF32  "sub.rz.ftz.sat.f32"  FAdd   w_ww  ftz 1 float::sub_rz_ftz_sat_f32;
                SubRmF32        "sub.rm.f32"          FAdd   w_ww  1 float::sub_rm_f32;
                SubRmSatF32     "sub.rm.sat.f32"      FAdd   w_ww  1 float::sub_rm_sat_f32;
                SubRmFtzF32     "sub.rm.ftz.f32"      FAdd   w_ww  ftz 1 float::sub_rm_ftz_f32;
                SubRmFtzSatF32  "sub.rm.ftz.sat.f32"  FAdd   w_ww  ftz 1 float::sub_rm_ftz_sat_f32;
                SubRpF32        "sub.rp.f32"          FAdd   w_ww  1 float::sub_rp_f32;
                SubRpSatF32     "sub.rp.sat.f32"      FAdd   w_ww  1 float::sub_rp_sat_f32;
                SubRpFtzF32     "sub.rp.ftz.f32"      FAdd   w_ww  ftz 1 float::sub_rp_ftz_f32;
                SubRpFtzSatF32  "sub.rp.ftz.sat.f32"  FAdd   w_ww  ftz 1 float::sub_rp_ftz_sat_f32;
                MulSatF32       "mul.rn.sat.f32"      FMul   w_ww  1 float::mul_rn_sat_f32;
                MulFtzSatF32    "mul.rn.ftz.sat.f32"  FMul   w_ww  ftz 1 float::mul_rn_ftz_sat_f32;
                MulRzF32        "mul.rz.f32"          FMul   w_ww  1 float::mul_rz_f32;
                MulRzSatF32     "mul.rz.sat.f32"      FMul   w_ww  1 float::mul_rz_sat_f32;
                MulRzFtzF32     "mul.rz.ftz.f32"      FMul   w_ww  ftz 1 float::mul_rz_ftz_f32;
                MulRzFtzSatF32  "mul.rz.ftz.sat.f32"  FMul   w_ww  ftz 1 float::mul_rz_ftz_sat_f32;
                MulRmF32        "mul.rm.f32"          FMul   w_ww  1 float::mul_rm_f32;
                MulRmSatF32     "mul.rm.sat.f32"      FMul   w_ww  1 float::mul_rm_sat_f32;
                MulRmFtzF32     "mul.rm.ftz.f32"      FMul   w_ww  ftz 1 float::mul_rm_ftz_f32;
                MulRmFtzSatF32  "mul.rm.ftz.sat.f32"  FMul   w_ww  ftz 1 float::mul_rm_ftz_sat_f32;
                MulRpF32        "mul.rp.f32"          FMul   w_ww  1 float::mul_rp_f32;
                MulRpSatF32     "mul.rp.sat.f32"      FMul   w_ww  1 float::mul_rp_sat_f32;
                MulRpFtzF32     "mul.rp.ftz.f32"      FMul   w_ww  ftz 1 float::mul_rp_ftz_f32;
                MulRpFtzSatF32  "mul.rp.ftz.sat.f32"  FMul   w_ww  ftz 1 float::mul_rp_ftz_sat_f32;
                FmaSatF32       "fma.rn.sat.f32"      FMad   w_www 2 float::fma_rn_sat_f32;
                FmaFtzSatF32    "fma.rn.ftz.sat.f32"  FMad   w_www ftz 2 float::fma_rn_ftz_sat_f32;
                FmaRzF32        "fma.rz.f32"          FMad   w_www 2 float::fma_rz_f32;
                FmaRzSatF32     "fma.rz.sat.f32"      FMad   w_www 2 float::fma_rz_sat_f32;
                FmaRzFtzF32     "fma.rz.ftz.f32"      FMad   w_www ftz 2 float::fma_rz_ftz_f32;
                FmaRzFtzSatF32  "fma.rz.ftz.sat.f32"  FMad   w_www ftz 2 float::fma_rz_ftz_sat_f32;
                FmaRmF32        "fma.rm.f32"          FMad   w_www 2 float::fma_rm_f32;
                FmaRmSatF32     "fma.rm.sat.f32"      FMad   w_www 2 float::fma_rm_sat_f32;
                FmaRmFtzF32     "fma.rm.ftz.f32"      FMad   w_www ftz 2 float::fma_rm_ftz_f32;
                FmaRmFtzSatF32  "fma.rm.ftz.sat.f32"  FMad   w_www ftz 2 float::fma_rm_ftz_sat_f32;
                FmaRpF32        "fma.rp.f32"          FMad   w_www 2 float::fma_rp_f32;
                FmaRpSatF32     "fma.rp.sat.f32"      FMad   w_www 2 float::fma_rp_sat_f32;
                FmaRpFtzF32     "fma.rp.ftz.f32"      FMad   w_www ftz 2 float::fma_rp_ftz_f32;
                FmaRpFtzSatF32  "fma.rp.ftz.sat.f32"  FMad   w_www ftz 2 float::fma_rp_ftz_sat_f32;
                MadTruncSatF32  "mad.ftz.sat.f32"     FMad   w_www ftz 2 float::mad_trunc_ftz_sat_f32;
                // conversions between f32 and integers, from f32 to f32, and saturating integer
                // conversions
                CvtRniS32F32    "cvt.rni.s32.f32"     Cvt    w_w   0 cvt::s32_from_f32_rni;
                CvtRmiS32F32    "cvt.rmi.s32.f32"     Cvt    w_w   0 cvt::s32_from_f32_rmi;
                CvtRmiFtzS32F32 "cvt.rmi.ftz.s32.f32" Cvt    w_w   ftz 0 cvt::s32_from_f32_rmi_ftz;
                CvtRpiS32F32    "cvt.rpi.s32.f32"     Cvt    w_w   0 cvt::s32_from_f32_rpi;
                CvtRpiFtzS32F32 "cvt.rpi.ftz.s32.f32" Cvt    w_w   ftz 0 cvt::s32_from_f32_rpi_ftz;
                CvtRniU32F32    "cvt.rni.u32.f32"     Cvt    w_w   0 cvt::u32_from_f32_rni;
                CvtRmiU32F32    "cvt.rmi.u32.f32"     Cvt    w_w   0 cvt::u32_from_f32_rmi;
                CvtRmiFtzU32F32 "cvt.rmi.ftz.u32.f32" Cvt    w_w   ftz 0 cvt::u32_from_f32_rmi_ftz;
                CvtRpiU32F32    "cvt.rpi.u32.f32"     Cvt    w_w   0 cvt::u32_from_f32_rpi;
                CvtRpiFtzU32F32 "cvt.rpi.ftz.u32.f32" Cvt    w_w   ftz 0 cvt::u32_from_f32_rpi_ftz;
                CvtRniS64F32    "cvt.rni.s64.f32"     Int64  d_w   0 cvt::s64_from_f32_rni;
                CvtRziS64F32    "cvt.rzi.s64.f32"     Int64  d_w   0 cvt::s64_from_f32_rzi;
                CvtRmiS64F32    "cvt.rmi.s64.f32"     Int64  d_w   0 cvt::s64_from_f32_rmi;
                CvtRmiFtzS64F32 "cvt.rmi.ftz.s64.f32" Int64  d_w   ftz 0 cvt::s64_from_f32_rmi_ftz;
                CvtRpiS64F32    "cvt.rpi.s64.f32"     Int64  d_w   0 cvt::s64_from_f32_rpi;
                CvtRpiFtzS64F32 "cvt.rpi.ftz.s64.f32" Int64  d_w   ftz 0 cvt::s64_from_f32_rpi_ftz;
                CvtRniU64F32    "cvt.rni.u64.f32"     Int64  d_w   0 cvt::u64_from_f32_rni;
                CvtRziU64F32    "cvt.rzi.u64.f32"     Int64  d_w   0 cvt::u64_from_f32_rzi;
                CvtRmiU64F32    "cvt.rmi.u64.f32"     Int64  d_w   0 cvt::u64_from_f32_rmi;
                CvtRmiFtzU64F32 "cvt.rmi.ftz.u64.f32" Int64  d_w   ftz 0 cvt::u64_from_f32_rmi_ftz;
                CvtRpiU64F32    "cvt.rpi.u64.f32"     Int64  d_w   0 cvt::u64_from_f32_rpi;
                CvtRpiFtzU64F32 "cvt.rpi.ftz.u64.f32" Int64  d_w   ftz 0 cvt::u64_from_f32_rpi_ftz;
                CvtRzF32S32     "cvt.rz.f32.s32"      Cvt    w_w   0 cvt::f32_from_s32_rz;
                CvtRmF32S32     "cvt.rm.f32.s32"      Cvt    w_w   0 cvt::f32_from_s32_rm;
                CvtRpF32S32     "cvt.rp.f32.s32"      Cvt    w_w   0 cvt::f32_from_s32_rp;
                CvtRzF32U32     "cvt.rz.f32.u32"      Cvt    w_w   0 cvt::f32_from_u32_rz;
                CvtRmF32U32     "cvt.rm.f32.u32"      Cvt    w_w   0 cvt::f32_from_u32_rm;
                CvtRpF32U32     "cvt.rp.f32.u32"      Cvt    w_w   0 cvt::f32_from_u32_rp;
                CvtRnF32S64     "cvt.rn.f32.s64"      Int64  w_d   0 cvt::f32_from_s64_rn;
                CvtRzF32S64     "cvt.rz.f32.s64"      Int64  w_d   0 cvt::f32_from_s64_rz;
                CvtRmF32S64     "cvt.rm.f32.s64"      Int64  w_d   0 cvt::f32_from_s64_rm;
                CvtRpF32S64     "cvt.rp.f32.s64"      Int64  w_d   0 cvt::f32_from_s64_rp;
                CvtRnF32U64     "cvt.rn.f32.u64"      Int64  w_d   0 cvt::f32_from_u64_rn;
                CvtRzF32U64     "cvt.rz.f32.u64"      Int64  w_d   0 cvt::f32_from_u64_rz;
                CvtRmF32U64     "cvt.rm.f32.u64"      Int64  w_d   0 cvt::f32_from_u64_rm;
                CvtRpF32U64     "cvt.rp.f32.u64"      Int64  w_d   0 cvt::f32_from_u64_rp;
                CvtFtzF32F32    "cvt.ftz.f32.f32"     Cvt    w_w   ftz 0 cvt::f32_from_f32_ftz;
                CvtSatF32F32    "cvt.sat.f32.f32"     Cvt    w_w   0 cvt::f32_from_f32_sat;
                CvtFtzSatF32F32 "cvt.ftz.sat.f32.f32" Cvt    w_w   ftz 0 cvt::f32_from_f32_ftz_sat;
                CvtRniF32F32    "cvt.rni.f32.f32"     Cvt    w_w   0 cvt::f32_from_f32_rni;
                CvtRniFtzF32F32 "cvt.rni.ftz.f32.f32" Cvt    w_w   ftz 0 cvt::f32_from_f32_rni_ftz;
                CvtRziF32F32    "cvt.rzi.f32.f32"     Cvt    w_w   0 cvt::f32_from_f32_rzi;
                CvtRziFtzF32F32 "cvt.rzi.ftz.f32.f32" Cvt    w_w   ftz 0 cvt::f32_from_f32_rzi_ftz;
                CvtRmiF32F32    "cvt.rmi.f32.f32"     Cvt    w_w   0 cvt::f32_from_f32_rmi;
                CvtRmiFtzF32F32 "cvt.rmi.ftz.f32.f32" Cvt    w_w   ftz 0 cvt::f32_from_f32_rmi_ftz;
                CvtRpiF32F32    "cvt.rpi.f32.f32"     Cvt    w_w   0 cvt::f32_from_f32_rpi;
                CvtRpiFtzF32F32 "cvt.rpi.ftz.f32.f32" Cvt    w_w   ftz 0 cvt::f32_from_f32_rpi_ftz;
                CvtSatU8S32     "cvt.sat.u8.s32"      Cvt    w_w   0 cvt::sat_u8_from_s32;
                CvtSatS8S32     "cvt.sat.s8.s32"      Cvt    w_w   0 cvt::sat_s8_from_s32;
                CvtSatU16S32    "cvt.sat.u16.s32"     Cvt    w_w   0 cvt::sat_u16_from_s32;
                CvtSatS16S32    "cvt.sat.s16.s32"     Cvt    w_w   0 cvt::sat_s16_from_s32;
                CvtSatU32S32    "cvt.sat.u32.s32"     Cvt    w_w   0 cvt::sat_u32_from_s32;
                CvtSatU8U32     "cvt.sat.u8.u32"      Cvt    w_w   0 cvt::sat_u8_from_u32;
                CvtSatS8U32     "cvt.sat.s8.u32"      Cvt    w_w   0 cvt::sat_s8_from_u32;
                CvtSatU16U32    "cvt.sat.u16.u32"     Cvt    w_w   0 cvt::sat_u16_from_u32;
                CvtSatS16U32    "cvt.sat.s16.u32"     Cvt    w_w   0 cvt::sat_s16_from_u32;
                CvtSatS32U32    "cvt.sat.s32.u32"     Cvt    w_w   0 cvt::sat_s32_from_u32;
                CvtSatU32S64    "cvt.sat.u32.s64"     Int64  w_d   0 cvt::sat_u32_from_s64;
                CvtSatS32S64    "cvt.sat.s32.s64"     Int64  w_d   0 cvt::sat_s32_from_s64;
                CvtSatU32U64    "cvt.sat.u32.u64"     Int64  w_d   0 cvt::sat_u32_from_u64;
                CvtSatS32U64    "cvt.sat.s32.u64"     Int64  w_d   0 cvt::sat_s32_from_u64;
                CvtSatU64S64    "cvt.sat.u64.s64"     Int64  d_d   0 cvt::sat_u64_from_s64;
                CvtSatS64U64    "cvt.sat.s64.u64"     Int64  d_d   0 cvt::sat_s64_from_u64;
                // half precision, only for storage
                CvtRnF16F32     "cvt.rn.f16.f32"      Cvt    w_w   0 cvt::f16_from_f32_rn;
                CvtRzF16F32     "cvt.rz.f16.f32"      Cvt    w_w   0 cvt::f16_from_f32_rz;
                CvtRmF16F32     "cvt.rm.f16.f32"      Cvt    w_w   0 cvt::f16_from_f32_rm;
                CvtRmFtzF16F32  "cvt.rm.ftz.f16.f32"  Cvt    w_w   ftz 0 cvt::f16_from_f32_rm_ftz;
                CvtRpF16F32     "cvt.rp.f16.f32"      Cvt    w_w   0 cvt::f16_from_f32_rp;
                CvtRpFtzF16F32  "cvt.rp.ftz.f16.f32"  Cvt    w_w   ftz 0 cvt::f16_from_f32_rp_ftz;
                CvtF32F16       "cvt.f32.f16"         Cvt    w_w   0 cvt::f32_from_f16;
                // predicates
                AndPred     "and.pred"      Pred     p_pp   0 int::and_pred;
                OrPred      "or.pred"       Pred     p_pp   0 int::or_pred;
                XorPred     "xor.pred"      Pred     p_pp   0 int::xor_pred;
                NotPred     "not.pred"      Pred     p_p    0 int::not_pred;
            }
            memory {
                // loads: `imm` is the byte offset, `src[0]` the address row or absent
                Load Param LdParam {
                    LdParamB8    "ld.param.u8"     B8;
                    LdParamS8    "ld.param.s8"     S8;
                    LdParamB16   "ld.param.u16"    B16;
                    LdParamS16   "ld.param.s16"    S16;
                    LdParamB32   "ld.param.b32"    B32;
                    LdParamB64   "ld.param.b64"    B64;
                    LdParamV2B32 "ld.param.v2.b32" V2B32;
                    LdParamV4B32 "ld.param.v4.b32" V4B32;
                    LdParamV2B64 "ld.param.v2.b64" V2B64;
                }
                Load Const LdConst {
                    LdConstB8    "ld.const.u8"     B8;
                    LdConstS8    "ld.const.s8"     S8;
                    LdConstB16   "ld.const.u16"    B16;
                    LdConstS16   "ld.const.s16"    S16;
                    LdConstB32   "ld.const.b32"    B32;
                    LdConstB64   "ld.const.b64"    B64;
                    LdConstV2B32 "ld.const.v2.b32" V2B32;
                    LdConstV4B32 "ld.const.v4.b32" V4B32;
                    LdConstV2B64 "ld.const.v2.b64" V2B64;
                }
                Load Shared LdShared {
                    LdSharedB8    "ld.shared.u8"     B8;
                    LdSharedS8    "ld.shared.s8"     S8;
                    LdSharedB16   "ld.shared.u16"    B16;
                    LdSharedS16   "ld.shared.s16"    S16;
                    LdSharedB32   "ld.shared.b32"    B32;
                    LdSharedB64   "ld.shared.b64"    B64;
                    LdSharedV2B32 "ld.shared.v2.b32" V2B32;
                    LdSharedV4B32 "ld.shared.v4.b32" V4B32;
                    LdSharedV2B64 "ld.shared.v2.b64" V2B64;
                }
                Load Global LdGlobal {
                    LdGlobalB8    "ld.global.u8"     B8;
                    LdGlobalS8    "ld.global.s8"     S8;
                    LdGlobalB16   "ld.global.u16"    B16;
                    LdGlobalS16   "ld.global.s16"    S16;
                    LdGlobalB32   "ld.global.b32"    B32;
                    LdGlobalB64   "ld.global.b64"    B64;
                    LdGlobalV2B32 "ld.global.v2.b32" V2B32;
                    LdGlobalV4B32 "ld.global.v4.b32" V4B32;
                    LdGlobalV2B64 "ld.global.v2.b64" V2B64;
                }
                Load Local LdLocal {
                    LdLocalB8    "ld.local.u8"     B8;
                    LdLocalS8    "ld.local.s8"     S8;
                    LdLocalB16   "ld.local.u16"    B16;
                    LdLocalS16   "ld.local.s16"    S16;
                    LdLocalB32   "ld.local.b32"    B32;
                    LdLocalB64   "ld.local.b64"    B64;
                    LdLocalV2B32 "ld.local.v2.b32" V2B32;
                    LdLocalV4B32 "ld.local.v4.b32" V4B32;
                    LdLocalV2B64 "ld.local.v2.b64" V2B64;
                }
                Load Generic LdGlobal {
                    LdGenericB8    "ld.generic.u8"     B8;
                    LdGenericS8    "ld.generic.s8"     S8;
                    LdGenericB16   "ld.generic.u16"    B16;
                    LdGenericS16   "ld.generic.s16"    S16;
                    LdGenericB32   "ld.generic.b32"    B32;
                    LdGenericB64   "ld.generic.b64"    B64;
                    LdGenericV2B32 "ld.generic.v2.b32" V2B32;
                    LdGenericV4B32 "ld.generic.v4.b32" V4B32;
                    LdGenericV2B64 "ld.generic.v2.b64" V2B64;
                }
                // stores: `src[0]` is the address row or absent, followed by the value
                Store Shared StShared {
                    StSharedB8    "st.shared.b8"     B8;
                    StSharedB16   "st.shared.b16"    B16;
                    StSharedB32   "st.shared.b32"    B32;
                    StSharedB64   "st.shared.b64"    B64;
                    StSharedV2B32 "st.shared.v2.b32" V2B32;
                    StSharedV4B32 "st.shared.v4.b32" V4B32;
                    StSharedV2B64 "st.shared.v2.b64" V2B64;
                }
                Store Global StGlobal {
                    StGlobalB8    "st.global.b8"     B8;
                    StGlobalB16   "st.global.b16"    B16;
                    StGlobalB32   "st.global.b32"    B32;
                    StGlobalB64   "st.global.b64"    B64;
                    StGlobalV2B32 "st.global.v2.b32" V2B32;
                    StGlobalV4B32 "st.global.v4.b32" V4B32;
                    StGlobalV2B64 "st.global.v2.b64" V2B64;
                }
                Store Local StLocal {
                    StLocalB8    "st.local.b8"     B8;
                    StLocalB16   "st.local.b16"    B16;
                    StLocalB32   "st.local.b32"    B32;
                    StLocalB64   "st.local.b64"    B64;
                    StLocalV2B32 "st.local.v2.b32" V2B32;
                    StLocalV4B32 "st.local.v4.b32" V4B32;
                    StLocalV2B64 "st.local.v2.b64" V2B64;
                }
                Store Generic StGlobal {
                    StGenericB8    "st.generic.b8"     B8;
                    StGenericB16   "st.generic.b16"    B16;
                    StGenericB32   "st.generic.b32"    B32;
                    StGenericB64   "st.generic.b64"    B64;
                    StGenericV2B32 "st.generic.v2.b32" V2B32;
                    StGenericV4B32 "st.generic.v4.b32" V4B32;
                    StGenericV2B64 "st.generic.v2.b64" V2B64;
                }
                // atomics: `src[0]` is the address row or absent, followed by the operands, for
                // `cas` first the compared value; `aux` holds the operation; a reduction does not
                // return the old value
                Atomic Shared AtomShared {
                    AtomSharedB32 "atom.shared.b32" B32;
                    AtomSharedB64 "atom.shared.b64" B64;
                }
                Atomic Global AtomGlobal {
                    AtomGlobalB32 "atom.global.b32" B32;
                    AtomGlobalB64 "atom.global.b64" B64;
                }
                Atomic Generic AtomGlobal {
                    AtomGenericB32 "atom.generic.b32" B32;
                    AtomGenericB64 "atom.generic.b64" B64;
                }
                Cas Shared AtomShared {
                    CasSharedB32 "atom.shared.cas.b32" B32;
                    CasSharedB64 "atom.shared.cas.b64" B64;
                }
                Cas Global AtomGlobal {
                    CasGlobalB32 "atom.global.cas.b32" B32;
                    CasGlobalB64 "atom.global.cas.b64" B64;
                }
                Cas Generic AtomGlobal {
                    CasGenericB32 "atom.generic.cas.b32" B32;
                    CasGenericB64 "atom.generic.cas.b64" B64;
                }
                Reduction Shared AtomShared {
                    RedSharedB32 "red.shared.b32" B32;
                    RedSharedB64 "red.shared.b64" B64;
                }
                Reduction Global AtomGlobal {
                    RedGlobalB32 "red.global.b32" B32;
                    RedGlobalB64 "red.global.b64" B64;
                }
                Reduction Generic AtomGlobal {
                    RedGenericB32 "red.generic.b32" B32;
                    RedGenericB64 "red.generic.b64" B64;
                }
            }
            machine {
                // `imm` is the code of a special register
                MovSreg     "mov.sreg"      Sreg     w_imm;
                MovSreg64   "mov.sreg.b64"  Sreg     d_imm;
                // a hint: waits for its address and occupies an issue slot
                Prefetch    "prefetch"      Mov      addr;
                // an event for performance monitors, which occupies an issue slot
                Pmevent     "pmevent"       Mov      control;
                // texture fetches of coordinates of 32 bits, or x and y in a row of 64 bits: `imm`
                // is the number of the texture
                Tex1dS32    "tex.1d.s32"    Tex      w4_w;
                Tex1dF32    "tex.1d.f32"    Tex      w4_w;
                Tex2dS32    "tex.2d.s32"    Tex      w4_ww;
                Tex2dF32    "tex.2d.f32"    Tex      w4_ww;
                Tex3dS32    "tex.3d.s32"    Tex      w4_dw;
                Tex3dF32    "tex.3d.f32"    Tex      w4_dw;
                // fetches with layers or faces, or from a texture that a handle selects: `imm` is
                // the number of the texture or `BY_HANDLE`, `aux` the fetch (`TextureFetch`). The
                // sources are x and the handle; x and y (layer and x) in a row of 64 bits and the
                // handle; x and y, and z (layer, face) and the low half of the handle
                TexWide1    "tex.wide.1"    Tex      w4_wd;
                TexWide2    "tex.wide.2"    Tex      w4_dd;
                TexWide3    "tex.wide.3"    Tex      w4_dd;
                // `imm` is the number of the texture, `aux` that of the property
                Txq         "txq"           Txq      w_imm;
                TxqHandle   "txq.handle"    Txq      w_d;
                // device address of the access to surface `imm` at byte x of row y, and whether it
                // is inside; `aux` encodes the access (`SurfaceAccess`)
                Sulea       "sulea"         IntMad  wp_ww;
                // the same at byte x of row y of slice or layer z of surface `imm`, or of the
                // surface that the last source selects, the low half of a handle
                SuleaWide   "sulea.wide"    IntMad  wp_wwww;
                // `imm` is the number of the surface, `aux` that of the property
                Suq         "suq"           Txq     w_imm;
                SuqHandle   "suq.handle"    Txq     w_d;
                // votes of the active lanes
                VoteAll     "vote.all"      Pred     p_p;
                VoteAny     "vote.any"      Pred     p_p;
                VoteUni     "vote.uni"      Pred     p_p;
                VoteBallot  "vote.ballot.b32" Pred   w_p;
                // votes of the active lanes that the mask of each lane names
                VoteSyncAll "vote.sync.all" Pred     p_pw;
                VoteSyncAny "vote.sync.any" Pred     p_pw;
                VoteSyncUni "vote.sync.uni" Pred     p_pw;
                VoteSyncBallot "vote.sync.ballot.b32" Pred w_pw;
                // the active lanes
                ActiveMask  "activemask.b32" Pred    w_none;
                // values of other lanes, and whether the lane is inside its bound
                ShflUp      "shfl.up.b32"   Shift    wp_www;
                ShflDown    "shfl.down.b32" Shift    wp_www;
                ShflBfly    "shfl.bfly.b32" Shift    wp_www;
                ShflIdx     "shfl.idx.b32"  Shift    wp_www;
                // a barrier of the lanes of a warp, which occupies an issue slot
                BarWarpSync "bar.warp.sync" Mov      control;
                // control: `imm` is a target or a barrier, `aux` the reconvergence point
                Bra         "bra"           Branch   control;
                BarSync     "bar.sync"      Barrier  control;
                // barriers with the barrier number and the thread count (0 for all threads) as
                // sources; the result of `bar.red` is written when the barrier is complete
                BarSyncN    "bar.sync.n"    Barrier  ww;
                BarArrive   "bar.arrive"    Barrier  ww;
                BarRedPopc  "bar.red.popc.u32" Barrier w_wwp;
                BarRedAnd   "bar.red.and.pred" Barrier p_wwp;
                BarRedOr    "bar.red.or.pred" Barrier p_wwp;
                MembarCta   "membar.cta"    Membar   control;
                MembarGl    "membar.gl"     Membar   control;
                Exit        "exit"          Exit     control;
                Trap        "trap"          Exit     control;
                Brkpt       "brkpt"         Exit     control;
                // calls: `imm` is the PC of the function's first instruction; for an indirect call
                // it is the expected signature, and `src[0]` is the row with the function addresses
                Call        "call"          Branch   control;
                CallInd     "call.ind"      Branch   addr;
                Ret         "ret"           Branch   control;
            }
        }
    };
}
