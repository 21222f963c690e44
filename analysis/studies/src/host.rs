//! Interface of a study to the program around it: its messages and its signals.

use indicatif::ProgressBar;
use sim_core::host::Gpu;

/// The program around a study.
pub trait Host: Send + Sync {
    /// Digest of the sources that decide the result of a simulation.
    fn sources(&self) -> &'static str;

    /// Digest of the program file, which contains the components that the program registers; empty
    /// if it registers none.
    fn executable(&self) -> &'static str {
        ""
    }

    /// Prints a line on standard error.
    fn say(&self, text: &str);

    /// A progress bar for this number of points.
    fn bar(&self, _points: u64) -> ProgressBar {
        ProgressBar::hidden()
    }

    /// Whether a signal asks for the end of the study.
    fn interrupted(&self) -> bool;

    /// Notes that the study has stopped its work after a signal, and writes its results.
    fn ends(&self) {}

    /// Makes a signal stop the launches of a GPU.
    fn monitor(&self, gpu: &mut Gpu);
}
