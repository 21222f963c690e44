//! A cluster: the component that contains some SMs and their shared resources. These are the
//! crossbar port (`port`) with its links, the buffer for replies, the second level of constant and
//! instruction caches (`lines`), the texture units (`textures`), and address translation (`tlb`).
//!
//! Other components communicate with a cluster only by messages. In each shader cycle the cluster
//! accepts messages, its SMs tick in index order, it requests the lines that their caches miss, and
//! then the port sends. Between two cycles with messages, each SM runs alone ([`Cluster::run`]).

use crate::config::{ClusterConfig, CrossbarConfig};
use crate::counters::{ClusterCounters, SlotBreakdown};
use crate::events::Watch;
use crate::hooks::Mutant;
use crate::sm::Sm;
use crate::sm::context::SmContext;
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::clock::Divider;
use crate::time::message::{ClusterOutbox, FromCluster, FromPartition, ToCluster};
use crate::time::period::Period;
use lines::{Lines, Wanted};
use link::Link;
use port::Head;
use replies::Buffer;
use sms::Sms;
use std::collections::VecDeque;
use std::sync::Arc;
use textures::Textures;
use tlb::Tlb;

mod lines;
mod link;
mod port;
mod replies;
mod run;
pub mod sms;
mod textures;
mod tlb;

/// In [`Request::sm`]: marks the cluster's drain fences.
const DRAIN: u8 = u8::MAX;

/// Progress of the drain at the end of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
enum Drain {
    /// Not requested.
    No,
    /// Fences to links `0..sent` have left; `answered` replies have arrived.
    Going { sent: usize, answered: usize },
    /// Reported to the dispatcher.
    Done,
}

/// A cluster of SMs.
#[derive(CloneFrom, Part)]
pub struct Cluster {
    #[state(fixed)]
    index: u32,
    #[state(fixed)]
    config: ClusterConfig,
    #[state(fixed)]
    latency: u64,
    #[state(fixed)]
    context: Arc<SmContext>,
    #[state(fixed)]
    period: Period,
    /// Whether its SMs have an L1.
    #[state(fixed)]
    cached: bool,
    /// Ticks every SM in every issue cycle, even when the SM has no event. Changes only the host's
    /// work: the test suite checks this.
    #[state(fixed)]
    pub eager: bool,
    /// The SMs of the cluster.
    #[state(part)]
    pub sms: Sms,
    orders: VecDeque<(u64, ToCluster)>,
    links: Vec<Link>,
    /// Shader cycle from which the request port is free.
    port_free: u64,
    /// Next request of each sender for the request port: the SMs, then the shared caches.
    heads: Vec<Head>,
    /// Sender that the request port tries first.
    turn: usize,
    /// Bytes of replies per shader cycle.
    #[state(fixed)]
    reply_rate: Divider,
    /// Shader cycle from which the reply port is free.
    reply_free: u64,
    /// Link that the reply port tries first.
    reply_turn: usize,
    /// Arrival of the next reply on each link, and the earliest; [`NEVER`] if there is none.
    arrivals: Vec<u64>,
    next_reply: u64,
    #[state(part)]
    buffer: Buffer,
    drain: Drain,
    stores_sent: u64,
    #[state(part)]
    lines: Option<Lines>,
    #[state(part)]
    textures: Option<Box<Textures>>,
    #[state(part)]
    tlb: Option<Tlb>,
    /// Earliest shader cycle at which a request can leave; 0 after a change.
    send_at: u64,
    /// Earliest shader cycle of an event other than an SM's issue.
    due: u64,
    /// Earliest shader cycle of those events that are neither replies nor messages to send.
    rare: u64,
    /// Whether a message has arrived since `due` was computed.
    stale: bool,
    /// Arrival of the latest message to the dispatcher: messages arrive in the order of sending.
    last_notified: u64,
    /// Shader cycle at which the cluster last accepted or sent a message.
    last_message: u64,
    busy: ClusterCounters,
    /// Messages to be collected.
    pub outbox: ClusterOutbox,
}

