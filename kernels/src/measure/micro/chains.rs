//! Chains of dependent instructions: the latency in one warp, and the throughput with 512 threads
//! on an SM (measured this way by Wong et al., ISPASS 2010).

use super::Stamping;
use crate::RunError;
use crate::measure::{Experiment, Measured, Scale};
use sim_core::config::Chip;

/// An operation of the table.
struct Operation {
    /// Its rows: latency, throughput.
    rows: [&'static str; 2],
    /// PTX type of its operands.
    ty: &'static str,
    /// Instructions of one link of the chain, from `%x` to `%x`.
    link: &'static str,
    /// Whether latency and throughput are parameters of the chip file, which the measurement only
    /// reads back.
    set: [bool; 2],
}

/// One instruction with its own class: the chip file sets its latency. Its throughput follows
/// from the unit's lanes, the issue period and the competition of warps.
const ONE: [bool; 2] = [true, false];
/// One instruction with several issue slots: its latency and the number of slots were calibrated
/// with these rows of the table.
const SLOTS: [bool; 2] = [true, true];
/// Several instructions, whose latencies and slots add up.
const SEVERAL: [bool; 2] = [false, false];

#[rustfmt::skip]
const OPERATIONS: [Operation; 26] = [
    Operation { rows: ["V318", "V318t"], ty: "f32", link: "add.f32 %x, %x, %a;", set: ONE },
    Operation { rows: ["V319", "V319t"], ty: "u32", link: "add.u32 %x, %x, %a;", set: ONE },
    Operation { rows: ["V320", "V320t"], ty: "u32", link: "xor.b32 %x, %x, %a;", set: ONE },
    Operation { rows: ["V321", "V321t"], ty: "u32", link: "mul.lo.u32 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V322", "V322t"], ty: "u32", link: "mad.lo.u32 %x, %x, %a, %b;", set: SLOTS },
    Operation { rows: ["V323", "V323t"], ty: "f32", link: "mul.f32 %x, %x, %a;", set: ONE },
    Operation { rows: ["V324", "V324t"], ty: "u32", link: "mul24.lo.u32 %x, %x, %a;", set: ONE },
    Operation { rows: ["V325", "V325t"], ty: "u32", link: "mul.hi.u32 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V326", "V326t"], ty: "u32", link: "mul.hi.s32 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V327", "V327t"], ty: "u32", link: "div.u32 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V328", "V328t"], ty: "u32", link: "div.s32 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V329", "V329t"], ty: "u32", link: "rem.u32 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V330", "V330t"], ty: "u32", link: "rem.s32 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V331", "V331t"], ty: "f32", link: "div.full.f32 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V332", "V332t"], ty: "f64", link: "div.rn.f64 %x, %x, %a;", set: SLOTS },
    Operation { rows: ["V333", "V333t"], ty: "f64", link: "add.f64 %x, %x, %a;", set: ONE },
    Operation { rows: ["V334", "V334t"], ty: "f32", link: "div.approx.f32 %x, %x, %a;", set: ONE },
    Operation { rows: ["V335", "V335t"], ty: "f32", link: "sin.approx.f32 %x, %x;", set: ONE },
    Operation {
        rows: ["V336", "V336t"], ty: "f32", set: SEVERAL,
        link: "sin.approx.f32 %y, %x;\ncos.approx.f32 %z, %x;\ndiv.approx.f32 %x, %y, %z;",
    },
    Operation { rows: ["V337", "V337t"], ty: "f32", link: "ex2.approx.f32 %x, %x;", set: ONE },
    // Times log2(e), then 2^x, as the guide describes __expf.
    Operation {
        rows: ["V338", "V338t"], ty: "f32", set: SEVERAL,
        link: "mul.f32 %y, %x, 0f3FB8AA3B;\nex2.approx.f32 %x, %y;",
    },
    Operation { rows: ["V339", "V339t"], ty: "f32", link: "lg2.approx.f32 %x, %x;", set: ONE },
    // log2, then times log(2).
    Operation {
        rows: ["V340", "V340t"], ty: "f32", set: SEVERAL,
        link: "lg2.approx.f32 %y, %x;\nmul.f32 %x, %y, 0f3F317218;",
    },
    // 2^(a log2 x), as the guide describes __powf.
    Operation {
        rows: ["V341", "V341t"], ty: "f32", set: SEVERAL,
        link: "lg2.approx.f32 %y, %x;\nmul.f32 %z, %y, %a;\nex2.approx.f32 %x, %z;",
    },
    Operation { rows: ["V342", "V342t"], ty: "f32", link: "rsqrt.approx.f32 %x, %x;", set: ONE },
    Operation { rows: ["V343", "V343t"], ty: "f32", link: "sqrt.approx.f32 %x, %x;", set: ONE },
];

/// Threads of the throughput loops.
const THREADS: u32 = 512;

/// The experiments.
#[rustfmt::skip]
pub static EXPERIMENTS: &[Experiment] = &[Experiment {
    rows: &[
        "V318", "V318t", "V319", "V319t", "V320", "V320t", "V321", "V321t", "V322", "V322t", "V323", "V323t",
        "V324", "V324t", "V325", "V325t", "V326", "V326t", "V327", "V327t", "V328", "V328t", "V329", "V329t",
        "V330", "V330t", "V331", "V331t", "V332", "V332t", "V333", "V333t", "V334", "V334t", "V335", "V335t",
        "V336", "V336t", "V337", "V337t", "V338", "V338t", "V339", "V339t", "V340", "V340t", "V341", "V341t",
        "V342", "V342t", "V343", "V343t",
    ],
    run: row,
}];

/// Measures the latency or throughput of the operation of a row.
fn row(chip: &Chip, row: &str, _: Scale) -> Result<Measured, RunError> {
    let operation =
        OPERATIONS.iter().find(|operation| operation.rows.contains(&row)).expect("all rows have one");
    let rate = operation.rows[1] == row;
    let value = if rate {
        throughput(chip, operation.ty, operation.link)?
    } else {
        latency(chip, operation.ty, operation.link)?
    };
    Ok(if operation.set[usize::from(rate)] { Measured::set(value) } else { Measured::emergent(value) })
}

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
    fn the_experiment_lists_exactly_the_rows_of_the_operations() {
        let listed: Vec<&str> = OPERATIONS.iter().flat_map(|operation| operation.rows).collect();
        assert_eq!(EXPERIMENTS[0].rows, listed);
    }

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
