//! The headers: embedded in the program, written to a cache folder when they are used.

use crate::error::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// Names and texts of the headers, in the order of their names.
pub const HEADERS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/headers.rs"));

/// Returns the folder with the headers. They are written if the folder does not exist.
///
/// The name of the folder contains a hash of the texts, so that another version of the program
/// never reads them. A folder becomes visible with all its files.
pub fn folder() -> Result<PathBuf, Failure> {
    let folder = cache().join(format!("headers-{:016x}", hash(HEADERS)));
    if folder.join("cuda_runtime.h").is_file() {
        return Ok(folder);
    }
    let parent = folder.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| Failure::file("create", parent, &error))?;
    let part = tempfile::Builder::new().prefix("part-").tempdir_in(parent);
    let part = part.map_err(|error| Failure::file("create a folder in", parent, &error))?;
    write(part.path())?;
    make_readable(part.path());
    match fs::rename(part.path(), &folder) {
        Ok(()) => {
            // The folder has another name now: there is nothing to remove.
            let _ = part.keep();
            Ok(folder)
        }
        // Another process was faster.
        Err(_) if folder.join("cuda_runtime.h").is_file() => Ok(folder),
        Err(error) => Err(Failure::file("create", &folder, &error)),
    }
}

/// Writes all headers to a folder.
pub fn write(folder: &Path) -> Result<(), Failure> {
    for (name, text) in HEADERS {
        let path = folder.join(name);
        let inner = path.parent().unwrap_or(folder);
        fs::create_dir_all(inner).map_err(|error| Failure::file("create", inner, &error))?;
        fs::write(&path, text).map_err(|error| Failure::file("write", &path, &error))?;
    }
    Ok(())
}

/// Lets other users read the folder, which is private otherwise as every temporary folder.
fn make_readable(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A folder that only its owner can read works too.
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Returns the cache folder: `WARPSIM_CACHE`, or `warpsim` in the user's cache folder.
fn cache() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("WARPSIM_CACHE")
        .or_else(|| Some(set("XDG_CACHE_HOME")?.join("warpsim")))
        .or_else(|| Some(set("HOME")?.join(".cache/warpsim")))
        .or_else(|| Some(set("LOCALAPPDATA")?.join("warpsim")))
        .unwrap_or_else(|| std::env::temp_dir().join("warpsim-cache"))
}

/// Returns the FNV-1a hash of names and texts.
fn hash(files: &[(&str, &str)]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for (name, text) in files {
        for byte in name.bytes().chain([0]).chain(text.bytes()).chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_the_headers_in_order_and_the_hash_sees_a_name() {
        assert!(HEADERS.iter().any(|(name, _)| *name == "cuda_runtime.h"));
        assert!(HEADERS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_ne!(hash(&[("a", "bc")]), hash(&[("ab", "c")]));
    }
}
