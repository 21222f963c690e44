//! The checker: compares each access with the earlier accesses to the same words.

use super::flow::Flows;
use super::hazard::Table;
use super::order::Order;
use super::record::{AccessRecord, Conflict, Site, WordAccess, places};
use super::shadow::{MAX_RECORDS, Shadow};
use super::{Access, Found, Hazard, Kind, Party, Space};
use crate::check::kind::MissingOrder;
use crate::exec::ways;
use isa::uop::{Op, Program, TO_EXIT};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Checks the accesses of launches. They must arrive in the order of the functional machine: blocks
/// ascending; within a block, accesses with more barriers after those with fewer; the accesses of a
/// warp in program order.
#[derive(Debug)]
pub struct Detector {
    shared: Shadow,
    global: Shadow,
    sites: Vec<Site>,
    numbers: BTreeMap<Site, u32>,
    /// Number of the latest site.
    latest: u32,
    /// Block and barrier count of the latest access, and the number of that interval between
    /// barriers.
    at: (u32, u32),
    interval: u32,
    /// Interval with which the running block began.
    block_interval: u32,
    table: Table,
    flows: Flows,
    /// Whether fences can order blocks. Then accesses of each block have their records.
    orders_blocks: bool,
    /// Loads and stores of updates: a thread stores to a word what it computed from the word.
    updates: BTreeSet<(Space, u32)>,
    /// Loads whose value the same thread passed to an `atom.cas` of the word, which validates it.
    validated: BTreeSet<u32>,
}

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

impl Detector {
    /// A checker without any accesses.
    pub fn new() -> Self {
        Self::with_capacity(MAX_RECORDS)
    }

    /// As [`Self::new`], with at most `records` records for each memory.
    pub(super) fn with_capacity(records: usize) -> Self {
        Self {
            shared: Shadow::new(records),
            global: Shadow::new(records),
            sites: Vec::new(),
            numbers: BTreeMap::new(),
            latest: 0,
            at: (0, 0),
            interval: 0,
            block_interval: 0,
            table: Table::default(),
            flows: Flows::default(),
            orders_blocks: false,
            updates: BTreeSet::new(),
            validated: BTreeSet::new(),
        }
    }

    /// Sets the program whose instructions make the accesses. Without it no lost updates are found,
    /// and nothing orders blocks.
    pub fn follow(&mut self, program: &Arc<Program>) {
        self.orders_blocks = program.code.iter().any(|inst| inst.op == Op::MembarGl);
        self.flows.follow(program);
    }

    /// Begins another launch, which is ordered after all earlier accesses.
    pub fn next_launch(&mut self) {
        self.global.renew();
        self.shared.renew();
        self.at = (0, 0);
        self.interval += 1;
        self.block_interval = self.interval;
    }

    /// Checks an access of a warp whose block has only barriers of the whole block.
    pub fn access(&mut self, access: &Access) {
        self.ordered_access(access, &Order::default());
    }

