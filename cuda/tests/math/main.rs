//! Errors of the math library, in units of the last place (ulp), against the bounds of the CUDA C
//! programming guide.
//!
//! `WARPSIM_MATH_SAMPLES=1000000` measures with more arguments.

#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
mod doubles;

use common::{Argument, as_floats, compile, floats, run};
use doubles::DOUBLES;

/// A function of one `float`: name, allowed error, domain, function of more precision.
type Row = (&'static str, f64, (f64, f64), fn(f64) -> f64);

const FLOATS: &[Row] = &[
    ("sinf", 2.0, (-1e5, 1e5), f64::sin),
    ("cosf", 2.0, (-1e5, 1e5), f64::cos),
    ("tanf", 4.0, (-1e5, 1e5), f64::tan),
    ("sinpif", 2.0, (-100.0, 100.0), |x| (x % 2.0 * std::f64::consts::PI).sin()),
    ("asinf", 4.0, (-1.0, 1.0), f64::asin),
    ("acosf", 3.0, (-1.0, 1.0), f64::acos),
    ("atanf", 2.0, (-1e4, 1e4), f64::atan),
    ("sinhf", 3.0, (-80.0, 80.0), f64::sinh),
    ("coshf", 2.0, (-80.0, 80.0), f64::cosh),
    ("tanhf", 2.0, (-10.0, 10.0), f64::tanh),
    ("asinhf", 3.0, (-1e4, 1e4), f64::asinh),
    ("acoshf", 4.0, (1.0, 1e4), f64::acosh),
    ("atanhf", 3.0, (-1.0, 1.0), f64::atanh),
    ("expf", 2.0, (-87.0, 88.0), f64::exp),
    ("exp2f", 2.0, (-125.0, 127.0), f64::exp2),
    ("exp10f", 2.0, (-37.0, 38.0), |x| 10f64.powf(x)),
    ("expm1f", 1.0, (-80.0, 80.0), f64::exp_m1),
    ("logf", 1.0, (1e-30, 1e30), f64::ln),
    ("log2f", 3.0, (1e-30, 1e30), f64::log2),
    ("log10f", 3.0, (1e-30, 1e30), f64::log10),
    ("log1pf", 2.0, (-0.9, 1e6), f64::ln_1p),
    ("sqrtf", 0.5, (0.0, 1e30), f64::sqrt),
    ("rsqrtf", 2.0, (1e-30, 1e30), |x| 1.0 / x.sqrt()),
    ("cbrtf", 1.0, (-1e30, 1e30), f64::cbrt),
    ("erff", 3.0, (-4.5, 4.5), erf),
    ("erfcf", 6.0, (-4.0, 9.0), erfc),
    ("erfinvf", 5.0, (-0.999, 0.999), inverse),
    ("lgammaf", 6.0, (0.01, 1e6), |x| gamma(x).1),
    ("tgammaf", 11.0, (0.01, 34.0), |x| gamma(x).0),
];

/// The error function by its series of positive terms.
fn erf(x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (x, x, 1.0);
    while term.abs() > 1e-20 * sum.abs() {
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
        n += 1.0;
    }
    sum * (-x * x).exp() * std::f64::consts::FRAC_2_SQRT_PI
}

/// The complement by its continued fraction.
fn erfc(x: f64) -> f64 {
    if x < 1.0 {
        return 1.0 - erf(x);
    }
    let fraction = (1..=400).rev().fold(x, |f, n| x + f64::from(n) * 0.5 / f);
    (-x * x).exp() / fraction / std::f64::consts::PI.sqrt()
}

/// The inverse of the error function by Newton's method.
fn inverse(y: f64) -> f64 {
    let mut x = 0.0;
    for _ in 0..60 {
        let error = if y.abs() < 0.5 { erf(x) - y } else { ((1.0 - y.abs()) - erfc(x.abs())) * y.signum() };
        x -= error / (std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp());
    }
    x
}

/// The gamma function of a positive number and its logarithm, by Stirling's series behind a shift.
fn gamma(x: f64) -> (f64, f64) {
    let (mut product, mut shift, mut y) = (1.0, 0.0, x);
    while y < 20.0 {
        product *= y;
        shift += y.ln();
        y += 1.0;
    }
    let z = 1.0 / (y * y);
    let series = (1.0 / 12.0 - z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z / 1680.0))) / y;
    let log = (y - 0.5) * y.ln() - y + 0.5 * std::f64::consts::TAU.ln() + series;
    // Near 1 and 2 the logarithm of the quotient keeps more digits than the difference.
    let value = log.exp() / product;
    (value, if x < 4.0 { value.ln() } else { log - shift })
}

