//! A numeric axis with round tick marks, linear or logarithmic.

use crate::font::{Weight, fit};
use crate::scene::NOTE;

/// Largest width of a name in pixels.
const MOST_NAME: f64 = 170.0;

/// Range and ticks of an axis.
#[derive(Clone, Debug)]
pub struct Axis {
    from: f64,
    to: f64,
    /// Tick marks.
    pub marks: Vec<f64>,
    decimals: usize,
    /// Whether places are proportional to the logarithm of values.
    log: bool,
    /// Whether values are bytes.
    bytes: bool,
    /// Names of the values 0, 1, 2 …; empty for numbers.
    names: Vec<String>,
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
        Self {
            from: first * step,
            to: last * step,
            marks,
            decimals,
            log: false,
            bytes: false,
            names: Vec::new(),
        }
    }

    /// Returns the axis with another end.
    #[must_use]
    pub fn end_at(self, to: f64) -> Self {
        Self { to, ..self }
    }

    /// Returns the axis with other ends.
    #[must_use]
    pub fn between(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

    /// An axis of names, one for each of the values 0, 1, 2 …; every `step`th is written.
    pub fn named(names: &[String], step: usize) -> Self {
        let marks = (0..names.len()).step_by(step).map(|place| place as f64).collect();
        let axis = Self::exactly(-0.5, names.len() as f64 - 0.5, marks);
        Self { names: names.to_vec(), ..axis }
    }

    /// A linear axis from `from` to exactly `to`, with these tick marks.
    pub fn exactly(from: f64, to: f64, marks: Vec<f64>) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        Self { from, to, marks, decimals: 0, log: false, bytes: false, names: Vec::new() }
    }

    /// A logarithmic axis from `low` to `high`, which are above 0, with a tick mark at each power
    /// of ten.
    pub fn decades(low: f64, high: f64) -> Self {
        let first = (low.log10() - 1e-9).ceil() as i32;
        let last = (high.log10() + 1e-9).floor() as i32;
        let marks = (first..=last).map(|power| 10f64.powi(power)).collect();
        Self { from: low, to: high, marks, decimals: 0, log: true, bytes: false, names: Vec::new() }
    }

    /// A logarithmic axis of bytes from `low` to `high`, which are above 0, with a tick mark at
    /// every other power of two.
    pub fn doublings(low: f64, high: f64) -> Self {
        let first = (low.log2() - 1e-9).ceil() as i32;
        let last = (high.log2() + 1e-9).floor() as i32;
        let marks = (first..=last).filter(|power| power % 2 == 0).map(|power| 2f64.powi(power)).collect();
        Self { from: low, to: high, marks, decimals: 0, log: true, bytes: true, names: Vec::new() }
    }

    /// Returns the place of a value: 0 at the start of the axis, 1 at its end.
    pub fn part(&self, value: f64) -> f64 {
        if self.log {
            return (value / self.from).ln() / (self.to / self.from).ln();
        }
        (value - self.from) / (self.to - self.from)
    }

    /// Returns the text of a tick mark.
    pub fn text(&self, mark: f64) -> String {
        if self.bytes {
            return bytes(mark);
        }
        if !self.names.is_empty() {
            let name = self.names.get(mark.round() as usize).map_or("", String::as_str);
            return fit(name, NOTE, Weight::Regular, MOST_NAME);
        }
        if self.log {
            return report::render::number::fixed(mark, (-mark.log10()).ceil().clamp(0.0, 12.0) as usize);
        }
        if self.to.abs().max(self.from.abs()) >= 1e7 {
            return format!("{mark:.1e}");
        }
        report::render::number::fixed(if mark == 0.0 { 0.0 } else { mark }, self.decimals)
    }
}

/// Formats a number of bytes in the largest unit that is not larger than it.
pub fn bytes(value: f64) -> String {
    let units = [("MB", 1_048_576.0), ("KB", 1024.0)];
    let (unit, size) = units.into_iter().find(|(_, size)| value >= *size).unwrap_or(("B", 1.0));
    format!("{} {unit}", value / size)
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
            (0.0, 0.43, vec!["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
            (0.0, 10.0, vec!["0", "2", "4", "6", "8", "10"]),
            (1000.0, 5200.0, vec!["1,000", "2,000", "3,000", "4,000", "5,000", "6,000"]),
        ] {
            let axis = Axis::around(low, high);
            let texts: Vec<String> = axis.marks.iter().map(|mark| axis.text(*mark)).collect();
            assert_eq!(texts, expected, "{low} to {high}");
            assert!((0.0..=1.0).contains(&axis.part(low)) && (0.0..=1.0).contains(&axis.part(high)));
        }
    }

    #[test]
    fn logarithmic_axes_have_marks_at_powers() {
        let axis = Axis::decades(0.05, 120.0);
        let texts: Vec<String> = axis.marks.iter().map(|mark| axis.text(*mark)).collect();
        assert_eq!(texts, ["0.1", "1", "10", "100"]);
        assert!((axis.part(1.0) - axis.part(0.1) - (axis.part(100.0) - axis.part(10.0))).abs() < 1e-12);
        let axis = Axis::doublings(512.0, 1_048_576.0);
        let texts: Vec<String> = axis.marks.iter().map(|mark| axis.text(*mark)).collect();
        assert_eq!(texts, ["1 KB", "4 KB", "16 KB", "64 KB", "256 KB", "1 MB"]);
    }
}
