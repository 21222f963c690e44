//! From a launch to a report: checks the limits of the chip, builds the kernel, and runs it on
//! either machine.

use super::ahead::Later;
use super::checks::Checked;
use super::fit::{self, Request};
use super::gpu::{Gpu, HostError};
use super::launch::{Arg, Launch};
use super::launch_error::{LaunchError, LaunchLimit};
use super::memory::DevicePtr;
use super::module::Loaded;
use super::monitor::functional_progress;
use super::timeline::Stream;
use crate::config::{Chip, WARP_SIZE};
use crate::debug::Session;
use crate::events::Watch;
use crate::exec::wide::Vectors;
use crate::exec::{Kernel, Mode};
use crate::gpu::functional::block::Block;
use crate::gpu::functional::stepped::Stepped;
use crate::gpu::functional::{self, Ending, Hooks};
use crate::gpu::machine::Part;
use crate::gpu::stop::StopReason;
use crate::gpu::untimed::Untimed;
use crate::hooks::Mutant;
use crate::mem::image::Memory;
use crate::mem::local::LocalArea;
use crate::mem::map::AddressMap;
use crate::occupancy::{Occupancy, Rules};
use crate::stats::ending::functional_verdict;
use crate::stats::report::{
    LaunchReport, PolicyReport, RelaxedReport, Report, SCHEMA, TimingReport, Verdict,
};
use crate::stats::{InstCounters, PcCounters, build};
use isa::terms::Terms;
use isa::uop::{Op, Program, TO_EXIT};
use std::sync::Arc;

/// Warp instructions between two calls of an observer of the functional machine.
const OBSERVED: u64 = 1 << 12;

/// A launch that passed all checks.
pub(super) struct Ready<'a> {
    /// The launch as the host program described it.
    pub launch: &'a Launch,
    /// Stream of the launch; `None`: the host waits for the launch.
    pub stream: Option<Stream>,
    /// The chip with its configuration for this launch.
    pub chip: Chip,
    /// Program, grid, parameters and allocations of the launch.
    pub kernel: Arc<Kernel>,
    /// The launch's part of the report.
    pub launched: LaunchReport,
}

impl Ready<'_> {
    /// Returns the input for building the timed machine.
    pub fn part(&self) -> Part {
        Part {
            kernel: Arc::clone(&self.kernel),
            per_sm: self.launched.occupancy.blocks,
            sm: self.chip.sm.clone(),
        }
    }
}

impl Gpu {
    /// Runs a launch; see [`Gpu::launch`] and [`Gpu::launch_in`]. `later` are the calls after it,
    /// as far as they are known.
    pub(super) fn run_launch(
        &mut self,
        launch: &Launch,
        stream: Option<Stream>,
        later: &Later<'_>,
    ) -> Result<Report, HostError> {
        let ready = self.checked(launch, stream, self.launches)?;
        self.launches += 1;
        self.beside = self.traffic(stream.as_slice(), later);
        Ok(self.run_ready(&[ready])?.remove(0))
    }

