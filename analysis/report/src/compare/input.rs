//! Differences in the input of two runs: program, kernel, chip, launch.

use super::report::ReadReport;
use crate::provenance::Provenance;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// An input that differs between the runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Field of the report, or path of an override.
    pub field: String,
    /// Value in A; `None` if A does not have the field.
    pub a: Option<String>,
    /// Value in B.
    pub b: Option<String>,
}

/// Parts of `launch` that are results of other inputs.
const RESULTS: [&str; 2] = ["occupancy", "registers_by_liveness"];

/// Returns all inputs that differ, in the order of the report.
pub fn differences(a: &ReadReport, b: &ReadReport) -> Vec<Input> {
    let (a, b) = (fields(a), fields(b));
    let find = |fields: &[(String, String)], field: &str| {
        fields.iter().find(|(name, _)| name == field).map(|(_, value)| value.clone())
    };
    let only_b = b.iter().filter(|(field, _)| find(&a, field).is_none());
    let names = a.iter().chain(only_b).map(|(field, _)| field);
    names
        .map(|field| Input { field: field.clone(), a: find(&a, field), b: find(&b, field) })
        .filter(|input| input.a != input.b)
        .collect()
}

/// Returns all inputs of a run with their values.
fn fields(report: &ReadReport) -> Vec<(String, String)> {
    let Provenance {
        program,
        kernel,
        size,
        input_sha256,
        chip,
        chip_sha256,
        overrides,
        without_effect: _,
        seeds,
    } = &report.provenance;
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut add = |field: &str, value: String| fields.push((field.to_owned(), value));
    add("program", program.clone());
    add("kernel", kernel.clone());
    if let Some(size) = size {
        add("--size", size.to_string());
    }
    add("launches", report.runs.len().to_string());
    for (name, hash) in ["PTX text (SHA-256)", "launch file (SHA-256)"].into_iter().zip(input_sha256) {
        add(name, short(hash));
    }
    add("chip", chip.clone());
    add("chip file (SHA-256)", short(chip_sha256));
    // If a field has several overrides, the last one counts.
    let overrides: BTreeMap<&str, &str> = overrides.iter().map(|set| (&*set.path, &*set.value)).collect();
    for (path, value) in overrides {
        add(&format!("--set {path}"), value.to_owned());
    }
    for (path, seed) in seeds {
        add(&format!("seed of {path}"), seed.to_string());
    }
    for part in ["launch", "chip"] {
        for (field, values) in of_launches(&report.runs, part) {
            add(&field, joined(&values));
        }
    }
    fields
}

/// Returns the leaves of a part of all launches, each with its value in every launch.
fn of_launches(runs: &[Json], part: &str) -> Vec<(String, Vec<String>)> {
    let mut fields: Vec<(String, Vec<String>)> = Vec::new();
    for run in runs {
        let mut leaves = Vec::new();
        for (name, value) in run[part].as_object().into_iter().flatten() {
            if !RESULTS.contains(&name.as_str()) {
                collect(&format!("{part}.{name}"), value, &mut leaves);
            }
        }
        for (field, value) in leaves {
            match fields.iter_mut().find(|(name, _)| *name == field) {
                Some((_, values)) => values.push(value),
                None => fields.push((field, vec![value])),
            }
        }
    }
    fields
}

fn collect(path: &str, value: &Json, leaves: &mut Vec<(String, String)>) {
    match value {
        Json::Object(fields) => {
            let extent = ["x", "y", "z"].map(|axis| fields.get(axis).and_then(Json::as_u64));
            if let (3, [Some(x), Some(y), Some(z)]) = (fields.len(), extent) {
                leaves.push((path.to_owned(), format!("({x},{y},{z})")));
                return;
            }
            for (name, value) in fields {
                collect(&format!("{path}.{name}"), value, leaves);
            }
        }
        Json::String(text) => leaves.push((path.to_owned(), text.clone())),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) => {
            leaves.push((path.to_owned(), value.to_string()));
        }
    }
}

/// Joins the values of all launches; equal values are written once.
fn joined(values: &[String]) -> String {
    /// Maximum number of values that are listed.
    const MOST: usize = 6;
    if values.iter().all(|value| *value == values[0]) {
        return values[0].clone();
    }
    let more = if values.len() > MOST { format!(", … ({} launches)", values.len()) } else { String::new() };
    let shown: Vec<&str> = values.iter().take(MOST).map(String::as_str).collect();
    format!("{}{more}", shown.join(", "))
}

/// Returns the first digits of a hash.
fn short(hash: &str) -> String {
    hash.chars().take(12).collect()
}
