//! The choices and counters of the schedulers.

use super::{Command, Dram, address, gddr3, run};
use crate::components::Seated;
use crate::components::dram::{DramPolicy, DramRequest};
use crate::config::{DramConfig, DramScheduler, PagePolicy};
use crate::mem::dram::scheduler::Scheduler;
use std::sync::{Arc, Mutex};

/// Returns the order in which requests given as (row, bank) are served; all are reads queued at
/// cycle 0.
fn order(config: &crate::config::DramConfig, requests: &[(u32, u32)]) -> (Vec<u32>, Dram) {
    let mut dram = Dram::new(config, 0);
    for (id, &(row, bank)) in requests.iter().enumerate() {
        dram.push(0, id as u32, address(config, row, bank, 0), 2, false);
    }
    (served(&run(&mut dram, 0..10_000)), dram)
}

fn served(log: &[(u64, Command)]) -> Vec<u32> {
    log.iter()
        .filter_map(|&(_, command)| if let Command::Train { id, .. } = command { Some(id) } else { None })
        .collect()
}

#[test]
fn row_hits_overtake_older_requests() {
    let (order, dram) = order(&gddr3(), &[(0, 0), (1, 0), (0, 0), (1, 0), (0, 0)]);
    assert_eq!(order, [0, 2, 4, 1, 3]);
    let counters = dram.counters();
    assert_eq!((counters.row_hits, counters.row_misses, counters.row_conflicts), (3, 1, 1));
    assert_eq!((counters.activates, counters.precharges), (2, 1));
    assert_eq!((counters.reads, counters.writes, counters.data_busy, counters.bytes), (10, 0, 20, 320));
    assert_eq!(counters.starvation_picks, 0);
}

#[test]
fn other_banks_open_rows_during_a_train() {
    let (order, dram) = order(&gddr3(), &[(0, 0), (1, 0), (0, 1), (0, 2)]);
    assert_eq!(order, [0, 2, 3, 1]);
    assert_eq!(dram.counters().row_misses, 3);
}

#[test]
fn the_oldest_ready_request_is_served_first() {
    let (order, _) = order(&gddr3(), &[(0, 1), (0, 0), (0, 1), (0, 0)]);
    assert_eq!(order, [0, 2, 1, 3]);
}

#[test]
fn a_row_stays_open_for_a_hit_that_arrives_in_time() {
    let config = gddr3();
    let mut dram = Dram::new(&config, 0);
    dram.push(0, 0, address(&config, 0, 0, 0), 2, false);
    dram.push(0, 1, address(&config, 1, 0, 0), 2, false);
    let mut log = run(&mut dram, 0..25);
    dram.push(25, 2, address(&config, 0, 0, 64), 2, false);
    log.extend(run(&mut dram, 25..200));
    assert_eq!(served(&log), [0, 2, 1]);
}

/// Tests: `dram-timing`.
#[test]
fn starvation_is_bounded() {
    let mut config = gddr3();
    for (starvation, place) in [(1_000, 200), (300, 74)] {
        config.starvation = starvation;
        let mut dram = Dram::new(&config, 0);
        let row = |row| address(&config, row, 0, 0);
        dram.push(0, 0, row(0), 2, false);
        dram.push(0, 1, row(1), 2, false);
        // An unlimited stream of row hits.
        let (mut next, mut log) = (2, Vec::new());
        for now in 0..900 {
            while dram.queued() < 4 && next < 200 {
                dram.push(now, next, row(0), 2, false);
                next += 1;
            }
            log.extend(run(&mut dram, now..now + 1));
        }
        log.extend(run(&mut dram, 900..2_000));
        let position = served(&log).iter().position(|&id| id == 1);
        assert_eq!(position.map(|position| position + 1), Some(place), "bound {starvation}");
        assert_eq!(dram.counters().starvation_picks, u64::from(starvation == 300));
        assert_eq!(served(&log).len(), 200);
    }
}

#[test]
fn a_starving_request_closes_the_row_immediately() {
    let mut config = gddr3();
    config.starvation = 100;
    let mut dram = Dram::new(&config, 0);
    dram.push(0, 0, address(&config, 0, 0, 0), 40, false);
    dram.push(0, 1, address(&config, 1, 0, 0), 2, false);
    dram.push(0, 2, address(&config, 0, 0, 0), 9, false);
    // The first train has its last command at 12 + 39 * 2 = 90; the third request's train follows
    // from 92.
    let log = run(&mut dram, 0..92);
    assert_eq!(log.len(), 2, "{log:?}");
    dram.push(92, 3, address(&config, 0, 0, 0), 2, false);
    let log = run(&mut dram, 92..300);
    assert!(matches!(log[0], (92, Command::Train { id: 2, .. })), "{log:?}");
    // Its last command is at 108. Request 3 would hit at 110, but request 1 has been starving since
    // 101.
    assert_eq!(log[1], (110, Command::Precharge { bank: 0 }), "{log:?}");
    assert_eq!(served(&log), [2, 1, 3]);
}

#[test]
fn bank_and_row_come_from_the_address() {
    let config = gddr3();
    let mut dram = Dram::new(&config, 0);
    dram.push(0, 0, 2048 * 8 * 5 + 2048 * 3 + 100, 1, false);
    assert_eq!(dram.tick(0), Some(Command::Activate { bank: 3, row: 5 }));
    assert_eq!(dram.oldest(), Some((0, 0)));
}

