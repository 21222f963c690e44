//! Tests properties while a kernel runs.

use super::grid::Grid;
use super::moment::{Moment, Subject};
use super::property::Property;
use super::setup::{Setup, Warp};
use super::sm::Sm;
use super::statement::{Broken, Rule};
use sim_core::host::Gpu;
use sim_core::observe::{Event, Launched, Observer, Watch, What};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard};

/// Number of events of the SM that a violation shows.
const EXCERPT: usize = 48;

/// A property that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of the property.
    pub property: &'static str,
    /// The property in one sentence.
    pub sentence: &'static str,
    /// A user's scheduling policy under which it is broken.
    pub policy: Option<String>,
    /// Settings of the chip with which it is broken, by path; `None`: those of the example.
    pub settings: Option<Vec<(String, String)>>,
    /// SM; `None` if the property is about the grid.
    pub sm: Option<u32>,
    /// Issue cycle in which it is broken.
    pub cycle: u64,
    /// Description of the violation.
    pub found: String,
    /// The last events of the SM up to then.
    pub events: Vec<Event>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RULE {}: {} Broken in issue cycle {}", self.property, self.sentence, self.cycle)?;
        if let Some(sm) = self.sm {
            write!(f, " on SM {sm}")?;
        }
        write!(f, ": {}", self.found)
    }
}

/// Result of a checker for a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How often each property was put to the test, in the order of the properties; 0 for one that
    /// is not stated for the chip.
    pub tested: Vec<u64>,
    /// The first violation.
    pub violation: Option<Violation>,
}

/// Tests properties on the launches of a GPU. The launch ends at the first violation.
#[derive(Clone, Debug)]
pub struct Checker {
    state: Arc<Mutex<State>>,
}

impl Checker {
    /// Observes the launches of `gpu` from now on.
    pub fn of(gpu: &mut Gpu, properties: Vec<Property>) -> Self {
        let checker = Self { state: Arc::new(Mutex::new(State { properties, ..State::default() })) };
        gpu.observe(Some(Box::new(checker.clone())));
        checker
    }

    /// Returns the outcome of the last launch.
    ///
    /// # Panics
    /// Another thread panicked while it tested a property.
    pub fn outcome(&self) -> Outcome {
        self.state().outcome.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panicked in a property")
    }
}

impl Observer for Checker {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        self.state().begin(launch);
        Some(Watch { warps: 0..64, ..Watch::ALL })
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        self.state().take(events)
    }

    fn end(&mut self, report: &Report) {
        self.state().end(report);
    }
}

/// A copy of a rule for one subject.
#[derive(Clone)]
struct Copied {
    warp: Warp,
    other: Warp,
    rule: Rule,
}

/// The copies of the rule of one property, by SM and two slots or the scheduler.
#[derive(Default)]
struct Copies {
    of: BTreeMap<(u32, u32, u32), Copied>,
    /// Tests by copies that have ended.
    tested: u64,
}

#[derive(Default)]
struct State {
    properties: Vec<Property>,
    copies: Vec<Copies>,
    setup: Option<Arc<Setup>>,
    sms: Vec<Sm>,
    grid: Grid,
    /// Issue cycle up to which each SM was followed.
    followed: Vec<u64>,
    /// Events of the current issue cycle.
    now: Vec<Event>,
    last: Vec<VecDeque<Event>>,
    outcome: Outcome,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} properties, {:?}", self.properties.len(), self.outcome)
    }
}

impl State {
    fn begin(&mut self, launch: &Launched<'_>) {
        let setup = Setup::of(launch);
        let sms = setup.chip.clusters * setup.chip.cluster.sms;
        self.sms = (0..sms).map(|sm| Sm::new(sm, &setup)).collect();
        self.grid = Grid::new(setup.blocks);
        self.followed = vec![0; sms as usize];
        self.last = vec![VecDeque::with_capacity(EXCERPT); sms as usize];
        self.copies = self.properties.iter().map(|_| Copies::default()).collect();
        self.now.clear();
        self.outcome = Outcome { tested: vec![0; self.properties.len()], violation: None };
        self.setup = Some(Arc::new(setup));
    }

