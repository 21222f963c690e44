//! Reads an experiment file and everything that it names. All errors are reported together, each at
//! its line, before anything runs.

use crate::chip::ChipEntry;
use crate::codes;
use crate::design::{self, ChipFacts, sensitivity};
use crate::file::{
    Analysis, Design, Experiment, ExperimentFile, Formula, Kernel, Quantity, Sensitivity, Source, Target,
    read,
};
use crate::host::Host;
use crate::point::Common;
use crate::programs::{Programs, sets_capability};
use crate::resources::resources;
use crate::study::Study;
use embedded::library::VirtualFolder;
use isa::diag::{Diagnostic, nearest, render_all};
use isa::span::{Span, Spanned};
use kernels::families;
use report::access::{self, Refusal};
use report::exit::{Failure, not_simulated};
use report::launch_file;
use report::metrics;
use report::text::shown;
use request::compilation::CompileArgs;
use request::streams::Input;
use request::{Compilation, Prepared, Request};
use sim_core::config::builtin::{DEFAULT_CHIP, builtin_text};
use sim_core::config::{Chip, set};
use sim_core::host::WarmupCache;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Maximum number of points of an experiment, each of which is kept in memory.
const MOST_POINTS: usize = 1_000_000;

/// Maximum size of an experiment file in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// An experiment file and the chips and kernels that it names.
pub struct Loaded {
    /// Name of the experiment.
    pub name: String,
    /// The experiment file as it was read.
    pub file: Experiment,
    /// Chips of the file with their texts.
    pub chips: Vec<ChipEntry>,
    /// The kernels, in the order of the file.
    pub found: Vec<request::Source>,
    path: PathBuf,
    text: String,
    warmups: WarmupCache,
    host: Arc<dyn Host>,
}

/// Reads and checks the file at `path`.
///
/// # Errors
///
/// The errors of the file, each at its line.
pub fn load(path: &Path, host: Arc<dyn Host>) -> Result<Loaded, Failure> {
    load_text(path, access::read_ron(path, MAX_BYTES)?, host)
}

/// Reads and checks the text of an experiment file at `path`, which need not exist.
///
/// # Errors
///
/// The errors of the file, each at its line.
pub fn load_text(path: &Path, text: String, host: Arc<dyn Host>) -> Result<Loaded, Failure> {
    let (file, mut diagnostics) = read(&text, &metrics::names());
    let failed = |diagnostics: &[Diagnostic]| Failure::input(render_all(diagnostics, &shown(path), &text));
    let Some(mut file) = file else { return Err(failed(&diagnostics)) };
    if file.given.chips.is_empty() {
        file.given.chips.push(Spanned { value: DEFAULT_CHIP.to_owned(), span: Span::default() });
    }
    let folder = launch_file::folder_of(path);
    let found: Vec<Option<request::Source>> =
        file.kernels.iter().map(|kernel| find(kernel, folder, &mut diagnostics)).collect();
    let chips: Vec<Option<ChipEntry>> =
        file.given.chips.iter().map(|name| chip_entry(name, folder, &mut diagnostics)).collect();
    let known: Vec<&ChipEntry> = chips.iter().flatten().collect();
    check_targets(&file, &known, &mut diagnostics);
    check_fields(&file, &known, &mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(failed(&diagnostics));
    }
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = file.given.name.as_ref().map_or_else(stem, |name| name.value.clone());
    let (chips, found) = (chips.into_iter().flatten().collect(), found.into_iter().flatten().collect());
    let (path, warmups) = (path.to_owned(), WarmupCache::default());
    Ok(Loaded { name, file, chips, found, path, text, warmups, host })
}

