//! Tests of the reader of experiment files.

use super::*;
use crate::codes;
use report::ron_text::AsJson;
use report::schema::schema;
use sim_core::config::schema::Record;
use sim_core::config::tree::parse;
use test_support::json_schema;

fn codes_of(text: &str) -> Vec<(String, String)> {
    let (_, diagnostics) = read(text, &["cycles", "microseconds"]);
    diagnostics.iter().map(|d| (d.code.to_owned(), text[d.labels[0].0.range()].to_owned())).collect()
}

const GOOD: &str = r#"(
    name: "shapes",
    kernels: [
        (kernel: "matmul-tiled", sizes: [64, 128]),
        (ptx: "saxpy.ptx", launch: "saxpy.ron"),
    ],
    chips: ["g80", "gt200"],
    factors: [
        (vary: chip("sm.max_warps"), values: [8, 16, 24]),
        (name: "policy", vary: chip("sm.scheduler"), values: [lrr, two_level(active: 4)]),
        (name: "block", vary: launch("block"), log_range: (32, 256), only: ["saxpy"]),
        (vary: [chip("a.latency"), chip("b.latency")], range: (10, 30, 10)),
    ],
    linked: [(vary: launch("grid"), formula: "floor((1000 + block - 1) / block)", only: ["saxpy"])],
    conditions: ["max_warps * 32 >= block"],
    design: latin_hypercube(points: 20, seed: 3),
    seeds: [1, 2],
    formulas: {"cost": "sm.registers * 4 + latency", "value": "cycles * cost"},
    metrics: ["cycles"],
    analyses: [
        effects(of: "cycles", interactions: true),
        pareto(minimize: ["microseconds", "cost"]),
        best(minimize: "cycles", where: "cost < 100"),
    ],
    stop: (failed: 3, minutes: 1.5),
)"#;

#[test]
fn the_schema_accepts_the_experiments_of_the_documents_and_refuses_a_wrong_one() {
    let schema = serde_json::to_value(schema("experiment", &ExperimentFile::table())).expect("JSON");
    let check = |text: &str| {
        let tree = parse(text, 0).expect("RON");
        let value = serde_json::to_value(AsJson(&tree)).expect("JSON");
        json_schema::validate(&schema, &schema, &value)
    };
    assert_eq!(check(GOOD), Ok(()));
    for name in [
        "banks",
        "coalescing",
        "dram-rows",
        "energy",
        "g80-caches",
        "l1-sizes",
        "mshrs",
        "schedulers",
        "warps-and-latency",
    ] {
        let path = format!("{}/../../docs/what-if/{name}.ron", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(check(&std::fs::read_to_string(path).expect("a text")), Ok(()), "{name}");
    }
    let error = check("(kernels: [(kernel: \"vecadd\", size: -1)])").expect_err("a size is not negative");
    assert!(error.contains("kernels"), "{error}");
    assert!(check("(kernels: [], design: random(seed: 1))").is_err(), "without points");
}

#[test]
fn a_kernel_has_one_size_or_a_list_of_sizes() {
    let text = "(kernels: [(kernel: \"vecadd\", size: 64, sizes: [128])])";
    let found = codes_of(text);
    assert_eq!(found.iter().map(|(code, _)| code.as_str()).collect::<Vec<_>>(), [codes::ONE_OF]);
}

#[test]
fn a_file_is_read() {
    let (file, diagnostics) = read(GOOD, &["cycles", "microseconds"]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let file = file.unwrap();
    let names: Vec<&str> = file.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["matmul-tiled 64", "matmul-tiled 128", "saxpy"]);
    let factors: Vec<&str> = file.factors.iter().map(|factor| factor.name.value.as_str()).collect();
    assert_eq!(factors, ["max_warps", "policy", "block", "latency"]);
    let texts = |index: usize| -> Vec<&str> { file.factors[index].levels.iter().map(|l| &*l.text).collect() };
    assert_eq!(texts(1), ["lrr", "two_level(active: 4)"]);
    assert_eq!(texts(2), ["32", "64", "128", "256"]);
    assert_eq!(texts(3), ["10", "20", "30"]);
    let levels = |name: &Quantity| if *name == Quantity::Factor(2) { 256.0 } else { f64::NAN };
    assert!((value_of(&file.linked[0].formula, &levels) - 4.0).abs() < 1e-9);
    assert_eq!((file.given.stop.failed, file.analyses.len(), file.formulas.len()), (Some(3), 3, 2));
}

#[test]
fn several_errors_are_reported_at_their_places() {
    let text = r#"(
    kernels: [(kernel: "a"), (kernel: "a"), (size: 3)],
    chips: ["g80"],
    factors: [
        (vary: chip("x.y"), values: []),
        (vary: chip("x.z")),
        (vary: size, range: (9, 3)),
    ],
    conditions: ["y < q"],
    metrics: ["cycle"],
    formulas: {"cost": "cylces + 1"},
    analyses: [pareto(minimize: "cycles")],
    unknown: 3,
)"#;
    let expected = [
        (codes::DUPLICATE, "(kernel: \"a\")"),
        (codes::ONE_OF, "(size: 3)"),
        (codes::VALUES, "[]"),
        (codes::ONE_OF, "(vary: chip(\"x.z\"))"),
        (codes::VALUES, "(9, 3)"),
        (codes::FORMULA, "q"),
        (codes::UNKNOWN_NAME, "\"cycle\""),
        (codes::FORMULA, "cylces"),
        (codes::ONE_OF, "pareto(minimize: \"cycles\")"),
        ("E0502", "unknown"),
    ];
    let expected: Vec<(String, String)> =
        expected.into_iter().map(|(code, at)| (code.to_owned(), at.to_owned())).collect();
    assert_eq!(codes_of(text), expected);
}

