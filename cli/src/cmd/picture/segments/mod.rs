//! Lanes of a warp and the segments of global memory that they use: an access in each row, a chip
//! in each column. `find` steps the launch, this module draws.

mod find;

use super::files::Targets;
use super::runs::{kernel_name, named};
use crate::args::{ChipArgs, SegmentsArgs};
use crate::chip;
use crate::draw::font::{Weight, fit, width};
use crate::draw::palette::color;
use crate::draw::scene::{Anchor, INK, LABEL, MARGIN, MUTED, NOTE, PALE, Point, Scene, WIDTH};
use crate::exit::{Code, Failure};
use crate::output::Files;
use crate::render::number::{count, plural};
use crate::workload::{Source, settings};
use report::recorded::access::{Access, Found};
use sim_core::debug::AccessView;
use sim_core::host::Mode;
use std::collections::BTreeMap;

/// Rows of a picture without `--line`, and at most.
const USUAL_ROWS: usize = 3;
const MOST_ROWS: usize = 8;
/// Columns of a picture at most.
const MOST_CHIPS: usize = 3;
/// Distance between columns in pixels.
const BETWEEN: f64 = 34.0;
/// Height of a box of a lane or a segment, and distance of the lanes from the segments, in pixels.
const BOX: f64 = 22.0;
const GAP: f64 = 92.0;

/// The accesses of a chip.
struct Column {
    chip: String,
    found: Vec<Found>,
}

/// Draws the picture of the arguments.
pub fn run(args: &SegmentsArgs) -> Result<Code, Failure> {
    if args.chips.len() > MOST_CHIPS || args.lines.len() > MOST_ROWS {
        return Err(Failure::input(format!(
            "error: a picture has at most {MOST_CHIPS} chips and {MOST_ROWS} lines"
        )));
    }
    let source = Source::of(&args.workload)?;
    let mut chips = Vec::new();
    let mut files = Files::new();
    for name in &args.chips {
        let chip_args = ChipArgs { chip: name.trim().to_owned(), sets: Vec::new() };
        files.reads_chip(&chip_args.chip)?;
        let (chip, _) = chip::load_to_run(&chip_args)?;
        let named = named(&chip, &chip_args);
        chips.push((chip, named));
    }
    let prepared = source.prepare(args.workload.compile.options())?;
    prepared.reads(&mut files)?;
    let targets = Targets::open(&args.files, &mut files)?;
    let mut columns = Vec::new();
    for (chip, name) in chips {
        let settings = settings(&args.workload, Mode::Timed, 1, &chip);
        let found = find::accesses(&prepared, &chip, settings, args.launch_index).map_err(|failure| {
            Failure { message: format!("{} (chip {})", failure.message, chip.name), ..failure }
        })?;
        columns.push(Column { chip: name, found });
    }
    let kernel = kernel_name(&source, &prepared);
    let lines = lines(args, &kernel, &columns)?;
    targets.write(&scene(&kernel, &lines, &columns))?;
    Ok(Code::Fine)
}

/// Whether an access has transactions.
fn is_memory(access: &AccessView) -> bool {
    !access.transactions.is_empty()
}

/// Returns the source lines of the rows.
fn lines(args: &SegmentsArgs, kernel: &str, columns: &[Column]) -> Result<Vec<u32>, Failure> {
    let mut known: Vec<u32> = columns
        .iter()
        .flat_map(|column| {
            column.found.iter().filter(|found| is_memory(&found.view)).map(|found| found.access.line)
        })
        .collect();
    known.sort_unstable();
    known.dedup();
    if known.is_empty() {
        return Err(Failure::input(format!(
            "error: the first block of {kernel} does not access global or local memory: there are no segments"
        )));
    }
    if let Some(line) = args.lines.iter().find(|line| !known.contains(line)) {
        let known: Vec<String> = known.iter().map(u32::to_string).collect();
        return Err(Failure::input(format!(
            "error: --line {line}: the first block does not access global or local memory there\nhelp: lines with accesses: {}",
            known.join(", ")
        )));
    }
    if !args.lines.is_empty() {
        return Ok(args.lines.clone());
    }
    // The accesses with the most excess transactions on any chip, in the order of the lines.
    let excess = |line: &u32| {
        let of = |column: &Column| {
            let access = &column.found.iter().find(|found| found.access.line == *line)?.view;
            Some(access.transactions.len() as i64 - i64::from(access.fewest))
        };
        -columns.iter().filter_map(of).max().unwrap_or(0)
    };
    known.sort_by_key(excess);
    known.truncate(USUAL_ROWS);
    known.sort_unstable();
    Ok(known)
}

