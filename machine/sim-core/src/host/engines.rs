//! The engines of a chip for host calls: copy engines, the kernel engine, and which of them are
//! shared.

/// Engine that a call of a stream needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Copies from the host to the device.
    CopyIn,
    /// Copies from the device to the host.
    CopyOut,
    /// The SMs.
    Kernels,
}

/// Most kernels that run at the same time on any chip.
pub const MOST_KERNELS: usize = 16;

/// The engines of a chip, each with the time in nanoseconds from which it is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines {
    copy_engines: u32,
    free_ns: [u64; 3],
    /// Time before which no kernel begins: the start of the last one.
    kernel_ns: u64,
    /// The latest ends of kernels, the last one first.
    ends_ns: [u64; MOST_KERNELS],
}

impl Engines {
    /// Engines of a chip with 0, 1 or 2 copy engines.
    pub fn new(copy_engines: u32) -> Self {
        Self { copy_engines, free_ns: [0; 3], kernel_ns: 0, ends_ns: [0; MOST_KERNELS] }
    }

    /// Reserves an engine for work of `duration_ns` that may begin at `ready_ns`; returns the time
    /// at which the work begins.
    pub fn reserve(&mut self, engine: Engine, ready_ns: u64, duration_ns: u64) -> u64 {
        let free = &mut self.free_ns[self.number(engine)];
        let start = ready_ns.max(*free);
        *free = start + duration_ns;
        if engine == Engine::Kernels {
            self.begin_kernel(start, duration_ns);
        }
        start
    }

    /// Reserves a place for a kernel that may run beside others, at most `most` in all; otherwise
    /// as [`Self::reserve`]. Kernels begin in the order of the calls. Without a copy engine the
    /// chip does one thing at a time.
    pub fn reserve_beside(&mut self, most: usize, ready_ns: u64, duration_ns: u64) -> u64 {
        if self.copy_engines == 0 {
            return self.reserve(Engine::Kernels, ready_ns, duration_ns);
        }
        let place = self.ends_ns[most.clamp(1, MOST_KERNELS) - 1];
        let start = ready_ns.max(self.kernel_ns).max(place);
        let free = &mut self.free_ns[self.number(Engine::Kernels)];
        *free = (start + duration_ns).max(*free);
        self.begin_kernel(start, duration_ns);
        start
    }

    fn begin_kernel(&mut self, start_ns: u64, duration_ns: u64) {
        self.kernel_ns = start_ns;
        let end = start_ns + duration_ns;
        let last = &mut self.ends_ns[MOST_KERNELS - 1];
        *last = end.max(*last);
        self.ends_ns.sort_unstable_by_key(|end| std::cmp::Reverse(*end));
    }

    /// Keeps all engines busy until `ns`.
    pub fn hold_until(&mut self, ns: u64) {
        self.free_ns.iter_mut().for_each(|free| *free = ns.max(*free));
        self.kernel_ns = ns.max(self.kernel_ns);
    }

    /// Index of the engine in `free_ns`.
    fn number(&self, engine: Engine) -> usize {
        match (self.copy_engines, engine) {
            (0, _) | (_, Engine::Kernels) => 0,
            (1, _) | (_, Engine::CopyIn) => 1,
            (_, Engine::CopyOut) => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Start times of three calls that may all begin at 5 ns: copy in, copy out, kernel, of 10 ns
    /// each.
    fn begins(copy_engines: u32) -> [u64; 3] {
        let mut engines = Engines::new(copy_engines);
        [Engine::CopyIn, Engine::CopyOut, Engine::Kernels].map(|engine| engines.reserve(engine, 5, 10))
    }

    #[test]
    fn as_many_calls_overlap_as_there_are_engines() {
        assert_eq!(begins(0), [5, 15, 25]);
        assert_eq!(begins(1), [5, 15, 5]);
        assert_eq!(begins(2), [5, 5, 5]);
    }

    /// Two kernels at a time: the third waits for the end of one of them, and the fourth, which is
    /// ready, does not begin before the third. A kernel that runs alone waits for all of them.
    ///
    /// Tests: `streams-and-copies`.
    #[test]
    fn kernels_begin_in_order_when_a_place_is_free() {
        let mut engines = Engines::new(1);
        let calls = [(0, 100), (10, 30), (5, 10), (0, 200)];
        let starts = calls.map(|(ready, ns)| engines.reserve_beside(2, ready, ns));
        assert_eq!(starts, [0, 10, 40, 50]);
        assert_eq!(engines.reserve(Engine::Kernels, 60, 7), 250);
        assert_eq!(engines.reserve_beside(16, 60, 7), 250);
        assert_eq!(engines.reserve(Engine::Kernels, 0, 1), 257);
        engines.hold_until(300);
        assert_eq!(engines.reserve_beside(16, 0, 1), 300);
        assert_eq!(Engines::new(0).reserve_beside(2, 3, 5), 3);
    }

    /// Tests: `streams-and-copies`.
    #[test]
    fn an_engine_executes_calls_in_order() {
        let mut engines = Engines::new(1);
        assert_eq!(engines.reserve(Engine::CopyIn, 100, 10), 100);
        assert_eq!(
            engines.reserve(Engine::CopyOut, 0, 10),
            110,
            "it is ready at 0, but waits for the earlier call"
        );
    }
}
