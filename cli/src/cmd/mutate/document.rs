//! The results of all mutants, as data.

use super::fate::{Fate, Notice};
use super::places::{Place, Places};
use super::trial::Trials;
use serde::{Serialize, Serializer};
use sim_core::check::{Check, Checks};
use warpsim_check::mutate::{Kind, Mutant};

/// Version of the JSON document.
const SCHEMA: u32 = 1;

/// A mutant and what happened to it.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Kind of the change.
    #[serde(serialize_with = "named")]
    pub kind: Kind,
    /// File of the line: CUDA C if it is known, otherwise PTX.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
    /// Text of the line.
    pub source: String,
    /// Name of the function in PTX.
    pub function: String,
    /// Line in the PTX, which counts the lines of all files.
    pub ptx_line: u32,
    /// The instruction in the program.
    pub instruction: String,
    /// The instruction in the mutant; `null` if it is removed.
    pub mutant: Option<String>,
    /// The change in a few words.
    pub change: String,
    /// `noticed`, `survived`, `equivalent` or `invalid`.
    pub fate: &'static str,
    /// What noticed it.
    pub by: Option<&'static str>,
    /// The message of the check.
    pub message: Option<String>,
    /// What a check has to show that would notice a survivor.
    pub missing_check: Option<&'static str>,
    /// The line with the changed part.
    #[serde(skip)]
    pub place: Place,
}

/// Serializes the name of a kind.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn named<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

impl Row {
    /// A mutant and its fate.
    pub fn new(mutant: &Mutant, places: &Places, fate: Fate) -> Self {
        let is_survivor = fate == Fate::Survived;
        let (fate, by, message) = match fate {
            Fate::Noticed(by, message) => ("noticed", Some(by.name()), Some(message)),
            Fate::Survived => ("survived", None, None),
            Fate::Equivalent => ("equivalent", None, None),
            Fate::Invalid => ("invalid", None, None),
        };
        let place = places.of(mutant.changed);
        Self {
            kind: mutant.kind,
            file: place.file.clone(),
            line: place.line,
            source: place.text.clone(),
            function: mutant.function.0.clone(),
            ptx_line: places.ptx_line(mutant.instruction),
            instruction: places.text(mutant.instruction),
            mutant: mutant.instruction().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")),
            change: mutant.change.clone(),
            fate,
            by,
            message,
            missing_check: is_survivor.then(|| mutant.kind.missing_check()),
            place,
        }
    }

    /// The order of reports: by kind, then by line. Files are in the order of their names.
    pub fn order(&self) -> (Kind, &str, u32, u32) {
        (self.kind, &self.file, self.line, self.ptx_line)
    }
}

/// Number of noticed mutants of a kind, by the check that noticed them.
#[derive(Debug, Serialize)]
pub struct By {
    /// What noticed them.
    pub by: &'static str,
    /// Their number.
    pub mutants: usize,
}

/// The grade of the checks of a program.
#[derive(Debug, Serialize)]
pub struct Document {
    schema: u32,
    /// The program, as on the command line.
    pub kernel: String,
    /// The chip.
    pub chip: String,
    /// Whether the program's results are compared with expected ones.
    pub has_expectations: bool,
    /// Checkers that were not used, because they find errors in the program itself.
    pub unused_checkers: Vec<&'static str>,
    /// Number of mutants of the program, of the chosen kinds.
    pub made: usize,
    /// Number of mutants whose code is the program's code.
    pub equivalent: usize,
    /// Number of mutants that the compiler refuses.
    pub invalid: usize,
    /// Number of mutants that ran.
    pub run: usize,
    /// Number of mutants that a check noticed.
    pub noticed: usize,
    /// Percentage of the noticed mutants among those that ran; `null` if none ran.
    pub score: Option<f64>,
    /// Noticed mutants, by the check.
    pub noticed_by: Vec<By>,
    /// The mutants, by kind and line.
    pub mutants: Vec<Row>,
}

impl Document {
    /// The results of `rows`, of `made` mutants.
    pub fn new(kernel: &str, chip: &str, trials: &Trials<'_>, made: usize, rows: Vec<Row>) -> Self {
        let count = |fate: &str| rows.iter().filter(|row| row.fate == fate).count();
        let (noticed, run) = (count("noticed"), count("noticed") + count("survived"));
        let by = |notice: Notice| By {
            by: notice.name(),
            mutants: rows.iter().filter(|row| row.by == Some(notice.name())).count(),
        };
        let unused = Checks::ALL.iter().filter(|check| !trials.checks.has(*check));
        Self {
            schema: SCHEMA,
            kernel: kernel.to_owned(),
            chip: chip.to_owned(),
            has_expectations: trials.has_expectations,
            unused_checkers: unused.map(Check::name).collect(),
            made,
            equivalent: count("equivalent"),
            invalid: count("invalid"),
            run,
            noticed,
            score: (run > 0).then(|| 100.0 * noticed as f64 / run as f64),
            noticed_by: Notice::all().into_iter().map(by).filter(|by| by.mutants > 0).collect(),
            mutants: rows,
        }
    }
}
