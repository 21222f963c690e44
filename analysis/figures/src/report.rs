//! The pictures of a report: what programs, pages and notebooks show of a launch.

use crate::launch;
use crate::roofline::{self, Kernel, Peaks};
use crate::scene::Scene;
use crate::stalls::{self, Line, Order};
use report::mangled::plain;
use report::outcome::shown;
use report::terms::Terms;
use sim_core::stats::Report;
use std::borrow::Cow;

/// Largest number of source lines.
const MOST_LINES: usize = 24;

/// A part of the pictures of a launch.
#[derive(Clone, Debug)]
pub struct Part {
    /// Heading.
    pub title: Cow<'static, str>,
    /// Explanation; may be empty.
    pub note: String,
    /// The pictures with their names.
    pub pictures: Vec<(&'static str, Scene)>,
}

/// Draws the launch that a report of these launches shows. Returns its place and the parts; none
/// without timing.
pub fn parts(reports: &[Report]) -> Option<(usize, Vec<Part>)> {
    let place = shown(reports)?;
    let report = &reports[place];
    let timing = report.timing.as_ref()?;
    let terms = Terms::of(&report.launch.files);
    let part =
        |title, note: &str, pictures| Part { title: terms.fill(title), note: note.to_owned(), pictures };
    let lines: Vec<Line> = timing.lines.iter().map(Line::from).collect();
    let kernel = plain(&report.launch.kernel);
    let which = format!("launch {} of {}: {kernel}", place + 1, reports.len());
    let stalls = stalls::scene("Time of warps by source line", &[which], &lines, MOST_LINES, Order::Time);
    let roof = match Kernel::of(kernel, report) {
        Ok(point) => {
            let title = format!("Roofline of {}", report.chip.board);
            let scene = roofline::scene(&title, &[], Peaks::of(report), &[point]);
            part(
                "Roofline",
                "A kernel on the slope is limited by DRAM traffic, under the flat part by arithmetic. \
                 The dashed line is the gap to the limit.",
                vec![("roofline", scene)],
            )
        }
        Err(why) => {
            part("Roofline", &format!("The roofline does not apply to the kernel: {why}."), Vec::new())
        }
    };
    let parts = vec![
        part(
            "Where the time goes, by source line",
            "The bar of a line is the time that all warps spend at it; the colors are the states of the warps.",
            vec![("stalls", stalls)],
        ),
        part(
            "What the warps do",
            "",
            vec![("states", launch::states(timing.warps.resident, &timing.warps.states))],
        ),
        part("Divergence", "", vec![("divergence", launch::divergence(&report.control))]),
        roof,
        part("Occupancy", "", vec![("occupancy", launch::residency(&report.launch.occupancy, terms))]),
        part(
            "Load of {sm}s and memory",
            "",
            vec![
                ("sms", launch::sms(&timing.sms, terms)),
                ("partitions", launch::partitions(&timing.dram)),
                ("rows", launch::rows(&timing.dram)),
            ],
        ),
    ];
    Some((place, parts))
}
