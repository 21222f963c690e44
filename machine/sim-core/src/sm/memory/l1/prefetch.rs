//! The prefetcher of an L1: requests lines before a load needs them.

use super::lines::whole_line;
use super::{L1, line_of};
use crate::components::Seated;
use crate::components::l1::{self, L1Access};
use crate::config::Prefetch;
use crate::mem::sectors::{ALL_SECTORS, LINE_BYTES};
use crate::state::Value;
use crate::time::message::{Request, RequestKind};

/// Most messages of the L1 that wait for the port: with as many, no line is prefetched.
const MOST_WAITING: usize = 4;

/// The prefetcher, with its state.
#[derive(Clone, Debug, Value)]
pub(super) enum Prefetcher {
    /// See [`Prefetch::Off`].
    Off,
    /// See [`Prefetch::NextLines`].
    NextLines(u32),
    /// See [`Prefetch::Own`], with a list for its lines.
    Own(Seated<dyn l1::Prefetcher>, Vec<u32>),
}

impl Prefetcher {
    /// Creates the prefetcher of SM number `sm`.
    pub(super) fn new(kind: Prefetch, sm: u32) -> Self {
        match kind {
            Prefetch::Off => Self::Off,
            Prefetch::NextLines { lines } => Self::NextLines(lines),
            Prefetch::Own(own) => Self::Own(own.seat(sm), Vec::new()),
        }
    }
}

impl L1 {
    /// Returns the address of the line that the message accesses, if somebody is told of the
    /// access.
    #[inline]
    pub(in crate::sm::memory) fn watched_line(&self, request: &Request, cached: bool) -> Option<u32> {
        let told =
            self.watched && request.kind == RequestKind::Load && cached && request.chunk < self.mapped_from;
        told.then(|| line_of(request) as u32 * LINE_BYTES)
    }

    /// Prefetches the lines that the prefetcher wants after `access` of SM `sm` of its cluster.
    #[cold]
    #[inline(never)]
    pub(in crate::sm::memory) fn prefetch(&mut self, access: &L1Access, sm: u8) {
        match &mut self.prefetcher {
            Prefetcher::Off => {}
            Prefetcher::NextLines(lines) => {
                let following = (1..=*lines).filter_map(|n| access.address.checked_add(n * LINE_BYTES));
                following.filter(|_| !access.hit).for_each(|address| self.request(address, sm));
            }
            Prefetcher::Own(own, wanted) => {
                let mut wanted = std::mem::take(wanted);
                own.access(access, &mut wanted);
                wanted.drain(..).for_each(|address| self.request(address, sm));
                if let Prefetcher::Own(_, list) = &mut self.prefetcher {
                    *list = wanted;
                }
            }
        }
    }

    /// Requests the line at `address`, unless it is there or on its way, or loads need the space.
    fn request(&mut self, address: u32, sm: u8) {
        let line = u64::from(address / LINE_BYTES);
        let waiting = self.mshr.outstanding() + 1 >= self.config.misses as usize
            || self.leaving.len() >= MOST_WAITING
            || self.writes_wait();
        if waiting
            || address >= self.mapped_from
            || self.tags.find(line).is_some()
            || self.mshr.lines().any(|(known, ..)| known == line)
        {
            return;
        }
        if let Some(entry) = self.mshr.allocate(line) {
            self.asked[entry as usize] = ALL_SECTORS;
            self.leaving.push_back(whole_line(line, entry, sm, self.map, self.burst_bytes));
        }
    }
}
