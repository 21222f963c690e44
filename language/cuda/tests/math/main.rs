//! Errors of the math library, in units of the last place (ulp), against the bounds of the CUDA C
//! programming guide.
//!
//! `WARPSIM_MATH_SAMPLES=4294967296` measures with all arguments.

#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
mod doubles;
mod special;

use common::{Argument, as_floats, compile, run};
use doubles::DOUBLES;
use std::sync::atomic::{AtomicU64, Ordering};

/// A function of one `float`: name, allowed error, function of more precision.
type Row = (&'static str, f64, fn(f64) -> f64);

const FLOATS: &[Row] = &[
    ("sinf", 2.0, f64::sin),
    ("cosf", 2.0, f64::cos),
    ("tanf", 4.0, f64::tan),
    ("sinpif", 2.0, sinpi),
    ("asinf", 4.0, f64::asin),
    ("acosf", 3.0, f64::acos),
    ("atanf", 2.0, f64::atan),
    ("sinhf", 3.0, f64::sinh),
    ("coshf", 2.0, f64::cosh),
    ("tanhf", 2.0, f64::tanh),
    ("asinhf", 3.0, libm::asinh),
    ("acoshf", 4.0, |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }),
    ("atanhf", 3.0, libm::atanh),
    ("expf", 2.0, f64::exp),
    ("exp2f", 2.0, f64::exp2),
    ("exp10f", 2.0, |x| 10f64.powf(x)),
    ("expm1f", 1.0, f64::exp_m1),
    ("logf", 1.0, f64::ln),
    ("log2f", 3.0, f64::log2),
    ("log10f", 3.0, f64::log10),
    ("log1pf", 2.0, f64::ln_1p),
    ("sqrtf", 0.0, f64::sqrt),
    ("rsqrtf", 2.0, |x| 1.0 / x.sqrt()),
    ("cbrtf", 1.0, f64::cbrt),
    ("erff", 3.0, libm::erf),
    ("erfcf", 6.0, libm::erfc),
    ("erfinvf", 5.0, inverse),
    ("lgammaf", 6.0, lgamma),
    ("tgammaf", 11.0, libm::tgamma),
];

