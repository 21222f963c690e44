//! Results of the math library at special arguments: signs of zeros, infinities, NaN, and numbers
//! at the ends of the ranges.

use super::common::{Argument, compile, run};
use std::fmt::Write as _;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;
const ZERO: f64 = 0.0;

/// A call with `x` and `y`, their values, and the result.
type Row = (&'static str, f64, f64, f64);

/// Results in both precisions.
const BOTH: &[Row] = &[
    ("acosh(x)", -1e30, ZERO, NAN),
    ("atan2(x, y)", -ZERO, -1.0, -std::f64::consts::PI),
    ("atan2(x, y)", -ZERO, 1.0, -ZERO),
    ("cospi(x)", 0.5, ZERO, ZERO),
    ("cospi(x)", 1.5, ZERO, ZERO),
    ("exp10(x)", 500.0, ZERO, INF),
    ("exp10(x)", -500.0, ZERO, ZERO),
    ("fmod(x, y)", -4.0, 2.0, -ZERO),
    ("hypot(x, y)", NAN, 1.0, NAN),
    ("hypot(x, y)", 1.0, NAN, NAN),
    ("hypot(x, y)", -INF, NAN, INF),
    ("hypot(x, y)", NAN, INF, INF),
    ("ilogb(x)", NAN, ZERO, -2_147_483_648.0),
    ("ilogb(x)", -INF, ZERO, 2_147_483_647.0),
    ("jn(3, x)", -ZERO, ZERO, -ZERO),
    ("lgamma(x)", -2.0, ZERO, INF),
    ("log(x)", -ZERO, ZERO, -INF),
    ("logb(x)", ZERO, ZERO, -INF),
    ("normcdfinv(x)", 0.5, ZERO, ZERO),
    ("pow(x, y)", -ZERO, -3.0, -INF),
    ("pow(x, (int)y)", -ZERO, -3.0, -INF),
    ("pow(x, (int)y)", -2.0, 5.0, -32.0),
    ("remainder(x, y)", 1.0, NAN, NAN),
    ("remainder(x, y)", 1.0, INF, 1.0),
    ("rsqrt(x)", -ZERO, ZERO, -INF),
    ("sinpi(x)", -3.0, ZERO, -ZERO),
    ("tgamma(x)", -ZERO, ZERO, -INF),
    ("tgamma(x)", -1.0, ZERO, NAN),
    ("yn(2, x)", ZERO, ZERO, -INF),
];

/// Odd functions: -0 is the result for -0.
const ODD: &[&str] = &[
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "cyl_bessel_i1",
    "erf",
    "erfinv",
    "expm1",
    "j1",
    "log1p",
    "nearbyint",
    "rint",
    "round",
    "sin",
    "sinh",
    "sinpi",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
];

/// Results of `double`, rounded from 60 digits.
const DOUBLES: &[Row] = &[
    ("sin(x)", 1.8e16, ZERO, 0.271_984_104_220_964_5),
    ("sin(x)", 1e22, ZERO, -0.852_200_849_767_188_8),
    ("cos(x)", 1e300, ZERO, -0.575_386_111_957_549_1),
    ("tan(x)", 2e33, ZERO, 0.903_845_214_959_312_5),
    ("exp10(x)", 308.2, ZERO, 1.584_893_192_461_072e308),
    ("sinh(x)", 710.3, ZERO, 1.507_788_755_590_971e308),
    ("cosh(x)", -710.3, ZERO, 1.507_788_755_590_971e308),
    ("normcdfinv(x)", 1e-8, ZERO, -5.612_001_244_174_789),
    ("normcdfinv(x)", 1e-3, ZERO, -3.090_232_306_167_813_6),
    ("erfcinv(x)", 1e-8, ZERO, 4.052_237_243_871_39),
    ("erfcinv(x)", 2e-300, ZERO, 26.196_253_016_549_353),
    ("normcdf(x)", -36.886_940_044_641_39, ZERO, 3.742_130_460_639_748e-298),
    ("erfcx(x)", -17.226_271_465_888_154, ZERO, 1.497_951_938_497_728_7e129),
    ("cyl_bessel_i0(x)", 2.5, ZERO, 3.289_839_144_050_123),
    ("cyl_bessel_i1(x)", -25.0, ZERO, -5_657_865_129.878_701),
    ("cyl_bessel_i0(x)", 713.0, ZERO, 6.705_128_263_670_996e307),
    ("jn(2, x)", 1e-100, ZERO, 1.25e-201),
    ("lgamma(x)", -0.5, ZERO, 1.265_512_123_484_645_4),
];

/// Results of calls, each with its `x` and `y`, in a precision.
fn results(rows: &[Row], precision: &str, target: &str) -> Vec<f64> {
    let mut text = format!(
        "extern \"C\" __global__ void k(const {precision} *in, {precision} *out) {{\n{precision} x, y;\n"
    );
    let double = precision == "double";
    let mut input = Vec::new();
    let mut put = |value: f64| {
        if double {
            input.extend(value.to_le_bytes());
        } else {
            input.extend((value as f32).to_le_bytes());
        }
    };
    for (index, (call, x, y, _)) in rows.iter().enumerate() {
        let at = 2 * index;
        let _ = writeln!(text, "x = in[{at}]; y = in[{}]; out[{index}] = {call};", at + 1);
        put(*x);
        put(*y);
    }
    text += "}\n";
    let ptx = compile(&text, target, 3).unwrap_or_else(|messages| panic!("{messages}"));
    let size = if double { 8 } else { 4 };
    let list = [Argument::Buffer(input), Argument::Buffer(vec![0; size * rows.len()])];
    let buffers =
        run(&ptx, target, "k", ((1, 1), (1, 1)), 0, &list).unwrap_or_else(|error| panic!("{error}"));
    let value = |bytes: &[u8]| match bytes.len() {
        8 => f64::from_le_bytes(bytes.try_into().expect("8 bytes")),
        _ => f64::from(f32::from_le_bytes(bytes.try_into().expect("4 bytes"))),
    };
    buffers[1].chunks_exact(size).map(value).collect()
}

/// Compares results with the expected ones, up to a relative error.
fn check(rows: &[Row], precision: &str, target: &str, tolerance: f64) {
    let mut wrong = Vec::new();
    for ((call, x, y, want), found) in rows.iter().zip(results(rows, precision, target)) {
        let equal = if want.is_nan() {
            found.is_nan()
        } else if *want == 0.0 || want.is_infinite() {
            found.to_bits() == want.to_bits()
        } else {
            (found - want).abs() <= tolerance * want.abs()
        };
        if !equal {
            wrong.push(format!("{call}, x = {x:e}, y = {y:e}: {found:e}, not {want:e}"));
        }
    }
    assert!(wrong.is_empty(), "{precision}, {target}: {wrong:#?}");
}

#[test]
fn special_arguments_have_the_results_of_the_standards() {
    let calls: Vec<String> = ODD.iter().map(|name| format!("{name}(x)")).collect();
    let calls: Vec<&'static str> = calls.into_iter().map(|call| &*call.leak()).collect();
    let odd = calls.iter().map(|call| (*call, -0.0, 0.0, -0.0));
    let rows: Vec<Row> = odd.chain(BOTH.iter().copied()).collect();
    check(&rows, "float", "sm_20", 1e-7);
    check(&rows, "float", "sm_10", 1e-7);
    check(&rows, "double", "sm_20", 1e-15);
    check(&rows, "double", "sm_13", 1e-15);
    check(DOUBLES, "double", "sm_20", 1e-15);
    check(DOUBLES, "double", "sm_13", 1e-15);
}
