//! Batches: the points that one task of a cluster simulates.

use crate::plan::Planned;

/// A batch has at least the whole time divided by this number. As each batch and its successor
/// exceed the time of a batch, and every [`MOST_GAPS`] gaps may end one, a million points make at
/// most 1000 batches: Slurm limits a job array to 1,000 tasks by default.
const SHARE: f64 = 300.0;

/// Maximum number of gaps in the numbers of a batch, so that its selection fits on a command line.
const MOST_GAPS: usize = 4000;

/// Points in the order of their numbers.
pub type Batch<'p> = Vec<&'p Planned>;

/// Divides points in ascending order into batches of about `seconds` of host time. `time` returns
/// the expected time of a point in seconds.
pub fn divide<'p>(points: &Batch<'p>, seconds: f64, time: impl Fn(&Planned) -> f64) -> Vec<Batch<'p>> {
    let all: f64 = points.iter().map(|planned| time(planned)).sum();
    let seconds = seconds.max(all / SHARE);
    let mut batches = Vec::new();
    let (mut batch, mut used, mut gaps): (Batch<'p>, f64, usize) = (Vec::new(), 0.0, 0);
    for &planned in points {
        let expected = time(planned);
        gaps += usize::from(batch.last().is_some_and(|last| last.number + 1 != planned.number));
        if !batch.is_empty() && (used + expected > seconds || gaps > MOST_GAPS) {
            batches.push(std::mem::take(&mut batch));
            (used, gaps) = (0.0, 0);
        }
        used += expected;
        batch.push(planned);
    }
    batches.extend((!batch.is_empty()).then_some(batch));
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Point, Variant};

    fn planned(kernel: usize, number: usize) -> Planned {
        let point = Point { kernel, chip: 0, levels: Vec::new(), seed: None, variant: Variant::Base };
        Planned { number, point, digest: String::new() }
    }

    /// Returns the numbers of points in batches of `all` points with every `step`-th number.
    fn sizes(all: usize, step: usize, seconds: f64, time: impl Fn(&Planned) -> f64) -> Vec<usize> {
        let plan: Vec<Planned> = (0..all).map(|i| planned(i, i * step)).collect();
        let points: Batch<'_> = plan.iter().collect();
        let batches = divide(&points, seconds, time);
        let joined: Vec<usize> = batches.iter().flatten().map(|planned| planned.number).collect();
        assert_eq!(joined, (0..all).map(|i| i * step).collect::<Vec<_>>(), "each point once, in order");
        batches.iter().map(Vec::len).collect()
    }

    #[test]
    fn a_batch_has_the_time_of_several_points_or_one_point() {
        assert_eq!(sizes(0, 1, 30.0, |_| 1.0), [0_usize; 0]);
        assert_eq!(sizes(7, 1, 30.0, |_| 10.0), [3, 3, 1]);
        assert_eq!(sizes(3, 1, 30.0, |_| 100.0), [1, 1, 1]);
        let mixed = |planned: &Planned| if planned.point.kernel == 2 { 29.0 } else { 2.0 };
        assert_eq!(sizes(5, 1, 30.0, mixed), [2, 1, 2]);
    }

    #[test]
    fn the_number_of_batches_and_gaps_is_limited() {
        assert!(sizes(100_000, 1, 0.0, |_| 1.0).len() <= 1000);
        assert!(sizes(100_000, 2, 30.0, |planned| (planned.point.kernel % 7) as f64).len() <= 1000);
        assert_eq!(sizes(10_000, 2, 1e9, |_| 1.0), [4001, 4001, 1998]);
    }
}