    /// Runs a checked launch, or several timed launches as concurrent kernels.
    pub(super) fn run_ready(&mut self, launches: &[Ready<'_>]) -> Result<Vec<Report>, HostError> {
        let warmed = match self.warmed(launches) {
            Ok(warmed) => warmed,
            Err(report) => return Ok(self.told(vec![*report])),
        };
        let identity = self.identity(launches, warmed.as_ref())?;
        // An observed launch is never sampled.
        let sampling = self.sampling.filter(|_| self.observer.is_none());
        let reports = match (launches, sampling) {
            ([one], _) if one.launch.mode == Mode::Functional => vec![self.run_functional(one)],
            ([_], Some(sampling)) => self.run_sampled(launches, sampling),
            _ => self.run_timed(launches, identity, warmed)?,
        };
        Ok(self.ran(launches, reports))
    }

    /// Notes that launches have run. Returns their reports, with their output.
    pub(super) fn ran(&mut self, launches: &[Ready<'_>], mut reports: Vec<Report>) -> Vec<Report> {
        if !matches!(launches, [one] if one.launch.mode == Mode::Functional) {
            self.all_written();
            self.effects.lose();
        }
        for ready in launches {
            self.uses_library(&ready.kernel.program);
        }
        self.printed(launches.iter().map(|ready| ready.launch.module), &mut reports);
        self.told(reports)
    }

    /// Passes reports to the listener.
    pub(super) fn told(&mut self, reports: Vec<Report>) -> Vec<Report> {
        if let Some(listener) = &mut self.listener {
            reports.iter().for_each(listener);
        }
        reports
    }

    /// Launches on the functional machine, in every mode of the launch, and passes every executed
    /// instruction to `watch`.
    #[cfg(feature = "test-hooks")]
    pub fn launch_observed(
        &mut self,
        launch: &Launch,
        watch: impl FnMut(functional::Executed),
    ) -> Result<functional::FunctionalEnd, HostError> {
        let kernel = self.checked(launch, None, self.launches)?.kernel;
        self.launches += 1;
        let hooks = Hooks { tell: None, watch: Some(watch), speculation: None };
        Ok(functional::run(&kernel, &mut self.memory, launch.options.max_cycles, hooks))
    }

    /// Checks a launch; `number` launches were made before it.
    pub(super) fn checked<'a>(
        &self,
        launch: &'a Launch,
        stream: Option<Stream>,
        number: u32,
    ) -> Result<Ready<'a>, HostError> {
        if !self.chip.simulated {
            return Err(LaunchError::NotSimulated { board: self.chip.board.clone() }.into());
        }
        let loaded = &self.modules[launch.module.0 as usize];
        let program = entry(loaded, launch)?;
        fit::capability(&program, self.chip.capability, self.chip.features)?;
        self.check_textures(&program, launch)?;
        let params = parameters(&program, launch, loaded.module.const_bytes)?;
        let program = program.with_wide_addresses(&params).unwrap_or(program);
        let registers = launch.registers.unwrap_or(program.registers);
        let shared = self.shared_per_block(&program, launch);
        let chip = self.chip.divided(launch.cache, shared).into_owned();
        let occupancy = self.check_limits(&chip, &program, launch, registers)?;
        let mut kernel = self.kernel(loaded, program, launch, params, number);
        self.add_constants(&mut kernel, launch, loaded.module.const_bytes)?;
        if launch.options.hooks.is(Mutant::LanesNeverMeet) {
            let branches = Arc::make_mut(&mut kernel.program).code.iter_mut().filter(|i| i.op == Op::Bra);
            branches.for_each(|branch| branch.aux = TO_EXIT);
        }
        let kernel = Arc::new(kernel);
        let launched = build::launch_report(&chip, &kernel, registers, launch.registers.is_some(), occupancy);
        Ok(Ready { launch, stream, chip, kernel, launched })
    }

    /// Copies arguments to the constant bank of a kernel, behind the variables of its module.
    fn add_constants(&self, kernel: &mut Kernel, launch: &Launch, start: u32) -> Result<(), HostError> {
        let (places, end) = launch.placed(&kernel.program, start, Arg::constant);
        if places.iter().all(Option::is_none) {
            return Ok(());
        }
        let (needed, available) = (end.into(), self.chip.limits.const_bytes.into());
        if needed > available {
            return Err(HostError::ConstantMemory { needed, available });
        }
        let bank = Arc::make_mut(&mut kernel.constants);
        bank.resize(end as usize, 0);
        for (arg, place) in launch.args.iter().zip(places) {
            let (Arg::Constant(ptr, bytes), Some(at)) = (arg, place) else { continue };
            self.allocator.check_device(*ptr, (*bytes).into())?;
            self.memory.read(ptr.address(), &mut bank[at as usize..][..*bytes as usize]);
        }
        Ok(())
    }

    /// Returns the bytes of shared memory that a block needs.
    fn shared_per_block(&self, program: &Program, launch: &Launch) -> u64 {
        let request = Request::of(program, launch.grid, launch.block, launch.dynamic_bytes(program), 0);
        request.occupancy(&Rules::of(&self.chip)).needs.shared_bytes.into()
    }

    /// Rejects a launch that exceeds a limit of `chip` (the first limit is reported); otherwise
    /// returns the occupancy.
    fn check_limits(
        &self,
        chip: &Chip,
        program: &Program,
        launch: &Launch,
        registers: u32,
    ) -> Result<Occupancy, LaunchError> {
        let rules = Rules::of(chip);
        let dynamic = launch.dynamic_bytes(program);
        let request = Request::of(program, launch.grid, launch.block, dynamic, registers);
        if let Some(error) = request.refusals(&rules).into_iter().next() {
            return Err(error);
        }
        let occupancy = request.occupancy(&rules);
        // The local memory of all threads that can be resident is after all allocations.
        let warps = launch.block.count().div_ceil(WARP_SIZE.into()) as u32;
        let needed = LocalArea::bytes(&self.chip, program.local_bytes, warps, occupancy.blocks);
        let end = LocalArea::end(&self.chip, self.allocator.mapped_from());
        let available = end.saturating_sub(self.allocator.device_end());
        if needed > available {
            let limit = LaunchLimit::ResidentLocal;
            let terms = Terms::of(program.source.files());
            return Err(LaunchError::Limit { kernel: program.name.clone(), limit, needed, available, terms });
        }
        Ok(occupancy)
    }

