//! Orders the terms of sums in loops by the loops in which they change: what an outer loop or no
//! loop changes is added first, so that `licm` moves that part out.
//!
//! `(i + j) * 4 + base` with an invariant `i` becomes `(base + i * 4) + j * 4`.

use crate::ssa::{Binary, Cfg, Function, Loc, Loops, Op, Ty, Value};

/// Terms of a sum that is looked at.
const MAX_TERMS: usize = 8;

/// The factor of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// 1.
    None,
    /// A power of two, by its shift.
    Shift(u64),
    /// A constant; the product has 64 bits.
    Wide(u64),
}

struct Term {
    value: Value,
    scale: Scale,
    rank: u32,
}

/// Runs the pass. Returns whether anything changed. With addresses of 64 bits (`wide`), indices
/// keep their order: another order could overflow, and then their products could not become 64-bit
/// sums.
pub fn run(f: &mut Function, wide: bool) -> bool {
    let cfg = Cfg::new(f);
    let loops = Loops::new(f, &cfg);
    if loops.loops.is_empty() {
        return false;
    }
    let mut ranks = vec![0; f.values.len()];
    let mut uses = vec![0u32; f.values.len()];
    let mut inner = vec![false; f.values.len()];
    for &block in &cfg.order {
        let depth = loops.of[block.at()].map_or(0, |index| loops.loops[index].depth);
        let data = &f.blocks[block.at()];
        for &value in data.params.iter().chain(&data.insts) {
            // Constants stay last: they become offsets of accesses.
            ranks[value.at()] = if f.constant(value).is_some() { u32::MAX } else { depth };
            f.op(value).each(|operand| uses[operand.at()] += 1);
            if let Op::Binary(Binary::Add, a, b) = *f.op(value) {
                inner[a.at()] = true;
                inner[b.at()] = true;
            }
        }
        data.term.each(|operand| uses[operand.at()] += 1);
    }
    rank(f, &cfg, &mut ranks);
    let mut changed = false;
    for &block in &cfg.order {
        if loops.of[block.at()].is_none() {
            continue;
        }
        let old = std::mem::take(&mut f.blocks[block.at()].insts);
        let mut new = Vec::with_capacity(old.len());
        for value in old {
            let root = matches!(f.op(value), Op::Binary(Binary::Add, ..))
                && f.ty(value).is_int()
                && !(wide && f.ty(value) == Ty::I32 && f.values[value.at()].nsw)
                && !(inner[value.at()] && uses[value.at()] == 1);
            if root {
                changed |= sum(f, value, &ranks, &uses, &mut new);
            }
            new.push(value);
        }
        f.blocks[block.at()].insts = new;
    }
    changed
}

/// The rank of an instruction that can move is that of its operands.
fn rank(f: &Function, cfg: &Cfg, ranks: &mut [u32]) {
    for &block in &cfg.order {
        for &value in &f.blocks[block.at()].insts {
            if f.op(value).is_pure() && f.constant(value).is_none() {
                let mut highest = 0;
                f.op(value).each(|operand| {
                    let rank = ranks[operand.at()];
                    highest = highest.max(if rank == u32::MAX { 0 } else { rank });
                });
                ranks[value.at()] = highest;
            }
        }
    }
}

fn sum(f: &mut Function, root: Value, ranks: &[u32], uses: &[u32], new: &mut Vec<Value>) -> bool {
    let mut sum = Flattening { f, ranks, uses, terms: Vec::new(), distributed: false };
    sum.add(root, Scale::None, 0);
    let Flattening { mut terms, distributed, .. } = sum;
    let sorted = terms.windows(2).all(|pair| pair[0].rank <= pair[1].rank);
    if terms.len() > MAX_TERMS || terms.len() < 2 || sorted && !distributed {
        return false;
    }
    let lowest = terms.iter().map(|term| term.rank).min();
    let highest = terms.iter().map(|term| term.rank).filter(|rank| *rank != u32::MAX).max();
    if lowest == highest {
        return false;
    }
    terms.sort_by_key(|term| term.rank);
    let (ty, loc) = (f.ty(root), f.values[root.at()].loc);
    let mut total: Option<Value> = None;
    let count = terms.len();
    for (index, term) in terms.into_iter().enumerate() {
        let scaled = match term.scale {
            Scale::None => term.value,
            Scale::Shift(count) => scale(f, Binary::Shl, term.value, count, ty, loc, new),
            Scale::Wide(factor) => scale(f, Binary::MulWideS, term.value, factor, ty, loc, new),
        };
        total = Some(match total {
            None => scaled,
            Some(total) if index + 1 == count => {
                f.values[root.at()].op = Op::Binary(Binary::Add, total, scaled);
                f.values[root.at()].nsw = false;
                root
            }
            Some(total) => {
                let value = f.add_value(ty, Op::Binary(Binary::Add, total, scaled), loc);
                new.push(value);
                value
            }
        });
    }
    true
}

fn scale(
    f: &mut Function,
    op: Binary,
    value: Value,
    by: u64,
    ty: Ty,
    loc: Loc,
    new: &mut Vec<Value>,
) -> Value {
    let constant = f.add_value(Ty::I32, Op::Const(by), loc);
    let product = f.add_value(ty, Op::Binary(op, value, constant), loc);
    new.extend([constant, product]);
    product
}

/// Collects the terms of a sum.
struct Flattening<'a> {
    f: &'a Function,
    ranks: &'a [u32],
    uses: &'a [u32],
    terms: Vec<Term>,
    /// Whether a product of a sum became a sum of products.
    distributed: bool,
}

impl Flattening<'_> {
    /// Rank of a value. Values that this pass adds have no rank and are not looked into.
    fn rank(&self, value: Value) -> u32 {
        self.ranks.get(value.at()).copied().unwrap_or(0)
    }

    fn add(&mut self, value: Value, scale: Scale, depth: usize) {
        let f = self.f;
        let top = depth == 0;
        let single = top || self.uses.get(value.at()) == Some(&1);
        if single && depth <= 2 * MAX_TERMS && self.terms.len() <= MAX_TERMS {
            match *f.op(value) {
                Op::Binary(Binary::Add, a, b) => {
                    let (left, right) = (self.rank(a), self.rank(b));
                    let differ = left != right && left != u32::MAX && right != u32::MAX;
                    let good = match scale {
                        Scale::None => true,
                        Scale::Shift(_) => differ,
                        // The sum must be exact: its product is.
                        Scale::Wide(_) => differ && f.values[value.at()].nsw,
                    };
                    if good {
                        self.distributed |= scale != Scale::None;
                        self.add(a, scale, depth + 1);
                        return self.add(b, scale, depth + 1);
                    }
                }
                Op::Binary(Binary::Shl, x, count) if scale == Scale::None && !top => {
                    if let Some(count) = f.constant(count) {
                        return self.add(x, Scale::Shift(count), depth + 1);
                    }
                }
                Op::Binary(Binary::MulWideS, x, factor) if scale == Scale::None && !top => {
                    if let Some(factor) = f.constant(factor) {
                        return self.add(x, Scale::Wide(factor), depth + 1);
                    }
                }
                _ => {}
            }
        }
        let rank = self.rank(value);
        self.terms.push(Term { value, scale, rank });
    }
}
