//! `config check`: reports all errors and warnings of a chip file.

use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::{complain, print};
use crate::render::number::plural;
use request::options::split;
use sim_core::config::Chip;

/// Checks a chip.
pub fn run(file: &str, sets: &[String]) -> Result<Code, Failure> {
    let sets = sets.iter().map(|set| split(set)).collect::<Result<Vec<_>, _>>()?;
    let texts = chip::texts(file)?;
    let name = &texts.own().name;
    let (chip, complaints, verdict) = match Chip::from_texts(&texts, &sets) {
        Ok((chip, warnings)) => (Some(chip), warnings, "valid chip"),
        Err(complaints) => (None, complaints, "invalid chip"),
    };
    if !complaints.is_empty() {
        complain(&complaints.to_string());
    }
    let errors = complaints.diagnostics.iter().filter(|d| d.is_error()).count() as u64;
    let warnings = complaints.diagnostics.len() as u64 - errors;
    let about = chip.as_ref().map_or_else(String::new, |chip| {
        let sms = plural((chip.clusters * chip.cluster.sms).into(), "SM");
        format!(" {}, compute capability {}, {sms}", chip.board, chip.capability)
    });
    let counts = match (errors, warnings) {
        (0, 0) => String::new(),
        (0, n) => format!(", {}", plural(n, "warning")),
        (n, 0) => format!(", {}", plural(n, "error")),
        (e, w) => format!(", {}, {}", plural(e, "error"), plural(w, "warning")),
    };
    print(&format!("{name}: {verdict}{about}{counts}\n"))?;
    Ok(if chip.is_some() { Code::Fine } else { Code::BadInput })
}
