//! A coalescing rule of the program: see `components::coalescing`.

use super::segments::Transaction;
use super::{LINE, SEGMENT, in_block};
use crate::components::Registered;
use crate::components::coalescing::{CoalescingRules, Lanes};
use crate::exec::Access;

/// Next transaction of a half-warp, of whose lanes `left` remain.
pub(super) fn next(own: Registered<CoalescingRules>, access: &Access, left: u32) -> Transaction {
    let lanes = Lanes { left, addresses: &access.addr, bytes: access.bytes, store: access.store };
    let bytes = own.make()(own.values(), &lanes).clamp(SEGMENT, LINE).next_power_of_two();
    let base = access.addr[left.trailing_zeros() as usize % 32] & !(bytes - 1);
    Transaction { lanes: in_block(&access.addr, left, bytes), base, bytes }
}
