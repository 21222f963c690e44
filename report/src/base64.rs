//! Bytes as text in base 64 (RFC 4648), for JSON documents.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut wide = [0; 3];
        wide[..group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes([0, wide[0], wide[1], wide[2]]);
        for digit in 0..4 {
            let used = digit <= group.len();
            let index = (bits >> (18 - 6 * digit) & 63) as usize;
            out.push(if used { char::from(DIGITS[index]) } else { '=' });
        }
    }
    out
}

/// The value of a digit.
fn value(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// Decodes a text; `None` if it is not base 64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let digits = text.trim_end_matches('=').as_bytes();
    if text.len() - digits.len() > 2 {
        return None;
    }
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits = 0;
        for at in 0..4 {
            let value = match group.get(at) {
                Some(digit) => value(*digit)?,
                None => 0,
            };
            bits = bits << 6 | value;
        }
        let [_, bytes @ ..] = bits.to_be_bytes();
        out.extend_from_slice(&bytes[..group.len() - 1]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_base_64_and_read_again() {
        let all = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (text, expected) in all {
            assert_eq!(encode(text.as_bytes()), expected);
            assert_eq!(decode(expected).as_deref(), Some(text.as_bytes()));
        }
        for bad in ["Z", "Zg=", "Zg", "====", "Z===", "Zm9-", "Zg==Zg==", "\u{e4}\u{e4}"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&bytes)), Some(bytes));
    }
}