impl Cluster {
    /// Creates cluster `index` of a chip with `partitions` partitions, with empty SMs.
    pub fn new(
        index: u32,
        config: ClusterConfig,
        crossbar: CrossbarConfig,
        partitions: usize,
        context: &Arc<SmContext>,
    ) -> Self {
        let map = context.coalescer.map;
        let lines = Lines::new(index, &config, &context.config, map, context.coalescer.burst_bytes);
        let textures = Textures::of(&config, index, context);
        let senders = config.sms as usize + usize::from(lines.is_some()) + usize::from(textures.is_some());
        Self {
            index,
            config,
            latency: u64::from(crossbar.latency),
            context: Arc::clone(context),
            period: Period::new(context.config.issue_period),
            cached: context.config.l1.is_some(),
            eager: false,
            sms: Sms::new(index * config.sms, config.sms),
            orders: VecDeque::new(),
            links: vec![Link::new(crossbar.depth); partitions],
            port_free: 0,
            heads: vec![Head::NOTHING; senders],
            turn: 0,
            reply_rate: Divider::new(config.reply_bytes_per_cycle.into()),
            reply_free: 0,
            reply_turn: 0,
            arrivals: vec![NEVER; partitions],
            next_reply: NEVER,
            buffer: Buffer::new(config.reply_room),
            drain: Drain::No,
            stores_sent: 0,
            lines,
            textures,
            tlb: config.tlb.map(|tlb| Tlb::new(tlb, index)),
            send_at: 0,
            due: 0,
            rare: 0,
            stale: true,
            last_notified: 0,
            last_message: 0,
            busy: ClusterCounters::default(),
            outbox: ClusterOutbox::new(partitions),
        }
    }

    /// Makes this cluster equal to `fresh`, its copy before any launch, for a launch of `context`.
    pub fn renew(&mut self, fresh: &mut Self, context: &Arc<SmContext>) {
        fresh.context = Arc::clone(context);
        let mut sms = std::mem::replace(&mut self.sms, Sms::new(0, 0));
        sms.renew(&mut fresh.sms, context);
        self.clone_from(fresh);
        self.sms = sms;
    }

    /// Returns the context of the launch.
    pub fn context(&self) -> &SmContext {
        &self.context
    }

    /// Removes the event recorders of its SMs.
    pub fn stop_observing(&mut self) {
        self.sms.iter_mut().for_each(Sm::stop_observing);
    }

    /// Builds the SMs, which otherwise are built when the first block arrives.
    pub fn build(&mut self) {
        self.sms.build(&self.context);
    }

    /// Begins the breakdowns of its SMs at shader cycle `at`, the start of an issue cycle, instead
    /// of 0.
    pub fn open(&mut self, at: u64) {
        self.sms.open(at);
    }

    /// Completes the breakdowns of its SMs at shader cycle `end`.
    pub fn close(&mut self, end: u64) {
        self.sms.close(end);
    }

    /// Returns the issue slots of each SM of a cluster that has received no block; they are equal
    /// in all such clusters of a kernel.
    pub fn idle_slots(&self) -> SlotBreakdown {
        self.sms.idle_slots(&self.context)
    }

    /// Starts recording on those of its SMs that `watch` names.
    pub fn watch(&mut self, watch: &Watch) {
        self.build();
        for sm in self.sms.iter_mut().filter(|sm| watch.sms.contains(&sm.id())) {
            sm.watch(watch, &self.context);
        }
    }

    /// Queues a message from the dispatcher.
    pub fn order(&mut self, arrival: u64, order: ToCluster) {
        self.orders.push_back((arrival, order));
        self.stale = true;
    }

    /// Queues replies and credits from partition `link`, and empties `messages`.
    pub fn accept(&mut self, link: usize, messages: &mut FromPartition) {
        let wire = &mut self.links[link];
        if !messages.replies.is_empty() {
            wire.replies.append(&mut messages.replies);
            self.arrivals[link] = wire.next_reply();
            self.next_reply = self.next_reply.min(self.arrivals[link]);
        }
        wire.returning.append(&mut messages.credits);
        self.send_at = 0;
        self.stale = true;
    }

