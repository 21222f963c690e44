//! From a launch to a report: checks what the chip can take, builds the kernel, and runs it on either machine.

use super::gpu::{Gpu, HostError};
use super::launch::{Launch, LaunchError, Mode};
use super::module::Loaded;
use crate::exec::Kernel;
use crate::gpu::functional::{self, Ending, Waiting};
use crate::gpu::machine::Machine;
use crate::gpu::run::{RunPlan, Stop, run};
use crate::gpu::stuck;
use crate::hooks::Mutant;
use crate::observe::Launched;
use crate::occupancy::Occupancy;
use crate::stats::report::{
    LaunchReport, Report, SCHEMA, SchedulerReport, TimingReport, TrapReport, Verdict, WaitReport,
};
use crate::stats::{InstCounters, PcCounters, Totals, build};
use crate::time::NEVER;
use isa::types::Dim3;
use isa::uop::{Op, Program, TO_EXIT};
use std::sync::Arc;

impl Gpu {
    /// See [`Gpu::launch`].
    pub(super) fn run_launch(&mut self, launch: &Launch) -> Result<Report, HostError> {
        let loaded = &self.modules[launch.module.0 as usize];
        let program = entry(loaded, &launch.entry)?;
        self.check_capability(&program)?;
        let params = parameters(&program, launch)?;
        let registers = launch.registers.unwrap_or(program.registers);
        let occupancy = self.check_limits(&program, launch, registers)?;
        let mut kernel = self.kernel(loaded, program, launch, params);
        if launch.options.hooks.is(Mutant::LanesNeverMeet) {
            let branches = Arc::make_mut(&mut kernel.program).code.iter_mut().filter(|i| i.op == Op::Bra);
            branches.for_each(|branch| branch.aux = TO_EXIT);
        }
        let kernel = Arc::new(kernel);
        self.launches += 1;
        let launched = build::launch_report(&kernel, registers, launch.registers.is_some(), occupancy);
        match launch.mode {
            Mode::Functional => Ok(self.run_functional(launch, &kernel, launched)),
            Mode::Timed => Ok(self.run_timed(launch, &kernel, launched)),
        }
    }

    fn check_capability(&self, program: &Program) -> Result<(), LaunchError> {
        if program.target <= self.chip.capability {
            return Ok(());
        }
        Err(LaunchError::Capability {
            kernel: program.name.clone(),
            target: program.target.to_string(),
            chip: self.chip.capability.to_string(),
        })
    }

    /// Refuses what the chip cannot take, the first limit first; otherwise says how many blocks fit.
    fn check_limits(
        &self,
        program: &Program,
        launch: &Launch,
        registers: u32,
    ) -> Result<Occupancy, LaunchError> {
        let limits = &self.chip.limits;
        let refuse = |limit: &str, needed: u64, available: u64| LaunchError::Limit {
            kernel: program.name.clone(),
            limit: limit.to_owned(),
            needed,
            available,
        };
        // Before the extents: of a block of 1,024 x 1 threads it is their number that there is a rule about.
        let threads = launch.block.count();
        if threads > limits.threads_per_block.into() {
            return Err(refuse("threads per block", threads, limits.threads_per_block.into()));
        }
        let extents = [("grid", launch.grid, limits.grid), ("block", launch.block, limits.block)];
        for (what, given, most) in extents {
            for (axis, given, most) in
                [("x", given.x, most.x), ("y", given.y, most.y), ("z", given.z, most.z)]
            {
                if given == 0 {
                    return Err(LaunchError::Empty {
                        kernel: program.name.clone(),
                        what: format!("{what} {axis}"),
                    });
                }
                if given > most {
                    return Err(refuse(&format!("extent {axis} of the {what}"), given.into(), most.into()));
                }
            }
        }
        let block = [launch.block.x, launch.block.y, launch.block.z];
        if program.required_block.is_some_and(|required| required != block) {
            let [x, y, z] = program.required_block.unwrap_or_default();
            let required = Dim3::new(x, y, z);
            return Err(LaunchError::RequiredBlock {
                kernel: program.name.clone(),
                required,
                given: launch.block,
            });
        }
        if let Some(most) = program.max_block {
            let most: u64 = most.iter().map(|n| u64::from((*n).max(1))).product();
            if threads > most {
                return Err(refuse("threads per block (.maxntid of the kernel)", threads, most));
            }
        }
        let bytes = [
            ("bytes of parameters", program.param_bytes, limits.param_bytes),
            ("bytes of local memory per thread", program.local_bytes, limits.local_bytes),
        ];
        for (what, needed, available) in bytes {
            if needed > available {
                return Err(refuse(what, needed.into(), available.into()));
            }
        }
        let shared = u64::from(program.shared_bytes) + u64::from(launch.dynamic_shared);
        if shared > self.chip.sm.shared_bytes.into() {
            return Err(refuse("bytes of shared memory per block", shared, self.chip.sm.shared_bytes.into()));
        }
        let occupancy = self.chip.occupancy(threads as u32, registers, shared as u32, program.param_bytes);
        match occupancy.refusals.first() {
            Some(refusal) => Err(LaunchError::Refused { kernel: program.name.clone(), refusal: *refusal }),
            None => Ok(occupancy),
        }
    }

