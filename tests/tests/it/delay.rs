//! A load sees a store from the cycle in which the store reaches the point of order, and not
//! before. The hook `delay` keeps one store on the link for longer, and the loads of another SM
//! show by how much.

use sim_core::hooks::{Delay, Hooks};
use sim_core::host::{Arg, Gpu, Launch, RunOptions};
use warpsim_check::generate::chip::ChipSpec;

/// Number of loads of the observing block.
const LOOKS: usize = 24;

/// Block 0 waits, then stores 7 to the flag once. Block 1, on another SM, loads the flag
/// repeatedly, each time after the last value has arrived, and stores the clock before the load and
/// the value.
const TEXT: &str = "
.version 1.4
.target sm_10
.entry k (.param .u32 flag, .param .u32 log)
{
.reg .u32 %block, %flag, %log, %value, %when, %left;
.reg .pred %p;
ld.param.u32 %flag, [flag];
ld.param.u32 %log, [log];
mov.u32 %block, %ctaid.x;
setp.ne.u32 %p, %block, 0;
@%p bra LOOK;
mov.u32 %left, 30;
IDLE:
sub.u32 %left, %left, 1;
setp.ne.u32 %p, %left, 0;
@%p bra IDLE;
mov.u32 %value, 7;
st.global.u32 [%flag], %value;
exit;
LOOK:
mov.u32 %left, 24;
AGAIN:
mov.u32 %when, %clock;
ld.volatile.global.u32 %value, [%flag];
st.global.u32 [%log], %when;
st.global.u32 [%log+4], %value;
add.u32 %log, %log, 8;
sub.u32 %left, %left, 1;
setp.ne.u32 %p, %left, 0;
@%p bra AGAIN;
exit;
}
";

/// Returns what the observing block saw when the store was delayed by `cycles`: (clock, value) of
/// each load.
fn looks(cycles: u64) -> Vec<(u32, u32)> {
    // With one clock domain and no refresh a load always takes the same time.
    let sets = [
        ("clusters", "2"),
        ("cluster.sms", "1"),
        ("partitions", "2"),
        ("clocks.core_mhz", "1350"),
        ("clocks.memory_mhz", "1350"),
        ("partition.dram.timing.refi", "0"),
    ];
    let mut gpu = Gpu::new(ChipSpec::new(sets.map(|(path, value)| (path, value.to_owned()))).chip());
    let (module, diagnostics) = isa::compile("delay.ptx", TEXT);
    let module = gpu.load(module.unwrap_or_else(|| panic!("{diagnostics:#?}"))).expect("it loads");
    let flag = gpu.malloc(4).expect("the memory has space");
    let log = gpu.malloc(8 * LOOKS as u64).expect("the memory has space");
    let delay = (cycles > 0).then_some(Delay { cluster: 0, store: 0, cycles });
    let options = RunOptions { hooks: Hooks { delay, ..Hooks::default() }, ..RunOptions::default() };
    let launch = Launch::new(module, "k", 2, 1).args([Arg::Ptr(flag), Arg::Ptr(log)]).options(options);
    let report = gpu.launch(&launch).expect("it fits");
    assert!(report.verdict.is_finished(), "{:?}", report.verdict);
    let mut bytes = vec![0; 8 * LOOKS];
    gpu.copy_out(log, &mut bytes).expect("the copy fits");
    let words: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    words.as_chunks().0.iter().map(|[clock, value]| (*clock, *value)).collect()
}

/// Index of the first look that saw the new value. All looks before it saw the old value, all after
/// it the new one.
fn first_new(looks: &[(u32, u32)]) -> usize {
    let first = looks.iter().position(|(_, value)| *value == 7).expect("the store arrives");
    assert!(
        looks[..first].iter().all(|(_, value)| *value == 0),
        "before the store arrives, a load sees the old value"
    );
    assert!(looks[first..].iter().all(|(_, value)| *value == 7), "the new value remains");
    first
}

/// The smallest delay with which look number `look` still sees the old value.
fn threshold(look: usize) -> u64 {
    let (mut seen, mut missed) = (0, 10_000);
    assert!(first_new(&looks(seen)) <= look, "look {look} sees the store without delay");
    while missed - seen > 1 {
        let middle = u64::midpoint(seen, missed);
        if looks(middle)[look].1 == 7 { seen = middle } else { missed = middle }
    }
    missed
}

/// Without the delay the observing block sees the new value from some look on. With it, it sees it
/// a thousand cycles later, to within one look.
#[test]
fn a_store_delayed_by_a_thousand_cycles_is_seen_a_thousand_cycles_later() {
    let (prompt, late) = (looks(0), looks(1_000));
    let (a, b) = (first_new(&prompt), first_new(&late));
    assert!(a > 0, "the first look is before the store");
    let step = prompt[a].0 - prompt[a - 1].0;
    let later = late[b].0 - prompt[a].0;
    assert!(later.abs_diff(1_000) < step, "{later} cycles later, a look every {step}");
    assert_eq!(prompt[..a], late[..a], "a store has no effect before it arrives");
}

/// To the cycle: a look that is so many cycles later allows so many cycles more of delay.
#[test]
fn the_delay_that_a_look_allows_grows_with_its_cycle() {
    let first = first_new(&looks(0));
    let clock = |look: usize| u64::from(looks(10_000)[look].0);
    for look in first + 1..first + 4 {
        assert_eq!(threshold(look) - threshold(first), clock(look) - clock(first), "look {look}");
    }
}
