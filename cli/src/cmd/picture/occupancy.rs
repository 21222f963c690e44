//! Occupancy by block size, registers per thread and shared memory per block, side by side.

use super::files::Targets;
use crate::args::occupancy::{Over, Sweep};
use crate::args::{ChipArgs, Format, FormatArgs, OccupancyArgs, OccupancyPictureArgs};
use crate::cmd::occupancy::answer::{bare, refusal};
use crate::cmd::occupancy::subject::{self, Subject};
use crate::cmd::occupancy::sweep::{Row, table};
use crate::draw::axis::Axis;
use crate::draw::font::{Weight, width};
use crate::draw::palette::{ALERT, color};
use crate::draw::plot::{BELOW, Plot};
use crate::draw::scene::{Anchor, Item, MARGIN, NOTE, Point, Scene, WIDTH};
use crate::exit::{Code, Failure};
use crate::output::Files;
use crate::render::number::{count, plural};
use crate::rules::{self, Named};

/// Height of an area in pixels.
const HEIGHT: f64 = 340.0;
/// Distance between areas in pixels, with the numbers of the axis.
const BETWEEN: f64 = 44.0;

/// Draws the picture of the arguments.
pub fn run(args: &OccupancyPictureArgs) -> Result<Code, Failure> {
    let named = rules::load(&args.chip, None, args.cache.map(Into::into))?;
    let subjects = subject::subjects(&plain(args))?;
    let [subject] = subjects.as_slice() else {
        let names: Vec<&str> =
            subjects.iter().filter_map(|one| Some(one.program.as_ref()?.name.as_str())).collect();
        return Err(Failure::input(format!(
            "error: the file has several kernels, and a picture shows one\nhelp: choose one with --entry: {}",
            names.join(", ")
        )));
    };
    let mut files = Files::new();
    files.reads_chip(&args.chip.chip)?;
    if let Some(kernel) = args.kernel.as_ref().filter(|_| subject.program.is_some())
        && kernels::find(kernel).is_none()
    {
        files.reads(kernel.as_ref())?;
    }
    let targets = Targets::open(&args.files, &mut files)?;
    targets.write(&scene(args, subject, &named)?)?;
    Ok(Code::Fine)
}

/// The same question for `warpsim occupancy`.
fn plain(args: &OccupancyPictureArgs) -> OccupancyArgs {
    OccupancyArgs {
        kernel: args.kernel.clone(),
        linked: Vec::new(),
        entry: args.entry.clone(),
        block: args.block,
        regs: args.regs,
        shared: args.shared,
        params: None,
        dynamic_shared: args.dynamic_shared,
        shared_config: None,
        cache: args.cache,
        chip: ChipArgs { chip: args.chip.chip.clone(), sets: args.chip.sets.clone() },
        sweep: None,
        html: None,
        compile: args.compile,
        format: FormatArgs { format: Format::Text },
    }
}

/// A curve: its rows, the value of the kernel, and the label of its axis.
struct Panel {
    rows: Vec<Row>,
    here: u32,
    label: &'static str,
}

fn scene(args: &OccupancyPictureArgs, subject: &Subject, named: &Named) -> Result<Scene, Failure> {
    let Some((block, _)) = subject.block else {
        return Err(Failure::input("error: the block size is unknown\nhelp: give it with --block 256"));
    };
    let set = named.rule_set();
    // Plain numbers are the calculator's input, as in `warpsim occupancy`.
    let counts = if subject.params.is_some() { set } else { bare(&set) };
    let request = subject.request(block);
    if let Some(refused) = request.refusals(counts.of(&request)).into_iter().next() {
        let refusal = refusal(refused);
        return Err(Failure {
            code: refusal.code,
            message: format!("error: {}{}", refusal.message, refusal.help),
        });
    }
    let result = request.occupancy(counts.of(&request));
    let panel = |over, here, label| Panel {
        rows: table(subject, &counts, &Sweep { over, values: Vec::new() }),
        here,
        label,
    };
    let shared = subject.static_shared + subject.dynamic_shared;
    let threads = u32::try_from(block.count()).unwrap_or(u32::MAX);
    let panels = [
        panel(Over::Block, threads, "threads per block"),
        panel(Over::Registers, subject.registers.0, "registers per thread"),
        panel(Over::Shared, shared, "shared memory per block (bytes)"),
    ];
    let name = match (&subject.program, &args.kernel) {
        (Some(_), Some(kernel)) if kernels::find(kernel).is_some() => kernel.clone(),
        (Some(program), _) => program.name.clone(),
        (None, _) => "a kernel".to_owned(),
    };
    let limiters: Vec<&str> = result.limiters.iter().map(|limiter| limiter.name()).collect();
    let slots = counts.of(&request).sm.max_warps;
    let notes = [
        format!(
            "{threads} threads per block, {} per thread, {} bytes of shared memory per block",
            plural(subject.registers.0.into(), "register"),
            count(shared.into())
        ),
        format!(
            "{} per SM: {} of {slots} warps, {:.0} %; limited by {}",
            plural(result.blocks.into(), "block"),
            result.warps,
            100.0 * result.occupancy,
            limiters.join(", ")
        ),
    ];
    let sets: Vec<String> = args.chip.sets.iter().map(|set| format!(", {}", set.trim())).collect();
    let (mut scene, top) = Scene::titled(
        &format!(
            "Occupancy of {name} on {}{}",
            named.title.split(", compute capability").next().unwrap_or(&named.title),
            sets.concat()
        ),
        &notes,
    );
    let left = MARGIN + 92.0;
    let width = (WIDTH - MARGIN - 12.0 - left - 2.0 * BETWEEN) / 3.0;
    for (i, panel) in panels.iter().enumerate() {
        let x = left + i as f64 * (width + BETWEEN);
        area(&mut scene, panel, (x, top + 8.0), width, i == 0);
    }
    Ok(scene.end(top + 8.0 + HEIGHT + BELOW))
}

