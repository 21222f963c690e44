//! The island that holds some SMs and what they share: the crossbar port (`port`) with its links,
//! the room for replies, the second level of constant and instruction caches (`lines`), and the
//! translation of addresses (`tlb`).
//!
//! Nothing outside sees its state; it speaks by messages only. In each shader cycle messages are
//! taken in, SMs tick in index order, lines that their caches miss are asked for, then the port
//! sends. Between two cycles in which something is sent or taken in, each SM runs alone
//! ([`Cluster::run`]).

use crate::config::{ClusterConfig, CrossbarConfig};
use crate::counters::LevelCounters;
use crate::events::Watch;
use crate::hooks::Mutant;
use crate::sm::Sm;
use crate::sm::setup::Setup;
use crate::time::NEVER;
use crate::time::message::{ClusterOutbox, FromCluster, FromPartition, RequestKind, ToCluster};
use crate::time::period::Period;
use lines::{Lines, Wanted};
use link::Link;
use port::Head;
use std::collections::VecDeque;
use std::sync::Arc;
use tlb::Tlb;

mod lines;
mod link;
mod port;
mod tlb;

/// In [`Request::sm`]: the cluster's own drain fence.
const DRAIN: u8 = u8::MAX;

/// How far the drain at the kernel's end has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drain {
    /// Not asked for yet.
    No,
    /// Fences to links `0..sent` have left, `answered` are back.
    Going { sent: usize, answered: usize },
    /// Reported.
    Done,
}

/// A cluster.
#[derive(Clone)]
pub struct Cluster {
    index: u32,
    config: ClusterConfig,
    latency: u64,
    setup: Arc<Setup>,
    period: Period,
    /// Its SMs have an L1.
    cached: bool,
    /// Ticks every SM in every issue cycle, also when it has nothing to do. Changes nothing but the
    /// host's work: the test suite holds the simulator to that.
    pub eager: bool,
    /// Its SMs.
    pub sms: Vec<Sm>,
    orders: VecDeque<(u64, ToCluster)>,
    links: Vec<Link>,
    /// Hot cycle from which the request port is free.
    port_free: u64,
    /// What each sender has next for the request port: the SMs, and behind them what they share.
    heads: Vec<Head>,
    /// The sender that has the port's first choice.
    turn: usize,
    /// Hot cycle from which the reply port is free.
    reply_free: u64,
    /// The link that has the reply port's first choice.
    reply_turn: usize,
    /// When the next reply on each link arrives, and the first of all; [`NEVER`] if there is none.
    arrivals: Vec<u64>,
    next_reply: u64,
    /// Replies that there is room for beside those on their way.
    reply_room: u32,
    drain: Drain,
    stores_sent: u64,
    lines: Option<Lines>,
    tlb: Option<Tlb>,
    /// The earliest shader cycle at which a request can leave. `None`: something has changed since
    /// it was computed.
    send_at: Option<u64>,
    /// The earliest shader cycle at which anything other than an SM's issue may happen. `None`: a
    /// message has arrived since it was computed.
    due: Option<u64>,
    /// Nothing may reach the dispatcher before what was sent to it before.
    last_told: u64,
    /// Hot cycle at which it last took in or sent a message.
    last_message: u64,
    /// Mail to be collected.
    pub outbox: ClusterOutbox,
}

impl Cluster {
    /// Cluster `index` of a chip with `partitions` partitions, all SMs empty.
    pub fn new(
        index: u32,
        config: ClusterConfig,
        crossbar: CrossbarConfig,
        partitions: usize,
        setup: &Arc<Setup>,
    ) -> Self {
        let link = Link {
            credits: crossbar.depth,
            returning: VecDeque::new(),
            replies: VecDeque::new(),
            last_arrival: 0,
        };
        let map = setup.coalescer.map;
        let lines = Lines::new(index, &config, &setup.config, map, setup.coalescer.burst_bytes);
        Self {
            index,
            config,
            latency: u64::from(crossbar.latency),
            setup: Arc::clone(setup),
            period: Period::new(setup.config.issue_period),
            cached: setup.config.l1.is_some(),
            eager: false,
            sms: (0..config.sms).map(|i| Sm::new(index * config.sms + i, i as u8, setup)).collect(),
            orders: VecDeque::new(),
            links: vec![link; partitions],
            port_free: 0,
            heads: vec![Head::NOTHING; config.sms as usize + usize::from(lines.is_some())],
            turn: 0,
            reply_free: 0,
            reply_turn: 0,
            arrivals: vec![NEVER; partitions],
            next_reply: NEVER,
            reply_room: config.reply_room,
            drain: Drain::No,
            stores_sent: 0,
            lines,
            tlb: config.tlb.map(|tlb| Tlb::new(tlb, index)),
            send_at: None,
            due: None,
            last_told: 0,
            last_message: 0,
            outbox: ClusterOutbox::new(partitions),
        }
    }