#[test]
fn the_queue_is_bounded() {
    let config = gddr3();
    let mut dram = Dram::new(&config, 0);
    for id in 0..16 {
        assert!(dram.can_accept());
        dram.push(0, id, 0, 1, false);
    }
    assert!(!dram.can_accept());
    run(&mut dram, 0..12);
    assert!(!dram.can_accept());
    run(&mut dram, 12..13);
    assert!(dram.can_accept());
}

/// A closed row is precharged by its last column command: no separate command, and the next
/// activate comes tRAS + tRP after the first one.
#[test]
fn a_closed_row_needs_no_precharge_command() {
    let activates = |page, next: u64| {
        let config = DramConfig { page, ..gddr3() };
        let mut dram = Dram::new(&config, 0);
        dram.push(0, 0, address(&config, 0, 0, 0), 2, false);
        let mut log = run(&mut dram, 0..next);
        dram.push(next, 1, address(&config, 1, 0, 0), 2, false);
        log.extend(run(&mut dram, next..200));
        assert_eq!(dram.counters().precharges, if page == PagePolicy::Open { 1 } else { 2 });
        let precharges = log.iter().filter(|(_, command)| matches!(command, Command::Precharge { .. }));
        assert_eq!(precharges.count(), usize::from(page == PagePolicy::Open));
        let of = |&(at, command): &(u64, Command)| matches!(command, Command::Activate { .. }).then_some(at);
        log.iter().filter_map(of).collect::<Vec<_>>()
    };
    assert_eq!(activates(PagePolicy::Open, 60), [0, 70]);
    assert_eq!(activates(PagePolicy::Closed, 60), [0, 60]);
    assert_eq!(activates(PagePolicy::Closed, 20), [0, 35]);
}

/// Rows stay open for requests that are queued.
#[test]
fn a_closed_row_serves_the_queued_requests_first() {
    let config = DramConfig { page: PagePolicy::Closed, ..gddr3() };
    let (order, dram) = order(&config, &[(0, 0), (1, 0), (0, 0)]);
    assert_eq!((order, dram.counters().activates), (vec![0, 2, 1], 2));
}

#[test]
fn first_come_serves_in_order() {
    let config = DramConfig { scheduler: DramScheduler::Fcfs, ..gddr3() };
    let (order, dram) = order(&config, &[(0, 0), (1, 0), (0, 0), (0, 1)]);
    assert_eq!((order, dram.counters().row_conflicts), (vec![0, 1, 2, 3], 2));
}

/// Serves the newest request first, closes the rows of even numbers, and notes what it has served.
#[derive(Clone)]
struct Newest {
    served: Arc<Mutex<Vec<(u64, u32)>>>,
}

impl DramPolicy for Newest {
    fn value(&mut self, request: &DramRequest) -> u64 {
        u64::MAX - request.arrival
    }

    fn served(&mut self, request: &DramRequest) {
        self.served.lock().expect("one thread").push((request.arrival, request.row));
    }

    fn closes(&mut self, request: &DramRequest) -> bool {
        assert!(request.hit, "its row is open");
        request.row.is_multiple_of(2)
    }
}

/// The smallest value is served first, in a bank and among banks that can be served in the same
/// cycle.
#[test]
fn an_own_scheduler_orders_the_requests_of_each_bank() {
    let config = gddr3();
    let served_by = Arc::default();
    let mut dram = Dram::new(&config, 0);
    dram.scheduler = Scheduler::Own(Seated::new(Box::new(Newest { served: Arc::clone(&served_by) })));
    // The first two are for row 0 of bank 0, the third for row 1; the last for another bank.
    let requests = [(0, 0), (0, 0), (1, 0), (3, 1)];
    for (at, (row, bank)) in (0..).zip(requests) {
        dram.push(at, at as u32, address(&config, row, bank, 0), 2, false);
    }
    let log = run(&mut dram, 3..1_000);
    assert_eq!(served(&log), [3, 2, 1, 0], "the newest first");
    assert_eq!(*served_by.lock().expect("one thread"), [(3, 3), (2, 1), (1, 0), (0, 0)], "each once");
    // Row 1 is closed for row 0, and row 0 at the end, by the policy; row 3 stays open.
    assert_eq!(dram.counters().precharges, 2);
    let commands = log.iter().filter(|(_, command)| matches!(command, Command::Precharge { .. }));
    assert_eq!(commands.count(), 1);
}

/// No value keeps a request waiting for longer than the starvation bound.
#[test]
fn an_own_scheduler_starves_no_request() {
    let config = DramConfig { starvation: 100, ..gddr3() };
    let mut dram = Dram::new(&config, 0);
    dram.scheduler = Scheduler::Own(Seated::new(Box::new(Newest { served: Arc::default() })));
    dram.push(0, 1_000, address(&config, 0, 0, 0), 2, false);
    let mut log = Vec::new();
    for at in 1..400 {
        if dram.queued() < 8 {
            dram.push(at, at as u32, address(&config, 1, 0, 0), 2, false);
        }
        log.extend(run(&mut dram, at..at + 1));
    }
    let first = log.iter().find(|(_, command)| matches!(command, Command::Train { id: 1_000, .. }));
    let at = first.expect("it is served").0;
    assert!((100..200).contains(&at), "at {at}");
}
