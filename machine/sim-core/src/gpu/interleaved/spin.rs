//! Loops that wait: a warp that returns to the same state and has changed nothing meanwhile. Only
//! registers count that the warp reads again before it writes them (`loops`).
//!
//! Another iteration would do the same until some other warp writes a word that the loop reads. An
//! iteration without effect can be left out of a schedule without changing anything, so a search
//! over all schedules needs no schedule in which a warp goes on after such an iteration.

use super::machine::Interleaved;
use super::touch::Touch;
use super::warp::{Activity, Mark};
use std::sync::Arc;

/// Most loops of a warp that are compared.
const MOST_MARKS: usize = 4;

impl Interleaved {
    /// Compares the warp, which is at the beginning of a loop, with its state in earlier
    /// iterations.
    pub(super) fn began_loop(&mut self, w: usize) {
        if self.pending.iter().any(|request| request.warp as usize == w) {
            return;
        }
        let state = &self.warps[w];
        let pc = state.warp.simt.pc();
        let is_here = |mark: &Mark| self.loops.is_alike(mark.warp.simt.pc(), pc);
        let known = state.marks.iter().position(is_here);
        let mark = known.map(|known| &state.marks[known]);
        // An iteration that reads nothing only computes.
        if mark.is_some_and(|mark| mark.reads == state.reads.len()) {
            return;
        }
        let stale = mark.is_some_and(|mark| state.reads[mark.reads..].iter().any(|read| read.stale));
        // Another iteration reads other values.
        let goes_on = stale && self.wakes;
        let repeats = !goes_on && mark.is_some_and(|mark| self.loops.is_same(&mark.warp, &state.warp));
        let state = Arc::make_mut(&mut self.warps[w]);
        match known {
            Some(known) if repeats => {
                let reads = &state.reads[state.marks[known].reads..];
                state.watch = reads.iter().map(|read| read.touch).collect();
                state.watch.sort_unstable();
                state.watch.dedup();
                state.marks.clear();
                state.reads.clear();
                state.stale = stale;
                state.activity = Activity::Spinning;
            }
            known => {
                if let Some(known) = known {
                    state.marks.remove(known);
                } else if state.marks.len() == MOST_MARKS {
                    state.marks.remove(0);
                }
                let mark = Mark { warp: state.warp.clone(), reads: state.reads.len() };
                state.marks.push(mark);
            }
        }
    }

    /// Notes that warp `by` has written `touches`: other warps that watch them may continue.
    pub(super) fn wrote(&mut self, by: usize, touches: &[Touch]) {
        for w in (0..self.warps.len()).filter(|w| *w != by) {
            let meets = |touch: &Touch| touches.iter().any(|written| written.overlaps(touch));
            let state = &self.warps[w];
            if state.reads.iter().any(|read| !read.stale && meets(&read.touch)) {
                let reads = &mut Arc::make_mut(&mut self.warps[w]).reads;
                for read in reads {
                    read.stale |= meets(&read.touch);
                }
            }
            let state = &self.warps[w];
            if state.activity == Activity::Spinning && state.watch.iter().any(meets) {
                Arc::make_mut(&mut self.warps[w]).stale = true;
                if self.wakes {
                    self.wake(w);
                    self.woken.push(w);
                }
            }
        }
    }

    /// Lets a spinning warp execute another iteration.
    pub(super) fn wake(&mut self, w: usize) {
        let state = Arc::make_mut(&mut self.warps[w]);
        state.activity = Activity::Running;
        state.watch.clear();
    }
}
