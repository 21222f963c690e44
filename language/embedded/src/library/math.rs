//! `math.h`. The functions are those of `libm`, so that results are the same on every host.

use super::{Call, Table};

/// Defines functions of `double` and of `float` (the name with an `f`).
macro_rules! functions {
    ($($name:literal $single:literal |$($x:ident),*| $double:expr, $float:expr;)*) => {
        pub(super) const TABLE: Table = &[$(
            ($name, |call| {
                let mut at = 0..;
                $(let $x = f64::from_bits(call.word(at.next().unwrap_or(0)));)*
                Ok(f64::to_bits($double))
            }),
            ($single, |call| {
                let mut at = 0..;
                $(let $x = f32::from_bits(call.word(at.next().unwrap_or(0)) as u32);)*
                Ok(u64::from(f32::to_bits($float)))
            }),
        )*
        ];
    };
}

functions! {
    "sqrt" "sqrtf" |x| x.sqrt(), x.sqrt();
    "cbrt" "cbrtf" |x| libm::cbrt(x), libm::cbrtf(x);
    "sin" "sinf" |x| libm::sin(x), libm::sinf(x);
    "cos" "cosf" |x| libm::cos(x), libm::cosf(x);
    "tan" "tanf" |x| libm::tan(x), libm::tanf(x);
    "asin" "asinf" |x| libm::asin(x), libm::asinf(x);
    "acos" "acosf" |x| libm::acos(x), libm::acosf(x);
    "atan" "atanf" |x| libm::atan(x), libm::atanf(x);
    "sinh" "sinhf" |x| libm::sinh(x), libm::sinhf(x);
    "cosh" "coshf" |x| libm::cosh(x), libm::coshf(x);
    "tanh" "tanhf" |x| libm::tanh(x), libm::tanhf(x);
    "asinh" "asinhf" |x| libm::asinh(x), libm::asinhf(x);
    // libm 0.2.16 gives numbers for negative arguments.
    "acosh" "acoshf" |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) },
        if x < 1.0 { f32::NAN } else { libm::acoshf(x) };
    "atanh" "atanhf" |x| libm::atanh(x), libm::atanhf(x);
    "exp" "expf" |x| libm::exp(x), libm::expf(x);
    "exp2" "exp2f" |x| libm::exp2(x), libm::exp2f(x);
    "expm1" "expm1f" |x| libm::expm1(x), libm::expm1f(x);
    "log" "logf" |x| libm::log(x), libm::logf(x);
    "log2" "log2f" |x| libm::log2(x), libm::log2f(x);
    "log10" "log10f" |x| libm::log10(x), libm::log10f(x);
    "log1p" "log1pf" |x| libm::log1p(x), libm::log1pf(x);
    "floor" "floorf" |x| libm::floor(x), libm::floorf(x);
    "ceil" "ceilf" |x| libm::ceil(x), libm::ceilf(x);
    "trunc" "truncf" |x| libm::trunc(x), libm::truncf(x);
    "round" "roundf" |x| libm::round(x), libm::roundf(x);
    "rint" "rintf" |x| libm::rint(x), libm::rintf(x);
    "nearbyint" "nearbyintf" |x| libm::rint(x), libm::rintf(x);
    "fabs" "fabsf" |x| x.abs(), x.abs();
    "erf" "erff" |x| libm::erf(x), libm::erff(x);
    "erfc" "erfcf" |x| libm::erfc(x), libm::erfcf(x);
    "tgamma" "tgammaf" |x| libm::tgamma(x), libm::tgamma(f64::from(x)) as f32;
    "lgamma" "lgammaf" |x| libm::lgamma(x), libm::lgamma(f64::from(x)) as f32;
    "pow" "powf" |x, y| libm::pow(x, y), libm::powf(x, y);
    "atan2" "atan2f" |x, y| libm::atan2(x, y), libm::atan2f(x, y);
    "fmod" "fmodf" |x, y| libm::fmod(x, y), libm::fmodf(x, y);
    "hypot" "hypotf" |x, y| libm::hypot(x, y), libm::hypotf(x, y);
    "fmax" "fmaxf" |x, y| libm::fmax(x, y), libm::fmaxf(x, y);
    "fmin" "fminf" |x, y| libm::fmin(x, y), libm::fminf(x, y);
    "fdim" "fdimf" |x, y| libm::fdim(x, y), libm::fdimf(x, y);
    "copysign" "copysignf" |x, y| libm::copysign(x, y), libm::copysignf(x, y);
    "remainder" "remainderf" |x, y| libm::remainder(x, y), libm::remainderf(x, y);
    "exp10" "exp10f" |x| libm::exp10(x), libm::exp10(f64::from(x)) as f32;
    "logb" "logbf" |x| logb(x), logb(f64::from(x)) as f32;
    "j0" "j0f" |x| libm::j0(x), libm::j0(f64::from(x)) as f32;
    "j1" "j1f" |x| libm::j1(x), libm::j1(f64::from(x)) as f32;
    "y0" "y0f" |x| libm::y0(x), libm::y0(f64::from(x)) as f32;
    "y1" "y1f" |x| libm::y1(x), libm::y1(f64::from(x)) as f32;
    "nextafter" "nextafterf" |x, y| libm::nextafter(x, y), libm::nextafterf(x, y);
    "fma" "fmaf" |x, y, z| libm::fma(x, y, z), libm::fmaf(x, y, z);
}

