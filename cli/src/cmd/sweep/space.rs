//! The space of a sweep: lists of values, and the numbering of all their combinations.

use super::list;
use crate::args::SweepArgs;
use crate::exit::Failure;

/// Maximum number of points of a sweep.
const MOST: u64 = 10_000_000;

/// Input that an axis changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// The kernel.
    Kernel,
    /// The chip.
    Chip,
    /// The problem size of a built-in kernel.
    Size,
    /// Grid of a launch file.
    Grid,
    /// Block of a launch file.
    Block,
    /// Registers per thread.
    Registers,
    /// A value of the chip, as with `--set`; the axis has the name of the path.
    Set,
}

/// A list of values of one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Name of the column.
    pub name: String,
    /// Changed input.
    pub changes: Changes,
    /// Values as the user wrote them; at least one.
    pub values: Vec<String>,
}

/// All axes; the last one varies fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// The axes.
    pub axes: Vec<Axis>,
    /// Number of points.
    pub points: u64,
}

impl Space {
    /// Returns the axes of the arguments: kernels if there are several, chips, sizes, grids, blocks
    /// and registers, then each `--set` in order.
    pub fn new(args: &SweepArgs) -> Result<Self, Failure> {
        let wrong = |option: &str, why: String| Failure::input(format!("error: {option}: {why}"));
        let mut axes: Vec<Axis> = Vec::new();
        let kernels = args.kernels()?;
        if kernels.len() > 1 {
            axes.push(Axis { name: "kernel".to_owned(), changes: Changes::Kernel, values: kernels });
        }
        for (name, changes, list) in [
            ("chip", Changes::Chip, &args.chip),
            ("size", Changes::Size, &args.size),
            ("grid", Changes::Grid, &args.grid),
            ("block", Changes::Block, &args.block),
            ("registers", Changes::Registers, &args.registers),
        ] {
            let Some(list) = list else { continue };
            let values = list::values(list).map_err(|why| wrong(&format!("--{name}"), why))?;
            axes.push(Axis { name: name.to_owned(), changes, values });
        }
        for set in &args.sets {
            let (path, list) = crate::chip::split(set)?;
            let values = list::values(&list).map_err(|why| wrong(&format!("--set {path}"), why))?;
            axes.push(Axis { name: path, changes: Changes::Set, values });
        }
        for axis in &axes {
            axis.check_whole_numbers()?;
        }
        let count = axes.iter().try_fold(1u64, |n, a| n.checked_mul(a.values.len() as u64));
        match count {
            Some(points) if points <= MOST => Ok(Self { axes, points }),
            _ => Err(Failure::input(format!("error: the lists have more than {MOST} combinations"))),
        }
    }

    /// Returns the values of point `index`, one for each axis.
    pub fn point(&self, index: u64) -> Vec<&str> {
        let places = self.places(index);
        self.axes.iter().zip(places).map(|(axis, place)| axis.values[place].as_str()).collect()
    }

    /// Returns the indices of point `index` in the axes' lists.
    pub fn places(&self, index: u64) -> Vec<usize> {
        let mut rest = index;
        let place = |axis: &Axis| {
            let count = axis.values.len() as u64;
            let place = (rest % count) as usize;
            rest /= count;
            place
        };
        let mut places: Vec<usize> = self.axes.iter().rev().map(place).collect();
        places.reverse();
        places
    }
}

impl Axis {
    /// Checks that sizes and registers are whole numbers. Each point checks whether its values are
    /// possible.
    fn check_whole_numbers(&self) -> Result<(), Failure> {
        let good = |value: &String| match self.changes {
            Changes::Size => value.parse::<u64>().is_ok(),
            Changes::Registers => value.parse::<u32>().is_ok_and(|n| n > 0),
            Changes::Kernel | Changes::Chip | Changes::Grid | Changes::Block | Changes::Set => true,
        };
        match self.values.iter().find(|v| !good(v)) {
            None => Ok(()),
            Some(bad) => {
                Err(Failure::input(format!("error: --{}: `{bad}` is not a whole number", self.name)))
            }
        }
    }

    /// Whether `name` refers to this axis: its name, the end of its path, or the whole path.
    pub fn is_called(&self, name: &str) -> bool {
        let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|h| h.ends_with('.'));
        self.name == name
            || self.changes == Changes::Set && (ends(&self.name, name) || ends(name, &self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn space(line: &str) -> Result<Space, Failure> {
        let line = format!("warpsim sweep vecadd {line}");
        let Command::Sweep(args) = Args::try_parse_from(line.split(' ')).expect("good").command else {
            panic!("{line}")
        };
        Space::new(&args)
    }

    #[test]
    fn the_last_list_varies_fastest() {
        let space = space("--set a=1,2 --set b=x,y,z --size 4,8").unwrap();
        assert_eq!(space.points, 12);
        let points: Vec<String> = (0..12).map(|i| space.point(i).join(" ")).collect();
        assert_eq!(points[..4], ["4 1 x", "4 1 y", "4 1 z", "4 2 x"]);
        assert_eq!(points[11], "8 2 z");
    }

    #[test]
    fn without_lists_there_is_one_point() {
        let space = space("--chip g80").unwrap();
        assert_eq!((space.points, space.point(0)), (1, vec!["g80"]));
    }

    #[test]
    fn an_invalid_space_has_a_message() {
        for (line, part) in [
            ("--size 4,x", "--size: `x` is not a whole number"),
            ("--registers 0", "--registers: `0`"),
            ("--set a", "PATH=VALUE"),
            ("--set a=1,,2", "--set a: "),
            ("--set a=1..10000 --set b=1..10000", "more than 10000000 combinations"),
        ] {
            assert!(space(line).unwrap_err().message.contains(part), "{line}");
        }
    }

    #[test]
    fn an_axis_is_found_by_the_end_of_its_path() {
        let axis = &space("--set sm.max_warps=1").unwrap().axes[0];
        assert!(axis.is_called("max_warps") && axis.is_called("sm.max_warps") && !axis.is_called("warps"));
        let short = &space("--set scheduler=lrr").unwrap().axes[0];
        assert!(short.is_called("sm.scheduler") && !short.is_called("sm.max_warps"));
    }
}
