//! Formats of numbers in texts.

use sim_core::stats::report::Spills;

/// Formats a number with a comma between thousands: `1,234,567`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a number with `decimals` decimals and a comma between thousands.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let sign = if value < 0.0 && text.contains(|c| matches!(c, '1'..='9')) { "-" } else { "" };
    // Numbers beyond 64 bits stay without commas.
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), count);
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// Formats a rate: two decimals, and three significant digits below 1, so that a small rate is not
/// printed as 0.
pub fn rate(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 || magnitude >= 0.995 || !value.is_finite() {
        return fixed(value, 2);
    }
    // 0.0123: the first significant digit is the second decimal, so four decimals are printed.
    let first = (-magnitude.log10()).ceil().clamp(1.0, 9.0);
    fixed(value, first as usize + 2)
}

/// Formats a number of things: `1 block`, `2 blocks`.
pub fn plural(number: u64, thing: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {thing}{s}", count(number))
}

/// Returns registers that are kept in local memory, in the words of `ptxas`.
pub fn spilled(spills: Spills) -> String {
    let Spills { stack_bytes, store_bytes, load_bytes } = spills;
    let stack = plural(stack_bytes.into(), "byte");
    let [stores, loads] = [store_bytes, load_bytes].map(|bytes| count(bytes.into()));
    format!("{stack} of local memory, {stores} bytes spill stores, {loads} bytes spill loads")
}

/// Formats a fraction as a percentage with one decimal.
pub fn percent(fraction: f64) -> String {
    fixed(fraction * 100.0, 1)
}

/// Formats a fraction as a whole percentage.
pub fn whole(fraction: f64) -> String {
    fixed(fraction * 100.0, 0)
}

/// Formats `part` of `whole` as a percentage; a dash if `whole` is 0.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { percent(part as f64 / whole as f64) }
}

/// Returns `part / whole`, or 0 if `whole` is 0.
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Formats a number with a sign, unless it is printed as 0.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let nothing = !text.contains(|c| ('1'..='9').contains(&c));
    if value > 0.0 && !nothing { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (value, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(count(value), text);
        }
        assert_eq!(fixed(1234.5678, 2), "1,234.57");
        assert_eq!(fixed(-1234.5, 0), "-1,234");
        assert_eq!(fixed(-0.001, 1), "0.0");
        assert_eq!(fixed(f64::INFINITY, 1), "inf");
    }

    #[test]
    fn small_rates_keep_three_digits() {
        for (value, text) in [
            (0.0, "0.00"),
            (1234.5, "1,234.50"),
            (1.0, "1.00"),
            (0.999, "1.00"),
            (0.235_05, "0.235"),
            (0.0123, "0.0123"),
            (0.000_272, "0.000272"),
            (1e-30, "0.00000000000"),
        ] {
            assert_eq!(rate(value), text);
        }
    }

    #[test]
    fn one_thing_has_no_s() {
        assert_eq!(
            (plural(1, "block").as_str(), plural(1024, "block").as_str()),
            ("1 block", "1,024 blocks")
        );
    }

    #[test]
    fn shares_have_one_decimal_and_no_division_by_zero() {
        assert_eq!(share(1, 3), "33.3");
        assert_eq!(share(0, 0), "-");
        assert_eq!(percent(1.0), "100.0");
    }
}
