//! Texts that nvcc accepts and clang does not: launches with blanks in their brackets
//! (`k<< <1, 2>> >()`), and kernels that are `__device__` too.
//!
//! clang reads a changed copy under the name of the file (an overlay of the file system), so that
//! messages, line numbers and included files remain as they are. A copy has the length of its file.

use crate::error::Failure;
use crate::input::comment_or_string;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Maximum number of files that are searched for such launches.
const FILES: usize = 500;

/// Returns the text with joined brackets and without `__device__` beside `__global__`; `None` if it
/// needs no change.
pub fn join(text: &str) -> Option<String> {
    let mut joined: Option<Vec<u8>> = None;
    let bytes = text.as_bytes();
    // Open launches: the depth of parentheses in each.
    let mut launches: Vec<i32> = Vec::new();
    let mut place = 0;
    while place < bytes.len() {
        if text.is_char_boundary(place)
            && let Some(length) = comment_or_string(&text[place..])
        {
            place += length;
            continue;
        }
        if let Some(device) = device_of_kernel(&bytes[place..]) {
            let copy = joined.get_or_insert_with(|| bytes.to_vec());
            copy[place + device..place + device + DEVICE.len()].fill(b' ');
            place += device + DEVICE.len();
            continue;
        }
        let length = match bytes[place] {
            b'<' => bracket(bytes, place),
            b'>' if launches.last() == Some(&0) => bracket(bytes, place),
            _ => None,
        };
        if let Some(length) = length {
            if length > 3 {
                let copy = joined.get_or_insert_with(|| bytes.to_vec());
                let bracket = bytes[place];
                // At the end of the range, so that an operand after it keeps its column.
                copy[place..place + length].fill(b' ');
                copy[place + length - 3..place + length].fill(bracket);
            }
            if bytes[place] == b'<' {
                launches.push(0);
            } else {
                launches.pop();
            }
            place += length;
            continue;
        }
        match (bytes[place], launches.last_mut()) {
            (b'(' | b'[' | b'{', Some(depth)) => *depth += 1,
            (b')' | b']' | b'}', Some(depth)) => *depth -= 1,
            (b';', _) => launches.clear(),
            _ => {}
        }
        place += 1;
    }
    Some(String::from_utf8(joined?).expect("blanks and brackets replace blanks and brackets"))
}

const DEVICE: &[u8] = b"__device__";
const GLOBAL: &[u8] = b"__global__";

/// Returns the position of `__device__` in a text that begins with it and `__global__`, in any
/// order.
fn device_of_kernel(text: &[u8]) -> Option<usize> {
    let after = |first: &[u8], second: &[u8]| {
        let rest = text.strip_prefix(first)?;
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        (blanks > 0 && rest[blanks..].starts_with(second)).then_some(first.len() + blanks)
    };
    after(DEVICE, GLOBAL).map(|_| 0).or_else(|| after(GLOBAL, DEVICE))
}

/// Returns the length of three equal brackets with blanks (not line ends) between them.
fn bracket(bytes: &[u8], start: usize) -> Option<usize> {
    let mut found = 0;
    for (place, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            _ if *byte == bytes[start] => found += 1,
            b' ' | b'\t' => {}
            _ => return None,
        }
        if found == 3 {
            return Some(place + 1 - start);
        }
    }
    None
}

/// Writes copies of the files with such launches into `folder`: of `path` and of the files that it
/// includes, beside it or in the folders `searched`. Returns the overlay for clang; `None` if no
/// file needs a copy.
pub fn overlay(path: &Path, searched: &[&Path], folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let mut copies = BTreeMap::new();
    let mut seen = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(full) = std::path::absolute(&path) else { continue };
        if seen.contains(&full) || seen.len() >= FILES {
            continue;
        }
        // A file that cannot be read is reported by clang, with the line that includes it.
        let Ok(bytes) = fs::read(&full) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if let Some(joined) = join(&text) {
            copies.insert(full.clone(), joined);
        }
        let beside = full.parent().unwrap_or(Path::new("."));
        for (name, quoted) in included(&text) {
            let own = quoted.then_some(beside).into_iter();
            open.extend(own.chain(searched.iter().copied()).map(|folder| folder.join(name)));
        }
        seen.push(full);
    }
    if copies.is_empty() {
        return Ok(None);
    }
    let mut roots = Vec::new();
    for (number, (path, text)) in copies.iter().enumerate() {
        let copy = folder.join(format!("joined-{number}.cu"));
        fs::write(&copy, text).map_err(|error| Failure::file("write", &copy, &error))?;
        roots.push(format!(
            "{{\"name\": {:?}, \"type\": \"file\", \"external-contents\": {:?}}}",
            path.to_string_lossy(),
            copy.to_string_lossy()
        ));
    }
    let mut yaml = String::new();
    let _ = writeln!(
        yaml,
        "{{\"version\": 0, \"use-external-names\": false, \"roots\": [{}]}}",
        roots.join(",\n")
    );
    let file = folder.join("overlay.yaml");
    fs::write(&file, yaml).map_err(|error| Failure::file("write", &file, &error))?;
    Ok(Some(file))
}

/// Returns the names in `#include "name"`, with true, and in `#include <name>`, with false.
fn included(text: &str) -> impl Iterator<Item = (&str, bool)> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let rest = rest.trim_start();
        let quoted = rest.starts_with('"');
        let name = rest.strip_prefix(['"', '<'])?;
        Some((name.split(['"', '>']).next()?, quoted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_in_the_brackets_of_a_launch_move_out() {
        let joined = |text| join(text).unwrap_or_else(|| "same".to_owned());
        assert_eq!(joined("k<< <1, 2>> >(a);"), "k <<<1, 2 >>>(a);");
        assert_eq!(joined("k <<< g, (a>b) >> >(x);"), "k <<< g, (a>b)  >>>(x);");
        assert_eq!(joined("k< < <1,f(x>>2)>>>(a);"), "k  <<<1,f(x>>2)>>>(a);");
        assert_eq!(joined("k<<<1, 2>>>(a >> 1);"), "same");
        assert_eq!(joined("vector<vector<vector<int> > > v; // k<< <1>> >()\n"), "same");
        assert_eq!(joined("char c = '<'; s << \"<< <\" << 1;"), "same");
        assert_eq!(joined("__global__ __device__ void k();"), "__global__            void k();");
        assert_eq!(joined("__device__  __global__ void k();"), "            __global__ void k();");
        assert_eq!(joined("// it's\nk<< <1,2>> >(é);"), "// it's\nk <<<1,2 >>>(é);");
    }
}
