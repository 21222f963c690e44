//! Texts to numbers.

use super::scan::{float, integer, limited};
use super::{Call, Table, errno};
use crate::stop::Stop;

/// `strtol` and its like: the value, and the end of the number.
fn to_integer(call: &mut Call<'_>, signed: bool) -> Result<u64, Stop> {
    let text = call.text(0)?;
    let (value, length) = integer(text, call.int(2) as u32).unwrap_or((0, 0));
    end(call, length)?;
    let fits =
        if signed { i64::try_from(value).is_ok() } else { value.unsigned_abs() <= u128::from(u64::MAX) };
    if !fits {
        call.fail(errno::ERANGE);
    }
    Ok(limited(value, signed))
}

fn to_float(call: &mut Call<'_>, single: bool) -> Result<f64, Stop> {
    let text = call.text(0)?;
    let (value, length) = float(text, single).unwrap_or((0.0, 0));
    // The word for infinity is no number that is too large.
    let is_word = text[..length].iter().any(|byte| matches!(byte, b'n' | b'N'));
    end(call, length)?;
    if value.is_infinite() && !is_word {
        call.fail(errno::ERANGE);
    }
    Ok(value)
}

/// Stores the end of a number.
fn end(call: &mut Call<'_>, length: usize) -> Result<(), Stop> {
    if call.word(1) != 0 {
        let at = call.word(0) + length as u64;
        call.memory.write(call.word(1), &at.to_le_bytes())?;
    }
    Ok(())
}

fn plain(call: &mut Call<'_>) -> Result<i64, Stop> {
    Ok(limited(integer(call.text(0)?, 10).map_or(0, |(value, _)| value), true) as i64)
}

pub(super) const TABLE: Table = &[
    ("atoi", |call| Ok(i64::from(plain(call)? as i32) as u64)),
    ("atol", |call| Ok(plain(call)? as u64)),
    ("atoll", |call| Ok(plain(call)? as u64)),
    ("atof", |call| Ok(float(call.text(0)?, false).map_or(0.0, |(value, _)| value).to_bits())),
    ("strtol", |call| to_integer(call, true)),
    ("strtoll", |call| to_integer(call, true)),
    ("strtoul", |call| to_integer(call, false)),
    ("strtoull", |call| to_integer(call, false)),
    ("strtod", |call| Ok(to_float(call, false)?.to_bits())),
    ("strtof", |call| Ok(u64::from((to_float(call, true)? as f32).to_bits()))),
];