/// Finds the built-in kernel or the files of a kernel.
fn find(kernel: &Kernel, folder: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<request::Source> {
    let named = |path: &Spanned<PathBuf>, diagnostics: &mut Vec<Diagnostic>| {
        let reason = match access::named(folder, &path.value) {
            Ok(_) if !folder.join(&path.value).is_file() => "the file does not exist".to_owned(),
            Ok(_) => return Some(folder.join(&path.value)),
            Err(refusal) => refusal.to_string(),
        };
        let message = format!("cannot read {}: {reason}", shown(&folder.join(&path.value)));
        diagnostics.push(Diagnostic::error(codes::INPUT, path.span, message).label("this file"));
        None
    };
    match &kernel.source {
        Source::Builtin { kernel: name, .. } => {
            if let Some(workload) = kernels::find(&name.value) {
                return Some(request::Source::Builtin(workload));
            }
            let message = format!("unknown kernel `{}`", name.value);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message)
                .label("expected a built-in kernel");
            let members = families::members(&name.value);
            let diagnostic = if members.is_empty() {
                diagnostic.meant(nearest(&name.value, kernels::all().iter().map(|workload| workload.name)))
            } else {
                diagnostic.help(format!("it is a family of kernels: choose one of {}", members.join(", ")))
            };
            diagnostics
                .push(diagnostic.help("`warpsim list` lists the built-in kernels; a PTX file has `ptx`"));
            None
        }
        Source::File { ptx, launch } => {
            let (ptx, launch) = (named(ptx, diagnostics), named(launch, diagnostics));
            Some(request::Source::Kernel { ptx: vec![ptx?], launch: launch? })
        }
        Source::Program { file, arguments, input, files } => {
            let known = [file].into_iter().chain(input).chain(files);
            let known: Vec<Option<PathBuf>> = known.map(|path| named(path, diagnostics)).collect();
            let source = known.into_iter().collect::<Option<Vec<_>>>()?.swap_remove(0);
            Some(request::Source::Program(Box::new(Request {
                program_arguments: arguments.iter().map(Into::into).collect(),
                ..Request::new(&source.to_string_lossy())
            })))
        }
    }
}

