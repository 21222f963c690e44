//! Launches whose arguments are known, for host APIs that do not pass them as CUDA does.

use super::Runtime;
use super::error::Outcome;
use super::functions::largest_block;
use super::launch::Begun;
use super::thread::Thread;
use isa::types::Dim3;
use isa::uop::{Module, Program};
use sim_core::host::fit::Request;
use sim_core::host::{Arg, CachePreference, HostError, Launch, Mode, ModuleId};
use sim_core::occupancy::Rules;
use std::sync::Arc;

/// A launch of a kernel of a loaded module.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The module.
    pub module: ModuleId,
    /// The kernel.
    pub program: Arc<Program>,
    /// Number of blocks.
    pub grid: Dim3,
    /// Threads per block.
    pub block: Dim3,
    /// The arguments.
    pub args: Vec<Arg>,
    /// Values of `%envreg0` to `%envreg31`.
    pub environment: [u32; 32],
}

impl Runtime {
    /// Loads a module that no text of the program contains.
    ///
    /// # Errors
    ///
    /// The module does not fit on the device.
    pub fn load_module(&mut self, thread: &Thread, module: Module) -> Outcome<ModuleId> {
        let number = self.handle();
        self.load(thread, number, module, Vec::new())
    }

    /// Threads of the largest block that a launch of a kernel can have; 0 if none.
    ///
    /// # Errors
    ///
    /// There is no device.
    pub fn largest_block(&mut self, thread: &Thread, program: &Program) -> Outcome<u32> {
        Ok(largest_block(&Rules::of(self.device(thread)?.gpu.chip()), program))
    }

    /// Returns the bytes of shared memory that a launch with parameters of that size adds.
    ///
    /// # Errors
    ///
    /// There is no device.
    pub fn launch_bytes(&mut self, thread: &Thread, param_bytes: u32) -> Outcome<u32> {
        Ok(Rules::of(self.device(thread)?.gpu.chip()).launch_bytes(param_bytes))
    }

    /// Checks whether an SM can hold a block of a kernel with arguments; says why not.
    ///
    /// # Errors
    ///
    /// It cannot, or there is no device.
    pub fn check_block(&mut self, thread: &Thread, prepared: &Prepared) -> Outcome<()> {
        let Prepared { module, program, block, args, .. } = prepared;
        let one = Dim3::new(1, 1, 1);
        let launch = Launch::new(*module, &program.name, one, *block).args(args.clone());
        let request = Request::of(program, one, *block, launch.dynamic_bytes(program), program.registers);
        let rules = Rules::of(self.device(thread)?.gpu.chip());
        let refusal = request.refusals(&rules).into_iter().next();
        self.told(refusal.map_or(Ok(()), |error| Err(HostError::Launch(error))))
    }

    /// Executes a launch, and waits for it. Returns its start and its nanoseconds on the timeline.
    ///
    /// # Errors
    ///
    /// The chip refuses the launch, or an earlier one has trapped.
    pub fn launch_prepared(&mut self, thread: &Thread, prepared: &Prepared) -> Outcome<(u64, u64)> {
        let Prepared { module, program, grid, block, args, environment } = prepared.clone();
        let cache = self.settings.cache.unwrap_or(CachePreference::None);
        let shape =
            self.estimates.as_mut().map(|known| known.shape(&program, (grid, block), (0, cache as i32)));
        let mode = if self.is_timed(shape) { Mode::Timed } else { Mode::Functional };
        let mut launch = Launch::new(module, &program.name, grid, block).args(args).environment(environment);
        launch.options = self.run_options(mode);
        let (memory, barriers) = (self.settings.memory, self.settings.barriers);
        let registers = self.settings.registers;
        let launch = Launch { memory, barriers, cache, mode, registers, ..launch };
        let begun = Begun { program, uncovered: None, line: self.line() };
        let report = self.run(thread, None, launch)?;
        let estimated = shape.and_then(|shape| self.sampled(thread.device, None, shape, &report));
        let span = self.last_span(thread.device, &report, estimated);
        self.ended(thread.device, &begun, report, (estimated, span), true);
        Ok(span)
    }
}
