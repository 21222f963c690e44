//! Tests of the metrics against reports, and of the registry against the report's fields and the
//! documentation.

use super::*;
use serde_json::json;
use sim_core::config::Chip;
use sim_core::host::{Gpu, Launch, TexelFormat, TextureOptions, TextureShape};
use sim_core::stats::WarpState;
use sim_core::stats::report::MappedReport;

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
    assert_eq!(value(&launches[..1], "ipc").as_deref(), Some("0.5"), "one launch has its number");
    assert_eq!(value(&launches, "gflops"), None);
}

#[test]
fn an_unknown_name_suggests_near_ones() {
    let message = |name: &str| find(name).unwrap_err().message;
    assert!(message("cycle").contains("did you mean `cycles`"), "{}", message("cycle"));
    assert!(message("stall").contains("`stall_barrier`") && message("stall").contains("`stall_fetch`"));
    assert!(message("qqqqqq").contains("Metrics: launches, cycles"));
    assert!(chosen(&["ipc".into(), "ipc".into()]).unwrap_err().message.contains("twice"));
}

/// Collects the paths of all numbers of a report; pairs by their name, other lists are skipped.
fn numbers(value: &Json, path: &str, out: &mut Vec<String>) {
    let below = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    match value {
        Json::Object(fields) => fields.iter().for_each(|(step, v)| numbers(v, &below(step), out)),
        Json::Number(_) => out.push(path.to_owned()),
        _ => {}
    }
}

/// Returns the report of a kernel whose only warp fetches two lines of a texture, twice.
fn with_texture() -> Json {
    let text = "
        .version 1.4
        .target sm_10
        .tex .u32 table;
        .entry fetch
        {
        .shared .u32 last;
        .reg .u32 %i;
        .reg .u32 %a, %b, %c, %d;
        cvt.u32.u16 %i, %tid.x;
        tex.1d.v4.u32.s32 {%a, %b, %c, %d}, [table, {%i, %i, %i, %i}];
        add.u32 %i, %i, %a;
        tex.1d.v4.u32.s32 {%a, %b, %c, %d}, [table, {%i, %i, %i, %i}];
        st.shared.u32 [last], %a;
        exit;
        }";
    let (module, _) = isa::compile("fetch.ptx", text);
    let mut gpu = Gpu::new(Chip::builtin("g80").unwrap());
    let module = gpu.load(module.unwrap()).unwrap();
    let table = gpu.malloc(128).unwrap();
    gpu.copy_in(table, &[0; 128]).unwrap();
    let options = TextureOptions::new(TextureShape::Linear(32), TexelFormat::U32, 1);
    gpu.bind_texture(module, "table", table, options).unwrap();
    let launch = Launch::new(module, "fetch", (1, 1), (16, 1));
    serde_json::to_value(gpu.launch(&launch).unwrap()).unwrap()
}

#[test]
fn a_launch_without_textures_counts_no_fetches() {
    let plain = launch(100, 0.5, 30);
    assert_eq!(value(std::slice::from_ref(&plain), "tex_cache_requests").as_deref(), Some("0"));
    let launches = [plain, with_texture()];
    for (name, expected) in [
        ("tex_fetches", "2"),
        ("tex_texels", "32"),
        ("tex_cache_requests", "4"),
        ("tex_cache_hit", "2"),
        ("tex_cache_miss", "2"),
        ("tex_cache_hit_rate", "0.5"),
        ("tex_line_requests", "2"),
        ("tex_l2_misses", "2"),
    ] {
        assert_eq!(value(&launches, name).as_deref(), Some(expected), "{name}");
    }
    // A functional run has no timing.
    assert_eq!(value(&[json!({ "timing": null })], "tex_cache_requests"), None);
}

/// Tests: `every-value-is-explained`.
#[test]
fn every_number_of_a_report_is_a_metric_and_every_metric_is_in_it() {
    // Fields that repeat other columns, or that are not a single number.
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
        "timing.limits.used.",
        "timing.limits.slots.",
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
    numbers(&with_texture()["timing"]["texture"], "timing.texture", &mut paths);
    let mapped =
        MappedReport { read_bytes: 1, write_bytes: 1, read_utilization: 0.5, write_utilization: 0.5 };
    numbers(&serde_json::to_value(mapped).unwrap(), "timing.mapped", &mut paths);
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
    for state in WarpState::ALL {
        let name = serde_json::to_value(state).unwrap();
        let path = format!("timing.warps.states.{}", name.as_str().unwrap());
        assert!(ALL.iter().any(|m| matches!(m.value, Value::Share(p, _) if p == path)), "{path}");
    }
}

