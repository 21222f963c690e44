//! A policy that reads the L1 against one that does not.

use own_scheduler::CacheConscious;
use sim_core::config::Chip;
use sim_core::config::builtin::builtin_text;
use sim_core::host::{Arg, Gpu, Launch};
use sim_core::l1::L1Access;
use sim_core::scheduler::{OwnScheduler, SchedulingPolicy, View};
use sim_core::stats::report::TimingReport;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Each of the 48 warps of an SM reads its eight lines 40 times: together 48 KB, three times the
/// L1.
const PTX: &str = "
.version 2.0
.target sm_20
.entry reuse (.param .u32 data)
{
    .reg .u32 %r<8>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    mad.lo.u32 %r0, %r1, 256, %r0;
    shr.u32 %r1, %r0, 5;
    and.b32 %r0, %r0, 31;
    shl.b32 %r0, %r0, 2;
    mad.lo.u32 %r0, %r1, 1024, %r0;
    ld.param.u32 %r1, [data];
    add.u32 %r1, %r1, %r0;
    mov.u32 %r2, 0;
    mov.u32 %r3, 0;
LOOP:
    and.b32 %r4, %r3, 896;
    add.u32 %r4, %r1, %r4;
    ld.global.u32 %r5, [%r4];
    add.u32 %r2, %r2, %r5;
    add.u32 %r3, %r3, 128;
    setp.lt.u32 %p, %r3, 40960;
    @%p bra LOOP;
    st.global.u32 [%r1], %r2;
    exit;
}
";

/// Runs the kernel on four SMs of Fermi that share a partition with a small L2.
fn run(own: Option<OwnScheduler>) -> TimingReport {
    let sets =
        ["clusters=4", "cluster.sms=1", "partitions=1", "partition.l2.bytes=65536", "sm.scheduler=gto"];
    let sets = sets.map(|set| set.split_once('=').expect("a path and a value"));
    let sets = sets.map(|(path, value)| (path.to_owned(), value.to_owned()));
    let (chip, _) = Chip::from_ron("fermi", builtin_text("fermi").expect("it is built in"), &sets)
        .unwrap_or_else(|complaints| panic!("{complaints}"));
    let (module, diagnostics) = isa::compile("reuse.ptx", PTX);
    let mut gpu = Gpu::new(chip);
    gpu.set_scheduler(own);
    let module = gpu.load(module.unwrap_or_else(|| panic!("{diagnostics:?}"))).expect("it loads");
    let data = gpu.malloc(24 * 8 * 1024).expect("it fits");
    let report = gpu.launch(&Launch::new(module, "reuse", 24, 256).args([Arg::Ptr(data)])).expect("it runs");
    report.timing.expect("a timed run")
}

/// The first eligible warp; counts the accesses to the L1 that it is told of.
#[derive(Clone)]
struct Counts {
    misses_and_hits: Arc<[AtomicU64; 2]>,
}

impl SchedulingPolicy for Counts {
    fn pick(&mut self, view: &View) -> Option<u32> {
        view.eligible_warps().next()
    }

    fn l1_access(&mut self, access: &L1Access) {
        assert!(access.address.is_multiple_of(128) && access.warp < 48);
        self.misses_and_hits[usize::from(access.hit)].fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_policy_is_told_of_each_access_to_the_l1() {
    let misses_and_hits = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let counts = Counts { misses_and_hits: Arc::clone(&misses_and_hits) };
    let l1 = run(Some(OwnScheduler::new("counts", move |_, _| counts.clone()))).l1.counters;
    let told = misses_and_hits.each_ref().map(|count| count.load(Ordering::Relaxed));
    assert_eq!(told, [l1.global_load_miss, l1.global_load_hit]);
    assert!(told.iter().all(|count| *count > 0), "{told:?}");
}

#[test]
fn a_cache_conscious_policy_keeps_lines_that_are_read_again() {
    let hits = |timing: &TimingReport| timing.l1.counters.global_load_hit;
    let greedy = run(None);
    let conscious = run(Some(OwnScheduler::new("cache_conscious", |_, _| CacheConscious::new(400))));
    assert!(hits(&conscious) > 4 * hits(&greedy), "{} and {} hits", hits(&conscious), hits(&greedy));
    assert!(4 * conscious.cycles < 3 * greedy.cycles, "{} and {}", conscious.cycles, greedy.cycles);
}
