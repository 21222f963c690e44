//! Registers of values: leaves the SSA form.
//!
//! A parameter of a block shares a register with the arguments of its jumps where their values are
//! never alive together; the other arguments are copied in the jumping block, or in a new block if
//! the copy would disturb the other target of a branch.

use crate::ssa::{Block, BlockData, Cfg, Function, Jump, Op, Terminator, Ty, Value};

/// Values that are compared to find those that can share a register; others are copied.
const MAX_STEPS: usize = 3_000_000;

/// Values alive at the starts and ends of all blocks. If a function has more, no values share a
/// register: the sets take memory, and a chip has at most 127 registers for each thread.
const MAX_ALIVE: usize = 8_000_000;

/// Position of the terminator, after all instructions.
const END: u32 = u32::MAX - 1;

/// The registers of a function.
pub(super) struct Registers {
    /// Representative of the values that share a register.
    class: Vec<u32>,
    /// Number of the register of each representative within its type; from 1 on.
    number: Vec<u32>,
    /// Registers of each type: predicates, 32 and 64 bits, float, double.
    pub(super) counts: [u32; 5],
}

/// Index of the register file of a type.
pub(super) fn file(ty: Ty) -> usize {
    match ty {
        Ty::I1 => 0,
        Ty::I64 => 2,
        Ty::F32 => 3,
        Ty::F64 => 4,
        Ty::I32 | Ty::Void | Ty::Multi => 1,
    }
}

/// Names of the register files.
pub(super) const FILES: [(&str, &str); 5] =
    [("pred", "%p"), ("b32", "%r"), ("b64", "%rd"), ("f32", "%f"), ("f64", "%fd")];

/// Copies at the end of a block: target and source.
pub(super) type Copies = Vec<Vec<(Value, Value)>>;

/// Whether a value is written where it is used instead of being in a register.
pub(super) fn is_immediate(f: &Function, value: Value) -> bool {
    matches!(f.op(value), Op::Const(_) | Op::Undef)
}

impl Registers {
    /// Assigns registers. New blocks on edges are appended to the function.
    pub(super) fn assign(f: &mut Function) -> (Registers, Copies) {
        let liveness = Liveness::new(f);
        let mut classes = Classes::new(f.values.len());
        if liveness.is_known {
            coalesce(f, &liveness, &mut classes);
        }
        let mut copies = copies(f, &liveness, &classes);
        drop_repeated(f, &liveness, &classes, &mut copies);
        let class: Vec<u32> = (0..f.values.len() as u32).map(|value| classes.find(value)).collect();
        let mut registers = Registers { number: vec![0; class.len()], class, counts: [0; 5] };
        for block in f.block_ids() {
            let data = &f.blocks[block.at()];
            for &value in data.params.iter().chain(&data.insts) {
                let ty = f.ty(value);
                if matches!(ty, Ty::Void | Ty::Multi) || is_immediate(f, value) {
                    continue;
                }
                let class = registers.class[value.at()] as usize;
                if registers.number[class] == 0 {
                    registers.counts[file(ty)] += 1;
                    registers.number[class] = registers.counts[file(ty)];
                }
            }
        }
        (registers, copies)
    }

    /// Name of a value's register.
    pub(super) fn name(&self, f: &Function, value: Value) -> String {
        let number = self.number[self.class[value.at()] as usize];
        format!("{}{number}", FILES[file(f.ty(value))].1)
    }

    /// A new register of a type.
    pub(super) fn fresh(&mut self, ty: Ty) -> String {
        let count = &mut self.counts[file(ty)];
        *count += 1;
        format!("{}{count}", FILES[file(ty)].1)
    }

    /// Whether two values share a register.
    pub(super) fn same(&self, a: Value, b: Value) -> bool {
        self.class[a.at()] == self.class[b.at()]
    }
}

struct Classes {
    parent: Vec<u32>,
    members: Vec<Vec<Value>>,
}

impl Classes {
    fn new(count: usize) -> Classes {
        let members = (0..count as u32).map(|value| vec![Value(value)]).collect();
        Classes { parent: (0..count as u32).collect(), members }
    }

    fn find(&self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }

    fn union(&mut self, a: u32, b: u32, liveness: &Liveness) {
        let (own, moved) =
            (std::mem::take(&mut self.members[a as usize]), std::mem::take(&mut self.members[b as usize]));
        self.members[a as usize] = merged(liveness, &own, &moved).collect();
        self.parent[b as usize] = a;
    }
}

/// Where values are alive.
struct Liveness {
    cfg: Cfg,
    /// Whether the other fields have been computed: the function is small enough.
    is_known: bool,
    home: Vec<Option<(Block, u32)>>,
    /// Values alive at the start of each block, sorted.
    live_in: Vec<Vec<Value>>,
    live_out: Vec<Vec<Value>>,
    /// Last use of each value in each block that uses it.
    last: rustc_hash::FxHashMap<(Block, Value), u32>,
}

fn has(list: &[Value], value: Value) -> bool {
    list.binary_search(&value).is_ok()
}

