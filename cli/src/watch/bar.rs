//! The bar of a launch that takes long; lines of text where there is no terminal.

use crate::output::complain;
use crate::render::number::count;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sim_core::host::Progress;
use std::time::{Duration, Instant};

/// Shorter launches have no bar, and lines are not closer together.
const PATIENCE: Duration = Duration::from_secs(1);

/// Which run of which launch; of concurrent kernels the first one's.
type Run = (u32, Option<u32>);

/// What is shown of launches, one after the other.
pub struct Bar {
    terminal: bool,
    /// The run that is shown, and when it was heard of first.
    run: Option<(Run, Instant)>,
    /// When the last line was written.
    told: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// On a terminal, or as lines on standard error.
    pub fn new(terminal: bool) -> Self {
        Self { terminal, run: None, told: Instant::now(), bar: None }
    }

    /// Shows how far a launch is, or concurrent kernels together.
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
        if self.terminal {
            let bar = self.bar.get_or_insert_with(|| bar(all.blocks));
            bar.set_prefix(title(progress));
            bar.set_message(words(progress, took));
            bar.set_position(all.retired);
        } else if now.duration_since(self.told) >= PATIENCE {
            self.told = now;
            let (done, all) = (count(all.retired), count(all.blocks));
            complain(&format!("{}: {done} of {all} blocks, {}", title(progress), words(progress, took)));
        }
    }

    /// Takes it off the terminal.
    pub fn clear(&mut self) {
        self.run = None;
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar(blocks: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(blocks), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{prefix} {bar:20} {pos}/{len} blocks, {msg}");
    bar.set_style(style.expect("a constant template"));
    bar
}

/// Which launch it is.
fn title(progress: &Progress<'_>) -> String {
    match (progress.pass, progress.all.kernels) {
        (Some(pass), _) => format!("{}, sample {}", progress.kernel, pass.number),
        (None, 1) => progress.kernel.to_owned(),
        (None, kernels) => format!("{kernels} concurrent kernels"),
    }
}

/// Cycles, speed, and the time left if the blocks to come take as long as those that have ended.
fn words(progress: &Progress<'_>, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    let all = progress.all;
    let speed = all.instructions as f64 / seconds / 1e6;
    let left = match all.retired {
        0 => "?".to_owned(),
        done => clock(seconds * (all.blocks - done) as f64 / done as f64),
    };
    let cycles =
        if progress.cycle > 0 { format!("{} cycles, ", count(progress.cycle)) } else { String::new() };
    format!("{cycles}{speed:.1} M warp instructions/s, {left} left")
}

/// Hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::host::{Concurrent, Pass};

    #[test]
    fn the_words_say_how_far_how_fast_and_how_long() {
        let mut progress = Progress {
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
        assert_eq!(words(&progress, at), "1,234,567 cycles, 5.0 M warp instructions/s, 0:30 left");
        assert_eq!(title(&progress), "k");
        progress.all.retired = 0;
        progress.cycle = 0;
        progress.pass = Some(Pass { number: 2, of_blocks: 1000 });
        assert_eq!(words(&progress, at), "5.0 M warp instructions/s, ? left");
        assert_eq!(title(&progress), "k, sample 2");
        assert_eq!((clock(59.6), clock(3_725.0)), ("1:00".to_owned(), "1:02:05".to_owned()));
    }

    #[test]
    fn concurrent_kernels_have_one_bar() {
        let all = Concurrent { kernels: 2, first: 3, retired: 5, blocks: 40, instructions: 1000 };
        let of = |launch, kernel| Progress {
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
        bar.show(&Progress { all: Concurrent { kernels: 1, first: 5, ..all }, ..of(5, "c") });
        assert_ne!(bar.run, shown);
    }
}
