//! Runs a built-in workload with built-in policies and with those of this crate, and prints the
//! shader cycles of each: `cargo run --release -p own-scheduler -- matmul-naive 64`.

use kernels::Settings;
use own_scheduler::{MemoryFirst, YoungestFirst};
use sim_core::config::Chip;
use sim_core::config::builtin::builtin_text;
use sim_core::host::Gpu;
use sim_core::scheduler::OwnScheduler;
use std::process::ExitCode;

/// Returns the policies of this crate.
fn own() -> [OwnScheduler; 2] {
    [
        OwnScheduler::new(|_sm, _scheduler| MemoryFirst::new(16)),
        OwnScheduler::new(|_sm, _scheduler| YoungestFirst),
    ]
}

/// Returns the G80 with the built-in policy `policy`.
fn g80(policy: &str) -> Result<Chip, String> {
    let text = builtin_text("g80").ok_or("the G80 is built in")?;
    let set = ("sm.scheduler".to_owned(), policy.to_owned());
    Chip::from_ron("g80", text, &[set]).map(|(chip, _)| chip).map_err(|messages| messages.to_string())
}

/// Runs the workload and prints one line of the table per launch.
fn run(gpu: &mut Gpu, workload: &str, size: Option<u64>) -> Result<(), String> {
    let settings = Settings { size, ..Settings::default() };
    let outcome = kernels::run(workload, gpu, settings).map_err(|e| e.to_string())?;
    for report in &outcome.reports {
        let cycles = report.timing.as_ref().map_or(0, |timing| timing.cycles);
        println!("{:<34} {cycles:>12} cycles  {:?}", report.chip.policy, report.verdict);
    }
    Ok(())
}

fn compare(workload: &str, size: Option<u64>) -> Result<(), String> {
    for policy in ["lrr", "oldest", "gto"] {
        run(&mut Gpu::new(g80(policy)?), workload, size)?;
    }
    for scheduler in own() {
        let mut gpu = Gpu::new(g80("lrr")?);
        gpu.set_scheduler(Some(scheduler));
        run(&mut gpu, workload, size)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let workload = args.next().unwrap_or_else(|| "matmul-naive".to_owned());
    let size = args.next().map(|size| size.parse::<u64>());
    let result = match size.transpose() {
        Ok(size) => compare(&workload, size),
        Err(e) => Err(format!("the size is not a number: {e}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}