    fn kernel(
        &self,
        loaded: &Loaded,
        program: Arc<Program>,
        launch: &Launch,
        params: Vec<u8>,
        number: u32,
    ) -> Kernel {
        Kernel {
            const32: program.const32.iter().map(|v| [loaded.resolve(*v, &params) as u32; 32]).collect(),
            const64: program.const64.iter().map(|v| [loaded.resolve(*v, &params); 32]).collect(),
            textures: self.textures(loaded, &program, &params),
            surfaces: self.surfaces(loaded, &program, &params),
            params,
            constants: loaded.constants(),
            grid: launch.grid,
            block: launch.block,
            shared_bytes: program.shared_bytes + launch.dynamic_bytes(&program),
            allocations: Arc::new(self.allocator.table().clone()),
            mapped_from: self.allocator.mapped_from(),
            first_path: self.chip.sm.first_path,
            barriers: launch.barriers,
            memory: launch.memory,
            nsmid: self.chip.clusters * self.chip.cluster.sms,
            nwarpid: self.chip.sm.max_warps,
            grid_id: number,
            environment: launch.environment,
            vectors: Vectors::of(launch.options.hooks),
            program,
        }
    }

    /// Calls the debugger, if there is one, for a launch on the functional machine. Returns the
    /// block at which the launch continues, and the end of the launch if it has ended.
    fn debug_functional<'r>(&mut self, ready: &'r Ready<'_>) -> Option<(Block<'r>, Option<Ending>)> {
        let debugger = self.debugger.as_mut().filter(|_| self.checking.on.is_empty())?;
        let Ready { launch, kernel, chip, .. } = ready;
        let memory = std::mem::replace(&mut self.memory, Memory::new(AddressMap::LINEAR));
        let stepped = Stepped::new(kernel, memory, chip, launch.options.max_cycles, &Watch::ALL);
        let mut session = Session::functional(stepped, chip);
        debugger.debug(&mut session);
        let (stepped, killed) = session.into_functional();
        let (block, memory, mut ending) = stepped.into_parts();
        if killed {
            let stuck = Box::new(block.stuck(&memory, false));
            ending = Some(Ending::Stopped(StopReason::Interrupted, stuck));
        }
        self.memory = memory;
        Some((block, ending))
    }

    /// Runs a launch on the functional machine for the observer, if it wants its events. Returns
    /// the block at which the launch continues, and its end if it has ended.
    fn observe_functional<'r>(&mut self, ready: &'r Ready<'_>) -> Option<(Block<'r>, Option<Ending>)> {
        let is_checked = !self.checking.on.is_empty();
        let mut observer = self.observer.take_if(|observer| !is_checked && observer.is_functional())?;
        let watch = observer.begin(&self.launched(&ready.kernel));
        let ended = watch.map(|watch| {
            let Ready { launch, kernel, chip, .. } = ready;
            let memory = std::mem::replace(&mut self.memory, Memory::new(AddressMap::LINEAR));
            let end = if watch.then_stop { watch.cycles.end } else { u64::MAX };
            let limit = launch.options.max_cycles.min(end);
            let mut stepped = Stepped::new(kernel, memory, chip, limit, &watch);
            let mut events = Vec::new();
            let mut goes_on = true;
            while goes_on && !stepped.has_ended() {
                stepped.advance(stepped.executed().saturating_add(OBSERVED), &mut events);
                goes_on = events.is_empty() || observer.events(kernel.number(), &events).is_continue();
                events.clear();
            }
            let (block, memory, mut ending) = stepped.into_parts();
            if ending.is_none() {
                let stuck = Box::new(block.stuck(&memory, false));
                ending = Some(Ending::Stopped(StopReason::Interrupted, stuck));
            }
            self.memory = memory;
            (block, ending)
        });
        self.observer = Some(observer);
        ended
    }

    fn run_functional(&mut self, ready: &Ready<'_>) -> Report {
        if let Some(end) = self.replaced(ready) {
            let counted = (&end.counts, &end.pcs[..]);
            let launched = ready.launched.clone();
            return self.report(Mode::Functional, &ready.kernel, launched, Verdict::Finished, counted, None);
        }
        let debugged = self.debug_functional(ready);
        let observed = if debugged.is_none() { self.observe_functional(ready) } else { None };
        let is_observed = observed.is_some();
        let debugged = debugged.or(observed);
        let Ready { kernel, launched, .. } = ready;
        // The monitor is taken out, because the launch needs the whole GPU.
        let mut monitor = self.monitor.take();
        let mut progress = monitor.as_mut().map(|monitor| functional_progress(monitor, kernel));
        let tell = progress.as_mut().map(|progress| progress as functional::Tell<'_>);
        let Checked { end, checks } = match debugged {
            Some((block, ending)) => {
                let end = if let Some(ending) = ending {
                    block.end(ending)
                } else {
                    let speculation = self.speculations.of(ready);
                    let hooks = Hooks { tell, watch: functional::UNOBSERVED, speculation };
                    functional::finish(block, &mut self.memory, hooks)
                };
                Checked { end, checks: None }
            }
            None => self.run_checked(ready, tell),
        };
        drop(progress);
        self.monitor = monitor;
        let verdict = functional_verdict(&end.ending, end.counts.warp, kernel);
        let report =
            self.report(Mode::Functional, kernel, launched.clone(), verdict, (&end.counts, &end.pcs), None);
        let report = Report { checks, ..report };
        if let Some(observer) = self.observer.as_mut().filter(|_| is_observed) {
            observer.end(&report);
        }
        report
    }

    /// Makes the report of a launch; `counted` has the instruction counters in total and by
    /// instruction.
    pub(super) fn report(
        &self,
        mode: Mode,
        kernel: &Kernel,
        launch: LaunchReport,
        verdict: Verdict,
        counted: (&InstCounters, &[PcCounters]),
        timing: Option<TimingReport>,
    ) -> Report {
        let mut chip = build::chip_report(&self.chip);
        if let Some(own) = &self.scheduler {
            chip.policy = PolicyReport::Own { name: own.name().to_owned() };
        }
        Report {
            schema: SCHEMA,
            mode,
            chip,
            launch,
            verdict,
            instructions: build::instruction_report(counted.0),
            control: build::control_report(&kernel.program, counted.0, counted.1),
            timing,
            sampled: None,
            warmup: None,
            relaxed: RelaxedReport::new(&kernel.program, counted.1),
            checks: None,
            output: None,
        }
    }
}

