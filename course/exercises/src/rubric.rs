//! Reads a rubric: checks names, chips and formulas.

use crate::codes;
use crate::schema::{Kind, Level, RubricFile, SourceEntry, TestEntry};
use isa::diag::{Diagnostic, nearest};
use isa::span::{Span, Spanned};
use isa::types::Dim3;
use report::condition::Condition;
use sim_core::check::{Check, Checks};
use sim_core::config::Chip;
use sim_core::config::base;
use sim_core::config::builtin::{DEFAULT_CHIP, builtin_names};
use sim_core::config::read::Reader;
use sim_core::config::schema::Record as _;
use sim_core::config::tree::parse;
use sim_core::words;
use std::collections::BTreeMap;

/// Files of a folder: their names and texts.
pub type Texts = BTreeMap<String, String>;

words! {
    /// A number that limits can use beside metrics.
    pub enum OfProgram {
        /// Simulated nanoseconds of the program.
        Ns = "program_ns",
        /// Cycles of the starting program.
        Reference = "reference",
        /// Simulated nanoseconds of the starting program.
        ReferenceNs = "reference_program_ns",
    }
}

/// Rows of an exercise that give points.
#[derive(Debug)]
pub struct Rubric {
    /// Title of the exercise.
    pub title: String,
    /// Name of the exercise, if it is not the name of its folder.
    pub name: Option<String>,
    /// Number of the lesson.
    pub lesson: Option<u32>,
    /// Difficulty.
    pub level: Level,
    /// Task of the student.
    pub kind: Kind,
    /// Kernels that the program must launch.
    pub kernels: Vec<String>,
    /// Whether the results must come from the kernels.
    pub on_device: bool,
    /// Number in the place of `{seed}`, in a hand-out.
    pub seed: Option<u32>,
    /// Points of the rows that a hand-out does not have.
    pub closed: u32,
    /// Runs of the program.
    pub tests: Vec<Test>,
    /// Checkers that must find no error.
    pub checks: Vec<CheckRow>,
    /// Limits of metrics.
    pub limits: Vec<Limit>,
    /// Rules about the source.
    pub source: Vec<SourceRow>,
}

/// Language of the programs of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// CUDA C, with host code.
    Cuda,
    /// OpenCL C: a kernel, which each test launches.
    OpenCl,
}

impl Language {
    /// End of the names of files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Cuda => "cu",
            Self::OpenCl => "cl",
        }
    }

    /// File of the program that a student gets.
    pub fn start(self) -> &'static str {
        match self {
            Self::Cuda => "start.cu",
            Self::OpenCl => "start.cl",
        }
    }

    /// File of the solution.
    pub fn solution(self) -> &'static str {
        match self {
            Self::Cuda => "solution.cu",
            Self::OpenCl => "solution.cl",
        }
    }
}

/// The work-items of a test in OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NdRange {
    /// Work-items.
    pub global: Dim3,
    /// Work-items of a work-group.
    pub local: Option<Dim3>,
}

/// A run of the program.
#[derive(Debug)]
pub struct Test {
    /// Name.
    pub name: String,
    /// The file's entry.
    pub entry: TestEntry,
    /// The launch of a kernel in OpenCL C.
    pub range: Option<NdRange>,
    /// Names of its chips.
    pub chips: Vec<(String, Chip)>,
}

/// A checker that must find no error.
#[derive(Debug)]
pub struct CheckRow {
    /// Checker that must find no error.
    pub check: Check,
    /// Points of the row.
    pub points: u32,
    /// Hint after a failure.
    pub hint: Option<String>,
}

/// A limit of metrics.
#[derive(Debug)]
pub struct Limit {
    /// Condition over metrics.
    pub condition: Condition<OfProgram>,
    /// Number of the only test to which it applies.
    pub test: Option<usize>,
    /// Points of the row.
    pub points: u32,
    /// Hint after a failure.
    pub hint: Option<String>,
}

/// A rule about the source.
#[derive(Debug)]
pub struct SourceRow {
    /// Words that the source must or must not have.
    pub words: String,
    /// Whether they must be in the source.
    pub is_required: bool,
    /// Points of the row.
    pub points: u32,
    /// Hint after a failure.
    pub hint: Option<String>,
}

impl SourceRow {
    /// Name of the row.
    pub fn name(&self) -> String {
        format!("{} {}", if self.is_required { "require" } else { "forbid" }, self.words)
    }
}

impl Test {
    /// The arguments for a student with this number.
    pub fn arguments(&self, seed: u32) -> Vec<String> {
        self.entry.args.iter().map(|word| word.replace("{seed}", &seed.to_string())).collect()
    }

