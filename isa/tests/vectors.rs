//! The arithmetic of `isa::sem` against vectors recorded on real silicon.
//!
//! The vectors lie beside the repository and are optional here; without them the test says so and passes. A few
//! dozen tuples stand in the tests of `sem` itself.

use isa::sem::{cvt, divide, float, int};
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
    WD(fn(u64) -> u32),
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
            Self::WD(f) => f(v[0]) as u64,
            Self::DD1(f) => f(v[0]),
            Self::DD2(f) => f(v[0], v[1]),
            Self::DD3(f) => f(v[0], v[1], v[2]),
            Self::DdW(f) => f(v[0], w(1)),
            Self::PD(f) => f(v[0], v[1]) as u64,
        }
    }
}

use Function::{D1, DD1, DD2, DD3, DW2, DWD3, DdW, NotP2, P2, PD, W1, W2, W3, WD};

/// The vectors that are not about the generation that the instruction is of.
const OF_OTHER_CHIPS: &str = "mad_f32_sm13";

/// Vector names and the functions that must give their outputs.
const CASES: &[(&str, Function)] = &[
    // f32 as sm_1x flushes it, implicitly and by `.ftz`
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
    // what a mad.f32 of sm_1x becomes on chips without the truncating multiplier, of which the recording one is
    (OF_OTHER_CHIPS, W3(float::fma_rn_ftz_f32)),
    // f32 as sm_20 keeps it
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
    // f32 rounded once in each direction
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
    // conversions
    ("cvt_u64_u32", D1(int::zext64)),
    ("cvt_s64_s32", D1(int::sext64)),
    ("cvt_u32_u64", WD(int::lo32)),
    ("cvt_u32_u8", W1(int::zext8)),
    ("cvt_s32_s8", W1(int::sext8)),
    ("cvt_u32_u16", W1(int::zext16)),
    ("cvt_s32_s16", W1(int::sext16)),
];

/// Bytes that one value of a type takes in the files.
fn stride(ty: &str) -> usize {
    match ty {
        "pred" | "u8" | "s8" | "b8" => 4,
        _ => ty[1..].parse::<usize>().expect("a type ends with its bits") / 8,
    }
}

fn value(bytes: &[u8], offset: usize, ty: &str, i: usize) -> u64 {
    let size = stride(ty);
    let mut word = [0; 8];
    word[..size].copy_from_slice(&bytes[offset + i * size..][..size]);
    u64::from_le_bytes(word)
}

#[test]
fn arithmetic_equals_the_silicon() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/ptx/vec"));
    let Ok(manifest) = std::fs::read_to_string(root.join("manifest.tsv")) else {
        // Written past the test harness, which hides what passing tests print.
        let told = std::io::stderr().write_all(b"SKIPPED: no recorded vectors beside the repository\n");
        told.expect("standard error can be written");
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
