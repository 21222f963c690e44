//! From a launch to a report: checks what the chip can take, builds the kernel, and runs it on either machine.

use super::fit::{self, Request};
use super::gpu::{Gpu, HostError};
use super::launch::{Launch, LaunchError, Mode};
use super::memory::Allocation;
use super::module::Loaded;
use super::timeline::Stream;
use crate::config::{Chip, WARP_SIZE};
use crate::exec::Kernel;
use crate::gpu::functional::{self, Ending};
use crate::gpu::machine::Machine;
use crate::gpu::run::{HostStats, RunPlan, Stop, run};
use crate::gpu::stuck;
use crate::hooks::Mutant;
use crate::mem::local::LocalArea;
use crate::observe::Launched;
use crate::occupancy::{Occupancy, Rules};
use crate::racecheck::{Follower, Racecheck};
use crate::stats::races::RaceReport;
use crate::stats::report::{
    LaunchReport, Report, SCHEMA, SchedulerReport, TimingReport, TrapReport, Verdict,
};
use crate::stats::{InstCounters, PcCounters, Totals, build};
use crate::time::NEVER;
use crate::trap::{FaultKind, Trap};
use isa::uop::{Op, Program, TO_EXIT};
use std::sync::Arc;

/// The hot cycle at which a launch is looked at for the first time, to see whether it can end at all; then at double
/// the cycle, and so on. A fixed number: reports do not depend on the host.
pub const FIRST_LOOK: u64 = 1 << 20;

impl Gpu {
    /// See [`Gpu::launch`] and [`Gpu::launch_in`].
    pub(super) fn run_launch(
        &mut self,
        launch: &Launch,
        stream: Option<Stream>,
    ) -> Result<Report, HostError> {
        let (kernel, launched) = self.checked_kernel(launch)?;
        Ok(self.run_checked(launch, &kernel, launched, stream))
    }

    /// Runs a launch that the chip can take.
    pub(super) fn run_checked(
        &mut self,
        launch: &Launch,
        kernel: &Arc<Kernel>,
        launched: LaunchReport,
        stream: Option<Stream>,
    ) -> Report {
        match launch.mode {
            Mode::Functional => self.run_functional(launch, kernel, launched),
            Mode::Timed => {
                let shared = launched.occupancy.needs.shared_bytes.into();
                let chip = self.chip.divided(launch.cache, shared).into_owned();
                self.run_timed(launch, &chip, kernel, launched, stream)
            }
        }
    }

    /// Launches on the functional machine, whatever the launch says, and shows `watch` every executed instruction.
    #[cfg(feature = "test-hooks")]
    pub fn launch_watched(
        &mut self,
        launch: &Launch,
        watch: impl FnMut(functional::Executed),
    ) -> Result<functional::FunctionalEnd, HostError> {
        let (kernel, _) = self.checked_kernel(launch)?;
        Ok(functional::run_watched(&kernel, &mut self.memory, launch.options.max_cycles, watch))
    }

    /// The kernel of a launch that the chip can take, and what the report says of it.
    pub(super) fn checked_kernel(
        &mut self,
        launch: &Launch,
    ) -> Result<(Arc<Kernel>, LaunchReport), HostError> {
        if !self.chip.simulated {
            return Err(LaunchError::NotSimulated { board: self.chip.board.clone() }.into());
        }
        let loaded = &self.modules[launch.module.0 as usize];
        let program = entry(loaded, &launch.entry)?;
        fit::capability(&program, self.chip.capability)?;
        let params = parameters(&program, launch)?;
        let registers = launch.registers.unwrap_or(program.registers);
        let shared = self.shared_per_block(&program, launch);
        let chip = self.chip.divided(launch.cache, shared).into_owned();
        let occupancy = self.check_limits(&chip, &program, launch, registers)?;
        let mut kernel = self.kernel(loaded, program, launch, params);
        if launch.options.hooks.is(Mutant::LanesNeverMeet) {
            let branches = Arc::make_mut(&mut kernel.program).code.iter_mut().filter(|i| i.op == Op::Bra);
            branches.for_each(|branch| branch.aux = TO_EXIT);
        }
        let kernel = Arc::new(kernel);
        self.launches += 1;
        let launched = build::launch_report(&chip, &kernel, registers, launch.registers.is_some(), occupancy);
        Ok((kernel, launched))
    }

