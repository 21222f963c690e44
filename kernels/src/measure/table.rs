//! The table of published measurements (`kernels/data/calibration.csv`), parsed into typed rows;
//! all errors are reported together.
//!
//! Invariant `published-measurements`: The table of published measurements is consistent: every
//! program measures rows of it, and its page has all of them. Rows whose value is read back
//! from the chip file do not count in errors and correlations.

use super::unit::Unit;
use csv::StringRecord;
use std::sync::LazyLock;

/// Text of the project's table.
const TEXT: &str = include_str!("../../data/calibration.csv");

/// The columns, in order.
const COLUMNS: [&str; 11] =
    ["id", "chip", "kernel", "config", "input", "metric", "value", "unit", "source", "confidence", "note"];

/// Name of a board in the table, its chip file, and the number of boards used. A name in the table
/// begins with one of these; the first match counts.
const BOARDS: [(&str, &str, u32); 10] = [
    ("G80 8800 GTX", "g80", 1),
    ("G80 Quadro FX 5600", "fx5600", 1),
    ("3 x 8800 GTX", "g80", 3),
    ("G80", "g80", 1),
    ("GT200 GTX 280", "gt200", 1),
    ("GF100 GTX 480", "fermi", 1),
    ("GF104 GTX 460", "gtx460", 1),
    ("GF114 GTX 560 Ti", "gtx560ti", 1),
    ("GF110 Tesla M2090", "m2090", 1),
    // The lecture names no board; a Tesla C2050 has 1030 GFLOPS and 144 GB/s.
    ("Fermi (1000 GFLOPS, 150 GB/s class)", "c2050", 1),
];

/// Levels of confidence in a published value.
const CONFIDENCES: [&str; 6] =
    ["primary", "secondary", "course-text", "course-text-ambiguous", "recalled-high", "recalled-med"];

/// Format of a second number in a note, the throughput that belongs to a latency: `throughput 7.9
/// ops/clk/SM`.
const RATE: (&str, &str) = ("throughput ", " ops/clk/SM");

/// Group of measurements with a common target for the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A published measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Identifier, such as `V318`; with the suffix `t` the throughput in the note of that row.
    pub id: String,
    /// Board, as named in the table.
    pub board: String,
    /// Chip file of the board.
    pub chip: &'static str,
    /// Number of boards used together.
    pub boards: u32,
    /// Kernel.
    pub kernel: String,
    /// Launch configuration.
    pub config: String,
    /// Input.
    pub input: String,
    /// Measured quantity.
    pub metric: String,
    /// Value, above 0.
    pub value: f64,
    /// Unit of the value.
    pub unit: Unit,
    /// Publication.
    pub source: String,
    /// Confidence in the value.
    pub confidence: &'static str,
    /// Further information.
    pub note: String,
}

impl Measurement {
    /// Family of the measurement, from its kernel and, for microbenchmarks, its unit.
    pub fn family(&self) -> Family {
        let kernels =
            ["reduction", "transpose", "offsetCopy", "matrix", "Coulomb", "MRI", "histogram", "tiled"];
        let is_kernel = kernels.iter().any(|word| self.kernel.contains(word));
        // Of the mixes of arithmetic and memory, only the two extremes measure a single property.
        let mixed = self.kernel.starts_with("mixbench")
            && !["0:32", "32:0"]
                .iter()
                .any(|end| self.input.ends_with(end) || self.input.contains(&format!(" {end},")));
        let bandwidth = self.kernel.contains("copy")
            || self.kernel.starts_with("mixbench") && self.input.contains(" 0:32");
        match () {
            () if is_kernel || mixed => Family::Kernel,
            () if bandwidth => Family::Bandwidth,
            () => Family::Unit,
        }
    }
}

/// Returns the published measurements: every row of the table, followed by the throughput in its
/// note, if any.
pub fn published() -> &'static [Measurement] {
    static MEASUREMENTS: LazyLock<Vec<Measurement>> = LazyLock::new(|| {
        read(TEXT).unwrap_or_else(|errors| panic!("the table is invalid, which a test checks: {errors:?}"))
    });
    &MEASUREMENTS
}

/// Parses a table.
///
/// # Errors
/// All errors of the table, each with its line.
pub fn read(text: &str) -> Result<Vec<Measurement>, Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let (mut rows, mut errors): (Vec<Measurement>, Vec<String>) = (Vec::new(), Vec::new());
    match reader.headers() {
        Ok(names) if names.iter().eq(COLUMNS) => {}
        Ok(names) => errors.push(format!("line 1: expected the columns {COLUMNS:?}, found {names:?}")),
        Err(why) => errors.push(why.to_string()),
    }
    for record in reader.records() {
        match record {
            Err(why) => errors.push(why.to_string()),
            Ok(record) => {
                let line = record.position().map_or(0, csv::Position::line);
                let mut wrong = |why: String| errors.push(format!("line {line}: {why}"));
                let Some(row) = row(&record, &mut wrong) else { continue };
                if rows.iter().any(|other| other.id == row.id) {
                    wrong(format!("`{}` is in the table twice", row.id));
                }
                let throughput = throughput(&row, &mut wrong);
                rows.push(row);
                rows.extend(throughput);
            }
        }
    }
    if errors.is_empty() { Ok(rows) } else { Err(errors) }
}

