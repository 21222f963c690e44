//! Lanes of a warp and the segments of global memory that they use: an access in each row, a chip
//! in each column. `find` steps the launch.

mod find;

use super::files::Targets;
use super::runs::{kernel_name, named};
use crate::args::{ChipArgs, SegmentsArgs};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::{Files, complain};
use crate::workload::{prepare, reads};
use figures::access::{Column, segments};
use isa::terms::Terms;
use request::{Prepared, Source};
use sim_core::config::Chip;
use sim_core::debug::AccessView;
use sim_core::host::Mode;

/// Rows of a picture without `--line`, and at most.
const USUAL_ROWS: usize = 3;
const MOST_ROWS: usize = 8;
/// Columns of a picture at most.
const MOST_CHIPS: usize = 3;
/// Chips without `--chips`: one of each generation.
const USUAL_CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// Draws the picture of the arguments.
pub fn run(args: &SegmentsArgs) -> Result<Code, Failure> {
    let names = args.chips.clone().unwrap_or_else(|| USUAL_CHIPS.map(str::to_owned).to_vec());
    if names.len() > MOST_CHIPS || args.at_lines.len() > MOST_ROWS {
        return Err(Failure::input(format!(
            "error: a picture has at most {MOST_CHIPS} chips and {MOST_ROWS} lines"
        )));
    }
    let mut files = Files::new();
    let mut kernels = Vec::new();
    let mut left_out = Vec::new();
    for name in &names {
        match Kernel::prepare(args, name.trim(), &mut files) {
            // A kernel for newer chips has a picture of these.
            Err(failure) if args.chips.is_none() => left_out.push((name, failure)),
            prepared => kernels.push(prepared?),
        }
    }
    if kernels.is_empty()
        && let Some((_, failure)) = left_out.pop()
    {
        return Err(failure);
    }
    for (name, failure) in left_out {
        let why = failure.message.lines().next().unwrap_or_default().trim_start_matches("error: ");
        complain(&format!("note: {name} is left out, as it does not run the kernel: {why}"));
    }
    let targets = Targets::open(&args.files, &mut files)?;
    let columns = kernels.iter().map(|kernel| kernel.column(args)).collect::<Result<Vec<_>, _>>()?;
    if let Some(kernel) = kernels.last() {
        let lines = lines(args, kernel, &columns)?;
        targets.write(&segments(&kernel.name, &lines, &columns))?;
    }
    Ok(Code::Fine)
}

/// The kernel on one chip.
struct Kernel {
    /// Its name.
    name: String,
    /// Its words.
    terms: &'static Terms,
    chip: Chip,
    /// Name of the chip for titles.
    title: String,
    prepared: Prepared,
}

impl Kernel {
    fn prepare(args: &SegmentsArgs, chip: &str, files: &mut Files) -> Result<Self, Failure> {
        let chip_args = ChipArgs::new(chip);
        chip::reads(files, &chip_args.chip)?;
        let (chip, _) = chip::load_to_run(&chip_args)?;
        let title = named(&chip, &chip_args);
        let how = args.workload.compilation(&chip);
        let source = Source::of(&args.workload, &how)?;
        let prepared = prepare(&source, &how)?;
        reads(&prepared, files)?;
        let first = prepared.module().entries.first();
        let terms = first.map(|program| Terms::of(program.source.files())).unwrap_or_default();
        Ok(Self { name: kernel_name(&source, &prepared), terms, chip, title, prepared })
    }

    fn column(&self, args: &SegmentsArgs) -> Result<Column, Failure> {
        let settings = args.workload.settings(Mode::Timed, 1, &self.chip);
        let number = args.which.before(&self.prepared, &self.chip, settings)?;
        let found = find::accesses(&self.prepared, &self.chip, settings, number);
        let found = found.map_err(|failure| {
            let message = format!("{} (chip {})", failure.message, self.chip.name);
            Failure { message, ..failure }
        })?;
        Ok(Column { chip: self.title.clone(), found })
    }
}

/// Whether an access has transactions.
fn is_memory(access: &AccessView) -> bool {
    !access.transactions.is_empty()
}

/// Returns the source lines of the rows.
fn lines(args: &SegmentsArgs, kernel: &Kernel, columns: &[Column]) -> Result<Vec<u32>, Failure> {
    let (Terms { block, local, .. }, kernel) = (kernel.terms, &kernel.name);
    let mut known: Vec<u32> = columns
        .iter()
        .flat_map(|column| {
            column.found.iter().filter(|found| is_memory(&found.view)).map(|found| found.access.line)
        })
        .collect();
    known.sort_unstable();
    known.dedup();
    if known.is_empty() {
        return Err(Failure::input(format!(
            "error: the first {block} of {kernel} does not access global memory or {local}: there are no segments"
        )));
    }
    if let Some(line) = args.at_lines.iter().find(|line| !known.contains(line)) {
        let known: Vec<String> = known.iter().map(u32::to_string).collect();
        return Err(Failure::input(format!(
            "error: --line {line}: the first {block} does not access global memory or {local} there\nhelp: lines with accesses: {}",
            known.join(", ")
        )));
    }
    if !args.at_lines.is_empty() {
        return Ok(args.at_lines.clone());
    }
    // The accesses with the most excess transactions on any chip, in the order of the lines.
    let excess = |line: &u32| {
        let of = |column: &Column| {
            let access = &column.found.iter().find(|found| found.access.line == *line)?.view;
            Some(access.transactions.len() as i64 - i64::from(access.fewest))
        };
        -columns.iter().filter_map(of).max().unwrap_or(0)
    };
    known.sort_by_key(excess);
    known.truncate(USUAL_ROWS);
    known.sort_unstable();
    Ok(known)
}
