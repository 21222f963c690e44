//! A batch: the points that one task of a cluster simulates, as `--points` with `--part`.
//!
//! The results go to a store in the temporary folder of the host, which becomes the part when the
//! batch ends. So a part is complete or absent, and no database is open in a folder that several
//! hosts share.

use super::engine::Early;
use super::load::Loaded;
use super::local;
use super::plan::{Plan, Planned};
use super::{failure, layout};
use crate::exit::{Code, Failure};
use crate::output::OutputFile;
use crate::watch::{Watch, interrupt};
use crate::workload::Prepared;
use experiment::design::Points;
use experiment::file::Stop;
use experiment::store::Store;
use std::fs;

/// Simulates the selected points and writes the part.
///
/// A failed point is a result. After a signal the part has the finished points.
pub fn run(
    loaded: &Loaded,
    prepared: &[Prepared<'_>],
    points: &Points,
    selected: &[usize],
    jobs: usize,
    part: OutputFile,
) -> Result<Code, Failure> {
    let watch = Watch::new(crate::args::ShowProgress::Never);
    let folder = tempfile::tempdir()
        .map_err(|why| Failure::input(format!("error: cannot create a temporary folder: {why}")))?;
    let path = folder.path().join("part.sqlite");
    let plan = Plan::new(loaded, prepared, points, selected);
    let mut store = Store::open(&path, layout()).map_err(|error| failure(&error))?;
    let work: Vec<&Planned> = plan.points.iter().collect();
    // The rules of the file count all points of the experiment, not those of a batch.
    let done = local::run(&plan, &mut store, &work, jobs, Stop::default(), &watch)?;
    drop(store);
    let bytes =
        fs::read(&path).map_err(|why| Failure::input(format!("error: cannot read the part: {why}")))?;
    part.write(&bytes)?;
    Ok(match done.early {
        Some(Early::Signal) => interrupt::code(),
        Some(Early::Rule(_) | Early::Engine) | None => Code::Fine,
    })
}