#[test]
fn the_shares_of_a_breakdown_add_up() {
    let mut gpu = Gpu::new(Chip::builtin("g80").unwrap());
    let settings = kernels::Settings { size: Some(5000), ..Default::default() };
    let reports = Reports::new(&kernels::run("reduce-interleaved", &mut gpu, settings).unwrap().reports);
    for whole in ["timing.slots.total", "timing.warps.resident"] {
        let shares = ALL.iter().filter(|m| matches!(m.value, Value::Share(_, w) if w == whole));
        let sum: f64 = shares.map(|m| reports.value(m).unwrap().as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{whole}: {sum}");
    }
}

/// Returns the value of a formula of sums, differences, products and quotients of numbers and
/// metrics; `None` if it contains other words.
fn evaluate(formula: &str, reports: &Reports) -> Option<f64> {
    // The last operator of the lowest precedence outside parentheses is evaluated last.
    let formula = formula.trim();
    for operators in [['+', '-'], ['*', '/']] {
        let mut depth = 0;
        for (at, c) in formula.char_indices().rev() {
            depth += i32::from(c == ')') - i32::from(c == '(');
            if depth == 0 && operators.contains(&c) {
                let [left, right] = [&formula[..at], &formula[at + 1..]].map(|part| evaluate(part, reports));
                return Some(match c {
                    '+' => left? + right?,
                    '-' => left? - right?,
                    '*' => left? * right?,
                    _ => left? / right?,
                });
            }
        }
    }
    if let Some(inner) = formula.strip_prefix('(') {
        return evaluate(inner.strip_suffix(')')?, reports);
    }
    let metric = |name| ALL.iter().find(|m| m.name == name);
    formula.parse().ok().or_else(|| reports.value(metric(formula)?)?.as_f64())
}

#[test]
fn formulas_give_the_values_of_the_report() {
    // The formulas of these metrics contain words for numbers that are not metrics.
    let in_words = [
        "achieved_occupancy",
        "occupancy",
        "threads_per_sm",
        "gld_latency",
        "issue_slots",
        "gld_congestion",
        "gld_in_flight",
        "gld_in_flight_needed",
        "mapped_read_utilization",
        "mapped_write_utilization",
    ];
    let mut evaluated = 0;
    for (chip, kernel, size) in
        [("g80", "matmul-tiled", 64), ("fermi", "vecadd", 3000), ("gt200", "dot-product", 40)]
    {
        let mut gpu = Gpu::new(Chip::builtin(chip).unwrap());
        let settings = kernels::Settings { size: Some(size), ..Default::default() };
        let reports = Reports::new(&kernels::run(kernel, &mut gpu, settings).unwrap().reports);
        for metric in ALL.iter().filter(|m| !m.formula.is_empty()) {
            let computed = evaluate(metric.formula, &reports);
            assert_eq!(computed.is_none(), in_words.contains(&metric.name), "{}", metric.name);
            let value = reports.value(metric).unwrap().as_f64().unwrap();
            // A quotient of zeros is 0 or 1 in a report.
            if let Some(computed) = computed.filter(|computed| !computed.is_nan()) {
                let near = (computed - value).abs() <= 1e-9 * value.abs();
                assert!(near, "{kernel} on {chip}: {} is {value}, its formula {computed}", metric.name);
                evaluated += 1;
            }
        }
    }
    assert!(evaluated > 50, "{evaluated}");
}

#[test]
fn every_metric_has_its_texts() {
    for metric in ALL.iter() {
        let Metric { name, about, improve, .. } = *metric;
        assert!(!about.is_empty(), "{name}");
        // The report computes it from counters, so it needs a formula.
        let computed = matches!(metric.value, Value::Mean(..));
        assert!(!computed || !metric.formula.is_empty(), "{name} has no formula");
        for text in [about, improve, &metric.formula(), metric.unit] {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"_.".contains(c));
            for word in words.filter(|word| ALL.iter().all(|m| m.name != *word) && !word.contains('.')) {
                let avoided = ["hot", "ledger", "roof", "home", "nobody"];
                assert!(!avoided.contains(&word), "{name}: {word} in {text}");
            }
        }
        for word in related::quoted(improve).filter(|word| !word.contains(' ')) {
            assert!(ALL.iter().any(|m| m.name == word), "{name} names {word}");
        }
    }
    let related = |name: &str| related(find(name).unwrap()).iter().map(|m| m.name).collect::<Vec<_>>();
    assert!(
        related("ipc").contains(&"inst_executed") && related("gld_efficiency").contains(&"gld_bytes_moved")
    );
    assert!(related("gld_bytes_moved").contains(&"gld_efficiency"), "both ways");
}

