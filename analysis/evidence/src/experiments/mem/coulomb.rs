//! MEM-10, MEM-20: storage and padding of the potential map.

use crate::experiments::perf::coulomb::worker;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use kernels::coulomb::Version;
use kernels::coulomb::atoms::water;
use kernels::coulomb::map::{Map, padded};
use kernels::coulomb::version::SIDE;

pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { id: "MEM-10", show: stores }, Experiment { id: "MEM-20", show: padding_of_a_cube }];

/// Transactions of the stores of the second and the third version, and the cost of the padding that
/// makes the third version coalesce.
fn stores(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [multiple_x, multiple_y] = claim.numbers(["multiple_x", "multiple_y"]);
    let [points_x, points_y, wide, high, all, more] =
        claim.numbers(["x", "y", "wide", "high", "points", "more"]);

    let chip = runner.chip("g80", &[])?;
    let points = [points_x as u32, points_y as u32, 1];
    let mut shown =
        Shown::new(format!("coulomb-v2 and -v3 on G80, a slice of {points_x} x {points_y} points"));
    // Stores do not depend on the number of atoms.
    let atoms = water([8, 8, 8]);
    let mut launched = None;
    for (number, version) in [(2.0, Version::ADJACENT), (3.0, Version::COALESCED)] {
        let what = format!("v{number}");
        let expected =
            if (claim.number("coalesced") - number).abs() < 0.5 { "coalesced" } else { "uncoalesced" };
        let map = Map { version, points, atoms: &atoms, options: runner.options() };
        let slice = worker(runner, &chip, &map)?.compute(&map, 0)?;
        let report = &slice.reports[0];
        let requests =
            report.timing.as_ref().map_or(0.0, |timing| timing.global.store_transactions_per_request);
        // A warp has two half-warps. Each needs one transaction in the best case and one per thread
        // in the worst.
        let word = match requests {
            2.0 => "coalesced",
            32.0 => "uncoalesced",
            _ => "in part",
        };
        shown.find(Finding::exact(format!("{what}: stores"), expected, word));
        shown.because(format!("{what}: {requests} transactions for each store of a warp."));
        launched = Some((report.launch.block, report.launch.grid));
    }

    // The third version ran last.
    let (block, grid) = launched.ok_or_else(|| RunError::Unfinished("nothing was launched".to_owned()))?;
    let tile = [Version::COALESCED.points * block.x, block.y];
    shown.find(Finding::exact("v3 pads x to a multiple of", multiple_x, tile[0].into()));
    shown.find(Finding::exact("v3 pads y to a multiple of", multiple_y, tile[1].into()));
    let [width, height] = [grid.x * tile[0], grid.y * tile[1]];
    shown.find(Finding::exact("padded slice", format!("{wide}x{high}"), format!("{width}x{height}")));
    shown.find(Finding::exact("points of the padded slice", all, f64::from(width * height)));
    let percent = 100.0 * (f64::from(width * height) / (points_x * points_y) - 1.0);
    shown.find(Finding::exact("more points, %", more, percent.round()));
    Ok(shown)
}

/// Pads a cube: its slices as the third version needs it, and along z like along y.
#[expect(clippy::unnecessary_wraps, reason = "the type of a program")]
fn padding_of_a_cube(_: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let points = claim.numbers(["x", "y", "z"]).map(|n| n as u32);
    let [x, y, z, all, more] = claim.numbers(["wide", "high", "deep", "points", "more"]);
    let [tile_x, tile_y] = Version::COALESCED.tile();

    let mut shown =
        Shown::new(format!("arithmetic: the grid rounded up to multiples of {tile_x}, {tile_y} and {SIDE}"));
    let cube = padded(points, [tile_x, tile_y, SIDE]);
    let count = |points: [u32; 3]| points.iter().map(|n| f64::from(*n)).product::<f64>();
    let text = |points: [u32; 3]| points.map(|n| n.to_string()).join("x");
    shown.find(Finding::exact("padded cube", format!("{x}x{y}x{z}"), text(cube)));
    shown.find(Finding::exact("points of the padded cube", all, count(cube)));
    let percent = |padded| 100.0 * (count(padded) / count(points) - 1.0);
    // MEM-10 gives a rounded number, this claim a truncated one.
    let found = percent(cube);
    let says = |whole: f64| (whole - more).abs() < 0.5;
    let cut = if says(found.floor()) && !says(found.round()) { " (the claim truncates it)" } else { "" };
    let what = "more points, %, truncated";
    shown.find(Finding::shape(what, more.to_string(), format!("{found:.2}{cut}"), says(found.floor())));
    let slices = padded(points, [tile_x, tile_y, 1]);
    shown.because(format!(
        "No kernel is launched for this claim: the multiples are those of coulomb-v3, whose launch MEM-10 checks, and the \
         multiple along z equals that along y. Our host program computes slice by slice and does not pad along z: {} = {} \
         points, +{:.0} %.",
        text(slices),
        count(slices),
        percent(slices)
    ));
    Ok(shown)
}
