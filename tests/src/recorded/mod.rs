//! What real silicon computed: compiler-made kernels, random programs and single instructions, with
//! the bytes that a GPU put out for them, run here on the simulated machines.
//!
//! The whole record lies beside the repository, in `../shared/ptx`, if it is there at all. The
//! project holds a part of it, in the same folders under the same names, in `tests/corpus`:
//! [`Records`] is one or the other. [`case`] reads the cases, [`run`] launches one of them,
//! [`compare`] holds its outputs against the recorded bytes, and [`waiting`] knows which cases the
//! simulator does not do yet. [`vector`] is the same for single instructions.

pub mod case;
pub mod compare;
pub mod forms;
pub mod kernel;
pub mod run;
pub mod vector;
pub mod vote;
pub mod waiting;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A folder of recorded cases.
#[derive(Clone, Debug)]
pub struct Records {
    root: PathBuf,
}

impl Records {
    /// The part that lies in the project.
    pub fn copied() -> Self {
        Self { root: Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus") }
    }

    /// The whole record beside the repository. If it is not there, standard error is told what is
    /// left out.
    pub fn whole(without_it: &str) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/ptx");
        if root.exists() {
            return Some(Self { root });
        }
        // Written past the test harness, which hides what passing tests print.
        let told = format!("SKIPPED: no ../shared/ptx beside the repository: {without_it}\n");
        std::io::stderr().write_all(told.as_bytes()).expect("standard error can be written");
        None
    }

    /// The bytes of a file.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        fs::read(self.root.join(name)).map_err(|e| format!("{name}: {e}"))
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> Result<String, String> {
        String::from_utf8(self.read(name)?).map_err(|e| format!("{name}: {e}"))
    }
}