/// Returns the program of a launch. If it needs more registers than the chip has and the launch
/// does not give their number, the program that keeps values in local memory is returned.
fn entry(loaded: &Loaded, launch: &Launch) -> Result<Arc<Program>, LaunchError> {
    let name = launch.entry.as_str();
    let known = || loaded.module.entries.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
    let fitted = loaded.fitted.iter().filter(|_| launch.registers.is_none());
    let found = fitted.chain(&loaded.module.entries).find(|program| program.name == name).cloned();
    found.ok_or_else(|| LaunchError::NoEntry { name: name.to_owned(), known: known() })
}

/// Returns the parameter block of a launch.
fn parameters(program: &Program, launch: &Launch, const_bytes: u32) -> Result<Vec<u8>, LaunchError> {
    if program.params.len() != launch.args.len() {
        return Err(LaunchError::ArgumentCount {
            kernel: program.name.clone(),
            expected: program.params.len(),
            given: launch.args.len(),
        });
    }
    let mut block = vec![0; program.param_bytes as usize];
    let (constants, _) = launch.placed(program, const_bytes, Arg::constant);
    let (locals, _) =
        launch.placed(program, program.shared_bytes.saturating_add(launch.dynamic_shared), Arg::local);
    for (index, (param, arg)) in program.params.iter().zip(&launch.args).enumerate() {
        let placed = constants[index].or(locals[index]).map(DevicePtr::new);
        let bytes = placed.map_or_else(|| arg.to_bytes(param.bytes), |at| Arg::Ptr(at).to_bytes(param.bytes));
        let bytes = bytes.ok_or_else(|| LaunchError::ArgumentSize {
            kernel: program.name.clone(),
            index,
            param: param.name.clone(),
            expected: param.bytes,
            ty: param.ty,
        })?;
        block[param.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(block)
}
