//! Metrics against reports, and the list against the report's fields and the documentation.

use super::*;
use serde_json::json;
use sim_core::config::Chip;
use sim_core::host::Gpu;
use sim_core::stats::WarpState;

fn value(launches: &[Json], name: &str) -> Option<String> {
    Reports(launches.to_vec()).value(find(name).unwrap()).map(|n| n.to_string())
}

fn launch(cycles: u64, ipc: f64, issuing: u64) -> Json {
    json!({
        "timing": {
            "cycles": cycles, "ipc": ipc,
            "warps": { "resident": 100, "states": [["issuing", issuing], ["barrier", 10]] },
            "slots": { "total": 50, "empty": [["fetch", 5], ["barrier", 20]] },
        },
        "chip": { "sms": 16 },
    })
}

#[test]
fn several_launches_make_one_number() {
    let launches = [launch(100, 0.5, 30), launch(300, 0.1, 50)];
    for (name, expected) in [
        ("launches", "2"),
        ("cycles", "400"),
        ("ipc", "0.2"),
        ("warps_issuing", "0.4"),
        ("stall_barrier", "0.1"),
        ("stall_fetch", "0.0"),
        ("slots_empty", "0.5"),
        ("sms", "16"),
    ] {
        assert_eq!(value(&launches, name).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(value(&launches[..1], "ipc").as_deref(), Some("0.5"), "one launch's own number");
    assert_eq!(value(&launches, "gflops"), None);
}

#[test]
fn an_unknown_name_is_told_with_near_ones() {
    let message = |name: &str| find(name).unwrap_err().message;
    assert!(message("cycle").contains("did you mean `cycles`"), "{}", message("cycle"));
    assert!(message("stall").contains("`stall_barrier`") && message("stall").contains("`stall_fetch`"));
    assert!(message("qqqqqq").contains("Metrics: launches, cycles"));
    assert!(chosen(&["ipc".into(), "ipc".into()]).unwrap_err().message.contains("twice"));
}

/// Paths of all numbers of a report; pairs by their name, lists of others not at all.
fn numbers(value: &Json, path: &str, out: &mut Vec<String>) {
    let below = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    match value {
        Json::Object(fields) => fields.iter().for_each(|(step, v)| numbers(v, &below(step), out)),
        Json::Number(_) => out.push(path.to_owned()),
        _ => {}
    }
}

#[test]
fn every_number_of_a_report_is_a_metric_and_every_metric_is_in_it() {
    // What says nothing about a point that its columns do not say, or that no single number can say.
    let left_out = [
        "schema",
        "launch.grid.",
        "launch.block.",
        "launch.padded_lanes",
        "launch.param_bytes",
        "launch.registers_by_liveness",
        "launch.opt_level",
        "instructions.flops",
        "launch.l1_bytes",
        "launch.sm_shared_bytes",
        "timing.l2.dirty_sectors",
        "launch.occupancy.needs.",
        "launch.occupancy.warps_per_block",
        "launch.occupancy.limits.",
        "timing.slots.schedulers",
        "timing.slots.ports",
        "timing.slots.issue_period",
        "timing.slots.issue_cycles",
    ];
    let mut gpu = Gpu::new(Chip::builtin("g80").unwrap());
    let settings = kernels::Settings { size: Some(600), ..Default::default() };
    let outcome = kernels::run("reduce-halving", &mut gpu, settings).unwrap();
    let reports = Reports::new(&outcome.reports);
    let mut paths = Vec::new();
    numbers(&reports.0[0], "", &mut paths);
    for path in &paths {
        let used = ALL.iter().any(|m| match m.value {
            Value::Sum(p) | Value::Same(p) | Value::Mean(p, _) | Value::Share(p, _) => p == path,
            Value::Launches => false,
        });
        let skipped = left_out.iter().any(|l| path == l || l.ends_with('.') && path.starts_with(l));
        assert!(used != skipped, "{path}: used {used}, left out {skipped}");
    }
    for metric in ALL.iter() {
        assert!(reports.value(metric).is_some(), "{}", metric.name);
    }
    let manual = include_str!("../../../docs/REPORT.md");
    for state in WarpState::ALL {
        let name = serde_json::to_value(state).unwrap();
        let name = name.as_str().unwrap();
        assert!(manual.contains(&format!("| `{name}` |")), "docs/REPORT.md does not explain {name}");
        let path = format!("timing.warps.states.{name}");
        assert!(ALL.iter().any(|m| matches!(m.value, Value::Share(p, _) if p == path)), "{path}");
    }
}

#[test]
fn the_shares_of_a_ledger_add_up() {
    let mut gpu = Gpu::new(Chip::builtin("g80").unwrap());
    let settings = kernels::Settings { size: Some(5000), ..Default::default() };
    let reports = Reports::new(&kernels::run("reduce-interleaved", &mut gpu, settings).unwrap().reports);
    for whole in ["timing.slots.total", "timing.warps.resident"] {
        let shares = ALL.iter().filter(|m| matches!(m.value, Value::Share(_, w) if w == whole));
        let sum: f64 = shares.map(|m| reports.value(m).unwrap().as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{whole}: {sum}");
    }
}

#[test]
fn the_manual_lists_the_metrics() {
    let row = |m: &Metric| format!("| `{}` | {} | {} |\n", m.name, m.unit, m.about);
    let rows: String = ALL.iter().map(row).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/SWEEP.md");
    let manual = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let head = "| metric | unit | what it is |\n|---|---|---|\n";
    let (before, table) = manual.split_once(head).expect("the head of the table");
    let (_, after) = table.split_once("\n\n").expect("text after the table");
    let expected = format!("{before}{head}{rows}\n{after}");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, &expected).unwrap();
    } else {
        assert!(manual == expected, "docs/SWEEP.md shows old metrics; run the tests with BLESS=1");
    }
}
