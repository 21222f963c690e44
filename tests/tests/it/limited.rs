//! Launches whose work has a limit: one that exceeds it leaves no trace.
//!
//! Tests: `the-host-changes-nothing`.

use sim_core::host::{Arg, Launch};
use warpsim_tests::device::Device;

/// Adds the index of its block to each word, in `rounds` rounds, with a load and a store each.
const TEXT: &str = ".version 3.0
.target sm_20
.address_size 64
.visible .entry add(.param .u64 p, .param .u32 rounds)
{
    .reg .pred %more;
    .reg .b32 %r<8>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [p];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mad.lo.u32 %r4, %r3, 64, %r2;
    mul.wide.u32 %d2, %r4, 4;
    add.u64 %d3, %d1, %d2;
again:
    ld.global.u32 %r5, [%d3];
    add.u32 %r5, %r5, %r3;
    st.global.u32 [%d3], %r5;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %more, %r1, 0;
    @%more bra again;
    ret;
}
";

#[test]
fn a_launch_with_too_much_work_changes_nothing() {
    let with = |threads: usize, limit: Option<u64>| {
        let mut device = Device::on("fermi", TEXT);
        let words = device.upload(&[7; 64 * 20]);
        let launch = |rounds| {
            let args = [Arg::Ptr(words), Arg::U32(rounds)];
            let mut launch = device.launch("add", (20, 1), (64, 1, 1)).args(args);
            launch.options.threads = threads;
            launch
        };
        let (long, short): (Launch, Launch) = (launch(2000), launch(20));
        let refused =
            limit.map(|limit| device.gpu.launch_within(None, &long, limit).map(|ran| ran.is_none()));
        let kernels = device.gpu.timeline().events.len();
        let report =
            device.gpu.launch_within(None, &short, u64::MAX - 1).unwrap().expect("there is work left");
        (
            refused,
            kernels,
            serde_json::to_string(&report).unwrap(),
            report.work(),
            device.download(words, 64 * 20),
        )
    };
    let plain = with(1, None);
    assert!(plain.4.iter().enumerate().all(|(at, word)| *word as usize == 7 + 20 * (at / 64)));
    // 40 warps of 20 rounds, each with a load and a store of one line.
    assert!(plain.3 > 4 * 40 * 20 * 2 && plain.3 < 40 * (6 * 20 + 20) + 4 * 40 * 20 * 2, "{}", plain.3);
    for threads in [1, 2] {
        let limited = with(threads, Some(100_000));
        assert_eq!(limited, (Some(Ok(true)), plain.1, plain.2.clone(), plain.3, plain.4.clone()));
    }
    assert_eq!(with(1, Some(u64::MAX)).0, Some(Ok(false)), "without a limit it runs");
}
