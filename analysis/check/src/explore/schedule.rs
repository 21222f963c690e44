//! Schedules as text.
//!
//! A schedule is a list of words:
//!
//! | word | meaning |
//! |---|---|
//! | `0:1` | a step of warp 1 of block 0; its requests take effect at once |
//! | `0:1x12` | twelve such steps |
//! | `0:1~`, `0:1~x2` | steps whose requests stay under way |
//! | `0:1!3` | request 3 of the warp, counted from 0, takes effect |

use super::bits::Bits;
use super::trace::{Event, Trace};
use sim_core::host::{Action, Done, Interleaved, LaneValue};
use std::fmt;

/// Longest schedule that is read.
const MOST_WORDS: usize = 1 << 20;

/// Most actions of a schedule that is read.
const MOST_ACTIONS: u64 = 1 << 24;

/// A word of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    block: u32,
    warp: u32,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Steps, and whether their requests stay under way.
    Steps { times: u32, held: bool },
    /// The delivery of a request.
    Deliver(u32),
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.block, self.warp)?;
        match self.what {
            What::Steps { times, held } => {
                f.write_str(if held { "~" } else { "" })?;
                if times == 1 { Ok(()) } else { write!(f, "x{times}") }
            }
            What::Deliver(request) => write!(f, "!{request}"),
        }
    }
}

/// Order of the actions of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    words: Vec<Word>,
    /// Changes to another warp while the warp before could go on.
    pub preemptions: u32,
    /// Requests that do not take effect at once.
    pub late: u32,
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, word) in self.words.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { " " })?;
            word.fmt(f)?;
        }
        Ok(())
    }
}

/// Why a text is not a schedule of a launch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSchedule {
    /// A word cannot be read.
    #[error(
        "`{0}` is not a word of a schedule: expected BLOCK:WARP, BLOCK:WARPxTIMES, BLOCK:WARP~ or BLOCK:WARP!REQUEST"
    )]
    Word(String),
    /// There are too many words or actions.
    #[error("the schedule is too long")]
    Long,
    /// The launch has no such warp.
    #[error("word {place}, `{word}`: the launch has no such warp")]
    NoWarp {
        /// Number of the word, from 1.
        place: usize,
        /// Word that no schedule has.
        word: String,
    },
    /// The warp has no step, or the request cannot take effect.
    #[error("word {place}, `{word}`: {why}")]
    Impossible {
        /// Number of the word, from 1.
        place: usize,
        /// Word whose action is impossible.
        word: String,
        /// Reason.
        why: &'static str,
    },
}

/// An action of a schedule that is run again.
pub struct Shown<'a> {
    /// Number of the action, from 0.
    pub number: u32,
    /// Action that was executed.
    pub action: Action,
    /// Effect of the action.
    pub done: &'a Done,
    /// Memory of its lanes before and after.
    pub values: &'a [LaneValue],
    /// The machine after it.
    pub state: &'a Interleaved,
}

