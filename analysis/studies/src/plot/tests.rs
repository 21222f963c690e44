//! Tests of the arguments of `--plot` and of the drawn points.

use super::*;
use crate::file::Target;
use crate::outcome::Ending;
use crate::testing::{Fixture, outcome};

fn fixture(warps: &[&str]) -> Fixture {
    let chip = |path: &str| Target::Chip(path.to_owned());
    Fixture::new(&[
        ("size", Target::Size, &["64", "128"]),
        ("sm.max_warps", chip("sm.max_warps"), warps),
        ("scheduler", chip("scheduler"), &["lrr", "gto"]),
    ])
}

fn axes(fixture: &Fixture) -> Vec<Arc<Axis>> {
    fixture.rows(&["ipc"]).expect("valid").axes().into_iter().map(Arc::new).collect()
}

fn plot(text: &str) -> Result<Plot, String> {
    Plot::new(text, &axes(&fixture(&["8", "16", "24"]))).map_err(|failure| failure.message)
}

fn series(text: &str) -> Vec<String> {
    plot(text).expect("valid").series.iter().map(|axis| axis.name.clone()).collect()
}

#[test]
fn all_other_lists_are_lines_by_default() {
    assert_eq!(series("x=max_warps,y=ipc"), ["size", "scheduler"]);
    assert_eq!(series("x=sm.max_warps, y=ipc, series=sm.scheduler+size"), ["scheduler", "size"]);
    assert!(plot("x=achieved_occupancy,y=ipc,series=scheduler").is_ok());
}

#[test]
fn an_impossible_plot_has_a_message() {
    for (text, part) in [
        ("x=size", "expected the form"),
        ("x=size,y=ipc,z=3", "expected the form"),
        ("x=size,x=size,y=ipc", "x is given twice"),
        ("x=size,y=icp", "did you mean `ipc`"),
        ("x=sizes,y=ipc", "not one of the lists (`size`, `sm.max_warps`, `scheduler`)"),
        ("x=size,y=ipc,series=scheduler", "`sm.max_warps` varies but is not x or series"),
        ("x=size,y=ipc,series=color", "unknown list `color`"),
    ] {
        let message = plot(text).unwrap_err();
        assert!(message.contains(part), "{text}: {message}");
    }
    let many: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
    let many = axes(&fixture(&many.iter().map(String::as_str).collect::<Vec<_>>()));
    assert!(Plot::new("x=size,y=ipc", &many).unwrap_err().message.contains("more than 24 lines"));
}

#[test]
fn failed_points_are_left_out_and_counted() {
    let fixture = fixture(&["8", "16", "24"]);
    let mut plot = plot("x=scheduler,y=cycles,series=size+max_warps").unwrap();
    for number in 0..12 {
        let point = fixture.point(number);
        let good = outcome(Ending::Finished, "", &[("cycles", 100 + number as u64)]);
        let bad = outcome(Ending::Trapped, "", &[]);
        plot.take(&point, if number == 5 { &bad } else { &good });
    }
    let variant = Point { variant: Variant::Ideal(vec![0]), ..fixture.point(0) };
    plot.take(&variant, &outcome(Ending::Finished, "", &[("cycles", 1)]));
    assert_eq!(plot.lines.len(), 6);
    assert_eq!(plot.lines[&0], [(0.0, 100.0), (1.0, 101.0)]);
    assert_eq!((&plot.lines[&2], plot.failed), (&vec![(0.0, 104.0)], 1));
    let svg = figures::svg(&plot.scene());
    for part in ["lrr", "gto", "size=128, sm.max_warps=24", "cycles (shader cycles)", "1 point failed"] {
        assert!(svg.contains(part), "{part} is missing in\n{svg}");
    }
}

#[test]
fn axes_have_their_units() {
    let svg = figures::svg(&plot("x=max_warps,y=dram_gbps").unwrap().scene());
    assert!(svg.contains("sm.max_warps (warps)") && svg.contains("dram_gbps (GB/s)"), "{svg}");
}

#[test]
fn the_usual_plots_are_over_the_last_list_with_several_values() {
    let usual = Plot::usual(&axes(&fixture(&["8"])), &["ipc", "cycles"]);
    let labels: Vec<String> = usual.iter().map(|plot| plot.labels().0).collect();
    assert_eq!(labels, ["scheduler", "scheduler"]);
}
