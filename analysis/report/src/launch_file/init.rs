//! The contents of buffers and symbols before the launch.

use super::bind::Bound;
use super::forms::range_error;
use super::schema::{Array, Init, LaunchFile};
use super::value::{Number, encode, is_float};
use super::{Data, Spanned, codes, refused};
use crate::access::{self, Refusal};
use isa::diag::Diagnostic;
use isa::span::Span;
use isa::types::ScalarType;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Makes the contents of all buffers and symbols; `None` with a diagnostic if that is impossible.
/// Buffers of more than `memory` bytes together are rejected before they are made.
pub fn make_all(
    file: &LaunchFile,
    bound: &Bound,
    folder: &Path,
    memory: u64,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<Option<Data>>, Vec<Option<Data>>) {
    let mut left = memory;
    let buffers = file
        .buffers
        .iter()
        .map(|buffer| {
            make(buffer, buffer.ty?, None, &mut left, folder).map_err(|d| diagnostics.push(d)).ok()?
        })
        .collect();
    let symbols = file.symbols.iter().zip(&bound.symbols).map(|(array, declared)| {
        let (ty, bytes) = (*declared)?;
        let mut space = u64::MAX;
        make(array, array.ty.unwrap_or(ty), Some(bytes), &mut space, folder)
            .map_err(|d| diagnostics.push(d))
            .ok()?
    });
    (buffers, symbols.collect())
}

/// Makes the contents of one array. `declared`: the size of a symbol, which may be initialized in
/// part.
fn make(
    array: &Array,
    ty: ScalarType,
    declared: Option<u64>,
    left: &mut u64,
    folder: &Path,
) -> Result<Option<Data>, Diagnostic> {
    let name = &array.name;
    let wrong_length =
        |span, message: String| Diagnostic::error(codes::LENGTH, span, message).label("this length");
    // A missing field has been reported.
    let Some(init) = &array.init else { return Ok(None) };
    let size = u64::from(ty.bytes());
    let given = array.bytes.as_ref().map(|b| b.value).or(declared);
    if given.is_none() && !matches!(init.value, Init::Values(_) | Init::File(_)) {
        return Ok(None);
    }
    let opened = match &init.value {
        Init::File(path) => Some(open(folder, path, init.span)?),
        _ => None,
    };
    let own = match (&init.value, &opened) {
        (Init::Values(values), _) => values.len() as u64 * size,
        (_, Some((_, bytes))) => *bytes,
        _ => given.unwrap_or(0),
    };
    let total = if declared.is_some() { own } else { given.unwrap_or(own) };
    let span = array.bytes.as_ref().map_or(init.span, |b| b.span);
    if given.is_some_and(|given| own > given) {
        let message =
            format!("the initial data has {own} bytes, but `{}` has {}", name.value, given.unwrap_or(0));
        return Err(wrong_length(init.span, message));
    }
    if opened.is_some() && own != total {
        let message = format!("the file has {own} bytes, but `{}` has {total}", name.value);
        return Err(Diagnostic::error(codes::FILE, init.span, message).label("this file"));
    }
    if total == 0 || !total.is_multiple_of(size) {
        let message =
            format!("`{}` has {total} bytes, which is not a whole number of {ty} elements", name.value);
        return Err(wrong_length(init.span, message));
    }
    if total > *left {
        let message = format!("the buffers exceed the device memory: `{}` has {total} bytes", name.value);
        return Err(wrong_length(span, message));
    }
    *left -= total;
    let bytes = match opened {
        Some((file, bytes)) => read(file, bytes, init.span)?,
        None => generate(init, ty, total)?,
    };
    Ok(Some(Data { ty, bytes }))
}

