//! The published measurements (`analysis/evidence/data/measurements.ron`) as typed rows.
//!
//! Invariant `published-measurements`: The table of published measurements is consistent: every
//! row has a program, and its page has all rows. Rows whose value is read back from the chip file
//! do not count in errors and correlations.

use super::micro::chase::Space;
use super::programs::matmul::Tiles;
use super::unit::Unit;
use kernels::mri::kernel::Version;
use serde::Deserialize;
use std::sync::LazyLock;

/// The rows. Only commands about measurements read them.
const ROWS: &str = include_str!("../../data/measurements.ron");

/// Group of measurements with a common target for the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Family {
    /// Latencies and throughputs of instructions and memories.
    Unit,
    /// Memory bandwidth.
    Bandwidth,
    /// Whole kernels.
    Kernel,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 3] = [Self::Unit, Self::Bandwidth, Self::Kernel];

    /// Name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unit => "latencies and throughputs",
            Self::Bandwidth => "bandwidths",
            Self::Kernel => "kernels",
        }
    }

    /// Target for the largest error, in percent.
    pub fn target(self) -> f64 {
        match self {
            Self::Unit => 5.0,
            Self::Bandwidth => 15.0,
            Self::Kernel => 25.0,
        }
    }
}

/// Confidence in a published value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Confidence {
    /// From the publication of the measurement.
    Primary,
    /// From a publication that cites the measurement.
    Secondary,
    /// From a course text.
    CourseText,
    /// From a course text that can be read in several ways.
    CourseTextAmbiguous,
    /// Recalled, with high confidence.
    RecalledHigh,
    /// Recalled, with medium confidence.
    RecalledMedium,
}

impl Confidence {
    /// Name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Secondary => "secondary",
            Self::CourseText => "course-text",
            Self::CourseTextAmbiguous => "course-text-ambiguous",
            Self::RecalledHigh => "recalled-high",
            Self::RecalledMedium => "recalled-med",
        }
    }
}

/// The program that measures a row, with its parameters.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the comment of a variant describes its fields")]
pub enum Program {
    /// The simulator does not model the measured part; the reason.
    NotModeled(String),
    /// A chain of dependent instructions from `%x` to `%x`: its latency in one warp, its throughput
    /// with 512 threads. `ty` is the PTX type of the operands.
    Instruction { ty: String, link: String },
    /// A stream of multiply-adds, with an operand in shared memory or without.
    Stream { shared: bool },
    /// Threads that reach the highest rate of multiply-adds, with some independent chains each.
    ThreadsNeeded { chains: usize },
    /// A pointer chase through a footprint in bytes, with a stride in bytes. Of constant memory,
    /// the latency that an operand adds to an addition.
    Chase { space: Space, footprint: u64, stride: u64 },
    /// Loads from shared memory with some lanes in each used bank.
    Conflicts { ways: u32 },
    /// Barriers of a block of some threads.
    Barrier { threads: u32 },
    /// Launches of an empty kernel.
    EmptyLaunches,
    /// A copy with many pending loads in few threads.
    VectorCopy,
    /// A copy with each of the offsets, in words; the slowest counts. A short run has the `short`
    /// ones, if any.
    OffsetCopy {
        offsets: Vec<u32>,
        #[serde(default)]
        short: Vec<u32>,
    },
    /// A transpose with this entry, and tiles with padded rows or without.
    Transpose {
        entry: String,
        #[serde(default)]
        padded: bool,
    },
    /// A product of square matrices; the best variant counts.
    Product { width: u32, variants: Vec<Tiles> },
    /// A mix of arithmetic and memory accesses: slots of arithmetic among 32.
    Mix {
        arithmetic: u32,
        #[serde(default)]
        double: bool,
    },
    /// F^H d or Q of the MRI reconstruction.
    Mri {
        #[serde(default)]
        q: bool,
        #[serde(with = "VersionRow")]
        version: Version,
    },
    /// Direct Coulomb summation, version 1 to 3, on the boards of the row.
    Coulomb { version: usize },
    /// The histogram in shared memory, with words per thread.
    Histogram { words: u32 },
    /// The time of a sum reduction, in a version of the SDK.
    Reduction { version: u32 },
    /// The best bandwidth of the last version.
    ReductionBandwidth,
}

/// Names of [`Version`] in a row.
#[derive(Deserialize)]
#[serde(remote = "Version")]
enum VersionRow {
    Global,
    Constant,
    Tuned,
}

