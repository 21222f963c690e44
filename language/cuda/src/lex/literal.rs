//! Values of numbers, characters and strings.

/// Type that the suffix and the form of a number select.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberKind {
    /// An integer with its suffixes.
    Int {
        /// `u`.
        unsigned: bool,
        /// Number of `l`: 0, 1 or 2.
        long: u8,
        /// Whether it is decimal; only other bases choose unsigned types by themselves.
        decimal: bool,
    },
    /// With suffix `f`.
    Float,
    /// Without suffix, or with `l`.
    Double,
}

/// A number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Numeric {
    /// Its type.
    pub kind: NumberKind,
    /// Value of an integer.
    pub int: u64,
    /// Value of a floating-point number.
    pub float: f64,
}

/// Why a text is no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberError {
    /// Letters or digits that do not belong there.
    Malformed,
    /// An integer above 64 bits.
    TooLarge,
}

/// Returns the value of a number as it is written.
pub fn parse_number(text: &str) -> Result<Numeric, NumberError> {
    let bytes = text.as_bytes();
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let is_digit = |byte: Option<&u8>| {
        byte.is_some_and(|byte| if is_hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() })
    };
    let separates = |at: usize| at > 0 && is_digit(bytes.get(at - 1)) && is_digit(bytes.get(at + 1));
    if (0..bytes.len()).any(|at| bytes[at] == b'\'' && !separates(at)) {
        return Err(NumberError::Malformed);
    }
    let clean: String = text.chars().filter(|char| *char != '\'').collect();
    let lower = clean.to_ascii_lowercase();
    let hex = lower.strip_prefix("0x");
    let is_float = match hex {
        Some(rest) => rest.contains(['.', 'p']),
        None => lower.contains(['.', 'e']) && !lower.starts_with("0b"),
    };
    if is_float { float(&lower, hex) } else { int(&lower, hex) }
}

fn int(lower: &str, hex: Option<&str>) -> Result<Numeric, NumberError> {
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let (unsigned, long) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return Err(NumberError::Malformed),
    };
    let (digits, radix) = if let Some(hex) = hex {
        (&hex[..hex.len() - suffix.len()], 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        (binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (&digits[1..], 8)
    } else {
        (digits, 10)
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(NumberError::Malformed);
    }
    let int = u64::from_str_radix(digits, radix).map_err(|_| NumberError::TooLarge)?;
    let kind = NumberKind::Int { unsigned, long, decimal: radix == 10 };
    Ok(Numeric { kind, int, float: int as f64 })
}

fn float(lower: &str, hex: Option<&str>) -> Result<Numeric, NumberError> {
    let (digits, kind) = match lower.as_bytes().last() {
        Some(b'f') => (&lower[..lower.len() - 1], NumberKind::Float),
        Some(b'l') => (&lower[..lower.len() - 1], NumberKind::Double),
        _ => (lower, NumberKind::Double),
    };
    let float = if hex.is_some() {
        hex_float(&digits[2..]).ok_or(NumberError::Malformed)?
    } else {
        // Rust accepts `inf` and `nan`, which start with letters; numbers here start with a digit
        // or a point.
        digits.parse().map_err(|_| NumberError::Malformed)?
    };
    // A float constant is rounded once, from the decimal text.
    let float = if kind == NumberKind::Float && hex.is_none() {
        f64::from(digits.parse::<f32>().map_err(|_| NumberError::Malformed)?)
    } else if kind == NumberKind::Float {
        f64::from(float as f32)
    } else {
        float
    };
    Ok(Numeric { kind, int: 0, float })
}

/// `h.hhhp±d` without its `0x`; at most 60 significant bits are used.
fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let mut exponent: i32 = exponent.parse::<i32>().ok()?.clamp(-5000, 5000);
    let mut value: u64 = 0;
    let mut point = false;
    let mut any = false;
    for char in mantissa.chars() {
        if char == '.' && !point {
            point = true;
            continue;
        }
        let digit = char.to_digit(16)?;
        any = true;
        if value < 1 << 56 {
            value = value << 4 | u64::from(digit);
            exponent -= if point { 4 } else { 0 };
        } else if !point {
            exponent += 4;
        }
        if exponent.abs() > 1 << 20 {
            return None;
        }
    }
    // Two steps keep the intermediate powers of two in range.
    let half = exponent / 2;
    any.then(|| value as f64 * 2f64.powi(half) * 2f64.powi(exponent - half))
}