/// Opens the file at `path`, relative to the launch file's folder; returns it with its size.
pub fn open(folder: &Path, path: &Path, span: Span) -> Result<(File, u64), Diagnostic> {
    let cannot = |why: &Refusal| refused("read", &folder.join(path), why, span);
    let path = access::named(folder, path).map_err(|why| cannot(&why))?;
    let file = File::open(path).map_err(|why| cannot(&why.into()))?;
    let metadata = file.metadata().map_err(|why| cannot(&why.into()))?;
    if !metadata.is_file() {
        return Err(cannot(&Refusal::Special));
    }
    Ok((file, metadata.len()))
}

/// Reads an open file of `bytes` bytes.
pub fn read(file: File, bytes: u64, span: Span) -> Result<Vec<u8>, Diagnostic> {
    let mut out = Vec::new();
    match file.take(bytes).read_to_end(&mut out) {
        Ok(_) if out.len() as u64 == bytes => Ok(out),
        Ok(_) => {
            Err(Diagnostic::error(codes::FILE, span, "the file changed during reading").label("this file"))
        }
        Err(error) => {
            Err(Diagnostic::error(codes::FILE, span, format!("cannot read the file: {error}"))
                .label("this file"))
        }
    }
}

/// Returns `total` bytes of generated numbers.
fn generate(init: &Spanned<Init>, ty: ScalarType, total: u64) -> Result<Vec<u8>, Diagnostic> {
    let count = total / u64::from(ty.bytes());
    if matches!(init.value, Init::Zero | Init::Host) {
        // The host allocates zero pages lazily.
        return Ok(vec![0; total as usize]);
    }
    let mut out = Vec::with_capacity(total as usize);
    let wrong = |why| range_error(init.span, why);
    match &init.value {
        Init::Zero | Init::Host | Init::File(_) => {}
        Init::Fill(value) => {
            encode(ty, *value, &mut out).map_err(wrong)?;
            out = out.repeat(count as usize);
        }
        Init::Iota(start, step) => {
            for i in 0..count {
                encode(ty, iota(*start, *step, i), &mut out).map_err(wrong)?;
            }
        }
        Init::Random(seed, low, high) => random(*seed, *low, *high, ty, count, &mut out).map_err(wrong)?,
        Init::Values(values) => {
            for value in values {
                encode(ty, value.value, &mut out).map_err(|why| range_error(value.span, why))?;
            }
        }
    }
    out.resize(total as usize, 0);
    Ok(out)
}

fn iota(start: Number, step: Number, i: u64) -> Number {
    match (start, step) {
        // i is below 2^33: the product of two 64-bit numbers of this size cannot overflow 128 bits.
        (Number::Int(start), Number::Int(step)) => Number::Int(start + step * i128::from(i)),
        _ => Number::Float(start.as_f64() + step.as_f64() * i as f64),
    }
}

