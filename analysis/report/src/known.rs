//! Known errors: kernels whose simulated rate is far from the rate measured on the real board.

/// A published rate and the simulated one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownError {
    /// Name of the workload.
    pub workload: &'static str,
    /// Name of the chip.
    pub chip: &'static str,
    /// Row of the validation table (`docs/VALIDATION.md`).
    pub row: &'static str,
    /// Published GFLOP/s.
    pub published: f64,
    /// Simulated GFLOP/s.
    pub simulated: f64,
}

/// All known errors; a test compares them with the validation table.
pub const ALL: [KnownError; 2] = [
    KnownError { workload: "matmul-naive", chip: "g80", row: "V306", published: 10.58, simulated: 4.46 },
    KnownError { workload: "matmul-naive", chip: "c2050", row: "V200", published: 25.00, simulated: 54.91 },
];

/// Returns the known error of a workload on a chip.
pub fn of(workload: &str, chip: &str) -> Option<&'static KnownError> {
    ALL.iter().find(|known| known.workload == workload && known.chip == chip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_errors_match_the_validation_table() {
        let table = include_str!("../../../docs/VALIDATION.md");
        for KnownError { row, published, simulated, .. } in ALL {
            let line = table.lines().find(|line| line.starts_with(&format!("| {row} |"))).expect("the row");
            let cells: Vec<&str> = line.split(" | ").collect();
            let expected = [format!("{published:.2} "), format!("{simulated:.2}")];
            assert!(cells[2].starts_with(&expected[0]) && cells[3] == expected[1], "{row}: {line}");
        }
    }
}
