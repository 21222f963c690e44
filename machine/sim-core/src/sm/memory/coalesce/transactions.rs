//! The transactions of an access one by one, for the debugger. The pipeline only needs their
//! number.

use super::{Coalescer, LINE, Messages, SEGMENT, lines, own, segments};
use crate::config::CoalesceRule;
use crate::exec::Access;
use crate::exec::mask::lanes as each;

/// A transaction of a warp's access to global or local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Mask of the lanes that it serves.
    pub lanes: u32,
    /// Address of its first byte, a multiple of `span`.
    pub address: u32,
    /// Bytes of the segment or cache line: 32, 64 or 128.
    pub span: u32,
    /// Bytes that are transferred: all of the segment, or 32 for each bit of `sectors`.
    pub bytes: u32,
    /// Mask of the transferred 32-byte sectors of a cache line (cc 2.x); else 0.
    pub sectors: u8,
}

impl Coalescer {
    /// Returns the transactions of `access`, in the order in which they are made. Their number is
    /// that of the coalescing rule, except for atomics on cc 2.x: these have one transaction here
    /// for each line, but take the time of several if lanes change one word. `whole`: as for
    /// [`Self::messages`].
    pub fn transactions(&self, access: &Access, whole: bool) -> Vec<Transaction> {
        let mut all = Vec::new();
        let group = match self.config.rule {
            CoalesceRule::Lines => lines::group(access.bytes),
            CoalesceRule::Strict | CoalesceRule::Segments | CoalesceRule::Own(_) => self.config.group,
        };
        let group_lanes = if group >= 32 { u32::MAX } else { (1 << group) - 1 };
        let mut part = access.clone();
        for first in (0..32).step_by(group as usize) {
            part.mask = access.mask & group_lanes << first;
            if part.mask == 0 {
                continue;
            }
            let mut left = part.mask;
            while left != 0
                && let Some(one) = self.next_segment(access, left)
            {
                left &= !one.lanes;
                let segments::Transaction { lanes, base: address, bytes } = one;
                all.push(Transaction { lanes, address, span: bytes, bytes, sectors: 0 });
            }
            if left != 0 {
                self.of_group(&part, whole, &mut all);
            }
        }
        all
    }

    /// Returns the next transaction of a half-warp, of whose lanes `left` remain, under a rule of
    /// segments.
    fn next_segment(&self, access: &Access, left: u32) -> Option<segments::Transaction> {
        match self.config.rule {
            _ if access.atomic.is_some() => None,
            CoalesceRule::Segments => Some(segments::next(access, left)),
            CoalesceRule::Own(own) => Some(own::next(own, access, left)),
            CoalesceRule::Strict | CoalesceRule::Lines => None,
        }
    }

    /// Appends the transactions of a group of lanes, taken from its messages.
    fn of_group(&self, part: &Access, whole: bool, all: &mut Vec<Transaction>) {
        let mut messages = Messages::default();
        let made = self.messages(part, whole, 0, 0, &mut messages);
        let address = |lane: usize| part.addr[lane];
        for (_, message) in messages.list {
            let first = address(message.lanes.trailing_zeros() as usize);
            if self.config.rule.makes_lines() {
                let bytes = u32::from(message.sectors).count_ones() * SEGMENT;
                let (address, sectors) = (first & !(LINE - 1), message.sectors);
                all.push(Transaction { lanes: message.lanes, address, span: LINE, bytes, sectors });
            } else if made.uncoalesced_groups == 0 && part.atomic.is_none() {
                let span = (part.bytes * self.config.group).min(LINE);
                let address = first & !(span - 1);
                all.push(Transaction { lanes: message.lanes, address, span, bytes: span, sectors: 0 });
            } else {
                all.extend(each(message.lanes).map(|lane| Transaction {
                    lanes: 1 << lane,
                    address: address(lane) & !(SEGMENT - 1),
                    span: SEGMENT,
                    bytes: SEGMENT,
                    sectors: 0,
                }));
            }
        }
    }
}
