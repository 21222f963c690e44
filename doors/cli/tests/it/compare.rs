//! Tests of `warpsim compare`: two runs, the difference and its causes in four formats, and reports
//! that cannot be compared.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

const NAIVE_AND_TILED: &str =
    "compare -- run matmul-naive --chip g80 --size 32 -- run matmul-tiled --chip g80 --size 32";

fn good(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    stdout
}

/// Returns the text of a comparison, after a check of the line lengths.
fn text(line: &str) -> String {
    let text = good(line);
    assert!(text.lines().all(|l| l.chars().count() <= 80 && l == l.trim_end()), "{text}");
    text
}

fn refused(arguments: &[&str]) -> String {
    let Run { code, stdout, stderr } = warpsim_with(arguments);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments:?}: {stderr}");
    stderr
}

#[test]
fn the_tiled_product_is_compared_with_the_naive_one() {
    insta::assert_snapshot!("compare_naive_and_tiled", text(NAIVE_AND_TILED));
}

/// The naive product on two chips: the coalescing rule of the G80 makes the difference.
#[test]
fn the_cause_of_a_difference_leads() {
    let text =
        text("compare -- run matmul-naive --chip g80 --size 64 -- run matmul-naive --size 64 --chip fermi");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cause = "Main cause: transactions per request of global loads, 17 → 1.50 (11.3 times less).";
    assert!(words.contains(cause), "{text}");
    let (_, metrics) = text.split_once("== Metrics that moved").expect("metrics");
    let mut rows = metrics.lines().skip_while(|line| !line.starts_with("  metric")).skip(1);
    assert!(rows.next().expect("a row").starts_with("  gld_transactions_per_request "), "{metrics}");
    let last = rows.last().expect("more rows");
    assert!(!last.contains("inf") && !metrics.contains("infinite"), "{metrics}");
}

#[test]
fn two_schedulers_are_compared_line_by_line() {
    insta::assert_snapshot!(
        "compare_schedulers",
        text(
            "compare -- run matmul-tiled --chip g80 --size 48 --set scheduler=lrr \
             -- run matmul-tiled --chip g80 --size 48 --set scheduler=gto"
        )
    );
}

#[test]
fn an_l1_is_compared_with_none() {
    insta::assert_snapshot!(
        "compare_l1",
        text(
            "compare -- run matmul-naive --size 32 --chip fermi --set sm.l1.global=false \
             -- run matmul-naive --size 32 --chip fermi"
        )
    );
}

#[test]
fn equal_runs_take_the_same_time() {
    let text = text("compare -- run vecadd --chip g80 --size 256 -- run vecadd --chip g80 --size 256");
    assert!(text.starts_with("A and B take the same time: "), "{text}");
    assert!(text.contains("Nothing: both runs have the same input."), "{text}");
}

#[test]
fn markdown_and_the_chart_show_the_answer() {
    let verdict =
        |text: &str| text.lines().find(|l| l.contains("times as fast as A")).expect("a verdict").to_owned();
    let markdown = good(&NAIVE_AND_TILED.replace("compare", "compare --format markdown"));
    insta::assert_snapshot!("compare_markdown", markdown);
    assert!(verdict(&markdown).starts_with("**B is "));
    let chart = good(&NAIVE_AND_TILED.replace("compare", "compare --format svg"));
    assert!(chart.starts_with("<svg") && chart.ends_with("</svg>\n"), "{chart}");
    for part in [
        "times as fast as A",
        "empty: memory dependency",
        "A: run matmul-naive --chip g80 --size 32",
        "#009e73",
    ] {
        assert!(chart.contains(part), "{part} is missing in\n{chart}");
    }
    let path = scratch("compare-svg").join("chart.svg");
    let path = path.to_str().expect("UTF-8");
    good(&NAIVE_AND_TILED.replace("compare", &format!("compare --svg {path}")));
    assert_eq!(fs::read_to_string(path).expect("written"), chart);
}

/// Collects all keys of a value, except below `provenance`, which docs/REPORT.md describes.
fn keys(value: &Value, out: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                out.insert(key.clone());
                if key != "provenance" {
                    keys(value, out);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, out)),
        _ => {}
    }
}