    /// Bytes of shared memory that a block takes.
    fn shared_per_block(&self, program: &Program, launch: &Launch) -> u64 {
        let request = Request::of(program, launch.grid, launch.block, launch.dynamic_shared, 0);
        request.occupancy(&Rules::of(&self.chip)).needs.shared_bytes.into()
    }

    /// Refuses what `chip` cannot take, the first limit first; otherwise says how many blocks fit.
    fn check_limits(
        &self,
        chip: &Chip,
        program: &Program,
        launch: &Launch,
        registers: u32,
    ) -> Result<Occupancy, LaunchError> {
        let rules = Rules::of(chip);
        let request = Request::of(program, launch.grid, launch.block, launch.dynamic_shared, registers);
        if let Some(error) = request.refusals(&rules).into_iter().next() {
            return Err(error);
        }
        let occupancy = request.occupancy(&rules);
        // Local memory of all threads that can be resident lies behind all that is allocated.
        let warps = launch.block.count().div_ceil(WARP_SIZE.into()) as u32;
        let needed = LocalArea::bytes(&self.chip, program.local_bytes, warps, occupancy.blocks);
        let taken = self.allocator.table().ranges().last().map_or(0, Allocation::end);
        let available = self.chip.usable_bytes().saturating_sub(taken);
        if needed > available {
            let limit = "bytes of local memory for all threads that can be resident".to_owned();
            return Err(LaunchError::Limit { kernel: program.name.clone(), limit, needed, available });
        }
        Ok(occupancy)
    }

    fn kernel(&self, loaded: &Loaded, program: Arc<Program>, launch: &Launch, params: Vec<u8>) -> Kernel {
        Kernel {
            const32: program.const32.iter().map(|v| [loaded.resolve(*v, &params) as u32; 32]).collect(),
            const64: program.const64.iter().map(|v| [loaded.resolve(*v, &params); 32]).collect(),
            params,
            constants: loaded.constants(),
            grid: launch.grid,
            block: launch.block,
            shared_bytes: program.shared_bytes + launch.dynamic_shared,
            allocations: Arc::new(self.allocator.table().clone()),
            first_path: self.chip.sm.first_path,
            barriers: launch.barriers,
            nsmid: self.chip.clusters * self.chip.cluster.sms,
            nwarpid: self.chip.sm.max_warps,
            grid_id: self.launches,
            program,
        }
    }

    fn run_functional(&mut self, launch: &Launch, kernel: &Kernel, launched: LaunchReport) -> Report {
        let limit = launch.options.max_cycles;
        let mut races = None;
        let end = if self.racecheck {
            let (mut follower, mut racecheck) = (Follower::default(), Racecheck::new());
            let watch = |executed: functional::Executed| {
                follower.follow(&executed, |access| racecheck.access(access));
            };
            let end = functional::run_watched(kernel, &mut self.memory, limit, watch);
            races = Some(RaceReport::new(&racecheck.found(), follower.partial_barriers(), kernel));
            end
        } else {
            functional::run(kernel, &mut self.memory, limit)
        };
        let verdict = match end.ending {
            Ending::Finished => Verdict::Finished,
            Ending::Trapped(trap) => {
                Verdict::Trapped { trap: TrapReport::new(&trap, &kernel.program, vec![trap.warp]) }
            }
            Ending::Hung(stuck) => Verdict::Hung { cycle: end.counts.warp, stuck: *stuck },
            Ending::Limit(stuck) => Verdict::Limit { limit: launch.options.max_cycles, stuck: *stuck },
        };
        let report = self.report("functional", kernel, launched, verdict, (&end.counts, &end.pcs), None);
        Report { races, ..report }
    }

