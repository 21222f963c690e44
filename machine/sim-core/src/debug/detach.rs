//! A session that outlives the call of its front end.

use super::history::bytes_of_sm;
use super::session::Session;
use super::state::{Machine, State};
use std::borrow::Cow;

impl Session<'_> {
    /// Returns a copy of the session that has its own machine. A front end that cannot wait inside
    /// [`Debugger::debug`](super::Debugger::debug), such as a page in a browser, keeps the copy
    /// and [kills](Session::kill) the original. Returns `None` after the first cycle, and on the
    /// functional machine, whose state refers to the launch.
    pub fn detached(&self) -> Option<Session<'static>> {
        let Machine::Timed(running, ended) = &self.state.machine else { return None };
        if self.cycle() > 0 {
            return None;
        }
        let machine = Machine::Timed(running.clone(), ended.clone());
        let state = State { machine, statuses: self.state.statuses.clone() };
        let rows = self.program().rows;
        let bytes = self.sms() as usize * bytes_of_sm(self.chip(), rows);
        Some(Session::new(state, Cow::Owned(self.chip().clone()), bytes))
    }
}