/// Adds a value to the values of a key.
fn push<K: PartialEq, T>(groups: &mut Vec<(K, Vec<T>)>, key: K, value: T) {
    match groups.iter_mut().find(|(known, _)| *known == key) {
        Some((_, values)) => values.push(value),
        None => groups.push((key, vec![value])),
    }
}

/// Unit, description and formula of metrics, and the metrics, each with the words before the colon
/// of its description.
type Row<'a> = ((&'a str, &'a str, String), Vec<(&'a Metric, &'a str)>);

/// Returns the rows of a table. Metrics that mean the same of different accesses or caches share a
/// row: their descriptions differ only in the words before a colon.
fn rows<'a>(metrics: impl Iterator<Item = &'a Metric>) -> String {
    let mut same: Vec<Row<'_>> = Vec::new();
    for m in metrics {
        let (of, about) = m.about.split_once(": ").unwrap_or(("", m.about));
        let formula = if m.is_field() { String::new() } else { m.formula().into_owned() };
        push(&mut same, (m.unit, about, formula), (m, of));
    }
    let row = |((unit, about, formula), group): &Row<'_>| {
        let names: Vec<String> = group.iter().map(|(m, _)| format!("`{}`", m.name)).collect();
        let fields = group.iter().filter(|(m, _)| m.is_field()).filter_map(|(m, _)| m.field());
        let fields: Vec<String> = fields.map(|field| format!("`{field}`")).collect();
        let of: Vec<&str> = group.iter().map(|(_, of)| *of).filter(|of| !of.is_empty()).collect();
        let of = if of.is_empty() { String::new() } else { of.join("; ") + ": " };
        let from = fields.join("<br>") + formula;
        format!("| {} | {unit} | {of}{about} | {from} |\n", names.join("<br>"))
    };
    same.iter().map(row).collect()
}

/// Returns the contents of `docs/METRICS.md`.
fn page() -> String {
    let mut out = "# Metrics\n\n\
        <!-- Generated from the registry in analysis/report/src/metrics. To renew it: BLESS=1 cargo test -p report metrics -->\n\n\
        ```sh\n\
        warpsim explain achieved_occupancy                   # the entry of one metric\n\
        warpsim sweep vecadd --size 256..1024:*2 --metrics cycles,ipc   # metrics as columns\n\
        ```\n\n\
        A metric is computed from fields of the report ([REPORT.md](REPORT.md)). It has the name of the\n\
        nvprof metric for the same quantity, if there is one.\n\n\
        If a run has several launches, a metric is one number for all of them: a counter is the sum over the\n\
        launches, and a rate or a fraction is computed over all launches together. The last column has the\n\
        field of the report, or a formula over metrics and fields (with dots). `warpsim explain` also says\n\
        what usually improves a metric.\n"
        .to_owned();
    for group in Group::ALL {
        let metrics = || ALL.iter().filter(|m| m.group == group);
        let title = group.title();
        let head =
            format!("\n## {title}\n\n| metric | unit | meaning | field or formula |\n|---|---|---|---|\n");
        out.extend([head, rows(metrics())]);
    }
    out
}

/// Tests: `every-value-is-explained`.
#[test]
fn the_page_of_metrics_is_generated_from_the_registry() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/METRICS.md");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, page()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == page(), "docs/METRICS.md shows old metrics; run the tests with BLESS=1");
}
