//! Cache-conscious scheduling (Rogers, O'Connor and Aamodt, MICRO 2012): warps that lose their
//! lines in the L1 keep others from loading.

use std::collections::VecDeque;
use warpsim::l1::L1Access;
use warpsim::scheduler::{SchedulingPolicy, View};

/// Lines that are remembered for each warp: its victim tags.
const LINES: usize = 16;
/// Score of a warp that has lost no line.
const BASE: u64 = 100;

/// A warp that misses in the L1 on a line which it has read before has lost locality: its score
/// rises, and falls by one with each issue cycle. Loads are left to the warps with the highest
/// scores, as many as share the sum of all base scores. Of the others the oldest warp issues.
#[derive(Clone, Debug)]
pub struct CacheConscious {
    /// Points for a lost line.
    points: u64,
    warps: Vec<Warp>,
    /// Issue cycle of the latest change of the scores.
    cycle: u64,
}

/// State of the policy for the warp in a slot.
#[derive(Clone, Debug, Default)]
struct Warp {
    age: u64,
    /// Points in addition to the base score.
    lost: u64,
    /// The last lines that it has read, the latest one last.
    lines: VecDeque<u32>,
}

impl CacheConscious {
    /// Returns the policy of a scheduler, with `points` points for a lost line.
    pub fn new(points: u64) -> Self {
        Self { points, warps: vec![Warp::default(); 64], cycle: 0 }
    }

    /// The warps of `view` that may load.
    fn may_load(&self, view: &View) -> u64 {
        let resident = || (0..64).filter(|slot| view.resident >> slot & 1 == 1);
        let score = |slot: u32| BASE + self.warps[slot as usize].lost;
        let mut by_score: Vec<u32> = resident().collect();
        by_score.sort_by_key(|slot| (u64::MAX - score(*slot), view.age[*slot as usize]));
        let mut left = BASE * by_score.len() as u64;
        let fits = |slot: &u32| {
            let fits = left > 0;
            left = left.saturating_sub(score(*slot));
            fits
        };
        by_score.into_iter().take_while(fits).fold(0, |mask, slot| mask | 1 << slot)
    }
}

impl SchedulingPolicy for CacheConscious {
    fn pick(&mut self, view: &View) -> Option<u32> {
        let passed = view.cycle - self.cycle;
        self.cycle = view.cycle;
        self.warps.iter_mut().for_each(|warp| warp.lost = warp.lost.saturating_sub(passed));
        let loads = self.may_load(view);
        let may_issue = |slot: &u32| (view.global & !loads) >> slot & 1 == 0;
        view.eligible_warps().filter(may_issue).min_by_key(|slot| view.age[*slot as usize])
    }

    fn l1_access(&mut self, access: &L1Access) {
        let warp = &mut self.warps[access.warp as usize];
        if warp.age != access.age {
            *warp = Warp { age: access.age, ..Warp::default() };
        }
        let known = warp.lines.iter().position(|line| *line == access.address);
        if let Some(known) = known {
            warp.lines.remove(known);
            if !access.hit {
                warp.lost += self.points;
            }
        } else if warp.lines.len() == LINES {
            warp.lines.pop_front();
        }
        warp.lines.push_back(access.address);
    }
}
