//! What a chip does beside its kernels: its copy engines, and which of them share.

/// What a call of a stream needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A copy from the host.
    CopyIn,
    /// A copy to the host.
    CopyOut,
    /// The SMs.
    Kernels,
}

/// The engines of a chip, each with the nanosecond from which it is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engines {
    copy_engines: u32,
    free_ns: [u64; 3],
}

impl Engines {
    /// With so many copy engines: 0, 1 or 2.
    pub fn new(copy_engines: u32) -> Self {
        Self { copy_engines, free_ns: [0; 3] }
    }

    /// Gives an engine work of `duration_ns` that may begin at `ready_ns`; returns when it begins.
    pub fn take(&mut self, engine: Engine, ready_ns: u64, duration_ns: u64) -> u64 {
        let free = &mut self.free_ns[self.number(engine)];
        let start = ready_ns.max(*free);
        *free = start + duration_ns;
        start
    }

    /// Nothing begins before this.
    pub fn all_until(&mut self, ns: u64) {
        self.free_ns.iter_mut().for_each(|free| *free = ns.max(*free));
    }

    /// Which engine does it.
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

    /// When three calls begin that may all begin at once: in, out, kernel, of 10 nanoseconds each.
    fn begins(copy_engines: u32) -> [u64; 3] {
        let mut engines = Engines::new(copy_engines);
        [Engine::CopyIn, Engine::CopyOut, Engine::Kernels].map(|engine| engines.take(engine, 5, 10))
    }

    #[test]
    fn as_many_things_at_once_as_there_are_engines() {
        assert_eq!(begins(0), [5, 15, 25]);
        assert_eq!(begins(1), [5, 15, 5]);
        assert_eq!(begins(2), [5, 5, 5]);
    }

    /// Tests: `streams-and-copies`.
    #[test]
    fn an_engine_takes_its_work_in_the_order_of_the_calls() {
        let mut engines = Engines::new(1);
        assert_eq!(engines.take(Engine::CopyIn, 100, 10), 100);
        assert_eq!(
            engines.take(Engine::CopyOut, 0, 10),
            110,
            "it could begin at once, and waits for the one before"
        );
    }
}
