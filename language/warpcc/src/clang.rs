//! Finds clang, and checks its version.

use crate::error::Failure;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Oldest version that is accepted. clang 14 moves the load of a `__shared__` scalar over
/// `__syncthreads()`, so that correct programs compute wrong values.
pub const OLDEST: u32 = 16;

/// Newest version for which a program name is tried.
const NEWEST: u32 = 26;

/// A usable clang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clang {
    /// Path or name of the program.
    pub path: PathBuf,
    /// Major version.
    pub version: u32,
}

/// Finds clang: `path` (of `--clang`), then `WARPSIM_CLANG`, then the newest of the programs
/// `clang-N` and `clang`.
pub fn find(path: Option<&Path>) -> Result<Clang, Failure> {
    let variable = std::env::var_os("WARPSIM_CLANG").filter(|value| !value.is_empty()).map(PathBuf::from);
    let chosen = path.map(Path::to_owned).map(|path| (path, "--clang"));
    let chosen = chosen.or_else(|| variable.map(|path| (path, "WARPSIM_CLANG")));
    if let Some((path, source)) = chosen {
        return match version(&path) {
            Some(version) if version >= OLDEST => Ok(Clang { path, version }),
            Some(version) => Err(Failure::Missing(format!(
                "{} ({source}) is clang {version}; warpcc needs clang {OLDEST} or newer\n{}",
                path.display(),
                install()
            ))),
            None => {
                let text = format!("{} ({source}) is not a clang that can be run", path.display());
                Err(Failure::Missing(text))
            }
        };
    }
    let mut old = None;
    let names = (OLDEST..=NEWEST).rev().map(|version| format!("clang-{version}"));
    for name in names.chain(["clang".to_owned()]).chain(HOMEBREW.map(str::to_owned)) {
        let path = PathBuf::from(&name);
        match version(&path) {
            Some(version) if version >= OLDEST => return Ok(Clang { path, version }),
            Some(version) => old = Some(format!("{name} is clang {version}")),
            None => {}
        }
    }
    let found = old.map_or_else(|| "clang is not installed".to_owned(), |old| format!("the only {old}"));
    Err(Failure::Missing(format!("{found}; warpcc needs clang {OLDEST} or newer\n{}", install())))
}

/// Where Homebrew installs LLVM, outside the search path. Apple's own clang has no code generator
/// for PTX.
const HOMEBREW: [&str; 2] = ["/opt/homebrew/opt/llvm/bin/clang", "/usr/local/opt/llvm/bin/clang"];

/// Returns the commands that install clang.
fn install() -> String {
    "Install it with one of these commands, or name it with --clang PATH or WARPSIM_CLANG:\n  \
     Debian, Ubuntu:  sudo apt-get install clang-16    (or the newest clang-N of the release)\n  \
     Fedora:          sudo dnf install clang\n  \
     macOS:           brew install llvm\n  \
     Windows:         winget install LLVM.LLVM"
        .to_owned()
}

/// Returns the major version of the clang with a path; `None` if it cannot be run, is another
/// compiler, or cannot compile for GPUs.
fn version(path: &Path) -> Option<u32> {
    let output = Command::new(path).arg("--version").output().ok()?;
    parse_version(&String::from_utf8_lossy(&output.stdout))
}

/// Reads the version from the first line that `clang --version` prints.
fn parse_version(text: &str) -> Option<u32> {
    let line = text.lines().next()?;
    if line.starts_with("Apple") {
        return None;
    }
    let after = line.split_once("clang version ")?.1;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_other_compilers_refused() {
        assert_eq!(parse_version("Debian clang version 16.0.6 (15~deb12u1)\nTarget"), Some(16));
        assert_eq!(parse_version("clang version 19.1.7"), Some(19));
        assert_eq!(parse_version("Apple clang version 15.0.0 (clang-1500)"), None);
        assert_eq!(parse_version("gcc (Debian 12.2.0) 12.2.0"), None);
        assert_eq!(parse_version(""), None);
    }
}
