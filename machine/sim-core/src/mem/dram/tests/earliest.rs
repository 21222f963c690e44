//! Each timing parameter: the command that it delays is refused at t - 1 and accepted at t.

use super::{Command, Dram, address, gddr3, run};
use crate::config::{DramConfig, DramTiming};

/// One request: row, bank, bursts, write.
type Request = (u32, u32, u32, bool);

/// Serves `requests`, all queued at cycle 0, in order. Expects the `count`-th command that `kind`
/// selects exactly at `expected`: when the channel is ticked in every cycle, and when it is ticked
/// only at its wake-up times.
fn assert_earliest(
    config: &DramConfig,
    requests: &[Request],
    kind: fn(&Command) -> bool,
    count: usize,
    expected: u64,
) {
    let mut dram = Dram::new(config, 0);
    for (id, &(row, bank, bursts, write)) in requests.iter().enumerate() {
        dram.push(0, id as u32, address(config, row, bank, 0), bursts, write);
    }
    let mut asked_late = dram.clone();
    let log = run(&mut dram, 0..expected);
    let before = log.iter().filter(|(_, command)| kind(command)).count();
    assert_eq!(before, count - 1, "not refused at {}: {log:?}", expected - 1);
    assert!(dram.tick(expected).is_some_and(|command| kind(&command)), "not accepted at {expected}: {log:?}");

    let mut seen = 0;
    while seen < count {
        let now = asked_late.next_event();
        seen += usize::from(asked_late.tick(now).is_some_and(|command| kind(&command)));
        assert!(
            now <= expected && (seen < count || now == expected),
            "the wake-up time is {now}, not {expected}"
        );
    }
}

fn activate(command: &Command) -> bool {
    matches!(command, Command::Activate { .. })
}

fn precharge(command: &Command) -> bool {
    matches!(command, Command::Precharge { .. })
}

fn train(command: &Command) -> bool {
    matches!(command, Command::Train { .. })
}

fn with(change: fn(&mut DramTiming)) -> DramConfig {
    let mut config = gddr3();
    change(&mut config.timing);
    config
}

const READ: bool = false;
const WRITE: bool = true;

#[test]
fn the_first_activate_is_issued_immediately() {
    let mut dram = Dram::new(&gddr3(), 0);
    dram.push(5, 0, address(&gddr3(), 3, 2, 64), 2, READ);
    assert_eq!(dram.tick(5), Some(Command::Activate { bank: 2, row: 3 }));
}

#[test]
fn rcd_activate_to_column() {
    assert_earliest(&gddr3(), &[(0, 0, 1, READ)], train, 1, 12);
    assert_earliest(&with(|t| t.rcd = 17), &[(0, 0, 1, WRITE)], train, 1, 17);
}

#[test]
fn rrd_activate_to_activate() {
    assert_earliest(&gddr3(), &[(0, 0, 1, READ), (0, 1, 1, READ)], activate, 2, 8);
    assert_earliest(&with(|t| t.rrd = 5), &[(0, 0, 1, READ), (0, 1, 1, READ)], activate, 2, 5);
}

#[test]
fn faw_activate_to_the_fourth_activate_that_follows() {
    let requests = [0, 1, 2, 3, 4, 5].map(|bank| (0, bank, 1, READ));
    let config = with(|t| (t.rrd, t.faw) = (5, 33));
    assert_earliest(&config, &requests, activate, 4, 3 * 5);
    assert_earliest(&config, &requests, activate, 5, 33);
    assert_earliest(&config, &requests, activate, 6, 33 + 5);
    assert_earliest(&with(|t| (t.rrd, t.faw) = (5, 19)), &requests, activate, 5, 4 * 5);
}

#[test]
fn rc_activate_to_activate_of_one_bank() {
    assert_earliest(&with(|t| t.rc = 50), &[(0, 0, 1, READ), (1, 0, 1, READ)], activate, 2, 50);
}

#[test]
fn ras_activate_to_precharge() {
    assert_earliest(&gddr3(), &[(0, 0, 1, READ), (1, 0, 1, READ)], precharge, 1, 25);
    assert_earliest(&with(|t| t.ras = 31), &[(0, 0, 1, READ), (1, 0, 1, READ)], precharge, 1, 31);
}

