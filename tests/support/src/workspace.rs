//! The repository: its root, the members of the workspace, and its files.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root of the repository.
///
/// # Panics
///
/// Panics if the crate lies elsewhere.
pub fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    folder.expect("the crate is two folders below the root").to_owned()
}

/// Returns the folders of the members of the workspace, in the order of the manifest.
///
/// # Panics
///
/// Panics if the manifest has no such list.
pub fn members() -> Vec<String> {
    let text = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is readable");
    let (_, rest) = text.split_once("\nmembers = [").expect("the manifest has members");
    let (members, _) = rest.split_once(']').expect("the list ends");
    members.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Folders with outputs of builds and tests, packages of npm, and inputs of the fuzzer.
const OUTPUTS: [&str; 6] = ["target", "node_modules", "dist", "doors/web/build", "corpus", "artifacts"];

/// Returns the files below a folder whose names end with one of the extensions, in the order of
/// their paths. Outputs and hidden folders are left out.
///
/// # Panics
///
/// Panics if a folder is not readable.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, extensions, &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, extensions: &[&str], files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder is readable") {
        let entry = entry.expect("an entry is readable");
        let path = entry.path();
        if path.is_dir() {
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if !is_hidden && !OUTPUTS.iter().any(|output| path.ends_with(output)) {
                collect(&path, extensions, files);
            }
        } else if path.extension().is_some_and(|own| extensions.iter().any(|known| own == *known)) {
            files.push(path);
        }
    }
}

/// Returns the sources in Rust of the members, in the order of their paths.
pub fn sources() -> Vec<PathBuf> {
    let mut files: Vec<_> =
        members().iter().flat_map(|member| files(&root().join(member), &["rs"])).collect();
    files.sort();
    // Some members are below others.
    files.dedup();
    files
}

/// Returns the path of a file from the root, with slashes.
///
/// # Panics
///
/// Panics if the file is not below the root.
pub fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("the file is below the root");
    path.to_string_lossy().replace('\\', "/")
}
