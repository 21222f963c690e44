//! The report of launches: texts, JSON, metrics and pictures.

use figures::svg;
use pyo3::prelude::*;
use report::metrics::{self, Metric, Reports};
use report::outcome::{RunResult, shown};
use report::page::Page;
use report::provenance::{PROGRAM, Provenance};
use report::render::ending::ending;
use report::render::output::printed;
use report::render::short::WIDTH;
use report::render::{Details, findings, short, text};
use report::text::visible;
use report::{exit::Code, json};
use sim_core::check::Checks;
use sim_core::host::timeline::Timeline;
use std::collections::BTreeMap;

/// A part of the pictures: heading, explanation, and the name, the title and the SVG text of each
/// picture.
type Part = (String, String, Vec<(&'static str, String, String)>);

/// The launches of a run with everything that reports need.
#[pyclass(frozen, module = "warpsim._native")]
pub struct Run {
    /// The reports.
    pub result: RunResult,
    /// Copies and kernels.
    pub timeline: Timeline,
    /// Origin of the numbers.
    pub provenance: Provenance,
    /// The checkers that were on.
    pub checks: Checks,
}

#[pymethods]
impl Run {
    /// The document of `warpsim run --json`.
    fn json(&self) -> String {
        json::document(&self.provenance, &self.result, &self.timeline, None)
    }

    /// The short report, or the findings of the checkers.
    fn text(&self) -> String {
        let text = if self.checks.is_empty() {
            short::of_launches(&self.result, &self.timeline, &self.provenance, WIDTH)
        } else {
            findings::render(&self.result, self.checks)
        };
        visible(&text).into_owned()
    }

    /// The full report.
    fn details(&self) -> String {
        visible(&text::render(&self.result, &self.timeline, Details::Most, None)).into_owned()
    }

    /// All metrics as JSON: `null` without a value.
    fn metrics(&self) -> String {
        let reports = Reports::new(&self.result.reports);
        let value = |metric: &Metric| (metric.name, reports.value(metric));
        json::pretty(&metrics::ALL.iter().map(value).collect::<BTreeMap<_, _>>())
    }

    /// Output of `printf` in the kernels.
    fn printed(&self) -> String {
        printed(&self.result.reports)
    }

    /// Messages about launches that did not finish and about findings.
    fn messages(&self) -> Vec<String> {
        ending(&self.result, Code::of).messages
    }

    /// Whether all launches have finished.
    fn finished(&self) -> bool {
        self.result.reports.iter().all(|report| report.verdict.is_whole())
    }

    /// Place of the launch that texts and pictures show.
    fn shown(&self) -> usize {
        shown(&self.result.reports).unwrap_or(0)
    }

    /// Place in the source, such as `12` or `a.cuh:3`, of lines of a launch.
    fn places(&self, launch: usize, lines: Vec<u32>) -> Vec<String> {
        let report = self.result.reports.get(launch);
        let place = |line| report.map_or(String::new(), |report| report.launch.files.place(line).to_string());
        lines.into_iter().map(place).collect()
    }

    /// The parts of the pictures; none without timing.
    fn parts(&self) -> Vec<Part> {
        let (_, parts) = figures::report::parts(&self.result.reports).unwrap_or_default();
        let drawn = |part: &figures::report::Part| {
            part.pictures.iter().map(|(name, scene)| (*name, scene.title.clone(), svg(scene))).collect()
        };
        parts.iter().map(|part| (part.title.to_string(), part.note.clone(), drawn(part))).collect()
    }

    /// The report as one HTML page that loads no other file.
    fn page(&self) -> String {
        let mut page = Page::new(&self.provenance.kernel);
        let messages = self.messages();
        let answer = messages.first().cloned().unwrap_or_else(|| {
            let text = self.text();
            text.lines().find(|line| line.starts_with("limited by")).unwrap_or("finished").to_owned()
        });
        page.answer(messages.is_empty(), &answer);
        page.section("report", "Report");
        page.text("Report", &self.text());
        let (_, parts) = figures::report::parts(&self.result.reports).unwrap_or_default();
        for (number, part) in parts.iter().enumerate() {
            page.section(&format!("part-{number}"), &part.title);
            if !part.note.is_empty() {
                page.note(&part.note);
            }
            for (_, scene) in &part.pictures {
                page.picture(&scene.title, &figures::embedded(scene));
            }
        }
        page.finish(PROGRAM)
    }
}

/// The registry of metrics: name, unit, meaning.
#[pyfunction]
pub fn metric_table() -> Vec<(&'static str, &'static str, &'static str)> {
    metrics::ALL.iter().map(|metric| (metric.name, metric.unit, metric.about)).collect()
}