    /// The launch.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Removes the recorders of its SMs.
    pub fn unwatch(&mut self) {
        self.sms.iter_mut().for_each(Sm::unwatch);
    }

    /// Watches those of its SMs that are to be watched.
    pub fn watch(&mut self, watch: &Watch) {
        for sm in self.sms.iter_mut().filter(|sm| watch.sms.contains(&sm.id())) {
            sm.watch(watch, &self.setup);
        }
    }

    /// Mail from the dispatcher.
    pub fn order(&mut self, arrival: u64, order: ToCluster) {
        self.orders.push_back((arrival, order));
        (self.send_at, self.due) = (None, None);
    }

    /// Replies and credits from partition `link`.
    pub fn accept(&mut self, link: usize, mail: &FromPartition) {
        let FromPartition { replies, credits } = mail;
        if let Some((arrival, _)) = replies.first() {
            self.arrivals[link] = self.arrivals[link].min(*arrival);
            self.next_reply = self.next_reply.min(*arrival);
        }
        self.links[link].replies.extend(replies);
        self.links[link].returning.extend(credits);
        (self.send_at, self.due) = (None, None);
    }

    /// Runs through shader cycles `start..end`, in which no message comes. Returns the number of
    /// ticks.
    ///
    /// SMs meet only in what they send and what is sent to them. Each therefore runs alone until it
    /// has output, or until something is due; what one has sent ahead of the others is seen when
    /// the cluster comes to that cycle.
    pub fn run(&mut self, start: u64, end: u64) -> u64 {
        let (mut now, mut ticks, mut sm_ticks) = (start, 0, 0);
        loop {
            let due = match self.due {
                Some(due) => due,
                None => *self.due.insert(self.next_due()),
            };
            let due = due.clamp(now, end);
            // What a message between two issue cycles makes an SM ask for, it asks for in the next
            // one.
            let issue = self.period.cycle_from(now) * self.period;
            let mut next = due;
            for sm in &mut self.sms {
                sm_ticks += sm.run(due, &self.setup);
                next = next.min(sm.output_at().max(issue));
            }
            if next >= end {
                return ticks + sm_ticks / self.sms.len() as u64;
            }
            self.tick(next);
            ticks += 1;
            now = next + 1;
        }
    }

    /// Everything that happens at shader cycle `now`. Calling it when nothing is due changes
    /// nothing.
    pub fn tick(&mut self, now: u64) {
        let due = self.eager || self.due.is_none_or(|due| due <= now);
        if due {
            self.take_messages(now);
        }
        let mut output = due;
        let issue = self.period.begins(now);
        for sm in &mut self.sms {
            if issue && (sm.wake() <= now || self.eager) {
                sm.tick(now, &self.setup);
            }
            output |= sm.output_at() <= now;
        }
        if output {
            self.take_output(now);
            self.send_messages(now);
            self.due = Some(self.next_due());
        }
    }

    /// Takes in orders of the dispatcher, a reply and lines of caches that have arrived.
    fn take_messages(&mut self, now: u64) {
        while let Some((_, order)) = self.orders.pop_front_if(|(arrival, _)| *arrival <= now) {
            self.last_message = now;
            self.send_at = None;
            match order {
                ToCluster::Block { sm, block } => self.sms[sm as usize].start_block(now, block, &self.setup),
                ToCluster::Drain => self.drain = Drain::Going { sent: 0, answered: 0 },
            }
        }
        self.take_reply(now);
        if self.cached {
            for sm in &mut self.sms {
                sm.take_hits(now, &self.setup);
            }
        }
        while let Some(Wanted { sm, code, address }) = self.lines.as_mut().and_then(|lines| lines.hit(now)) {
            self.sms[sm as usize].line_came(now, code, address, &self.setup);
        }
    }

    /// Takes what SMs have for others: requests for lines, and the ends of blocks for the
    /// dispatcher.
    fn take_output(&mut self, now: u64) {
        for index in 0..self.sms.len() {
            let sm = &mut self.sms[index];
            if sm.output_at() > now {
                continue;
            }
            self.send_at = None;
            if self.period.begins(now) {
                sm.take_output();
                while let Some(lines) = &mut self.lines
                    && let Some((code, address)) = sm.missing_line()
                {
                    lines.ask(now, Wanted { sm: index as u8, code, address });
                }
                if self.lines.is_some() {
                    self.update_head(self.sms.len());
                }
            }
            self.update_head(index);
            while let Some(at) = self.sms[index].retired.pop() {
                self.tell_dispatcher(at, FromCluster::BlockDone { sm: index as u8 });
                if self.setup.hooks.is(Mutant::SlotsFreedTwice) {
                    self.tell_dispatcher(at, FromCluster::BlockDone { sm: index as u8 });
                }
            }
        }
    }

