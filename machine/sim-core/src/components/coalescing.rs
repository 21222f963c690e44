//! Coalescing rules, written by the user.

use super::registered::kind;
use super::view::bits;

/// The lanes of a half-warp whose words have no transaction yet.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'a> {
    /// The remaining lanes: bit k is lane k of the warp. At least one.
    pub left: u32,
    /// Address of the word of each lane, aligned to its size. An entry is valid only if the lane
    /// remains.
    pub addresses: &'a [u32; 32],
    /// Size of a word: 1, 2, 4, 8 or 16 bytes.
    pub bytes: u32,
    /// Whether the access is a store.
    pub store: bool,
}

impl Lanes<'_> {
    /// The addresses of the remaining lanes, in ascending order of the lanes.
    pub fn remaining(&self) -> impl Iterator<Item = u32> {
        bits(self.left.into()).map(|lane| self.addresses[lane as usize])
    }
}

kind! {
    /// The kind of coalescing rules. A rule is a function without state: it is called for each
    /// access of each host thread, in any order, and must return the same size for the same lanes.
    ///
    /// The rule returns the size of the next transaction in bytes. The transaction is the aligned
    /// segment of this size that contains the word of the lowest remaining lane, and serves all
    /// remaining lanes of the half-warp whose words are in it. A size is rounded up to 32, 64 or
    /// 128 bytes, and a larger one is 128: every answer is valid. Atomics follow the rules of the
    /// chips.
    pub enum CoalescingRules = "coalescing rule" in coalescing_rules:
        dyn Fn(&[u64], &Lanes<'_>) -> u32 + Send + Sync
}
