//! Tests of the designs.

use super::*;
use crate::file::read;

/// Maximum number of points.
const MOST: usize = 1_000_000;

/// The settings of a design as nested loops: which factors are active, to the settings.
type Nested<'a> = &'a dyn Fn(&[bool]) -> Vec<Vec<usize>>;

/// Settings of a Latin hypercube over 3, 1 and 4 values, and of a random design.
const LATIN_HYPERCUBE: [[usize; 3]; 9] =
    [[2, 0, 2], [0, 0, 3], [2, 0, 0], [1, 0, 1], [0, 0, 0], [0, 0, 2], [1, 0, 0], [1, 0, 1], [2, 0, 3]];
const RANDOM: [[usize; 3]; 7] = [[0, 0, 1], [2, 0, 3], [0, 0, 3], [1, 0, 1], [2, 0, 2], [1, 0, 3], [2, 0, 1]];

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
    all(&points(&file(&text), &[ChipFacts::default()], MOST).expect("few points"))
        .map(|point| point.levels)
        .collect()
}

/// Iterates over all points, in any order of the calls.
fn all(points: &Points) -> impl Iterator<Item = Point> {
    let last_first: Vec<Point> = (0..points.count()).rev().map(|number| points.at(number)).collect();
    last_first.into_iter().rev()
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
    let hypercube = |seed| {
        let rule = sample::latin_hypercube(42, seed, counts.to_vec());
        (0..42).map(|number| rule.at(number)).collect::<Vec<_>>()
    };
    let settings = hypercube(9);
    for (factor, count) in counts.into_iter().enumerate() {
        for level in 0..count {
            assert_eq!(
                settings.iter().filter(|s| s[factor] == level).count(),
                42 / count,
                "{factor} {level}"
            );
        }
    }
    assert_eq!(settings, hypercube(9));
    assert_ne!(settings, hypercube(10));
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
    let found = points(&file(text), &[ChipFacts::default(), ChipFacts::default()], MOST).unwrap();
    let (points, excluded) = (all(&found).collect::<Vec<_>>(), found.excluded());
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
    let count = |idealize| points(&file(&text(idealize)), &facts, MOST).unwrap().count();
    assert_eq!([count("none"), count("gains"), count("interactions")], [1, 5, 11]);
}

#[test]
fn too_many_points_are_an_error() {
    let factor = |i: u32| format!("(name: \"f{i}\", vary: chip(\"a\"), range: (1, 100))");
    let factors: Vec<String> = (0..4).map(factor).collect();
    let text = format!("(kernels: [(kernel: \"k\")], chips: [\"g80\"], factors: [{}])", factors.join(","));
    assert!(points(&file(&text), &[ChipFacts::default()], MOST).is_none());
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

/// Returns the points as nested loops over lists of all settings make them.
fn nested(
    file: &Experiment,
    chips: &[ChipFacts],
    settings: impl Fn(&[bool]) -> Vec<Vec<usize>>,
) -> Vec<Point> {
    let mut points = Vec::new();
    for (kernel, entry) in file.kernels.iter().enumerate() {
        let applies = |factor: &crate::file::Factor| {
            factor.only.is_empty() || factor.only.iter().any(|name| name.value == entry.name)
        };
        let applies: Vec<bool> = file.factors.iter().map(applies).collect();
        let mut unique: Vec<Vec<Option<usize>>> = Vec::new();
        for setting in settings(&applies) {
            let levels: Vec<_> = setting.into_iter().zip(&applies).map(|(l, on)| on.then_some(l)).collect();
            if !unique.contains(&levels) {
                unique.push(levels);
            }
        }
        for (chip, facts) in chips.iter().enumerate() {
            for levels in &unique {
                for seed in &file.given.seeds {
                    for variant in variants(file, facts) {
                        let (levels, seed) = (levels.clone(), Some(*seed));
                        points.push(Point { kernel, chip, levels, seed, variant });
                    }
                }
            }
        }
    }
    points
}

/// Every design gives the points of nested loops, in their order. The settings of the random
/// designs are recorded, so that points keep their numbers.
///
/// Tests: `same-file-same-points`.
#[test]
fn points_by_number_are_those_of_nested_loops() {
    let counts = [3, 1, 4];
    let full = |applies: &[bool]| {
        let of = |factor: usize| if applies[factor] { counts[factor] } else { 1 };
        let mut settings = Vec::new();
        for a in 0..of(0) {
            for b in 0..of(1) {
                settings.extend((0..of(2)).map(|c| vec![a, b, c]));
            }
        }
        settings
    };
    let one_at_a_time = |_: &[bool]| {
        [[1, 0, 3], [0, 0, 3], [2, 0, 3], [1, 0, 0], [1, 0, 1], [1, 0, 2]].map(|s| s.to_vec()).to_vec()
    };
    let latin_hypercube = |_: &[bool]| LATIN_HYPERCUBE.map(|s| s.to_vec()).to_vec();
    let random = |_: &[bool]| RANDOM.map(|s| s.to_vec()).to_vec();
    let every = |_: &[bool]| full(&[true; 3]);
    let designs: [(&str, Nested<'_>); 5] = [
        ("full", &full),
        ("one_at_a_time(base: {\"x\": 2, \"z\": 10})", &one_at_a_time),
        ("latin_hypercube(points: 9, seed: 4)", &latin_hypercube),
        ("random(points: 7, seed: 5)", &random),
        ("random(points: 99, seed: 5)", &every),
    ];
    for (design, settings) in designs {
        let text = format!(
            "(kernels: [(kernel: \"k\"), (kernel: \"l\")], chips: [\"g80\", \"gt200\"], seeds: [7, 8],
            idealize: gains, design: {design}, factors: [
            (vary: chip(\"a.x\"), values: [1, 2, 3]), (vary: chip(\"a.y\"), values: [5]),
            (vary: chip(\"a.z\"), values: [7, 8, 9, 10], only: [\"l\"])])"
        );
        let (file, chips) =
            (file(&text), [2, 0].map(|resources| ChipFacts { changes: Vec::new(), resources }));
        let found = points(&file, &chips, MOST).expect("few points");
        assert_eq!(all(&found).collect::<Vec<_>>(), nested(&file, &chips, settings), "{design}");
    }
}