impl Liveness {
    fn new(f: &Function) -> Liveness {
        let cfg = Cfg::new(f);
        let mut home = vec![None; f.values.len()];
        let mut last = rustc_hash::FxHashMap::default();
        // The blocks that use each value behind another block.
        let mut users: Vec<(Value, Block)> = Vec::new();
        for &block in &cfg.order {
            let data = &f.blocks[block.at()];
            for &param in &data.params {
                home[param.at()] = Some((block, 0));
            }
            for (index, &value) in data.insts.iter().enumerate() {
                home[value.at()] = Some((block, index as u32 + 1));
            }
        }
        for &block in &cfg.order {
            let data = &f.blocks[block.at()];
            let mut used = |value: Value, at: u32| {
                let first = last.insert((block, value), at).is_none();
                if first && home[value.at()].is_none_or(|(home, _)| home != block) {
                    users.push((value, block));
                }
            };
            for (index, &value) in data.insts.iter().enumerate() {
                f.op(value).each(|operand| used(operand, index as u32 + 1));
            }
            data.term.each(|operand| used(operand, END));
        }
        // From each use back to the definition, one value after the other.
        users.sort_unstable();
        let mut live_in: Vec<Vec<Value>> = vec![Vec::new(); f.blocks.len()];
        let mut live_out = live_in.clone();
        let (mut work, mut alive) = (Vec::new(), 0);
        for (value, block) in users {
            if alive > MAX_ALIVE {
                break;
            }
            work.push(block);
            while let Some(block) = work.pop() {
                if live_in[block.at()].last() == Some(&value) {
                    continue;
                }
                live_in[block.at()].push(value);
                alive += 1;
                for &pred in &cfg.preds[block.at()] {
                    if live_out[pred.at()].last() != Some(&value) {
                        live_out[pred.at()].push(value);
                        alive += 1;
                        if home[value.at()].is_none_or(|(home, _)| home != pred) {
                            work.push(pred);
                        }
                    }
                }
            }
        }
        let is_known = alive <= MAX_ALIVE;
        Liveness { cfg, is_known, home, live_in, live_out, last }
    }

    /// Whether `a` is alive just after the definition of `b`, which is at another place.
    fn alive_after(&self, a: Value, b: Value) -> bool {
        let (Some((home, defined)), Some((block, at))) = (self.home[a.at()], self.home[b.at()]) else {
            return false;
        };
        let before = if home == block { defined <= at } else { self.cfg.dominates(home, block) };
        if !before {
            return false;
        }
        has(&self.live_out[block.at()], a) || self.last.get(&(block, a)).is_some_and(|last| *last > at)
    }

    fn interfere(&self, a: Value, b: Value) -> bool {
        self.alive_after(a, b) || self.alive_after(b, a)
    }

    /// Place of a definition in a walk of the dominator tree.
    fn place(&self, value: Value) -> (u32, u32) {
        self.home[value.at()].map_or((u32::MAX, 0), |(block, at)| (self.cfg.walk(block), at))
    }

    /// Whether the definition of `a`, which comes first in the walk, dominates that of `b`.
    fn is_above(&self, a: Value, b: Value) -> bool {
        match (self.home[a.at()], self.home[b.at()]) {
            (Some((a, _)), Some((b, _))) => self.cfg.dominates(a, b),
            _ => false,
        }
    }

    /// Whether values of two classes interfere; the values of each do not, and are in the order of
    /// the walk. A value that is alive at a definition is alive at all definitions between, so that
    /// it is enough to compare each value with the nearest one above it.
    fn classes_interfere(&self, a: &[Value], b: &[Value]) -> bool {
        let mut above: Vec<Value> = Vec::new();
        for value in merged(self, a, b) {
            while above.last().is_some_and(|last| !self.is_above(*last, value)) {
                above.pop();
            }
            if above.last().is_some_and(|last| self.interfere(*last, value)) {
                return true;
            }
            above.push(value);
        }
        false
    }
}

/// The values of two classes in the order of the walk.
fn merged<'v>(liveness: &Liveness, a: &'v [Value], b: &'v [Value]) -> impl Iterator<Item = Value> + use<'v> {
    let mut all: Vec<(u32, u32, Value)> = Vec::with_capacity(a.len() + b.len());
    for &value in a.iter().chain(b) {
        let (block, at) = liveness.place(value);
        all.push((block, at, value));
    }
    all.sort();
    all.into_iter().map(|(_, _, value)| value)
}

