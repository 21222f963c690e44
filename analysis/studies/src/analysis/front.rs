//! Best points: the Pareto front of two objectives, and the best point of one.

use crate::file::Goal;

/// Returns the value of an objective for which smaller is better.
fn cost(goal: Goal, value: f64) -> f64 {
    match goal {
        Goal::Minimize => value,
        Goal::Maximize => -value,
    }
}

/// Returns the indices of the points that no other point surpasses: none is better in one
/// objective and at least as good in the other. They are in the order of the first objective, the
/// best first; of equal points, the first. Points with a missing value are left out.
pub fn front(points: &[[f64; 2]], goals: [Goal; 2]) -> Vec<usize> {
    let costs = |index: usize| [cost(goals[0], points[index][0]), cost(goals[1], points[index][1])];
    let mut order: Vec<usize> =
        (0..points.len()).filter(|index| points[*index].iter().all(|value| value.is_finite())).collect();
    order.sort_by(|a, b| {
        let (a, b) = (costs(*a), costs(*b));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    });
    let mut best = f64::INFINITY;
    order.retain(|index| {
        let second = costs(*index)[1];
        let new = second < best;
        best = best.min(second);
        new
    });
    order
}

/// Returns the index of the best value, the first of equal ones; `None` if all are missing.
pub fn best(values: impl Iterator<Item = f64>, goal: Goal) -> Option<usize> {
    let costs = values.map(|value| cost(goal, value)).enumerate().filter(|(_, cost)| cost.is_finite());
    costs.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_has_the_points_that_no_other_surpasses() {
        let points =
            [[3.0, 1.0], [1.0, 5.0], [2.0, 2.0], [2.0, 3.0], [3.0, 1.0], [4.0, 4.0], [f64::NAN, 0.0]];
        assert_eq!(front(&points, [Goal::Minimize, Goal::Minimize]), [1, 2, 0]);
        assert_eq!(front(&points, [Goal::Minimize, Goal::Maximize]), [1]);
        assert_eq!(front(&points, [Goal::Maximize, Goal::Minimize]), [5, 0]);
        assert!(front(&[], [Goal::Minimize, Goal::Minimize]).is_empty());
    }

    #[test]
    fn every_point_is_on_the_front_or_surpassed() {
        let points: Vec<[f64; 2]> =
            (0..200u32).map(|i| [f64::from(i * 37 % 101), f64::from(i * 61 % 97)]).collect();
        let front = front(&points, [Goal::Minimize, Goal::Minimize]);
        for (index, point) in points.iter().enumerate() {
            let better = |other: &usize| {
                let other = points[*other];
                other[0] <= point[0] && other[1] <= point[1]
            };
            assert!(front.contains(&index) || front.iter().any(better), "{index}");
        }
    }

    #[test]
    fn the_best_point_is_the_first_of_equal_ones() {
        let values = [f64::NAN, 3.0, 1.0, 1.0];
        assert_eq!(best(values.into_iter(), Goal::Minimize), Some(2));
        assert_eq!(best(values.into_iter(), Goal::Maximize), Some(1));
        assert_eq!(best(std::iter::once(f64::NAN), Goal::Maximize), None);
    }
}
