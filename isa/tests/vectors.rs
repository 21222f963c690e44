//! Compares the arithmetic of `isa::sem` with vectors recorded on hardware.
//!
//! The vectors are stored outside the repository and are optional here. Without them the test
//! prints a message and passes. The tests of `sem` contain a few dozen recorded tuples.

use isa::sem::{bits, cvt, divide, double, float, int};
use std::io::Write;
use std::path::PathBuf;

/// A pure function of one lane, on values zero-extended to 64 bits.
enum Function {
    W1(fn(u32) -> u32),
    W2(fn(u32, u32) -> u32),
    W3(fn(u32, u32, u32) -> u32),
    P2(fn(u32, u32) -> bool),
    NotP2(fn(u32, u32) -> bool),
    D1(fn(u32) -> u64),
    DW2(fn(u32, u32) -> u64),
    DWD3(fn(u32, u32, u64) -> u64),
    W4(fn(u32, u32, u32, u32) -> u32),
    WD(fn(u64) -> u32),
    DdWW(fn(u64, u32, u32) -> u64),
    DdDWW(fn(u64, u64, u32, u32) -> u64),
    DD1(fn(u64) -> u64),
    DD2(fn(u64, u64) -> u64),
    DD3(fn(u64, u64, u64) -> u64),
    DdW(fn(u64, u32) -> u64),
    PD(fn(u64, u64) -> bool),
}

impl Function {
    fn apply(&self, v: &[u64]) -> u64 {
        let w = |i: usize| v[i] as u32;
        match self {
            Self::W1(f) => f(w(0)) as u64,
            Self::W2(f) => f(w(0), w(1)) as u64,
            Self::W3(f) => f(w(0), w(1), w(2)) as u64,
            Self::P2(f) => f(w(0), w(1)) as u64,
            Self::NotP2(f) => !f(w(0), w(1)) as u64,
            Self::D1(f) => f(w(0)),
            Self::DW2(f) => f(w(0), w(1)),
            Self::DWD3(f) => f(w(0), w(1), v[2]),
            Self::W4(f) => f(w(0), w(1), w(2), w(3)) as u64,
            Self::WD(f) => f(v[0]) as u64,
            Self::DdWW(f) => f(v[0], w(1), w(2)),
            Self::DdDWW(f) => f(v[0], v[1], w(2), w(3)),
            Self::DD1(f) => f(v[0]),
            Self::DD2(f) => f(v[0], v[1]),
            Self::DD3(f) => f(v[0], v[1], v[2]),
            Self::DdW(f) => f(v[0], w(1)),
            Self::PD(f) => f(v[0], v[1]) as u64,
        }
    }
}

use Function::{D1, DD1, DD2, DD3, DW2, DWD3, DdDWW, DdW, DdWW, NotP2, P2, PD, W1, W2, W3, W4, WD};

/// The vectors that were not recorded on a chip of the instruction's generation.
const OF_OTHER_CHIPS: &str = "mad_f32_sm13";