fn coalesce(f: &Function, liveness: &Liveness, classes: &mut Classes) {
    let loops = crate::ssa::Loops::new(f, &liveness.cfg);
    let depth = |block: Block| loops.of[block.at()].map_or(0, |index| loops.loops[index].depth);
    let mut edges: Vec<(Block, &Jump)> = Vec::new();
    for &block in &liveness.cfg.order {
        edges.extend(
            f.blocks[block.at()].term.jumps().filter(|jump| !jump.args.is_empty()).map(|jump| (block, jump)),
        );
    }
    // Inner loops first, and their back edges before their entries.
    edges.sort_by_key(|(block, _)| std::cmp::Reverse(depth(*block)));
    let mut steps = 0;
    for (_, jump) in edges {
        for (param, arg) in f.blocks[jump.to.at()].params.iter().zip(&jump.args) {
            if is_immediate(f, *arg) {
                continue;
            }
            let (a, b) = (classes.find(param.0), classes.find(arg.0));
            if a == b {
                continue;
            }
            let (one, other) = (&classes.members[a as usize], &classes.members[b as usize]);
            steps += one.len() + other.len();
            if steps > MAX_STEPS {
                return;
            }
            if !liveness.classes_interfere(one, other) {
                classes.union(a, b, liveness);
            }
        }
    }
}

/// The copies that remain at the end of each block. Edges that need their own block get one.
fn copies(f: &mut Function, liveness: &Liveness, classes: &Classes) -> Copies {
    let loops = crate::ssa::Loops::new(f, &liveness.cfg);
    let depth = |block: Block| loops.of[block.at()].map_or(0, |index| loops.loops[index].depth);
    let mut result: Copies = vec![Vec::new(); f.blocks.len()];
    let mut steps = if liveness.is_known { 0 } else { MAX_STEPS };
    for block in liveness.cfg.order.clone() {
        let mut term = std::mem::take(&mut f.blocks[block.at()].term);
        let others: Vec<Block> = term.jumps().map(|jump| jump.to).collect();
        let cond = match &term {
            Terminator::Branch(cond, ..) => Some(*cond),
            _ => None,
        };
        let mut edges = Vec::new();
        let mut disturbs = false;
        for (index, jump) in term.jumps().enumerate() {
            let params = f.blocks[jump.to.at()].params.iter().copied();
            let needed: Vec<(Value, Value)> = params
                .zip(jump.args.iter().copied())
                .filter(|(param, arg)| {
                    *f.op(*arg) != Op::Undef && classes.find(param.0) != classes.find(arg.0)
                })
                .collect();
            let other = others.get(1 - index.min(1)).copied().filter(|_| others.len() > 1);
            disturbs |= other.is_some_and(|other| {
                !needed.is_empty() && other == jump.to
                    || needed.iter().any(|(param, _)| {
                        let members = &classes.members[classes.find(param.0) as usize];
                        steps += members.len();
                        // A block for the copies is always right.
                        steps > MAX_STEPS
                            || members.iter().any(|value| {
                                has(&liveness.live_in[other.at()], *value)
                                    || Some(*value) == cond
                                    || f.blocks[other.at()].params.contains(value)
                            })
                    })
            });
            edges.push(needed);
        }
        // If one edge needs its own block, the copies of both are made there. So are the copies of
        // an edge that leaves a loop: the block is executed more often. Then the copies of the
        // other edge come first, and must leave the sources of these as they are.
        let leaves: Vec<bool> =
            others.iter().map(|to| others.len() > 1 && depth(*to) < depth(block)).collect();
        if let [first, second] = &edges[..] {
            let overwrites = |a: &[(Value, Value)], b: &[(Value, Value)]| {
                let is_source = |class| b.iter().any(|(_, arg)| classes.find(arg.0) == class);
                a.iter().any(|(param, _)| is_source(classes.find(param.0)))
            };
            disturbs |= leaves[1] && overwrites(first, second) || leaves[0] && overwrites(second, first);
        }
        for ((jump, needed), leaves) in term.jumps_mut().zip(edges).zip(leaves) {
            if needed.is_empty() {
                continue;
            }
            if disturbs || leaves {
                let new = f.add_block();
                let loc = f.blocks[block.at()].loc;
                f.blocks[new.at()] = BlockData {
                    term: Terminator::Jump(Jump { to: jump.to, args: jump.args.clone() }),
                    loc,
                    ..BlockData::default()
                };
                *jump = Jump::to(new);
                result.resize(f.blocks.len(), Vec::new());
                result[new.at()] = needed;
            } else {
                result[block.at()].extend(needed);
            }
        }
        f.blocks[block.at()].term = term;
    }
    result
}

/// Removes copies of a constant to a register that has it already: the only predecessor copied it,
/// and nothing else is written to the register since.
fn drop_repeated(f: &Function, liveness: &Liveness, classes: &Classes, copies: &mut Copies) {
    for &block in &liveness.cfg.order {
        let [pred] = liveness.cfg.preds[block.at()][..] else { continue };
        if pred == block || !f.blocks[pred.at()].term.jumps().any(|jump| jump.to == block) {
            continue;
        }
        let before = copies[pred.at()].clone();
        let written = |class: u32| {
            let data = &f.blocks[block.at()];
            data.params.iter().chain(&data.insts).any(|value| classes.find(value.0) == class)
        };
        copies[block.at()].retain(|(to, from)| {
            let class = classes.find(to.0);
            let same = |(other, source): &(Value, Value)| {
                classes.find(other.0) == class && f.op(*source) == f.op(*from) && f.ty(*source) == f.ty(*from)
            };
            !(is_immediate(f, *from) && before.iter().any(same) && !written(class))
        });
    }
}
