//! Pages of `--html`: their sections and data, and that they change no report. `web/test` opens
//! them in a browser.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use serde_json::Value;
use std::fs;

/// Runs the program with `--html` before the first `--`. Returns the run and the page.
fn page(name: &str, line: &str) -> (Run, String) {
    let path = scratch(name).join("page.html");
    let file = path.to_str().expect("UTF-8").to_owned();
    let mut words: Vec<&str> = line.split(' ').collect();
    let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    words.splice(end..end, ["--html", &file]);
    let run = warpsim_with(&words);
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    stands_alone(&page);
    (run, page)
}

/// A page names no address except that of the SVG language, and is complete.
fn stands_alone(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    let rest = page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "");
    assert!(!rest.contains("http") && !rest.contains("<link") && !rest.contains("<img"));
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("@media print"));
}

/// Returns the data of the drawings.
fn data(page: &str) -> Value {
    let rest = page.split_once("id=\"data\">").expect("the page has data").1;
    let text = rest.split_once("</script>").expect("the data ends").0;
    serde_json::from_str(text).expect("the data is JSON")
}

/// Returns the identifiers of the sections.
fn sections(page: &str) -> Vec<&str> {
    let begin = |part: &'_ str| part.split_once('"').map(|(id, _)| id.len());
    page.split("<section id=\"").skip(1).filter_map(|part| Some(&part[..begin(part)?])).collect()
}

/// Every drawing has its part in the data.
fn drawings_have_data(page: &str) {
    let data = data(page);
    for part in page.split("data-of=\"").skip(1) {
        let path = part.split_once('"').expect("an attribute ends").0;
        let pointer = if path.is_empty() { String::new() } else { format!("/{}", path.replace('.', "/")) };
        assert!(data.pointer(&pointer).is_some_and(|part| !part.is_null()), "no data at {path:?}");
    }
}

/// Tests: `pages-stand-alone`.
#[test]
fn the_page_of_a_run_has_all_sections() {
    let (run, page) = page("page-run", "run matmul-tiled --size 48");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected =
        ["report", "lines", "states", "timeline", "memory", "lanes", "roofline", "occupancy", "load"];
    assert_eq!(sections(&page), expected);
    drawings_have_data(&page);
    assert!(page.contains("PASSED") && page.contains("limited by"));
    let data = data(&page);
    let count = |path: &str| data.pointer(path).and_then(Value::as_array).map_or(0, Vec::len);
    assert!(count("/accesses") >= 5, "loads and stores of both memories");
    assert!(count("/lanes/lines") > 10 && count("/timeline/rows") == 24);
    assert!(count("/curves/by_block") == 16 && count("/curves/by_registers") > 3);
    let banks = |access: &Value| !access["banks"].is_null();
    assert!(data["accesses"].as_array().is_some_and(|all| all.iter().any(banks)));
}

/// Tests: `pages-change-nothing`.
#[test]
fn a_page_changes_no_report() {
    for line in ["run matmul-naive --size 32", "run reduce-interleaved --size 4096 --chip fermi"] {
        let plain = warpsim(line);
        let json = warpsim(&format!("{line} --json -"));
        let (with_page, first) = page("page-same", line);
        assert_eq!((with_page.stdout, with_page.stderr), (plain.stdout, plain.stderr));
        let (with_json, second) = page("page-json", &format!("{line} --json - --threads 3"));
        assert_eq!(with_json.stdout, json.stdout);
        assert!(first == second, "the page depends on threads or on --json");
    }
}

/// A run that cannot be observed has the same report, and its page says what is missing.
///
/// Tests: `pages-change-nothing`.
#[test]
fn a_page_says_what_is_missing() {
    let line = "run vecadd --size 1000000 --sample";
    let (run, sampled) = page("page-sample", line);
    assert_eq!(run.stdout, warpsim(line).stdout);
    assert!(sampled.contains("A sampled run is not recorded."));
    drawings_have_data(&sampled);
    let (_, functional) = page("page-functional", "run vecadd --size 100 --functional");
    assert_eq!(sections(&functional), ["report", "lanes", "occupancy"]);
    let (race, races) = page("page-race", "run dot-product-printed --check race");
    assert_eq!(race.code, Some(1));
    assert!(races.contains("RACECHECK") && races.contains("class=\"answer bad\""));
}

/// A launch that does not finish has a page, and several launches have a table.
#[test]
fn a_page_shows_the_launch_that_matters() {
    let (run, limited) = page("page-limit", "run matmul-tiled --size 64 --max-cycles 2000");
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(limited.contains("class=\"answer bad\"") && sections(&limited)[1] == "messages");
    drawings_have_data(&limited);
    let (_, several) = page("page-launches", "run reduce-repeated --size 100000");
    assert_eq!(sections(&several)[..2], ["report", "launches"]);
    assert!(several.contains("The pictures show launch "));
}

/// Tests: `pages-stand-alone`.
#[test]
fn other_commands_write_pages() {
    let compare = "compare -- run matmul-naive --size 32 -- run matmul-tiled --size 32";
    let (run, compared) = page("page-compare", compare);
    assert_eq!(run.stdout, warpsim(compare).stdout);
    assert_eq!(sections(&compared)[..4], ["answer", "slots", "lines", "runs"]);
    drawings_have_data(&compared);
    let (run, occupancy) = page("page-occupancy", "occupancy matmul-tiled");
    assert_eq!(run.stdout, warpsim("occupancy matmul-tiled").stdout);
    assert_eq!(sections(&occupancy), ["kernel-0"]);
    drawings_have_data(&occupancy);
    let (_, book) = page("page-book", "book OCC-12 PERF-04");
    assert_eq!(sections(&book), ["all", "group-0", "group-1"]);
    drawings_have_data(&book);
    let (_, validated) = page("page-validate", "validate V345 V318");
    assert_eq!(sections(&validated), ["scatter", "errors", "summary", "rows"]);
    drawings_have_data(&validated);
    let (run, swept) = page("page-sweep", "sweep vecadd --size 64,128 --metrics cycles,ipc");
    assert_eq!(run.stdout, warpsim("sweep vecadd --size 64,128 --metrics cycles,ipc").stdout);
    assert_eq!(sections(&swept), ["plots", "points"]);
    drawings_have_data(&swept);
    assert_eq!(data(&swept)["plots"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_page_that_cannot_be_written_is_reported_before_the_run() {
    let run = warpsim("run vecadd --size 64 --html no-such-folder/page.html");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("cannot write no-such-folder/page.html") && run.stdout.is_empty());
    let same = warpsim("run vecadd --size 64 --html page-same.html --json page-same.html");
    assert_eq!(same.code, Some(2));
    assert!(same.stderr.contains("which this run also writes"), "{}", same.stderr);
}

#[test]
fn a_race_has_a_picture_of_its_two_accesses() {
    for checks in ["race", "all"] {
        let (_, page) = page("page-of-a-race", &format!("run dot-product-printed --check {checks}"));
        let picture = page.split_once("id=\"races\"").expect("a section").1;
        for part in ["67: st.shared.f32", "76: ld.shared.f32", "byte 0 of `sums`", "after line 67"] {
            assert!(picture.contains(part), "{part} is missing with --check {checks}");
        }
    }
}
