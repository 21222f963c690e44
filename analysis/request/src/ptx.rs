//! PTX texts: of a built-in kernel, or from files.

use crate::Warn;
use crate::compilation::Compilation;
use crate::options::is_cuda_c_file;
use isa::diag::render_source;
use isa::ptx::is_module;
use isa::source::Source;
use isa::uop::Module;
use isa::variables::Variables;
use kernels::Workload;
use report::access::Quoted;
use report::exit::Failure;
use report::text::shown;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The PTX text of a program: of a built-in kernel, or of one or several files.
pub struct Ptx {
    /// Files and text.
    pub source: Arc<Source>,
    /// The workload, for the text of a built-in kernel.
    pub workload: Option<&'static Workload>,
    /// Warnings of the compilation of CUDA C; empty without any.
    pub warnings: String,
    /// The files that CUDA C includes.
    pub included: Vec<PathBuf>,
}

impl Ptx {
    /// Returns the text of the built-in kernel of that name, or of the file.
    pub fn of(name: &str, how: &Compilation) -> Result<Self, Failure> {
        if let Some(workload) = kernels::find(name) {
            let source = Arc::new(Source::new(workload.file, workload.ptx));
            return Ok(Self {
                source,
                workload: Some(workload),
                warnings: String::new(),
                included: Vec::new(),
            });
        }
        let path = Path::new(name);
        if how.is_file(path) { Self::read(&[path], how) } else { Err(unknown(name)) }
    }

    /// Returns the text of the built-in kernel `name`, or of the file of that name and the files
    /// `more` that are linked with it.
    pub fn linked(name: &str, more: &[PathBuf], how: &Compilation) -> Result<Self, Failure> {
        if more.is_empty() {
            return Self::of(name, how);
        }
        how.check_linked(name, more)?;
        let paths: Vec<&Path> = [Path::new(name)].into_iter().chain(more.iter().map(Path::new)).collect();
        Self::read(&paths, how)
    }

    /// Reads the texts of files, and compiles CUDA C to PTX.
    pub fn read(paths: &[&Path], how: &Compilation) -> Result<Self, Failure> {
        let mut known = BTreeSet::new();
        let (mut texts, mut variables, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        let mut included = Vec::new();
        for path in paths {
            if has_extension(path, &["ron"]) {
                return Err(Failure::input(format!(
                    "error: {} is a launch file\nhelp: give the PTX or CUDA C files that it names",
                    shown(path)
                )));
            }
            let is_source = is_cuda_c_file(path);
            let text = if is_source { how.sources.cuda_c(path) } else { how.sources.ptx(path) }?;
            let (text, own) = if is_source {
                let compiled = how.to_ptx(path, &text)?;
                included.extend(compiled.included);
                warnings.extend(Some(compiled.warnings).filter(|text| !text.is_empty()));
                (compiled.ptx, compiled.variables)
            } else if is_cuda_c(&text) {
                return Err(cuda_c(path));
            } else {
                (text, Variables::default())
            };
            if !known.insert(path.canonicalize().unwrap_or_else(|_| path.to_path_buf())) {
                let name = shown(path);
                return Err(Failure::input(format!(
                    "error: {name} is given twice\nhelp: name each file once"
                )));
            }
            texts.push((shown(path), text));
            variables.push(Arc::new(own));
        }
        let mut source = Source::linked(texts.iter().map(|(name, text)| (&**name, &**text)));
        source.set_variables(variables);
        if how.has_source_lines() {
            // PTX names files like a launch file does.
            let has_ptx = paths.iter().any(|path| !is_cuda_c_file(path));
            let quoted = how.quoted(paths.iter().copied());
            let quoted = if has_ptx { quoted.with_permitted() } else { quoted };
            source.read_origins(|name| read_origin(name, paths, &quoted, how));
        }
        Ok(Self { source: Arc::new(source), workload: None, warnings: warnings.join("\n"), included })
    }

    /// Name of the file, or of the files, for messages.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// Compiles the text. Warnings go to `warn`.
    ///
    /// # Errors
    ///
    /// The text has errors.
    pub fn compile(&self, how: &Compilation, warn: Warn<'_>) -> Result<Module, Failure> {
        let (module, diagnostics) = isa::compile_source(&self.source, how.options);
        let drawn = render_source(&diagnostics, &self.source);
        let Some(module) = module else { return Err(Failure::input(drawn)) };
        [&self.warnings, &drawn].into_iter().filter(|text| !text.is_empty()).for_each(|text| warn(text));
        Ok(module)
    }
}

/// Returns path and text of the CUDA C file that a `.file` of the PTX files `paths` names, if it
/// can be read. A relative name is relative to the current folder or to the folder of a PTX file.
/// The lines are empty if messages do not quote the file.
fn read_origin(
    name: &str,
    paths: &[&Path],
    quoted: &Quoted,
    Compilation { sources, .. }: &Compilation,
) -> Option<(String, String)> {
    let folders = paths.iter().filter_map(|path| path.parent());
    let places = [PathBuf::from(name)].into_iter().chain(folders.map(|folder| folder.join(name)));
    let mut read = places.filter(|path| sources.is_file(path)).filter_map(|path| {
        let text = sources.cuda_c(&path).ok()?;
        let text = if sources.given(&path).is_some() || quoted.has(&path) {
            text
        } else {
            "\n".repeat(text.lines().count())
        };
        Some((shown(&path), text))
    });
    read.next()
}

impl Compilation {
    /// Checks that a program of several parts has no built-in kernel.
    ///
    /// # Errors
    ///
    /// It has one, or a name is neither a kernel nor a file.
    pub fn check_linked(&self, name: &str, more: &[PathBuf]) -> Result<(), Failure> {
        if more.is_empty() && kernels::find(name).is_some() {
            return Ok(());
        }
        let names = || [name].into_iter().chain(more.iter().filter_map(|path| path.to_str()));
        if let Some(workload) = names().find_map(kernels::find) {
            let message =
                format!("error: the built-in kernel `{}` cannot be linked with files", workload.name);
            return Err(Failure::input(message + "\nhelp: give PTX files only"));
        }
        match names().find(|name| !self.is_file(Path::new(name))) {
            Some(name) => Err(unknown(name)),
            None => Ok(()),
        }
    }

