//! The units of the table, and the quantities that they measure.

/// A unit of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub enum Unit {
    /// ms
    Milliseconds,
    /// us
    Microseconds,
    /// 10^9 bytes per second
    GbPerSecond,
    /// 10^6 bytes per second
    MbPerSecond,
    /// 10^9 floating-point operations per second
    Gflops,
    /// Periods of the shader clock
    Cycles,
    /// A fraction of a whole
    Ratio,
    /// Threads
    Threads,
    /// Operations of threads per period of the shader clock and SM
    OpsPerClock,
}

/// Units with their names in the table, the measured quantity, and the conversion factor to the
/// common unit of that quantity.
const UNITS: [(Unit, &str, &str, f64); 9] = [
    (Unit::Milliseconds, "ms", "time (us)", 1000.0),
    (Unit::Microseconds, "us", "time (us)", 1.0),
    (Unit::GbPerSecond, "GB/s", "bandwidth (GB/s)", 1.0),
    (Unit::MbPerSecond, "MB/s", "bandwidth (GB/s)", 0.001),
    (Unit::Gflops, "GFLOPS", "arithmetic (GFLOPS)", 1.0),
    (Unit::Cycles, "cycles", "latency (cycles)", 1.0),
    (Unit::Ratio, "ratio", "part of the peak", 1.0),
    (Unit::Threads, "threads", "threads", 1.0),
    (Unit::OpsPerClock, "ops/clk/SM", "throughput (ops/clk/SM)", 1.0),
];

impl Unit {
    /// Name in the table.
    pub fn name(self) -> &'static str {
        UNITS[self as usize].1
    }

    /// Measured quantity, with its common unit.
    pub fn quantity(self) -> &'static str {
        UNITS[self as usize].2
    }

    /// Converts `value` to the common unit of its quantity.
    pub fn common(self, value: f64) -> f64 {
        value * UNITS[self as usize].3
    }

    /// Returns the quantities, in order.
    pub fn quantities() -> Vec<&'static str> {
        let mut all: Vec<&'static str> = UNITS.iter().map(|(_, _, quantity, _)| *quantity).collect();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_names_and_convert() {
        for (unit, name, quantity, _) in UNITS {
            assert_eq!((unit.name(), unit.quantity()), (name, quantity));
        }
        assert!((Unit::MbPerSecond.common(6766.0) - 6.766).abs() < 1e-12);
        assert_eq!(Unit::quantities().len(), 7);
    }
}
