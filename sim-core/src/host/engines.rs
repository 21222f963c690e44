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

/// The engines of a chip, each with the time in nanoseconds from which it is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines {
    copy_engines: u32,
    free_ns: [u64; 3],
}

impl Engines {
    /// Engines of a chip with 0, 1 or 2 copy engines.
    pub fn new(copy_engines: u32) -> Self {
        Self { copy_engines, free_ns: [0; 3] }
    }

    /// Reserves an engine for work of `duration_ns` that may begin at `ready_ns`; returns the time
    /// at which the work begins.
    pub fn reserve(&mut self, engine: Engine, ready_ns: u64, duration_ns: u64) -> u64 {
        let free = &mut self.free_ns[self.number(engine)];
        let start = ready_ns.max(*free);
        *free = start + duration_ns;
        start
    }

    /// Keeps all engines busy until `ns`.
    pub fn hold_until(&mut self, ns: u64) {
        self.free_ns.iter_mut().for_each(|free| *free = ns.max(*free));
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
