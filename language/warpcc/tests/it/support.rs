//! Runs `warpcc` in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use test_support::tools::Tool;

/// A folder with files, in which `warpcc` runs.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// Creates a folder; `None` with a message if clang is missing.
    pub fn new(test: &str) -> Option<Self> {
        (!Tool::Clang.is_missing(test)).then(Self::without_clang)
    }

    /// Creates a folder for a test that needs no clang.
    pub fn without_clang() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be created"))
    }

    /// Returns the path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a path in the folder")).expect("a folder can be created");
        fs::write(path, text).expect("a file can be written");
        self
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns `warpcc` with arguments, in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpcc"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("WARPSIM_CLANG")
            .env_remove("WARPSIM_LIB");
        command.env("TMPDIR", self.temporary());
        command
    }

    /// The folder for temporary files of `warpcc`.
    pub fn temporary(&self) -> PathBuf {
        let folder = self.path("tmp");
        fs::create_dir_all(&folder).expect("a folder can be created");
        folder
    }

    /// Runs `warpcc`. Returns its exit code and what it prints.
    pub fn run(&self, arguments: &[&str]) -> (i32, String) {
        outcome(&self.command(arguments).output().expect("warpcc starts"))
    }

    /// Runs `warpcc`, which must succeed. Returns what it prints.
    pub fn good(&self, arguments: &[&str]) -> String {
        let (code, text) = self.run(arguments);
        assert_eq!(code, 0, "warpcc {}:\n{text}", arguments.join(" "));
        text
    }
}

/// Returns exit code and output of a process.
pub fn outcome(output: &Output) -> (i32, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout) + &text(&output.stderr))
}

/// Returns all installed versions of clang that are supported.
pub fn clangs() -> Vec<PathBuf> {
    let names = (warpcc::clang::OLDEST..=26).map(|version| PathBuf::from(format!("clang-{version}")));
    names.filter(|name| warpcc::clang::find(Some(Path::new(name))).is_ok()).collect()
}
