//! `warpsim new-scheduler`: a crate with a scheduling policy, a test of a rule, and this program's
//! commands.
//!
//! The sources are those of `examples/new-scheduler`, so that each build of the workspace compiles
//! them.

#[cfg(test)]
mod tests;

use crate::args::NewSchedulerArgs;
use crate::exit::{Code, Failure};
use crate::output::{Files, print, shown};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of the example, with their paths in the crate.
const EXAMPLE: [(&str, &str); 3] = [
    ("src/lib.rs", include_str!("../../../../../examples/new-scheduler/src/lib.rs")),
    ("src/main.rs", include_str!("../../../../../examples/new-scheduler/src/main.rs")),
    ("tests/rules.rs", include_str!("../../../../../examples/new-scheduler/tests/rules.rs")),
];

/// The files that only a crate outside the workspace has.
const OUTSIDE: [(&str, &str); 3] = [
    ("Cargo.toml", include_str!("Cargo.toml.template")),
    ("README.md", include_str!("README.md.template")),
    (".gitignore", "/target\n"),
];

/// Files of the workspace that the crate gets as they are: the same compiler and the same versions
/// of all dependencies.
const COPIED: [&str; 2] = ["Cargo.lock", "rust-toolchain.toml"];

/// Name of the example.
const NAME: &str = "new-scheduler";

/// Writes the crate.
pub fn run(args: &NewSchedulerArgs) -> Result<Code, Failure> {
    let folder = &args.folder;
    let name = name_of(folder)?;
    let source = source(args.source.as_deref())?;
    let all = EXAMPLE.iter().chain(&OUTSIDE);
    let mut texts: Vec<(&str, String)> =
        all.map(|(path, text)| Ok((*path, filled(text, &name, &source)?))).collect::<Result<_, Failure>>()?;
    for path in COPIED {
        texts.extend(fs::read_to_string(source.join(path)).ok().map(|text| (path, text)));
    }
    if let Some((path, _)) = texts.iter().find(|(path, _)| folder.join(path).exists()) {
        let path = shown(&folder.join(path));
        let help = "help: name a new folder; files are not replaced";
        return Err(Failure::input(format!("error: {path} exists\n{help}")));
    }
    let mut files = Files::new();
    for (path, text) in &texts {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            let failed = |why| format!("error: cannot make the folder {}: {why}", shown(parent));
            fs::create_dir_all(parent).map_err(|why| Failure::input(failed(why)))?;
        }
        files.open(&path)?.write(text.as_bytes())?;
    }
    let folder = shown(folder);
    print(&format!(
        "{name}: a scheduling policy and its test\nRead {folder}/README.md and {folder}/src/lib.rs, then run in {folder}: \
         cargo run --release -- run matmul-tiled --set sm.scheduler=abreast\nand: cargo test --release\n"
    ))?;
    Ok(Code::Fine)
}

/// Returns the text of a file in the crate `name`.
fn filled(text: &str, name: &str, source: &Path) -> Result<String, Failure> {
    let path = |folder: &str| -> Result<String, Failure> {
        let path = source.join(folder);
        let text = path.to_str().filter(|text| !text.contains(char::is_control));
        let text = text.ok_or_else(|| {
            Failure::input(format!("error: the path {} cannot be written in Cargo.toml", shown(&path)))
        })?;
        Ok(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
    };
    Ok(text
        .replace("path = CLI", &format!("path = {}", path("doors/cli")?))
        .replace("path = CHECK", &format!("path = {}", path("analysis/check")?))
        .replace(NAME, name)
        .replace(&NAME.replace('-', "_"), &name.replace('-', "_")))
}

/// Returns the name of the crate in `folder`.
fn name_of(folder: &Path) -> Result<String, Failure> {
    let full = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = full.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    let is_taken = ["warpsim", "warpsim-check", "test", "core", "std"].contains(&name.as_str());
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_letter) && !is_taken {
        return Ok(name);
    }
    Err(Failure::input(format!(
        "error: {}: the folder has the name of the crate: lower-case letters, digits, `-` and `_`, first a letter, such \
         as my-scheduler",
        shown(folder)
    )))
}

/// Whether a folder has the source code of this program.
fn is_source(folder: &Path) -> bool {
    ["doors/cli", "analysis/check", "machine/sim-core"]
        .iter()
        .all(|name| folder.join(name).join("Cargo.toml").is_file())
}

/// Returns the absolute path of the folder with the source code.
fn source(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let found = match given {
        Some(folder) if is_source(folder) => Some(folder.to_owned()),
        Some(folder) => {
            return Err(Failure::input(format!(
                "error: --source {}: the folder has not the source code of warpsim",
                shown(folder)
            )));
        }
        None => {
            let starts = [std::env::current_exe().ok(), std::env::current_dir().ok()];
            let above = |start: PathBuf| start.ancestors().find(|at| is_source(at)).map(Path::to_owned);
            starts.into_iter().flatten().find_map(above)
        }
    };
    let found = found.ok_or_else(|| {
        Failure::input(
            "error: the source code of warpsim is not above this program or the current folder\nhelp: --source DIR \
             names a folder with it",
        )
    })?;
    found.canonicalize().map_err(|why| Failure::input(format!("error: cannot read {}: {why}", shown(&found))))
}
