//! The threads of a program. One runs at a time, until it ends or waits; a new thread runs at once.
//! The order is the same in each run.
//!
//! A thread that waits for something looks again whenever another thread has run meanwhile. If all
//! threads have looked in vain, the program stops.

use super::{FRAME, Frame, Machine, WINDOW, lock};
use crate::code::FUNCTIONS;
use crate::exceptions::{Exception, Registered};
use crate::library::ThreadCall;
use crate::stop::Stop;
use std::collections::VecDeque;
use warpsim_cuda::runtime::thread::Thread;

/// Why a thread does not run.
enum Wait {
    /// Another one runs.
    Turn,
    /// Until this time, in nanoseconds.
    Time(u64),
    /// For something that another thread does.
    For {
        /// The function that waits.
        name: String,
        /// Whether it has looked since another thread ran.
        has_looked: bool,
        /// When it stops waiting.
        until: Option<u64>,
    },
}

impl Wait {
    fn until(&self) -> Option<u64> {
        match self {
            Self::Turn => None,
            Self::Time(until) => Some(*until),
            Self::For { until, .. } => *until,
        }
    }

    fn is_over(&self, now: u64) -> bool {
        let has_come = self.until().is_some_and(|until| until <= now);
        has_come || matches!(self, Self::Turn | Self::For { has_looked: false, .. })
    }
}

/// A thread that does not run.
struct Parked {
    number: u64,
    outer: usize,
    wait: Wait,
    registers: Vec<u64>,
    frames: Vec<Frame>,
    locals: Vec<u64>,
    registered: Vec<Registered>,
    flying: Vec<Exception>,
    stack: u64,
    cuda: Thread,
}

/// All threads. The number of the one that runs is [`Host::thread`](crate::library::Host::thread).
#[derive(Default)]
pub(super) struct Threads {
    /// Functions that were executed when the thread that runs began.
    pub(super) outer: usize,
    /// The others, the next one first.
    parked: VecDeque<Parked>,
    /// Number of the one that ends the program.
    pub(super) ending: Option<u64>,
}

impl Threads {
    /// Lets the threads that wait look again.
    fn stir(&mut self) {
        for thread in &mut self.parked {
            if let Wait::For { has_looked, .. } = &mut thread.wait {
                *has_looked = false;
            }
        }
    }
}

impl Machine<'_> {
    /// Executes a call about threads, whose result goes to the register `first`.
    pub(super) fn thread_call(&mut self, call: ThreadCall, first: usize, words: &[u64]) -> Result<(), Stop> {
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        self.registers[first] = 0;
        self.host.now = self.steps;
        match call {
            ThreadCall::Start => {
                let outer = self.depth();
                let creator = self.take(Wait::Turn);
                self.threads.parked.push_front(creator);
                self.threads.stir();
                (self.host.thread, self.threads.outer) = (word(2), outer);
                self.registers = vec![0; 2 * WINDOW];
                let function = u32::try_from(word(0).wrapping_sub(FUNCTIONS) / 16).unwrap_or(u32::MAX);
                let frame = self.enter(function, 0)?;
                self.registers[0] = word(1);
                self.frames.push(frame);
                Ok(())
            }
            ThreadCall::Yield | ThreadCall::Sleep if self.threads.parked.is_empty() => {
                self.host.sleep(word(0));
                Ok(())
            }
            ThreadCall::Yield => {
                self.threads.stir();
                self.wait(Wait::Turn)
            }
            ThreadCall::Sleep => {
                self.threads.stir();
                self.wait(Wait::Time(self.host.time().saturating_add(word(0))))
            }
            ThreadCall::Wait => {
                let name = lock(&self.memory).text(word(0))?.to_vec();
                let name = String::from_utf8_lossy(&name).into_owned();
                // It has run since it looked the last time.
                if word(1) == 0 {
                    self.threads.stir();
                }
                let until = Some(word(2)).filter(|until| *until != 0);
                self.wait(Wait::For { name, has_looked: true, until })
            }
        }
    }

    /// Ends the thread whose first function has returned.
    pub(super) fn end_thread(&mut self, code: i32) -> Result<(), Stop> {
        let number = self.host.thread;
        if number == 0 || self.threads.ending == Some(number) {
            return Err(Stop::Exit(code));
        }
        self.threads.stir();
        self.go_on()
    }

    /// Number of functions that are executed, with those around the thread.
    pub(super) fn depth(&self) -> usize {
        self.threads.outer + self.frames.len()
    }

    /// Lets another thread run.
    fn wait(&mut self, wait: Wait) -> Result<(), Stop> {
        let own = self.take(wait);
        self.threads.parked.push_back(own);
        self.go_on()
    }

    /// Takes the state of the thread that runs.
    fn take(&mut self, wait: Wait) -> Parked {
        Parked {
            number: self.host.thread,
            outer: self.threads.outer,
            wait,
            registers: std::mem::take(&mut self.registers),
            frames: std::mem::take(&mut self.frames),
            locals: std::mem::take(&mut self.locals),
            registered: std::mem::take(&mut self.registered),
            flying: std::mem::take(&mut self.flying),
            stack: std::mem::replace(&mut self.stack, FRAME),
            cuda: std::mem::replace(&mut self.api.thread, Thread::new()),
        }
    }

    /// Lets the next thread run; without one, time passes.
    fn go_on(&mut self) -> Result<(), Stop> {
        self.host.now = self.steps;
        let now = self.host.time();
        let threads = &self.threads.parked;
        let ready = threads.iter().position(|thread| thread.wait.is_over(now));
        let next = ready.or_else(|| {
            let first =
                threads.iter().enumerate().filter_map(|(at, one)| Some((one.wait.until()?, at))).min();
            first.map(|(until, at)| {
                self.host.sleep(until.saturating_sub(now));
                at
            })
        });
        let is_stuck = next.is_none();
        // A program that cannot go on stops in its first thread.
        let next = next.or_else(|| (0..threads.len()).min_by_key(|at| threads[*at].number));
        let message = is_stuck.then(|| self.stuck());
        let Some(next) = next.and_then(|at| self.threads.parked.remove(at)) else {
            return Err(Stop::Exit(0));
        };
        (self.host.thread, self.threads.outer) = (next.number, next.outer);
        self.registers = next.registers;
        self.frames = next.frames;
        self.locals = next.locals;
        self.registered = next.registered;
        self.flying = next.flying;
        self.stack = next.stack;
        self.api.thread = next.cuda;
        message.map_or(Ok(()), |message| Err(Stop::Mistake(message)))
    }

    /// What the threads wait for.
    fn stuck(&self) -> String {
        let mut all = Vec::new();
        for thread in &self.threads.parked {
            if let Wait::For { name, .. } = &thread.wait {
                all.push((thread.number, name));
            }
        }
        all.sort_unstable();
        if let [(_, name)] = all.as_slice() {
            return format!("{name} waits for ever: no other thread runs");
        }
        let parts = all.iter().map(|(number, name)| match number {
            0 => format!("`main` in {name}"),
            _ => format!("thread {number} in {name}"),
        });
        format!("deadlock: every thread waits: {}", parts.collect::<Vec<_>>().join(", "))
    }
}