    /// Whether the arguments depend on the student.
    pub fn is_seeded(&self) -> bool {
        self.entry.args.iter().any(|word| word.contains("{seed}"))
    }
}

impl Rubric {
    /// Reads a rubric; `texts` are the files of its exercise.
    ///
    /// # Errors
    ///
    /// All mistakes in the text.
    pub fn read(text: &str, texts: &Texts) -> Result<Self, Vec<Diagnostic>> {
        let node = parse(text, 0)?;
        let reader = Reader::default();
        let file = RubricFile::read(reader.fields(&node, ""));
        let rubric = file.map(|file| resolve(&reader, file, texts));
        let mut diagnostics = reader.finish().0;
        diagnostics.sort_by_key(Diagnostic::start);
        match rubric {
            Some(rubric) if diagnostics.is_empty() => Ok(rubric),
            _ => Err(diagnostics),
        }
    }

    /// The language of the programs. The tests of a kernel in OpenCL C have their work-items.
    pub fn language(&self) -> Language {
        if self.tests.iter().any(|test| test.range.is_some()) { Language::OpenCl } else { Language::Cuda }
    }

    /// Whether the results can come from host code, and must not.
    pub fn has_origins(&self) -> bool {
        self.on_device && self.language() == Language::Cuda
    }

    /// The checkers of all rows.
    pub fn checkers(&self) -> Checks {
        self.checks.iter().fold(Checks::NONE, |all, row| all.and(row.check))
    }

    /// Whether a test has limits.
    pub fn is_limited(&self, test: usize) -> bool {
        self.limits.iter().any(|limit| limit.test.is_none_or(|only| only == test))
    }

    /// Whether limits of a test compare with the starting program.
    pub fn needs_reference(&self, test: usize) -> bool {
        let mut of_test = self.limits.iter().filter(|limit| limit.test.is_none_or(|only| only == test));
        of_test.any(|limit| limit.condition.reads(&[OfProgram::Reference, OfProgram::ReferenceNs]))
    }

    /// Returns the sum of the points of all rows.
    pub fn points(&self) -> u32 {
        let tests = self.tests.iter().map(|test| test.entry.points);
        let checks = self.checks.iter().map(|row| row.points);
        let limits = self.limits.iter().map(|row| row.points);
        let source = self.source.iter().map(|row| row.points);
        tests.chain(checks).chain(limits).chain(source).sum()
    }

    /// Points of the rows that students do not have: closed tests, and limits of closed tests. A
    /// hand-out has these points only as a number.
    pub fn closed_points(&self) -> u32 {
        let tests = self.tests.iter().filter(|test| !test.entry.open).map(|test| test.entry.points);
        let is_closed = |limit: &&Limit| limit.test.is_some_and(|test| !self.tests[test].entry.open);
        let limits = self.limits.iter().filter(is_closed).map(|limit| limit.points);
        self.closed + tests.chain(limits).sum::<u32>()
    }
}

fn resolve(reader: &Reader, file: RubricFile, texts: &Texts) -> Rubric {
    let RubricFile {
        title,
        name,
        lesson,
        level,
        kind,
        chips,
        kernels,
        on_device,
        seed,
        closed,
        tests,
        checks,
        limits,
        source,
    } = file;
    if tests.value.is_empty() {
        reader.push(empty("the rubric has no test", tests.span));
    }
    let usual = chips_of(reader, &chips, texts);
    let mut all: Vec<Test> = Vec::new();
    let mut names = BTreeMap::new();
    for entry in tests.value {
        let name = entry.name.as_ref().map_or_else(|| entry.args.join(" "), |name| name.value.clone());
        let span = entry.name.as_ref().map_or(entry.span, |name| name.span);
        unique(reader, &mut names, &name, span);
        let own = chips_of(reader, &entry.chips, texts);
        let chips = match (own.is_empty(), usual.is_empty()) {
            (false, _) => own,
            (true, false) => usual.clone(),
            (true, true) => {
                chip(DEFAULT_CHIP, texts).map(|chip| (DEFAULT_CHIP.to_owned(), chip)).into_iter().collect()
            }
        };
        let range = entry.global.map(|global| NdRange { global, local: entry.local });
        if range.is_none() && (entry.local.is_some() || !entry.output.is_empty()) {
            reader.push(empty("`local` and `output` of a test need `global`", entry.span));
        }
        all.push(Test { name, entry, range, chips });
    }
    if let Some(test) = all.iter().find(|test| test.range.is_none() != all[0].range.is_none()) {
        reader.push(empty("either all tests of a rubric have `global`, or none has it", test.entry.span));
    }
    let checks = checks.into_iter().map(|entry| {
        unique(reader, &mut names, entry.check.value.name(), entry.check.span);
        CheckRow { check: entry.check.value, points: entry.points, hint: entry.hint }
    });
    let checks = checks.collect();
    let limits = limits.into_iter().filter_map(|entry| {
        unique(reader, &mut names, &entry.metric.value, entry.metric.span);
        let test = entry.test.map(|name| test_of(reader, &all, &name));
        let condition = condition(reader, &entry.metric)?;
        Some(Limit { condition, test: test.flatten(), points: entry.points, hint: entry.hint })
    });
    let limits = limits.collect();
    let source = source.into_iter().filter_map(|entry| {
        let SourceEntry { require, forbid, points, hint, span } = entry;
        let (words, is_required) = match (require, forbid) {
            (Some(words), None) => (words, true),
            (None, Some(words)) => (words, false),
            _ => {
                reader.push(empty("the rule must have either `require` or `forbid`", span));
                return None;
            }
        };
        if words.value.trim().is_empty() {
            reader.push(empty("the rule has no words", words.span));
        }
        let row = SourceRow { words: words.value, is_required, points, hint };
        unique(reader, &mut names, &row.name(), words.span);
        Some(row)
    });
    let source = source.collect();
    let rubric = Rubric {
        title,
        name,
        lesson,
        level,
        kind,
        kernels,
        on_device,
        seed,
        closed,
        tests: all,
        checks,
        limits,
        source,
    };
    if rubric.points() == 0 && !rubric.tests.is_empty() {
        reader.push(empty("the rubric gives no points", tests.span));
    }
    rubric
}

