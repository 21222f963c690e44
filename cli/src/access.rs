//! Which files the program opens because a file names them: a launch file and a chip file may come
//! from somebody else.
//!
//! A path in such a file leads, with `..` and symbolic links followed, to a regular file below the
//! folder of the file that names it, below the current folder, or below a folder of `--allow-path`.
//! `SECURITY.md` states the rule.
//!
//! Invariant `files-name-files-below`: A launch file or chip file reaches no file outside its
//! folder, the current folder and those of `--allow-path`. A file that is not RON is not quoted,
//! and control characters are shown escaped.

use crate::exit::Failure;
use crate::output::{read_text, shown};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folders of `--allow-path`, absolute.
static ALLOWED: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// As many symbolic links are followed from one path.
const MOST_LINKS: usize = 40;

/// Why a path that a file names is not opened.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It leads out of the folders that are permitted.
    #[error("the path leads outside the permitted folders")]
    Outside,
    /// It is a folder, a device or a pipe.
    #[error("the path is not a regular file")]
    Special,
    /// It cannot be followed to its end.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// What to do about [`Refusal::Outside`].
pub const ADVICE: &str = "use a file below the folder of this file or below the current folder, or permit another \
                          folder with `--allow-path DIR`";

/// Permits the folders of `--allow-path`. Called once, before any command.
pub fn allow(folders: &[PathBuf]) -> Result<(), Failure> {
    let absolute = |folder: &PathBuf| {
        fs::canonicalize(folder)
            .map_err(|why| Failure::input(format!("error: --allow-path {}: {why}", shown(folder))))
    };
    let folders = folders.iter().map(absolute).collect::<Result<_, _>>()?;
    ALLOWED.set(folders).expect("the command line is read once");
    Ok(())
}

/// The file that `named` is, counted from `folder`, where the file lies that names it. The file
/// need not exist.
pub fn named(folder: &Path, named: &Path) -> Result<PathBuf, Refusal> {
    let path = resolve(&folder.join(named))?;
    let own = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let roots = [own, Path::new(".")].into_iter().filter_map(|root| fs::canonicalize(root).ok());
    let mut roots = roots.chain(ALLOWED.get().into_iter().flatten().cloned());
    if !roots.any(|root| path.starts_with(root)) {
        return Err(Refusal::Outside);
    }
    match fs::metadata(&path) {
        Ok(metadata) if !metadata.is_file() => Err(Refusal::Special),
        _ => Ok(path),
    }
}

/// The absolute path of a file that may not exist, all symbolic links followed.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            result => return result,
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // A link to a file that does not exist.
        if let Ok(target) = fs::read_link(&path) {
            path = folder.join(target);
            continue;
        }
        let name = path.file_name().ok_or_else(|| io::Error::other("the path has no file name"))?;
        return Ok(fs::canonicalize(folder)?.join(name));
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The text of a chip file or launch file. One that does not begin like RON of either kind is
/// refused, and nothing of it is shown: any file can be named, and messages quote the lines that
/// they are about.
pub fn read_ron(path: &Path, limit: u64) -> Result<String, Failure> {
    let text = read_text(path, limit)?;
    let Err(at) = looks_like_a_struct(&text) else { return Ok(text) };
    let (line, column) = place(&text, at);
    let expected = "expected `(` and the name of a field, such as `(name: …`";
    Err(Failure::input(format!(
        "error: {} is not a chip file or a launch file\nhelp: at line {line}, column {column}, {expected}",
        shown(path)
    )))
}

/// Line and column, in characters, of a byte of the text, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
}

/// Whether a text begins, behind comments and attributes, with `(`, a word and a colon, or is `()`.
/// `Err` is where the beginning should be.
fn looks_like_a_struct(text: &str) -> Result<(), usize> {
    let start = skip(text.strip_prefix('\u{feff}').unwrap_or(text));
    let at = text.len() - start.len();
    let inside = skip(start.strip_prefix('(').ok_or(at)?);
    let behind = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let field = behind.len() < inside.len() && skip(behind).starts_with(':');
    if field || inside.starts_with(')') { Ok(()) } else { Err(at) }
}

/// The text behind blanks, comments and attributes.
fn skip(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            comment(rest)
        } else if rest.starts_with("#!") {
            rest.find(']').map(|end| end + 1)
        } else {
            return rest;
        };
        rest = &rest[end.unwrap_or(rest.len())..];
    }
}

/// The length of the block comment at the beginning; block comments nest.
fn comment(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    while let Some(pair) = text.as_bytes().get(at..at + 2) {
        match pair {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_or_launch_file_begins_with_a_field() {
        for good in [
            "(a: 1)",
            "\u{feff} // x\n/* /* y */ ( */ ( a_1 /**/ : 2",
            "()",
            "( )",
            "#![enable(unwrap_newtypes)](a:",
        ] {
            assert_eq!(looks_like_a_struct(good), Ok(()), "{good}");
        }
        for (bad, at) in [
            ("", (1, 1)),
            ("root:x:0:0", (1, 1)),
            ("secret", (1, 1)),
            ("// é\n é(a: 1)", (2, 2)),
            ("(secret)", (1, 1)),
            ("(setq a: 1)", (1, 1)),
            ("[1]", (1, 1)),
            ("/* open", (1, 8)),
            ("(", (1, 1)),
        ] {
            let found = looks_like_a_struct(bad).expect_err(bad);
            assert_eq!(place(bad, found), at, "{bad}");
        }
    }

    #[test]
    fn a_path_need_not_exist_and_links_are_followed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let real = fs::canonicalize(folder.path()).expect("it is there");
        assert_eq!(resolve(&folder.path().join("./new")).expect("found"), real.join("new"));
        assert!(resolve(&folder.path().join("none/new")).is_err());
        assert!(resolve(Path::new("")).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("new", folder.path().join("link")).expect("linked");
            std::os::unix::fs::symlink("round", folder.path().join("round")).expect("linked");
            assert_eq!(resolve(&folder.path().join("link")).expect("found"), real.join("new"));
            assert!(resolve(&folder.path().join("round")).is_err());
        }
    }

    #[test]
    fn a_named_file_lies_below_the_folder_that_names_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).expect("made");
        fs::write(folder.path().join("outside.bin"), "").expect("written");
        assert!(named(&inside, Path::new("new.bin")).is_ok());
        assert!(named(folder.path(), Path::new("inside/../outside.bin")).is_ok());
        for bad in ["../outside.bin", "../new.bin", "/etc/hostname", "../inside-too"] {
            assert!(matches!(named(&inside, Path::new(bad)), Err(Refusal::Outside)), "{bad}");
        }
        assert!(matches!(named(folder.path(), Path::new("inside")), Err(Refusal::Special)));
    }
}
