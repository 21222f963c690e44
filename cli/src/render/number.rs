//! Numbers as people read them.

/// With a comma between thousands: `1,234,567`.
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

/// With `decimals` places and a comma between thousands.
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

/// A fraction as a percentage with one decimal.
pub fn percent(fraction: f64) -> String {
    fixed(fraction * 100.0, 1)
}

/// `part` of `whole` as a percentage; a dash where there is no whole.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { percent(part as f64 / whole as f64) }
}

/// `part / whole`, or 0 where there is no whole.
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
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
    fn shares_have_one_decimal_and_no_division_by_zero() {
        assert_eq!(share(1, 3), "33.3");
        assert_eq!(share(0, 0), "-");
        assert_eq!(percent(1.0), "100.0");
    }
}
