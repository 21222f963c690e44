//! Input files: their kind, and the names of the files that are made from them.

use crate::error::Failure;
use std::fs;
use std::path::Path;

/// Kind of an input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// CUDA C: compiled for the device and for the host.
    Cuda,
    /// C++ for the host.
    Cxx,
    /// C for the host.
    C,
    /// For the linker.
    Object,
}

/// Returns the kind of a file: by `language` (of `-x`), its extension, and for C++ by its text.
pub fn kind(path: &Path, language: Option<&str>) -> Result<Kind, Failure> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
    let extension = extension.as_deref().unwrap_or_default();
    if matches!(extension, "o" | "obj" | "a" | "so" | "dylib" | "lib") || extension.starts_with("so.") {
        return Ok(Kind::Object);
    }
    match language {
        Some("cu") => return Ok(Kind::Cuda),
        Some("c++") => return Ok(Kind::Cxx),
        Some("c") => return Ok(Kind::C),
        Some("none") | None => {}
        Some(other) => {
            return Err(Failure::Usage(format!("the language of -x must be cu, c++ or c, not {other}")));
        }
    }
    match extension {
        "cu" => Ok(Kind::Cuda),
        "c" => Ok(Kind::C),
        "cpp" | "cc" | "cxx" | "C" | "c++" => {
            let bytes = fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
            Ok(if has_kernels(&String::from_utf8_lossy(&bytes)) { Kind::Cuda } else { Kind::Cxx })
        }
        // Versions of shared libraries: `libm.so.6`.
        _ if path.to_string_lossy().contains(".so.") => Ok(Kind::Object),
        _ => Err(Failure::Usage(format!(
            "{}: the kind of the file is unknown; expected .cu, .c, .cpp, .cc, .cxx, .o, .a or .so",
            path.display()
        ))),
    }
}

/// Whether a C++ text has a kernel or a launch, outside of comments.
fn has_kernels(text: &str) -> bool {
    let code = without_comments(text);
    code.contains("__global__") || code.contains("<<<")
}

/// Removes the comments and the contents of strings.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['/', '"', '\'']) {
        code.push_str(&rest[..start]);
        rest = &rest[start..];
        let length = comment_or_string(rest).unwrap_or(0);
        if length == 0 {
            code.push_str(&rest[..1]);
            rest = &rest[1..];
        } else {
            code.push(' ');
            rest = &rest[length..];
        }
    }
    code.push_str(rest);
    code
}

/// Returns the length of the comment, string or character at the start of a text.
pub fn comment_or_string(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if let Some(comment) = text.strip_prefix("/*") {
        return Some(comment.find("*/").map_or(text.len(), |end| end + 4));
    }
    let quote = text.bytes().next().filter(|byte| b"\"'".contains(byte))?;
    let mut escaped = false;
    for (place, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            // A string ends in its line; an apostrophe may separate digits.
            b'\n' => return None,
            _ if byte == quote => return Some(place + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_outside_of_comments_and_strings() {
        assert!(has_kernels("int x; __global__ void k() {}"));
        assert!(has_kernels("/* a */ k<<<1, 2>>>();"));
        assert!(!has_kernels("// __global__\nint x; /* <<< */ const char *s = \"<<<\"; char c = '\"';"));
        assert!(!has_kernels("int n = 1'000; // it's\n"));
    }
}
