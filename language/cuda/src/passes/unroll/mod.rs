//! Unrolls loops.
//!
//! A loop is unrolled completely if its number of iterations is a constant and the result is small,
//! or if a pragma asks for it. A pragma with a factor makes copies of the body; the tests between
//! the copies disappear if the number of iterations is a known multiple of the factor.

mod copy;
mod runtime;
mod trips;

pub(super) use copy::function as copy_blocks;

use crate::lower::Problem;
use crate::ssa::{Binary, Block, Cfg, Cmp, Function, Jump, Loop, Loops, Op, Terminator, Unroll, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use trips::Trips;

/// Instructions of a completely unrolled loop without a pragma.
const AUTO_SIZE: usize = 512;
/// The same for a loop that contains loops.
const OUTER_SIZE: usize = 384;
/// Iterations of a completely unrolled loop without a pragma.
const AUTO_TRIPS: u64 = 64;
/// Instructions of the copies of a loop that is too long for complete unrolling.
const PARTIAL_SIZE: usize = 128;
/// Copies of its body.
const PARTIAL_TIMES: u64 = 8;
/// Instructions of a loop that a pragma unrolls.
const PRAGMA_SIZE: usize = 16_384;
/// Instructions of a search for uses that take the time of one instruction of the other work.
const USES: usize = 10;
/// Instructions of a function to which unrolling may grow it.
pub(super) const FUNCTION_SIZE: usize = 65_536;

/// Unrolls the innermost loops that should be. Returns whether it found one: the caller simplifies
/// the function and calls again for the loops around them. `partly`: also makes copies of short
/// bodies that run too often for complete unrolling, which takes registers.
/// `most`: instructions to which the function may grow. `steps`: instructions that may still be
/// visited; a loop is unrolled only if some are left.
pub fn run(function: &mut Function, partly: bool, most: usize, steps: &mut usize) -> bool {
    let mut waiting = Waiting { headers: FxHashSet::default(), steps };
    let mut any = false;
    while sweep(function, partly, most, &mut waiting) {
        any = true;
    }
    any
}

/// Loops that wait for the next call.
struct Waiting<'s> {
    /// Headers of the loops that were unrolled and of the loops around them.
    headers: FxHashSet<Block>,
    /// Instructions that may still be visited.
    steps: &'s mut usize,
}

/// Unrolls the loops whose headers are not in `waiting`, and adds those headers.
fn sweep(function: &mut Function, partly: bool, most: usize, waiting: &mut Waiting<'_>) -> bool {
    let Some(steps) = waiting.steps.checked_sub(function.size()) else { return false };
    *waiting.steps = steps;
    let cfg = Cfg::new(function);
    let loops = Loops::new(function, &cfg);
    let mut outer = vec![false; loops.loops.len()];
    loops.loops.iter().filter_map(|each| each.parent).for_each(|parent| outer[parent] = true);
    let requests: FxHashMap<Block, u32> =
        function.unroll.iter().rev().map(|(head, request)| (*head, request.factor)).collect();
    let mut size = function.size();
    let mut any = false;
    // Blocks to which the graph does not know all jumps: those of copies.
    let mut changed = vec![false; function.blocks.len()];
    for (index, each) in loops.loops.iter().enumerate() {
        if waiting.headers.contains(&each.header) || changed[each.header.at()] {
            continue;
        }
        let first = function.blocks.len();
        if *waiting.steps == 0 {
            return false;
        }
        let budget = most.saturating_sub(size);
        let [latch] = each.latches[..] else { continue };
        let request = requests.get(&each.header).copied();
        // A loop is visited once: afterwards its request forbids unrolling.
        if request == Some(1) {
            continue;
        }
        let trips = trips::count(function, &cfg, each, latch, waiting.steps).and_then(Trips::known);
        let found = Found { each, latch, inner: outer[index], request, trips };
        if !one(function, partly, &cfg, &found, budget) {
            continue;
        }
        any = true;
        // The uses of the values of the loop are looked for in the whole function.
        *waiting.steps = waiting.steps.saturating_sub(size / USES);
        size = function.size();
        let mut at = Some(index);
        while let Some(index) = at {
            waiting.headers.insert(loops.loops[index].header);
            at = loops.loops[index].parent;
        }
        let touched = each.blocks.iter().map(|block| block.at()).chain(first..function.blocks.len());
        let targets: Vec<Block> = touched
            .flat_map(|block| function.blocks[block].term.jumps().map(|jump| jump.to).collect::<Vec<_>>())
            .collect();
        for to in targets {
            if let Some(changed) = changed.get_mut(to.at()) {
                *changed = true;
            }
        }
        // The block in front of the loop may go elsewhere.
        changed[each.header.at()] = true;
    }
    any
}