/// Appends uniform random numbers, `low <= v < high` (floats may round up to `high`), from
/// `ChaCha8` with this seed: 64 bits of the stream for each number, the same on every host.
fn random(
    seed: u64,
    low: Number,
    high: Number,
    ty: ScalarType,
    count: u64,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    if is_float(ty) {
        let (low, high) = (low.as_f64(), high.as_f64());
        let span = high - low;
        if !(span > 0.0 && span.is_finite()) {
            return Err(format!("invalid range of random numbers: {low} to {high}"));
        }
        let mut scratch = Vec::new();
        encode(ty, Number::Float(low), &mut scratch)?;
        encode(ty, Number::Float(high), &mut scratch)?;
        for _ in 0..count {
            let fraction = (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            encode(ty, Number::Float(low + fraction * span), out)?;
        }
        return Ok(());
    }
    let (Number::Int(low), Number::Int(high)) = (low, high) else {
        return Err(format!("random numbers of type {ty} require whole bounds"));
    };
    // Both bounds must fit, so their difference is below 2^65 and its product with 64 random bits
    // may need 129 bits.
    let mut scratch = Vec::new();
    encode(ty, Number::Int(low), &mut scratch)?;
    encode(ty, Number::Int(high - 1), &mut scratch)?;
    let Ok(span @ 1..) = u128::try_from(high - low) else {
        return Err(format!("invalid range of random numbers: {low} to {high}"));
    };
    for _ in 0..count {
        let word = u128::from(generator.next_u64());
        let offset = match u64::try_from(span) {
            Ok(span) => (word * u128::from(span)) >> 64,
            Err(_) => word,
        };
        encode(ty, Number::Int(low + offset as i128), out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::value::decode;
    use super::*;

    fn numbers(init: Init, ty: ScalarType, count: u64) -> Result<Vec<Number>, String> {
        let init = Spanned { value: init, span: Span::default() };
        let bytes = generate(&init, ty, count * u64::from(ty.bytes())).map_err(|d| d.message)?;
        assert_eq!(bytes.len() as u64, count * u64::from(ty.bytes()));
        Ok(bytes.chunks(ty.bytes() as usize).map(|b| decode(ty, b)).collect())
    }

    #[test]
    fn generated_numbers_follow_their_names() {
        let int = Number::Int;
        assert_eq!(numbers(Init::Zero, ScalarType::U16, 2), Ok(vec![int(0), int(0)]));
        assert_eq!(numbers(Init::Fill(int(-1)), ScalarType::S8, 3), Ok(vec![int(-1); 3]));
        assert_eq!(
            numbers(Init::Iota(int(5), int(-2)), ScalarType::S32, 4),
            Ok(vec![int(5), int(3), int(1), int(-1)])
        );
        assert_eq!(
            numbers(Init::Iota(int(0), Number::Float(0.5)), ScalarType::F32, 3),
            Ok(vec![Number::Float(0.0), Number::Float(0.5), Number::Float(1.0)])
        );
        assert!(
            numbers(Init::Iota(int(0), int(1)), ScalarType::U8, 257)
                .unwrap_err()
                .contains("256 is out of range")
        );
    }

    #[test]
    fn random_numbers_repeat_and_stay_in_bounds() {
        let dice = |seed| Init::Random(seed, Number::Int(1), Number::Int(7));
        let throws = numbers(dice(7), ScalarType::U8, 1000).unwrap();
        assert_eq!(throws, numbers(dice(7), ScalarType::U8, 1000).unwrap());
        assert_ne!(throws, numbers(dice(8), ScalarType::U8, 1000).unwrap());
        assert!((1..=6).all(|face| throws.contains(&Number::Int(face))));
        assert!(throws.iter().all(|t| (1.0..7.0).contains(&t.as_f64())));
        let floats =
            numbers(Init::Random(1, Number::Int(-1), Number::Int(1)), ScalarType::F32, 1000).unwrap();
        assert!(floats.iter().all(|t| (-1.0..=1.0).contains(&t.as_f64())));
        assert!(floats.iter().any(|t| t.as_f64() < -0.9) && floats.iter().any(|t| t.as_f64() > 0.9));
    }

    #[test]
    fn impossible_bounds_are_refused() {
        let try_bounds = |low, high, ty| numbers(Init::Random(1, low, high), ty, 1);
        let int = Number::Int;
        assert!(try_bounds(int(3), int(3), ScalarType::S32).is_err());
        assert!(try_bounds(int(0), int(257), ScalarType::U8).is_err());
        assert!(try_bounds(int(0), int(256), ScalarType::U8).is_ok());
        assert!(try_bounds(int(0), int(1 << 64), ScalarType::U64).is_ok());
        assert!(try_bounds(int(0), Number::Float(1.5), ScalarType::S32).is_err());
        assert!(try_bounds(int(0), Number::Float(f64::INFINITY), ScalarType::F32).is_err());
        assert!(try_bounds(int(0), Number::Float(1e39), ScalarType::F32).is_err());
    }

    #[test]
    fn the_random_stream_never_changes() {
        let numbers =
            numbers(Init::Random(42, Number::Int(0), Number::Int(1000)), ScalarType::U32, 4).unwrap();
        let numbers: Vec<f64> = numbers.into_iter().map(Number::as_f64).collect();
        assert_eq!(numbers, [681.0, 950.0, 427.0, 627.0]);
    }
}
