//! Texture fetches of an SM, on their way to the texture units of the cluster.

use super::Memory;
use crate::sm::execute::Issue;
use crate::state::Value;
use std::collections::VecDeque;

/// A fetch of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub(crate) struct Fetch {
    /// Its pending load.
    pub tag: u16,
    /// Number of its texels; in the texture units, the number of lines to look up.
    pub texels: u32,
    /// Whether each lane reads more than four texels.
    pub eight: bool,
}

/// Fetches that the cluster has not received, and the addresses of their texels.
#[derive(Clone, Debug, Default, Value)]
pub(super) struct Fetches {
    list: VecDeque<Fetch>,
    texels: VecDeque<u32>,
}

impl Memory {
    /// Sends the fetch in [`Self::access`] to the texture units: its registers wait for the reply.
    pub(in crate::sm) fn fetch(&mut self, issue: Issue<'_>) {
        let tag = self.expect_load(issue);
        self.loads.pending(tag).replies = 1;
        let (access, fetches) = (&self.access, &mut self.fetches);
        let texels = access.texels.len() as u32;
        let eight = texels > 4 * access.mask.count_ones();
        fetches.list.push_back(Fetch { tag, texels, eight });
        fetches.texels.extend(&access.texels);
    }

    /// Removes the next fetch for the texture units. The caller takes the addresses of its texels
    /// from [`Self::texels`].
    pub(crate) fn next_fetch(&mut self) -> Option<Fetch> {
        self.fetches.list.pop_front()
    }

    /// Removes the addresses of the next `count` texels.
    pub(crate) fn texels(&mut self, count: u32) -> impl Iterator<Item = u32> {
        self.fetches.texels.drain(..count as usize)
    }
}
