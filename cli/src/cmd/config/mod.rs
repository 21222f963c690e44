//! `warpsim config`: a chip shown, checked, compared and explained. All of it walks the tree of the chip file, so that
//! fields which are added later appear by themselves.

mod check;
mod derived;
mod diff;
mod explain;
pub mod ron_text;
mod show;
mod source;

use crate::args::ChipArgs;
use crate::args::config::{ConfigAction, ConfigArgs};
use crate::chip::{self, ChipText};
use crate::exit::{Code, Failure};
use crate::output::complain;
use sim_core::config::Chip;
use sim_core::config::set;
use sim_core::config::source::{Complaints, Sources};
use sim_core::config::tree::{self, Node};

/// Does it.
pub fn run(args: &ConfigArgs) -> Result<Code, Failure> {
    match &args.action {
        ConfigAction::Show { chip, derived, format } => show::run(&chip.args(), *derived, format.format),
        ConfigAction::Check { file, sets } => check::run(&file.to_string_lossy(), sets),
        ConfigAction::Diff { a, b, sets } => diff::run(a, b, sets),
        ConfigAction::Explain { path, chip } => explain::run(path.as_deref(), chip),
    }
}

/// A good chip in all its forms.
pub struct Loaded {
    /// Its file.
    text: ChipText,
    /// The file as a tree.
    file: Node,
    /// The tree with the overrides laid over it.
    pub effective: Node,
    /// The checked chip.
    pub chip: Chip,
}

impl Loaded {
    /// The chip of that name or file with its overrides. Warnings go to standard error.
    pub fn new(args: &ChipArgs) -> Result<Self, Failure> {
        let sets = args.sets.iter().map(|set| chip::split(set)).collect::<Result<Vec<_>, _>>()?;
        let text = chip::text(&args.chip)?;
        let bad = |complaints: Complaints| Failure::input(complaints.to_string());
        let (chip, warnings) = Chip::from_ron(&text.name, &text.text, &sets).map_err(bad)?;
        if !warnings.is_empty() {
            complain(&warnings.to_string());
        }
        let mut sources = Sources::default();
        let base = sources.add(&*text.name, &*text.text);
        let file = match tree::parse(&text.text, base) {
            Ok(file) => file,
            Err(diagnostics) => return Err(bad(Complaints::new(diagnostics, sources))),
        };
        let mut effective = file.clone();
        let diagnostics = set::apply(&mut effective, &sets, &mut sources);
        if !diagnostics.is_empty() {
            return Err(bad(Complaints::new(diagnostics, sources)));
        }
        Ok(Self { text, file, effective, chip })
    }

    /// Without overrides.
    fn plain(chip: &str) -> Result<Self, Failure> {
        Self::new(&ChipArgs { chip: chip.to_owned(), sets: Vec::new() })
    }
}
