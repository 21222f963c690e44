//! Results of real silicon: kernels made by compilers, random programs and single instructions,
//! with the bytes that a GPU computed for them, run here on the simulated machines.
//!
//! The whole record is outside the repository, in `../shared/ptx`, if it exists. The project
//! contains a part of it, with the same directory structure, in `tests/corpus`: [`Records`] is one
//! or the other. [`case`] reads the cases, [`run`] launches one of them, [`compare`] compares its
//! outputs with the recorded bytes, and [`unsupported`] lists the cases that the simulator does not
//! support. [`vector`] does the same for single instructions.

pub mod case;
pub mod compare;
pub mod forms;
pub mod kernel;
pub mod run;
pub mod unsupported;
pub mod vector;
pub mod vote;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A directory of recorded cases.
#[derive(Clone, Debug)]
pub struct Records {
    root: PathBuf,
}

impl Records {
    /// The part in the project.
    pub fn copied() -> Self {
        Self { root: Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus") }
    }

    /// The whole record outside the repository. If it does not exist, standard error reports
    /// `without_it`, the skipped work.
    pub fn whole(without_it: &str) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/ptx");
        if root.exists() {
            return Some(Self { root });
        }
        // Written directly, because the test harness hides the output of passing tests.
        let message = format!("SKIPPED: no ../shared/ptx next to the repository: {without_it}\n");
        std::io::stderr().write_all(message.as_bytes()).expect("standard error can be written");
        None
    }

    /// Reads the bytes of a file.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        fs::read(self.root.join(name)).map_err(|e| format!("{name}: {e}"))
    }

    /// Reads the text of a file.
    pub fn text(&self, name: &str) -> Result<String, String> {
        String::from_utf8(self.read(name)?).map_err(|e| format!("{name}: {e}"))
    }
}