fn scene(kernel: &str, lines: &[u32], columns: &[Column]) -> Scene {
    let title = format!("{kernel}: lanes of a warp and the segments of memory that they use");
    let note = "Top: the 32 lanes of a warp. Bottom: the segments of its transactions, by ascending address.";
    let (mut scene, mut top) = Scene::titled(&title, &[note.to_owned()]);
    let number = columns.len() as f64;
    let wide = (WIDTH - 2.0 * MARGIN - (number - 1.0) * BETWEEN) / number;
    let left = |i: usize| MARGIN + i as f64 * (wide + BETWEEN);
    for (i, column) in columns.iter().enumerate() {
        let name = fit(&column.chip, LABEL, Weight::Bold, wide);
        scene.text_with((left(i), top + LABEL), Anchor::Start, &name, (LABEL, Weight::Bold, INK));
    }
    top += 2.0 * LABEL;
    for line in lines {
        let of = |column: &Column| column.found.iter().position(|found| found.access.line == *line);
        let Some(first) = columns.iter().find_map(|column| of(column).map(|i| &column.found[i])) else {
            continue;
        };
        scene.line(&[(MARGIN, top), (WIDTH - MARGIN, top)], PALE, 1.0);
        let Access { kind, space, text, .. } = &first.access;
        let text = format!("line {line}, {space} {kind}: {text}");
        scene.note(
            (MARGIN, top + 1.5 * NOTE),
            Anchor::Start,
            &fit(&text, NOTE, Weight::Regular, WIDTH - 2.0 * MARGIN),
        );
        let below = columns.iter().enumerate().map(|(i, column)| match of(column) {
            Some(at) => cell(&mut scene, &column.found[at].view, (left(i), top + 2.4 * NOTE), wide),
            None => top,
        });
        top = below.fold(top, f64::max) + 22.0;
    }
    scene.end(top - 22.0)
}

/// A segment: the lanes and the transactions that use it.
#[derive(Default)]
struct Segment {
    lanes: u32,
    span: u32,
    times: u32,
}

/// Adds the drawing of an access. Returns the place below it.
fn cell(scene: &mut Scene, access: &AccessView, (left, top): Point, wide: f64) -> f64 {
    let mut segments: BTreeMap<u32, Segment> = BTreeMap::new();
    for one in &access.transactions {
        let segment = segments.entry(one.address).or_default();
        segment.lanes |= one.lanes;
        segment.span = segment.span.max(one.span);
        segment.times += 1;
    }
    let step = wide / 32.0;
    let lane_top = top + 1.1 * NOTE;
    for lane in 0..32u32 {
        let x = left + f64::from(lane) * step;
        let of = segments.values().position(|segment| segment.lanes >> lane & 1 == 1);
        if let Some(segment) = of.filter(|_| access.lanes >> lane & 1 == 1) {
            scene.fill((x + 0.5, lane_top), (step - 1.0, BOX), color(segment));
        }
        scene.outline((x + 0.5, lane_top), (step - 1.0, BOX), MUTED);
        if lane % 8 == 0 || lane == 31 {
            scene.note((x + step / 2.0, lane_top - 5.0), Anchor::Middle, &lane.to_string());
        }
    }
    let below = lane_top + BOX + GAP;
    let each = wide / segments.len().max(1) as f64;
    for (i, (address, segment)) in segments.iter().enumerate() {
        let width_of = (each - 4.0).clamp(2.0, 260.0);
        let x = left + each * i as f64 + (each - width_of) / 2.0;
        for lane in (0..32u32).filter(|lane| (access.lanes & segment.lanes) >> lane & 1 == 1) {
            let offset = f64::from(access.addresses[lane as usize].wrapping_sub(*address));
            let part = (offset / f64::from(segment.span)).clamp(0.0, 1.0);
            let bytes = (f64::from(access.bytes) / f64::from(segment.span) * width_of).max(1.0);
            let at = (x + part * width_of).min(x + width_of - bytes);
            scene.fill((at, below), (bytes, BOX), color(i));
            let from = (left + (f64::from(lane) + 0.5) * step, lane_top + BOX);
            scene.line(&[from, (at + bytes / 2.0, below)], color(i), 1.2);
        }
        scene.outline((x, below), (width_of, BOX), INK);
        let text = match segment.times {
            1 => format!("{} bytes", segment.span),
            times => format!("{times} × {} bytes", segment.span),
        };
        if width(&text, NOTE, Weight::Regular) < each - 6.0 {
            let middle = left + each * (i as f64 + 0.5);
            scene.note((middle, below + BOX + 1.15 * NOTE), Anchor::Middle, &text);
        }
    }
    verdict(scene, access, (left, below + BOX + 2.5 * NOTE), wide)
}

/// Adds the number of transactions and bytes. Returns the place below it.
fn verdict(scene: &mut Scene, access: &AccessView, (left, y): Point, wide: f64) -> f64 {
    let number = plural(access.transactions.len() as u64, "transaction");
    let (first, second) = if access.is_uncoalesced() {
        ("not coalesced", format!("{number} instead of {}", access.fewest))
    } else {
        ("coalesced", number)
    };
    let third = format!(
        "{} bytes requested, {} transferred",
        count(access.requested().into()),
        count(access.transferred().into())
    );
    scene.strong((left, y), Anchor::Start, first);
    for (line, text) in [(1.0, second), (2.0, third)] {
        let text = fit(&text, NOTE, Weight::Regular, wide);
        scene.note((left, y + 1.4 * line * NOTE), Anchor::Start, &text);
    }
    y + 3.2 * NOTE
}