    fn kernel(&self, loaded: &Loaded, program: Arc<Program>, launch: &Launch, params: Vec<u8>) -> Kernel {
        Kernel {
            const32: program.const32.iter().map(|v| [loaded.resolve(*v) as u32; 32]).collect(),
            const64: program.const64.iter().map(|v| [loaded.resolve(*v); 32]).collect(),
            params,
            constants: loaded.constants(),
            grid: launch.grid,
            block: launch.block,
            shared_bytes: program.shared_bytes + launch.dynamic_shared,
            allocations: Arc::new(self.allocator.table().clone()),
            first_path: self.chip.sm.first_path,
            nsmid: self.chip.clusters * self.chip.cluster.sms,
            nwarpid: self.chip.sm.max_warps,
            grid_id: self.launches,
            program,
        }
    }

    fn run_functional(&mut self, launch: &Launch, kernel: &Kernel, launched: LaunchReport) -> Report {
        let end = functional::run(kernel, &mut self.memory, launch.options.max_cycles);
        let verdict = match &end.ending {
            Ending::Finished => Verdict::Finished,
            Ending::Trapped(trap) => Verdict::Trapped { trap: TrapReport::new(trap, &kernel.program) },
            Ending::Hung(waiting) => Verdict::Hung {
                cycle: end.counts.warp,
                waiting: waiting.iter().map(functional_wait).collect(),
            },
            Ending::Limit => Verdict::Limit { limit: launch.options.max_cycles },
        };
        self.report("functional", kernel, launched, verdict, (&end.counts, &end.pcs), None)
    }

    /// The report of a launch; `counted` are instructions in all and by place.
    fn report(
        &self,
        mode: &'static str,
        kernel: &Kernel,
        launch: LaunchReport,
        verdict: Verdict,
        counted: (&InstCounters, &[PcCounters]),
        timing: Option<TimingReport>,
    ) -> Report {
        Report {
            schema: SCHEMA,
            mode,
            chip: build::chip_report(&self.chip, self.scheduler.as_ref()),
            launch,
            verdict,
            instructions: build::instruction_report(counted.0),
            control: build::control_report(&kernel.program, counted.0, counted.1),
            timing,
        }
    }