#[test]
fn files_compare_as_their_runs_do() {
    let folder = scratch("compare-files");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    for (name, run) in [
        ("a.json", "run reduce-halving --chip g80 --size 5000"),
        ("b.json", "run reduce-pairs --chip g80 --size 5000"),
    ] {
        good(&format!("{run} --json {}", path(name)));
    }
    let without_names = |text: &str| {
        let mut json: Value = serde_json::from_str(text).expect("JSON");
        json["a"]["name"] = Value::Null;
        json["b"]["name"] = Value::Null;
        json
    };
    let files = good(&format!("compare --format json {} {}", path("a.json"), path("b.json")));
    let runs = "-- run reduce-halving --chip g80 --size 5000 -- run reduce-pairs --chip g80 --size 5000";
    let json = without_names(&files);
    assert_eq!(json, without_names(&good(&format!("compare --format json {runs}"))));
    let mixed =
        format!("compare --format json {} -- run reduce-pairs --chip g80 --size 5000", path("a.json"));
    assert_eq!(json, without_names(&good(&mixed)));

    let mut found = BTreeSet::new();
    keys(&json, &mut found);
    let page = include_str!("../../../../docs/EXPERIMENTS.md");
    let section = page.split("\n## Comparing two runs\n").nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("its text");
    let missing: Vec<&String> = found.iter().filter(|key| !section.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "docs/EXPERIMENTS.md lacks {missing:?}");
}

#[test]
fn reports_that_cannot_be_compared_say_why() {
    let folder = scratch("compare-bad");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (report, other) = (path("good.json"), path("other.json"));
    good(&format!("run vecadd --chip g80 --size 100 --json {report}"));
    let text = fs::read_to_string(&report).expect("written");
    good(&format!("run vecadd --chip g80 --size 100 --functional --json {other}"));
    let functional = fs::read_to_string(&other).expect("written");
    let schema = |number: &str| {
        let mut json: Value = serde_json::from_str(&text).expect("JSON");
        json["schema"] = number.parse().expect("a number");
        json.to_string()
    };
    for (written, why) in [
        (String::new(), "not a JSON document"),
        (text[..500].to_owned(), "not a JSON document"),
        ("[1, 2]".to_owned(), "it has no `schema`"),
        (schema("2"), "a report of an older version: its schema is 2"),
        (schema("999"), "a report of a newer version: its schema is 999"),
        (text.replace("\"verdict\"", "\"ending\""), "missing field `verdict`"),
        (
            text.replace("\"kind\": \"finished\"", "\"kind\": \"hung\""),
            "did not run to its end (verdict `hung`)",
        ),
        (functional, "ran on the functional machine, which has no time"),
    ] {
        fs::write(&other, written).expect("written");
        let message = refused(&["compare", &report, &other]);
        assert!(message.contains(why) && message.contains("other.json: "), "{why}: {message}");
    }
    assert!(refused(&["compare", &report, &path("missing.json")]).contains("missing.json"));
    // Timed reports have the same layout in version 4.
    fs::write(&other, schema("4")).expect("written");
    good(&format!("compare {report} {other}"));
}

#[test]
fn runs_that_cannot_be_compared_say_why() {
    for (line, why) in [
        ("compare --format json", "expected two runs, found 0"),
        ("compare -- run vecadd --chip g80", "expected two runs, found 1"),
        (
            "compare -- run vecadd --chip g80 -- run vecadd --chip g80 -- run vecadd --chip g80",
            "expected two runs, found 3",
        ),
        ("compare -- run vecadd --chip g80 -- list", "the word `run` must follow `--`"),
        ("compare -- run vecadd --chip g80 -- run vecad --chip g80", "did you mean `vecadd`?"),
        (
            "compare -- run vecadd --chip g80 -- run vecadd --chip g80 --functional",
            "--functional is not possible here",
        ),
    ] {
        let message = refused(&line.split(' ').collect::<Vec<_>>());
        assert!(message.contains(why), "{line}: {message}");
    }
    let Run { code, stdout, stderr } = warpsim(
        "compare -- run vecadd --chip g80 --size 512 -- run vecadd --chip g80 --size 512 --max-cycles 100",
    );
    assert_eq!((code, stdout.as_str()), (Some(4), ""), "{stderr}");
    assert!(stderr.contains("at the limit of 100") && stderr.contains("nothing is compared"), "{stderr}");
}