    /// Processes the output of SMs, sends a message, and finds the next event.
    #[inline]
    fn finish(&mut self, now: u64) {
        if self.sms.iter().any(|sm| sm.output_at() <= now) {
            self.take_output(now);
        }
        if self.cached {
            for index in 0..self.sms.len() {
                if self.sms[index].act(now, &self.context) {
                    self.update_head(index);
                    self.send_at = 0;
                }
            }
        }
        if self.send_at <= now {
            self.send(now);
            self.send_at = self.next_send();
        }
        self.plan();
        self.stale = false;
    }

    /// Accepts the dispatcher's messages, a reply and cache lines that have arrived.
    fn take_messages(&mut self, now: u64) {
        while let Some((_, order)) = self.orders.pop_front_if(|(arrival, _)| *arrival <= now) {
            self.last_message = now;
            self.send_at = 0;
            match order {
                ToCluster::Block { sm, block } => {
                    self.build();
                    self.sms[sm as usize].start_block(now, block, &self.context);
                }
                ToCluster::Drain => self.drain = Drain::Going { sent: 0, answered: 0 },
            }
        }
        if self.next_reply.max(self.reply_free) <= now {
            self.take_reply(now);
        }
        if self.cached {
            for sm in &mut self.sms {
                sm.take_hits(now, &self.context);
            }
        }
        self.serve_textures(now);
        while let Some(Wanted { sm, code, address }) = self.lines.as_mut().and_then(|lines| lines.hit(now)) {
            self.sms[sm as usize].line_came(now, code, address, &self.context);
        }
    }

    /// Processes the output of SMs: requests for lines, and retired blocks for the dispatcher.
    fn take_output(&mut self, now: u64) {
        let begins = self.period.begins(now);
        for index in 0..self.sms.len() {
            let sm = &mut self.sms[index];
            if sm.output_at() > now {
                continue;
            }
            self.send_at = 0;
            if begins {
                sm.take_output();
                let mut asked = false;
                while let Some(lines) = &mut self.lines
                    && let Some((code, address)) = sm.missing_line()
                {
                    lines.ask(now, Wanted { sm: index as u8, code, address });
                    asked = true;
                }
                if asked {
                    self.update_head(self.sms.count());
                }
                self.ask_textures(now, index);
            }
            self.update_head(index);
            while let Some((at, places)) = self.sms[index].retired.pop() {
                let done = FromCluster::BlockDone { sm: index as u8, places };
                self.notify_dispatcher(at, done);
                if self.context.hooks.is(Mutant::SlotsFreedTwice) {
                    self.notify_dispatcher(at, done);
                }
            }
        }
    }

    /// Sends a message to the dispatcher, in order behind the earlier ones.
    fn notify_dispatcher(&mut self, now: u64, message: FromCluster) {
        self.last_notified = self.last_notified.max(now + self.latency);
        self.outbox.to_dispatcher.push((self.last_notified, message));
    }

    /// Returns the earliest shader cycle after `now` at which [`Self::tick`] may have an event,
    /// unless a message arrives.
    pub fn next_wake(&mut self, now: u64) -> u64 {
        self.refresh();
        let next = |sm: &Sm| sm.wake().min(sm.next_of_l1());
        let sms = self.sms.iter().map(next).min().unwrap_or(NEVER);
        sms.min(self.due).max(now + 1)
    }

    /// Computes the next event again after messages have arrived.
    fn refresh(&mut self) {
        if self.stale {
            self.stale = false;
            if self.send_at == 0 {
                self.send_at = self.next_send();
            }
            self.plan();
        }
    }

    /// Computes the earliest shader cycle of an event other than an SM's issue, unless a message
    /// arrives.
    #[inline]
    fn plan(&mut self) {
        let mut rare = self.orders.front().map_or(NEVER, |(arrival, _)| *arrival);
        if let Some(lines) = &self.lines {
            rare = rare.min(lines.next_hit());
        }
        self.rare = rare.min(self.textures.as_ref().map_or(NEVER, |textures| textures.next()));
        self.due = self.rare.min(self.next_reply.max(self.reply_free)).min(self.send_at);
    }

    /// Returns the shader cycle of the last change in the cluster.
    pub fn last_change(&self) -> u64 {
        self.sms.iter().map(Sm::last_change).fold(self.last_message, u64::max)
    }
}

#[cfg(test)]
mod tests;
