//! The two accesses of a race: who does what to which bytes, in time order, and where the order is
//! missing.

use crate::palette;
use crate::scene::{Anchor, LABEL, MARGIN, NOTE, PALE, Point, Scene, WIDTH};
use report::render::number::{count, plural};
use report::terms::Terms;
use sim_core::check::{Finding, Thread};

/// Size of the box of an access.
const BOX: (f64, f64) = (420.0, 34.0);
/// Left edge of the box of the first access; the second box ends as far from the right edge.
const LEFT: f64 = 330.0;

/// Returns the picture of a finding with two threads, in the words of its kernel; `None` for
/// another one.
pub fn scene(finding: &Finding, terms: &Terms) -> Option<Scene> {
    let [first, second] = finding.threads.as_slice() else { return None };
    let memory = finding.memory.as_ref()?;
    let object = memory.offset().map(|(name, offset)| format!(", byte {} of `{name}`", count(offset)));
    let bytes = format!(
        "{} of {}{}",
        plural(memory.bytes.into(), "byte"),
        terms.memory(memory.space),
        object.unwrap_or_default()
    );
    let (mut scene, top) = Scene::titled(&finding.message, finding.help.as_slice());
    let right = WIDTH - MARGIN - BOX.0;
    let rows = [(first, LEFT, top + 1.2 * LABEL), (second, right, top + 6.8 * LABEL)];
    let middle = (rows[0].2 + rows[1].2 + BOX.1) / 2.0;
    for (number, (thread, left, y)) in rows.into_iter().enumerate() {
        access(&mut scene, (number, thread), (left, y), terms);
        let at = left + BOX.0 / 2.0;
        let (from, to) = if number == 0 { (y + BOX.1, middle - LABEL) } else { (middle + LABEL, y) };
        scene.line(&[(at, from), (at, to)], palette::color(number), 2.0);
    }
    // The bytes, under the first box and above the second.
    scene.fill((LEFT, middle - LABEL), (WIDTH - MARGIN - LEFT, 2.0 * LABEL), PALE);
    scene.label((LEFT + 12.0, middle + 0.35 * LABEL), Anchor::Start, &bytes);
    scene.label((MARGIN, middle + 0.35 * LABEL), Anchor::Start, "the same bytes");
    Some(scene.end(rows[1].2 + BOX.1))
}

/// Draws the box of an access, and its thread at the left.
fn access(scene: &mut Scene, (number, thread): (usize, &Thread), (left, y): Point, terms: &Terms) {
    scene.hatched((left, y), BOX, (palette::color(number), None));
    let source: String = thread.source.trim().chars().take(34).collect();
    let text = format!("{}: {source}", thread.line);
    scene.plate((left + BOX.0 / 2.0, y + 0.5 * BOX.1 + 0.3 * NOTE), Anchor::Middle, &text);
    let who = format!("{} {} of {} {},", terms.thread, thread.thread, terms.block, thread.block);
    scene.note((MARGIN, y + 0.35 * BOX.1), Anchor::Start, &who);
    let does = format!("warp {}, {}", thread.warp, thread.does);
    scene.note((MARGIN, y + 0.35 * BOX.1 + 1.2 * NOTE), Anchor::Start, &does);
}