    fn take(&mut self, events: &[Event]) -> ControlFlow<()> {
        let Some(period) = self.setup.as_ref().map(|setup| setup.period()) else {
            return ControlFlow::Break(());
        };
        let cycle = |event: &Event| event.cycle / period;
        if let (Some(last), Some(next)) = (self.now.last(), events.first())
            && cycle(last) != cycle(next)
        {
            self.cycle();
        }
        self.now.extend_from_slice(events);
        if self.outcome.violation.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn end(&mut self, report: &Report) {
        if self.outcome.violation.is_none() {
            self.cycle();
        }
        let ended = matches!(report.verdict, Verdict::Finished | Verdict::Hung { .. });
        if self.outcome.violation.is_none() && ended {
            let cycle = self.followed.iter().copied().max().unwrap_or(0);
            if report.verdict.is_finished() {
                self.grid.end();
                self.about_grid(cycle, None);
            }
            for index in 0..self.properties.len() {
                for (key, copied) in std::mem::take(&mut self.copies[index].of) {
                    let m = self.moment(cycle, key.0, 0, (copied.warp, copied.other), None);
                    let found = copied.rule.end().err().map(|broken| self.found(index, &m, broken));
                    self.copies[index].tested += copied.rule.tested();
                    self.outcome.violation = self.outcome.violation.take().or(found);
                }
            }
        }
        for (tested, copies) in self.outcome.tested.iter_mut().zip(&self.copies) {
            *tested = copies.tested + copies.of.values().map(|copied| copied.rule.tested()).sum::<u64>();
        }
    }

    /// Tests the properties on the events of one issue cycle.
    fn cycle(&mut self) {
        let events = std::mem::take(&mut self.now);
        let Some(period) = self.setup.as_ref().map(|setup| setup.period()) else { return };
        let Some(cycle) = events.first().map(|event| event.cycle / period) else { return };
        // Blocks that arrive in one issue cycle are reported in the order of the SMs.
        let mut blocks: Vec<(&Event, u64)> = events
            .iter()
            .filter_map(|event| match event.what {
                What::BlockStarted { block, .. } | What::BlockRetired { block, .. } => Some((event, block)),
                _ => None,
            })
            .collect();
        blocks.sort_by_key(|(event, block)| (event.cycle, *block));
        for (event, _) in blocks {
            if let Some(setup) = &self.setup {
                self.grid.apply(event, setup);
            }
            self.about_grid(cycle, Some(event));
        }
        for of_sm in events.chunk_by(|a, b| a.sm == b.sm) {
            self.of_sm(of_sm[0].sm, cycle, of_sm);
        }
    }

    fn of_sm(&mut self, sm: u32, cycle: u64, events: &[Event]) {
        let Some(setup) = self.setup.clone() else { return };
        let index = sm as usize;
        for quiet in self.sms[index].quiet(self.followed[index], cycle, &setup) {
            self.sms[index].begin();
            self.sms[index].close(quiet, &setup);
            self.about_warps(sm, quiet);
        }
        self.followed[index] = cycle;
        self.sms[index].begin();
        for event in events {
            if self.last[index].len() == EXCERPT {
                self.last[index].pop_front();
            }
            self.last[index].push_back(event.clone());
            self.sms[index].apply(event, &setup);
            self.about_sm(sm, cycle, event);
        }
        self.sms[index].close(cycle, &setup);
        self.about_warps(sm, cycle);
    }

    fn moment<'a>(
        &'a self,
        cycle: u64,
        sm: u32,
        scheduler: u32,
        (warp, other): (Warp, Warp),
        event: Option<&'a Event>,
    ) -> Moment<'a> {
        Moment { cycle, sm: &self.sms[sm as usize], grid: &self.grid, scheduler, warp, other, event }
    }

    /// Describes how property `index` is broken.
    fn found(&self, index: usize, m: &Moment<'_>, broken: Broken) -> Violation {
        let Property { name, sentence, subject, .. } = &self.properties[index];
        let what = m.describe(*subject);
        let found = match broken {
            Broken::Now => what,
            Broken::Late(since) => {
                format!("due since issue cycle {since}, {} issue cycles before; {what}", m.cycle - since)
            }
            Broken::NeverSince(since) => {
                format!("due since issue cycle {since}, and not the case until the end of the run")
            }
        };
        let sm = (*subject != Subject::Grid).then_some(m.sm.number);
        let events = self.last[m.sm.number as usize].iter().cloned().collect();
        let (policy, settings) = (None, None);
        Violation { property: name, sentence, policy, settings, sm, cycle: m.cycle, found, events }
    }

    /// Takes a moment of the copy with this key of property `index`.
    fn step(
        &mut self,
        index: usize,
        key: (u32, u32, u32),
        at: (u64, u32),
        event: Option<&Event>,
        warps: (Warp, Warp),
    ) {
        if self.outcome.violation.is_some() {
            return;
        }
        let (cycle, scheduler) = at;
        let fresh = || Copied { warp: warps.0, other: warps.1, rule: self.properties[index].rule.clone() };
        let mut copied = self.copies[index].of.remove(&key).unwrap_or_else(fresh);
        let mut broken = None;
        if (copied.warp, copied.other) != warps {
            // The slot has another warp now.
            self.copies[index].tested += copied.rule.tested();
            let m = self.moment(cycle, key.0, scheduler, (copied.warp, copied.other), event);
            broken = copied.rule.end().err().map(|broken| self.found(index, &m, broken));
            copied = Copied { warp: warps.0, other: warps.1, rule: self.properties[index].rule.clone() };
        }
        let m = self.moment(cycle, key.0, scheduler, warps, event);
        let now = copied.rule.step(&m).err().map(|broken| self.found(index, &m, broken));
        self.copies[index].of.insert(key, copied);
        self.outcome.violation = broken.or(now);
    }

    /// The properties of this subject that are stated for the chip.
    fn about(&self, subject: Subject) -> Vec<usize> {
        let Some(chip) = self.setup.as_ref().map(|setup| &setup.chip) else { return Vec::new() };
        let mine = |property: &Property| property.subject == subject && property.applies(chip);
        (0..self.properties.len()).filter(|index| mine(&self.properties[*index])).collect()
    }

    fn about_grid(&mut self, cycle: u64, event: Option<&Event>) {
        for index in self.about(Subject::Grid) {
            self.step(index, (0, 0, 0), (cycle, 0), event, Default::default());
        }
    }

    fn about_sm(&mut self, sm: u32, cycle: u64, event: &Event) {
        for index in self.about(Subject::Sm) {
            self.step(index, (sm, 0, 0), (cycle, 0), Some(event), Default::default());
        }
    }

    fn about_warps(&mut self, sm: u32, cycle: u64) {
        let schedulers = self.sms[sm as usize].schedulers.len() as u32;
        for index in self.about(Subject::Scheduler) {
            for scheduler in 0..schedulers {
                self.step(index, (sm, scheduler, 0), (cycle, scheduler), None, Default::default());
            }
        }
        let warps: Vec<Warp> = self.sms[sm as usize].slots.iter().flatten().map(|slot| slot.warp).collect();
        for index in self.about(Subject::Warp) {
            for warp in &warps {
                let at = (cycle, warp.slot % schedulers);
                self.step(index, (sm, warp.slot, 0), at, None, (*warp, Warp::default()));
            }
        }
        for index in self.about(Subject::Pair) {
            for (i, a) in warps.iter().enumerate() {
                for b in warps[i + 1..].iter().filter(|b| b.slot % schedulers == a.slot % schedulers) {
                    let both = if a.age < b.age { (*a, *b) } else { (*b, *a) };
                    self.step(index, (sm, a.slot, b.slot), (cycle, a.slot % schedulers), None, both);
                }
            }
        }
    }
}
