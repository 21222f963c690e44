//! PERF-14: the peaks of G80 and GT200, by the formula and in simulation.

use crate::chain::Chain;
use crate::finding::significant;
use crate::{Claim, Experiment, Finding, Runner, Shown, tools, why};
use kernels::RunError;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-14", show: peaks }];

/// Tolerance of "about", in percent: the book rounds 933 to 1,000 and 141.7 to 150.
const ABOUT: f64 = 10.0;

/// Additional links of the longer chain: so many that its beginning and end are a small part of the
/// run.
const STREAM: usize = 200;

/// Returns one single-precision instruction for each of four registers.
fn four(op: &str, last: &str) -> [String; 4] {
    ["%v", "%a", "%b", "%c"].map(|r| format!("{op} {r}, {r}, %w{last};"))
}

fn within(shown: &mut Shown, what: String, range: std::ops::RangeInclusive<f64>, of: f64, found: f64) {
    // More than four digits, which would print 100.01 % as 100.0 %.
    let percent = |share: f64| (1e4 * share).round() / 1e2;
    let (least, most) = (percent(*range.start()), percent(*range.end()));
    let expected = format!("{least} to {most} % of {}", significant(of));
    // Rounding may increase the last digit of a reached peak.
    let holds = *range.start() <= found / of && found / of <= range.end() + 1e-9;
    shown.find(Finding::shape(what, expected, significant(found), holds));
}

fn peaks(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [g80_cores, g80_over] = claim.numbers(["g80_cores", "g80_over"]);
    let [gt200_cores, gt200_about] = claim.numbers(["gt200_cores", "gt200_about"]);
    let [g80_gbps, gt200_gbps] = claim.numbers(["g80_gbps", "gt200_gbps"]);
    let mut shown = Shown::new(
        "chains of multiply-adds, and of two multiply-adds and a product in turn, in 16 warps of one SM",
    );
    for (name, expected_cores) in [("g80", g80_cores), ("gt200", gt200_cores)] {
        let chip = runner.chip(name, &[])?;
        let (of_sm, sms) = (f64::from(tools::cores(&chip)), f64::from(tools::sms(&chip)));
        let shader_ghz = chip.clocks.shader_khz as f64 / 1e6;
        shown.find(Finding::exact(format!("{name}: SPs"), expected_cores, of_sm * sms));
        let formula = 3.0 * of_sm * sms * shader_ghz;
        let chain = Chain::on(chip.clone()).warps(16);
        let mads = four("mad.f32", ", %w").join(" ");
        let report = chain.run(&mads, 4)?.0;
        let gflops = 2.0 * of_sm * sms * shader_ghz;
        within(
            &mut shown,
            format!("{name}: the report's peak of multiply-adds, GFLOP/s"),
            0.9999..=1.0001,
            gflops,
            report.chip.peak_gflops,
        );
        let gbps = report.chip.peak_gbps;
        if name == "g80" {
            let what = "g80: multiply-add and product each clock, by the formula, GFLOP/s";
            shown.find(Finding::shape(
                what,
                format!("over {g80_over}"),
                significant(formula),
                formula > g80_over,
            ));
            shown.find(Finding::exact("g80: GB/s", g80_gbps, (10.0 * gbps).round() / 10.0));
        } else {
            let about = 1.0 - ABOUT / 100.0..=1.0 + ABOUT / 100.0;
            let what = "gt200: multiply-add and product each clock, by the formula, GFLOP/s".to_owned();
            within(&mut shown, what, about.clone(), 1000.0 * gt200_about, formula);
            within(&mut shown, "gt200: GB/s".to_owned(), about, gt200_gbps, gbps);
        }
        let what = format!("{name}: a stream of multiply-adds");
        let (reached, _) = why::explain(&mut shown, &what, "GFLOP/s", &chip, |chip| {
            let (chain, shader_ghz) =
                (Chain::on(chip.clone()).warps(16), chip.clocks.shader_khz as f64 / 1e6);
            let rate = 2.0 * 4.0 * chain.rate(&mads, STREAM)? * sms * shader_ghz;
            Ok((rate, chain.run(&mads, STREAM)?.0))
        })?;
        within(&mut shown, format!("{name}: multiply-adds reached, GFLOP/s"), 0.98..=1.0, gflops, reached);
        // GT200's special function units execute one product in addition to two multiply-adds; on
        // G80 products occupy the cores.
        let mixed = format!("{mads} {}", four("mul.f32", "")[..2].join(" "));
        let with_products = 10.0 * chain.rate(&mixed, 24)? * sms * shader_ghz;
        let most = if name == "gt200" { 2.5 * of_sm * sms * shader_ghz } else { gflops * 10.0 / 12.0 };
        within(
            &mut shown,
            format!("{name}: two multiply-adds and a product in turn, GFLOP/s"),
            0.95..=1.0,
            most,
            with_products,
        );
        shown.because(format!(
            "{name}: {} GFLOP/s by the formula of the book, {} by multiply-adds alone, of which a stream reaches {}; {} with \
             additional products, {}.",
            significant(formula),
            significant(gflops),
            significant(reached),
            significant(with_products),
            if name == "gt200" {
                "as many as the special function units execute"
            } else {
                "because the model omits this chip's second multiplier (docs/MODEL.md)"
            }
        ));
    }
    Ok(shown)
}
