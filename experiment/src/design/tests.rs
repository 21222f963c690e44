//! Tests of the designs.

use super::*;
use crate::file::read;

fn file(text: &str) -> Experiment {
    let (file, diagnostics) = read(text, &["cycles"]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    file.expect("valid RON")
}

fn settings_of(design: &str) -> Vec<Vec<Option<usize>>> {
    let text = format!(
        "(kernels: [(kernel: \"k\")], chips: [\"g80\"], design: {design}, factors: [\
         (vary: chip(\"a.x\"), values: [1, 2, 3]), (vary: chip(\"a.y\"), values: [5, 6])])"
    );
    let (points, _) = points(&file(&text), &[ChipFacts::default()]).expect("few points");
    points.into_iter().map(|point| point.levels).collect()
}

/// Tests: `same-file-same-points`.
#[test]
fn factorial_points_are_numbered_with_the_last_factor_fastest() {
    let all: Vec<_> = settings_of("full").iter().map(|s| (s[0].unwrap(), s[1].unwrap())).collect();
    assert_eq!(all, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
}

#[test]
fn one_at_a_time_has_the_base_first() {
    let settings = settings_of("one_at_a_time(base: {\"x\": 2})");
    let all: Vec<_> = settings.iter().map(|s| (s[0].unwrap(), s[1].unwrap())).collect();
    assert_eq!(all, [(1, 0), (0, 0), (2, 0), (1, 1)]);
}

/// Tests: `same-file-same-points`.
#[test]
fn a_latin_hypercube_uses_all_values_equally_often() {
    let counts = [3, 2, 7];
    let settings = sample::latin_hypercube(42, 9, &counts);
    for (factor, count) in counts.into_iter().enumerate() {
        for level in 0..count {
            assert_eq!(
                settings.iter().filter(|s| s[factor] == level).count(),
                42 / count,
                "{factor} {level}"
            );
        }
    }
    assert_eq!(settings, sample::latin_hypercube(42, 9, &counts));
    assert_ne!(settings, sample::latin_hypercube(42, 10, &counts));
}

#[test]
fn random_settings_differ() {
    assert_eq!(settings_of("random(points: 4, seed: 1)").len(), 4);
    assert_eq!(settings_of("random(points: 99, seed: 1)").len(), 6);
}

#[test]
fn conditions_and_kernels_select_points() {
    let text = "(kernels: [(kernel: \"k\"), (kernel: \"l\")], chips: [\"g80\", \"gt200\"], seeds: [7, 8],
        factors: [(vary: chip(\"a.x\"), values: [1, 2, 3]), (vary: registers, values: [4, 5], only: [\"l\"])],
        conditions: [\"x + registers < 8\", \"x != 2\"])";
    let (points, excluded) = points(&file(text), &[ChipFacts::default(), ChipFacts::default()]).unwrap();
    // k: x is 1 or 3; l: (1, 4), (1, 5), (3, 4).
    assert_eq!((points.len(), excluded), ((2 + 3) * 4, 1 + 3));
    assert_eq!(points[0].levels, [Some(0), None]);
    let last = points.last().unwrap();
    assert_eq!(
        (last.kernel, last.chip, last.seed, &last.levels[..]),
        (1, 1, Some(8), &[Some(2), Some(0)][..])
    );
}

#[test]
fn ideal_resources_and_pairs_are_variants() {
    let text = |idealize| format!("(kernels: [(kernel: \"k\")], chips: [\"g80\"], idealize: {idealize})");
    let facts = [ChipFacts { changes: Vec::new(), resources: 4 }];
    let count = |idealize| points(&file(&text(idealize)), &facts).unwrap().0.len();
    assert_eq!([count("none"), count("gains"), count("interactions")], [1, 5, 11]);
}

#[test]
fn too_many_points_are_an_error() {
    let factor = |i: u32| format!("(name: \"f{i}\", vary: chip(\"a\"), range: (1, 100))");
    let factors: Vec<String> = (0..4).map(factor).collect();
    let text = format!("(kernels: [(kernel: \"k\")], chips: [\"g80\"], factors: [{}])", factors.join(","));
    assert!(points(&file(&text), &[ChipFacts::default()]).unwrap_err().contains("more than 1000000"));
}

#[test]
fn timing_fields_have_a_smaller_and_a_larger_value() {
    let text = sim_core::config::base::Text::builtin("g80").expect("built in");
    let root = sim_core::config::base::Texts::new(text).read().expect("valid").root;
    let all = sensitivity::changes(&root, 25.0, &[]);
    assert!(all.len() > 50, "{}", all.len());
    let latency: Vec<_> = all.iter().filter(|change| change.path == "crossbar.latency").collect();
    let base = sensitivity::number_at(&root, "crossbar.latency").unwrap();
    let number = |change: &FieldChange| change.value.parse::<f64>().unwrap();
    assert!(number(latency[0]) < base && number(latency[1]) > base, "{latency:?}");
    assert!(all.iter().all(|change| change.path != "memory_mib"));
    let some = sensitivity::changes(&root, 25.0, &["partition"]);
    assert!(!some.is_empty() && some.iter().all(|change| change.path.starts_with("partition.")), "{some:?}");
}
