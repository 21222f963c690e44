//! The progress bar of a long launch, or lines of text without a terminal.

use crate::output::complain;
use crate::render::number::count;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use report::mangled::plain;
use sim_core::host::{Concurrent, Progress};
use std::fmt;
use std::time::{Duration, Instant};

/// Minimum duration of a launch with a bar, and minimum time between lines.
const PATIENCE: Duration = Duration::from_secs(1);

/// The remaining time is estimated only after one part in this many is done: the first blocks end
/// late, and all at about the same time.
const LEAST_DONE: u64 = 10;

/// Maximum factor between two estimates of the whole time, a second apart, for the second one to be
/// shown.
const STEADY: f64 = 1.5;

/// Maximum number of characters of a kernel's name in a bar.
const LONGEST_TITLE: usize = 32;

/// Launch number (of concurrent kernels, the first) and number of the pass.
type Run = (u32, Option<u32>);

/// Shows the progress of launches, one after the other.
pub struct Bar {
    terminal: bool,
    /// The shown run, and the time of its first report.
    run: Option<(Run, Instant)>,
    /// Time of the last line.
    printed: Instant,
    bar: Option<ProgressBar>,
    estimate: Estimate,
}

/// Estimates the duration of a launch from the share of its blocks that have ended.
#[derive(Default)]
struct Estimate {
    /// Time of the latest estimate, and its seconds for the whole launch.
    made: Option<(Duration, f64)>,
    /// Whether it was close to the previous estimate.
    steady: bool,
}

impl Estimate {
    /// Returns the remaining seconds after `took`; `None` until two consecutive estimates agree.
    fn left(&mut self, all: &Concurrent, took: Duration) -> Option<f64> {
        if all.retired == 0 || all.retired * LEAST_DONE < all.blocks {
            return None;
        }
        let whole = took.as_secs_f64() * all.blocks as f64 / all.retired as f64;
        match self.made {
            Some((when, _)) if took.saturating_sub(when) < PATIENCE => {}
            Some((_, before)) => {
                self.steady = whole <= STEADY * before && before <= STEADY * whole;
                self.made = Some((took, whole));
            }
            None => self.made = Some((took, whole)),
        }
        self.steady.then_some(whole - took.as_secs_f64())
    }
}

impl Bar {
    /// Shows a bar on a terminal, otherwise lines on standard error.
    pub fn new(terminal: bool) -> Self {
        Self { terminal, run: None, printed: Instant::now(), bar: None, estimate: Estimate::default() }
    }

    /// Shows the progress of a launch, or of concurrent kernels together.
    pub fn show(&mut self, progress: &Progress<'_>) {
        let all = progress.all;
        let (run, now) = ((all.first, progress.pass.map(|pass| pass.number)), Instant::now());
        let since = match self.run {
            Some((same, since)) if same == run => since,
            _ => {
                self.clear();
                self.run = Some((run, now));
                now
            }
        };
        let took = now.duration_since(since);
        if took < PATIENCE {
            return;
        }
        let left = self.estimate.left(&all, took);
        if self.terminal {
            let bar = self.bar.get_or_insert_with(|| bar(all.blocks));
            bar.set_prefix(title(progress));
            bar.set_message(words(progress, took, left));
            bar.set_position(all.retired);
        } else if now.duration_since(self.printed) >= PATIENCE {
            self.printed = now;
            let (done, all) = (count(all.retired), count(all.blocks));
            let words = words(progress, took, left);
            complain(&format!("{}: {done} of {all} blocks, {words}", title(progress)));
        }
    }

