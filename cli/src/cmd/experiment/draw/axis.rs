//! A numeric axis with round tick marks.

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    from: f64,
    to: f64,
    /// Tick marks.
    pub marks: Vec<f64>,
    decimals: usize,
}

impl Axis {
    /// An axis from the tick mark below `low` to the one above `high`.
    pub fn around(low: f64, high: f64) -> Self {
        let extent = if high > low { high - low } else { low.abs().max(1.0) };
        let power = 10f64.powf((extent / 5.0).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|step| *step * 5.0 >= extent).unwrap_or(extent);
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil().max(first + 1.0);
        // At most seven marks: the step is at least a fifth of the extent.
        let marks = (0..=(last - first) as usize).map(|i| (first + i as f64) * step).collect();
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        Self { from: first * step, to: last * step, marks, decimals }
    }

    /// Returns the place of a value: 0 at the start of the axis, 1 at its end.
    pub fn part(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    /// Returns the text of a tick mark.
    pub fn text(&self, mark: f64) -> String {
        if self.to.abs().max(self.from.abs()) >= 1e7 {
            return format!("{mark:.1e}");
        }
        crate::render::number::fixed(if mark == 0.0 { 0.0 } else { mark }, self.decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn marks_are_round_and_enclose_the_values() {
        for (low, high, expected) in [
            (0.0, 1.0, vec!["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            (0.93, 1.23, vec!["0.9", "1.0", "1.1", "1.2", "1.3"]),
            (0.0, 0.0, vec!["0.0", "0.2"]),
            (1000.0, 5200.0, vec!["1,000", "2,000", "3,000", "4,000", "5,000", "6,000"]),
        ] {
            let axis = Axis::around(low, high);
            let texts: Vec<String> = axis.marks.iter().map(|mark| axis.text(*mark)).collect();
            assert_eq!(texts, expected, "{low} to {high}");
            assert!((0.0..=1.0).contains(&axis.part(low)) && (0.0..=1.0).contains(&axis.part(high)));
        }
    }
}
