//! The varied parts of the points: kernels, chips, factors and seeds.

use crate::design::Point;
use crate::file::{Level, Target};
use crate::study::Study;
use sim_core::config::schema;

/// A part of a point that the study varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The kernels of the file.
    Kernel,
    /// The chips of the file.
    Chip,
    /// The factor with this index.
    Factor(usize),
    /// The seeds of the file.
    Seed,
}

impl Part {
    /// Returns the name, which is that of the column.
    pub fn name<'a>(self, study: &Study<'a>) -> &'a str {
        match self {
            Self::Kernel => "kernel",
            Self::Chip => "chip",
            Self::Factor(factor) => &study.file.factors[factor].name.value,
            Self::Seed => "seed",
        }
    }
}

/// A varied part of the points, with all its values.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of the column.
    pub name: String,
    /// Part of the point that the axis varies.
    pub part: Part,
    /// Values as the user wrote them; at least one.
    pub values: Vec<String>,
    /// Paths of the chip that get the value of a factor.
    paths: Vec<String>,
    /// Unit; may be empty.
    unit: &'static str,
}

impl Axis {
    /// Returns the axis of a part.
    pub fn new(study: &Study<'_>, part: Part) -> Self {
        let file = study.file;
        let (mut paths, mut unit) = (Vec::new(), "");
        let values: Vec<String> = match part {
            Part::Kernel => file.kernels.iter().map(|kernel| kernel.name.clone()).collect(),
            Part::Chip => study.chips.iter().map(|chip| chip.name.clone()).collect(),
            Part::Factor(factor) => {
                for target in &file.factors[factor].targets {
                    unit = match &target.value {
                        Target::Chip(path) => {
                            paths.push(path.clone());
                            schema::unit_of(path).unwrap_or_default()
                        }
                        Target::Launch(path) if path == "grid" => "blocks",
                        Target::Launch(path) if path == "block" => "threads",
                        Target::Registers => "per thread",
                        Target::Launch(_) | Target::Argument(_) | Target::Size => "",
                    };
                }
                let text = |level: &Level| level.text.trim_matches('"').to_owned();
                file.factors[factor].levels.iter().map(text).collect()
            }
            Part::Seed => file.given.seeds.iter().map(u64::to_string).collect(),
        };
        Self { name: part.name(study).to_owned(), part, values, paths, unit }
    }

    /// Returns the index of the value of a point; `None` if the part does not apply to its kernel.
    pub fn place(&self, point: &Point) -> Option<usize> {
        match self.part {
            Part::Kernel => Some(point.kernel),
            Part::Chip => Some(point.chip),
            Part::Factor(factor) => point.levels[factor],
            Part::Seed => {
                let seed = point.seed?.to_string();
                self.values.iter().position(|value| *value == seed)
            }
        }
    }

    /// Whether `name` refers to this axis: its name, the end of its path, or the whole path.
    pub fn is_called(&self, name: &str) -> bool {
        let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|h| h.ends_with('.'));
        self.name == name
            || self.paths.iter().any(|path| path == name || ends(path, name) || ends(name, path))
    }

    /// Returns the name with the unit.
    pub fn label(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, self.unit) }
    }

    /// Returns the values as numbers; `None` if one of them is no number.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let number = |value: &String| value.parse().ok().filter(|number: &f64| number.is_finite());
        self.values.iter().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Fixture;

    #[test]
    fn an_axis_is_found_by_the_end_of_its_path() {
        let chip = |path: &str| Target::Chip(path.to_owned());
        let fixture = Fixture::new(&[
            ("warps", chip("sm.max_warps"), &["1"]),
            ("scheduler", chip("scheduler"), &["lrr"]),
        ]);
        let axes = fixture.rows(&["ipc"]).unwrap().axes();
        assert!(["warps", "max_warps", "sm.max_warps"].iter().all(|name| axes[0].is_called(name)));
        assert!(!axes[0].is_called("rps") && !axes[0].is_called("m.max_warps"));
        assert!(axes[1].is_called("sm.scheduler") && !axes[1].is_called("sm.max_warps"));
    }
}
