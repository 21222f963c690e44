//! The table of micro-ops. The enum, names, classes, operand kinds, disassembler and executor are
//! all generated from it.
//!
//! `for_each_uop!(m)` expands to `m! { alu { groups } memory { groups } machine { rows } }`:
//!
//! * an **alu** group is `Class shape flops { rows }` with rows `Name "text" meaning;`: the
//!   roundings, conversions and other variants of one kind of arithmetic. `meaning` is the path
//!   below [`crate::sem`] of a pure function of one lane, or of all lanes for the shape `w_row`.
//!   `shape` names the operands and the lane loop in the executor that applies the function. Words
//!   after the meaning: `wide` marks a row with a separate vector loop, and rows without it share
//!   one scalar loop for each shape, because a vector loop takes the compiler as long as ten scalar
//!   functions; `ftz` marks a row that flushes subnormal numbers to zero. A row whose function is an approximation ends with
//!   `=> BOUND`, a constant of [`crate::sem::fidelity`]; all other rows agree with the hardware bit
//!   for bit;
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
                Mov w_w 0 { MovB32 "mov.b32" int::id32 wide; }
                Mov64 d_d 0 { MovB64 "mov.b64" int::id64 wide; }
                Pred p_p 0 { MovPred "mov.pred" int::id_pred wide; }
                Select w_wwp 0 { SelpB32 "selp.b32" int::selp32 wide; }
                Select64 d_ddp 0 { SelpB64 "selp.b64" int::selp64 wide; }
                // 32-bit integers
                IntAdd w_ww 0 {
                    AddB32 "add.b32" int::add32 wide;
                    SubB32 "sub.b32" int::sub32 wide;
                    MinU32 "min.u32" int::min_u32 wide;
                    MinS32 "min.s32" int::min_s32 wide;
                    MaxU32 "max.u32" int::max_u32 wide;
                    MaxS32 "max.s32" int::max_s32 wide;
                }
                IntAbs w_w 0 {
                    NegS32 "neg.s32" int::neg32 wide;
                    AbsS32 "abs.s32" int::abs32 wide;
                }
                IntSad w_www 0 {
                    SadU32 "sad.u32" int::sad_u32 wide;
                    SadS32 "sad.s32" int::sad_s32 wide;
                }
                IntMul w_ww 0 { MulLoB32 "mul.lo.b32" int::mul_lo32 wide; }
                IntMulHi w_ww 0 { MulHiU32 "mul.hi.u32" int::mul_hi_u32 wide; }
                IntMulHiS w_ww 0 { MulHiS32 "mul.hi.s32" int::mul_hi_s32 wide; }
                IntMulWide d_ww 0 {
                    MulWideU32 "mul.wide.u32" int::mul_wide_u32 wide;
                    MulWideS32 "mul.wide.s32" int::mul_wide_s32 wide;
                }
                IntMad w_www 0 { MadLoB32 "mad.lo.b32" int::mad_lo32 wide; }
                IntMadWide d_wwd 0 {
                    MadWideU32 "mad.wide.u32" int::mad_wide_u32 wide;
                    MadWideS32 "mad.wide.s32" int::mad_wide_s32 wide;
                }
                IntMul24 w_ww 0 {
                    Mul24LoU32 "mul24.lo.u32" int::mul24_lo_u32 wide;
                    Mul24LoS32 "mul24.lo.s32" int::mul24_lo_s32 wide;
                }
                IntMul24 w_www 0 {
                    Mad24LoU32 "mad24.lo.u32" int::mad24_lo_u32 wide;
                    Mad24LoS32 "mad24.lo.s32" int::mad24_lo_s32 wide;
                }
                // 32-bit operations with zero- or sign-extended 16-bit factors, for the 24-bit
                // multiplier of sm_1x
                IntMul24 w_ww 0 { Mul16B32 "mul16.b32" int::mul_lo32 wide; }
                IntMul24 w_www 0 { Mad16B32 "mad16.b32" int::mad_lo32 wide; }
                IntDiv w_ww 0 { DivU32 "div.u32" int::div_u32 wide; }
                IntDivS w_ww 0 { DivS32 "div.s32" int::div_s32 wide; }
                IntRem w_ww 0 { RemU32 "rem.u32" int::rem_u32 wide; }
                IntRemS w_ww 0 { RemS32 "rem.s32" int::rem_s32 wide; }
                Logic w_ww 0 {
                    AndB32 "and.b32" int::and32 wide;
                    OrB32  "or.b32"  int::or32 wide;
                    XorB32 "xor.b32" int::xor32 wide;
                }
                Logic w_w 0 { NotB32 "not.b32" int::not32 wide; }
                Shift w_ww 0 {
                    ShlB32 "shl.b32" int::shl32 wide;
                    ShrU32 "shr.u32" int::shr_u32 wide;
                    ShrS32 "shr.s32" int::shr_s32 wide;
                }
                // 64-bit integers (addresses, mostly)
                Int64 d_dd 0 {
                    AddB64 "add.b64" int::add64 wide;
                    SubB64 "sub.b64" int::sub64 wide;
                }
                Logic64 d_dd 0 {
                    AndB64 "and.b64" int::and64 wide;
                    OrB64  "or.b64"  int::or64 wide;
                    XorB64 "xor.b64" int::xor64 wide;
                }
                Logic64 d_d 0 { NotB64 "not.b64" int::not64 wide; }
                Shift64 d_dw 0 {
                    ShlB64 "shl.b64" int::shl64 wide;
                    ShrU64 "shr.u64" int::shr_u64 wide;
                    ShrS64 "shr.s64" int::shr_s64 wide;
                }
                IntMul64 d_dd 0 { MulLoB64 "mul.lo.b64" int::mul_lo64 wide; }
                IntMul64 d_ddd 0 { MadLoB64 "mad.lo.b64" int::mad_lo64 wide; }
                // carry chains: sums that write the condition code, a predicate, and sums that read
                // it
                IntAdd wp_ww 0 {
                    AddCcB32 "add.cc.b32" bits::add_cc wide;
                    SubCcB32 "sub.cc.b32" bits::sub_cc wide;
                }
                IntAdd w_wwp 0 {
                    AddcB32 "addc.b32" bits::addc wide;
                    SubcB32 "subc.b32" bits::subc wide;
                }
                IntAdd wp_wwp 0 {
                    AddcCcB32 "addc.cc.b32" bits::addc_cc wide;
                    SubcCcB32 "subc.cc.b32" bits::subc_cc wide;
                }
                // saturation, high halves, 64-bit division
                IntAdd w_ww 0 {
                    AddSatS32 "add.sat.s32" bits::add_sat_s32 wide;
                    SubSatS32 "sub.sat.s32" bits::sub_sat_s32 wide;
                }
                IntMul24 w_ww 0 {
                    Mul24HiU32 "mul24.hi.u32" int::mul24_hi_u32 wide;
                    Mul24HiS32 "mul24.hi.s32" int::mul24_hi_s32 wide;
                }
                IntMulHi64 d_dd 0 {
                    MulHiU64 "mul.hi.u64" int::mul_hi_u64;
                    MulHiS64 "mul.hi.s64" int::mul_hi_s64;
                }
                IntDiv64 d_dd 0 {
                    DivU64 "div.u64" int::div_u64;
                    DivS64 "div.s64" int::div_s64;
                    RemU64 "rem.u64" int::rem_u64;
                    RemS64 "rem.s64" int::rem_s64;
                }
                // counts, bit fields and permutations
                Shift w_w 0 {
                    PopcB32       "popc.b32"           bits::popc32 wide;
                    ClzB32        "clz.b32"            bits::clz32 wide;
                    BrevB32       "brev.b32"           bits::brev32 wide;
                    BfindU32      "bfind.u32"          bits::bfind_u32;
                    BfindS32      "bfind.s32"          bits::bfind_s32;
                    BfindShiftU32 "bfind.shiftamt.u32" bits::bfind_shiftamt_u32;
                    BfindShiftS32 "bfind.shiftamt.s32" bits::bfind_shiftamt_s32;
                }
                Shift64 w_d 0 {
                    PopcB64       "popc.b64"           bits::popc64 wide;
                    ClzB64        "clz.b64"            bits::clz64 wide;
                    BfindU64      "bfind.u64"          bits::bfind_u64;
                    BfindS64      "bfind.s64"          bits::bfind_s64;
                    BfindShiftU64 "bfind.shiftamt.u64" bits::bfind_shiftamt_u64;
                    BfindShiftS64 "bfind.shiftamt.s64" bits::bfind_shiftamt_s64;
                }
                Shift64 d_d 0 { BrevB64 "brev.b64" bits::brev64; }
                Shift w_www 0 {
                    BfeU32 "bfe.u32" bits::bfe_u32 wide;
                    BfeS32 "bfe.s32" bits::bfe_s32 wide;
                }
                Shift64 d_dww 0 {
                    BfeU64 "bfe.u64" bits::bfe_u64;
                    BfeS64 "bfe.s64" bits::bfe_s64;
                }
                Shift w_wwww 0 { BfiB32 "bfi.b32" bits::bfi32 wide; }
                // a direction as a position on a face of a cube: s and t from 0 to 1, and the face
                // with the number of the cube
                FDivApprox w_www 0 {
                    CubeS "cube.s.approx.f32" cube::s wide => DIVISION;
                    CubeT "cube.t.approx.f32" cube::t wide => DIVISION;
                }
                Shift w_wwww 0 { CubeFace "cube.face.u32" cube::face wide; }
                Shift64 d_ddww 0 { BfiB64 "bfi.b64" bits::bfi64; }
                Shift w_www 0 {
                    PrmtB32   "prmt.b32"        bits::prmt wide;
                    PrmtF4e   "prmt.b32.f4e"    bits::prmt_f4e;
                    PrmtB4e   "prmt.b32.b4e"    bits::prmt_b4e;
                    PrmtRc8   "prmt.b32.rc8"    bits::prmt_rc8;
                    PrmtEcl   "prmt.b32.ecl"    bits::prmt_ecl;
                    PrmtEcr   "prmt.b32.ecr"    bits::prmt_ecr;
                    PrmtRc16  "prmt.b32.rc16"   bits::prmt_rc16;
                    ShfLWrap  "shf.l.wrap.b32"  bits::shf_l_wrap wide;
                    ShfLClamp "shf.l.clamp.b32" bits::shf_l_clamp wide;
                    ShfRWrap  "shf.r.wrap.b32"  bits::shf_r_wrap wide;
                    ShfRClamp "shf.r.clamp.b32" bits::shf_r_clamp wide;
                }
                // three-input logic: the last source is the truth table
                Logic w_wwww 0 { Lop3 "lop3.b32" bits::lop3 wide; }
                // video instructions: `imm` has the modifiers (`Inst::video`)
                IntAdd w_video 0 {
                    Vadd "vadd" video::add;
                    Vsub "vsub" video::sub;
                    Vmin "vmin" video::min;
                    Vmax "vmax" video::max;
                    Vset "vset" video::set;
                }
                IntSad w_video 0 { Vabsdiff "vabsdiff" video::abs_diff; }
                Shift w_video 0 {
                    Vshl "vshl" video::shl;
                    Vshr "vshr" video::shr;
                }
                IntMad w_video 0 { Vmad "vmad" video::mad; }
                // packing and unpacking of values
                Logic w_ww 0 { PackB32 "pack.b32" bits::pack32 wide; }
                Mov64 d_ww 0 { PackB64 "pack.b64" bits::pack64 wide; }
                Mov w_d 0 { HiB64 "hi.b64" bits::hi32 wide; }
                // comparisons into a predicate
                IntCmp p_ww 0 {
                    SetpEqB32 "setp.eq.b32" int::eq32 wide;
                    SetpNeB32 "setp.ne.b32" int::ne32 wide;
                    SetpLtU32 "setp.lt.u32" int::lt_u32 wide;
                    SetpLeU32 "setp.le.u32" int::le_u32 wide;
                    SetpGtU32 "setp.gt.u32" int::gt_u32 wide;
                    SetpGeU32 "setp.ge.u32" int::ge_u32 wide;
                    SetpLtS32 "setp.lt.s32" int::lt_s32 wide;
                    SetpLeS32 "setp.le.s32" int::le_s32 wide;
                    SetpGtS32 "setp.gt.s32" int::gt_s32 wide;
                    SetpGeS32 "setp.ge.s32" int::ge_s32 wide;
                }
                IntCmp64 p_dd 0 {
                    SetpEqB64 "setp.eq.b64" int::eq64 wide;
                    SetpNeB64 "setp.ne.b64" int::ne64 wide;
                    SetpLtU64 "setp.lt.u64" int::lt_u64 wide;
                    SetpLeU64 "setp.le.u64" int::le_u64 wide;
                    SetpGtU64 "setp.gt.u64" int::gt_u64 wide;
                    SetpGeU64 "setp.ge.u64" int::ge_u64 wide;
                    SetpLtS64 "setp.lt.s64" int::lt_s64 wide;
                    SetpLeS64 "setp.le.s64" int::le_s64 wide;
                    SetpGtS64 "setp.gt.s64" int::gt_s64 wide;
                    SetpGeS64 "setp.ge.s64" int::ge_s64 wide;
                }
                FCmp p_ww 0 {
                    SetpEqFtzF32 "setp.eq.ftz.f32" float::eq_ftz_f32 wide ftz;
                    SetpNeFtzF32 "setp.ne.ftz.f32" float::ne_ftz_f32 wide ftz;
                    SetpLtFtzF32 "setp.lt.ftz.f32" float::lt_ftz_f32 wide ftz;
                    SetpLeFtzF32 "setp.le.ftz.f32" float::le_ftz_f32 wide ftz;
                    SetpGtFtzF32 "setp.gt.ftz.f32" float::gt_ftz_f32 wide ftz;
                    SetpGeFtzF32 "setp.ge.ftz.f32" float::ge_ftz_f32 wide ftz;
                    SetpEqF32    "setp.eq.f32"     float::eq_f32 wide;
                    SetpNeF32    "setp.ne.f32"     float::ne_f32 wide;
                    SetpLtF32    "setp.lt.f32"     float::lt_f32 wide;
                    SetpLeF32    "setp.le.f32"     float::le_f32 wide;
                    SetpGtF32    "setp.gt.f32"     float::gt_f32 wide;
                    SetpGeF32    "setp.ge.f32"     float::ge_f32 wide;
                }
                DCmp p_dd 0 {
                    SetpEqF64 "setp.eq.f64" double::eq wide;
                    SetpNeF64 "setp.ne.f64" double::ne wide;
                    SetpLtF64 "setp.lt.f64" double::lt wide;
                    SetpLeF64 "setp.le.f64" double::le wide;
                    SetpGtF64 "setp.gt.f64" double::gt wide;
                    SetpGeF64 "setp.ge.f64" double::ge wide;
                }
                // single precision: roundings, with flushing (sm_1x, and .ftz) and without, with
                // saturation to 0 … 1 and without
                FAdd w_ww 1 {
                    AddFtzF32      "add.rn.ftz.f32"     float::add_rn_ftz_f32 wide ftz;
                    SubFtzF32      "sub.rn.ftz.f32"     float::sub_rn_ftz_f32 wide ftz;
                    AddF32         "add.rn.f32"         float::add_rn_f32 wide;
                    SubF32         "sub.rn.f32"         float::sub_rn_f32 wide;
                    AddSatF32      "add.rn.sat.f32"     float::add_rn_sat_f32;
                    AddFtzSatF32   "add.rn.ftz.sat.f32" float::add_rn_ftz_sat_f32 ftz;
                    AddRzF32       "add.rz.f32"         float::add_rz_f32;
                    AddRzSatF32    "add.rz.sat.f32"     float::add_rz_sat_f32;
                    AddRzFtzF32    "add.rz.ftz.f32"     float::add_rz_ftz_f32 ftz;
                    AddRzFtzSatF32 "add.rz.ftz.sat.f32" float::add_rz_ftz_sat_f32 ftz;
                    AddRmF32       "add.rm.f32"         float::add_rm_f32;
                    AddRmSatF32    "add.rm.sat.f32"     float::add_rm_sat_f32;
                    AddRmFtzF32    "add.rm.ftz.f32"     float::add_rm_ftz_f32 ftz;
                    AddRmFtzSatF32 "add.rm.ftz.sat.f32" float::add_rm_ftz_sat_f32 ftz;
                    AddRpF32       "add.rp.f32"         float::add_rp_f32;
                    AddRpSatF32    "add.rp.sat.f32"     float::add_rp_sat_f32;
                    AddRpFtzF32    "add.rp.ftz.f32"     float::add_rp_ftz_f32 ftz;
                    AddRpFtzSatF32 "add.rp.ftz.sat.f32" float::add_rp_ftz_sat_f32 ftz;
                    SubSatF32      "sub.rn.sat.f32"     float::sub_rn_sat_f32;
                    SubFtzSatF32   "sub.rn.ftz.sat.f32" float::sub_rn_ftz_sat_f32 ftz;
                    SubRzF32       "sub.rz.f32"         float::sub_rz_f32;
                    SubRzSatF32    "sub.rz.sat.f32"     float::sub_rz_sat_f32;
                    SubRzFtzF32    "sub.rz.ftz.f32"     float::sub_rz_ftz_f32 ftz;
                    SubRzFtzSatF32 "sub.rz.ftz.sat.f32" float::sub_rz_ftz_sat_f32 ftz;
                    SubRmF32       "sub.rm.f32"         float::sub_rm_f32;
                    SubRmSatF32    "sub.rm.sat.f32"     float::sub_rm_sat_f32;
                    SubRmFtzF32    "sub.rm.ftz.f32"     float::sub_rm_ftz_f32 ftz;
                    SubRmFtzSatF32 "sub.rm.ftz.sat.f32" float::sub_rm_ftz_sat_f32 ftz;
                    SubRpF32       "sub.rp.f32"         float::sub_rp_f32;
                    SubRpSatF32    "sub.rp.sat.f32"     float::sub_rp_sat_f32;
                    SubRpFtzF32    "sub.rp.ftz.f32"     float::sub_rp_ftz_f32 ftz;
                    SubRpFtzSatF32 "sub.rp.ftz.sat.f32" float::sub_rp_ftz_sat_f32 ftz;
                }
                FAdd w_ww 0 {
                    MinFtzF32 "min.ftz.f32" float::min_ftz_f32 wide ftz;
                    MaxFtzF32 "max.ftz.f32" float::max_ftz_f32 wide ftz;
                    MinF32    "min.f32"     float::min_f32 wide;
                    MaxF32    "max.f32"     float::max_f32 wide;
                }
                FAdd w_w 0 {
                    NegFtzF32 "neg.ftz.f32" float::neg_ftz_f32 wide ftz;
                    AbsFtzF32 "abs.ftz.f32" float::abs_ftz_f32 wide ftz;
                    NegF32    "neg.f32"     float::neg_f32 wide;
                    AbsF32    "abs.f32"     float::abs_f32 wide;
                }
                FMul w_ww 1 {
                    MulFtzF32      "mul.rn.ftz.f32"     float::mul_rn_ftz_f32 wide ftz;
                    MulF32         "mul.rn.f32"         float::mul_rn_f32 wide;
                    MulSatF32      "mul.rn.sat.f32"     float::mul_rn_sat_f32;
                    MulFtzSatF32   "mul.rn.ftz.sat.f32" float::mul_rn_ftz_sat_f32 ftz;
                    MulRzF32       "mul.rz.f32"         float::mul_rz_f32;
                    MulRzSatF32    "mul.rz.sat.f32"     float::mul_rz_sat_f32;
                    MulRzFtzF32    "mul.rz.ftz.f32"     float::mul_rz_ftz_f32 ftz;
                    MulRzFtzSatF32 "mul.rz.ftz.sat.f32" float::mul_rz_ftz_sat_f32 ftz;
                    MulRmF32       "mul.rm.f32"         float::mul_rm_f32;
                    MulRmSatF32    "mul.rm.sat.f32"     float::mul_rm_sat_f32;
                    MulRmFtzF32    "mul.rm.ftz.f32"     float::mul_rm_ftz_f32 ftz;
                    MulRmFtzSatF32 "mul.rm.ftz.sat.f32" float::mul_rm_ftz_sat_f32 ftz;
                    MulRpF32       "mul.rp.f32"         float::mul_rp_f32;
                    MulRpSatF32    "mul.rp.sat.f32"     float::mul_rp_sat_f32;
                    MulRpFtzF32    "mul.rp.ftz.f32"     float::mul_rp_ftz_f32 ftz;
                    MulRpFtzSatF32 "mul.rp.ftz.sat.f32" float::mul_rp_ftz_sat_f32 ftz;
                }
                FMad w_mad 2 { MadTruncF32 "mad.ftz.f32" float::mad_trunc_ftz_f32 wide ftz; }
                FMad w_www 2 {
                    FmaFtzF32      "fma.rn.ftz.f32"     float::fma_rn_ftz_f32 wide ftz;
                    FmaSatF32      "fma.rn.sat.f32"     float::fma_rn_sat_f32;
                    FmaFtzSatF32   "fma.rn.ftz.sat.f32" float::fma_rn_ftz_sat_f32 ftz;
                    FmaRzF32       "fma.rz.f32"         float::fma_rz_f32;
                    FmaRzSatF32    "fma.rz.sat.f32"     float::fma_rz_sat_f32;
                    FmaRzFtzF32    "fma.rz.ftz.f32"     float::fma_rz_ftz_f32 ftz;
                    FmaRzFtzSatF32 "fma.rz.ftz.sat.f32" float::fma_rz_ftz_sat_f32 ftz;
                    FmaRmF32       "fma.rm.f32"         float::fma_rm_f32;
                    FmaRmSatF32    "fma.rm.sat.f32"     float::fma_rm_sat_f32;
                    FmaRmFtzF32    "fma.rm.ftz.f32"     float::fma_rm_ftz_f32 ftz;
                    FmaRmFtzSatF32 "fma.rm.ftz.sat.f32" float::fma_rm_ftz_sat_f32 ftz;
                    FmaRpF32       "fma.rp.f32"         float::fma_rp_f32;
                    FmaRpSatF32    "fma.rp.sat.f32"     float::fma_rp_sat_f32;
                    FmaRpFtzF32    "fma.rp.ftz.f32"     float::fma_rp_ftz_f32 ftz;
                    FmaRpFtzSatF32 "fma.rp.ftz.sat.f32" float::fma_rp_ftz_sat_f32 ftz;
                    MadTruncSatF32 "mad.ftz.sat.f32"    float::mad_trunc_ftz_sat_f32 ftz;
                }
                FMad w_fma 2 { FmaF32 "fma.rn.f32" float::fma_rn_f32 wide; }
                // single-precision division, reciprocal, roots and special functions: correctly
                // rounded, then approximate
                FDivRn w_ww 1 {
                    DivRnFtzF32 "div.rn.ftz.f32" divide::div_rn_ftz_f32 wide ftz;
                    DivRnF32    "div.rn.f32"     divide::div_rn_f32 wide;
                    DivRzFtzF32 "div.rz.ftz.f32" divide::div_rz_ftz_f32 ftz;
                    DivRzF32    "div.rz.f32"     divide::div_rz_f32;
                    DivRmFtzF32 "div.rm.ftz.f32" divide::div_rm_ftz_f32 ftz;
                    DivRmF32    "div.rm.f32"     divide::div_rm_f32;
                    DivRpFtzF32 "div.rp.ftz.f32" divide::div_rp_ftz_f32 ftz;
                    DivRpF32    "div.rp.f32"     divide::div_rp_f32;
                }
                FRcpRn w_w 1 {
                    RcpRnFtzF32 "rcp.rn.ftz.f32" divide::rcp_rn_ftz_f32 wide ftz;
                    RcpRnF32    "rcp.rn.f32"     divide::rcp_rn_f32 wide;
                    RcpRzFtzF32 "rcp.rz.ftz.f32" divide::rcp_rz_ftz_f32 ftz;
                    RcpRzF32    "rcp.rz.f32"     divide::rcp_rz_f32;
                    RcpRmFtzF32 "rcp.rm.ftz.f32" divide::rcp_rm_ftz_f32 ftz;
                    RcpRmF32    "rcp.rm.f32"     divide::rcp_rm_f32;
                    RcpRpFtzF32 "rcp.rp.ftz.f32" divide::rcp_rp_ftz_f32 ftz;
                    RcpRpF32    "rcp.rp.f32"     divide::rcp_rp_f32;
                }
                FSqrtRn w_w 1 {
                    SqrtRnFtzF32 "sqrt.rn.ftz.f32" divide::sqrt_rn_ftz_f32 wide ftz;
                    SqrtRnF32    "sqrt.rn.f32"     divide::sqrt_rn_f32 wide;
                    SqrtRzFtzF32 "sqrt.rz.ftz.f32" divide::sqrt_rz_ftz_f32 ftz;
                    SqrtRzF32    "sqrt.rz.f32"     divide::sqrt_rz_f32;
                    SqrtRmFtzF32 "sqrt.rm.ftz.f32" divide::sqrt_rm_ftz_f32 ftz;
                    SqrtRmF32    "sqrt.rm.f32"     divide::sqrt_rm_f32;
                    SqrtRpFtzF32 "sqrt.rp.ftz.f32" divide::sqrt_rp_ftz_f32 ftz;
                    SqrtRpF32    "sqrt.rp.f32"     divide::sqrt_rp_f32;
                }
                FDivApprox w_ww 1 {
                    DivApproxFtzF32 "div.approx.ftz.f32" approx::div_ftz_f32 wide ftz => DIVISION;
                    DivApproxF32    "div.approx.f32"     approx::div_f32 wide => DIVISION;
                }
                FDiv w_ww 1 {
                    DivFullFtzF32 "div.full.ftz.f32" approx::div_full_ftz_f32 wide ftz => DIVISION;
                    DivFullF32    "div.full.f32"     approx::div_full_f32 wide => DIVISION;
                }
                FRcp w_w 1 {
                    RcpApproxFtzF32 "rcp.approx.ftz.f32"   approx::rcp_ftz_f32 wide ftz => RECIPROCAL;
                    RcpApproxF32    "rcp.approx.f32"       approx::rcp_f32 wide => RECIPROCAL;
                    RsqrtFtzF32     "rsqrt.approx.ftz.f32" approx::rsqrt_ftz_f32 wide ftz => ROOT;
                    RsqrtF32        "rsqrt.approx.f32"     approx::rsqrt_f32 wide => ROOT;
                }
                FRcp w_row 1 {
                    Lg2FtzF32       "lg2.approx.ftz.f32"   approx::lg2_ftz_f32 wide ftz => LOGARITHM;
                    Lg2F32          "lg2.approx.f32"       approx::lg2_f32 wide => LOGARITHM;
                }
                FSqrt w_w 1 {
                    SqrtApproxFtzF32 "sqrt.approx.ftz.f32" approx::sqrt_ftz_f32 wide ftz => ROOT;
                    SqrtApproxF32    "sqrt.approx.f32"     approx::sqrt_f32 wide => ROOT;
                }
                FSin w_row 1 {
                    SinFtzF32 "sin.approx.ftz.f32" approx::sin_ftz_f32 wide ftz => TURN;
                    SinF32    "sin.approx.f32"     approx::sin_f32 wide => TURN;
                    CosFtzF32 "cos.approx.ftz.f32" approx::cos_ftz_f32 wide ftz => TURN;
                    CosF32    "cos.approx.f32"     approx::cos_f32 wide => TURN;
                    Ex2FtzF32 "ex2.approx.ftz.f32" approx::ex2_ftz_f32 wide ftz => POWER;
                    Ex2F32    "ex2.approx.f32"     approx::ex2_f32 wide => POWER;
                }
                // double precision (from sm_13 on)
                DAdd d_dd 1 {
                    AddF64   "add.rn.f64" double::add_rn wide;
                    AddRzF64 "add.rz.f64" double::add_rz;
                    AddRmF64 "add.rm.f64" double::add_rm;
                    AddRpF64 "add.rp.f64" double::add_rp;
                    SubF64   "sub.rn.f64" double::sub_rn wide;
                    SubRzF64 "sub.rz.f64" double::sub_rz;
                    SubRmF64 "sub.rm.f64" double::sub_rm;
                    SubRpF64 "sub.rp.f64" double::sub_rp;
                }
                DAdd d_dd 0 {
                    MinF64 "min.f64" double::min wide;
                    MaxF64 "max.f64" double::max wide;
                }
                DMul d_dd 1 {
                    MulF64   "mul.rn.f64" double::mul_rn wide;
                    MulRzF64 "mul.rz.f64" double::mul_rz;
                    MulRmF64 "mul.rm.f64" double::mul_rm;
                    MulRpF64 "mul.rp.f64" double::mul_rp;
                }
                DFma d_fma 2 { FmaF64 "fma.rn.f64" double::fma_rn wide; }
                DFma d_ddd 2 {
                    FmaRzF64 "fma.rz.f64" double::fma_rz;
                    FmaRmF64 "fma.rm.f64" double::fma_rm;
                    FmaRpF64 "fma.rp.f64" double::fma_rp;
                }
                DDiv d_dd 1 {
                    DivF64   "div.rn.f64" double::div_rn wide;
                    DivRzF64 "div.rz.f64" double::div_rz;
                    DivRmF64 "div.rm.f64" double::div_rm;
                    DivRpF64 "div.rp.f64" double::div_rp;
                }
                DRcp d_d 1 {
                    RcpF64   "rcp.rn.f64" double::rcp_rn wide;
                    RcpRzF64 "rcp.rz.f64" double::rcp_rz;
                    RcpRmF64 "rcp.rm.f64" double::rcp_rm;
                    RcpRpF64 "rcp.rp.f64" double::rcp_rp;
                }
                DSqrt d_d 1 {
                    SqrtF64        "sqrt.rn.f64"      double::sqrt_rn wide;
                    SqrtRzF64      "sqrt.rz.f64"      double::sqrt_rz;
                    SqrtRmF64      "sqrt.rm.f64"      double::sqrt_rm;
                    SqrtRpF64      "sqrt.rp.f64"      double::sqrt_rp;
                    RsqrtApproxF64 "rsqrt.approx.f64" double::rsqrt_approx => DOUBLE;
                }
                DLookup d_d 1 {
                    RcpApproxFtzF64   "rcp.approx.ftz.f64"   double::rcp_approx_ftz wide ftz => DOUBLE;
                    RsqrtApproxFtzF64 "rsqrt.approx.ftz.f64" double::rsqrt_approx_ftz ftz => DOUBLE;
                }
                Logic64 d_d 0 {
                    NegF64 "neg.f64" double::neg wide;
                    AbsF64 "abs.f64" double::abs wide;
                }
                // conversions between types of at most 32 bits; half precision is only for storage
                Cvt w_w 0 {
                    CvtU32U8        "cvt.u32.u8"          int::zext8 wide;
                    CvtS32S8        "cvt.s32.s8"          int::sext8 wide;
                    CvtU32U16       "cvt.u32.u16"         int::zext16 wide;
                    CvtS32S16       "cvt.s32.s16"         int::sext16 wide;
                    CvtRnF32S32     "cvt.rn.f32.s32"      cvt::f32_from_s32_rn wide;
                    CvtRnF32U32     "cvt.rn.f32.u32"      cvt::f32_from_u32_rn wide;
                    CvtRziS32F32    "cvt.rzi.ftz.s32.f32" cvt::s32_from_f32_rzi_ftz wide ftz;
                    CvtRziU32F32    "cvt.rzi.ftz.u32.f32" cvt::u32_from_f32_rzi_ftz wide ftz;
                    CvtRniS32F32    "cvt.rni.s32.f32"     cvt::s32_from_f32_rni wide;
                    CvtRmiS32F32    "cvt.rmi.s32.f32"     cvt::s32_from_f32_rmi wide;
                    CvtRmiFtzS32F32 "cvt.rmi.ftz.s32.f32" cvt::s32_from_f32_rmi_ftz wide ftz;
                    CvtRpiS32F32    "cvt.rpi.s32.f32"     cvt::s32_from_f32_rpi wide;
                    CvtRpiFtzS32F32 "cvt.rpi.ftz.s32.f32" cvt::s32_from_f32_rpi_ftz wide ftz;
                    CvtRniU32F32    "cvt.rni.u32.f32"     cvt::u32_from_f32_rni wide;
                    CvtRmiU32F32    "cvt.rmi.u32.f32"     cvt::u32_from_f32_rmi;
                    CvtRmiFtzU32F32 "cvt.rmi.ftz.u32.f32" cvt::u32_from_f32_rmi_ftz ftz;
                    CvtRpiU32F32    "cvt.rpi.u32.f32"     cvt::u32_from_f32_rpi;
                    CvtRpiFtzU32F32 "cvt.rpi.ftz.u32.f32" cvt::u32_from_f32_rpi_ftz ftz;
                    CvtRzF32S32     "cvt.rz.f32.s32"      cvt::f32_from_s32_rz;
                    CvtRmF32S32     "cvt.rm.f32.s32"      cvt::f32_from_s32_rm;
                    CvtRpF32S32     "cvt.rp.f32.s32"      cvt::f32_from_s32_rp;
                    CvtRzF32U32     "cvt.rz.f32.u32"      cvt::f32_from_u32_rz;
                    CvtRmF32U32     "cvt.rm.f32.u32"      cvt::f32_from_u32_rm;
                    CvtRpF32U32     "cvt.rp.f32.u32"      cvt::f32_from_u32_rp;
                    CvtFtzF32F32    "cvt.ftz.f32.f32"     cvt::f32_from_f32_ftz wide ftz;
                    CvtSatF32F32    "cvt.sat.f32.f32"     cvt::f32_from_f32_sat wide;
                    CvtFtzSatF32F32 "cvt.ftz.sat.f32.f32" cvt::f32_from_f32_ftz_sat wide ftz;
                    CvtRniF32F32    "cvt.rni.f32.f32"     cvt::f32_from_f32_rni wide;
                    CvtRniFtzF32F32 "cvt.rni.ftz.f32.f32" cvt::f32_from_f32_rni_ftz wide ftz;
                    CvtRziF32F32    "cvt.rzi.f32.f32"     cvt::f32_from_f32_rzi wide;
                    CvtRziFtzF32F32 "cvt.rzi.ftz.f32.f32" cvt::f32_from_f32_rzi_ftz wide ftz;
                    CvtRmiF32F32    "cvt.rmi.f32.f32"     cvt::f32_from_f32_rmi wide;
                    CvtRmiFtzF32F32 "cvt.rmi.ftz.f32.f32" cvt::f32_from_f32_rmi_ftz wide ftz;
                    CvtRpiF32F32    "cvt.rpi.f32.f32"     cvt::f32_from_f32_rpi wide;
                    CvtRpiFtzF32F32 "cvt.rpi.ftz.f32.f32" cvt::f32_from_f32_rpi_ftz wide ftz;
                    CvtSatU8S32     "cvt.sat.u8.s32"      cvt::sat_u8_from_s32;
                    CvtSatS8S32     "cvt.sat.s8.s32"      cvt::sat_s8_from_s32;
                    CvtSatU16S32    "cvt.sat.u16.s32"     cvt::sat_u16_from_s32;
                    CvtSatS16S32    "cvt.sat.s16.s32"     cvt::sat_s16_from_s32;
                    CvtSatU32S32    "cvt.sat.u32.s32"     cvt::sat_u32_from_s32;
                    CvtSatU8U32     "cvt.sat.u8.u32"      cvt::sat_u8_from_u32;
                    CvtSatS8U32     "cvt.sat.s8.u32"      cvt::sat_s8_from_u32;
                    CvtSatU16U32    "cvt.sat.u16.u32"     cvt::sat_u16_from_u32;
                    CvtSatS16U32    "cvt.sat.s16.u32"     cvt::sat_s16_from_u32;
                    CvtSatS32U32    "cvt.sat.s32.u32"     cvt::sat_s32_from_u32;
                    CvtRnF16F32     "cvt.rn.f16.f32"      cvt::f16_from_f32_rn wide;
                    CvtRzF16F32     "cvt.rz.f16.f32"      cvt::f16_from_f32_rz;
                    CvtRmF16F32     "cvt.rm.f16.f32"      cvt::f16_from_f32_rm;
                    CvtRmFtzF16F32  "cvt.rm.ftz.f16.f32"  cvt::f16_from_f32_rm_ftz ftz;
                    CvtRpF16F32     "cvt.rp.f16.f32"      cvt::f16_from_f32_rp;
                    CvtRpFtzF16F32  "cvt.rp.ftz.f16.f32"  cvt::f16_from_f32_rp_ftz ftz;
                    CvtF32F16       "cvt.f32.f16"         cvt::f32_from_f16 wide;
                }
                // moves between 32 and 64 bits
                Mov64 d_w 0 { CvtB64U32 "cvt.u64.u32" int::zext64 wide; }
                Mov w_d 0 { CvtB32B64 "cvt.u32.u64" int::lo32 wide; }
                // conversions with 64-bit integers
                Int64 d_w 0 {
                    CvtB64S32       "cvt.s64.s32"         int::sext64 wide;
                    CvtRniS64F32    "cvt.rni.s64.f32"     cvt::s64_from_f32_rni;
                    CvtRziS64F32    "cvt.rzi.s64.f32"     cvt::s64_from_f32_rzi wide;
                    CvtRmiS64F32    "cvt.rmi.s64.f32"     cvt::s64_from_f32_rmi;
                    CvtRmiFtzS64F32 "cvt.rmi.ftz.s64.f32" cvt::s64_from_f32_rmi_ftz ftz;
                    CvtRpiS64F32    "cvt.rpi.s64.f32"     cvt::s64_from_f32_rpi;
                    CvtRpiFtzS64F32 "cvt.rpi.ftz.s64.f32" cvt::s64_from_f32_rpi_ftz ftz;
                    CvtRniU64F32    "cvt.rni.u64.f32"     cvt::u64_from_f32_rni;
                    CvtRziU64F32    "cvt.rzi.u64.f32"     cvt::u64_from_f32_rzi wide;
                    CvtRmiU64F32    "cvt.rmi.u64.f32"     cvt::u64_from_f32_rmi;
                    CvtRmiFtzU64F32 "cvt.rmi.ftz.u64.f32" cvt::u64_from_f32_rmi_ftz ftz;
                    CvtRpiU64F32    "cvt.rpi.u64.f32"     cvt::u64_from_f32_rpi;
                    CvtRpiFtzU64F32 "cvt.rpi.ftz.u64.f32" cvt::u64_from_f32_rpi_ftz ftz;
                }
                Int64 w_d 0 {
                    CvtRnF32S64  "cvt.rn.f32.s64"  cvt::f32_from_s64_rn wide;
                    CvtRzF32S64  "cvt.rz.f32.s64"  cvt::f32_from_s64_rz;
                    CvtRmF32S64  "cvt.rm.f32.s64"  cvt::f32_from_s64_rm;
                    CvtRpF32S64  "cvt.rp.f32.s64"  cvt::f32_from_s64_rp;
                    CvtRnF32U64  "cvt.rn.f32.u64"  cvt::f32_from_u64_rn wide;
                    CvtRzF32U64  "cvt.rz.f32.u64"  cvt::f32_from_u64_rz;
                    CvtRmF32U64  "cvt.rm.f32.u64"  cvt::f32_from_u64_rm;
                    CvtRpF32U64  "cvt.rp.f32.u64"  cvt::f32_from_u64_rp;
                    CvtSatU32S64 "cvt.sat.u32.s64" cvt::sat_u32_from_s64;
                    CvtSatS32S64 "cvt.sat.s32.s64" cvt::sat_s32_from_s64;
                    CvtSatU32U64 "cvt.sat.u32.u64" cvt::sat_u32_from_u64;
                    CvtSatS32U64 "cvt.sat.s32.u64" cvt::sat_s32_from_u64;
                }
                Int64 d_d 0 {
                    CvtSatU64S64 "cvt.sat.u64.s64" cvt::sat_u64_from_s64;
                    CvtSatS64U64 "cvt.sat.s64.u64" cvt::sat_s64_from_u64;
                }
                // conversions with f64
                DCvt d_w 0 {
                    CvtF64S32    "cvt.f64.s32"     double::f64_from_s32 wide;
                    CvtF64U32    "cvt.f64.u32"     double::f64_from_u32 wide;
                    CvtF64F32    "cvt.f64.f32"     double::f64_from_f32 wide;
                    CvtFtzF64F32 "cvt.ftz.f64.f32" double::f64_from_f32_ftz wide ftz;
                }
                DCvt d_d 0 {
                    CvtRnF64S64  "cvt.rn.f64.s64"  double::f64_from_s64_rn wide;
                    CvtRzF64S64  "cvt.rz.f64.s64"  double::f64_from_s64_rz;
                    CvtRmF64S64  "cvt.rm.f64.s64"  double::f64_from_s64_rm;
                    CvtRpF64S64  "cvt.rp.f64.s64"  double::f64_from_s64_rp;
                    CvtRnF64U64  "cvt.rn.f64.u64"  double::f64_from_u64_rn wide;
                    CvtRzF64U64  "cvt.rz.f64.u64"  double::f64_from_u64_rz;
                    CvtRmF64U64  "cvt.rm.f64.u64"  double::f64_from_u64_rm;
                    CvtRpF64U64  "cvt.rp.f64.u64"  double::f64_from_u64_rp;
                    CvtRniS64F64 "cvt.rni.s64.f64" double::s64_from_f64_rni;
                    CvtRziS64F64 "cvt.rzi.s64.f64" double::s64_from_f64_rzi wide;
                    CvtRmiS64F64 "cvt.rmi.s64.f64" double::s64_from_f64_rmi;
                    CvtRpiS64F64 "cvt.rpi.s64.f64" double::s64_from_f64_rpi;
                    CvtRniU64F64 "cvt.rni.u64.f64" double::u64_from_f64_rni;
                    CvtRziU64F64 "cvt.rzi.u64.f64" double::u64_from_f64_rzi wide;
                    CvtRmiU64F64 "cvt.rmi.u64.f64" double::u64_from_f64_rmi;
                    CvtRpiU64F64 "cvt.rpi.u64.f64" double::u64_from_f64_rpi;
                    CvtRniF64F64 "cvt.rni.f64.f64" double::f64_from_f64_rni wide;
                    CvtRziF64F64 "cvt.rzi.f64.f64" double::f64_from_f64_rzi wide;
                    CvtRmiF64F64 "cvt.rmi.f64.f64" double::f64_from_f64_rmi wide;
                    CvtRpiF64F64 "cvt.rpi.f64.f64" double::f64_from_f64_rpi wide;
                    CvtSatF64F64 "cvt.sat.f64.f64" double::saturated;
                }
                DCvt w_d 0 {
                    CvtRniS32F64   "cvt.rni.s32.f64"    double::s32_from_f64_rni wide;
                    CvtRziS32F64   "cvt.rzi.s32.f64"    double::s32_from_f64_rzi wide;
                    CvtRmiS32F64   "cvt.rmi.s32.f64"    double::s32_from_f64_rmi wide;
                    CvtRpiS32F64   "cvt.rpi.s32.f64"    double::s32_from_f64_rpi wide;
                    CvtRniU32F64   "cvt.rni.u32.f64"    double::u32_from_f64_rni wide;
                    CvtRziU32F64   "cvt.rzi.u32.f64"    double::u32_from_f64_rzi wide;
                    CvtRmiU32F64   "cvt.rmi.u32.f64"    double::u32_from_f64_rmi;
                    CvtRpiU32F64   "cvt.rpi.u32.f64"    double::u32_from_f64_rpi;
                    CvtRziS16F64   "cvt.rzi.s16.f64"    double::s16_from_f64_rzi;
                    CvtRziU16F64   "cvt.rzi.u16.f64"    double::u16_from_f64_rzi;
                    CvtRziS8F64    "cvt.rzi.s8.f64"     double::s8_from_f64_rzi;
                    CvtRziU8F64    "cvt.rzi.u8.f64"     double::u8_from_f64_rzi;
                    CvtRnF32F64    "cvt.rn.f32.f64"     double::f32_from_f64_rn wide;
                    CvtRzF32F64    "cvt.rz.f32.f64"     double::f32_from_f64_rz;
                    CvtRmF32F64    "cvt.rm.f32.f64"     double::f32_from_f64_rm;
                    CvtRpF32F64    "cvt.rp.f32.f64"     double::f32_from_f64_rp;
                    CvtRnFtzF32F64 "cvt.rn.ftz.f32.f64" double::f32_from_f64_rn_ftz wide ftz;
                    CvtRzFtzF32F64 "cvt.rz.ftz.f32.f64" double::f32_from_f64_rz_ftz ftz;
                    CvtRmFtzF32F64 "cvt.rm.ftz.f32.f64" double::f32_from_f64_rm_ftz ftz;
                    CvtRpFtzF32F64 "cvt.rp.ftz.f32.f64" double::f32_from_f64_rp_ftz ftz;
                }
                // predicates
                Pred p_pp 0 {
                    AndPred "and.pred" int::and_pred wide;
                    OrPred  "or.pred"  int::or_pred wide;
                    XorPred "xor.pred" int::xor_pred wide;
                }
                Pred p_p 0 { NotPred "not.pred" int::not_pred wide; }
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