/// Parses the row of a record and reports its errors to `wrong`.
fn row(record: &StringRecord, wrong: &mut impl FnMut(String)) -> Option<Measurement> {
    if record.len() != COLUMNS.len() {
        wrong(format!("expected {} fields, found {}", COLUMNS.len(), record.len()));
        return None;
    }
    let text = |i: usize| record[i].to_owned();
    if !record[0].strip_prefix('V').is_some_and(|n| n.len() == 3 && n.bytes().all(|b| b.is_ascii_digit())) {
        wrong(format!("`{}` is not an id like V001", &record[0]));
    }
    let board = BOARDS.iter().find(|(name, ..)| record[1].starts_with(name));
    if board.is_none() {
        wrong(format!("no chip file describes `{}`", &record[1]));
    }
    let value = record[6].parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0);
    if value.is_none() {
        wrong(format!("`{}` is not a number above 0", &record[6]));
    }
    let unit = Unit::of(&record[7]);
    if unit.is_none() {
        wrong(format!("`{}` is not one of the units", &record[7]));
    }
    let confidence = CONFIDENCES.into_iter().find(|word| *word == &record[9]);
    if confidence.is_none() {
        wrong(format!("`{}` is not one of {CONFIDENCES:?}", &record[9]));
    }
    let (&(_, chip, boards), value, unit, confidence) = (board?, value?, unit?, confidence?);
    Some(Measurement {
        id: text(0),
        board: text(1),
        chip,
        boards,
        kernel: text(2),
        config: text(3),
        input: text(4),
        metric: text(5),
        value,
        unit,
        source: text(8),
        confidence,
        note: text(10),
    })
}

/// Returns the measurement of the throughput in the note of `row`.
fn throughput(row: &Measurement, wrong: &mut impl FnMut(String)) -> Option<Measurement> {
    let value = row.note.strip_prefix(RATE.0)?.strip_suffix(RATE.1)?;
    let Some(value) = value.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0) else {
        wrong(format!("`{value}` is not a throughput above 0"));
        return None;
    };
    Some(Measurement {
        id: format!("{}t", row.id),
        metric: "throughput".to_owned(),
        value,
        unit: Unit::OpsPerClock,
        note: format!("from the note of {}", row.id),
        ..row.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "id,chip,kernel,config,input,metric,value,unit,source,confidence,note\n";

    /// Tests: `published-measurements`.
    #[test]
    fn the_table_is_valid_and_every_latency_has_its_throughput() {
        let rows = read(TEXT).unwrap_or_else(|errors| panic!("{errors:#?}"));
        let get = |id: &str| rows.iter().find(|row| row.id == id).unwrap_or_else(|| panic!("{id}"));
        assert_eq!((get("V318").value, get("V318").unit, get("V318").chip), (24.0, Unit::Cycles, "gt200"));
        assert_eq!((get("V318t").value, get("V318t").unit), (7.9, Unit::OpsPerClock));
        assert_eq!((get("V192").chip, get("V192").boards), ("g80", 3));
        let rates = rows.iter().filter(|row| row.unit == Unit::OpsPerClock).count();
        assert_eq!(rates, TEXT.matches(RATE.1).count());
        assert_eq!(rows.len() - rates, TEXT.lines().count() - 1);
    }

    #[test]
    fn measurements_belong_to_their_families() {
        let family = |id: &str| published().iter().find(|row| row.id == id).map(Measurement::family);
        for (ids, wanted) in [
            (&["V312", "V315", "V318", "V318t", "V345", "V359", "V363", "V250"][..], Family::Unit),
            (&["V050", "V051", "V218", "V251", "V364"], Family::Bandwidth),
            (
                &[
                    "V001", "V008", "V054", "V140", "V144", "V187", "V192", "V196", "V201", "V226", "V242",
                    "V309",
                ],
                Family::Kernel,
            ),
        ] {
            for id in ids {
                assert_eq!(family(id), Some(wanted), "{id}");
            }
        }
    }

    #[test]
    fn every_error_is_reported_with_its_line() {
        let text = format!(
            "{HEAD}V1,G80,k,,,time,1,ms,s,primary,\nV002,Voodoo,k,,,time,0,parsec,s,rumor,\nV003,G80,k\n\
             V004,G80,k,,,latency,1,cycles,s,primary,throughput many ops/clk/SM\nV004,G80,k,,,t,1,ms,s,primary,\n"
        );
        let errors = read(&text).unwrap_err();
        for part in [
            "line 2: `V1` is not an id like V001",
            "line 3: no chip file describes `Voodoo`",
            "line 3: `0` is not a number above 0",
            "line 3: `parsec` is not one of the units",
            "line 3: `rumor` is not one of",
            "line 4: expected 11 fields, found 3",
            "line 5: `many` is not a throughput above 0",
            "line 6: `V004` is in the table twice",
        ] {
            assert!(errors.iter().any(|error| error.starts_with(part)), "{part} is missing in {errors:#?}");
        }
        assert_eq!(errors.len(), 8, "{errors:#?}");
        assert!(read("id,chip\n").unwrap_err()[0].contains("expected the columns"));
    }
}