/// A formula, a kernel or a factor with an error has its name, so that its uses are no errors.
#[test]
fn one_mistake_gives_one_error() {
    for (rest, code, at) in [
        (
            "formulas: {\"cost\": \"cylces + 1\", \"more\": \"cost * 2\"}, analyses: [effects(of: \"more\")]",
            codes::FORMULA,
            "cylces",
        ),
        ("analyses: [pareto(minimize: [\"cylces\", \"cycles\"])]", codes::FORMULA, "cylces"),
        ("analyses: [best(minimize: \"cylces\")]", codes::FORMULA, "cylces"),
        (
            "factors: [(name: \"f\", vary: size, range: (9, 3))], design: one_at_a_time(base: {\"f\": 4})",
            codes::VALUES,
            "(9, 3)",
        ),
        ("factors: [(name: \"f\", vary: size, values: [])], conditions: [\"f > 1\"]", codes::VALUES, "[]"),
    ] {
        let text = format!("(kernels: [(kernel: \"k\")], {rest})");
        assert_eq!(codes_of(&text), [(code.to_owned(), at.to_owned())], "{rest}");
    }
    let text =
        "(kernels: [(ptx: \"a.cu\")], factors: [(vary: launch(\"block\"), values: [32], only: [\"a\"])])";
    assert_eq!(codes_of(text).len(), 1, "{:?}", codes_of(text));
}

/// Also fields without a dot, and ends of paths.
#[test]
fn formulas_know_the_fields_of_chips() {
    let text = "(kernels: [(kernel: \"k\")], formulas: {\"cost\": \"partitions * clusters + max_warps + \
                clocks.shader_mhz\"})";
    let (file, diagnostics) = read(text, &["cycles"]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut fields = Vec::new();
    file.unwrap().formulas[0].formula.expression.each_name(&mut |name| match name {
        Quantity::Field(path) => fields.push(path.clone()),
        other => panic!("{other:?}"),
    });
    assert_eq!(fields, ["partitions", "clusters", "max_warps", "clocks.shader_mhz"]);
    let text = "(kernels: [(kernel: \"k\")], formulas: {\"cost\": \"partition\"})";
    let (_, diagnostics) =
        read("(kernels: [(kernel: \"k\")], formulas: {\"cost\": \"partitons\"})", &["cycles"]);
    assert!(diagnostics[0].message.contains("did you mean `partitions`?"), "{diagnostics:?}");
    assert!(read(text, &["cycles"]).1.is_empty(), "whether it is a number is checked with the chips");
}

#[test]
fn ranges_have_both_ends() {
    let levels = |range: &str| -> Vec<String> {
        let text = format!("(kernels: [(kernel: \"k\")], factors: [(vary: size, {range})])");
        let (file, diagnostics) = read(&text, &[]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        file.unwrap().factors[0].levels.iter().map(|level| level.text.clone()).collect()
    };
    assert_eq!(levels("range: (1, 4)"), ["1", "2", "3", "4"]);
    assert_eq!(levels("range: (0.5, 1.0, 0.25)"), ["0.5", "0.75", "1"]);
    assert_eq!(levels("log_range: (1, 100, 10)"), ["1", "10", "100"]);
    assert_eq!(levels("log_range: (8, 30, 1.5)"), ["8", "12", "18", "27"]);
    assert_eq!(levels("range: (7, 7)"), ["7"]);
}

#[test]
fn damaged_files_cause_no_panic() {
    let words: Vec<&str> = GOOD.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    for skip in 0..words.len() {
        let mut damaged = words.clone();
        damaged.remove(skip);
        let _ = read(&damaged.concat(), &["cycles"]);
        damaged.insert(skip, "-1");
        let _ = read(&damaged.concat(), &["cycles"]);
    }
}