/// Arguments over a domain: even steps, and powers of its ends.
fn arguments((low, high): (f64, f64), count: usize) -> Vec<f32> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let one = |index: usize| {
        let part = random();
        if index.is_multiple_of(2) {
            return (low + (high - low) * part) as f32;
        }
        // Small numbers of both signs, or all sizes of a positive domain.
        let end = if low < 0.0 && random() < 0.5 { low } else { high };
        let least: f64 = if low > 0.0 { low } else { 1e-6 * high.abs() };
        let size = least * (end.abs() / least).powf(part);
        if end < 0.0 { -size as f32 } else { size as f32 }
    };
    let inside = |x: &f32| (low..=high).contains(&f64::from(*x));
    (0..count).map(one).filter(inside).collect()
}

/// Distance of the neighbouring `float` of a value.
fn ulp(value: f64) -> f64 {
    let bits = (value.abs() as f32).to_bits();
    f64::from(f32::from_bits(bits + 1)) - f64::from(f32::from_bits(bits))
}

/// Distance of the neighbouring `double` of a value.
fn ulp_double(value: f64) -> f64 {
    f64::from_bits(value.abs().to_bits() + 1) - value.abs()
}

fn kernel(function: &str, ty: &str) -> String {
    format!(
        "extern \"C\" __global__ void k(const {ty} *in, {ty} *out, int n) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) out[i] = {function}(in[i]);
        }}"
    )
}

#[test]
fn errors_of_float_functions_are_within_the_bounds_of_the_guide() {
    let samples = std::env::var("WARPSIM_MATH_SAMPLES").ok().and_then(|text| text.parse().ok());
    let mut wrong = Vec::new();
    for (name, bound, domain, exact) in FLOATS {
        let input = arguments(*domain, samples.unwrap_or(4000));
        let ptx = compile(&kernel(name, "float"), "sm_20", 3).unwrap_or_else(|e| panic!("{name}: {e}"));
        let shape = ((input.len().div_ceil(128) as u32, 1), (128, 1));
        let list = [floats(&input), floats(&vec![0.0; input.len()]), Argument::Int(input.len() as i32)];
        let buffers = run(&ptx, "sm_20", "k", shape, 0, &list).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (mut worst, mut at) = (0.0, 0.0);
        for (x, found) in input.iter().zip(as_floats(&buffers[1])) {
            let value = exact(f64::from(*x));
            let error = (f64::from(found) - value).abs() / ulp(value);
            // A NaN is the largest error.
            if error.is_nan() || error > worst {
                (worst, at) = (error, *x);
            }
        }
        println!("{name} | {worst:.2} | {bound} | {at:e}");
        if worst.is_nan() || worst > bound + 0.51 {
            wrong.push(format!("{name}({at:e}): {worst:.2} ulp, {bound} allowed"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn errors_of_double_functions_are_within_the_bounds_of_the_guide() {
    let bytes =
        |values: &mut dyn Iterator<Item = f64>| Argument::Buffer(values.flat_map(f64::to_le_bytes).collect());
    let mut wrong = Vec::new();
    for (name, bound, pairs) in DOUBLES {
        let ptx = compile(&kernel(name, "double"), "sm_20", 3).unwrap_or_else(|e| panic!("{name}: {e}"));
        let count = pairs.len();
        let list = [
            bytes(&mut pairs.iter().map(|pair| pair.0)),
            Argument::Buffer(vec![0; 8 * count]),
            Argument::Int(count as i32),
        ];
        let buffers = run(&ptx, "sm_20", "k", ((1, 1), (64, 1)), 0, &list);
        let buffers = buffers.unwrap_or_else(|e| panic!("{name}: {e}"));
        for ((x, value), found) in pairs.iter().zip(buffers[1].chunks_exact(8)) {
            let found = f64::from_le_bytes(found.try_into().expect("8 bytes"));
            let error = (found - value).abs() / ulp_double(*value);
            println!("{name}({x:e}) | {error:.2} | {bound}");
            if error.is_nan() || error > bound + 0.51 {
                wrong.push(format!("{name}({x:e}) = {found:e}: {error:.2} ulp, {bound} allowed"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
