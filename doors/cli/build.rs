//! Makes a digest of the sources that decide the result of a simulation. The key of a result in a
//! store contains it, so that a changed simulator never returns a result of another one.
//!
//! `warpsim --version` prints this digest, the digest of the built-in chips, and the commit if the
//! environment names it (`WARPSIM_COMMIT`, set by `scripts/packaging/build`). The repository is not
//! asked: otherwise each commit would compile the program again.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the workspace with such sources.
const FOLDERS: [&str; 11] = [
    "machine/isa/src",
    "machine/sim-core/state-derive/src",
    "machine/sim-core/src",
    "kernels/src",
    "kernels/ptx",
    "analysis/report/src",
    "analysis/studies/src/point",
    "language/cuda/src",
    "language/cudart/src",
    "language/embedded/src",
    "analysis/request/src",
];

fn main() {
    println!("cargo::rustc-env=WARPSIM_SOURCES={:032x}", digest(&FOLDERS));
    println!("cargo::rustc-env=WARPSIM_CHIPS={:032x}", digest(&["configs"]));
    println!("cargo::rerun-if-env-changed=WARPSIM_COMMIT");
    let commit = std::env::var("WARPSIM_COMMIT").unwrap_or_else(|_| "not recorded".to_owned());
    println!("cargo::rustc-env=WARPSIM_COMMIT={commit}");
}

/// Returns the digest of the files in folders of the workspace.
fn digest(folders: &[&str]) -> u128 {
    // Not `env!`: the checkout may have moved since this script was compiled.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let root = Path::new(&manifest).join("../..");
    let mut files = Vec::new();
    for folder in folders {
        let folder = root.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut files);
    }
    files.sort();
    let mut hash = FNV_START;
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let text = fs::read(&file).unwrap_or_default();
        hash = fnv(fnv(hash, name.as_bytes()), &text);
    }
    hash
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    for entry in entries {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}

/// Start value and prime of the 128-bit FNV-1a hash.
const FNV_START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

fn fnv(start: u128, bytes: &[u8]) -> u128 {
    // The length separates two files.
    let length = (bytes.len() as u64).to_le_bytes();
    length.iter().chain(bytes).fold(start, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(FNV_PRIME))
}
