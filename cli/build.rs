//! Makes a digest of the sources that decide the result of a simulation. The key of a result in a
//! store contains it, so that a changed simulator never returns a result of another one.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the workspace with such sources.
const FOLDERS: [&str; 8] = [
    "isa/src",
    "sim-core/src",
    "kernels/src",
    "kernels/ptx",
    "report/src/launch_file",
    "report/src/metrics",
    "cli/src/point",
    "cli/src/workload",
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in FOLDERS {
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
    println!("cargo::rustc-env=WARPSIM_SOURCES={hash:032x}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
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
