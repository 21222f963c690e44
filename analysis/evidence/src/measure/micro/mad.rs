//! Streams of multiply-adds: the share of the peak that they reach, and the number of threads
//! needed for a given number of independent chains per thread (Volkov, GTC 2010).

use super::Stamping;
use super::header;
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use sim_core::config::Chip;
use sim_core::host::Arg;
use sim_core::stats::build::chip_report;

/// A multiply-add with register operands only.
const REGISTERS: &str = "mad.f32 %x, %a, %b, %x;\nmad.f32 %y, %a, %b, %y;\n";
/// A multiply-add whose first factor is in shared memory.
const SHARED: &str = "ld.shared.f32 %s, [tile];\nmad.f32 %x, %s, %b, %x;\nld.shared.f32 %s, [tile+4];\nmad.f32 %y, %s, %b, %y;\n";

/// Threads on each SM, enough for the highest rate (Volkov & Demmel, SC 2008: 192).
const THREADS: u32 = 192;
/// Copies of the two instructions in the loop.
const UNROLLED: u32 = 128;
/// Iterations of the loop.
const TRIPS: u32 = 32;

/// Share of the chip's peak that a grid with a block on each SM reaches, from launch to end.
/// The peak follows from lanes and clock; the loop, the launch and the drain reduce it.
pub fn stream(chip: &Chip, shared: bool) -> Result<f64, RunError> {
    let pair = if shared { SHARED } else { REGISTERS };
    let text = format!(
        "{header}
        .shared .align 16 .b8 tile[64];
        .entry stream (.param .u32 out, .param .u32 trips)
        {{
        .reg .u32 %t, %at, %n;
        .reg .f32 %x, %y, %a, %b, %s;
        .reg .pred %more;
        mov.u32 %t, %tid.x;
        cvt.rn.f32.u32 %a, %t;
        cvt.rn.f32.u32 %b, %t;
        st.shared.f32 [tile], %a;
        st.shared.f32 [tile+4], %b;
        bar.sync 0;
        mov.f32 %x, %a;
        mov.f32 %y, %a;
        ld.param.u32 %n, [trips];
        again:
        {body}
        sub.u32 %n, %n, 1;
        setp.ne.u32 %more, %n, 0;
        @%more bra again;
        add.f32 %x, %x, %y;
        ld.param.u32 %at, [out];
        shl.b32 %t, %t, 2;
        add.u32 %at, %at, %t;
        st.global.f32 [%at], %x;
        exit;
        }}",
        header = header(chip, false),
        body = fused(chip, &pair.repeat(UNROLLED as usize)),
    );
    let mut lab = Lab::new(chip.clone(), "stream", &text, Options::default())?;
    let out = lab.allocate(THREADS.into())?;
    let sms = chip.clusters * chip.cluster.sms;
    let report = lab.launch("stream", sms, THREADS, [Arg::Ptr(out), Arg::U32(TRIPS)])?;
    let flops = f64::from(sms * THREADS) * f64::from(2 * 2 * UNROLLED * TRIPS);
    let rate = flops / Lab::kernel_ns(&report);
    Ok(rate / chip_report(chip).peak_gflops)
}

/// From compute capability 2.0 on, the instruction is `fma` with a rounding mode.
fn fused(chip: &Chip, text: &str) -> String {
    if chip.capability.major == 1 { text.to_owned() } else { text.replace("mad.f32", "fma.rn.f32") }
}

/// Step of the sweep in threads: one warp per scheduler.
const STEP: u32 = 64;
/// Share of the highest rate that counts as about 100 %.
const ABOUT_ALL: f64 = 0.98;

/// Smallest number of threads on an SM that reaches about the highest rate, with 1 to 4 chains per
/// thread.
pub fn needed(chip: &Chip, chains: usize) -> Result<f64, RunError> {
    let most = chip.limits.threads_per_block.min(1024);
    let rates: Vec<(u32, f64)> = (STEP..=most)
        .step_by(STEP as usize)
        .map(|threads| Ok((threads, rate(chip, chains, threads)?)))
        .collect::<Result<_, RunError>>()?;
    let highest = rates.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
    let enough =
        rates.iter().find(|(_, rate)| *rate >= ABOUT_ALL * highest).expect("the highest is one of them");
    Ok(f64::from(enough.0))
}

/// Multiply-adds per shader cycle of an SM with `threads` threads, each with `chains` independent
/// chains.
pub fn rate(chip: &Chip, chains: usize, threads: u32) -> Result<f64, RunError> {
    let rounds = 240 / chains;
    let names = ["%x", "%y", "%z", "%w"];
    let mad = |name: &&str| format!("mad.f32 {name}, {name}, %a, %b;\n");
    let round = names[..chains].iter().map(mad).collect::<Vec<_>>().concat();
    let part = fused(chip, &round.repeat(rounds));
    let before = "mov.f32 %y, %a;\nmov.f32 %z, %a;\nmov.f32 %w, %a;";
    let join = "add.f32 %x, %x, %y;\nadd.f32 %x, %x, %z;\nadd.f32 %x, %x, %w;";
    let stamping = Stamping {
        name: "mad",
        ty: "f32",
        declare: ".reg .f32 %y, %z, %w;",
        before,
        part: &part,
        after: join,
    };
    let cycles = stamping.run(chip, threads, [1.0, 0.5, 0.25])?.whole();
    Ok(2.0 * (chains * rounds) as f64 * f64::from(threads) / cycles)
}
