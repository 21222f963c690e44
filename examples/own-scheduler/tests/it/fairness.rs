//! Answers for runs of any length: all states of a policy and a few warps.

use own_scheduler::{MemoryFirst, YoungestFirst};
use warpsim_check::fairness::{Bounds, Exact, fairness};

#[test]
fn memory_first_has_a_bound_and_youngest_first_has_none() {
    let machine = Bounds::new(3);
    for patience in 0..=2 {
        let found = fairness(&Exact(MemoryFirst::new(patience)), &machine).expect("few states");
        assert_eq!(found.bound(), Some(patience.max(1) + 1), "{found}");
    }
    let found = fairness(&Exact(YoungestFirst), &machine).expect("few states");
    println!("{found}");
    assert_eq!(found.bound(), None);
}