    /// Whether a name that is not a built-in kernel refers to a file.
    pub fn is_file(&self, path: &Path) -> bool {
        has_extension(path, &["ptx"]) || is_cuda_c_file(path) || self.sources.is_file(path)
    }
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|extension| known.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Whether a text is CUDA C: it contains words that only CUDA C has, and no line with the directive
/// that begins a PTX module.
fn is_cuda_c(text: &str) -> bool {
    const WORDS: [&str; 6] =
        ["__global__", "__device__", "threadIdx.", "blockIdx.", "cudaMalloc", "#include"];
    !is_module(text) && WORDS.iter().any(|word| text.contains(word))
}

/// Failure for CUDA C in a file that is not named as such.
fn cuda_c(path: &Path) -> Failure {
    if has_extension(path, &["c"]) {
        return Failure::input(format!(
            "error: {} is a program in C, not PTX\nhelp: `warpsim run` runs it",
            shown(path)
        ));
    }
    Failure::input(format!(
        "error: {} is CUDA C, not PTX\n\
         help: rename the file to end in `.cu`: the commands compile it then (`warpsim compile` shows the PTX)\n\
         help: docs/FROM-CUDA.md describes other compilers, such as `nvcc -ptx -arch=sm_20`",
        shown(path)
    ))
}

/// Failure for a name that is neither a kernel nor a file.
pub fn unknown(name: &str) -> Failure {
    if name.contains('/') || Path::new(name).extension().is_some() {
        return Failure::input(format!(
            "error: cannot read {}: there is no such file",
            shown(Path::new(name))
        ));
    }
    let members = kernels::families::members(name);
    let wrong = if members.is_empty() {
        format!("error: unknown kernel `{name}`{}", kernels::families::near(name))
    } else {
        format!("error: `{name}` is a family of kernels\nhelp: choose one of: {}", members.join(", "))
    };
    Failure::input(wrong + "\nhelp: `warpsim list` lists the built-in kernels; a PTX file ends in `.ptx`")
}
