//! Loops of host code (`benches/loops`), compiled and executed.

use criterion::{Criterion, criterion_group, criterion_main};

#[expect(dead_code, reason = "the tests use the rest")]
#[path = "../tests/common/mod.rs"]
mod common;

fn loops(criterion: &mut Criterion) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/loops");
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let mut group = criterion.benchmark_group("host");
    group.sample_size(10);
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        group.bench_function(name.trim_end_matches(".cu"), |bench| {
            bench.iter(|| {
                let run = common::run(&name, &text, "fermi", &[]);
                assert_eq!(run.code, 0, "{}{}", run.err, run.message);
            });
        });
    }
    group.finish();
}

criterion_group!(host, loops);
criterion_main!(host);