/// Functions with integers or pointers, and functions of other types.
pub(super) const OTHERS: Table = &[
    ("ldexp", |call| Ok(scale(call))),
    ("ldexpf", |call| Ok(scale_single(call))),
    ("scalbn", |call| Ok(scale(call))),
    ("scalbnf", |call| Ok(scale_single(call))),
    ("scalbln", |call| Ok(scale(call))),
    ("scalblnf", |call| Ok(scale_single(call))),
    ("frexp", |call| {
        let (part, exponent) = libm::frexp(double(call, 0));
        call.memory.write(call.word(1), &exponent.to_le_bytes())?;
        Ok(part.to_bits())
    }),
    ("frexpf", |call| {
        let (part, exponent) = libm::frexpf(single(call, 0));
        call.memory.write(call.word(1), &exponent.to_le_bytes())?;
        Ok(part.to_bits().into())
    }),
    ("modf", |call| {
        let (part, whole) = parts(double(call, 0));
        call.memory.write(call.word(1), &whole.to_le_bytes())?;
        Ok(part.to_bits())
    }),
    ("modff", |call| {
        let (part, whole) = parts(single(call, 0).into());
        call.memory.write(call.word(1), &(whole as f32).to_le_bytes())?;
        Ok((part as f32).to_bits().into())
    }),
    ("sincos", |call| {
        let (sin, cos) = (libm::sin(double(call, 0)), libm::cos(double(call, 0)));
        call.memory.write(call.word(1), &sin.to_le_bytes())?;
        call.memory.write(call.word(2), &cos.to_le_bytes())?;
        Ok(0)
    }),
    ("sincosf", |call| {
        let (sin, cos) = (libm::sinf(single(call, 0)), libm::cosf(single(call, 0)));
        call.memory.write(call.word(1), &sin.to_le_bytes())?;
        call.memory.write(call.word(2), &cos.to_le_bytes())?;
        Ok(0)
    }),
    ("remquo", |call| {
        let (rest, quotient) = libm::remquo(double(call, 0), double(call, 1));
        call.memory.write(call.word(2), &quotient.to_le_bytes())?;
        Ok(rest.to_bits())
    }),
    ("remquof", |call| {
        let (rest, quotient) = libm::remquof(single(call, 0), single(call, 1));
        call.memory.write(call.word(2), &quotient.to_le_bytes())?;
        Ok(rest.to_bits().into())
    }),
    ("nexttowardf", |call| Ok(toward(single(call, 0), double(call, 1)).to_bits().into())),
    ("jn", |call| Ok(libm::jn(call.int(0), double(call, 1)).to_bits())),
    ("yn", |call| Ok(libm::yn(call.int(0), double(call, 1)).to_bits())),
    ("jnf", |call| Ok(((libm::jn(call.int(0), single(call, 1).into())) as f32).to_bits().into())),
    ("ynf", |call| Ok(((libm::yn(call.int(0), single(call, 1).into())) as f32).to_bits().into())),
    ("ilogb", |call| Ok(i64::from(exponent(double(call, 0))) as u64)),
    ("ilogbf", |call| Ok(i64::from(exponent(single(call, 0).into())) as u64)),
    ("lround", |call| Ok(whole(libm::round(double(call, 0))))),
    ("lroundf", |call| Ok(whole(libm::roundf(single(call, 0)).into()))),
    ("llround", |call| Ok(whole(libm::round(double(call, 0))))),
    ("llroundf", |call| Ok(whole(libm::roundf(single(call, 0)).into()))),
    ("lrint", |call| Ok(whole(libm::rint(double(call, 0))))),
    ("lrintf", |call| Ok(whole(libm::rintf(single(call, 0)).into()))),
    ("llrint", |call| Ok(whole(libm::rint(double(call, 0))))),
    ("llrintf", |call| Ok(whole(libm::rintf(single(call, 0)).into()))),
    ("abs", |call| Ok(i64::from(call.int(0).wrapping_abs()) as u64)),
    ("labs", |call| Ok((call.word(0) as i64).wrapping_abs() as u64)),
    ("llabs", |call| Ok((call.word(0) as i64).wrapping_abs() as u64)),
];

