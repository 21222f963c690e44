//! The tree of a reduction: which threads of a block store to shared memory between barriers, and
//! which elements they add. `find` steps the launch.

mod find;

use super::runs::{self, Ended, launch_line};
use crate::args::TreeArgs;
use crate::exit::{Code, Failure};
use crate::workload::which::no_launch;
use figures::scene::Scene;
use figures::tree::{Tree, scene};
use find::Search;
use isa::terms::Terms;
use std::sync::{Arc, Mutex, PoisonError};

/// Draws the picture of the arguments.
pub fn run(args: &TreeArgs) -> Result<Code, Failure> {
    let kept = Arc::new(Mutex::new(None));
    let ended = runs::run(&args.run, Some(&args.which), |gpu, launch| {
        let search = Search { launch, line: args.line, kept: Arc::clone(&kept) };
        gpu.debug(Some(Box::new(search)));
        Ok(())
    })?;
    let found = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
    let scene = draw(&ended, found);
    Ok(ended.finish(scene, None))
}

fn draw(ended: &Ended<'_>, found: Option<Result<Tree, String>>) -> Result<Scene, Failure> {
    let reports = &ended.outcome.reports;
    let number = ended.launch as usize;
    let Some(found) = found else { return Err(no_launch(number, reports.len())) };
    let tree = found.map_err(|why| Failure::input(format!("error: {}: {why}", ended.kernel)))?;
    let Terms { thread, block, .. } = tree.terms;
    let title = format!("{} on {}: active {thread}s, step by step", ended.kernel, ended.chip_name);
    let notes = [
        launch_line(reports, number - 1),
        format!("{thread}s of {block} {} that execute line {}: {}", tree.block, tree.line, tree.text),
    ];
    Ok(scene(&title, &notes, &tree))
}
