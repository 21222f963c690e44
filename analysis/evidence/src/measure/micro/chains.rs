//! Chains of dependent instructions: the latency in one warp, and the throughput with 512 threads
//! on an SM (measured this way by Wong et al., ISPASS 2010).

use super::Stamping;
use kernels::RunError;
use sim_core::config::Chip;

/// Threads of the throughput loops.
const THREADS: u32 = 512;

/// Shader cycles from a link of the chain to the next, in a single thread. `link` may use `%y` and
/// `%z`.
pub fn latency(chip: &Chip, ty: &str, link: &str) -> Result<f64, RunError> {
    let links = 64;
    Ok(run(chip, ty, link, links, 1)?.second_part() / links as f64)
}

/// Links per shader cycle on an SM with 512 threads.
pub fn throughput(chip: &Chip, ty: &str, link: &str) -> Result<f64, RunError> {
    // Long instructions need fewer links for the same precision.
    let links = if link.contains("div") || link.contains("rem") { 24 } else { 128 };
    let cycles = run(chip, ty, link, links, THREADS)?.whole();
    Ok(2.0 * links as f64 * f64::from(THREADS) / cycles)
}

fn run(chip: &Chip, ty: &str, link: &str, links: usize, threads: u32) -> Result<super::Stamps, RunError> {
    let types = ["f32", "f64", "u32"];
    let ty = types.into_iter().find(|known| *known == ty).expect("the type is one of these");
    let declare = format!(".reg .{ty} %y, %z;");
    let part = format!("{link}\n").repeat(links);
    let stamping = Stamping { name: "chain", ty, declare: &declare, before: "", part: &part, after: "" };
    stamping.run(chip, threads, [3.0, 1.0, 5.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_warp_measures_the_latency_of_the_file_and_many_the_throughput_of_the_unit() {
        let chip = Chip::builtin("gt200").expect("built in");
        let latency = latency(&chip, "f32", "add.f32 %x, %x, %a;").unwrap();
        assert!((latency - 24.0).abs() < 1e-9, "{latency}");
        let rate = throughput(&chip, "f32", "add.f32 %x, %x, %a;").unwrap();
        assert!((7.8..=8.0).contains(&rate), "{rate}");
        // A warp uses one of two dispatch ports: the unit has a quarter of the lanes of the cores.
        let rate = throughput(&chip, "f32", "rsqrt.approx.f32 %x, %x;").unwrap();
        assert!((1.9..=2.0).contains(&rate), "{rate}");
    }
}
