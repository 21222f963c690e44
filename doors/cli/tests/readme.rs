//! Tests that the report in the README and the trace in docs/TRACE.md are the program's output.

use std::path::Path;
use std::process::Command;

/// Marks before and after an output of the program in a document.
const BEGIN: &str = ": what the command prints; BLESS=1 rewrites it -->\n```text\n";
const END: &str = "```\n<!-- end of ";

/// Compares the output of the program with the text `what` in the document, or rewrites the text.
fn shows(document: &str, what: &str, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_warpsim")).args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("the output is text");

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    let text = std::fs::read_to_string(&path).expect("the document exists").replace("\r\n", "\n");
    let (begin, end) = (format!("<!-- {what}{BEGIN}"), format!("{END}{what} -->\n"));
    let (before, rest) = text.split_once(&begin).expect("the document has a place for it");
    let (shown, after) = rest.split_once(&end).expect("the place has an end");
    if shown == printed {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        let text = format!("{before}{begin}{printed}{end}{after}");
        std::fs::write(&path, text).expect("the document is writable");
        return;
    }
    let differs = shown.lines().zip(printed.lines()).find(|(old, new)| old != new);
    panic!("{document} shows an old {what}; run the tests with BLESS=1. First difference: {differs:#?}");
}

/// Chips and quantities of the predicted rows whose summary the README shows.
const SUMMARY: [&str; 6] = ["g80", "gt200", "fermi", "latencies and throughputs", "kernels", "all"];

/// The summary of the validation in the README is that of the validation page.
///
/// Tests: `documents-show-outputs`.
#[test]
fn the_readme_shows_the_summary_of_the_validation() {
    const BEGIN: &str = "<!-- summary: rows of docs/VALIDATION.md; BLESS=1 rewrites it -->\n";
    const END: &str = "<!-- end of summary -->\n";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("readable").replace("\r\n", "\n");
    let (readme, page) = (read("README.md"), read("docs/VALIDATION.md"));
    let (_, predicted) = page.split_once("\n### Predicted").expect("the summary of the predicted rows");
    let row = |first: &str| {
        let row = predicted.lines().find(|line| line.starts_with(&format!("| {first} |")));
        format!("{}\n", row.unwrap_or_else(|| panic!("docs/VALIDATION.md has no row `{first}`")))
    };
    let heads: String = [row("group"), "|---|---:|---:|---:|---:|---:|---:|\n".to_owned()].concat();
    let table = heads + &SUMMARY.map(row).concat();
    let (before, rest) = readme.split_once(BEGIN).expect("the README has a place for it");
    let (shown, after) = rest.split_once(END).expect("the place has an end");
    if shown == table {
        return;
    }
    assert!(
        std::env::var_os("BLESS").is_some_and(|value| value == "1"),
        "run the test with BLESS=1; expected:\n{table}"
    );
    std::fs::write(root.join("README.md"), format!("{before}{BEGIN}{table}{END}{after}")).expect("writable");
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_readme_shows_the_programs_report() {
    shows("README.md", "report", &["run", "matmul-tiled"]);
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_document_shows_the_programs_trace() {
    for (what, options) in [
        ("trace", "--warp 0..1 --cycles 1800..1900"),
        ("values", "--values --cycles 1904..1970"),
        ("cycles", "--format cycles --warp 0..1 --cycles 1812..1824"),
    ] {
        let line = format!("trace matmul-tiled --chip g80 --size 32 {options}");
        shows("docs/TRACE.md", what, &line.split(' ').collect::<Vec<_>>());
    }
}

/// The rate of the naive product in the README is row V306 of the validation page.
#[test]
fn the_readme_has_the_rate_of_the_naive_product() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("readable").replace("\r\n", "\n");
    let page = read("docs/VALIDATION.md");
    let row = page.lines().find(|line| line.starts_with("| V306 |")).expect("the page has the row");
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    // The unit and the band follow the number.
    let number = |cell: usize| cells[cell].split(' ').next().and_then(|word| word.parse::<f64>().ok());
    let number = |cell: usize| number(cell).expect("a rate");
    let percent = (100.0 * number(4) / number(3)).round();
    let readme = read("README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = format!("the naive matrix product on the G80 runs at {percent} % of its real rate");
    assert!(readme.contains(&sentence), "README.md lacks \"{sentence}\"");
}
