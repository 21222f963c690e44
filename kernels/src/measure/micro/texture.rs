//! Latencies of texture fetches: one thread follows the texels of a texture in linear memory. Each
//! texel is the position of the next one, `stride` bytes further, in a cycle through a footprint.

use super::header;
use crate::RunError;
use crate::measure::lab::Lab;
use crate::measure::{Experiment, Measured, Scale};
use isa::Options;
use sim_core::config::Chip;
use sim_core::host::{Arg, TexelFormat, TextureOptions, TextureShape};

/// The experiments. The chip file sets the latency of the first level. Beyond it crossbar,
/// partition and DRAM add up.
pub static EXPERIMENTS: &[Experiment] = &[Experiment { rows: &["V350", "V351", "V352"], run: levels }];

/// Fetches per iteration of a loop.
const UNROLLED: u64 = 16;
/// Minimum and maximum number of timed fetches.
const TIMED: (u64, u64) = (256, 2048);

/// Each footprint exceeds the level above and fits into its own level.
fn levels(chip: &Chip, row: &str, _: Scale) -> Result<Measured, RunError> {
    let (footprint, stride) = match row {
        "V350" => (4 << 10, 32),
        "V351" => (128 << 10, 256),
        _ => (2 << 20, 256),
    };
    let fetch = latency(chip, footprint, stride)?;
    Ok(if row == "V350" { Measured::set(fetch) } else { Measured::emergent(fetch) })
}

/// Shader cycles of a fetch in the steady state. `stride` is a multiple of 4 and divides
/// `footprint`.
pub fn latency(chip: &Chip, footprint: u64, stride: u64) -> Result<f64, RunError> {
    let mut lab = Lab::new(chip.clone(), "texture", &text(chip), Options::default())?;
    let out = lab.allocate(2)?;
    let mut texels = vec![0; footprint as usize / 4];
    for at in (0..footprint).step_by(stride as usize) {
        texels[at as usize / 4] = ((at + stride) % footprint / 4) as u32;
    }
    let array = lab.upload(&texels)?;
    let options = TextureOptions::new(TextureShape::Linear(texels.len() as u32), TexelFormat::U32, 1);
    lab.gpu.bind_texture(lab.module, "t", array, options)?;
    let places = footprint / stride;
    let warm = places.div_ceil(UNROLLED);
    let timed = places.clamp(TIMED.0, TIMED.1).div_ceil(UNROLLED);
    lab.launch("chase", 1, 1, [Arg::Ptr(out), Arg::U32(warm as u32), Arg::U32(timed as u32)])?;
    let cycles = lab.download(out, 1)?[0];
    Ok(f64::from(cycles) / (timed * UNROLLED) as f64)
}

fn text(chip: &Chip) -> String {
    let header = header(chip, false);
    let texture = if chip.capability.major < 2 { ".tex .u32 t;" } else { ".global .texref t;" };
    let fetch = "tex.1d.v4.u32.s32 {%p, _, _, _}, [t, {%p}];";
    let fetches = format!("{fetch}\n").repeat(UNROLLED as usize - 1);
    // The loop's own instructions follow the first fetch, and execute while it is pending.
    format!(
        "{header}
        {texture}
        .entry chase (.param .u32 out, .param .u32 warm, .param .u32 timed)
        {{
        .reg .u32 %p, %at, %n, %begin, %end, %sum;
        .reg .pred %more;
        mov.u32 %p, 0;
        ld.param.u32 %n, [warm];
        again:
        {fetch}
        sub.u32 %n, %n, 1;
        setp.ne.u32 %more, %n, 0;
        {fetches}
        @%more bra again;
        ld.param.u32 %n, [timed];
        mov.u32 %sum, %p;
        mov.u32 %begin, %clock;
        timing:
        {fetch}
        sub.u32 %n, %n, 1;
        setp.ne.u32 %more, %n, 0;
        {fetches}
        @%more bra timing;
        add.u32 %sum, %sum, %p;
        mov.u32 %end, %clock;
        sub.u32 %end, %end, %begin;
        ld.param.u32 %at, [out];
        st.global.u32 [%at], %end;
        st.global.u32 [%at+4], %sum;
        exit;
        }}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The latency rises at the published sizes of the caches, and nowhere else.
    ///
    /// Tests: `texture-cache-times`.
    #[test]
    fn the_steps_are_at_the_sizes_of_the_caches() {
        for (chip, level, size) in [("g80", 5 << 10, 192 << 10), ("gt200", 5 << 10, 256 << 10)] {
            let chip = Chip::builtin(chip).expect("built in");
            let at = |footprint, stride| latency(&chip, footprint, stride).expect("it runs");
            let (hit, full) = (at(1 << 10, 32), at(level, 32));
            assert!((full - hit).abs() < 2.0, "{hit} and {full}: the whole cache hits");
            let second = at(2 * level, 256);
            let whole = at(size, 256);
            assert!(second > hit + 60.0, "{second} after {hit}");
            assert!((whole - second).abs() < 12.0, "{whole} and {second}: the whole cache hits");
            let dram = at(2 * size, 256);
            assert!(dram > whole + 60.0, "{dram} after {whole}");
        }
    }

    /// The published latencies on GT200, within 5 %.
    #[test]
    fn the_levels_have_the_published_latencies() {
        let chip = Chip::builtin("gt200").expect("built in");
        for (row, published) in [("V350", 261.0), ("V351", 371.0), ("V352", 499.0)] {
            let value = levels(&chip, row, Scale::Short).expect("it runs").value;
            assert!((value / published - 1.0).abs() <= 0.05, "{row}: {value}, published {published}");
        }
    }

    #[test]
    fn the_chase_returns_to_its_start() {
        let chip = Chip::builtin("fermi").expect("built in");
        let hit = latency(&chip, 8 << 10, 32).expect("it runs");
        assert!(latency(&chip, 64 << 10, 128).expect("it runs") > hit + 60.0, "{hit}");
    }
}