    fn run_timed(&mut self, launch: &Launch, kernel: &Arc<Kernel>, launched: LaunchReport) -> Report {
        let options = &launch.options;
        let per_sm = launched.occupancy.blocks;
        let mut machine = Machine::new(
            &self.chip,
            kernel,
            per_sm,
            &mut self.memory,
            self.scheduler.as_ref(),
            options.hooks,
        );
        let window = if options.window == 0 { self.chip.crossbar.latency } else { options.window };
        let mut observer = self.observer.take();
        let watch = observer.as_mut().and_then(|observer| observer.begin(&self.launched(kernel)));
        let mut max_cycles = options.max_cycles;
        if let Some(watch) = &watch {
            machine.clusters.iter_mut().for_each(|cluster| cluster.watch(watch));
            max_cycles = if watch.then_stop { max_cycles.min(watch.cycles.end) } else { max_cycles };
        }
        let plan = RunPlan {
            threads: options.threads,
            window: window.into(),
            skip_idle: options.skip_idle,
            max_cycles,
        };
        let (stop, stats) = run(&mut machine, &plan, observer.as_deref_mut());
        self.host_stats = stats;
        let cycles = match stop {
            Stop::Finished(at) | Stop::Trapped(at) | Stop::Limit(at) => at,
            Stop::Hung => stuck::last_change(&machine),
        };
        let verdict = match stop {
            Stop::Finished(_) => Verdict::Finished,
            Stop::Trapped(_) => first_trap(&machine, &kernel.program),
            Stop::Hung => {
                Verdict::Hung { cycle: cycles, waiting: stuck::explain(&machine, &kernel.program.lines) }
            }
            Stop::Limit(limit) => Verdict::Limit { limit },
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
        let ns = u128::from(cycles) * 1_000_000 / u128::from(self.chip.clocks.hot_khz);
        self.timeline.push(&kernel.program.name, 0, self.chip.pcie.launch_ns + ns as u64);
        let timing = build::timing_report(&self.chip, &kernel.program, &totals, cycles);
        let counted = (&totals.inst, &totals.pcs[..]);
        let report = self.report("timed", kernel, launched, verdict, counted, Some(timing));
        if let Some(observer) = observer.as_mut().filter(|_| watch.is_some()) {
            observer.end(&report);
        }
        self.observer = observer;
        report
    }

    fn launched<'a>(&'a self, kernel: &'a Kernel) -> Launched<'a> {
        let Kernel { program, grid, block, .. } = kernel;
        Launched { number: self.launches, program, grid: *grid, block: *block, chip: &self.chip }
    }
}

/// The kernel has ended, but its last stores are still on their way from the point of order to the DRAM: lets each
/// partition work them off, so that the bytes on the bus are all counted. Returns the hot cycle of the last of it.
fn finish_writes(machine: &mut Machine, end: u64) -> u64 {
    let mut last = end;
    for (partition, outbox) in &mut machine.partitions {
        let mut now = partition.next_wake(end);
        while now != NEVER {
            partition.tick(now, outbox);
            last = last.max(now);
            now = partition.next_wake(now + 1);
        }
    }
    last
}

/// The first trap by cycle, then SM, then order of issue; or what a user's scheduling policy did wrong, if that was
/// in an earlier cycle.
fn first_trap(machine: &Machine, program: &Program) -> Verdict {
    let sms = || machine.clusters.iter().flat_map(|c| &c.sms);
    let trap = sms().filter_map(|sm| sm.traps.first()).min_by_key(|t| (t.cycle, t.sm));
    let fault = sms().filter_map(|sm| sm.scheduler_fault.as_ref()).min_by_key(|f| (f.cycle, f.sm));
    match (trap, fault) {
        (Some(trap), fault) if fault.is_none_or(|fault| trap.cycle <= fault.cycle) => {
            Verdict::Trapped { trap: TrapReport::new(trap, program) }
        }
        (_, fault) => {
            let fault = fault.expect("the machine stopped because of a trap or a scheduler's fault");
            Verdict::Scheduler { fault: SchedulerReport::new(fault) }
        }
    }
}

fn functional_wait(w: &Waiting) -> WaitReport {
    WaitReport {
        who: format!("block {}, warp {}", w.block, w.warp),
        what: format!("barrier {}", w.barrier),
        line: Some(w.line),
    }
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