/// Reads a chip. A chip file is looked for in the folder of the experiment first.
fn chip_entry(name: &Spanned<String>, folder: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<ChipEntry> {
    let beside = folder.join(&name.value);
    let (base, path) = if beside.is_file() {
        (folder, beside.to_string_lossy().into_owned())
    } else {
        (Path::new(""), name.value.clone())
    };
    let mut report = |message: &str| {
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let (message, help) = message.split_once("\nhelp: ").unwrap_or((message, ""));
        let diagnostic = Diagnostic::error(codes::INPUT, name.span, message).label("expected a chip");
        diagnostics.push(if help.is_empty() {
            diagnostic
        } else {
            diagnostic.help(help.replace("\nhelp: ", "; "))
        });
    };
    if builtin_text(&name.value).is_none()
        && let Err(refusal @ Refusal::Outside) = access::named(base, Path::new(&name.value))
    {
        report(&format!("cannot read {}: {refusal}\nhelp: {}", shown(Path::new(&path)), access::ADVICE));
        return None;
    }
    let texts = report::chip::texts(&path).map_err(|failure| report(&failure.message)).ok()?;
    let (chip, _) = Chip::from_texts(&texts, &[])
        .map_err(|complaints| report(&format!("{} is not a valid chip\n{complaints}", name.value)))
        .ok()?;
    if !chip.simulated {
        report(&not_simulated(&chip));
        return None;
    }
    let root = texts.read().ok()?.root;
    Some(ChipEntry { name: name.value.clone(), texts, root, resources: resources(&chip) })
}

/// Reports targets that no chip has, or that do not apply to a kernel.
pub fn check_targets(file: &Experiment, chips: &[&ChipEntry], diagnostics: &mut Vec<Diagnostic>) {
    let factors = file.factors.iter().map(|factor| (&factor.targets, &factor.only));
    let linked = file.linked.iter().map(|linked| (&linked.targets, &linked.only));
    for target in file.linked.iter().flat_map(|linked| &linked.targets) {
        if chips.iter().any(|chip| sets_capability(chip, &target.value)) {
            let message = "the compute capability cannot follow from a formula: kernels are compiled for it";
            let diagnostic =
                Diagnostic::error(codes::NOT_APPLICABLE, target.span, message).label("not a linked field");
            diagnostics.push(diagnostic.help("make it a factor, with `values: [\"1.1\", \"1.3\"]`"));
        }
    }
    for (targets, only) in factors.chain(linked) {
        let applies = |kernel: &&Kernel| only.is_empty() || only.iter().any(|name| name.value == kernel.name);
        for target in targets {
            let kernels = file.kernels.iter().filter(applies);
            let builtin = |kernel: &&Kernel| matches!(kernel.source, Source::Builtin { .. });
            let without_launch = |kernel: &&Kernel| !matches!(kernel.source, Source::File { .. });
            let arguments = |kernel: &&Kernel| match &kernel.source {
                Source::Program { arguments, .. } => arguments.len() as u64,
                Source::Builtin { .. } | Source::File { .. } => 0,
            };
            let (wrong, what) = match &target.value {
                Target::Chip(path) => {
                    let found: Vec<_> = chips.iter().map(|chip| set::resolve(&chip.root, path)).collect();
                    if let (true, Some(Err(unknown))) = (found.iter().all(Result::is_err), found.first()) {
                        diagnostics.push(unknown.diagnostic(path, target.span));
                    }
                    continue;
                }
                Target::Launch(_) => (kernels.clone().find(without_launch), "a field of the launch file"),
                Target::Argument(number) => {
                    (kernels.clone().find(|kernel| arguments(kernel) < *number), "this argument")
                }
                Target::Size => (kernels.clone().find(|kernel| !builtin(kernel)), "a size"),
                Target::Registers => continue,
            };
            if let Some(kernel) = wrong {
                let message = format!("the kernel `{}` does not have {what}", kernel.name);
                let label = "does not apply to all kernels";
                let diagnostic = Diagnostic::error(codes::NOT_APPLICABLE, target.span, message).label(label);
                let help = "name the kernels to which it applies: `only: [\"name\"]`";
                diagnostics.push(diagnostic.at(kernel.span, "this kernel").help(help));
            }
        }
    }
}

/// Reports fields of chips in formulas that not every chip has as a number.
fn check_fields(file: &Experiment, chips: &[&ChipEntry], diagnostics: &mut Vec<Diagnostic>) {
    let mut formulas: Vec<&Formula> = file.formulas.iter().map(|named| &named.formula).collect();
    for analysis in &file.analyses {
        match &analysis.value {
            Analysis::Effects { of, .. } => formulas.push(of),
            Analysis::Pareto(pair) => formulas.extend(pair.iter().map(|objective| &objective.formula)),
            Analysis::Best { objective, condition } => {
                formulas.push(&objective.formula);
                formulas.extend(condition);
            }
        }
    }
    for formula in formulas {
        let mut seen = BTreeSet::new();
        formula.expression.each_name(&mut |name| {
            let Quantity::Field(path) = name else { return };
            if !seen.insert(path.clone()) {
                return;
            }
            let number = |chip: &&ChipEntry| {
                let path = set::resolve(&chip.root, path).ok();
                path.is_some_and(|path| sensitivity::number_at(&chip.root, &path).is_some())
            };
            if let Some(chip) = chips.iter().find(|chip| !number(chip)) {
                let message = format!("the chip `{}` has no number `{path}`", chip.name);
                let label = "in this formula";
                let diagnostic =
                    Diagnostic::error(codes::UNKNOWN_NAME, formula.text.span, message).label(label);
                diagnostics.push(diagnostic.help("`warpsim config show` lists all paths"));
            }
        });
    }
}

impl Loaded {
    /// Compiles the kernels for the chips, and checks the paths of the launch files.
    ///
    /// # Errors
    ///
    /// The errors of all kernels.
    pub fn programs(&self) -> Result<Programs, Failure> {
        let opt_level = if self.file.given.optimize { 3 } else { 0 };
        let compile = CompileArgs { opt_level, fmad: self.file.given.fmad, ..CompileArgs::default() };
        let host = &self.host;
        let programs = Programs::compile(&self.file, &self.chips, &**host, |kernel, architecture, warn| {
            let how = Compilation::usual(compile).on(architecture.capability, architecture.features);
            let host = Arc::clone(host);
            let interrupted = Arc::new(move || host.interrupted());
            let mut prepared = self.found[kernel].prepare(&how, warn)?.until(interrupted);
            self.surround(kernel, &mut prepared)?;
            Ok(prepared)
        })?;
        let diagnostics = self.check_launches(&programs);
        if diagnostics.is_empty() {
            return Ok(programs);
        }
        Err(Failure::input(render_all(&diagnostics, &shown(&self.path), &self.text)))
    }

    /// Gives a program the standard input and the files of its entry, and no others.
    fn surround(&self, kernel: usize, prepared: &mut Prepared) -> Result<(), Failure> {
        let Source::Program { input, files, .. } = &self.file.kernels[kernel].source else { return Ok(()) };
        let Prepared::Program(program) = prepared else { return Ok(()) };
        let folder = launch_file::folder_of(&self.path);
        let read = |path: &Spanned<PathBuf>| {
            let path = folder.join(&path.value);
            let read = std::fs::read(&path);
            read.map_err(|why| Failure::input(format!("error: cannot read {}: {why}", shown(&path))))
        };
        if let Some(input) = input {
            program.with.input = Input::new(Mutex::new(read(input)?));
        }
        let files = files.iter().map(|path| Ok((path.value.to_string_lossy().into_owned(), read(path)?)));
        let files = VirtualFolder::new(files.collect::<Result<Vec<_>, Failure>>()?);
        let refused = |(name, why)| Failure::input(format!("error: the file `{name}` is refused: {why}"));
        program.with.folder = Some(files.map_err(refused)?);
        Ok(())
    }

    /// Returns the study of the compiled kernels.
    pub fn study<'a>(&'a self, programs: &'a Programs) -> Study<'a> {
        let ExperimentFile { max_cycles, sample, warmup, .. } = self.file.given;
        let common = Common { max_cycles, sample, warmup, memory: true, ..Common::default() };
        let Self { name, file, chips, warmups, host, .. } = self;
        Study { name, file, chips, programs, common, warmups, host }
    }

    /// Reports paths that a launch file does not have.
    fn check_launches(&self, programs: &Programs) -> Vec<Diagnostic> {
        let factors = self.file.factors.iter().map(|factor| (&factor.targets, &factor.only));
        let linked = self.file.linked.iter().map(|linked| (&linked.targets, &linked.only));
        let mut diagnostics = Vec::new();
        for (targets, only) in factors.chain(linked) {
            for target in targets {
                let Target::Launch(path) = &target.value else { continue };
                let wrong = self.file.kernels.iter().zip(programs.first()).find_map(|(kernel, program)| {
                    let applies = only.is_empty() || only.iter().any(|name| name.value == kernel.name);
                    let text = program.launch_text().filter(|_| applies)?;
                    let message = launch_file::has_path(text, path).err()?;
                    Some(format!("{}: {message}", kernel.name))
                });
                let label = "not a path of the launch file";
                diagnostics.extend(wrong.map(|message| {
                    Diagnostic::error(codes::UNKNOWN_NAME, target.span, message).label(label)
                }));
            }
        }
        diagnostics
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the points.
    ///
    /// # Errors
    ///
    /// If there are too many.
    pub fn points(&self) -> Result<design::Points, Failure> {
        let facts = |chip: &ChipEntry| {
            let changes = match &self.file.given.design {
                Design::Sensitivity(Sensitivity { percent, fields }) => {
                    let fields: Vec<&str> = fields.iter().map(|field| field.value.as_str()).collect();
                    sensitivity::changes(&chip.root, *percent, &fields)
                }
                Design::Full | Design::OneAtATime(_) | Design::LatinHypercube(_) | Design::Random(_) => {
                    Vec::new()
                }
            };
            ChipFacts { changes, resources: chip.resources.len() }
        };
        let facts: Vec<ChipFacts> = self.chips.iter().map(facts).collect();
        design::points(&self.file, &facts, MOST_POINTS).ok_or_else(|| {
            let path = shown(&self.path);
            Failure::input(format!("error: {path}: the experiment has more than {MOST_POINTS} points"))
        })
    }
}
