//! Loads of several members of one aligned vector become one load of the vector.
//!
//! `a[i].x`, `a[i].y` with `float4 *a` are separate loads, each with a transaction for every second
//! or fourth word. The type of the object proves its alignment, which lowering notes for each load
//! ([`ValueData::member`](crate::ssa::ValueData::member)); an address alone proves nothing. The
//! load never reads outside of the object, whose other members exist.
//!
//! Fermi reads one word for all lanes of a warp at the cost of one line, but a vector of four words
//! in four steps. So a vector whose address is the same in all threads stays in single loads there.
//!
//! The loads are in one block, and no store, barrier or call between them may change the vector.

use super::alias;
use crate::ssa::{Block, Function, Mem, Member, Op, Space, Special, Ty, Value};

/// Vectors of which loads may follow.
const MAX_OPEN: usize = 32;

/// The loads of one vector so far.
struct Group {
    space: Space,
    mem: Mem,
    addr: Value,
    /// Offset of the vector from the address.
    offset: i64,
    lanes: u8,
    /// The first load of each member.
    members: [Option<Value>; 4],
    /// Position of the first load in the block.
    first: usize,
}

/// Rounds in which values that differ between threads are found; each goes around loops once.
const MAX_ROUNDS: usize = 8;

/// Runs the pass. Returns whether it changed anything.
pub fn run(f: &mut Function, fermi: bool) -> bool {
    let mut changed = false;
    let mut differing: Option<Vec<bool>> = None;
    for block in f.block_ids() {
        let members = f.blocks[block.at()].insts.iter().filter(|value| member(f, **value).is_some());
        if members.take(2).count() > 1 {
            let differs =
                differing.get_or_insert_with(|| if fermi { differing_values(f) } else { Vec::new() });
            changed |=
                merge(f, block, &|group: &Group| differs.get(group.addr.at()).is_none_or(|found| *found));
        }
    }
    changed
}

/// The values that may differ between the threads of a block, by number. A branch that threads take
/// in different ways is not followed, so this is a guess about speed and proves nothing.
fn differing_values(f: &Function) -> Vec<bool> {
    let mut differs = vec![false; f.values.len()];
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for block in &f.blocks {
            for value in block.insts.iter().filter(|value| !differs[value.at()]).copied().collect::<Vec<_>>()
            {
                let op = f.op(value);
                let mut found = match op {
                    Op::Special(Special::Tid(_) | Special::Lane) | Op::FuncParam(_) | Op::Slot(_) => true,
                    Op::Load { .. } => false,
                    op => !op.is_pure(),
                };
                op.each(|operand| found |= differs[operand.at()]);
                differs[value.at()] = found;
                changed |= found;
            }
            for jump in block.term.jumps() {
                for (param, arg) in f.blocks[jump.to.at()].params.iter().zip(&jump.args) {
                    changed |= differs[arg.at()] && !differs[param.at()];
                    differs[param.at()] |= differs[arg.at()];
                }
            }
        }
        if !changed {
            break;
        }
    }
    differs
}

/// The vector and the member of it that a load reads. Other memory than global memory has no
/// transactions: a vector is read word by word there.
fn member(f: &Function, value: Value) -> Option<(Group, u8)> {
    let Op::Load { space, mem, lanes: 1, addr, offset, volatile: false, .. } = *f.op(value) else {
        return None;
    };
    let Member { lane, lanes } = f.values[value.at()].member?;
    matches!(space, Space::Global | Space::Generic).then(|| {
        let offset = offset.wrapping_sub(i64::from(lane) * mem.bytes() as i64);
        (Group { space, mem, addr, offset, lanes, members: [None; 4], first: 0 }, lane)
    })
}

impl Group {
    /// Whether both are loads of the same vector.
    fn same(&self, other: &Group) -> bool {
        let key = |of: &Group| (of.space, of.mem, of.addr, of.offset, of.lanes);
        key(self) == key(other)
    }

    /// The load of `lanes` members from `lane` on.
    fn load(&self, lane: u8, lanes: u8) -> Op {
        let Group { space, mem, addr, offset, .. } = *self;
        let offset = offset.wrapping_add(i64::from(lane) * mem.bytes() as i64);
        Op::Load { space, mem, lanes, addr, offset, volatile: false, pointer: false }
    }
}

fn merge(f: &mut Function, block: Block, is_wanted: &dyn Fn(&Group) -> bool) -> bool {
    let insts = std::mem::take(&mut f.blocks[block.at()].insts);
    let (mut open, mut done): (Vec<Group>, Vec<Group>) = (Vec::new(), Vec::new());
    for (at, value) in insts.iter().enumerate() {
        if let Some((found, lane)) = member(f, *value) {
            let known = open.iter().position(|group| group.same(&found));
            let place = known.unwrap_or_else(|| {
                if open.len() == MAX_OPEN {
                    done.push(open.remove(0));
                }
                open.push(Group { first: at, ..found });
                open.len() - 1
            });
            open[place].members[usize::from(lane)].get_or_insert(*value);
            continue;
        }
        let op = f.op(*value);
        let store = match op {
            Op::Store { volatile: false, .. } => alias::access(f, op),
            _ => None,
        };
        if let Some(store) = store {
            let changes = |group: &mut Group| {
                let vector = alias::access(f, &group.load(0, group.lanes));
                vector.is_none_or(|vector| vector.may_overlap(f, &store))
            };
            done.extend(open.extract_if(.., changes));
        } else if op.writes_memory() || op.may_wait() {
            done.append(&mut open);
        }
    }
    done.append(&mut open);
    // The vector loads by the positions that they precede.
    let wanted = done.iter().filter(|group| is_wanted(group));
    let mut added: Vec<(usize, Value)> = wanted.filter_map(|group| vector(f, group)).collect();
    added.sort_unstable();
    let changed = !added.is_empty();
    let mut added = added.into_iter().peekable();
    let mut new = Vec::with_capacity(insts.len());
    for (at, value) in insts.into_iter().enumerate() {
        while let Some((_, load)) = added.next_if(|(place, _)| *place == at) {
            new.push(load);
        }
        new.push(value);
    }
    f.blocks[block.at()].insts = new;
    changed
}

/// Makes the load of a vector, and its parts of the loads of members. Returns the load and the
/// position before which it belongs. Two neighbors are loaded alone.
fn vector(f: &mut Function, group: &Group) -> Option<(usize, Value)> {
    let read: Vec<(u8, Value)> =
        (0..).zip(group.members).filter_map(|(lane, value)| Some((lane, value?))).collect();
    let (lane, lanes) = match *read.as_slice() {
        [] | [_] => return None,
        [(a, _), (b, _)] if b == a + 1 && a % 2 == 0 => (a, 2),
        _ => (0, group.lanes),
    };
    let loc = f.values[group.members.iter().flatten().next()?.at()].loc;
    let all = f.add_value(Ty::Multi, group.load(lane, lanes), loc);
    for (number, value) in read {
        f.values[value.at()].op = Op::Extract(all, u32::from(number - lane));
        f.displace(value);
    }
    Some((group.first, all))
}
