//! The selected points of an experiment, each with the digest that identifies its run in a store.

use crate::design::{Point, Points};
use crate::digest::of_text;
use crate::point::Setup;
use crate::study::Study;
use rayon::prelude::*;
use report::exit::Failure;

/// A point with the digest of its run.
pub struct Planned {
    /// Number of the point.
    pub number: usize,
    /// Number and settings of the point.
    pub point: Point,
    /// Digest of everything that decides the result.
    pub digest: String,
}

/// The runs of an experiment.
pub struct Plan<'a> {
    /// The experiment.
    pub study: Study<'a>,
    /// The selected points, in the order of their numbers.
    pub points: Vec<Planned>,
}

impl<'a> Plan<'a> {
    /// Computes the digests of the points with these numbers.
    ///
    /// # Errors
    ///
    /// If threads cannot be started.
    pub fn new(study: Study<'a>, points: &Points, selected: &[usize]) -> Result<Self, Failure> {
        let sources = study.host.sources();
        let digest = |point: &Point| match study.setup(point).and_then(Setup::ready) {
            Ok(ready) => ready.digest(&**study.host),
            // A point that cannot run has its reason as its result.
            Err(failed) => of_text(failed.ending.word(), sources, &format!("{point:?} {}", failed.message)),
        };
        let planned = |number: &usize| {
            let point = points.at(*number);
            Planned { number: *number, digest: digest(&point), point }
        };
        let pool = rayon::ThreadPoolBuilder::new().build();
        let pool = pool.map_err(|why| Failure::input(format!("error: cannot start threads: {why}")))?;
        Ok(Self { study, points: pool.install(|| selected.par_iter().map(planned).collect()) })
    }
}
