//! Time of the debugger's steps, and the memory of its copies of the machine.
//!
//! `cargo bench -p kernels --bench debugger` prints the table of docs/PERFORMANCE.md; names after
//! `--` select rows: `-- mri`. For each launch it runs to three quarters of the launch, then goes
//! back and forth by single cycles and instructions of one warp. Memory is the growth of the
//! resident set of the process from the first cycle of the launch to the largest size during the
//! session, as Linux reports it; the pages of buffers that a copy shares are not counted twice.

use kernels::Settings;
use sim_core::config::Chip;
use sim_core::debug::{Debugger, Session};
use sim_core::host::{Gpu, LaunchSettings, Mode};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Kernel, size, chip.
const ROWS: [(&str, u32, &str); 6] = [
    ("matmul-tiled", 256, "g80"),
    ("matmul-tiled", 512, "g80"),
    ("reduce-interleaved", 1 << 20, "g80"),
    ("mri-fhd-sfu", 0, "g80"),
    ("matmul-tiled", 256, "gt200"),
    ("matmul-tiled", 256, "fermi"),
];

/// Steps of each kind.
const STEPS: usize = 30;

/// A value in kilobytes from `/proc/self/status`; 0 if there is none.
fn kilobytes(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// Median and maximum of the times of a kind of step, in milliseconds.
fn summary(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    match (times.get(times.len() / 2), times.last()) {
        (Some(median), Some(most)) => format!("{:.2} ({:.2})", ms(*median), ms(*most)),
        _ => "-".to_owned(),
    }
}

struct Steps {
    /// Cycle at which the steps are made.
    at: u64,
}

impl Debugger for Steps {
    fn debug(&mut self, session: &mut Session<'_>) {
        let mut go_on = |_| ControlFlow::Continue(());
        let before = kilobytes("VmRSS");
        let start = Instant::now();
        session.go_to(self.at, &mut go_on);
        let run = start.elapsed();
        let timed = |session: &mut Session<'_>, step: &mut dyn FnMut(&mut Session<'_>)| {
            let start = Instant::now();
            step(session);
            start.elapsed()
        };
        let first = timed(session, &mut |session| {
            session.step_cycle_back();
        });
        let forward = (0..STEPS).map(|_| {
            timed(session, &mut |session| {
                session.step_cycle();
            })
        });
        let forward = forward.collect();
        let back = (0..2 * STEPS).map(|_| {
            timed(session, &mut |session| {
                session.step_cycle_back();
            })
        });
        let back = back.collect();
        let (mut instruction, mut instruction_back) = (Vec::new(), Vec::new());
        if let Some(warp) = session.warps().into_iter().find(|warp| warp.live != 0) {
            let (sm, slot) = (warp.sm, warp.slot);
            for _ in 0..STEPS {
                instruction_back.push(timed(session, &mut |session| {
                    session.step_instruction_back(sm, slot, &mut go_on);
                }));
            }
            for _ in 0..STEPS {
                instruction.push(timed(session, &mut |session| {
                    session.step_instruction(sm, slot, &mut go_on);
                }));
            }
        }
        let memory = kilobytes("VmHWM").saturating_sub(before) / 1024;
        println!(
            " {} | {:.1} s | {} | {:.2} | {} | {} | {} | {memory} MiB |",
            self.at,
            run.as_secs_f64(),
            summary(forward),
            first.as_secs_f64() * 1e3,
            summary(back),
            summary(instruction),
            summary(instruction_back)
        );
        session.kill();
    }
}

/// Runs one row in this process.
fn row(name: &str, size: u32, chip: &str) -> Option<()> {
    let size = (size > 0).then_some(u64::from(size));
    let settings =
        Settings { size, launches: LaunchSettings { mode: Mode::Timed, ..LaunchSettings::default() } };
    let chip = Chip::builtin(chip)?;
    let plain = kernels::run(name, &mut Gpu::new(chip.clone()), settings).ok()?;
    let cycles = plain.reports.first()?.timing.as_ref()?.cycles;
    let mut gpu = Gpu::new(chip.clone());
    gpu.debug(Some(Box::new(Steps { at: cycles / 4 * 3 })));
    print!("| `{name}`{} | {} |", size.map_or(String::new(), |size| format!(" {size}")), chip.name);
    // The launch is killed after the steps, so its results are not checked.
    drop(kernels::run(name, &mut gpu, settings));
    Some(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    // One process for each row, so that memory is that of the row.
    if let [one] = &arguments[..]
        && let Some(number) = one.strip_prefix("row=").and_then(|number| number.parse::<usize>().ok())
        && let Some((name, size, chip)) = ROWS.get(number)
    {
        row(name, *size, chip);
        return;
    }
    println!(
        "| launch | chip | at cycle | run to it | cycle | first cycle back | cycle back | instruction | instruction back | memory |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let program = std::env::current_exe().expect("the program has a path");
    for (number, (name, ..)) in ROWS.iter().enumerate() {
        if arguments.is_empty() || arguments.iter().any(|filter| name.contains(filter.as_str())) {
            let child = std::process::Command::new(&program).arg(format!("row={number}")).status();
            assert!(child.is_ok_and(|status| status.success()), "{name} fails");
        }
    }
}
