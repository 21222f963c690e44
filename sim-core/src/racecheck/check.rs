//! The checker: each access against what was done to its words before.

use super::flow::Flows;
use super::hazard::Table;
use super::record::{AccessRecord, Met, Site, Touch, places};
use super::shadow::{MOST_MARKS, Shadow};
use super::{Access, Found, Hazard, Kind, Party, Space};
use isa::uop::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Checks the accesses of launches. They come in the order in which the functional machine makes
/// them: blocks ascending, of a block those with more barriers behind those with fewer, and the
/// accesses of a warp in its own order.
#[derive(Debug)]
pub struct Racecheck {
    shared: Shadow,
    global: Shadow,
    sites: Vec<Site>,
    numbers: BTreeMap<Site, u32>,
    /// Block and barriers of the latest access, and the number of that stretch.
    at: (u32, u32),
    stretch: u32,
    /// The stretch with which the running block began.
    block_stretch: u32,
    table: Table,
    flows: Flows,
}

impl Default for Racecheck {
    fn default() -> Self {
        Self::new()
    }
}

impl Racecheck {
    /// A checker that has seen nothing.
    pub fn new() -> Self {
        Self::with_capacity(MOST_MARKS)
    }

    /// As [`Self::new`]; of each memory `records` records are kept at most.
    pub(super) fn with_capacity(records: usize) -> Self {
        Self {
            shared: Shadow::new(records),
            global: Shadow::new(records),
            sites: Vec::new(),
            numbers: BTreeMap::new(),
            at: (0, 0),
            stretch: 0,
            block_stretch: 0,
            table: Table::default(),
            flows: Flows::default(),
        }
    }

    /// The instructions of the accesses are those of `program`: only so are lost updates found.
    pub fn follow(&mut self, program: &Arc<Program>) {
        self.flows.follow(program);
    }

    /// What comes now is of another launch, ordered behind all before.
    pub fn next_launch(&mut self) {
        self.global.renew();
        self.shared.renew();
        self.at = (0, 0);
        self.stretch += 1;
        self.block_stretch = self.stretch;
    }

    /// Takes an access.
    pub fn access(&mut self, access: &Access) {
        let (block, barriers) = self.at;
        debug_assert!(
            access.block != block || access.barriers >= barriers,
            "a barrier is taken back: {access:?}"
        );
        if (block, barriers) != (access.block, access.barriers) {
            self.at = (access.block, access.barriers);
            self.stretch += 1;
            if access.block != block {
                self.block_stretch = self.stretch;
            }
            self.shared.renew();
        }
        let site = self.site(access);
        let (start, end) = (u64::from(access.address), u64::from(access.address) + u64::from(access.bytes));
        for word in start / 4..end.div_ceil(4) {
            let (from, to) = ((4 * word).max(start), (4 * word + 4).min(end));
            let bytes = (from..to).fold(0, |bytes, at| bytes | 1 << (at % 4));
            let bits = (1u64 << (8 * (to - from))) - 1;
            let value = access.value.map(|value| (value >> (8 * (from - start))) as u32 & bits as u32);
            let (stretch, block_stretch) = (self.stretch, self.block_stretch);
            let touch = Touch { access, site, bytes, value, stretch, block_stretch, update: None };
            self.touch(word as u32, &touch);
        }
    }

    /// What was found so far.
    pub fn found(&self) -> Found {
        let mut found = self.table.found(self.shared.refused() + self.global.refused());
        // The loads of lost updates belong to them.
        let parties = |hazard: &Hazard| [hazard.first, hazard.second].map(|party| (hazard.space, party.pc));
        let lost = found.hazards.iter().filter(|hazard| hazard.lost_update);
        let lost: BTreeSet<(Space, u32)> = lost.flat_map(parties).collect();
        for hazard in &mut found.hazards {
            let (read, write) = match (hazard.first.kind, hazard.second.kind) {
                (Kind::Read, _) => (hazard.first.pc, hazard.second.pc),
                (_, Kind::Read) => (hazard.second.pc, hazard.first.pc),
                _ => continue,
            };
            hazard.lost_update =
                lost.contains(&(hazard.space, write)) && self.flows.is_known_to_feed(read, write);
        }
        found
    }

    fn site(&mut self, access: &Access) -> u32 {
        let site = Site { pc: access.pc, line: access.line, kind: access.kind };
        *self.numbers.entry(site).or_insert_with(|| {
            self.sites.push(site);
            self.sites.len() as u32 - 1
        })
    }

    /// Takes what an access does to one word.
    fn touch(&mut self, word: u32, touch: &Touch) {
        let Self { sites, table, flows, .. } = self;
        let shadow = match touch.access.space {
            Space::Shared => &mut self.shared,
            Space::Global => &mut self.global,
        };
        let cell = shadow.cell(word);
        let kind = touch.access.kind;
        let writes = kind != Kind::Read;
        let overlaps = |record: &&AccessRecord| record.bytes & touch.bytes != 0;
        let update = if kind == Kind::Write {
            let own = shadow.list(cell.readers).filter(overlaps).filter(|record| record.is_of_thread(touch));
            let from = own.filter(|record| flows.feeds(sites[record.site as usize].pc, touch.access.pc));
            from.map(|record| record.instruction).max()
        } else {
            None
        };
        let touch = &Touch { update, ..*touch };
        let own = |record: &&AccessRecord| {
            record.is_of_warp(touch) && record.instruction != touch.access.instruction
        };
        let writers = || shadow.list(cell.writers).filter(overlaps);
        let mut last_writes = [0; 4];
        for record in writers().filter(own) {
            for at in places(record.bytes) {
                last_writes[at] = record.instruction.max(last_writes[at]);
            }
        }
        let readers = if writes { cell.readers } else { super::record::NONE };
        for record in writers().chain(shadow.list(readers).filter(overlaps)) {
            let site = &sites[record.site as usize];
            if site.kind.meets(kind) {
                record.meet(site, touch, &last_writes, |met| table.add(hazard(word, record, touch, met)));
            }
        }
        let first = if writes { cell.writers } else { cell.readers };
        match shadow.find(first, |record| record.is_of(touch)) {
            Some(record) => record.add(touch),
            None => shadow.push(word, writes, AccessRecord::new(touch)),
        }
    }
}

/// The hazard of a pair.
fn hazard(word: u32, record: &AccessRecord, touch: &Touch, met: Met) -> Hazard {
    let Access { block, warp, lane, pc, line, kind, space, barriers, .. } = *touch.access;
    let me = Party { block, warp, lane, pc, line, kind };
    let (first, second, barriers) =
        if met.before { (met.other, me, barriers) } else { (me, met.other, met.barriers) };
    let common = record.bytes & touch.bytes;
    Hazard {
        first,
        second,
        space,
        address: 4 * word + common.trailing_zeros(),
        bytes: common.count_ones(),
        between: met.between,
        barriers,
        same_value: met.same,
        lost_update: met.lost,
        times: 1,
    }
}