    /// Sends a request to a partition, if one can leave.
    fn send_messages(&mut self, now: u64) {
        if self.cached {
            for index in 0..self.sms.len() {
                self.sms[index].look_up(now);
                self.update_head(index);
            }
            self.send_at = None;
        }
        if self.send_at.is_none_or(|at| at <= now) {
            self.send(now);
            self.send_at = Some(self.next_send());
        }
    }

    /// Sends a message to the dispatcher, not before the ones sent earlier.
    fn tell_dispatcher(&mut self, now: u64, message: FromCluster) {
        self.last_told = self.last_told.max(now + self.latency);
        self.outbox.to_dispatcher.push((self.last_told, message));
    }

    /// The earliest hot cycle after `now` at which [`Self::tick`] may do something, unless mail
    /// comes.
    pub fn next_wake(&self, now: u64) -> u64 {
        let sms = self.sms.iter().map(Sm::wake).min().unwrap_or(NEVER);
        let due = self.due.unwrap_or_else(|| self.next_due());
        sms.min(due).max(now + 1)
    }

    /// The earliest shader cycle at which anything other than an SM's issue may happen, unless a
    /// message arrives.
    fn next_due(&self) -> u64 {
        let orders = self.orders.front().map_or(NEVER, |(arrival, _)| *arrival);
        let replies = self.next_reply.max(self.reply_free);
        let l1s = if self.cached { self.sms.iter().map(|sm| sm.memory().l1_wake()).min() } else { None };
        let lines = self.lines.as_ref().map_or(NEVER, Lines::next_hit);
        orders
            .min(replies)
            .min(l1s.unwrap_or(NEVER))
            .min(lines)
            .min(self.send_at.unwrap_or_else(|| self.next_send()))
    }

    /// The reply port takes one reply, links in rotation.
    fn take_reply(&mut self, now: u64) {
        if self.reply_free.max(self.next_reply) > now {
            return;
        }
        let (links, mut link) = (self.links.len(), self.reply_turn);
        for _ in 0..links {
            if self.arrivals[link] > now {
                link = if link + 1 == links { 0 } else { link + 1 };
                continue;
            }
            let replies = &mut self.links[link].replies;
            // It is long, and read where it lies.
            let Some((_, reply)) = replies.front() else { return };
            let (kind, sm, tag) = (reply.kind, reply.sm, reply.tag);
            self.last_message = now;
            let cycles = u32::from(reply.wire_bytes).div_ceil(self.config.reply_bytes_per_cycle).max(1);
            self.reply_free = now + u64::from(cycles);
            if self.reply_room == 0 {
                self.send_at = None;
            }
            self.reply_room += 1;
            match (kind, sm) {
                (_, DRAIN) => {}
                (RequestKind::Fill { .. }, sm) => {
                    self.sms[sm as usize].fill_reply(now, reply, &self.setup);
                }
                (RequestKind::Line, _) => {
                    let (sms, setup) = (&mut self.sms, &self.setup);
                    if let Some(lines) = &mut self.lines {
                        lines.came(tag, |Wanted { sm, code, address }| {
                            sms[sm as usize].line_came(now, code, address, setup);
                        });
                    }
                }
                (RequestKind::Fence, sm) => self.sms[sm as usize].fence_reply(now, reply),
                (_, sm) => self.sms[sm as usize].load_reply(now, reply, &self.setup),
            }
            replies.pop_front();
            self.arrivals[link] = replies.front().map_or(NEVER, |(arrival, _)| *arrival);
            self.next_reply = self.arrivals.iter().copied().min().unwrap_or(NEVER);
            self.reply_turn = if link + 1 == self.links.len() { 0 } else { link + 1 };
            if sm == DRAIN {
                self.drain_answered(now);
            }
            return;
        }
    }

    /// The last hot cycle at which anything changed in it.
    pub fn last_change(&self) -> u64 {
        self.sms.iter().map(Sm::last_change).fold(self.last_message, u64::max)
    }

    /// What its level of constants and code has counted.
    pub fn line_counters(&self) -> LevelCounters {
        self.lines.as_ref().map(|lines| lines.counters).unwrap_or_default()
    }

    /// What the levels of its translation have counted.
    pub fn tlb_counters(&self) -> [LevelCounters; 2] {
        self.tlb.as_ref().map(Tlb::counters).unwrap_or_default()
    }

    fn drain_answered(&mut self, now: u64) {
        let Drain::Going { sent, answered } = self.drain else { unreachable!("an answer has a question") };
        let answered = answered + 1;
        self.drain = Drain::Going { sent, answered };
        if answered == self.links.len() {
            self.drain = Drain::Done;
            self.tell_dispatcher(now, FromCluster::Drained);
        }
    }
}

#[cfg(test)]
mod tests;
