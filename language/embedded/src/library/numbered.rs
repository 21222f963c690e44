//! Formats of `printf` whose conversions name their values by numbers, as POSIX has them: `%2$s`.

use crate::stop::Stop;

/// Whether a conversion goes on behind a character: a flag, a digit, or the size of a value. C
/// libraries print a conversion without a known letter as it is: `12 % : text`.
pub(super) fn goes_on(byte: u8) -> bool {
    matches!(byte, b'-' | b'+' | b' ' | b'#' | b'0'..=b'9' | b'.' | b'*' | b'\'' | b'$')
        || matches!(byte, b'h' | b'l' | b'z' | b'j' | b't' | b'q' | b'L')
}

/// A format without numbers, and the values in the order of its conversions.
type InOrder = (Vec<u8>, Vec<u64>);

/// The format without numbers, and the values in the order of its conversions. `None` if the format
/// has no numbers.
pub(super) fn in_order(format: &[u8], words: &[u64]) -> Result<Option<InOrder>, Stop> {
    if !format.contains(&b'$') {
        return Ok(None);
    }
    let (mut text, mut values) = (Vec::with_capacity(format.len()), Vec::new());
    let mut rest = format;
    let mut plain = false;
    while let Some((&first, behind)) = rest.split_first() {
        text.push(first);
        rest = behind;
        if first != b'%' {
            continue;
        }
        let number = number(&mut rest);
        let mut widths = 0;
        while let Some((&byte, behind)) = rest.split_first().filter(|(byte, _)| goes_on(**byte)) {
            text.push(byte);
            rest = behind;
            if byte == b'*' {
                let width = self::number(&mut rest);
                plain |= width.is_none();
                values.extend(width.map(|at| value(words, at)).transpose()?);
                widths += 1;
            }
        }
        let takes = !matches!(rest.first(), None | Some(b'%' | b'm')) || widths > 0;
        plain |= takes && number.is_none();
        if let (true, Some(number)) = (takes, number) {
            values.push(value(words, number)?);
        }
        if let Some((&letter, behind)) = rest.split_first() {
            text.push(letter);
            rest = behind;
        }
    }
    if plain && values.is_empty() {
        return Ok(None);
    }
    if plain {
        let message = "a format of `printf` numbers only a part of its values";
        return Err(Stop::Mistake(message.to_owned()));
    }
    Ok(Some((text, values)))
}

/// Takes `2$` from the start of a text.
fn number(text: &mut &[u8]) -> Option<usize> {
    let digits = text.iter().position(|byte| !byte.is_ascii_digit())?;
    let number = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    *text = text[digits..].strip_prefix(b"$")?;
    Some(number)
}

fn value(words: &[u64], number: usize) -> Result<u64, Stop> {
    let word = number.checked_sub(1).and_then(|at| words.get(at)).copied();
    word.ok_or_else(|| Stop::Mistake(format!("a format of `printf` has `%{number}$`, and no such value")))
}
