//! Tests of the arguments of `--plot` and of the drawn points.

use super::super::space::Axis;
use super::*;
use crate::exit::Code;

fn space() -> Space {
    let axis = |name: &str, changes, values: &[&str]| Axis {
        name: name.to_owned(),
        changes,
        values: values.iter().map(|v| (*v).to_owned()).collect(),
    };
    let axes = vec![
        axis("size", Changes::Size, &["64", "128"]),
        axis("sm.max_warps", Changes::Set, &["8", "16", "24"]),
        axis("scheduler", Changes::Set, &["lrr", "gto"]),
    ];
    Space { axes, points: 12 }
}

fn plot(text: &str) -> Result<Plot, String> {
    Plot::new(text, &space()).map_err(|failure| failure.message)
}

#[test]
fn all_other_lists_are_lines_by_default() {
    assert_eq!(plot("x=max_warps,y=ipc").unwrap().series, [0, 2]);
    assert_eq!(plot("x=sm.max_warps, y=ipc, series=sm.scheduler+size").unwrap().series, [2, 0]);
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
    let mut many = space();
    many.axes[1].values = (1..=20).map(|n| n.to_string()).collect();
    assert!(Plot::new("x=size,y=ipc", &many).unwrap_err().message.contains("more than 24 lines"));
}

#[test]
fn failed_points_are_left_out_and_counted() {
    let space = space();
    let mut plot = plot("x=scheduler,y=cycles,series=size+max_warps").unwrap();
    let mut measured = metrics::chosen(&["ipc".into()]).unwrap();
    plot.find_columns(&mut measured);
    assert_eq!(measured.iter().map(|m| m.name).collect::<Vec<_>>(), ["ipc", "cycles"]);
    for index in 0..12u64 {
        let good = index != 5;
        let metrics = vec![None, good.then(|| (100 + index).into())];
        let verdict = if good { "finished" } else { "trapped" };
        plot.take(&space, index, &Row { verdict, message: String::new(), code: Code::Fine, metrics });
    }
    assert_eq!(plot.lines.len(), 6);
    assert_eq!(plot.lines[&0], [(0.0, 100.0), (1.0, 101.0)]);
    assert_eq!((&plot.lines[&2], plot.failed), (&vec![(0.0, 104.0)], 1));
    let svg = plot.draw(&space).unwrap();
    for part in ["lrr", "gto", "size=128, sm.max_warps=24", "cycles (shader cycles)", "1 point failed"] {
        assert!(svg.contains(part), "{part} is missing in\n{svg}");
    }
}

#[test]
fn axes_have_their_units() {
    let plot = plot("x=max_warps,y=dram_gbps").unwrap();
    let svg = plot.draw(&space()).unwrap();
    assert!(svg.contains("sm.max_warps (warps)") && svg.contains("dram_gbps (GB/s)"), "{svg}");
}
