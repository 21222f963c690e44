//! Sizes of outputs on the command line.

use std::fmt;
use std::str::FromStr;

/// The units, largest first, with their numbers of bytes.
const UNITS: [(&str, u64); 4] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("B", 1)];

/// A number of bytes, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u64);

impl Size {
    /// 1 GB.
    pub const GIGABYTE: Self = Self(1_000_000_000);

    /// Returns the number of bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &text[digits.len()..];
        let number: u64 = digits.trim_end().parse().map_err(|_| {
            format!("`{text}` is not a size: expected a whole number, or one with a unit such as `500MB`")
        })?;
        let bytes = match UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)) {
            Some((_, bytes)) => *bytes,
            None if unit.is_empty() => 1,
            None => return Err(format!("`{unit}` is not a unit: expected `kB`, `MB` or `GB`")),
        };
        match number.checked_mul(bytes) {
            Some(0) => Err("the size is 0: nothing could be written".to_owned()),
            Some(bytes) => Ok(Self(bytes)),
            None => Err(format!("`{text}` is too large")),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, bytes) =
            UNITS.iter().find(|(_, bytes)| self.0.is_multiple_of(*bytes)).unwrap_or(&UNITS[3]);
        write!(f, "{}{name}", self.0 / bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_a_unit_or_is_in_bytes() {
        let bytes = |text: &str| text.parse::<Size>().map(Size::bytes);
        assert_eq!(bytes("1000"), Ok(1000));
        assert_eq!((bytes("20kB"), bytes("20 KB"), bytes("20b")), (Ok(20_000), Ok(20_000), Ok(20)));
        assert_eq!((bytes("5mb"), bytes("1GB")), (Ok(5_000_000), Ok(Size::GIGABYTE.bytes())));
        assert!(bytes("0").expect_err("zero").contains("the size is 0"));
        assert!(bytes("1TB").expect_err("a unit").contains("`TB` is not a unit"));
        assert!(bytes("99999999999GB").expect_err("large").contains("too large"));
        for bad in ["", "x", "-1", "1.5GB", "GB"] {
            assert!(bytes(bad).expect_err(bad).contains("is not a size"), "{bad}");
        }
    }

    #[test]
    fn a_size_is_shown_as_it_is_written() {
        for text in ["1GB", "1500MB", "20kB", "1001B"] {
            assert_eq!(text.parse::<Size>().map(|size| size.to_string()), Ok(text.to_owned()));
        }
    }
}
