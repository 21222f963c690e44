//! Times that a host program sees: launches of empty kernels, and a copy kernel with many pending
//! loads in few threads.

use super::header;
use crate::measure::Scale;
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use sim_core::config::Chip;
use sim_core::host::{Arg, Launch};
use sim_core::stats::build::chip_report;

/// Microseconds from one launch of an empty kernel in a stream to the next; the host does not wait
/// for the kernels.
pub fn launch(chip: &Chip) -> Result<f64, RunError> {
    let text = format!("{}.entry empty ()\n{{\nexit;\n}}", header(chip, false));
    let mut lab = Lab::new(chip.clone(), "empty", &text, Options::default())?;
    let stream = lab.gpu.stream();
    let launches = 16;
    for _ in 0..launches {
        lab.gpu.launch_in(stream, &Launch::new(lab.module, "empty", 1, 32))?;
    }
    let starts: Vec<u64> = lab.gpu.timeline().events.iter().map(|event| event.start_ns).collect();
    let spent = starts[launches - 1] - starts[0];
    Ok(spent as f64 / (launches - 1) as f64 / 1000.0)
}

/// Vectors of four words that a thread copies (Volkov, GTC 2010).
const EACH: u32 = 14;
/// Threads per block, with one block per SM: 64 of 1536 threads are 4 %.
const THREADS: u32 = 64;
/// Blocks of the short run.
const SHORT: u32 = 1200;
/// Blocks of the long run.
const FULL: u32 = 9600;

/// Share of the pin bandwidth that a copy reaches when each thread loads 14 vectors of 16 bytes
/// before it stores the first. The block requests all shared memory of an SM, so that an SM holds
/// only one.
pub fn copy(chip: &Chip, scale: Scale) -> Result<f64, RunError> {
    let blocks = if scale == Scale::Full { FULL } else { SHORT };
    let step = THREADS * 16;
    let registers = |i: u32| format!("{{%a{i}, %b{i}, %c{i}, %d{i}}}");
    let each = |line: &dyn Fn(u32) -> String| (0..EACH).map(line).collect::<Vec<_>>().join("\n");
    let declare = each(&|i| format!(".reg .f32 %a{i}, %b{i}, %c{i}, %d{i};"));
    let loads = each(&|i| format!("ld.global.v4.f32 {}, [%from+{}];", registers(i), i * step));
    let stores = each(&|i| format!("st.global.v4.f32 [%to+{}], {};", i * step, registers(i)));
    let text = format!(
        "{header}
        .extern .shared .align 4 .b8 held[];
        .entry copy (.param .u32 source, .param .u32 target)
        {{
        .reg .u32 %t, %o, %from, %to;
        {declare}
        mov.u32 %t, %tid.x;
        shl.b32 %t, %t, 4;
        mov.u32 %o, %ctaid.x;
        mul.lo.u32 %o, %o, {bytes};
        add.u32 %o, %o, %t;
        ld.param.u32 %from, [source];
        ld.param.u32 %to, [target];
        add.u32 %from, %from, %o;
        add.u32 %to, %to, %o;
        {loads}
        {stores}
        exit;
        }}",
        header = header(chip, false),
        bytes = step * EACH,
    );
    let mut lab = Lab::new(chip.clone(), "copy", &text, Options::default())?;
    let bytes = u64::from(blocks) * u64::from(step * EACH);
    let (source, target) = (lab.allocate(bytes / 4)?, lab.allocate(bytes / 4)?);
    let launch = Launch::new(lab.module, "copy", blocks, THREADS).args([Arg::Ptr(source), Arg::Ptr(target)]);
    let launch = Launch { dynamic_shared: chip.sm.shared_bytes / 2 + 1024, ..launch };
    let report = lab.run(&launch)?;
    let rate = 2.0 * bytes as f64 / Lab::kernel_ns(&report);
    Ok(rate / chip_report(chip).peak_gbps)
}