/// Vector names, and the functions that must produce their outputs.
const CASES: &[(&str, Function)] = &[
    // f32 with flushing, implicit on sm_1x and explicit with `.ftz`
    ("add_f32_sm13", W2(float::add_rn_ftz_f32)),
    ("add_rn_f32_sm13", W2(float::add_rn_ftz_f32)),
    ("add_rn_ftz_f32", W2(float::add_rn_ftz_f32)),
    ("sub_f32_sm13", W2(float::sub_rn_ftz_f32)),
    ("sub_rn_f32_sm13", W2(float::sub_rn_ftz_f32)),
    ("sub_rn_ftz_f32", W2(float::sub_rn_ftz_f32)),
    ("mul_f32_sm13", W2(float::mul_rn_ftz_f32)),
    ("mul_rn_f32_sm13", W2(float::mul_rn_ftz_f32)),
    ("mul_rn_ftz_f32", W2(float::mul_rn_ftz_f32)),
    ("min_f32_sm13", W2(float::min_ftz_f32)),
    ("min_ftz_f32", W2(float::min_ftz_f32)),
    ("max_f32_sm13", W2(float::max_ftz_f32)),
    ("max_ftz_f32", W2(float::max_ftz_f32)),
    ("neg_f32_sm13", W1(float::neg_ftz_f32)),
    ("neg_ftz_f32", W1(float::neg_ftz_f32)),
    ("abs_f32_sm13", W1(float::abs_ftz_f32)),
    ("abs_ftz_f32", W1(float::abs_ftz_f32)),
    ("setp_eq_f32_sm13", P2(float::eq_ftz_f32)),
    ("setp_ne_f32_sm13", P2(float::ne_ftz_f32)),
    ("setp_lt_f32_sm13", P2(float::lt_ftz_f32)),
    ("setp_le_f32_sm13", P2(float::le_ftz_f32)),
    ("setp_gt_f32_sm13", P2(float::gt_ftz_f32)),
    ("setp_ge_f32_sm13", P2(float::ge_ftz_f32)),
    ("setp_equ_f32_sm13", NotP2(float::ne_ftz_f32)),
    ("setp_neu_f32_sm13", NotP2(float::eq_ftz_f32)),
    ("setp_ltu_f32_sm13", NotP2(float::ge_ftz_f32)),
    ("setp_leu_f32_sm13", NotP2(float::gt_ftz_f32)),
    ("setp_gtu_f32_sm13", NotP2(float::le_ftz_f32)),
    ("setp_geu_f32_sm13", NotP2(float::lt_ftz_f32)),
    ("cvt_rn_f32_s32", W1(cvt::f32_from_s32_rn)),
    ("cvt_rn_f32_u32", W1(cvt::f32_from_u32_rn)),
    ("cvt_rzi_s32_f32_sm13", W1(cvt::s32_from_f32_rzi_ftz)),
    ("cvt_rzi_u32_f32_sm13", W1(cvt::u32_from_f32_rzi_ftz)),
    ("cvt_rzi_ftz_s32_f32", W1(cvt::s32_from_f32_rzi_ftz)),
    ("cvt_rzi_ftz_u32_f32", W1(cvt::u32_from_f32_rzi_ftz)),
    ("fma_rn_ftz_f32", W3(float::fma_rn_ftz_f32)),
    ("mad_rn_ftz_f32", W3(float::fma_rn_ftz_f32)),
    ("setp_eq_ftz_f32", P2(float::eq_ftz_f32)),
    ("setp_ltu_ftz_f32", NotP2(float::ge_ftz_f32)),
    // a mad.f32 of sm_1x on chips without the truncating multiplier, such as the recording chip
    (OF_OTHER_CHIPS, W3(float::fma_rn_ftz_f32)),
    // f32 with subnormals, as on sm_20
    ("add_f32", W2(float::add_rn_f32)),
    ("add_rn_f32", W2(float::add_rn_f32)),
    ("sub_f32", W2(float::sub_rn_f32)),
    ("sub_rn_f32", W2(float::sub_rn_f32)),
    ("mul_f32", W2(float::mul_rn_f32)),
    ("mul_rn_f32", W2(float::mul_rn_f32)),
    ("fma_rn_f32", W3(float::fma_rn_f32)),
    ("mad_rn_f32", W3(float::fma_rn_f32)),
    ("min_f32", W2(float::min_f32)),
    ("max_f32", W2(float::max_f32)),
    ("neg_f32", W1(float::neg_f32)),
    ("abs_f32", W1(float::abs_f32)),
    ("setp_eq_f32", P2(float::eq_f32)),
    ("setp_ne_f32", P2(float::ne_f32)),
    ("setp_lt_f32", P2(float::lt_f32)),
    ("setp_le_f32", P2(float::le_f32)),
    ("setp_gt_f32", P2(float::gt_f32)),
    ("setp_ge_f32", P2(float::ge_f32)),
    ("setp_equ_f32", NotP2(float::ne_f32)),
    ("setp_neu_f32", NotP2(float::eq_f32)),
    ("setp_ltu_f32", NotP2(float::ge_f32)),
    ("setp_leu_f32", NotP2(float::gt_f32)),
    ("setp_gtu_f32", NotP2(float::le_f32)),
    ("setp_geu_f32", NotP2(float::lt_f32)),
    // f32 correctly rounded in each direction
    ("div_rn_f32", W2(divide::div_rn_f32)),
    ("rcp_rn_f32", W1(divide::rcp_rn_f32)),
    ("sqrt_rn_f32", W1(divide::sqrt_rn_f32)),
    ("div_rn_ftz_f32", W2(divide::div_rn_ftz_f32)),
    ("rcp_rn_ftz_f32", W1(divide::rcp_rn_ftz_f32)),
    ("sqrt_rn_ftz_f32", W1(divide::sqrt_rn_ftz_f32)),
    ("div_rz_f32", W2(divide::div_rz_f32)),
    ("rcp_rz_f32", W1(divide::rcp_rz_f32)),
    ("sqrt_rz_f32", W1(divide::sqrt_rz_f32)),
    ("div_rz_ftz_f32", W2(divide::div_rz_ftz_f32)),
    ("rcp_rz_ftz_f32", W1(divide::rcp_rz_ftz_f32)),
    ("sqrt_rz_ftz_f32", W1(divide::sqrt_rz_ftz_f32)),
    ("div_rm_f32", W2(divide::div_rm_f32)),
    ("rcp_rm_f32", W1(divide::rcp_rm_f32)),
    ("sqrt_rm_f32", W1(divide::sqrt_rm_f32)),
    ("div_rm_ftz_f32", W2(divide::div_rm_ftz_f32)),
    ("rcp_rm_ftz_f32", W1(divide::rcp_rm_ftz_f32)),
    ("sqrt_rm_ftz_f32", W1(divide::sqrt_rm_ftz_f32)),
    ("div_rp_f32", W2(divide::div_rp_f32)),
    ("rcp_rp_f32", W1(divide::rcp_rp_f32)),
    ("sqrt_rp_f32", W1(divide::sqrt_rp_f32)),
    ("div_rp_ftz_f32", W2(divide::div_rp_ftz_f32)),
    ("rcp_rp_ftz_f32", W1(divide::rcp_rp_ftz_f32)),
    ("sqrt_rp_ftz_f32", W1(divide::sqrt_rp_ftz_f32)),
    // 32-bit integers
    ("add_u32", W2(int::add32)),
    ("add_s32", W2(int::add32)),
    ("sub_u32", W2(int::sub32)),
    ("sub_s32", W2(int::sub32)),
    ("neg_s32", W1(int::neg32)),
    ("abs_s32", W1(int::abs32)),
    ("min_u32", W2(int::min_u32)),
    ("min_s32", W2(int::min_s32)),
    ("max_u32", W2(int::max_u32)),
    ("max_s32", W2(int::max_s32)),
    ("sad_u32", W3(int::sad_u32)),
    ("sad_s32", W3(int::sad_s32)),
    ("mul_lo_u32", W2(int::mul_lo32)),
    ("mul_lo_s32", W2(int::mul_lo32)),
    ("mul_hi_u32", W2(int::mul_hi_u32)),
    ("mul_hi_s32", W2(int::mul_hi_s32)),
    ("mul_wide_u32", DW2(int::mul_wide_u32)),
    ("mul_wide_s32", DW2(int::mul_wide_s32)),
    ("mad_lo_u32", W3(int::mad_lo32)),
    ("mad_lo_s32", W3(int::mad_lo32)),
    ("mad_wide_u32", DWD3(int::mad_wide_u32)),
    ("mad_wide_s32", DWD3(int::mad_wide_s32)),
    ("mul24_lo_u32", W2(int::mul24_lo_u32)),
    ("mul24_lo_s32", W2(int::mul24_lo_s32)),
    ("mad24_lo_u32", W3(int::mad24_lo_u32)),
    ("mad24_lo_s32", W3(int::mad24_lo_s32)),
    ("div_u32", W2(int::div_u32)),
    ("div_s32", W2(int::div_s32)),
    ("rem_u32", W2(int::rem_u32)),
    ("rem_s32", W2(int::rem_s32)),
    ("and_b32", W2(int::and32)),
    ("or_b32", W2(int::or32)),
    ("xor_b32", W2(int::xor32)),
    ("not_b32", W1(int::not32)),
    ("shl_b32", W2(int::shl32)),
    ("shr_u32", W2(int::shr_u32)),
    ("shr_s32", W2(int::shr_s32)),
    ("setp_eq_u32", P2(int::eq32)),
    ("setp_ne_u32", P2(int::ne32)),
    ("setp_lt_u32", P2(int::lt_u32)),
    ("setp_le_u32", P2(int::le_u32)),
    ("setp_gt_u32", P2(int::gt_u32)),
    ("setp_ge_u32", P2(int::ge_u32)),
    ("setp_lt_s32", P2(int::lt_s32)),
    ("setp_le_s32", P2(int::le_s32)),
    ("setp_gt_s32", P2(int::gt_s32)),
    ("setp_ge_s32", P2(int::ge_s32)),
    // 64-bit integers
    ("add_u64", DD2(int::add64)),
    ("sub_s64", DD2(int::sub64)),
    ("and_b64", DD2(int::and64)),
    ("or_b64", DD2(int::or64)),
    ("xor_b64", DD2(int::xor64)),
    ("not_b64", DD1(int::not64)),
    ("shl_b64", DdW(int::shl64)),
    ("shr_u64", DdW(int::shr_u64)),
    ("shr_s64", DdW(int::shr_s64)),
    ("mul_lo_u64", DD2(int::mul_lo64)),
    ("mad_lo_s64", DD3(int::mad_lo64)),
    ("setp_eq_u64", PD(int::eq64)),
    ("setp_ne_u64", PD(int::ne64)),
    ("setp_lt_u64", PD(int::lt_u64)),
    ("setp_le_u64", PD(int::le_u64)),
    ("setp_gt_u64", PD(int::gt_u64)),
    ("setp_ge_u64", PD(int::ge_u64)),
    ("setp_lt_s64", PD(int::lt_s64)),
    ("setp_le_s64", PD(int::le_s64)),
    ("setp_gt_s64", PD(int::gt_s64)),
    ("setp_ge_s64", PD(int::ge_s64)),
    // saturation, high halves, 64-bit division, bit fields
    ("add_sat_s32", W2(bits::add_sat_s32)),
    ("sub_sat_s32", W2(bits::sub_sat_s32)),
    ("mul24_hi_u32", W2(int::mul24_hi_u32)),
    ("mul24_hi_s32", W2(int::mul24_hi_s32)),
    ("mul_hi_u64", DD2(int::mul_hi_u64)),
    ("div_u64", DD2(int::div_u64)),
    ("rem_u64", DD2(int::rem_u64)),
    ("mul_hi_s64", DD2(int::mul_hi_s64)),
    ("div_s64", DD2(int::div_s64)),
    ("rem_s64", DD2(int::rem_s64)),
    ("popc_b32", W1(bits::popc32)),
    ("popc_b64", WD(bits::popc64)),
    ("clz_b32", W1(bits::clz32)),
    ("clz_b64", WD(bits::clz64)),
    ("brev_b32", W1(bits::brev32)),
    ("brev_b64", DD1(bits::brev64)),
    ("bfind_u32", W1(bits::bfind_u32)),
    ("bfind_u64", WD(bits::bfind_u64)),
    ("bfind_shiftamt_u32", W1(bits::bfind_shiftamt_u32)),
    ("bfind_shiftamt_u64", WD(bits::bfind_shiftamt_u64)),
    ("bfe_u32", W3(bits::bfe_u32)),
    ("bfe_u64", DdWW(bits::bfe_u64)),
    ("bfind_s32", W1(bits::bfind_s32)),
    ("bfind_s64", WD(bits::bfind_s64)),
    ("bfind_shiftamt_s32", W1(bits::bfind_shiftamt_s32)),
    ("bfind_shiftamt_s64", WD(bits::bfind_shiftamt_s64)),
    ("bfe_s32", W3(bits::bfe_s32)),
    ("bfe_s64", DdWW(bits::bfe_s64)),
    ("bfi_b32", W4(bits::bfi32)),
    ("bfi_b64", DdDWW(bits::bfi64)),
    ("prmt_b32", W3(bits::prmt)),
    ("prmt_b32_f4e", W3(bits::prmt_f4e)),
    ("prmt_b32_b4e", W3(bits::prmt_b4e)),
    ("prmt_b32_rc8", W3(bits::prmt_rc8)),
    ("prmt_b32_ecl", W3(bits::prmt_ecl)),
    ("prmt_b32_ecr", W3(bits::prmt_ecr)),
    ("prmt_b32_rc16", W3(bits::prmt_rc16)),
    ("mov_b64_pack", DW2(bits::pack64)),
    ("mov_b32_pack", W2(bits::pack32)),
    // double precision
    ("add_rn_f64", DD2(double::add_rn)),
    ("add_rz_f64", DD2(double::add_rz)),
    ("add_rm_f64", DD2(double::add_rm)),
    ("add_rp_f64", DD2(double::add_rp)),
    ("sub_rn_f64", DD2(double::sub_rn)),
    ("sub_rz_f64", DD2(double::sub_rz)),
    ("sub_rm_f64", DD2(double::sub_rm)),
    ("sub_rp_f64", DD2(double::sub_rp)),
    ("mul_rn_f64", DD2(double::mul_rn)),
    ("mul_rz_f64", DD2(double::mul_rz)),
    ("mul_rm_f64", DD2(double::mul_rm)),
    ("mul_rp_f64", DD2(double::mul_rp)),
    ("fma_rn_f64", DD3(double::fma_rn)),
    ("fma_rz_f64", DD3(double::fma_rz)),
    ("fma_rm_f64", DD3(double::fma_rm)),
    ("fma_rp_f64", DD3(double::fma_rp)),
    ("div_rn_f64", DD2(double::div_rn)),
    ("div_rz_f64", DD2(double::div_rz)),
    ("div_rm_f64", DD2(double::div_rm)),
    ("div_rp_f64", DD2(double::div_rp)),
    ("rcp_rn_f64", DD1(double::rcp_rn)),
    ("rcp_rz_f64", DD1(double::rcp_rz)),
    ("rcp_rm_f64", DD1(double::rcp_rm)),
    ("rcp_rp_f64", DD1(double::rcp_rp)),
    ("sqrt_rn_f64", DD1(double::sqrt_rn)),
    ("sqrt_rz_f64", DD1(double::sqrt_rz)),
    ("sqrt_rm_f64", DD1(double::sqrt_rm)),
    ("sqrt_rp_f64", DD1(double::sqrt_rp)),
    ("min_f64", DD2(double::min)),
    ("max_f64", DD2(double::max)),
    ("neg_f64", DD1(double::neg)),
    ("abs_f64", DD1(double::abs)),
    ("setp_eq_f64", PD(double::eq)),
    ("setp_ne_f64", PD(double::ne)),
    ("setp_lt_f64", PD(double::lt)),
    ("setp_le_f64", PD(double::le)),
    ("setp_gt_f64", PD(double::gt)),
    ("setp_ge_f64", PD(double::ge)),
    ("cvt_rn_f64_s32", D1(double::f64_from_s32)),
    ("cvt_rn_f64_u32", D1(double::f64_from_u32)),
    ("cvt_rn_f64_s64", DD1(double::f64_from_s64_rn)),
    ("cvt_rz_f64_s64", DD1(double::f64_from_s64_rz)),
    ("cvt_rm_f64_s64", DD1(double::f64_from_s64_rm)),
    ("cvt_rp_f64_s64", DD1(double::f64_from_s64_rp)),
    ("cvt_rn_f64_u64", DD1(double::f64_from_u64_rn)),
    ("cvt_rz_f64_u64", DD1(double::f64_from_u64_rz)),
    ("cvt_rm_f64_u64", DD1(double::f64_from_u64_rm)),
    ("cvt_rp_f64_u64", DD1(double::f64_from_u64_rp)),
    ("cvt_rni_s32_f64", WD(double::s32_from_f64_rni)),
    ("cvt_rzi_s32_f64", WD(double::s32_from_f64_rzi)),
    ("cvt_rmi_s32_f64", WD(double::s32_from_f64_rmi)),
    ("cvt_rpi_s32_f64", WD(double::s32_from_f64_rpi)),
    ("cvt_rni_u32_f64", WD(double::u32_from_f64_rni)),
    ("cvt_rzi_u32_f64", WD(double::u32_from_f64_rzi)),
    ("cvt_rmi_u32_f64", WD(double::u32_from_f64_rmi)),
    ("cvt_rpi_u32_f64", WD(double::u32_from_f64_rpi)),
    ("cvt_rni_s64_f64", DD1(double::s64_from_f64_rni)),
    ("cvt_rzi_s64_f64", DD1(double::s64_from_f64_rzi)),
    ("cvt_rmi_s64_f64", DD1(double::s64_from_f64_rmi)),
    ("cvt_rpi_s64_f64", DD1(double::s64_from_f64_rpi)),
    ("cvt_rni_u64_f64", DD1(double::u64_from_f64_rni)),
    ("cvt_rzi_u64_f64", DD1(double::u64_from_f64_rzi)),
    ("cvt_rmi_u64_f64", DD1(double::u64_from_f64_rmi)),
    ("cvt_rpi_u64_f64", DD1(double::u64_from_f64_rpi)),
    ("cvt_rzi_u16_f64", WD(double::u16_from_f64_rzi)),
    ("cvt_rzi_s8_f64", WD(double::s8_from_f64_rzi)),
    ("cvt_rzi_u8_f64", WD(double::u8_from_f64_rzi)),
    ("cvt_rni_f64_f64", DD1(double::f64_from_f64_rni)),
    ("cvt_rzi_f64_f64", DD1(double::f64_from_f64_rzi)),
    ("cvt_rmi_f64_f64", DD1(double::f64_from_f64_rmi)),
    ("cvt_rpi_f64_f64", DD1(double::f64_from_f64_rpi)),
    ("cvt_sat_f64_f64", DD1(double::saturated)),
    ("cvt_rn_f32_f64", WD(double::f32_from_f64_rn)),
    ("cvt_rn_ftz_f32_f64", WD(double::f32_from_f64_rn_ftz)),
    ("cvt_rz_f32_f64", WD(double::f32_from_f64_rz)),
    ("cvt_rz_ftz_f32_f64", WD(double::f32_from_f64_rz_ftz)),
    ("cvt_rm_f32_f64", WD(double::f32_from_f64_rm)),
    ("cvt_rm_ftz_f32_f64", WD(double::f32_from_f64_rm_ftz)),
    ("cvt_rp_f32_f64", WD(double::f32_from_f64_rp)),
    ("cvt_rp_ftz_f32_f64", WD(double::f32_from_f64_rp_ftz)),
    ("cvt_f64_f32", D1(double::f64_from_f32)),
    ("cvt_ftz_f64_f32", D1(double::f64_from_f32_ftz)),
    // conversions
    ("cvt_u64_u32", D1(int::zext64)),
    ("cvt_s64_s32", D1(int::sext64)),
    ("cvt_u32_u64", WD(int::lo32)),
    ("cvt_u32_u8", W1(int::zext8)),
    ("cvt_s32_s8", W1(int::sext8)),
    ("cvt_u32_u16", W1(int::zext16)),
    ("cvt_s32_s16", W1(int::sext16)),
];

