//! The drawings of pages.

/// A drawing; its documentation names the part of the data that it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Stall bars beside the source lines: a report of a launch.
    Stalls,
    /// Time of all warps by state: a report of a launch.
    States,
    /// States of the warps of an SM over time, with zoom: a timeline.
    Timeline,
    /// Lanes to segments and banks: a list of accesses.
    Accesses,
    /// Active lanes by source line: the counted lanes of a launch.
    Lanes,
    /// Divergent branches: a report of a launch.
    Divergence,
    /// Roofline with the point of the kernel: a report of a launch.
    Roofline,
    /// Limits of the number of resident blocks: a report of a launch.
    Residency,
    /// Occupancy by block size, registers and shared memory: the curves of a kernel.
    Occupancy,
    /// Warp instructions by SM: a report of a launch.
    Sms,
    /// DRAM bytes by partition: a report of a launch.
    Partitions,
    /// Requests of the DRAM by state of the row buffer: a report of a launch.
    Rows,
    /// Difference of two runs by issue slot outcome: a list of outcomes.
    Outcomes,
    /// Difference of two runs by source line: a list of lines.
    Lines,
    /// Expected and simulated values of a claim: a list of findings.
    Claim,
    /// Simulated over published values: the rows of a validation.
    Scatter,
    /// Errors of the rows of a validation.
    Errors,
    /// Lines of a sweep: a plot.
    Plot,
}

impl Drawing {
    /// All drawings.
    pub const ALL: [Self; 18] = [
        Self::Stalls,
        Self::States,
        Self::Timeline,
        Self::Accesses,
        Self::Lanes,
        Self::Divergence,
        Self::Roofline,
        Self::Residency,
        Self::Occupancy,
        Self::Sms,
        Self::Partitions,
        Self::Rows,
        Self::Outcomes,
        Self::Lines,
        Self::Claim,
        Self::Scatter,
        Self::Errors,
        Self::Plot,
    ];

    /// Returns the name in the script.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stalls => "stalls",
            Self::States => "states",
            Self::Timeline => "timeline",
            Self::Accesses => "accesses",
            Self::Lanes => "lanes",
            Self::Divergence => "divergence",
            Self::Roofline => "roofline",
            Self::Residency => "residency",
            Self::Occupancy => "occupancy",
            Self::Sms => "sms",
            Self::Partitions => "partitions",
            Self::Rows => "rows",
            Self::Outcomes => "outcomes",
            Self::Lines => "lines",
            Self::Claim => "claim",
            Self::Scatter => "scatter",
            Self::Errors => "errors",
            Self::Plot => "plot",
        }
    }
}
