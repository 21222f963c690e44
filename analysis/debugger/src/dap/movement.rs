//! Movements of a launch, and the events about their stops.

use super::adapter::{Adapter, Movement};
use super::breakpoints::filled;
use super::evaluate::evaluate;
use super::filters::Filter;
use super::frames::{self, Frame};
use super::hits::HitPosition;
use super::inbox::Wish;
use super::stop::{self, Reached, Stop};
use super::writer::changed;
use crate::front::seek::{Found, hit};
use crate::front::stops::ended_at;
use report::step;
use serde_json::json;
use sim_core::debug::{Halt, Session};
use sim_core::observe::{Event, What};
use sim_core::stats::report::Verdict;

impl Adapter {
    /// Moves the launch, and tells the client where it stopped. Returns false if the launch has
    /// ended without a stop.
    pub fn go(&mut self, session: &mut Session<'_>, movement: Movement) -> bool {
        if movement == Movement::Continue && session.has_ended() {
            return false;
        }
        self.groups.clear();
        self.inbox.threads = frames::threads(session);
        loop {
            self.inbox.begin(movement == Movement::Continue);
            let halt = self.advance(session, movement);
            let wish = self.inbox.end();
            if halt == Halt::Interrupted {
                match wish {
                    Some(Wish::Pause) => {
                        self.focus_on_a_warp(session);
                        self.announce(session, Stop::new("pause", "Paused"));
                        return true;
                    }
                    // The request that ends the launch waits in the inbox.
                    Some(Wish::Leave) => return true,
                    Some(Wish::Apply) | None => {
                        while let Some(request) = self.inbox.change() {
                            self.handle(&request, Some(session));
                        }
                        continue;
                    }
                }
            }
            if halt == Halt::Ended && movement == Movement::Continue && !self.stops_at_end(session) {
                return false;
            }
            // Before its start, and behind its end, is host code.
            if let (Some(code), Halt::Start | Halt::Ended) = (&mut self.host_code, &halt) {
                if halt == Halt::Start {
                    code.leave();
                    session.kill();
                    return false;
                }
                if !self.stops_at_end(session) {
                    return false;
                }
            }
            let Some(stop) = self.reason(session, movement, &halt) else { continue };
            self.focus_on_a_warp(session);
            self.announce(session, stop);
            return true;
        }
    }

    fn advance(&mut self, session: &mut Session<'_>, movement: Movement) -> Halt {
        let Self { inbox, front, breakpoints, .. } = self;
        let mut poll = |_| inbox.poll();
        match movement {
            Movement::Continue | Movement::Back => {
                let mut points = front.all_points();
                points.extend(breakpoints.points());
                let forward = movement == Movement::Continue;
                let Found { halt, at, tested } = front.seek(session, &points, forward, &mut poll);
                let own = front.points().count();
                front.add_tests(&tested[..own]);
                breakpoints.add_tests(&tested[own..]);
                if let Some((sm, slot)) = at {
                    front.look_at(sm, slot);
                }
                halt
            }
            Movement::Step((sm, slot), kind) => {
                front.look_at(sm, slot);
                step::forward(session, front.words(), (sm, slot), kind, &mut poll)
            }
            Movement::StepBack((sm, slot), by) => {
                front.look_at(sm, slot);
                step::back(session, front.words(), (sm, slot), by, &mut poll)
            }
            Movement::Out((sm, slot)) => {
                front.look_at(sm, slot);
                let entries =
                    |session: &Session<'_>| session.warp(sm, slot).map(|warp| (warp.block, warp.stack.len()));
                let before = entries(session);
                loop {
                    let halt = session.step_instruction(sm, slot, &mut poll);
                    let inside = match (before, entries(session)) {
                        (Some((block, all)), Some((now, left))) => block == now && left >= all,
                        _ => false,
                    };
                    if !matches!(halt, Halt::Event(_)) || !inside {
                        return halt;
                    }
                }
            }
        }
    }

    /// Whether the client stops at this end of a launch.
    fn stops_at_end(&self, session: &Session<'_>) -> bool {
        let filter = match session.verdict() {
            Some(Verdict::Trapped { .. } | Verdict::Scheduler { .. }) => Filter::Trap,
            Some(
                Verdict::Hung { .. }
                | Verdict::Limit { .. }
                | Verdict::TimeLimit { .. }
                | Verdict::Interrupted { .. },
            ) => Filter::Hang,
            Some(Verdict::Finished | Verdict::Estimated) | None => Filter::End,
        };
        self.breakpoints.stops_at(filter)
    }

