//! Large inputs of every kind are compiled or rejected, with messages of bounded size, in time and
//! memory that grow linearly with the input. The bound of the time is 10 times the target of 1 s
//! for 1 MB; `benches/front_end.rs` measures the time.

use std::time::{Duration, Instant};
use warpsim_tests::large::PTX;

/// Bytes of each text.
const BYTES: usize = 1_000_000;

/// 10 times the target.
const BOUND: Duration = Duration::from_secs(10);

/// Largest number of bytes of live memory for each byte of the text. Syntax trees with a string for
/// each name took 270.
const MEMORY: u64 = 120;

/// Largest number of bytes of all messages about one text: 100 diagnostics with a few lines each.
const MOST_RENDERED: usize = 200_000;

#[test]
fn a_large_input_of_any_kind_is_compiled_or_rejected_in_bounded_time() {
    let mut slow = Vec::new();
    for (name, generate) in PTX {
        let text = generate(BYTES);
        let start = Instant::now();
        let mut compiled = None;
        let info = allocation_counter::measure(|| compiled = Some(isa::compile("k.ptx", &text)));
        let (module, diagnostics) = compiled.expect("the closure has run");
        let rendered = isa::diag::render_all(&diagnostics, "k.ptx", &text);
        let took = start.elapsed();
        if took > BOUND {
            slow.push(format!("{name}: {took:?}"));
        }
        let memory = info.bytes_max / text.len() as u64;
        assert!(memory <= MEMORY, "{name}: {memory} bytes of memory for each byte");
        assert!(module.is_some() || rendered.contains("error["), "{name}: rejected without a message");
        assert!(rendered.len() < MOST_RENDERED, "{name}: {} bytes of messages", rendered.len());
        assert!(diagnostics.len() <= isa::diag::MAX_ERRORS + 1, "{name}: {} diagnostics", diagnostics.len());
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
