//! The pictures of reports and accesses, as SVG.

use figures::report::parts;
use figures::{access, embedded};
use report::recorded::access::Access;
use report::recorded::lanes::Lanes;
use serde::Serialize;
use sim_core::debug::AccessView;
use sim_core::stats::Report;

/// A part of the pictures of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PicturesPart"))]
pub struct Part {
    /// Heading.
    pub title: String,
    /// Explanation; may be empty.
    pub note: String,
    /// The pictures as SVG.
    pub pictures: Vec<String>,
}

/// The pictures of the launch that a report shows.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Pictures {
    /// Number of the launch, from 1; 0 without one.
    pub launch: usize,
    /// The parts; none without timing.
    pub parts: Vec<Part>,
}

impl Pictures {
    /// Draws the pictures of a run.
    pub fn of(reports: &[Report]) -> Self {
        let Some((place, parts)) = parts(reports) else { return Self::default() };
        let part = |part: figures::report::Part| Part {
            title: part.title.into_owned(),
            note: part.note,
            pictures: part.pictures.iter().map(|(_, scene)| embedded(scene)).collect(),
        };
        Self { launch: place + 1, parts: parts.into_iter().map(part).collect() }
    }
}

/// Returns the picture of an access; `None` if it has neither segments nor banks.
pub fn access(access: &Access, view: &AccessView) -> Option<String> {
    access::one(access, view).as_ref().map(embedded)
}

/// Returns the picture of the active lanes of a launch; `None` if it executed no instruction.
pub fn lanes(lanes: &Lanes) -> Option<String> {
    (!lanes.lines.is_empty()).then(|| embedded(&figures::lanes::scene(lanes)))
}
