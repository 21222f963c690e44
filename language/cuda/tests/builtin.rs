//! The built-in kernels in CUDA C: the host programs check the results of the compiled PTX, and
//! its time is compared with that of the hand-written PTX.

use std::fmt::Write as _;

use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::uop::Module;
use kernels::{RACING, Settings, Workload};
use sim_core::config::Chip;
use sim_core::host::{Gpu, LaunchSettings};

/// A result within this of the hand-written PTX counts as equally fast. Unit: percent.
const CLOSE: u64 = 5;

/// Cycles that a kernel may need more than the hand-written PTX. Unit: percent.
const WORSE: u64 = 15;

/// Kernels that may be slower, with the reason.
const EXCEPTIONS: [(&str, &str); 1] = [(
    "matmul-any",
    "a load under a condition is a branch around it, not a guard: the two loads of a phase do not overlap",
)];

/// A run of a kernel.
struct Run {
    registers: u32,
    instructions: u64,
    cycles: u64,
}

/// Compiles the CUDA C of a workload.
fn compile(workload: &Workload) -> Module {
    let target = workload.target().expect("the PTX has a target");
    let target = Target::from_name(&format!("sm_{}{}", target.major, target.minor)).expect("a target");
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    let name = workload.file.replace(".ptx", ".cu");
    let options = Options { opt_level: 3, ..Options::of(target) };
    let compiled = cuda::compile(&name, workload.cuda, &none, target, &options);
    let messages = compiled.messages();
    assert!(messages.is_empty(), "{}: {messages}", workload.name);
    let ptx = compiled.ptx.expect("a text without messages has PTX");
    if std::env::var("WARPSIM_CUDA_CASE").is_ok_and(|name| name == workload.name) {
        println!("{ptx}");
    }
    let (module, diagnostics) = isa::compile(workload.file, &ptx);
    module.unwrap_or_else(|| panic!("{}", isa::diag::render_all(&diagnostics, workload.file, &ptx)))
}

/// Runs a workload with `module` instead of its hand-written PTX.
fn run(workload: &'static Workload, module: Module) -> Run {
    let chip = match workload.target() {
        Some(target) if target.major == 2 => "fermi",
        // Older chips have no blocks of 1024 threads.
        Some(_) if workload.block.x * workload.block.y > 512 => "fermi",
        Some(target) if target.minor == 1 => "8800gt",
        Some(target) if target.minor > 1 => "gt200",
        _ => "g80",
    };
    // Enough blocks for a warp's waits to overlap, and few enough for a test.
    let size = match workload.family.unwrap_or(workload.name) {
        "matmul-tiled" if workload.name == "matmul-tiled" => 256,
        "matmul-single" => 22,
        "matmul-any" => 100,
        "matmul-naive" | "matmul-tiled" | "matmul-8x8" => 128,
        // Several rounds of blocks for each SM: the number of registers matters.
        "matmul-16x16" | "matadd" | "block-transpose" | "dot-product" => 256,
        "coulomb" => 33,
        "cutoff" => 20,
        "mri-fhd" => 8,
        "mri-mu" => 16_384,
        _ => 65_536,
    };
    let registers = module.entries[0].registers;
    let mut gpu = Gpu::new(Chip::builtin(chip).expect("a chip of the simulator"));
    // The registers that the code needs, not the published number of the hand-written PTX.
    let settings = Settings {
        size: Some(size),
        launches: LaunchSettings { registers: Some(registers), ..LaunchSettings::default() },
    };
    let outcome =
        workload.run(module, &mut gpu, settings).unwrap_or_else(|e| panic!("{}: {e}", workload.name));
    let racing = RACING.contains(&workload.name);
    assert!(racing || outcome.check.passed(), "{}: {}", workload.name, outcome.summary);
    let cycles = |report: &sim_core::stats::Report| report.timing.as_ref().map_or(0, |timing| timing.cycles);
    Run {
        registers,
        instructions: outcome.reports.iter().map(|report| report.instructions.warp).sum(),
        cycles: outcome.reports.iter().map(cycles).sum(),
    }
}

/// The operations of a kernel, sorted: the order of independent instructions does not matter.
fn operations(module: &Module) -> Vec<String> {
    let mut all: Vec<String> = module.entries[0].code.iter().map(|inst| format!("{:?}", inst.op)).collect();
    all.sort();
    all
}

#[test]
fn built_in_kernels_in_cuda_c_are_right_and_as_fast_as_their_ptx() {
    let filter = std::env::var("WARPSIM_CUDA_CASE").unwrap_or_default();
    let mut table =
        String::from("kernel | registers | PTX | warp instructions | PTX | cycles | PTX | ratio\n");
    let (mut close, mut worse, mut same, mut count) = (0, Vec::new(), Vec::new(), 0);
    for workload in kernels::all().iter().filter(|workload| workload.name.contains(&filter)) {
        let name = workload.name;
        let (own, ptx) = (compile(workload), workload.compile().expect("a built-in kernel compiles"));
        if operations(&own) == operations(&ptx) {
            same.push(name);
        }
        let (own, ptx) = (run(workload, own), run(workload, ptx));
        let ratio = own.cycles as f64 / ptx.cycles as f64;
        writeln!(
            table,
            "{name} | {} | {} | {} | {} | {} | {} | {ratio:.3}",
            own.registers, ptx.registers, own.instructions, ptx.instructions, own.cycles, ptx.cycles
        )
        .expect("a string takes everything");
        count += 1;
        close += usize::from(own.cycles * 100 <= ptx.cycles * (100 + CLOSE));
        if own.cycles * 100 > ptx.cycles * (100 + WORSE)
            && EXCEPTIONS.iter().all(|(exception, _)| *exception != name)
        {
            worse.push(name);
        }
    }
    println!("{table}{close} of {count} kernels within {CLOSE} %; the same instructions: {same:?}");
    assert!(worse.is_empty(), "more than {WORSE} % slower: {worse:?}\n{table}");
    assert!(close * 5 >= count * 4, "only {close} of {count} kernels within {CLOSE} %\n{table}");
}
