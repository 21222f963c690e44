//! The files of `silicon.tar.zst`: PTX with the results that a GPU computed for it.
//!
//! The archive is unpacked in memory when a test reads it for the first time. `README.md` beside it
//! describes its files.

use ruzstd::decoding::StreamingDecoder;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

/// The archive.
const ARCHIVE: &[u8] = include_bytes!("../silicon.tar.zst");

/// Bytes of a block of a tar archive: a header has one block, and contents are filled up to blocks.
const BLOCK: usize = 512;

/// All files, by their paths in the archive.
static FILES: LazyLock<BTreeMap<&str, &[u8]>> = LazyLock::new(|| {
    let mut decoder = StreamingDecoder::new(ARCHIVE).expect("the archive is a Zstandard frame");
    let mut bytes = Vec::new();
    decoder.read_to_end(&mut bytes).expect("the archive is complete");
    files(bytes.leak())
});

/// Returns the regular files of a tar archive whose paths have at most 100 bytes.
fn files(mut archive: &[u8]) -> BTreeMap<&str, &[u8]> {
    let mut files = BTreeMap::new();
    while let Some((header, rest)) = archive.split_at_checked(BLOCK) {
        // Blocks of zeros end the archive.
        if header[0] == 0 {
            break;
        }
        let field = |from: usize, to: usize| {
            let bytes = header[from..to].split(|byte| *byte == 0).next().unwrap_or_default();
            str::from_utf8(bytes).expect("a header is text").trim()
        };
        assert_eq!(field(345, 500), "", "{}: a path of more than 100 bytes", field(0, 100));
        let size = usize::from_str_radix(field(124, 136), 8).expect("a header has the size of its file");
        // Type 0 is a regular file.
        if header[156] == b'0' {
            files.insert(field(0, 100), &rest[..size]);
        }
        archive = &rest[size.next_multiple_of(BLOCK)..];
    }
    files
}

/// Returns the bytes of a file.
pub fn read(name: &str) -> Result<&'static [u8], String> {
    FILES.get(name).copied().ok_or_else(|| format!("{name} is not in silicon.tar.zst"))
}

/// Returns the text of a file.
pub fn text(name: &str) -> Result<&'static str, String> {
    str::from_utf8(read(name)?).map_err(|e| format!("{name}: {e}"))
}

/// Returns the paths and texts of all PTX files whose paths begin with `start`, in order.
pub fn ptx(start: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let names = FILES.keys().filter(move |name| {
        name.starts_with(start) && Path::new(name).extension().is_some_and(|end| end == "ptx")
    });
    names.map(|name| (*name, text(name).expect("PTX is text")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_record_is_in_the_archive() {
        assert_eq!(FILES.len(), 3542);
        assert_eq!(ptx("ptx/").count(), 210);
        assert_eq!(ptx("vec/").count(), 2 * 1348);
        assert!(text("README.md").expect("a text").starts_with("# PTX recorded on silicon"));
        assert_eq!(read("vec/outputs.bin").expect("the outputs").len(), 1_090_816);
        assert_eq!(read("ptx"), Err("ptx is not in silicon.tar.zst".to_owned()));
    }
}
