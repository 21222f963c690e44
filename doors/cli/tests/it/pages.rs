//! Pages of `--html`: their sections and data, and that they change no report. `doors/web/test`
//! opens them in a browser.

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

/// Returns the names of the pictures, which are in the page without a script.
fn pictures(page: &str) -> Vec<&str> {
    let parts = page.split("<svg ").skip(1).map(|part| part.split_once("</svg>").expect("it ends").0);
    let name = |part: &'_ str| {
        assert!(!part.contains("NaN") && !part.contains("\"inf"), "{part}");
        let start = part.find("<title>").expect("a name") + 7;
        start..start + part[start..].find("</title>").expect("the name ends")
    };
    parts.map(|part| &part[name(part)]).collect()
}

/// Returns the identifiers of the sections.
fn sections(page: &str) -> Vec<&str> {
    let begin = |part: &'_ str| part.split_once('"').map(|(id, _)| id.len());
    page.split("<section id=\"").skip(1).filter_map(|part| Some(&part[..begin(part)?])).collect()
}

/// Tests: `pages-stand-alone`.
#[test]
fn the_page_of_a_run_has_all_sections() {
    let (run, page) = page("page-run", "run matmul-tiled --chip g80 --size 48");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected =
        ["report", "lines", "states", "timeline", "memory", "lanes", "roofline", "occupancy", "load"];
    assert_eq!(sections(&page), expected);
    assert!(page.contains("PASSED") && page.contains("limited by"));
    let drawn = pictures(&page);
    let has = |start: &str| drawn.iter().filter(|name| name.starts_with(start)).count();
    for start in [
        "matmul_tiled: time of warps by source line",
        "Time of all warps by state",
        "matmul_tiled: states of the warps of SM 0",
        "Active lanes by source line",
        "Divergent branches",
        "Roofline of GeForce 8800 GTX",
        "Resident blocks",
        "Occupancy of matmul_tiled",
        "Warp instructions by SM",
        "DRAM bytes by memory partition",
        "DRAM accesses",
    ] {
        assert_eq!(has(start), 1, "{start}: {drawn:?}");
    }
    assert!(has("Line ") >= 5, "loads and stores of both memories: {drawn:?}");
    assert!(page.contains("bank conflict") && page.contains("lane 31: bank"));
    let rest = page.split_once("<script type=\"application/json\">").expect("the timeline has data").1;
    let data: Value = serde_json::from_str(rest.split_once("</script>").expect("it ends").0).expect("JSON");
    assert_eq!(data["rows"].as_array().map(Vec::len), Some(24));
}

/// Tests: `pages-change-nothing`.
#[test]
fn a_page_changes_no_report() {
    for line in ["run matmul-naive --chip g80 --size 32", "run reduce-interleaved --size 4096 --chip fermi"] {
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
    let line = "run vecadd --chip g80 --size 1000000 --sample";
    let (run, sampled) = page("page-sample", line);
    assert_eq!(run.stdout, warpsim(line).stdout);
    assert!(sampled.contains("A sampled run is not recorded."));
    assert!(pictures(&sampled).len() >= 6);
    let (_, functional) = page("page-functional", "run vecadd --chip g80 --size 100 --functional");
    assert_eq!(sections(&functional), ["report", "lanes", "occupancy"]);
    let (race, races) = page("page-race", "run dot-product-printed --chip g80 --check race");
    assert_eq!(race.code, Some(1));
    assert!(races.contains("RACECHECK") && races.contains("class=\"answer bad\""));
}

/// A launch that does not finish has a page, and several launches have a table.
#[test]
fn a_page_shows_the_launch_that_matters() {
    let (run, limited) = page("page-limit", "run matmul-tiled --chip g80 --size 64 --max-cycles 2000");
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(limited.contains("class=\"answer bad\"") && sections(&limited)[1] == "messages");
    assert!(pictures(&limited).len() >= 8);
    let (_, several) = page("page-launches", "run reduce-repeated --chip g80 --size 100000");
    assert_eq!(sections(&several)[..2], ["report", "launches"]);
    assert!(several.contains("The pictures show launch "));
}

/// Tests: `pages-stand-alone`.
#[test]
fn other_commands_write_pages() {
    let compare = "compare -- run matmul-naive --chip g80 --size 32 -- run matmul-tiled --chip g80 --size 32";
    let (run, compared) = page("page-compare", compare);
    assert_eq!(run.stdout, warpsim(compare).stdout);
    assert_eq!(sections(&compared)[..4], ["answer", "slots", "lines", "runs"]);
    assert_eq!(pictures(&compared).len(), 2 + 3 + 3);
    let (run, occupancy) = page("page-occupancy", "occupancy matmul-tiled --chip g80");
    assert_eq!(run.stdout, warpsim("occupancy matmul-tiled --chip g80").stdout);
    assert_eq!(sections(&occupancy), ["kernel-0"]);
    assert_eq!(pictures(&occupancy).len(), 1);
    let (_, book) = page("page-book", "book OCC-12 PERF-04");
    assert_eq!(sections(&book), ["all", "group-0", "group-1"]);
    assert!(!pictures(&book).is_empty());
    let (_, validated) = page("page-validate", "validate V345 V318");
    assert_eq!(sections(&validated), ["scatter", "errors", "summary", "rows"]);
    assert_eq!(pictures(&validated).len(), 2);
    let (run, swept) = page("page-sweep", "sweep vecadd --chip g80 --size 64,128 --metrics cycles,ipc");
    assert_eq!(run.stdout, warpsim("sweep vecadd --chip g80 --size 64,128 --metrics cycles,ipc").stdout);
    assert_eq!(sections(&swept), ["plots", "points"]);
    assert_eq!(pictures(&swept).len(), 2);
}

#[test]
fn a_page_that_cannot_be_written_is_reported_before_the_run() {
    let run = warpsim("run vecadd --chip g80 --size 64 --html no-such-folder/page.html");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("cannot write no-such-folder/page.html") && run.stdout.is_empty());
    let same = warpsim("run vecadd --chip g80 --size 64 --html page-same.html --json page-same.html");
    assert_eq!(same.code, Some(2));
    assert!(same.stderr.contains("which this run also writes"), "{}", same.stderr);
}

#[test]
fn a_race_has_a_picture_of_its_two_accesses() {
    for checks in ["race", "all"] {
        let (_, page) =
            page("page-of-a-race", &format!("run dot-product-printed --chip g80 --check {checks}"));
        let picture = page.split_once("id=\"races\"").expect("a section").1;
        for part in ["67: st.shared.f32", "76: ld.shared.f32", "byte 0 of `sums`", "before line 76"] {
            assert!(picture.contains(part), "{part} is missing with --check {checks}");
        }
    }
}
