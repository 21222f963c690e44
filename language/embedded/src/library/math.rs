//! `math.h`. The functions are those of `libm`, so that results are the same on every host.

use super::Table;

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
            ("ldexp", |call| Ok(libm::ldexp(f64::from_bits(call.word(0)), call.int(1)).to_bits())),
            ("ldexpf", |call| {
                Ok(u64::from(libm::ldexpf(f32::from_bits(call.word(0) as u32), call.int(1)).to_bits()))
            }),
            ("frexp", |call| {
                let (part, exponent) = libm::frexp(f64::from_bits(call.word(0)));
                call.memory.write(call.word(1), &exponent.to_le_bytes())?;
                Ok(part.to_bits())
            }),
            ("modf", |call| {
                let (part, whole) = libm::modf(f64::from_bits(call.word(0)));
                call.memory.write(call.word(1), &whole.to_le_bytes())?;
                Ok(part.to_bits())
            }),
            ("lround", |call| Ok(libm::round(f64::from_bits(call.word(0))) as i64 as u64)),
            ("lroundf", |call| Ok(libm::roundf(f32::from_bits(call.word(0) as u32)) as i64 as u64)),
            ("lrint", |call| Ok(libm::rint(f64::from_bits(call.word(0))) as i64 as u64)),
            ("abs", |call| Ok(i64::from(call.int(0).wrapping_abs()) as u64)),
            ("labs", |call| Ok((call.word(0) as i64).wrapping_abs() as u64)),
            ("llabs", |call| Ok((call.word(0) as i64).wrapping_abs() as u64)),
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
    "acosh" "acoshf" |x| libm::acosh(x), libm::acoshf(x);
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
    "tgamma" "tgammaf" |x| libm::tgamma(x), libm::tgammaf(x);
    "lgamma" "lgammaf" |x| libm::lgamma(x), libm::lgammaf(x);
    "pow" "powf" |x, y| libm::pow(x, y), libm::powf(x, y);
    "atan2" "atan2f" |x, y| libm::atan2(x, y), libm::atan2f(x, y);
    "fmod" "fmodf" |x, y| libm::fmod(x, y), libm::fmodf(x, y);
    "hypot" "hypotf" |x, y| libm::hypot(x, y), libm::hypotf(x, y);
    "fmax" "fmaxf" |x, y| libm::fmax(x, y), libm::fmaxf(x, y);
    "fmin" "fminf" |x, y| libm::fmin(x, y), libm::fminf(x, y);
    "fdim" "fdimf" |x, y| libm::fdim(x, y), libm::fdimf(x, y);
    "copysign" "copysignf" |x, y| libm::copysign(x, y), libm::copysignf(x, y);
    "remainder" "remainderf" |x, y| libm::remainder(x, y), libm::remainderf(x, y);
    "fma" "fmaf" |x, y, z| libm::fma(x, y, z), libm::fmaf(x, y, z);
}
