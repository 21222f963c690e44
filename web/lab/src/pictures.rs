//! The pictures of reports and accesses, as SVG.

use figures::roofline::{self, Kernel, Peaks};
use figures::scene::Scene;
use figures::stalls::{self, Line, Order};
use figures::{access, embedded, launch};
use report::mangled::plain;
use report::outcome::shown;
use report::recorded::access::Access;
use report::recorded::lanes::Lanes;
use serde::Serialize;
use sim_core::debug::AccessView;
use sim_core::stats::Report;

/// Largest number of source lines.
const MOST_LINES: usize = 24;

/// A part of the pictures of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "PicturesPart"))]
pub struct Part {
    /// Heading.
    pub title: &'static str,
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
        let Some(number) = shown(reports) else { return Self::default() };
        let report = &reports[number];
        let Some(timing) = &report.timing else { return Self::default() };
        let part = |title, note: &str, scenes: Vec<Scene>| Part {
            title,
            note: note.to_owned(),
            pictures: scenes.iter().map(embedded).collect(),
        };
        let lines: Vec<Line> = timing.lines.iter().map(Line::from).collect();
        let kernel = plain(&report.launch.kernel);
        let which = format!("launch {} of {}: {kernel}", number + 1, reports.len());
        let stalls = stalls::scene("Time of warps by source line", &[which], &lines, MOST_LINES, Order::Time);
        let roof = match Kernel::of(kernel, report) {
            Ok(point) => part(
                "Roofline",
                "A kernel on the slope is limited by DRAM traffic, under the flat part by arithmetic. \
                 The dashed line is the gap to the limit.",
                vec![roofline::scene(
                    &format!("Roofline of {}", report.chip.board),
                    &[],
                    Peaks::of(report),
                    &[point],
                )],
            ),
            Err(why) => {
                part("Roofline", &format!("The roofline does not apply to the kernel: {why}."), Vec::new())
            }
        };
        let parts = vec![
            part(
                "Where the time goes, by source line",
                "The bar of a line is the time that all warps spend at it; the colors are the states of the warps.",
                vec![stalls],
            ),
            part("What the warps do", "", vec![launch::states(timing.warps.resident, &timing.warps.states)]),
            part("Divergence", "", vec![launch::divergence(&report.control)]),
            roof,
            part("Occupancy", "", vec![launch::residency(&report.launch.occupancy)]),
            part(
                "Load of SMs and memory",
                "",
                vec![launch::sms(&timing.sms), launch::partitions(&timing.dram), launch::rows(&timing.dram)],
            ),
        ];
        Self { launch: number + 1, parts }
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
