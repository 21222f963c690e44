//! Access rule for files that are named in other files: a launch file or a chip file may come from
//! an untrusted source.
//!
//! A path in such a file must lead, with `..` and symbolic links resolved, to a regular file below
//! the folder of the file that names it, below the current folder, or below a folder of
//! `--allow-path`. `SECURITY.md` states the rule.
//!
//! Invariant `files-name-files-below`: A launch file or chip file reaches no file outside its
//! folder, the current folder and the folders of `--allow-path`. A file that is not RON is not
//! quoted, and control characters are shown escaped.

use crate::exit::Failure;
use crate::text::{read_text, shown};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folders of `--allow-path`, absolute.
static ALLOWED: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// Maximum number of symbolic links followed from one path.
const MOST_LINKS: usize = 40;

/// Reason for which a path in a file is not opened.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The path leads outside the permitted folders.
    #[error("the path leads outside the permitted folders")]
    Outside,
    /// The path is a folder, a device or a pipe.
    #[error("the path is not a regular file")]
    Special,
    /// The path cannot be resolved.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Advice for [`Refusal::Outside`].
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

/// Returns the folders of `--allow-path`, absolute.
pub fn allowed() -> &'static [PathBuf] {
    ALLOWED.get().map_or(&[], Vec::as_slice)
}

/// Returns the file for the path `named` in a file of `folder`. The file need not exist.
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

/// Returns the absolute path of a file that may not exist, with all symbolic links resolved.
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

/// The folders whose files messages quote. A program may include any file, but the lines of other
/// files are named and not shown.
#[derive(Clone, Debug, Default)]
pub struct Quoted(Vec<PathBuf>);

impl Quoted {
    /// The folders of the sources, and the folders in which included files are looked for.
    pub fn new<'p>(sources: impl IntoIterator<Item = &'p Path>, folders: &'p [PathBuf]) -> Self {
        let own = sources.into_iter().filter_map(Path::parent);
        let all = own.chain(folders.iter().map(PathBuf::as_path));
        let all = all.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        Self(all.filter_map(|folder| fs::canonicalize(folder).ok()).collect())
    }

    /// Adds the current folder and the folders of `--allow-path`.
    #[must_use]
    pub fn with_permitted(mut self) -> Self {
        self.0.extend(fs::canonicalize("."));
        self.0.extend_from_slice(allowed());
        self
    }

    /// Whether messages quote a file: it is below one of the folders, with `..` and symbolic links
    /// resolved.
    pub fn has(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|path| self.0.iter().any(|folder| path.starts_with(folder)))
    }
}

/// Returns the text of a chip file or launch file. A text that does not begin like RON of either
/// kind is rejected without quoting it: any file can be named, and other messages quote the lines
/// that they refer to.
pub fn read_ron(path: &Path, limit: u64) -> Result<String, Failure> {
    let text = read_text(path, limit)?;
    let Err(at) = looks_like_a_struct(&text) else { return Ok(text) };
    let (line, column) = place(&text, at);
    let expected = "expected `(` and the name of a field, such as `(name: …`";
    Err(Failure::input(format!(
        "error: {} is not a chip, launch or experiment file\nhelp: at line {line}, column {column}, {expected}",
        shown(path)
    )))
}

/// Line and column, in characters from 1, of a byte of the text.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
}

/// Checks that a text begins, after comments and attributes, with `(`, a word and a colon, or is
/// `()`. `Err` is the position at which the beginning was expected.
fn looks_like_a_struct(text: &str) -> Result<(), usize> {
    let start = skip(text.strip_prefix('\u{feff}').unwrap_or(text));
    let at = text.len() - start.len();
    let inside = skip(start.strip_prefix('(').ok_or(at)?);
    let rest = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let field = rest.len() < inside.len() && skip(rest).starts_with(':');
    if field || inside.starts_with(')') { Ok(()) } else { Err(at) }
}

/// Returns the text after blanks, comments and attributes.
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

/// Returns the length of the block comment at the beginning; block comments nest.
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
        let real = fs::canonicalize(folder.path()).expect("the folder exists");
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
    fn files_below_the_folders_of_the_source_are_quoted() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["own/inner", "common"] {
            fs::create_dir_all(path(name)).expect("made");
        }
        for name in ["own/k.cu", "own/inner/a.h", "common/b.h", "c.h"] {
            fs::write(path(name), "").expect("written");
        }
        let source = path("own/k.cu");
        let names = ["own/k.cu", "own/inner/a.h", "own/inner/../inner/a.h", "own/../c.h", "common/b.h"];
        let has = |quoted: &Quoted| names.map(|name| quoted.has(&path(name)));
        assert_eq!(has(&Quoted::new([&*source], &[])), [true, true, true, false, false]);
        assert_eq!(has(&Quoted::new([&*source], &[path("common")])), [true, true, true, false, true]);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("c.h"), path("own/link.h")).expect("linked");
            assert!(!Quoted::new([&*source], &[]).has(&path("own/link.h")));
        }
    }

    #[test]
    fn a_named_file_is_below_the_folder_that_names_it() {
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