/// Returns the number of bytes of one value of a type in the files.
fn stride(ty: &str) -> usize {
    match ty {
        "pred" | "u8" | "s8" | "b8" => 4,
        _ => ty[1..].parse::<usize>().expect("a type name ends with its width") / 8,
    }
}

fn value(bytes: &[u8], offset: usize, ty: &str, i: usize) -> u64 {
    let size = stride(ty);
    let mut word = [0; 8];
    word[..size].copy_from_slice(&bytes[offset + i * size..][..size]);
    u64::from_le_bytes(word)
}

/// Tests: `arithmetic-of-silicon`.
#[test]
fn arithmetic_equals_the_hardware() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/ptx/vec"));
    let Ok(manifest) = std::fs::read_to_string(root.join("manifest.tsv")) else {
        // Write directly to standard error, because the test harness hides the output of passing
        // tests.
        let written = std::io::stderr()
            .write_all(b"SKIPPED: the recorded vectors in ../../shared/ptx/vec do not exist\n");
        written.expect("standard error can be written");
        return;
    };
    let inputs = std::fs::read(root.join("inputs.bin")).unwrap();
    let outputs = std::fs::read(root.join("outputs.bin")).unwrap();
    let mut wrong = Vec::new();
    let mut tuples = 0;
    for (name, function) in CASES {
        let row = manifest.lines().find(|line| line.split('\t').next() == Some(name));
        let row: Vec<&str> = row.unwrap_or_else(|| panic!("no vectors named {name}")).split('\t').collect();
        let [count, ins, in_offsets, out, out_offset, skip] = [3, 4, 5, 6, 7, 11].map(|i| row[i]);
        assert_eq!(row[8], if *name == OF_OTHER_CHIPS { "info" } else { "exact" }, "{name}");
        let sources: Vec<(&str, usize)> =
            ins.split(',').zip(in_offsets.split(',').map(|o| o.parse().unwrap())).collect();
        let skipped: Vec<usize> = skip.split(',').filter_map(|i| i.parse().ok()).collect();
        for i in (0..count.parse().unwrap()).filter(|i| !skipped.contains(i)) {
            let arguments: Vec<u64> =
                sources.iter().map(|(ty, offset)| value(&inputs, *offset, ty, i)).collect();
            let expected = value(&outputs, out_offset.parse().unwrap(), out, i);
            let got = function.apply(&arguments);
            if got != expected {
                wrong.push(format!("{name} {i}: {arguments:x?} gives {got:x}, expected {expected:x}"));
            }
            tuples += 1;
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tuples > 10_000, "only {tuples} tuples were compared");
}
