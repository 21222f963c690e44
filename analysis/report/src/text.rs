//! Texts from outside: escaped characters, and inputs of limited size.

use crate::exit::Failure;
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::string::FromUtf8Error;

/// Returns the text with its control characters, except line ends and tabs, written as `\u001b`.
/// Names may come from untrusted files, and a terminal would execute the escape sequences in them.
/// JSON strings keep their value.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c| !matches!(c, '\n' | '\t'))
}

/// Returns a path for a message. All control characters are escaped, so that it stays on one line.
pub fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy(), |_| true).into_owned()
}

fn escaped(text: &str, also: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Marks that reverse the direction of text can disguise a name.
    let reverses = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let harmful = |c: char| (c.is_control() && also(c)) || reverses(c);
    if !text.contains(harmful) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| if harmful(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
    Cow::Owned(text.chars().map(escape).collect())
}

/// Returns the text with the characters that HTML and SVG reserve as entities.
pub fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            other => out.push(other),
        }
    }
    out
}

/// Returns the text of a file of at most `limit` bytes. The size of a regular file is checked
/// before it is read; other inputs are read up to one byte more.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path, limit)?).map_err(|e| not_utf8(path, &e))
}

/// Returns the text of a source in CUDA C, as [`read_text`] does. Old sources are not in UTF-8:
/// their bytes are characters of Latin-1. A file with a zero byte is no text.
pub fn read_source(path: &Path, limit: u64) -> Result<String, Failure> {
    match String::from_utf8(read_bytes(path, limit)?) {
        Err(e) if e.as_bytes().contains(&0) => Err(not_utf8(path, &e)),
        Err(e) => Ok(e.as_bytes().iter().map(|byte| char::from(*byte)).collect()),
        Ok(text) => Ok(text),
    }
}

fn not_utf8(path: &Path, why: &FromUtf8Error) -> Failure {
    let at = why.utf8_error().valid_up_to();
    Failure::input(format!("error: cannot read {}: invalid UTF-8 at byte {at}", shown(path)))
}

/// The bytes of a file.
fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let cannot = |why: String| Failure::input(format!("error: cannot read {}: {why}", shown(path)));
    let too_long = || cannot(format!("the file has more than {limit} bytes"));
    let file = File::open(path).map_err(|e| cannot(e.to_string()))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > limit) {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|e| cannot(e.to_string()))?;
    if bytes.len() as u64 > limit {
        return Err(too_long());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_may_be_in_latin_1() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("old.cu");
        std::fs::write(&path, b"// caf\xe9\n").expect("written");
        assert_eq!(read_source(&path, 100).expect("it is read"), "// caf\u{e9}\n");
        assert!(read_text(&path, 100).is_err());
        std::fs::write(&path, b"\x7fELF\0\xff").expect("written");
        assert!(read_source(&path, 100).is_err());
    }

    #[test]
    fn control_characters_are_escaped_as_json_writes_them() {
        assert!(matches!(visible("two\nlines\tand é"), Cow::Borrowed(_)));
        assert_eq!(visible("a\u{1b}[2J\u{9b}\r\u{7f}"), "a\\u001b[2J\\u009b\\u000d\\u007f");
        assert_eq!(visible("cod.\u{202e}nor"), "cod.\\u202enor");
        assert_eq!(shown(Path::new("a\nb")), "a\\u000ab");
    }
}
