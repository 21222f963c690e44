//! Pictures of the two accesses of a race, for the page of a run.

use figures::embedded;
use figures::race::scene;
use figures::scene::Scene;
use isa::terms::Terms;
use report::page::Page;
use sim_core::check::{Check, Finding, Kind};
use sim_core::stats::Report;

/// Largest number of pictures on a page.
const MOST: usize = 8;

/// Adds a picture for each race of the launches.
pub fn add(page: &mut Page, reports: &[Report]) {
    let checks = reports.iter().filter_map(|report| Some((report.checks.as_ref()?, &report.launch.files)));
    // The lockstep of a warp orders the accesses of a warp-synchronous pair.
    let is_race = |finding: &&Finding| finding.check == Check::Race && finding.kind != Kind::WarpSynchronous;
    let drawn = checks.flat_map(|(checks, files)| {
        checks.mistakes().filter(is_race).filter_map(|race| scene(race, Terms::of(files)))
    });
    let scenes: Vec<Scene> = drawn.take(MOST).collect();
    if scenes.is_empty() {
        return;
    }
    page.section("races", "Races");
    page.note("Nothing orders the two accesses of each picture: on a GPU either can be first.");
    for scene in scenes {
        page.picture(&scene.title, &embedded(&scene));
    }
}