    /// The report of a launch; `counted` are instructions in all and by place.
    pub(super) fn report(
        &self,
        mode: &'static str,
        kernel: &Kernel,
        launch: LaunchReport,
        verdict: Verdict,
        counted: (&InstCounters, &[PcCounters]),
        timing: Option<TimingReport>,
    ) -> Report {
        let mut chip = build::chip_report(&self.chip);
        if let Some(own) = &self.scheduler {
            chip.policy = format!("own: {}", own.name());
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
            races: None,
        }
    }

    fn run_timed(
        &mut self,
        launch: &Launch,
        chip: &Chip,
        kernel: &Arc<Kernel>,
        launched: LaunchReport,
        stream: Option<Stream>,
    ) -> Report {
        let options = &launch.options;
        let per_sm = launched.occupancy.blocks;
        let mut machine =
            Machine::new(chip, kernel, per_sm, &mut self.memory, self.scheduler.as_ref(), options.hooks);
        let window = if options.window == 0 { self.chip.crossbar.latency } else { options.window };
        let mut observer = self.observer.take();
        let watch = observer.as_mut().and_then(|observer| observer.begin(&self.launched(kernel)));
        let mut max_cycles = options.max_cycles;
        if let Some(watch) = &watch {
            machine.clusters.iter_mut().for_each(|cluster| cluster.watch(watch));
            max_cycles = if watch.then_stop { max_cycles.min(watch.cycles.end) } else { max_cycles };
        }
        let mut plan = RunPlan {
            threads: options.threads,
            window: window.into(),
            skip_idle: options.skip_idle,
            max_cycles,
            start: 0,
            pause: FIRST_LOOK,
        };
        self.host_stats = HostStats::default();
        let (stop, endless) = loop {
            let (stop, stats) = run(&mut machine, &plan, observer.as_deref_mut());
            self.host_stats.add(&stats);
            let Stop::Paused(at) = stop else { break (stop, None) };
            if let Some(stuck) = stuck::proved(&machine, kernel) {
                break (stop, Some(stuck));
            }
            (plan.start, plan.pause) = (at, stuck::next_look(kernel, at));
        };
        let cycles = match stop {
            Stop::Finished(at) | Stop::Trapped(at) | Stop::Limit(at) | Stop::Paused(at) => at,
            Stop::Hung => stuck::last_change(&machine),
        };
        let explain = |idle| stuck::explain(&machine, kernel, idle);
        let verdict = match stop {
            Stop::Finished(_) => Verdict::Finished,
            Stop::Trapped(_) => first_trap(&machine, &kernel.program),
            Stop::Hung => Verdict::Hung { cycle: cycles, stuck: explain(true) },
            Stop::Paused(_) => {
                Verdict::Hung { cycle: cycles, stuck: endless.unwrap_or_else(|| explain(false)) }
            }
            Stop::Limit(limit) => Verdict::Limit { limit, stuck: explain(false) },
        };
        for sm in machine.clusters.iter_mut().flat_map(|c| &mut c.sms) {
            sm.close(cycles);
        }
        if let Some(observer) = &mut observer {
            machine.hand_on_rest(cycles, &mut **observer);
        }
        let dram_end = if verdict.is_finished() { finish_writes(&mut machine, cycles) } else { cycles };
        let totals = Totals::of(&mut machine, kernel.program.code.len(), dram_end);
        machine.give_back(&mut self.memory);
        self.took(&kernel.program.name, cycles, stream);
        let timing = build::timing_report(chip, &kernel.program, &totals, cycles);
        let counted = (&totals.inst, &totals.pcs[..]);
        let report = self.report("timed", kernel, launched, verdict, counted, Some(timing));
        if let Some(observer) = observer.as_mut().filter(|_| watch.is_some()) {
            observer.end(&report);
        }
        self.observer = observer;
        report
    }

