//! `warpsim lab check`: the open tests of a hand-out.

use super::folders::{exercise, submission};
use crate::args::{Format, LabCheckArgs};
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{print, shown};
use exercises::{Answers, export, grade};

/// Runs the open tests.
pub fn run(args: &LabCheckArgs) -> Result<Code, Failure> {
    let folder = &args.folder;
    if !folder.is_dir() {
        let help = "help: `warpsim lab new NAME DIR` makes a hand-out";
        return Err(Failure::input(format!("error: there is no folder {}\n{help}", shown(folder))));
    }
    let handout = exercise(&format!("{}/", folder.display()))?;
    let submission = submission(folder);
    let grade = grade(&handout, &Answers::new(&handout), &submission, true)
        .map_err(|why| Failure::input(format!("error: {why}")))?;
    let is_done = grade.problem.is_none() && grade.rows.iter().all(exercises::Row::passed);
    print(&match args.format.format {
        Format::Text => export::text(&grade),
        Format::Json => json::pretty(&grade),
    })?;
    Ok(if is_done { Code::Fine } else { Code::WrongResult })
}