/// The throughput that belongs to a latency.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Throughput {
    value: f64,
    #[serde(default)]
    set: bool,
}

/// A published measurement.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// Identifier, such as `V318`; with the suffix `t` the throughput of that row.
    pub id: String,
    /// Board, as named in the publication.
    pub board: String,
    /// Chip file of the board.
    pub chip: &'static str,
    /// Number of boards used together.
    #[serde(default = "one")]
    pub boards: u32,
    /// Group of the measurement.
    pub family: Family,
    /// Kernel.
    pub kernel: String,
    /// Launch configuration.
    #[serde(default)]
    pub config: String,
    /// Input.
    #[serde(default)]
    pub input: String,
    /// Measured quantity.
    pub metric: String,
    /// Value, above 0.
    pub value: f64,
    /// Unit of the value.
    pub unit: Unit,
    /// Throughput in operations of threads per shader cycle and SM, if published with the latency.
    #[serde(default)]
    throughput: Option<Throughput>,
    /// Whether the value is a parameter of the chip file that the program only reads back.
    #[serde(default)]
    pub set: bool,
    /// Whether numbers of the chip files were chosen to reproduce the value.
    #[serde(default)]
    pub calibrated: bool,
    /// Publication.
    pub source: String,
    /// Confidence in the value.
    pub confidence: Confidence,
    /// Further information.
    #[serde(default)]
    pub note: String,
    /// Program that measures the value.
    pub program: Program,
}

fn one() -> u32 {
    1
}

/// Returns the published measurements: every row of the table, followed by its throughput, if any.
pub fn published() -> &'static [Measurement] {
    static MEASUREMENTS: LazyLock<Vec<Measurement>> = LazyLock::new(|| {
        let rows: Vec<Measurement> = ron::from_str(ROWS)
            .unwrap_or_else(|why| panic!("the measurements are invalid, which a test checks: {why}"));
        rows.into_iter().flat_map(with_throughput).collect()
    });
    &MEASUREMENTS
}

fn with_throughput(row: Measurement) -> Vec<Measurement> {
    let throughput = row.throughput.map(|Throughput { value, set }| Measurement {
        id: format!("{}t", row.id),
        metric: "throughput".to_owned(),
        value,
        set,
        unit: Unit::OpsPerClock,
        ..row.clone()
    });
    [row].into_iter().chain(throughput).collect()
}

/// Returns the row of this identifier.
pub fn row(id: &str) -> Option<&'static Measurement> {
    published().iter().find(|row| row.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::builtin::simulated_names;

    /// Tests: `published-measurements`.
    #[test]
    fn the_table_is_valid_and_every_latency_has_its_throughput() {
        let get = |id: &str| row(id).unwrap_or_else(|| panic!("{id}"));
        assert_eq!((get("V318").value, get("V318").unit, get("V318").chip), (24.0, Unit::Cycles, "gt200"));
        assert_eq!((get("V318t").value, get("V318t").unit), (7.9, Unit::OpsPerClock));
        assert_eq!((get("V192").chip, get("V192").boards), ("g80", 3));
        for (i, row) in published().iter().enumerate() {
            let Measurement { id, chip, value, .. } = row;
            assert!(published()[..i].iter().all(|other| other.id != *id), "{id} stands twice");
            let number = id.trim_start_matches('V').trim_end_matches('t');
            assert!(id.starts_with('V') && number.len() == 3 && number.parse::<u32>().is_ok(), "{id}");
            assert!(simulated_names().any(|name| name == *chip), "{id}: no chip file describes {chip}");
            assert!(value.is_finite() && *value > 0.0, "{id}: {value}");
        }
        let rates = published().iter().filter(|row| row.unit == Unit::OpsPerClock).count();
        assert_eq!((rates, published().len()), (26, 140));
    }

    #[test]
    fn wrong_rows_are_rejected_with_their_place() {
        let wrong = [
            ("family: Kernel", "family: Rumor", "Rumor"),
            ("unit: Milliseconds", "unit: Parsec", "Parsec"),
            ("confidence: Primary", "confidence: Sure", "Sure"),
            ("metric:", "meter:", "meter"),
            ("value: 8.054", "value: many", "float"),
        ];
        for (right, wrong, named) in wrong {
            let text: &'static str = ROWS.replacen(right, wrong, 1).leak();
            let error = ron::from_str::<Vec<Measurement>>(text).unwrap_err().to_string();
            assert!(error.contains(named) || error.contains("Expected"), "{wrong}: {error}");
        }
    }
}