#[test]
fn rp_precharge_to_activate() {
    assert_earliest(&gddr3(), &[(0, 0, 1, READ), (1, 0, 1, READ)], activate, 2, 25 + 10);
    assert_earliest(&with(|t| t.rp = 14), &[(0, 0, 1, READ), (1, 0, 1, READ)], activate, 2, 25 + 14);
}

#[test]
fn ccd_column_to_column() {
    assert_earliest(&gddr3(), &[(0, 0, 1, READ), (0, 0, 1, READ)], train, 2, 12 + 2);
    assert_earliest(&gddr3(), &[(0, 0, 8, WRITE), (0, 0, 1, WRITE)], train, 2, 12 + 8 * 2);
    assert_earliest(&with(|t| t.ccd = 4), &[(0, 0, 3, READ), (0, 0, 1, READ)], train, 2, 12 + 3 * 4);
}

#[test]
fn ccdl_column_to_column_of_one_group() {
    let config = DramConfig { bank_groups: 2, ..with(|t| (t.ccdl, t.rrd) = (5, 1)) };
    // A request has one piece per burst; banks 0 and 2 are in one group, bank 1 is in another.
    assert_earliest(&config, &[(0, 0, 2, READ)], train, 2, 12 + 5);
    assert_earliest(&config, &[(0, 0, 1, READ), (0, 2, 1, READ)], train, 2, 12 + 5);
    assert_earliest(&config, &[(0, 0, 1, READ), (0, 1, 1, READ)], train, 2, 12 + 2);
    // Two groups share the bus: group 0 issues at 12 and 17, group 1 at 14 and 19.
    assert_earliest(&config, &[(0, 0, 2, READ), (0, 1, 2, READ)], train, 4, 12 + 2 + 5);
}

#[test]
fn error_correction_adds_one_burst_per_configured_number() {
    let config = DramConfig { ecc_bursts: 4, ..gddr3() };
    // Three bursts, then three: the second train has a correction burst.
    let requests = [(0, 0, 3, READ), (0, 0, 3, READ), (0, 0, 1, READ)];
    assert_earliest(&config, &requests, train, 2, 12 + 3 * 2);
    assert_earliest(&config, &requests, train, 3, 12 + 3 * 2 + 4 * 2);
}

#[test]
fn rtp_last_read_to_precharge() {
    assert_earliest(
        &with(|t| t.rtp = 19),
        &[(0, 0, 4, READ), (1, 0, 1, READ)],
        precharge,
        1,
        12 + 3 * 2 + 19,
    );
}

#[test]
fn wr_last_write_data_to_precharge() {
    // The last write command is at 12 + 3 * 2; its data begin 7 later and take 2 cycles; then
    // follows tWR.
    assert_earliest(&gddr3(), &[(0, 0, 4, WRITE), (1, 0, 1, READ)], precharge, 1, 18 + 7 + 2 + 11);
    assert_earliest(
        &with(|t| t.wr = 20),
        &[(0, 0, 4, WRITE), (1, 0, 1, READ)],
        precharge,
        1,
        18 + 7 + 2 + 20,
    );
}

#[test]
fn cdlr_last_write_data_to_read() {
    assert_earliest(&gddr3(), &[(0, 0, 4, WRITE), (0, 0, 1, READ)], train, 2, 18 + 7 + 2 + 6);
    assert_earliest(&with(|t| t.cdlr = 1), &[(0, 0, 4, WRITE), (0, 0, 1, READ)], train, 2, 18 + 7 + 2 + 1);
    // The distance also holds for another bank: the data bus belongs to the channel.
    assert_earliest(&gddr3(), &[(0, 0, 4, WRITE), (0, 1, 1, READ)], train, 2, 18 + 7 + 2 + 6);
}