    /// Writes a kernel of so many hot cycles into the timeline: a plain launch together with its call.
    fn took(&mut self, name: &str, cycles: u64, stream: Option<Stream>) {
        let (ns, launch_ns) = (self.nanoseconds(cycles), self.chip.pcie.launch_ns);
        match stream {
            Some(stream) => self.timeline.kernel(stream, name, launch_ns, ns),
            None => self.timeline.push(name, 0, launch_ns + ns),
        }
    }

    /// Hot cycles as nanoseconds.
    pub(super) fn nanoseconds(&self, cycles: u64) -> u64 {
        (u128::from(cycles) * 1_000_000 / u128::from(self.chip.clocks.hot_khz)) as u64
    }

    fn launched<'a>(&'a self, kernel: &'a Kernel) -> Launched<'a> {
        let Kernel { program, grid, block, .. } = kernel;
        Launched { number: self.launches, program, grid: *grid, block: *block, chip: &self.chip }
    }
}

/// The kernel has ended, but its last stores are still on their way from the point of order to the DRAM: lets each
/// partition work them off, so that the bytes on the bus are all counted. Returns the hot cycle of the last of it.
pub(super) fn finish_writes(machine: &mut Machine, end: u64) -> u64 {
    let mut last = end;
    for (partition, outbox) in &mut machine.partitions {
        partition.flush();
        let mut now = partition.next_wake(end);
        while now != NEVER {
            partition.tick(now, outbox);
            last = last.max(now);
            now = partition.next_wake(now + 1);
        }
    }
    last
}

/// The first trap by cycle, then SM, then block, then warp; or what a user's scheduling policy did wrong, if that was
/// in an earlier cycle.
pub(super) fn first_trap(machine: &Machine, program: &Program) -> Verdict {
    let sms = || machine.clusters.iter().flat_map(|c| &c.sms);
    // Schedulers of one SM issue in the same cycle, in an order that changes from cycle to cycle.
    let place = |t: &&Trap| (t.cycle, t.sm, t.block.z, t.block.y, t.block.x, t.warp);
    let trap = sms().flat_map(|sm| &sm.traps).min_by_key(place);
    let fault = sms().filter_map(|sm| sm.scheduler_fault.as_ref()).min_by_key(|f| (f.cycle, f.sm));
    let trap = match (trap, fault) {
        (Some(trap), fault) if fault.is_none_or(|fault| trap.cycle <= fault.cycle) => trap,
        (_, fault) => {
            let fault = fault.expect("the machine stopped because of a trap or a scheduler's fault");
            return Verdict::Scheduler { fault: SchedulerReport::new(fault) };
        }
    };
    let same =
        |t: &&Trap| t.block == trap.block && matches!(t.fault.kind, FaultKind::DivergentBarrier { .. });
    let mut warps: Vec<u32> = sms().flat_map(|sm| &sm.traps).filter(same).map(|t| t.warp).collect();
    warps.sort_unstable();
    Verdict::Trapped { trap: TrapReport::new(trap, program, warps) }
}

fn entry(loaded: &Loaded, name: &str) -> Result<Arc<Program>, LaunchError> {
    let known = || loaded.module.entries.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
    let found = loaded.module.entry(name).cloned();
    found.ok_or_else(|| LaunchError::NoEntry { name: name.to_owned(), known: known() })
}

/// The parameter block of a launch.
fn parameters(program: &Program, launch: &Launch) -> Result<Vec<u8>, LaunchError> {
    if program.params.len() != launch.args.len() {
        return Err(LaunchError::ArgumentCount {
            kernel: program.name.clone(),
            expected: program.params.len(),
            given: launch.args.len(),
        });
    }
    let mut block = vec![0; program.param_bytes as usize];
    for (index, (param, arg)) in program.params.iter().zip(&launch.args).enumerate() {
        let bytes = arg.to_bytes(param.bytes).ok_or_else(|| LaunchError::ArgumentSize {
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