/// Adds the curve of a resource: a step for each range of values, and the value of the kernel.
fn area(scene: &mut Scene, panel: &Panel, at: (f64, f64), width: f64, first: bool) {
    let last = panel.rows.last().map_or(1, |row| row.to);
    let most = f64::from(last.max(panel.here));
    let round = Axis::around(0.0, most);
    let x_marks = round.marks.iter().copied().filter(|mark| *mark <= most).collect();
    let plot = Plot {
        at,
        size: (width, HEIGHT),
        x: Axis::exactly(0.0, most, x_marks),
        y: Axis::exactly(0.0, 108.0, (0..=5).map(|i| 20.0 * f64::from(i)).collect()),
    };
    plot.frame(scene, panel.label, if first { "occupancy (% of the warp slots)" } else { "" });
    let points: Vec<(f64, f64)> = panel
        .rows
        .iter()
        .flat_map(|row| [(row.from, row.occupancy), (row.to, row.occupancy)])
        .map(|(x, y)| plot.place((f64::from(x), 100.0 * y)))
        .collect();
    let dots = panel.rows.iter().all(|row| row.from == row.to);
    scene.line(&points, color(0), if dots { 1.6 } else { 3.0 });
    if dots {
        for at in points.iter().copied().step_by(2) {
            scene.items.push(Item::Circle { at, radius: 4.5, color: color(0) });
        }
    }
    let here = f64::from(panel.here);
    let Some(row) = panel.rows.iter().rfind(|row| row.from <= panel.here) else { return };
    let (x, y) = plot.place((here, 100.0 * row.occupancy));
    scene.dashed(&[(x, plot.bottom()), (x, plot.at.1)], ALERT, 1.8);
    scene.items.push(Item::Circle { at: (x, y), radius: 8.5, color: ALERT });
    let text = format!("{} here", count(panel.here.into()));
    label(scene, &plot, &points, x, &text);
}

/// Adds a label beside the dashed line at `x`, where the curve is not.
fn label(scene: &mut Scene, plot: &Plot, curve: &[Point], x: f64, text: &str) {
    let space = width(text, NOTE, Weight::Regular);
    let sides = [(Anchor::Start, x + 10.0, x + 10.0), (Anchor::End, x - 10.0, x - 10.0 - space)];
    let heights = [plot.bottom() - 10.0, plot.y(30.0), plot.y(50.0), plot.y(70.0), plot.y(90.0)];
    let candidates: Vec<(Anchor, f64, f64, f64)> = heights
        .into_iter()
        .flat_map(|y| sides.into_iter().map(move |(anchor, at, left)| (anchor, at, left, y)))
        .filter(|(_, _, left, _)| *left > plot.at.0 && left + space < plot.at.0 + plot.size.0)
        .collect();
    // Whether a part of the curve is in the space of the label.
    let is_covered = |left: f64, y: f64| {
        curve.windows(2).any(|pair| {
            (0..=40).map(f64::from).any(|i| {
                let at = |a: f64, b: f64| a + (b - a) * i / 40.0;
                let (cx, cy) = (at(pair[0].0, pair[1].0), at(pair[0].1, pair[1].1));
                (left - 6.0..left + space + 6.0).contains(&cx) && (y - NOTE..y + 8.0).contains(&cy)
            })
        })
    };
    let free = candidates.iter().find(|(_, _, left, y)| !is_covered(*left, *y)).or(candidates.first());
    if let Some((anchor, at, _, y)) = free {
        scene.plate((*at, *y), *anchor, text);
    }
}
