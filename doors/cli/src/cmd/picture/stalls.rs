//! Stall bars: the time of all warps by source line, each bar divided by what the warps did.

use super::runs::{self, Ended, chosen, launch_line};
use crate::args::StallsArgs;
use crate::exit::{Code, Failure};
use figures::scene::Scene;
use figures::stalls::{self, Line, Order};

/// Draws the picture of the arguments.
pub fn run(args: &StallsArgs) -> Result<Code, Failure> {
    let ended = runs::run(&args.run, None, |_, _| Ok(()))?;
    let scene = draw(&ended, args);
    Ok(ended.finish(scene, None))
}

fn draw(ended: &Ended<'_>, args: &StallsArgs) -> Result<Scene, Failure> {
    let number = chosen(&ended.outcome.reports, &args.which)?;
    let Some(timing) = &ended.outcome.reports[number].timing else {
        return Err(Failure::input("error: the launch has no timing, so its stalls are unknown"));
    };
    if timing.lines.iter().all(|line| line.warp_cycles == 0) {
        return Err(Failure::input("error: no warp of the launch became resident: there are no stalls"));
    }
    let title = format!("{} on {}: time of warps by source line", ended.kernel, ended.chip_name);
    let note = launch_line(&ended.outcome.reports, number);
    let lines: Vec<Line> = timing.lines.iter().map(Line::from).collect();
    Ok(stalls::scene(&title, &[note], &lines, args.top as usize, Order::Time))
}
