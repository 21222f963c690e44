//! The subject of an occupancy calculation: a kernel of a PTX text, or plain numbers.

use crate::args::OccupancyArgs;
use crate::args::occupancy::Over;
use crate::exit::Failure;
use crate::launch_file;
use crate::output::complain;
use isa::terms::Terms;
use isa::types::Dim3;
use isa::uop::Program;
use kernels::Workload;
use request::Compilation;
use request::direct::no_entry;
use request::ptx::Ptx;
use sim_core::host::fit::Request;
use sim_core::occupancy::rules::Rules;
use std::sync::Arc;

/// Origin of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The command line.
    Given,
    /// The live ranges of the lowered code.
    Liveness,
    /// Not given, therefore not counted.
    NotCounted,
    /// `.reqntid` of the kernel.
    Required,
    /// `.maxntid` of the kernel.
    Maximum,
    /// The built-in kernel's host program.
    HostProgram,
}

/// A kernel, or plain numbers.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The kernel, if there is one.
    pub program: Option<Arc<Program>>,
    /// Block size; absent in a sweep over block sizes.
    pub block: Option<(Dim3, Origin)>,
    /// Registers per thread.
    pub registers: (u32, Origin),
    /// Barriers of the kernel.
    pub barriers: u32,
    /// Bytes of static shared memory.
    pub static_shared: u32,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Bytes of parameters; `None` for plain numbers without parameters, which are the calculator's
    /// input.
    pub params: Option<u32>,
    /// The words of the kernel.
    pub terms: &'static Terms,
}

impl Subject {
    /// Returns the launch request of one block of this size.
    pub fn request(&self, block: Dim3) -> Request<'_> {
        let grid = Dim3::new(1, 1, 1);
        match &self.program {
            Some(program) => Request::of(program, grid, block, self.dynamic_shared, self.registers.0),
            None => Request {
                registers: self.registers.0,
                barriers: self.barriers,
                shared_bytes: u64::from(self.static_shared) + u64::from(self.dynamic_shared),
                param_bytes: self.params.unwrap_or(0),
                terms: self.terms,
                ..Request::new("", grid, block)
            },
        }
    }
}

/// Returns all subjects of the command line, for chips with these rules.
pub fn subjects(args: &OccupancyArgs, rules: &Rules) -> Result<Vec<Subject>, Failure> {
    if args.barriers.is_some() && rules.sm.barriers.is_none() {
        let message = "error: --barriers requires compute capability 9.0; barriers limit no blocks before";
        return Err(Failure::input(message));
    }
    let Some(name) = &args.kernel else { return Ok(vec![numbers(args)?]) };
    let how = Compilation::new(args.compile, &args.preprocess).on(rules.capability, rules.features);
    let ptx = Ptx::linked(name, &args.linked, &how)?;
    let module = ptx.compile(&how, &mut complain)?;
    let entries: Vec<Arc<Program>> = match &args.entry {
        None => module.entries.clone(),
        Some(entry) => match launch_file::kernel(&module, entry) {
            Some(program) => vec![program.clone()],
            None => return Err(no_entry(ptx.name(), entry, &module)),
        },
    };
    if entries.is_empty() {
        return Err(Failure::input(format!("error: {} has no kernel (.entry)", ptx.name())));
    }
    entries.into_iter().map(|program| kernel(args, program, ptx.workload)).collect()
}

fn kernel(
    args: &OccupancyArgs,
    program: Arc<Program>,
    workload: Option<&'static Workload>,
) -> Result<Subject, Failure> {
    let declared = |block: Option<[u32; 3]>, origin| {
        block.map(|[x, y, z]| (Dim3::new(x.max(1), y.max(1), z.max(1)), origin))
    };
    let host = workload.map(|workload| (workload.block, Origin::HostProgram));
    let given = workload.and_then(|workload| workload.registers);
    let block = args.block.map(|block| (block, Origin::Given));
    let block = block.or(host).or_else(|| declared(program.required_block, Origin::Required));
    let block = block.or_else(|| declared(program.max_block, Origin::Maximum));
    let terms = Terms::of(program.source.files());
    Ok(Subject {
        block: known(block, args, &format!("of kernel `{}` ", report::mangled::plain(&program.name)), terms)?,
        registers: match (args.regs, given) {
            (Some(registers), _) => (registers, Origin::Given),
            (None, Some(registers)) => (registers, Origin::HostProgram),
            (None, None) => (program.registers, Origin::Liveness),
        },
        barriers: program.barriers(),
        static_shared: program.shared_bytes,
        dynamic_shared: args.dynamic_shared,
        params: Some(program.param_bytes),
        terms,
        program: Some(program),
    })
}

fn numbers(args: &OccupancyArgs) -> Result<Subject, Failure> {
    let block = args.block.map(|block| (block, Origin::Given));
    Ok(Subject {
        program: None,
        block: known(block, args, "", &Terms::CUDA)?,
        registers: args.regs.map_or((0, Origin::NotCounted), |registers| (registers, Origin::Given)),
        barriers: args.barriers.unwrap_or(0),
        static_shared: args.shared.unwrap_or(0),
        dynamic_shared: args.dynamic_shared,
        params: args.params,
        terms: &Terms::CUDA,
    })
}

/// Returns the block size, which is optional only in a sweep over block sizes.
fn known(
    block: Option<(Dim3, Origin)>,
    args: &OccupancyArgs,
    of: &str,
    Terms { thread, block: word, .. }: &Terms,
) -> Result<Option<(Dim3, Origin)>, Failure> {
    let swept = args.sweep.as_ref().is_some_and(|sweep| sweep.over == Over::Block);
    if block.is_none() && !swept {
        return Err(Failure::input(format!(
            "error: the {word} size {of}is unknown\nhelp: give the {thread}s of a {word} with --block 256 or --block 16x16, or use --sweep block"
        )));
    }
    Ok(block)
}
