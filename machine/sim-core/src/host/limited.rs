//! Timed launches whose work has a limit.

use super::ahead::Later;
use super::gpu::{Gpu, HostError};
use super::launch::Launch;
use super::timeline::Stream;
use crate::exec::Mode;
use crate::gpu::run::HostStats;
use crate::stats::report::Report;

impl Gpu {
    /// Runs a kernel as [`Gpu::launch`] and [`Gpu::launch_in`] do, unless its work
    /// ([`Report::work`]) is found to be more than `most_work`. Then it returns `None`, and the GPU
    /// is as before the call.
    ///
    /// The work is compared every 4,096 shader cycles, so that it may exceed the limit by what the
    /// chip does in this time. A launch that is functional, sampled, observed or debugged, or whose
    /// state is saved or loaded, has no limit.
    pub fn launch_within(
        &mut self,
        stream: Option<Stream>,
        launch: &Launch,
        most_work: u64,
    ) -> Result<Option<Report>, HostError> {
        let later = Later::default();
        let is_special = launch.mode == Mode::Functional
            || self.sampling().is_some()
            || self.observer.is_some()
            || self.debugger.is_some()
            || self.warmup.is_some()
            || !self.states.idle();
        if is_special {
            return self.run_launch(launch, stream, &later).map(Some);
        }
        let launches = [self.checked(launch, stream, self.launches)?];
        self.beside = self.traffic(stream.as_slice(), &later);
        // Copies share their pages until they are written.
        let before = self.memory.clone();
        self.host_stats = HostStats::default();
        let begun = self.begin(&launches);
        let Some(ran) = self.complete_within(most_work, &launches, begun, None, None) else {
            self.memory = before;
            return Ok(None);
        };
        self.launches += 1;
        let reports = self.reports(&launches, &ran);
        Ok(self.ran(&launches, reports).pop())
    }
}
