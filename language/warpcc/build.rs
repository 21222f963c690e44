//! Makes the list of the embedded headers from the files in `language/include`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    // Not `env!`: the checkout may have moved since this script was compiled.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let folder = Path::new(&manifest).join("../include");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let mut list = "[\n".to_owned();
    for file in files {
        let name = file.strip_prefix(&folder).expect("a path below the folder");
        let name = name.to_string_lossy().replace('\\', "/");
        let file = file.to_string_lossy();
        writeln!(list, "    ({name:?}, include_str!({file:?})),").expect("writing to a string cannot fail");
    }
    list.push_str("]\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("headers.rs"), list).expect("the list can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder).expect("the folder of headers is readable") {
        let path = entry.expect("an entry is readable").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "h") {
            files.push(path);
        }
    }
}
