//! A study without compiled kernels, for the tests of rows and plots.

use crate::axis::Part;
use crate::chip::ChipEntry;
use crate::design::{Point, Points, points};
use crate::file::{Experiment, Factor, Kernel, Level, Source, Target};
use crate::host::Host;
use crate::outcome::{Ending, Outcome};
use crate::point::Common;
use crate::programs::Programs;
use crate::rows::{Column, Rows, metric_columns};
use crate::study::Study;
use isa::span::{Span, Spanned};
use report::exit::Failure;
use report::metrics;
use sim_core::config::base::{Text, Texts};
use sim_core::host::{Gpu, WarmupCache};
use std::sync::Arc;

/// A program that prints nothing.
struct Silent;

impl Host for Silent {
    fn sources(&self) -> &'static str {
        ""
    }

    fn say(&self, _: &str) {}

    fn interrupted(&self) -> bool {
        false
    }

    fn monitor(&self, _: &mut Gpu) {}
}

/// Data of a study.
pub struct Fixture {
    file: Experiment,
    chips: Vec<ChipEntry>,
    warmups: WarmupCache,
    programs: Programs,
    host: Arc<dyn Host>,
}

fn plain<T>(value: T) -> Spanned<T> {
    Spanned { value, span: Span::default() }
}

fn texts(name: &str) -> Texts {
    Texts::collect(Text::builtin(name).expect("a built-in chip"), |_, _| Err(String::new()))
}

impl Fixture {
    /// A kernel and the G80, with factors that have these names, targets and values.
    pub fn new(factors: &[(&str, Target, &[&str])]) -> Self {
        let mut file = Experiment::default();
        let source = Source::Builtin { kernel: plain("vecadd".to_owned()), size: None };
        file.kernels.push(Kernel { name: "vecadd".to_owned(), span: Span::default(), source });
        for (name, target, values) in factors {
            let level = |text: &&str| Level { text: (*text).to_owned(), number: None };
            file.factors.push(Factor {
                name: plain((*name).to_owned()),
                targets: vec![plain(target.clone())],
                levels: values.iter().map(level).collect(),
                only: Vec::new(),
            });
        }
        let texts = texts("g80");
        let root = texts.read().expect("valid").root;
        let chip = ChipEntry { name: "g80".to_owned(), texts, root, resources: Vec::new() };
        Self {
            file,
            chips: vec![chip],
            warmups: WarmupCache::default(),
            programs: Programs::default(),
            host: Arc::new(Silent),
        }
    }

    /// Returns the study.
    pub fn study(&self) -> Study<'_> {
        let (common, Self { file, chips, warmups, programs, host }) = (Common::default(), self);
        Study { name: "test", file, chips, programs, common, warmups, host }
    }

    /// Returns the points.
    pub fn points(&self) -> Points {
        points(&self.file, &[crate::design::ChipFacts::default()], 1000).expect("few points")
    }

    /// Returns a point.
    pub fn point(&self, number: usize) -> Point {
        self.points().at(number)
    }

    /// Returns rows with the factors, the verdict, the message and these metrics.
    pub fn rows(&self, metrics: &[&str]) -> Result<Rows<'_>, Failure> {
        let mut columns: Vec<Column> =
            (0..self.file.factors.len()).map(|factor| Column::Of(Part::Factor(factor))).collect();
        columns.extend([Column::Verdict, Column::Message]);
        columns.extend(metric_columns(metrics.iter().copied()));
        Rows::new(self.study(), columns)
    }
}

/// Returns a result with these metrics.
pub fn outcome(ending: Ending, message: &str, values: &[(&str, u64)]) -> Outcome {
    let value = |metric: &metrics::Metric| {
        values.iter().find(|(name, _)| *name == metric.name).map(|(_, value)| (*value).into())
    };
    Outcome {
        ending,
        message: message.to_owned(),
        memory: String::new(),
        metrics: metrics::ALL.iter().map(value).collect(),
        host_seconds: 0.0,
    }
}