fn empty(message: &str, span: Span) -> Diagnostic {
    Diagnostic::error(codes::EMPTY, Span { end: span.start + 1, ..span }, message).label("here")
}

/// Reports a second row of one name.
fn unique(reader: &Reader, names: &mut BTreeMap<String, Span>, name: &str, span: Span) {
    if let Some(first) = names.get(name) {
        let message = format!("two rows have the name `{name}`");
        let diagnostic = Diagnostic::error(codes::DUPLICATE, span, message).label("second row");
        reader.push(diagnostic.at(*first, "first row").help("give tests a `name`"));
    } else {
        names.insert(name.to_owned(), span);
    }
}

fn test_of(reader: &Reader, tests: &[Test], name: &Spanned<String>) -> Option<usize> {
    let found = tests.iter().position(|test| test.name == name.value);
    if found.is_none() {
        let message = format!("there is no test `{}`", name.value);
        let near = nearest(&name.value, tests.iter().map(|test| test.name.as_str()));
        reader.push(
            Diagnostic::error(codes::UNKNOWN_NAME, name.span, message)
                .label("not the name of a test")
                .meant(near),
        );
    }
    found
}

fn condition(reader: &Reader, text: &Spanned<String>) -> Option<Condition<OfProgram>> {
    match Condition::parse(&text.value) {
        Ok(condition) => Some(condition),
        Err(error) => {
            reader.push(
                Diagnostic::error(codes::FORMULA, error.within(text), error.message.clone())
                    .label("in this formula"),
            );
            None
        }
    }
}

fn chips_of(reader: &Reader, names: &[Spanned<String>], texts: &Texts) -> Vec<(String, Chip)> {
    let of = |name: &Spanned<String>| match chip(&name.value, texts) {
        Ok(chip) => Some((name.value.clone(), chip)),
        Err(why) => {
            let diagnostic =
                Diagnostic::error(codes::UNKNOWN_NAME, name.span, why).label("not a chip that can run");
            reader.push(diagnostic.meant(nearest(&name.value, builtin_names())));
            None
        }
    };
    names.iter().filter_map(of).collect()
}

/// Returns a built-in chip, or a chip whose file belongs to the exercise.
fn chip(name: &str, texts: &Texts) -> Result<Chip, String> {
    let unknown = || format!("there is no chip `{name}`");
    let of_exercise = |name: &str| {
        let text = texts.get(name)?;
        Some(base::Text { id: format!("file {name}"), name: name.to_owned(), text: text.clone().into() })
    };
    let own = base::Text::builtin(name).or_else(|| of_exercise(name)).ok_or_else(unknown)?;
    let all = base::Texts::collect(own, |base, _| {
        base::Text::builtin(base)
            .or_else(|| of_exercise(base))
            .ok_or_else(|| format!("there is no chip `{base}`"))
    });
    let (chip, _) = Chip::from_texts(&all, &[]).map_err(|errors| errors.to_string())?;
    if chip.simulated { Ok(chip) } else { Err(format!("the chip `{name}` cannot run kernels")) }
}
