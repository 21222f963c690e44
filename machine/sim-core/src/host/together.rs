//! Concurrent kernels, of different streams, on chips that run several kernels together
//! (`dispatch.concurrent_kernels`).
//!
//! Invariant `concurrent-kernels`: A concurrent kernel computes what it computes alone, for any use
//! of the host; an SM holds blocks of one kernel at a time.

use super::ahead::Later;
use super::gpu::{Gpu, HostError};
use super::launch::Launch;
use super::start::Ready;
use super::timeline::Stream;
use crate::exec::Mode;
use crate::stats::report::Report;

impl Gpu {
    /// Launches kernels that wait in their streams and become ready at the same time. Returns one
    /// report per kernel. [`Gpu::run_schedule`] also runs kernels together that begin at different
    /// times.
    ///
    /// At most `dispatch.concurrent_kernels` kernels run at the same time; kernels of one stream
    /// run one after the other. All of them arrive at the chip in the same cycle. A cluster of SMs
    /// holds blocks of one kernel at a time, and blocks of a kernel are dispatched when all blocks
    /// of the earlier kernels have been dispatched. Concurrent kernels share the crossbar, the
    /// partitions and the DRAM, and their memory accesses are visible to each other immediately:
    /// kernels that access common bytes race. The functional machine, and a chip that runs one
    /// kernel at a time, run them in the given order.
    ///
    /// The counters of a report are those of its kernel, except the counters of the partitions and
    /// the DRAM: these count for all concurrent kernels until the last one ends. Observer, monitor
    /// and listener are called for each kernel as for a kernel that runs alone. The machine stops
    /// as a whole:
    ///
    /// - A trap, a limit or a monitor stops all kernels that have not ended. After a trap all of
    ///   them have its verdict.
    /// - The lowest `max_cycles` applies to all kernels. All other options are those of the first
    ///   launch.
    /// - A kernel that can never end is reported when the others have ended, or when it is proved
    ///   that none of the remaining kernels can end.
    ///
    /// Concurrent kernels are never sampled.
    ///
    /// # Errors
    ///
    /// Nothing is launched if one of the launches is rejected.
    pub fn launch_together(&mut self, launches: &[(Stream, &Launch)]) -> Result<Vec<Report>, HostError> {
        let checked = (self.launches..).zip(launches);
        let checked: Vec<Ready<'_>> = checked
            .map(|(number, (s, launch))| self.checked(launch, Some(*s), number))
            .collect::<Result<_, _>>()?;
        self.launches += launches.len() as u32;
        let most = self.chip.dispatch.concurrent_kernels as usize;
        let mut reports = Vec::with_capacity(launches.len());
        let mut rest = &checked[..];
        while !rest.is_empty() {
            let (concurrent, later) = rest.split_at(concurrent(rest, most));
            let streams: Vec<Stream> = concurrent.iter().filter_map(|ready| ready.stream).collect();
            self.beside = self.traffic(&streams, &Later::default());
            reports.extend(self.run_ready(concurrent)?);
            rest = later;
        }
        Ok(reports)
    }
}

/// Number of the first launches that run concurrently: timed launches, each of another stream, at
/// most `most`.
fn concurrent(launches: &[Ready<'_>], most: usize) -> usize {
    let timed = |ready: &Ready<'_>| ready.launch.mode == Mode::Timed;
    let fits = |n: usize| {
        timed(&launches[n]) && launches[..n].iter().all(|r| timed(r) && r.stream != launches[n].stream)
    };
    1 + (1..launches.len().min(most)).take_while(|n| fits(*n)).count()
}