/// A loop that may be unrolled.
struct Found<'l> {
    each: &'l Loop,
    latch: Block,
    /// Whether it contains loops.
    inner: bool,
    /// The factor of its pragma.
    request: Option<u32>,
    /// Number of its iterations, if it is known.
    trips: Option<u64>,
}

/// Instructions of the loop and its branches.
fn size_of(function: &Function, each: &Loop) -> usize {
    each.blocks.iter().map(|block| function.blocks[block.at()].insts.len() + 1).sum()
}

/// Warnings about the loops that a pragma asks to unroll, and that are not unrolled because of a
/// limit. `most`: instructions to which the function may grow.
pub fn dropped(function: &Function, most: usize, steps: &mut usize) -> Vec<Problem> {
    let mut requests = function.unroll.iter().filter(|(_, request)| request.factor != 1).peekable();
    if requests.peek().is_none() {
        return Vec::new();
    }
    let cfg = Cfg::new(function);
    let loops = Loops::new(function, &cfg);
    let size = function.size();
    let mut problems = Vec::new();
    let by_header: FxHashMap<Block, &Loop> = loops.loops.iter().map(|each| (each.header, each)).collect();
    for (head, request) in requests {
        let Some(each) = by_header.get(head) else { continue };
        let [latch] = each.latches[..] else { continue };
        let trips = trips::count(function, &cfg, each, latch, steps);
        let times = match (request.factor, trips) {
            // The number of the iterations is not known.
            (0, None) => continue,
            (0, Some(Trips::Many)) => u64::MAX,
            (0, Some(Trips::Exactly(trips))) => trips,
            (factor, trips) => trips.and_then(Trips::known).unwrap_or(u64::MAX).min(u64::from(factor)),
        };
        let limit = if (size_of(function, each) as u64).saturating_mul(times) > PRAGMA_SIZE as u64 {
            format!("an unrolled loop has at most {PRAGMA_SIZE} instructions")
        } else if size.saturating_add(size_of(function, each).saturating_mul(times as usize)) > most {
            format!("unrolling makes a function of at most {most} instructions here")
        } else {
            "the program has too many loops to unroll".to_owned()
        };
        problems.push(Problem {
            message: format!("the loop is not unrolled: {limit}"),
            help: "unroll it by a smaller factor".to_owned(),
            loc: request.loc,
            warning: true,
        });
    }
    problems
}

/// Unrolls a loop, if that is wanted. `budget`: instructions that it may have afterwards.
fn one(function: &mut Function, partly: bool, cfg: &Cfg, found: &Found<'_>, budget: usize) -> bool {
    let Found { each, latch, inner, request, trips } = *found;
    let size = size_of(function, each);
    let times = match (request, trips) {
        (Some(0), Some(trips)) => full(trips, size, PRAGMA_SIZE.min(budget)),
        (Some(0), None) => None,
        (Some(factor), Some(trips)) if u64::from(factor) >= trips => {
            full(trips, size, PRAGMA_SIZE.min(budget))
        }
        (Some(factor), trips) => {
            let fits = size.saturating_mul(factor as usize) <= PRAGMA_SIZE.min(budget);
            if fits {
                forget(function, each.header);
                function.unroll.push((each.header, Unroll::NONE));
                let exact = trips.is_some_and(|trips| trips.is_multiple_of(u64::from(factor)));
                partial(function, cfg, each, latch, factor, exact);
                return true;
            }
            None
        }
        // Without a pragma mostly innermost loops; outer ones after their inner ones are gone.
        (None, Some(trips)) if trips <= AUTO_TRIPS => {
            full(trips, size, if inner { OUTER_SIZE } else { AUTO_SIZE }.min(budget))
        }
        (None, _) => None,
    };
    if request.is_none() && times.is_none() && partly && !inner {
        let fits = |factor: u64| size.saturating_mul(factor as usize) <= PARTIAL_SIZE.min(budget);
        let divisor = |trips: u64| {
            (2..=PARTIAL_TIMES).rev().find(|factor| trips.is_multiple_of(*factor) && fits(*factor))
        };
        let done = match trips {
            Some(trips) => divisor(trips).is_some_and(|factor| {
                partial(function, cfg, each, latch, factor as u32, true);
                true
            }),
            None => runtime::run(function, cfg, each, latch, size),
        };
        if done {
            function.unroll.push((each.header, Unroll::NONE));
            return true;
        }
    }
    if let Some(times) = times {
        forget(function, each.header);
        copy::outside_uses(function, cfg, each);
        unroll(function, each, latch, times);
        return true;
    }
    false
}

