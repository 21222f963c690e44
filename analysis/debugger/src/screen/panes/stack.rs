//! The reconvergence stack of the warp in focus.

use super::{Content, Scene, View};
use report::inspect::Subject;

/// The content of the pane.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    let title = format!("of warp {}: which lanes run, where the others continue", scene.focus.slot);
    Content::scrolled(title, scene.facts(Subject::Stack, view.width), view)
}
