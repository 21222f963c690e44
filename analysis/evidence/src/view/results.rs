//! The recorded results of all claims, `data/results.ron`: the findings of `warpsim book all` at
//! small and at full size.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const FILE: &str = include_str!("../../data/results.ron");

/// What was recorded of a claim.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// Its name.
    pub id: String,
    /// Verdicts at small and at full size.
    pub verdicts: (String, String),
    /// What ran.
    pub ran: String,
    /// Cause of a result outside the band.
    pub cause: Option<String>,
    /// Findings of the full size, then those that only the small size has.
    pub findings: Vec<Finding>,
}

/// What was found, with the value that the claim expects, at both sizes.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding(pub String, pub String, pub Option<Shown>, pub Option<Shown>);

/// A value, its verdict and, for a measured number, its error in percent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown(pub String, pub String, pub Option<f64>);

/// Returns the recorded results, in the order of the claims.
pub fn results() -> Vec<Recorded> {
    ron::from_str(FILE).expect("a test writes the file")
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// Returns the results in two documents of `warpsim book all --format json`.
fn joined(small: &Value, full: &Value) -> Vec<Recorded> {
    let shown = |finding: &Value| {
        Shown(text(finding, "simulated"), text(finding, "verdict"), finding["error_percent"].as_f64())
    };
    let claim = |full: &Value| {
        let small = list(small, "claims").iter().find(|small| small["id"] == full["id"]);
        let small = small.expect("both documents have all claims");
        let (smalls, fulls) = (list(small, "findings"), list(full, "findings"));
        let same =
            |all: &[Value], one: &Value| all.iter().find(|other| other["what"] == one["what"]).map(shown);
        let both = fulls.iter().map(|full| (full, same(smalls, full), Some(shown(full))));
        let only = smalls.iter().filter(|small| same(fulls, small).is_none());
        let all = both.chain(only.map(|small| (small, Some(shown(small)), None)));
        let finding = |(one, small, full)| Finding(text(one, "what"), text(one, "expected"), small, full);
        Recorded {
            id: text(full, "id"),
            verdicts: (text(small, "verdict"), text(full, "verdict")),
            ran: text(full, "ran"),
            cause: full["cause"].as_str().map(str::to_owned),
            findings: all.map(finding).collect(),
        }
    };
    list(full, "claims").iter().map(claim).collect()
}

/// Returns the text of the file, one finding a line.
fn written(results: &[Recorded]) -> String {
    fn ron<T: Serialize + ?Sized>(value: &T) -> String {
        ron::to_string(value).expect("texts and numbers")
    }
    let mut out = "[\n".to_owned();
    for Recorded { id, verdicts, ran, cause, findings } in results {
        let (verdicts, cause) = (ron(verdicts), ron(cause));
        let _ = writeln!(
            out,
            "    (id: {}, verdicts: {verdicts}, ran: {}, cause: {cause}, findings: [",
            ron(id),
            ron(ran)
        );
        for finding in findings {
            let _ = writeln!(out, "        {},", ron(finding));
        }
        out += "    ]),\n";
    }
    out + "]\n"
}

/// Writes the results that the commands of `docs/BOOK.md` have left in `target`.
#[test]
#[ignore = "needs the results of `warpsim book all`"]
fn results_are_recorded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [small, full] = ["small", "full"].map(|size| {
        let path = root.join(format!("../../target/claims-{size}.json"));
        let text = fs::read_to_string(path).expect("docs/BOOK.md has the command that writes it");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(document["full_size"], Value::from(size == "full"));
        document
    });
    fs::write(root.join("data/results.ron"), written(&joined(&small, &full))).expect("writable");
}

#[test]
fn results_of_both_sizes_are_joined() {
    let finding = |what: &str, simulated: &str| serde_json::json!({ "what": what, "expected": "3", "simulated": simulated, "verdict": "passed", "error_percent": 2.5 });
    let claim = |verdict: &str, findings: &[Value]| serde_json::json!({ "claims": [{ "id": "A-1", "verdict": verdict, "ran": "it", "cause": null, "findings": findings }] });
    let small = claim("passed", &[finding("both", "1"), finding("small", "2")]);
    let full = claim("failed", &[finding("full", "\"3\""), finding("both", "4")]);
    let shown = |value: &str| Some(Shown(value.to_owned(), "passed".to_owned(), Some(2.5)));
    let finding = |what: &str, small, full| Finding(what.to_owned(), "3".to_owned(), small, full);
    let results = joined(&small, &full);
    let expected = Recorded {
        id: "A-1".to_owned(),
        verdicts: ("passed".to_owned(), "failed".to_owned()),
        ran: "it".to_owned(),
        cause: None,
        findings: vec![
            finding("full", None, shown("\"3\"")),
            finding("both", shown("1"), shown("4")),
            finding("small", shown("2"), None),
        ],
    };
    assert_eq!(results, [expected]);
    assert_eq!(ron::from_str::<Vec<Recorded>>(&written(&results)), Ok(results));
}

#[test]
fn the_file_is_as_it_was_written() {
    assert_eq!(written(&results()), FILE.replace("\r\n", "\n"));
}
