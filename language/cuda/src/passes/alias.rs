//! Which accesses of memory may touch the same bytes.

use crate::ssa::{Binary, Function, Op, Space, Value};

/// The bytes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    space: Space,
    addr: Value,
    offset: i64,
    bytes: u64,
}

/// The bytes that a load, store or atomic accesses.
pub fn access(f: &Function, op: &Op) -> Option<Access> {
    let (space, addr, offset, bytes) = match op {
        Op::Load { space, addr, offset, mem, lanes, .. } => {
            (*space, *addr, *offset, mem.bytes() * u64::from(*lanes))
        }
        Op::Store { space, addr, offset, mem, values, .. } => {
            (*space, *addr, *offset, mem.bytes() * values.len() as u64)
        }
        Op::Atomic { space, addr, offset, mem, .. } => (*space, *addr, *offset, mem.bytes()),
        _ => return None,
    };
    let (addr, offset) = strip(f, addr, offset);
    Some(Access { space, addr, offset, bytes })
}

/// Moves constant sums from the address to the offset.
fn strip(f: &Function, mut addr: Value, mut offset: i64) -> (Value, i64) {
    while let Op::Binary(Binary::Add, base, more) = *f.op(addr) {
        let Some(more) = f.signed(more) else { break };
        addr = base;
        offset = offset.wrapping_add(more);
    }
    (addr, offset)
}

impl Access {
    /// Whether both start at the same byte.
    pub fn same(&self, other: &Access) -> bool {
        (self.space, self.addr, self.offset) == (other.space, other.addr, other.offset)
    }

    /// Whether the accesses may have bytes in common.
    pub fn may_overlap(&self, f: &Function, other: &Access) -> bool {
        let known = self.space != Space::Generic && other.space != Space::Generic;
        if known && self.space != other.space {
            return false;
        }
        if self.addr == other.addr {
            let (a, b) = (self.offset, other.offset);
            return a < b.saturating_add(other.bytes as i64) && b < a.saturating_add(self.bytes as i64);
        }
        // Different variables are at different addresses.
        match (root(f, self.addr, 8), root(f, other.addr, 8)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }

    /// The state space.
    pub fn space(&self) -> Space {
        self.space
    }
}

/// The variable that an address points into, if it is a sum that starts with its address.
fn root(f: &Function, mut addr: Value, depth: u32) -> Option<Op> {
    for _ in 0..depth {
        match f.op(addr) {
            op @ (Op::Address(_) | Op::Slot(_)) => return Some(op.clone()),
            Op::ToGeneric(_, inner) => addr = *inner,
            Op::Binary(Binary::Add, a, b) => {
                // At most one operand of a sum is an address.
                if let Some(found) = root(f, *a, depth - 1) {
                    return Some(found);
                }
                addr = *b;
            }
            _ => return None,
        }
    }
    None
}
