//! `warpsim config`: shows, checks, compares and explains chips, and prints the JSON Schema of the
//! files that users write. All of it walks the tree of the chip file or the tables of fields, so
//! that new fields need no change here.

mod check;
mod derived;
mod diff;
mod explain;
mod show;
mod source;

use crate::args::ChipArgs;
use crate::args::config::{ConfigAction, ConfigArgs, FileKind};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::json::pretty;
use crate::output::{complain, print};
use exercises::RubricFile;
use isa::diag::Places as _;
use report::launch_file::LaunchFile;
use report::schema::{chip_schema, schema as json_schema};
use request::options::split;
use sim_core::config::Chip;
use sim_core::config::base::{Layers, Text, Texts};
use sim_core::config::schema::{self, Record, Table};
use sim_core::config::set;
use sim_core::config::source::Complaints;
use sim_core::config::tree::{self, Node};
use studies::file::ExperimentFile;

/// Runs the action.
pub fn run(args: &ConfigArgs) -> Result<Code, Failure> {
    match &args.action {
        ConfigAction::Show { chip, derived, format } => show::run(&chip.args(), *derived, format.format),
        ConfigAction::Check { file, sets } => check::run(&file.to_string_lossy(), sets),
        ConfigAction::Diff { a, b, sets } => diff::run(a, b, sets),
        ConfigAction::Explain { path, chip } => explain::run(path.as_deref(), chip),
        ConfigAction::Schema { of } => {
            let schema = match of {
                FileKind::Chip => chip_schema(),
                FileKind::Launch => json_schema("warpsim launch", &table_of(*of)),
                FileKind::Experiment => json_schema("warpsim experiment", &table_of(*of)),
                FileKind::Exercise => json_schema("warpsim exercise", &table_of(*of)),
            };
            print(&pretty(&schema))?;
            Ok(Code::Fine)
        }
    }
}

/// The fields of a kind of files.
fn table_of(kind: FileKind) -> Table {
    match kind {
        FileKind::Chip => schema::chip().clone(),
        FileKind::Launch => LaunchFile::table(),
        FileKind::Experiment => ExperimentFile::table(),
        FileKind::Exercise => RubricFile::table(),
    }
}

/// A valid chip in all its forms.
pub struct Loaded {
    /// Its file and those of its bases.
    texts: Texts,
    /// Each file as a tree, with places in its own text; the chip's own first.
    files: Vec<Node>,
    /// The tree of all files together.
    layers: Layers,
    /// That tree with the overrides applied.
    pub effective: Node,
    /// The checked chip.
    pub chip: Chip,
}

impl Loaded {
    /// The chip of that name or file with its overrides. Warnings go to standard error.
    pub fn new(args: &ChipArgs) -> Result<Self, Failure> {
        let sets = args.sets.iter().map(|set| split(set)).collect::<Result<Vec<_>, _>>()?;
        Self::from_texts(chip::texts(&args.chip)?, &sets)
    }

    /// The chip of these texts with its overrides.
    fn from_texts(texts: Texts, sets: &[(String, String)]) -> Result<Self, Failure> {
        let bad = |complaints: Complaints| Failure::input(complaints.to_string());
        let (chip, warnings) = Chip::from_texts(&texts, sets).map_err(bad)?;
        if !warnings.is_empty() {
            complain(&warnings.to_string());
        }
        let mut layers = texts.read().map_err(bad)?;
        let mut effective = layers.root.clone();
        let diagnostics = set::apply(&mut effective, sets, &mut layers.sources);
        if !diagnostics.is_empty() {
            return Err(bad(Complaints::new(diagnostics, layers.sources)));
        }
        let parse = |text: &Text| tree::parse(&text.text, 0).ok();
        let files = texts.all().iter().filter_map(parse).collect();
        Ok(Self { texts, files, layers, effective, chip })
    }

    /// The text of a value in the file that has it.
    fn words_of(&self, node: &Node) -> &str {
        self.layers.sources.find(node.span).map_or("", |found| &found.text[found.range])
    }

    /// The chip without overrides.
    fn plain(chip: &str) -> Result<Self, Failure> {
        Self::new(&ChipArgs { chip: chip.to_owned(), sets: Vec::new() })
    }
}