fn double(call: &Call<'_>, at: usize) -> f64 {
    f64::from_bits(call.word(at))
}

fn single(call: &Call<'_>, at: usize) -> f32 {
    f32::from_bits(call.word(at) as u32)
}

/// `ldexp`: an exponent of type `int` or `long`.
fn scale(call: &Call<'_>) -> u64 {
    libm::scalbn(double(call, 0), limited(call.word(1))).to_bits()
}

fn scale_single(call: &Call<'_>) -> u64 {
    libm::scalbnf(single(call, 0), limited(call.word(1))).to_bits().into()
}

/// An exponent: no larger one has another effect.
fn limited(word: u64) -> i32 {
    (word as i64).clamp(-10_000, 10_000) as i32
}

/// `modf`. The parts of an infinity are a zero and itself.
fn parts(value: f64) -> (f64, f64) {
    let whole = value.trunc();
    let part = if value.is_infinite() { 0.0 } else { value - whole };
    (part.copysign(value), whole)
}

/// A `long`; the smallest one for values that do not fit, as on x86.
fn whole(value: f64) -> u64 {
    const END: f64 = 9_223_372_036_854_775_808.0;
    let fits = (-END..END).contains(&value);
    (if fits { value as i64 } else { i64::MIN }) as u64
}

/// `ilogb`, with the numbers of glibc on x86 for zero, infinity and NaN.
fn exponent(value: f64) -> i32 {
    match value {
        _ if value == 0.0 || value.is_nan() => i32::MIN,
        _ if value.is_infinite() => i32::MAX,
        _ => libm::ilogb(value),
    }
}

fn logb(value: f64) -> f64 {
    match value {
        _ if value == 0.0 => f64::NEG_INFINITY,
        _ if !value.is_finite() => value * value,
        _ => libm::ilogb(value).into(),
    }
}

/// The next `float` in the direction of a `double`.
fn toward(from: f32, to: f64) -> f32 {
    match f64::from(from).partial_cmp(&to) {
        None => f32::NAN,
        Some(std::cmp::Ordering::Equal) => to as f32,
        Some(std::cmp::Ordering::Less) => libm::nextafterf(from, f32::INFINITY),
        Some(std::cmp::Ordering::Greater) => libm::nextafterf(from, f32::NEG_INFINITY),
    }
}
