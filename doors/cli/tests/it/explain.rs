//! `warpsim explain` knows the words that `warpsim run` prints.

use crate::common::{warpsim, warpsim_with};
use std::collections::BTreeSet;

/// Column at which the values of a short report begin.
const VALUES: usize = 11;

/// Returns the labels of a short report: at the left, and in front of the stalls and checks.
fn short(report: &str) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    let mut part = String::new();
    for line in report.lines().skip_while(|line| !line.starts_with("kernel")) {
        let (left, right) = line.split_at(line.len().min(VALUES));
        if !left.starts_with(' ') {
            left.trim().clone_into(&mut part);
            labels.insert(part.clone());
        }
        if part == "stalls" || part == "checks" {
            let words = right.split("  ").next().unwrap_or_default();
            let label = words.split(" OK ").next().unwrap_or_default();
            labels.insert(label.trim_end_matches(|c: char| c != ')' && !c.is_alphabetic()).trim().to_owned());
        }
    }
    labels
}

/// Returns the labels at the left of a detailed report, without its source lines and kernels.
fn detailed(report: &str) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    let mut section = "";
    for line in report.lines() {
        if let Some(title) = line.strip_prefix("== ") {
            section = title.split(" ==").next().unwrap_or_default();
        }
        let Some(row) = line.strip_prefix("  ").filter(|row| !row.starts_with(' ')) else { continue };
        let is_row = row.contains("  ") && !section.starts_with("The most") && !row.contains(": ");
        if is_row && !section.starts_with("Host") {
            labels.extend(row.split("  ").next().map(str::to_owned));
        }
    }
    labels
}

#[test]
fn every_label_of_a_report_is_explained() {
    let mut labels = BTreeSet::new();
    for run in [
        "run matmul-tiled --size 32 --chip fermi",
        "run vecadd --size 1024",
        "run reduce-halving --chip gt200",
    ] {
        labels.extend(short(&warpsim(run).stdout));
        labels.extend(detailed(&warpsim(&format!("{run} --details")).stdout));
    }
    assert!(labels.len() > 60, "{labels:#?}");
    let unknown: Vec<&String> =
        labels.iter().filter(|label| warpsim_with(&["explain", label]).code != Some(0)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}
