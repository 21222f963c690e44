//! Where the texts of a request are: in files, or with the request.

use report::access;
use report::exit::Failure;
use report::text::{read_source, read_text, shown};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Most bytes of a launch file.
const MAX_LAUNCH: u64 = 16 << 20;
/// Most bytes of PTX or CUDA C.
const MAX_TEXT: u64 = isa::ptx::parse::MAX_TEXT as u64;

/// The texts that come with a request, and whether others are files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    given: BTreeMap<PathBuf, String>,
    has_files: bool,
}

impl Default for Sources {
    /// Files only.
    fn default() -> Self {
        Self { given: BTreeMap::new(), has_files: true }
    }
}

impl Sources {
    /// These texts only: no file is read.
    pub fn only<N: Into<PathBuf>>(texts: impl IntoIterator<Item = (N, String)>) -> Self {
        let given = texts.into_iter().map(|(name, text)| (name.into(), text)).collect();
        Self { given, has_files: false }
    }

    /// Adds a text that stands for the file `path`.
    pub fn insert(&mut self, path: impl Into<PathBuf>, text: String) {
        self.given.insert(path.into(), text);
    }

    /// The text of `path`, if it comes with the request.
    pub fn given(&self, path: &Path) -> Option<&str> {
        self.given.get(path).map(String::as_str)
    }

    /// Whether there is a text of this path.
    pub fn is_file(&self, path: &Path) -> bool {
        self.given.contains_key(path) || (self.has_files && path.is_file())
    }

    /// The text of a launch file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or does not begin like a launch file.
    pub fn launch(&self, path: &Path) -> Result<String, Failure> {
        self.text_by(path, |path| access::read_ron(path, MAX_LAUNCH))
    }

    /// The text of PTX.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not UTF-8.
    pub fn ptx(&self, path: &Path) -> Result<String, Failure> {
        self.text_by(path, |path| read_text(path, MAX_TEXT))
    }

    /// The text of CUDA C. Bytes that are not UTF-8 are read as Latin-1.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn cuda_c(&self, path: &Path) -> Result<String, Failure> {
        self.text_by(path, |path| read_source(path, MAX_TEXT))
    }

    fn text_by(
        &self,
        path: &Path,
        read: impl FnOnce(&Path) -> Result<String, Failure>,
    ) -> Result<String, Failure> {
        match self.given(path) {
            Some(text) => Ok(text.to_owned()),
            None if self.has_files => read(path),
            None => Err(Failure::input(format!(
                "error: cannot read {}: the file is not part of the request",
                shown(path)
            ))),
        }
    }
}
