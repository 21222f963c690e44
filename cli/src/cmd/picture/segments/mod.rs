//! Lanes of a warp and the segments of global memory that they use: an access in each row, a chip
//! in each column. `find` steps the launch.

mod find;

use super::files::Targets;
use super::runs::{kernel_name, named};
use crate::args::{ChipArgs, SegmentsArgs};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::Files;
use crate::workload::{prepare, reads};
use figures::access::{Column, segments};
use request::Source;
use sim_core::debug::AccessView;
use sim_core::host::Mode;

/// Rows of a picture without `--line`, and at most.
const USUAL_ROWS: usize = 3;
const MOST_ROWS: usize = 8;
/// Columns of a picture at most.
const MOST_CHIPS: usize = 3;
/// Draws the picture of the arguments.
pub fn run(args: &SegmentsArgs) -> Result<Code, Failure> {
    if args.chips.len() > MOST_CHIPS || args.at_lines.len() > MOST_ROWS {
        return Err(Failure::input(format!(
            "error: a picture has at most {MOST_CHIPS} chips and {MOST_ROWS} lines"
        )));
    }
    let mut chips = Vec::new();
    let mut files = Files::new();
    for name in &args.chips {
        let chip_args = ChipArgs::new(name.trim());
        chip::reads(&mut files, &chip_args.chip)?;
        let (chip, _) = chip::load_to_run(&chip_args)?;
        let named = named(&chip, &chip_args);
        chips.push((chip, named));
    }
    let mut kernel = String::new();
    let mut programs = Vec::new();
    for (chip, _) in &chips {
        let how = args.workload.compilation(chip);
        let source = Source::of(&args.workload, &how)?;
        let prepared = prepare(&source, &how)?;
        reads(&prepared, &mut files)?;
        kernel = kernel_name(&source, &prepared);
        programs.push(prepared);
    }
    let targets = Targets::open(&args.files, &mut files)?;
    let mut columns = Vec::new();
    for ((chip, name), prepared) in chips.into_iter().zip(programs) {
        let settings = args.workload.settings(Mode::Timed, 1, &chip);
        let found = find::accesses(&prepared, &chip, settings, args.launch_index).map_err(|failure| {
            Failure { message: format!("{} (chip {})", failure.message, chip.name), ..failure }
        })?;
        columns.push(Column { chip: name, found });
    }
    let lines = lines(args, &kernel, &columns)?;
    targets.write(&segments(&kernel, &lines, &columns))?;
    Ok(Code::Fine)
}

/// Whether an access has transactions.
fn is_memory(access: &AccessView) -> bool {
    !access.transactions.is_empty()
}

/// Returns the source lines of the rows.
fn lines(args: &SegmentsArgs, kernel: &str, columns: &[Column]) -> Result<Vec<u32>, Failure> {
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
            "error: the first block of {kernel} does not access global or local memory: there are no segments"
        )));
    }
    if let Some(line) = args.at_lines.iter().find(|line| !known.contains(line)) {
        let known: Vec<String> = known.iter().map(u32::to_string).collect();
        return Err(Failure::input(format!(
            "error: --line {line}: the first block does not access global or local memory there\nhelp: lines with accesses: {}",
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
