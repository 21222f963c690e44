//! A batch: the points that one task of a cluster simulates, as `--points` with `--part`.
//!
//! The results go to a store in the temporary folder of the host, which becomes the part when the
//! batch ends. So a part is complete or absent, and no database is open in a folder that several
//! hosts share.

use crate::design::Points;
use crate::file::Stop;
use crate::local::{self, failure};
use crate::plan::{Plan, Planned};
use crate::runner::Early;
use crate::store::Store;
use crate::study::Study;
use report::exit::Failure;
use std::fs;

/// Simulates the selected points. Returns the bytes of the part, and whether a signal ended the
/// batch early: then the part has the finished points.
///
/// A failed point is a result.
///
/// # Errors
///
/// If the part cannot be written.
pub fn run(
    study: Study<'_>,
    points: &Points,
    selected: &[usize],
    jobs: usize,
) -> Result<(Vec<u8>, bool), Failure> {
    let folder = tempfile::tempdir()
        .map_err(|why| Failure::input(format!("error: cannot create a temporary folder: {why}")))?;
    let path = folder.path().join("part.sqlite");
    let plan = Plan::new(study, points, selected)?;
    let mut store = Store::open(&path, local::layout(&study)).map_err(|error| failure(&error))?;
    let work: Vec<&Planned> = plan.points.iter().collect();
    // The rules of the file count all points of the experiment, not those of a batch.
    let done = local::run(&plan, &mut store, &work, jobs, Stop::default())?;
    drop(store);
    let bytes =
        fs::read(&path).map_err(|why| Failure::input(format!("error: cannot read the part: {why}")))?;
    Ok((bytes, done.early == Some(Early::Signal)))
}
