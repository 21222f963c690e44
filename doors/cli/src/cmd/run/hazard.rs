//! Pictures of the two accesses of a race, for the page of a run.

use figures::embedded;
use figures::race::scene;
use figures::scene::Scene;
use report::page::Page;
use sim_core::check::{Check, Finding, Kind};
use sim_core::stats::Report;
use sim_core::stats::report::CheckReport;

/// Largest number of pictures on a page.
const MOST: usize = 8;

/// Adds a picture for each race of the launches.
pub fn add(page: &mut Page, reports: &[Report]) {
    let checks = reports.iter().filter_map(|report| report.checks.as_ref());
    // The lockstep of a warp orders the accesses of a warp-synchronous pair.
    let is_race = |finding: &&Finding| finding.check == Check::Race && finding.kind != Kind::WarpSynchronous;
    let races = checks.flat_map(CheckReport::mistakes).filter(is_race);
    let scenes: Vec<Scene> = races.filter_map(scene).take(MOST).collect();
    if scenes.is_empty() {
        return;
    }
    page.section("races", "Races");
    page.note("Nothing orders the two accesses of each picture: on a GPU either can be first.");
    for scene in scenes {
        page.picture(&scene.title, &embedded(&scene));
    }
}
