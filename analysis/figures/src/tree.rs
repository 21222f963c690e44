//! The tree of a reduction: which threads of a block store to shared memory between barriers, and
//! which elements they add.

use crate::font::{Weight, fit};
use crate::palette::legend;
use crate::scene::{Anchor, INK, MARGIN, MUTED, NOTE, PALE, PAPER, Scene, WIDTH};
use plotters::style::RGBColor;
use report::render::number::count;
use report::terms::Terms;

/// Color of an active thread.
const ACTIVE: RGBColor = RGBColor(0, 84, 140);
/// Color of an inactive thread of a warp that executes the store.
const WASTED: RGBColor = RGBColor(246, 190, 120);
/// Color of an edge.
const EDGE: RGBColor = RGBColor(120, 120, 120);
/// Left and right ends of the rows in pixels.
const LEFT: f64 = MARGIN + 92.0;
const RIGHT: f64 = WIDTH - MARGIN - 250.0;
/// Right ends of the columns of numbers in pixels.
const COLUMNS: [f64; 2] = [RIGHT + 112.0, RIGHT + 240.0];
/// Height of a row and of the edges above it, in pixels.
const ROW: f64 = 24.0;
const GAP: f64 = 34.0;
/// Number of rows at most.
const MOST_STEPS: usize = 16;

/// The active threads of a block, step by step.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The words of the kernel.
    pub terms: &'static Terms,
    /// Linear number of the block.
    pub block: u64,
    /// Threads of the block.
    pub threads: u32,
    /// Source line of the store.
    pub line: u32,
    /// Text beside the step.
    pub text: String,
    /// Steps between barriers in which the store executes.
    pub steps: Vec<Step>,
}

/// Time between two barriers.
#[derive(Clone, Debug)]
pub struct Step {
    /// Active lanes of each warp of the block.
    pub masks: Vec<u32>,
    /// Elements that a thread reads beside its own one: element, element that it stores.
    pub edges: Vec<(u32, u32)>,
}

/// Returns the picture.
pub fn scene(title: &str, notes: &[String], tree: &Tree) -> Scene {
    let (mut scene, top) = Scene::titled(title, notes);
    let threads = f64::from(tree.threads.max(1));
    let x = |thread: f64| LEFT + thread / threads * (RIGHT - LEFT);
    let mut y = top + 10.0;
    let Terms { thread, shared, .. } = tree.terms;
    let heads = [&format!("{thread}s"), "warps"];
    for (head, right) in heads.into_iter().zip(COLUMNS) {
        scene.strong((right, y + NOTE), Anchor::End, head);
    }
    // Numbers of the warps, as many as fit.
    scene.strong((MARGIN, y + NOTE), Anchor::Start, "warp");
    let warps = tree.threads.div_ceil(32);
    let every = (warps as usize).div_ceil(16).max(1);
    for warp in (0..warps).step_by(every) {
        let middle = f64::midpoint(f64::from(32 * warp), f64::from(32 * (warp + 1)).min(threads));
        scene.note((x(middle), y + NOTE), Anchor::Middle, &warp.to_string());
    }
    y += 1.6 * NOTE;
    scene.note((MARGIN, y + 13.0), Anchor::Start, "elements");
    scene.fill((LEFT, y), (RIGHT - LEFT, 14.0), PALE);
    let mut above = y + 14.0;
    let shown = &tree.steps[..tree.steps.len().min(MOST_STEPS)];
    for (number, step) in shown.iter().enumerate() {
        let row = above + GAP;
        for (from, to) in &step.edges {
            if f64::from(*from) < threads && f64::from(*to) < threads {
                let (from, to) = (f64::from(*from) + 0.5, f64::from(*to) + 0.5);
                scene.line(&[(x(from), above), (x(to), row)], EDGE, 0.8);
            }
        }
        of_step(&mut scene, step, row, tree.threads, &x);
        let baseline = row + ROW / 2.0 + 0.35 * NOTE;
        scene.note((MARGIN, baseline), Anchor::Start, &format!("step {}", number + 1));
        let active: u32 = step.masks.iter().map(|mask| mask.count_ones()).sum();
        let executing = step.masks.iter().filter(|mask| **mask != 0).count();
        scene.note((COLUMNS[0], baseline), Anchor::End, &count(active.into()));
        scene.note((COLUMNS[1], baseline), Anchor::End, &format!("{executing} of {}", step.masks.len()));
        above = row + ROW;
    }
    let mut bottom = above + 24.0;
    if shown.len() < tree.steps.len() {
        let text = format!("{} more steps are not shown.", tree.steps.len() - shown.len());
        scene.note((MARGIN, bottom + 6.0), Anchor::Start, &text);
        bottom += 28.0;
    }
    let entries = [
        ((ACTIVE, None), format!("active {thread}")),
        ((WASTED, None), format!("inactive {thread} of a warp that executes the line")),
        ((PAPER, None), "warp that does not execute the line".to_owned()),
    ];
    bottom = legend(&mut scene, &entries, MARGIN, WIDTH - MARGIN, bottom);
    let text = format!(
        "Lines: elements of {shared} that the {thread}s read, other than the element that they store."
    );
    let text = fit(&text, NOTE, Weight::Regular, WIDTH - 2.0 * MARGIN);
    scene.note((MARGIN, bottom + 10.0), Anchor::Start, &text);
    scene.end(bottom + 10.0)
}

/// Adds the row of a step.
fn of_step(scene: &mut Scene, step: &Step, y: f64, threads: u32, x: &dyn Fn(f64) -> f64) {
    for (warp, mask) in step.masks.iter().enumerate() {
        let first = 32 * warp as u32;
        let last = (first + 32).min(threads);
        let (left, right) = (x(first.into()), x(last.into()));
        if *mask != 0 {
            scene.fill((left, y), (right - left, ROW), WASTED);
        }
        // Neighboring active threads are one area.
        let is_active = |thread: u32| mask >> (thread - first) & 1 == 1;
        let mut thread = first;
        while thread < last {
            let from = thread;
            while thread < last && is_active(thread) {
                thread += 1;
            }
            if thread > from {
                scene.fill((x(from.into()), y), (x(thread.into()) - x(from.into()), ROW), ACTIVE);
            } else {
                thread += 1;
            }
        }
        let outline = if *mask == 0 { MUTED } else { INK };
        scene.outline((left, y), (right - left, ROW), outline);
    }
}