fn forget(function: &mut Function, head: Block) {
    function.unroll.retain(|(header, _)| *header != head);
}

fn full(trips: u64, size: usize, limit: usize) -> Option<u64> {
    let total = (size as u64).saturating_mul(trips);
    (total <= limit as u64 || trips == 1).then_some(trips)
}

/// Replaces a loop by `times` copies of its body.
fn unroll(f: &mut Function, each: &Loop, latch: Block, times: u64) {
    // The first copy is the loop itself; the last copy leaves.
    let mut maps = Vec::new();
    for _ in 1..times {
        maps.push(copy::blocks(f, &each.blocks));
    }
    let mut latches = vec![latch];
    latches.extend(maps.iter().map(|map| map.block(latch)));
    let mut headers = vec![each.header];
    headers.extend(maps.iter().map(|map| map.block(each.header)));
    for (index, &at) in latches.iter().enumerate() {
        let next = headers.get(index + 1).copied();
        let term = &mut f.blocks[at.at()].term;
        let own = headers[index];
        let Terminator::Branch(_, a, b) = term else { continue };
        let (again, leave) = if a.to == own { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) };
        *term = Terminator::Jump(match next {
            Some(next) => Jump { to: next, args: again.args },
            None => leave,
        });
    }
}

/// Puts `factor` copies of the body into a loop. `exact`: only the last copy can leave at its end.
fn partial(f: &mut Function, cfg: &Cfg, each: &Loop, latch: Block, factor: u32, exact: bool) {
    copy::outside_uses(f, cfg, each);
    let mut headers = vec![each.header];
    let mut latches = vec![latch];
    for _ in 1..factor {
        let map = copy::blocks(f, &each.blocks);
        headers.push(map.block(each.header));
        latches.push(map.block(latch));
    }
    for (index, &at) in latches.iter().enumerate() {
        let next = headers[(index + 1) % headers.len()];
        let own = headers[index];
        let last = index + 1 == headers.len();
        let term = &mut f.blocks[at.at()].term;
        if exact
            && !last
            && let Terminator::Branch(_, a, b) = term
        {
            let again = if a.to == own { a.clone() } else { b.clone() };
            *term = Terminator::Jump(again);
        }
        term.jumps_mut().filter(|jump| jump.to == own).for_each(|jump| jump.to = next);
    }
}

/// A counter of a loop: the parameter of the header that grows by an invariant step.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The parameter.
    pub param: Value,
    /// The value in the next iteration.
    pub next: Value,
    /// The step; constant or defined outside of the loop.
    pub step: Value,
    /// Whether the step is subtracted.
    pub down: bool,
    /// The value before the first iteration.
    pub start: Value,
}

/// The counters of a loop with one latch and a preheader.
pub fn counters(
    f: &Function,
    each: &Loop,
    preheader: Block,
    invariant: impl Fn(Value) -> bool,
) -> Vec<Counter> {
    let [latch] = each.latches[..] else { return Vec::new() };
    let args = |block: Block| f.blocks[block.at()].term.jumps().find(|jump| jump.to == each.header);
    let (Some(first), Some(again)) = (args(preheader), args(latch)) else { return Vec::new() };
    let params = &f.blocks[each.header.at()].params;
    let mut found = Vec::new();
    for (index, &param) in params.iter().enumerate() {
        let (start, next) = (first.args[index], again.args[index]);
        let (step, down) = match *f.op(next) {
            Op::Binary(Binary::Add, a, b) if a == param && invariant(b) => (b, false),
            Op::Binary(Binary::Add, a, b) if b == param && invariant(a) => (a, false),
            Op::Binary(Binary::Sub, a, b) if a == param && invariant(b) => (b, true),
            _ => continue,
        };
        found.push(Counter { param, next, step, down, start });
    }
    found
}

/// Whether a comparison is an order of signed integers.
pub fn is_signed_order(cmp: Cmp) -> bool {
    matches!(cmp, Cmp::LtS | Cmp::LeS | Cmp::GtS | Cmp::GeS)
}
