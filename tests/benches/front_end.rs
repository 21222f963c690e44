//! Compile time of the front end on large inputs: one measurement for each generator of
//! `warpsim_tests::large`, at 1 MB of PTX. The target is 1 s for each.

use criterion::{Criterion, criterion_group, criterion_main};
use warpsim_tests::large::PTX;

/// Bytes of each text.
const BYTES: usize = 1_000_000;

fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("front end");
    group.sample_size(10);
    for (name, generate) in PTX {
        let text = generate(BYTES);
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                let (module, diagnostics) = isa::compile("k.ptx", &text);
                (module.is_some(), isa::diag::render_all(&diagnostics, "k.ptx", &text).len())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, compile);
criterion_main!(benches);
