//! The results of all mutants, as data.

use super::fate::{Fate, Notice};
use super::places::{MutantPlace, Places};
use super::trial::Trials;
use serde::{Serialize, Serializer};
use sim_core::check::{Check, Checks};
use warpsim_check::mutate::{ChangeKind, Mutant};

/// Version of the JSON document.
const SCHEMA: u32 = 1;

/// A mutant and what happened to it.
#[derive(Debug, Serialize)]
pub struct MutantRow {
    /// Kind of the change.
    #[serde(serialize_with = "named")]
    pub kind: ChangeKind,
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
    /// The first kind of checks that noticed it.
    pub by: Option<&'static str>,
    /// All kinds of checks that noticed it, in the order of `scores`.
    pub all: Vec<&'static str>,
    /// The message of the check.
    pub message: Option<String>,
    /// Property that a check must test to notice a survivor.
    pub missing_check: Option<&'static str>,
    /// The line with the changed part.
    #[serde(skip)]
    pub place: MutantPlace,
}

/// Serializes the name of a kind.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn named<S: Serializer>(kind: &ChangeKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

impl MutantRow {
    /// A mutant and its fate.
    pub fn new(mutant: &Mutant, places: &Places, fate: Fate) -> Self {
        let is_survivor = fate == Fate::Survived;
        let (fate, notices) = match fate {
            Fate::Noticed(notices) => ("noticed", notices),
            Fate::Survived => ("survived", Vec::new()),
            Fate::Equivalent => ("equivalent", Vec::new()),
            Fate::Invalid => ("invalid", Vec::new()),
        };
        let has = |kind: &Notice| notices.iter().any(|(by, _)| by == kind);
        let all = Notice::all().into_iter().filter(has).map(Notice::name).collect();
        let (by, message) = notices.into_iter().next().map(|(by, message)| (by.name(), message)).unzip();
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
            all,
            message,
            missing_check: is_survivor.then(|| mutant.kind.missing_check()),
            place,
        }
    }

    /// The order of reports: by kind, then by line. Files are in the order of their names.
    pub fn order(&self) -> (ChangeKind, &str, u32, u32) {
        (self.kind, &self.file, self.line, self.ptx_line)
    }
}

/// Number of noticed mutants of a kind, by the check that noticed them.
#[derive(Debug, Serialize)]
pub struct By {
    /// Kind of check that noticed them.
    pub by: &'static str,
    /// Their number.
    pub mutants: usize,
}

/// The score that a kind of checks has without the others.
#[derive(Debug, Serialize)]
pub struct Score {
    /// The kind of checks.
    pub by: &'static str,
    /// Number of mutants that it noticed.
    pub mutants: usize,
    /// Percentage of the mutants that ran; `null` if none ran.
    pub score: Option<f64>,
}

/// Kinds of checks whose scores are shown even if they noticed no mutant.
const SHOWN: [Notice; 4] =
    [Notice::Result, Notice::Trap, Notice::Checker(Check::Race), Notice::Checker(Check::Init)];

/// The grade of the checks of a program.
#[derive(Debug, Serialize)]
pub struct Document {
    schema: u32,
    /// The program, as on the command line.
    pub kernel: String,
    /// Name of the chip.
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
    /// The score of each kind of checks alone; a mutant can count for several.
    pub scores: Vec<Score>,
    /// The mutants, by kind and line.
    pub mutants: Vec<MutantRow>,
}

impl Document {
    /// The results of `rows`, of `made` mutants.
    pub fn new(kernel: &str, chip: &str, trials: &Trials<'_>, made: usize, rows: Vec<MutantRow>) -> Self {
        let count = |fate: &str| rows.iter().filter(|row| row.fate == fate).count();
        let (noticed, run) = (count("noticed"), count("noticed") + count("survived"));
        let by = |notice: Notice| By {
            by: notice.name(),
            mutants: rows.iter().filter(|row| row.by == Some(notice.name())).count(),
        };
        let percent = |mutants: usize| (run > 0).then(|| 100.0 * mutants as f64 / run as f64);
        let score = |notice: Notice| {
            let mutants = rows.iter().filter(|row| row.all.contains(&notice.name())).count();
            let is_shown = mutants > 0 || SHOWN.contains(&notice);
            is_shown.then(|| Score { by: notice.name(), mutants, score: percent(mutants) })
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
            score: percent(noticed),
            noticed_by: Notice::all().into_iter().map(by).filter(|by| by.mutants > 0).collect(),
            scores: Notice::all().into_iter().filter_map(score).collect(),
            mutants: rows,
        }
    }
}