    /// Checks an access. `order` is what orders the accesses of the launch besides barriers of the
    /// whole block.
    pub fn ordered_access(&mut self, access: &Access, order: &Order) {
        let (block, barriers) = self.at;
        debug_assert!(
            access.block != block || access.barriers >= barriers,
            "the barrier count decreases: {access:?}"
        );
        if (block, barriers) != (access.block, access.barriers) {
            self.at = (access.block, access.barriers);
            self.interval += 1;
            if access.block != block {
                self.block_interval = self.interval;
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
            let (interval, block_interval) = (self.interval, self.block_interval);
            let touch = WordAccess { access, site, bytes, value, interval, block_interval, update: None };
            self.touch(word as u32, &touch, order);
        }
    }

    /// Returns the hazards found so far.
    pub fn found(&self) -> Found {
        let mut reached: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let program = self.flows.program();
        let is_possible = |first: u32, second: u32| {
            let Some(program) = program else { return true };
            let ahead = || ways::reached(program, first, TO_EXIT, |_| false);
            reached.entry(first).or_insert_with(ahead).binary_search(&second).is_ok()
        };
        let mut found = self.table.found(self.shared.refused() + self.global.refused(), is_possible);
        // An atomic helps if both accesses are of updates. Their loads belong to the same hazard.
        let parties = |hazard: &Hazard| [hazard.first, hazard.second].map(|party| (hazard.space, party.pc));
        let lost = found.hazards.iter().filter(|hazard| hazard.lost_update);
        let lost: BTreeSet<(Space, u32)> =
            lost.flat_map(parties).filter(|party| self.updates.contains(party)).collect();
        for hazard in &mut found.hazards {
            let updates =
                |party: &Party| party.kind.is_atomic() || self.updates.contains(&(hazard.space, party.pc));
            let all = updates(&hazard.first) && updates(&hazard.second);
            hazard.lost_update = all && parties(hazard).iter().any(|party| lost.contains(party));
        }
        for hazard in &mut found.hazards {
            hazard.synchronizes = self.synchronizes(hazard);
        }
        found
    }

    /// Whether the accesses of a hazard synchronize, so that they are no race.
    fn synchronizes(&self, hazard: &Hazard) -> bool {
        let (first, second) = (&hazard.first, &hazard.second);
        let waits = |party: &Party| self.flows.only_decides(party.pc);
        let validated = |party: &Party| self.validated.contains(&party.pc);
        let apart = matches!(hazard.between, MissingOrder::Blocks | MissingOrder::Warps);
        let both = apart && [first, second].iter().all(|party| self.flows.synchronizes(party.pc));
        match (first.kind, second.kind) {
            (Kind::Read, Kind::Atomic) => both && waits(first) || validated(first),
            (Kind::Atomic, Kind::Read) => both && waits(second) || validated(second),
            (Kind::Read, Kind::Write | Kind::Reduction(_)) | (Kind::Atomic, Kind::Write) => {
                both && waits(first)
            }
            (Kind::Write | Kind::Reduction(_), Kind::Read) | (Kind::Write, Kind::Atomic) => {
                both && waits(second)
            }
            _ => false,
        }
    }

    fn site(&mut self, access: &Access) -> u32 {
        let site = Site { pc: access.pc, line: access.line, kind: access.kind };
        // The lanes of an instruction follow each other.
        if let Some(latest) = self.sites.get(self.latest as usize).filter(|latest| **latest == site) {
            debug_assert_eq!(self.numbers.get(latest), Some(&self.latest), "the number of the site");
            return self.latest;
        }
        self.latest = *self.numbers.entry(site).or_insert_with(|| {
            self.sites.push(site);
            self.sites.len() as u32 - 1
        });
        self.latest
    }

    /// Checks the part of an access that touches one word.
    fn touch(&mut self, word: u32, touch: &WordAccess, order: &Order) {
        let Self { sites, table, flows, orders_blocks, updates, validated, .. } = self;
        let shadow = match touch.access.space {
            Space::Shared => &mut self.shared,
            Space::Global => &mut self.global,
        };
        let cell = shadow.cell(word);
        let kind = touch.access.kind;
        let writes = kind != Kind::Read;
        let overlaps = |record: &&AccessRecord| record.bytes & touch.bytes != 0;
        let update = if matches!(kind, Kind::Write | Kind::Atomic) {
            let own = shadow.list(cell.readers).filter(overlaps).filter(|record| record.is_of_thread(touch));
            let mut update = None;
            for record in own {
                let load = sites[record.site as usize].pc;
                if kind == Kind::Atomic && flows.validates(load, touch.access.pc) {
                    validated.insert(load);
                } else if flows.feeds(load, touch.access.pc) {
                    updates.extend([load, touch.access.pc].map(|pc| (touch.access.space, pc)));
                    update = update.max(Some(record.instruction));
                }
            }
            update
        } else {
            None
        };
        let touch = &WordAccess { update, ..*touch };
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
            if site.kind.conflicts_with(kind) {
                let synchronized = record.conflicts(site, touch, word, &last_writes, order, |conflict| {
                    table.add(hazard(word, record, touch, conflict));
                });
                if synchronized {
                    table.add_synchronized(site.line, touch.access.line);
                }
            }
        }
        let first = if writes { cell.writers } else { cell.readers };
        // The records of the running block are the first ones of the list.
        let running = |record: &AccessRecord| !*orders_blocks || record.block == touch.access.block;
        match shadow.find(first, running, |record| record.is_of(touch)) {
            Some(record) => record.add(touch),
            None => shadow.push(word, writes, AccessRecord::new(touch)),
        }
    }
}

/// Returns the hazard of a conflicting pair.
fn hazard(word: u32, record: &AccessRecord, touch: &WordAccess, conflict: Conflict) -> Hazard {
    let Access { block, warp, lane, pc, line, kind, space, barriers, .. } = *touch.access;
    let me = Party { block, warp, lane, pc, line, kind };
    let (first, second, barriers) = if conflict.before {
        (conflict.other, me, barriers)
    } else {
        (me, conflict.other, conflict.barriers)
    };
    let common = record.bytes & touch.bytes;
    Hazard {
        first,
        second,
        space,
        address: 4 * word + common.trailing_zeros(),
        bytes: common.count_ones(),
        between: conflict.between,
        barriers,
        same_value: conflict.same,
        lost_update: conflict.lost,
        carried: conflict.carried,
        synchronizes: false,
        times: 1,
    }
}
