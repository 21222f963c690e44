//! Progress and interruption of long runs: shows the progress, and lets Ctrl-C stop a run without
//! losing its report.
//!
//! A [`Watch`] gives every [`Gpu`] of a command a monitor. `bar` shows progress.

mod bar;

pub use bar::counting;

use crate::args::{ProgressArgs, ShowProgress};
use crate::exit::{Code, Failure};
use crate::output::{self, interrupt};
use crate::terminal;
use bar::Bar;
use indicatif::ProgressDrawTarget;
use sim_core::host::{Gpu, StopReason};
use sim_core::stats::report::Verdict;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Monitors the launches of a command. Copies share one bar.
#[derive(Clone)]
pub struct Watch {
    /// `None`: no bar is shown.
    bar: Option<Arc<Mutex<Bar>>>,
    /// End of the wall time, if it is limited.
    until: Option<Instant>,
}

impl Watch {
    /// From now on the first Ctrl-C stops launches, and the second one the program. `when` selects
    /// whether launches that take longer than a second have a bar.
    pub fn new(when: ShowProgress) -> Self {
        interrupt::catch();
        let terminal = !ProgressDrawTarget::stderr().is_hidden();
        let draws = match when {
            ShowProgress::Always => true,
            ShowProgress::Auto => terminal,
            ShowProgress::Never => false,
        };
        Self { bar: draws.then(|| Arc::new(Mutex::new(Bar::new(terminal)))), until: None }
    }

    /// A watch with the options of a command. The wall time counts from now on.
    pub fn of(args: &ProgressArgs) -> Self {
        Self { until: args.time_limit.map(|limit| Instant::now() + limit), ..Self::new(args.progress) }
    }

    /// Monitors the launches of `gpu`.
    pub fn follow(&self, gpu: &mut Gpu) {
        let (bar, until) = (self.bar.clone(), self.until);
        gpu.monitor(Some(Box::new(move |progress| {
            if let Some(bar) = &bar {
                bar.lock().unwrap_or_else(PoisonError::into_inner).show(progress);
            }
            match until {
                _ if interrupt::flow().is_break() => ControlFlow::Break(StopReason::Interrupted),
                Some(until) if Instant::now() >= until => ControlFlow::Break(StopReason::TimeLimit),
                _ => ControlFlow::Continue(()),
            }
        })));
    }

    /// Removes the bar, so that other text can be printed. It appears again with the next long
    /// launch.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

/// Returns the code of a verdict. The code of an interrupted launch names the signal.
pub fn code_of(verdict: &Verdict) -> Code {
    match Code::of(verdict) {
        Code::Interrupted => interrupt::code(),
        code => code,
    }
}

/// Signals and standard streams of this process, for the debugger.
pub struct Process;

impl debugger::host::Host for Process {
    fn is_asked_to_end(&self) -> bool {
        interrupt::asked()
    }

    fn interrupt(&self) {
        interrupt::ask();
    }

    fn flow(&self) -> ControlFlow<()> {
        interrupt::flow()
    }

    fn code_of(&self, verdict: &Verdict) -> Code {
        code_of(verdict)
    }

    fn has_colors(&self) -> bool {
        terminal::has_colors()
    }

    fn print(&self, text: &str) -> Result<(), Failure> {
        output::print(text)
    }

    fn complain(&self, text: &str) {
        output::complain(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::Chip;
    use sim_core::stats::stuck::StuckClass;

    #[test]
    fn an_interrupted_launch_stops_and_its_report_says_so() {
        let mut gpu = Gpu::new(Chip::builtin("g80").expect("a built-in chip"));
        let mut calls = 0;
        gpu.monitor(Some(Box::new(move |progress| {
            calls += 1;
            assert!(progress.retired < progress.blocks && progress.cycle > 0);
            if calls == 2 { ControlFlow::Break(StopReason::Interrupted) } else { ControlFlow::Continue(()) }
        })));
        let outcome = kernels::run("matmul-tiled", &mut gpu, kernels::Settings::default()).expect("it runs");
        let Verdict::Interrupted { cycle, stuck } = &outcome.reports[0].verdict else {
            panic!("{:?}", outcome.reports[0].verdict)
        };
        assert_eq!(outcome.reports[0].timing.as_ref().map(|timing| timing.cycles), Some(*cycle));
        assert_eq!(stuck.class, StuckClass::Interrupted);
        assert!(!stuck.hint.contains("loop"), "the kernel is not to blame: {}", stuck.hint);
        assert_eq!(outcome.check, kernels::Check::NotRun);
    }
}