impl Schedule {
    /// Reads a schedule; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// The first word that is wrong.
    pub fn parse(text: &str) -> Result<Self, BadSchedule> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let mut words = Vec::new();
        let mut actions = 0;
        for text in lines.flat_map(str::split_whitespace) {
            let word = word(text).ok_or_else(|| BadSchedule::Word(text.chars().take(40).collect()))?;
            actions += match word.what {
                What::Steps { times, .. } => u64::from(times),
                What::Deliver(_) => 1,
            };
            words.push(word);
            if words.len() > MOST_WORDS || actions > MOST_ACTIONS {
                return Err(BadSchedule::Long);
            }
        }
        Ok(Self { words, preemptions: 0, late: 0 })
    }

    /// Cost by which schedules are compared: preemptions and late requests, then late requests,
    /// then words.
    pub fn cost(&self) -> (u32, u32, usize) {
        (self.preemptions + self.late, self.late, self.words.len())
    }

    /// Returns a short schedule that is equivalent to a trace.
    pub(super) fn short(trace: &Trace, warps_per_block: u32) -> Self {
        let warps = trace.events().iter().map(|event| event.action.warp() + 1).max().unwrap_or(1);
        let starts = (0..warps.min(8)).flat_map(|first| [(first, false), (first, true)]);
        let all = starts.map(|start| Self::of(&ordered(trace, start, warps), trace, warps_per_block));
        all.min_by_key(Self::cost).unwrap_or_default()
    }

    /// Returns the schedule of the events of `trace` in the order `order`.
    fn of(order: &[usize], trace: &Trace, warps_per_block: u32) -> Self {
        let events = trace.events();
        let mut new = Self::default();
        let mut done = Bits::default();
        let mut place = 0;
        let mut last: Option<u32> = None;
        while place < order.len() {
            let event = &events[order[place]];
            let warp = event.action.warp();
            let (block, index) = (warp / warps_per_block.max(1), warp % warps_per_block.max(1));
            let mut word = |what| new.push(Word { block, warp: index, what });
            match event.action {
                Action::Deliver { request, .. } => {
                    word(What::Deliver(request));
                    done.add(order[place]);
                    place += 1;
                }
                Action::Step { .. } => {
                    let (first, count) = event.requests;
                    let follow = order[place + 1..].iter().take(count as usize).map(|at| events[*at].action);
                    let at_once = (first..first + count).map(|request| Action::Deliver { warp, request });
                    let held = !follow.eq(at_once);
                    word(What::Steps { times: 1, held });
                    if let Some(last) = last.filter(|last| *last != warp) {
                        // The first step of the other warp that is left could come now.
                        let left = order[place..]
                            .iter()
                            .find(|at| events[**at].action == Action::Step { warp: last });
                        new.preemptions +=
                            u32::from(left.is_some_and(|at| events[*at].before.is_within(&done)));
                    }
                    last = Some(warp);
                    let taken = if held { 1 } else { 1 + count as usize };
                    new.late += if held { count } else { 0 };
                    order[place..place + taken].iter().for_each(|at| done.add(*at));
                    place += taken;
                }
            }
        }
        new
    }

    /// Adds a word; steps of one kind are counted together.
    fn push(&mut self, word: Word) {
        if let (Some(Word { block, warp, what: What::Steps { times, held } }), What::Steps { held: new, .. }) =
            (self.words.last_mut(), word.what)
            && (*block, *warp, *held) == (word.block, word.warp, new)
        {
            *times += 1;
            return;
        }
        self.words.push(word);
    }

    /// Runs the schedule from `start`, and passes each action to `show`. Returns the machine after
    /// the last action.
    ///
    /// # Errors
    /// An action is not possible.
    pub fn replay(
        &self,
        start: &Interleaved,
        show: &mut dyn FnMut(&Shown<'_>),
    ) -> Result<Interleaved, BadSchedule> {
        let mut state = start.clone();
        state.wake_spinning();
        let mut perform = |state: &mut Interleaved, action| {
            if !state.is_possible(action, true) {
                return None;
            }
            let number = state.events();
            let (done, values) = state.perform_shown(action);
            show(&Shown { number, action, done: &done, values: &values, state });
            Some(done)
        };
        for (place, word) in (1..).zip(&self.words) {
            let per_block = start.warps_per_block();
            let number = u64::from(word.block) * u64::from(per_block) + u64::from(word.warp);
            if word.warp >= per_block || number >= u64::from(start.warps()) {
                return Err(BadSchedule::NoWarp { place, word: word.to_string() });
            }
            let warp = number as u32;
            let impossible = |why| BadSchedule::Impossible { place, word: word.to_string(), why };
            let stuck = || impossible("the request cannot take effect here");
            match word.what {
                What::Deliver(request) => {
                    perform(&mut state, Action::Deliver { warp, request }).ok_or_else(stuck)?;
                }
                What::Steps { times, held } => {
                    for _ in 0..times {
                        let done = perform(&mut state, Action::Step { warp })
                            .ok_or_else(|| impossible("the warp has no step here"))?;
                        let requests = if held { 0 } else { done.requests };
                        for request in done.first_request..done.first_request + requests {
                            perform(&mut state, Action::Deliver { warp, request }).ok_or_else(stuck)?;
                        }
                    }
                }
            }
        }
        Ok(state)
    }
}

/// Reads a word.
fn word(text: &str) -> Option<Word> {
    let (block, rest) = text.split_once(':')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (warp, rest) = rest.split_at(digits);
    let what = if let Some(request) = rest.strip_prefix('!') {
        What::Deliver(request.parse().ok()?)
    } else {
        let held = rest.starts_with('~');
        let times = rest.strip_prefix('~').unwrap_or(rest);
        let times = if times.is_empty() { 1 } else { times.strip_prefix('x')?.parse().ok()? };
        What::Steps { times, held }
    };
    Some(Word { block: block.parse().ok()?, warp: warp.parse().ok()?, what })
}

/// Whether some request of the step `at` cannot take effect directly after it, if the events `done`
/// are executed.
fn is_late(events: &[Event], at: usize, done: &Bits) -> bool {
    let (first, count) = events[at].requests;
    let warp = events[at].action.warp();
    let mut done = done.clone();
    done.add(at);
    (first..first + count).any(|request| {
        let delivery = Action::Deliver { warp, request };
        let Some(number) = events.iter().position(|event| event.action == delivery) else { return true };
        let is_free = events[number].before.is_within(&done);
        done.add(number);
        !is_free
    })
}

/// Returns the events of a trace in an order with few changes of the warp: requests take effect as
/// early as possible, and a warp runs as long as possible, unless `waits`: then a step whose
/// requests would be late comes after all others. Of several other warps, the first one from warp
/// `first` on is next.
fn ordered(trace: &Trace, (first, waits): (u32, bool), warps: u32) -> Vec<usize> {
    let events = trace.events();
    let mut left: Vec<usize> = (0..events.len()).collect();
    let (mut done, mut order) = (Bits::default(), Vec::with_capacity(events.len()));
    let mut last = first;
    while !left.is_empty() {
        let rank = |at: usize| {
            let warp = events[at].action.warp();
            let turn = (warp + warps - first % warps) % warps;
            match events[at].action {
                Action::Deliver { .. } => (0, warp != last, turn),
                Action::Step { .. } if waits && is_late(events, at, &done) => (2, warp != last, turn),
                Action::Step { .. } => (1, warp != last, turn),
            }
        };
        let ready = left.iter().enumerate().filter(|(_, at)| events[**at].before.is_within(&done));
        // The first event of the trace is ready.
        let Some((place, at)) = ready.min_by_key(|(_, at)| (rank(**at), **at)) else { break };
        let (place, at) = (place, *at);
        if events[at].action.is_step() {
            last = events[at].action.warp();
        }
        left.remove(place);
        done.add(at);
        order.push(at);
    }
    order
}
