//! File functions that only Unix has: file numbers, owners, and duplicates of the standard streams.

use std::fs::{File, Metadata};
use std::path::Path;

#[cfg(unix)]
pub use unix::{file_number, keep_owner_and_mode, new_file, owner, standard_output, standard_outputs};

#[cfg(unix)]
mod unix {
    use super::{File, Metadata, Path};
    use std::fs::Permissions;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    use tempfile::Builder;

    /// Mode bits that `chmod` sets.
    const MODE: u32 = 0o7777;
    /// These bits without set-user-ID, set-group-ID and the sticky bit.
    const ACCESS: u32 = 0o777;

    /// Returns the number of the device and of the file on it, which are the same for all hard
    /// links.
    #[expect(clippy::unnecessary_wraps, reason = "other systems give no number")]
    pub fn file_number(metadata: &Metadata) -> Option<(u64, u64)> {
        Some((metadata.dev(), metadata.ino()))
    }

    /// Returns the number of the owner.
    #[expect(clippy::unnecessary_wraps, reason = "other systems give no number")]
    pub fn owner(metadata: &Metadata) -> Option<u32> {
        Some(metadata.uid())
    }

    /// Gives a new file the usual access rights: all that the umask permits.
    pub fn new_file(builder: &mut Builder<'_, '_>) {
        builder.permissions(Permissions::from_mode(0o666));
    }

    /// Gives `file` the mode of the file that it replaces, and its owner if the system permits it.
    pub fn keep_owner_and_mode(file: &File, old: &Metadata) -> io::Result<()> {
        let new = file.metadata()?;
        let mut owner_kept = true;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            owner_kept = fchown(file, Some(old.uid()), Some(old.gid())).is_ok();
            if !owner_kept {
                // One of the user's groups can be kept nevertheless.
                let _ = fchown(file, None, Some(old.gid()));
            }
        }
        let mode = old.mode() & if owner_kept { MODE } else { ACCESS };
        file.set_permissions(Permissions::from_mode(mode))
    }

    /// Returns a duplicate of standard output or standard error if `path` is its name. Writes are
    /// appended to the earlier output, also if the stream is redirected to a file.
    pub fn standard_output(path: &Path) -> Option<File> {
        match path.to_str()? {
            "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => duplicate(&io::stdout()),
            "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => duplicate(&io::stderr()),
            _ => None,
        }
    }

    fn duplicate(stream: &impl AsFd) -> Option<File> {
        stream.as_fd().try_clone_to_owned().ok().map(File::from)
    }

    /// Returns the files of standard output and standard error.
    pub fn standard_outputs() -> Vec<(&'static str, Metadata)> {
        let streams =
            [("standard output", duplicate(&io::stdout())), ("standard error", duplicate(&io::stderr()))];
        streams.into_iter().filter_map(|(name, file)| Some((name, file?.metadata().ok()?))).collect()
    }
}

#[cfg(not(unix))]
pub use other::{file_number, keep_owner_and_mode, new_file, owner, standard_output, standard_outputs};

#[cfg(not(unix))]
mod other {
    use super::{File, Metadata, Path};
    use std::io;
    use tempfile::Builder;

    /// Returns `None`: hard links are not detected.
    pub fn file_number(_: &Metadata) -> Option<(u64, u64)> {
        None
    }

    /// Returns `None`.
    pub fn owner(_: &Metadata) -> Option<u32> {
        None
    }

    /// Does nothing: a new file has the rights of its folder.
    pub fn new_file(_: &mut Builder<'_, '_>) {}

    /// Does nothing.
    pub fn keep_owner_and_mode(_: &File, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// Returns `None`: the standard streams have no paths.
    pub fn standard_output(_: &Path) -> Option<File> {
        None
    }

    /// Returns an empty list.
    pub fn standard_outputs() -> Vec<(&'static str, Metadata)> {
        Vec::new()
    }
}
