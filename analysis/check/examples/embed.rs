//! A launch from a Rust program: compile PTX, allocate, copy, launch, read results and report.
//! `cargo run -p warpsim-check --example embed`.

use sim_core::config::Chip;
use sim_core::host::{Arg, Gpu, Launch};
use std::error::Error;

const PTX: &str = ".version 1.4
.target sm_10
.entry double (.param .u32 x)
{
    .reg .u32 %a, %i, %v;
    ld.param.u32 %a, [x];
    cvt.u32.u16 %i, %tid.x;
    mad24.lo.u32 %a, %i, 4, %a;
    ld.global.u32 %v, [%a];
    add.u32 %v, %v, %v;
    st.global.u32 [%a], %v;
    exit;
}
";

fn main() -> Result<(), Box<dyn Error>> {
    let (module, diagnostics) = isa::compile("double.ptx", PTX);
    let module = module.ok_or_else(|| isa::diag::render_all(&diagnostics, "double.ptx", PTX))?;
    let mut gpu = Gpu::new(Chip::builtin("g80").ok_or("the chip is not built in")?);
    let module = gpu.load(module)?;
    let x = gpu.malloc(4 * 64)?;
    let words = (0..64_u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    gpu.copy_in(x, &words)?;
    let report = gpu.launch(&Launch::new(module, "double", 1, 64).args([Arg::Ptr(x)]))?;
    let mut results = vec![0; words.len()];
    gpu.copy_out(x, &mut results)?;
    let cycles = report.timing.as_ref().map_or(0, |timing| timing.cycles);
    println!("x[63] = {}, {} warp instructions, {cycles} cycles", results[252], report.instructions.warp);
    Ok(())
}
