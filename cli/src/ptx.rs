//! PTX texts: of a built-in kernel, or from a file.

use crate::exit::Failure;
use crate::families;
use crate::output::{complain, read_text, shown};
use isa::Options;
use isa::diag::render_all;
use isa::ptx::parse::MAX_TEXT;
use isa::uop::Module;
use kernels::Workload;
use std::borrow::Cow;
use std::path::Path;

/// A PTX text and where it comes from.
pub struct Ptx {
    /// The file's name, for messages.
    pub name: String,
    /// The text.
    pub text: Cow<'static, str>,
    /// The workload, if it is a built-in kernel's text.
    pub workload: Option<&'static Workload>,
}

impl Ptx {
    /// The text of the built-in kernel of that name, or of the file.
    pub fn of(name: &str) -> Result<Self, Failure> {
        if let Some(workload) = kernels::find(name) {
            let text = Cow::Borrowed(workload.ptx);
            return Ok(Self { name: workload.file.to_owned(), text, workload: Some(workload) });
        }
        let path = Path::new(name);
        if is_file(path) { Self::read(path) } else { Err(unknown(name)) }
    }

    /// The text of a file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = Cow::Owned(read_text(path, MAX_TEXT as u64)?);
        Ok(Self { name: shown(path), text, workload: None })
    }

    /// The compiled text. Warnings go to standard error.
    pub fn compile(&self, options: Options) -> Result<Module, Failure> {
        let (module, diagnostics) = isa::compile_with(&self.name, &self.text, options);
        let drawn = render_all(&diagnostics, &self.name, &self.text);
        let Some(module) = module else { return Err(Failure::input(drawn)) };
        if !drawn.is_empty() {
            complain(&drawn);
        }
        Ok(module)
    }
}

/// Whether a name that is no built-in kernel's is meant as a file.
pub fn is_file(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ptx")) || path.is_file()
}

/// The failure of a name that is neither a kernel nor a file.
pub fn unknown(name: &str) -> Failure {
    let members = families::members(name);
    let wrong = if members.is_empty() {
        format!("error: there is no kernel `{name}`{}", families::near(name))
    } else {
        format!("error: `{name}` is a family, and one of it is wanted: {}", members.join(", "))
    };
    Failure::input(wrong + "\n`warpsim list` names all kernels; a file of your own ends in `.ptx`")
}