#[test]
fn a_write_after_a_read_waits_for_the_bus_turnaround() {
    // The read's data end at 18 + 10 + 2. The write's data may begin two cycles later, and they
    // follow 7 after their command.
    assert_earliest(&gddr3(), &[(0, 0, 4, READ), (0, 0, 1, WRITE)], train, 2, 18 + 10 + 2 + 2 - 7);
    assert_earliest(&with(|t| t.wl = 5), &[(0, 0, 4, READ), (0, 0, 1, WRITE)], train, 2, 18 + 10 + 2 + 2 - 5);
    // If the write latency exceeds the end of the read's data, only tCCD remains.
    assert_earliest(&with(|t| t.wl = 40), &[(0, 0, 4, READ), (0, 0, 1, WRITE)], train, 2, 18 + 2);
}

#[test]
fn cl_and_wl_determine_the_end_of_the_data() {
    for (write, end) in [(READ, 12 + 2 * 2 + 10 + 2), (WRITE, 12 + 2 * 2 + 7 + 2)] {
        let config = gddr3();
        let mut dram = Dram::new(&config, 0);
        dram.push(0, 7, address(&config, 5, 3, 128), 3, write);
        let log = run(&mut dram, 0..100);
        assert_eq!(log[1], (12, Command::Train { id: 7, write, bank: 3, row: 5, bursts: 3, done: 3, end }));
    }
}

#[test]
fn a_due_refresh_blocks_activates() {
    let refresh = |command: &Command| *command == Command::Refresh;
    let all = |command: &Command| *command == Command::PrechargeAll;
    let config = with(|t| (t.refi, t.rfc) = (40, 5));
    // Two rows of one bank: the second could open at 35; its train at 47 would be too late.
    let requests = [(0, 0, 1, READ), (1, 0, 1, READ)];
    assert_earliest(&config, &requests, all, 1, 35 + 25);
    assert_earliest(&config, &requests, refresh, 1, 35 + 25 + 10);
    assert_earliest(&config, &requests, activate, 3, 70 + 5);
    // A train that runs when the refresh is due is completed first: 15 bursts from 12, then tRTP.
    let config = with(|t| (t.refi, t.rfc) = (20, 60));
    assert_earliest(&config, &[(0, 0, 15, READ), (1, 0, 1, READ)], all, 1, 12 + 14 * 2 + 2);
    // tRC applies to a refresh as to an activate.
    let config = with(|t| (t.refi, t.rfc, t.rc) = (20, 60, 45));
    assert_earliest(&config, &[(0, 0, 1, READ), (1, 0, 1, READ)], refresh, 1, 45);
}

#[test]
fn refreshes_of_an_idle_channel_are_performed_later() {
    let config = with(|t| (t.refi, t.rfc) = (100, 60));
    let mut dram = Dram::new(&config, 0);
    dram.push(0, 0, 0, 1, READ);
    run(&mut dram, 0..100);
    assert_eq!(dram.next_event(), crate::time::NEVER);
    // The third refresh is issued at 300; an activate may follow at 360.
    dram.push(320, 1, 0, 1, READ);
    assert_eq!(dram.counters().refreshes, 3);
    assert_eq!(run(&mut dram, 320..380)[0], (360, Command::Activate { bank: 0, row: 0 }));
    assert_eq!((dram.counters().precharges, dram.counters().row_misses), (1, 2));
    dram.settle(400);
    assert_eq!(dram.counters().refreshes, 3);
    dram.settle(401);
    assert_eq!((dram.counters().refreshes, dram.counters().precharges), (3, 2));
    dram.settle(411);
    assert_eq!(dram.counters().refreshes, 4);
}

#[test]
fn one_command_per_command_cycle() {
    // The column commands of bank 0's train are at 12, 14 and 16; bank 1's activate is due at 12
    // and waits until 13.
    let config = with(|t| t.rrd = 12);
    assert_earliest(&config, &[(0, 0, 3, READ), (0, 1, 1, READ)], activate, 2, 13);
    // With one column command per cycle, the train leaves no gap.
    let config = with(|t| (t.rrd, t.ccd) = (12, 1));
    assert_earliest(&config, &[(0, 0, 3, READ), (0, 1, 1, READ)], activate, 2, 15);
}