/// A function of two `float`s: name, allowed error, function of more precision.
type Pair = (&'static str, f64, fn(f64, f64) -> f64);

const PAIRS: &[Pair] = &[
    ("powf", 8.0, f64::powf),
    ("atan2f", 3.0, f64::atan2),
    ("hypotf", 3.0, f64::hypot),
    ("fmodf", 0.0, |x, y| x % y),
    ("remainderf", 0.0, libm::remainder),
    ("fdimf", 0.0, libm::fdim),
];

/// A function of more precision, for all threads.
type Exact<'f> = &'f (dyn Fn(f64, f64) -> f64 + Sync);

/// The sine of pi times a number; the argument is reduced without an error.
fn sinpi(x: f64) -> f64 {
    let rest = x - 2.0 * (x / 2.0).round();
    let rest = if rest.abs() > 0.5 { 1f64.copysign(rest) - rest } else { rest };
    (rest * std::f64::consts::PI).sin()
}

/// The inverse of the error function by Newton's method.
fn inverse(y: f64) -> f64 {
    if y.abs() >= 1.0 {
        return if y.abs() > 1.0 { f64::NAN } else { y / 0.0 };
    }
    // The start is exact to two digits (S. Winitzki, 2008).
    let (a, log) = (0.147, (1.0 - y * y).ln());
    let half = 2.0 / (std::f64::consts::PI * a) + log / 2.0;
    let mut x = ((half * half - log / a).sqrt() - half).max(0.0).sqrt().copysign(y);
    for _ in 0..5 {
        let error = if y.abs() < 0.5 {
            libm::erf(x) - y
        } else {
            ((1.0 - y.abs()) - libm::erfc(x.abs())) * y.signum()
        };
        x -= error / (std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp());
    }
    x
}

/// The logarithm of the gamma function, where the guide has a bound.
fn lgamma(x: f64) -> f64 {
    if (-10.001..=-2.264).contains(&x) { f64::NAN } else { libm::lgamma(x) }
}

/// Error of a value in units of the last place. Infinity is the number behind the largest.
fn error(found: f32, exact: f64) -> f64 {
    let end = 2f64.powi(128);
    let (found, exact) = (f64::from(found).clamp(-end, end), exact.clamp(-end, end));
    (found - exact).abs() / ulp(exact)
}

/// Distance of the neighbouring `float` of a value.
fn ulp(value: f64) -> f64 {
    let bits = (value.abs() as f32).to_bits().min(f32::MAX.to_bits() - 1);
    f64::from(f32::from_bits(bits + 1)) - f64::from(f32::from_bits(bits))
}

/// Distance of the neighbouring `double` of a value.
fn ulp_double(value: f64) -> f64 {
    f64::from_bits(value.abs().to_bits() + 1) - value.abs()
}

/// The largest error, with its argument.
#[derive(Clone, Copy)]
struct Worst {
    error: f64,
    at: (f32, f32),
}

impl Worst {
    const NONE: Self = Self { error: 0.0, at: (0.0, 0.0) };

    fn of(self, other: Self) -> Self {
        // A NaN is the largest error.
        if self.error.is_nan() || self.error >= other.error { self } else { other }
    }
}

/// Arguments of a launch. They are the numbers `index * stride` as bits, so that all sizes and
/// signs, infinities and NaN are among them.
const CHUNK: u64 = 1 << 18;

/// The arguments at an index.
fn arguments(index: u64, stride: u32) -> (f32, f32) {
    let bits = (index as u32).wrapping_mul(stride);
    (f32::from_bits(bits), f32::from_bits(bits.wrapping_mul(0x9e37_79b1)))
}

/// Finds the largest error of a call for the arguments of a launch.
fn measure(ptx: &str, first: u64, count: u64, stride: u32, exact: &dyn Fn(f64, f64) -> f64) -> Worst {
    let list = [
        Argument::Buffer(vec![0; 4 * count as usize]),
        Argument::Int(first as i32),
        Argument::Int(stride as i32),
        Argument::Int(count as i32),
    ];
    let shape = ((count.div_ceil(256) as u32, 1), (256, 1));
    let buffers = run(ptx, "sm_20", "k", shape, 0, &list).unwrap_or_else(|e| panic!("{e}"));
    let mut worst = Worst::NONE;
    for (index, found) in (first..).zip(as_floats(&buffers[0])) {
        let at = arguments(index, stride);
        let exact = exact(f64::from(at.0), f64::from(at.1));
        // The guide has no bound for a part of the negative arguments of `lgammaf`.
        let error = if exact.is_nan() && (found.is_nan() || at.0 < -2.0) { 0.0 } else { error(found, exact) };
        worst = worst.of(Worst { error, at });
    }
    worst
}

/// Finds the largest error of a call with the arguments `x` and `y`. `WARPSIM_MATH_SAMPLES` of them
/// are tried: 2^32 are all numbers.
fn worst(call: &str, exact: Exact<'_>) -> Worst {
    let samples = std::env::var("WARPSIM_MATH_SAMPLES").ok().and_then(|text| text.parse().ok());
    let count: u64 = samples.unwrap_or(1 << 14);
    let stride = ((1u64 << 32) / count) as u32 | 1;
    let text = format!(
        "extern \"C\" __global__ void k(float *out, unsigned first, unsigned stride, int n) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            unsigned bits = (first + i) * stride;
            float x = __int_as_float(bits), y = __int_as_float(bits * 0x9e3779b1u);
            if (i < n) out[i] = {call};
        }}"
    );
    let ptx = compile(&text, "sm_20", 3).unwrap_or_else(|e| panic!("{call}: {e}"));
    let next = AtomicU64::new(0);
    let work = || {
        let mut worst = Worst::NONE;
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= count {
                return worst;
            }
            worst = worst.of(measure(&ptx, first, CHUNK.min(count - first), stride, exact));
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, Into::into);
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().map(|thread| thread.join().expect("no panic")).fold(Worst::NONE, Worst::of)
    })
}

#[test]
fn errors_of_float_functions_are_within_the_bounds_of_the_guide() {
    // `WARPSIM_MATH_FUNCTION=sinf` measures one function.
    let only = std::env::var("WARPSIM_MATH_FUNCTION").ok();
    let mut wrong = Vec::new();
    let mut row = |name: &str, call: &str, bound: f64, exact: Exact<'_>| {
        if only.as_ref().is_some_and(|only| only != name) {
            return;
        }
        let Worst { error, at } = worst(call, exact);
        println!("{name} | {error:.2} | {bound} | {at:?}");
        // The bounds are those of the distance from the rounded result.
        if error.is_nan() || error > bound + 0.500_001 {
            wrong.push(format!("{name}{at:?}: {error:.2} ulp, {bound} allowed"));
        }
    };
    for (name, bound, exact) in FLOATS {
        row(name, &format!("{name}(x)"), *bound, &|x, _| exact(x));
    }
    for (name, bound, exact) in PAIRS {
        row(name, &format!("{name}(x, y)"), *bound, exact);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A kernel that applies a function of one `double`.
fn kernel(function: &str) -> String {
    format!(
        "extern \"C\" __global__ void k(const double *in, double *out, int n) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) out[i] = {function}(in[i]);
        }}"
    )
}

#[test]
fn errors_of_double_functions_are_within_the_bounds_of_the_guide() {
    let bytes =
        |values: &mut dyn Iterator<Item = f64>| Argument::Buffer(values.flat_map(f64::to_le_bytes).collect());
    let mut wrong = Vec::new();
    for (name, bound, pairs) in DOUBLES {
        let ptx = compile(&kernel(name), "sm_20", 3).unwrap_or_else(|e| panic!("{name}: {e}"));
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