    /// Removes the bar from the terminal.
    pub fn clear(&mut self) {
        self.run = None;
        self.estimate = Estimate::default();
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar(blocks: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(blocks), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{prefix} {bar:20} {pos}/{len} blocks, {wide_msg}");
    bar.set_style(style.expect("a constant template"));
    bar
}

/// A bar that counts `what`, with the remaining time when it can be estimated, and a message that
/// is cut at the terminal's width. It is hidden if standard error is not a terminal.
pub fn counting(all: u64, what: &str) -> ProgressBar {
    let left = |state: &ProgressState, out: &mut dyn fmt::Write| {
        let known = state.pos() > 0 && state.pos() * LEAST_DONE >= state.len().unwrap_or(u64::MAX);
        if known && state.elapsed() >= PATIENCE {
            // Write errors are ignored.
            let _ = write!(out, ", {} left", clock(state.eta().as_secs_f64()));
        }
    };
    let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template(&format!("{{bar:20}} {{pos}}/{{len}} {what}{{left}}{{wide_msg}}"));
    bar.set_style(style.expect("a constant template").with_key("left", left));
    bar
}

/// Returns the name of the launch.
fn title(progress: &Progress<'_>) -> String {
    let name = plain(progress.kernel);
    let kernel = match name.char_indices().nth(LONGEST_TITLE) {
        Some(_) => name.chars().take(LONGEST_TITLE - 1).chain(['…']).collect(),
        None => name.to_owned(),
    };
    match (progress.pass, progress.all.kernels) {
        (Some(pass), _) => format!("{kernel}, sample {}", pass.number),
        (None, 1) if progress.launch > 1 => format!("{kernel}, launch {}", progress.launch),
        (None, 1) => kernel,
        (None, kernels) => format!("{kernels} concurrent kernels"),
    }
}

/// Returns cycles, speed, the line of most warps, and the remaining seconds if they are known.
fn words(progress: &Progress<'_>, took: Duration, left: Option<f64>) -> String {
    let seconds = took.as_secs_f64();
    let all = progress.all;
    let speed = all.instructions as f64 / seconds / 1e6;
    let left = left.map_or_else(String::new, |left| format!(", {} left", clock(left)));
    let cycles =
        if progress.cycle > 0 { format!("{} cycles, ", count(progress.cycle)) } else { String::new() };
    // The lines of concurrent kernels would alternate.
    let line = progress.line.filter(|_| all.kernels == 1);
    let line = line.map_or_else(String::new, |line| format!(", at line {}", progress.files.described(line)));
    format!("{cycles}{speed:.1} M warp instructions/s{line}{left}")
}

/// Formats hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::source::{Files, Source};
    use sim_core::host::Pass;

    #[test]
    fn the_text_has_progress_speed_and_remaining_time() {
        let source = Source::new("k.cu", "a\nb\n");
        let mut progress = Progress {
            files: source.files(),
            line: None,
            kernel: "k",
            launch: 1,
            retired: 25,
            blocks: 100,
            cycle: 1_234_567,
            instructions: 50_000_000,
            pass: None,
            all: Concurrent { kernels: 1, first: 1, retired: 25, blocks: 100, instructions: 50_000_000 },
        };
        let at = Duration::from_secs(10);
        let known = words(&progress, at, Some(30.2));
        assert_eq!(known, "1,234,567 cycles, 5.0 M warp instructions/s, 0:30 left");
        progress.line = Some(2);
        let placed = words(&progress, at, Some(30.2));
        assert_eq!(placed, "1,234,567 cycles, 5.0 M warp instructions/s, at line 2, 0:30 left");
        progress.line = None;
        assert_eq!(title(&progress), "k");
        (progress.kernel, progress.launch) = ("_Z5scalePfi", 3);
        assert_eq!(title(&progress), "scale, launch 3");
        progress.kernel = "k";
        progress.all.retired = 0;
        progress.cycle = 0;
        progress.pass = Some(Pass { number: 2, of_blocks: 1000 });
        assert_eq!(words(&progress, at, None), "5.0 M warp instructions/s");
        assert_eq!(title(&progress), "k, sample 2");
        progress.kernel = "a_kernel_with_a_name_that_is_longer_than_a_bar";
        assert_eq!(title(&progress), "a_kernel_with_a_name_that_is_lo…, sample 2");
        assert_eq!((clock(59.6), clock(3_725.0)), ("1:00".to_owned(), "1:02:05".to_owned()));
    }

    /// 400 of 1000 blocks are resident at a time, and end at about the same time.
    #[test]
    fn no_time_is_estimated_before_enough_blocks_have_ended() {
        let mut estimate = Estimate::default();
        let mut left = |retired, seconds| {
            let all = Concurrent { kernels: 1, first: 1, retired, blocks: 1000, instructions: 1 };
            estimate.left(&all, Duration::from_secs_f64(seconds))
        };
        assert_eq!([left(0, 1.0), left(1, 10.0), left(99, 10.1)], [None; 3], "too few blocks have ended");
        assert_eq!([left(100, 10.2), left(380, 11.3)], [None; 2], "102 s, then 30 s");
        assert_eq!(left(400, 12.4), Some(12.4 * 1000.0 / 400.0 - 12.4), "31 s");
        assert!(left(999, 26.0).is_some_and(|left| left < 0.1));
    }

    #[test]
    fn concurrent_kernels_have_one_bar() {
        let all = Concurrent { kernels: 2, first: 3, retired: 5, blocks: 40, instructions: 1000 };
        let files = Files::default();
        let of = |launch, kernel| Progress {
            files: &files,
            line: Some(1),
            kernel,
            launch,
            retired: 1,
            blocks: 20,
            cycle: 1024,
            instructions: 500,
            pass: None,
            all,
        };
        let mut bar = Bar::new(false);
        bar.show(&of(3, "a"));
        let shown = bar.run;
        bar.show(&of(4, "b"));
        assert_eq!(bar.run, shown);
        assert_eq!(title(&of(4, "b")), "2 concurrent kernels");
        assert!(!words(&of(4, "b"), PATIENCE, None).contains("line"));
        bar.show(&Progress { all: Concurrent { kernels: 1, first: 5, ..all }, ..of(5, "c") });
        assert_ne!(bar.run, shown);
    }
}