    /// Why a movement stopped; `None` if a log point or a hit count lets it go on.
    fn reason(&mut self, session: &mut Session<'_>, movement: Movement, halt: &Halt) -> Option<Stop> {
        match halt {
            Halt::Ended => {
                if let Some(at) = session.verdict().and_then(|verdict| ended_at(session, &verdict)) {
                    self.front.look_at(at.sm, at.slot);
                }
                let (description, text) = stop::ended(session);
                Some(Stop { text, ..Stop::new("exception", description) })
            }
            Halt::Start => Some(Stop::new("entry", "This is the start of the launch")),
            Halt::Changed => {
                let points = self.front.all_points();
                let forward = movement != Movement::Back;
                let (stop, at) = changed(session, self.front.words(), &self.breakpoints, &points, forward);
                if let Some((sm, slot)) = at {
                    self.front.look_at(sm, slot);
                }
                Some(stop)
            }
            Halt::Done | Halt::Interrupted => Some(Stop::new("step", "Stepped")),
            Halt::Event(event) => match movement {
                Movement::Continue | Movement::Back => self.at_event(session, event),
                Movement::Step(..) | Movement::Out(_) | Movement::StepBack(..) => {
                    Some(Stop::new("step", "Stepped"))
                }
            },
        }
    }

    /// The stop at an event; `None` if a log point or a hit count lets the launch go on.
    fn at_event(&mut self, session: &Session<'_>, event: &Event) -> Option<Stop> {
        let mut all = stop::reached(session, self.front.words(), &self.breakpoints, event);
        let own: Vec<u32> = {
            let words = self.front.words();
            let lanes = self.front.points().map(|point| hit(session, words, point, event));
            lanes.filter(|lanes| *lanes != 0).collect()
        };
        let What::State { warp, .. } = event.what else { return Some(Stop::new("breakpoint", "Stopped")) };
        all.retain(|one| self.breakpoints.hit(one.id, HitPosition::Event(event.cycle, event.sm, warp)));
        let mut hits = all.iter().map(|one| one.lanes).chain(own.iter().copied());
        let chosen = hits.find(|lanes| *lanes != u32::MAX);
        self.front.choose(session, chosen);
        let (logs, stops): (Vec<Reached>, Vec<Reached>) = all.into_iter().partition(|one| one.log.is_some());
        for one in &logs {
            let text = self.log(session, one.log.as_deref().unwrap_or(""));
            self.inbox.wire.output("console", &format!("{text}\n"));
        }
        (!own.is_empty() || !stops.is_empty()).then(|| stop::at(self.front.words(), event, &stops))
    }

    /// The text of a log point, with the values of the expressions in braces.
    fn log(&mut self, session: &Session<'_>, text: &str) -> String {
        let focus = self.front.focus();
        let warp = session.warp(focus.sm, focus.slot);
        let frame = warp.map(|warp| Frame { sm: warp.sm, slot: warp.slot, lanes: warp.active });
        let out = filled(text, |expression| {
            let found = evaluate(&mut self.place(session, None), frame, expression);
            found.map_or_else(|why| format!("<{why}>"), |found| found.value)
        });
        self.groups.clear();
        out
    }

    /// If no warp is resident at the focus, moves the focus to a resident warp.
    pub fn focus_on_a_warp(&mut self, session: &Session<'_>) {
        let focus = self.front.focus();
        if session.warp(focus.sm, focus.slot).is_none()
            && let Some(warp) = session.warps().first()
        {
            self.front.look_at(warp.sm, warp.slot);
        }
    }

    /// Tells the client that the launch has stopped.
    pub fn announce(&mut self, session: &Session<'_>, stop: Stop) {
        let focus = self.front.focus();
        let thread = session.warp(focus.sm, focus.slot).map_or(1, |warp| frames::thread_id(session, &warp));
        self.announce_thread(thread, stop);
    }

    /// Tells the client that the program has stopped in a thread.
    pub fn announce_thread(&mut self, thread: u64, stop: Stop) {
        let mut body = json!({
            "reason": stop.reason, "description": stop.description, "threadId": thread,
            "allThreadsStopped": true, "preserveFocusHint": false,
        });
        if !stop.text.is_empty() {
            body["text"] = stop.text.clone().into();
        }
        if !stop.ids.is_empty() {
            body["hitBreakpointIds"] = json!(stop.ids);
        }
        self.stop = stop;
        self.inbox.wire.event("stopped", body);
    }
}