/// Prefixes of strings and characters that do not have one byte for each character.
const WIDE: [char; 3] = ['L', 'u', 'U'];

/// Whether a quoted text has wide characters.
pub fn is_wide(quoted: &str) -> bool {
    quoted.starts_with(WIDE)
}

/// Returns the bytes of a quoted text without its quotes, with the escapes replaced. The error is
/// the escape that is unknown.
pub fn unescape(quoted: &str) -> Result<Vec<u8>, String> {
    let quoted = quoted.trim_start_matches(WIDE);
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or("");
    let mut bytes = Vec::new();
    let mut chars = inner.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\\' {
            bytes.extend(char.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        let Some(escape) = chars.next() else { return Err("\\".to_owned()) };
        let byte = match escape {
            'n' => b'\n',
            't' => b'\t',
            'r' => b'\r',
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            '\\' | '\'' | '"' | '?' => escape as u8,
            'x' => {
                let mut value = 0u32;
                while let Some(digit) = chars.peek().and_then(|next| next.to_digit(16)) {
                    value = (value << 4 | digit) & 0xff;
                    chars.next();
                }
                value as u8
            }
            '0'..='7' => {
                let mut value = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|next| next.to_digit(8)) else { break };
                    value = value << 3 | digit;
                    chars.next();
                }
                value as u8
            }
            'u' | 'U' => {
                let digits = if escape == 'u' { 4 } else { 8 };
                let text: String = chars.by_ref().take(digits).collect();
                let code = u32::from_str_radix(&text, 16).ok().filter(|_| text.len() == digits);
                let Some(named) = code.and_then(char::from_u32) else {
                    return Err(format!("\\{escape}{text}"));
                };
                bytes.extend(named.encode_utf8(&mut [0; 4]).bytes());
                continue;
            }
            _ => return Err(format!("\\{escape}")),
        };
        bytes.push(byte);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let int = |unsigned, long, decimal, int: u64| {
            Ok(Numeric { kind: NumberKind::Int { unsigned, long, decimal }, int, float: int as f64 })
        };
        let float = |kind, float| Ok(Numeric { kind, int: 0, float });
        let cases = [
            ("0", int(false, 0, true, 0)),
            ("42u", int(true, 0, true, 42)),
            ("0xFFull", int(true, 2, false, 255)),
            ("017", int(false, 0, false, 15)),
            ("0b101", int(false, 0, false, 5)),
            ("18446744073709551615", int(false, 0, true, u64::MAX)),
            ("18446744073709551616", Err(NumberError::TooLarge)),
            ("08", Err(NumberError::Malformed)),
            ("12ab", Err(NumberError::Malformed)),
            ("0x", Err(NumberError::Malformed)),
            ("1.5", float(NumberKind::Double, 1.5)),
            ("0.1f", float(NumberKind::Float, f64::from(0.1f32))),
            ("1e3F", float(NumberKind::Float, 1000.0)),
            ("1.f", float(NumberKind::Float, 1.0)),
            (".5", float(NumberKind::Double, 0.5)),
            ("0x1.8p1", float(NumberKind::Double, 3.0)),
            ("0x1p-1074", float(NumberKind::Double, 5e-324)),
            ("1.2.3", Err(NumberError::Malformed)),
            ("1e", Err(NumberError::Malformed)),
            ("1.0x", Err(NumberError::Malformed)),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_number(text), expected, "{text}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("\"a\\n\\x41\\101\\\"\\0\""), Ok(b"a\nAA\"\0".to_vec()));
        assert_eq!(unescape("'\\q'"), Err("\\q".to_owned()));
        assert_eq!(unescape("\"\\u00e9\\U00004e2d\""), Ok("é中".as_bytes().to_vec()));
        assert_eq!(unescape("\"\\u12\""), Err("\\u12".to_owned()));
    }
}
