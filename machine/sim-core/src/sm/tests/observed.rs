//! Tests of the events of an observed SM: the events must match the tables of the other tests.

use super::*;
use crate::events::{Event, Watch, What, Why};
use crate::exec::Warp;
use crate::exec::build::{bra, guarded, memory, with_imm};

/// Runs `make()` to shader cycle `end`, observed from shader cycle `from` on. Also reads the events
/// in the middle of the run.
fn events(make: impl Fn() -> TestSm, from: u64, end: u64, eager: bool) -> Vec<Event> {
    let watch = Watch {
        sms: 0..1,
        warps: 0..64,
        cycles: from..u64::MAX,
        then_stop: false,
        values: true,
        memory: false,
    };
    let mut sm = make();
    sm.eager = eager;
    sm.sm.watch(&watch, &sm.context);
    let mut events = Vec::new();
    for cut in [end / 3, end / 2 + 1, end] {
        sm = sm.run(cut);
        if cut == end {
            sm.sm.close(end);
        }
        sm.sm.deliver(cut, &mut events);
    }
    assert!(events.is_sorted_by_key(|event| event.cycle), "{events:#?}");
    events
}

/// The letter of each issue cycle of warp slot `warp`, reconstructed from the events.
fn letters(events: &[Event], warp: u32, period: u64, cycles: usize) -> String {
    let mut row = vec![b'.'; cycles];
    for event in events {
        let letter = match &event.what {
            What::State { warp: w, state, .. } if *w == warp => LETTERS[*state as usize],
            What::BlockRetired { warps, .. } if warps >> warp & 1 == 1 => b'.',
            _ => continue,
        };
        row[(event.cycle / period) as usize..].fill(letter);
    }
    String::from_utf8(row).expect("letters")
}

/// Compares the table with the events of observations that start at each of its cycles.
pub(super) fn check(make: impl Fn() -> TestSm, warps: &[&str]) {
    let (length, period) = (warps[0].len(), make().sm.period.cycles());
    let end = length as u64 * period;
    for from in 0..length {
        let told = events(&make, from as u64 * period, end, false);
        for (warp, row) in warps.iter().enumerate() {
            let expected = format!("{}{}", ".".repeat(from), &row[from..]);
            let letters = letters(&told, warp as u32, period, length);
            assert_eq!(letters, expected, "warp {warp}, observed from cycle {from}: {told:#?}");
        }
        assert_eq!(told, events(&make, from as u64 * period, end, true), "ticked in every cycle");
    }
}

/// Reasons of the successive states of warp 0.
fn reasons(make: impl Fn() -> TestSm, end: u64) -> Vec<(u64, Why)> {
    let of_warp = |event: Event| match event.what {
        What::State { warp: 0, why, .. } => Some((event.cycle, why)),
        _ => None,
    };
    events(make, 0, end, false).into_iter().filter_map(of_warp).collect()
}

#[test]
fn a_wait_names_the_producer_of_the_value() {
    let prepare = |_, warp: &mut Warp| warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
    let code = [memory(Op::LdGlobalB32, 0, 1, 0), inst(Op::AddB32, 2, [0, CONST])];
    let make = || TestSm::new(program(1, code), &config(), Scene { prepare, ..SCENE });
    let registers: Vec<_> = reasons(make, 400)
        .into_iter()
        .filter_map(|(cycle, why)| match why {
            Why::Register { producer, ready } => Some((cycle, producer.map(|p| (p.pc, p.cycle)), ready)),
            _ => None,
        })
        .collect();
    // At first the load is pending; after its reply the value needs 24 more cycles until it can be
    // used.
    let home = registers.last().expect("the warp waits").2;
    assert_eq!(registers[0], (4, Some((0, 0)), None));
    assert_eq!(registers[1..].iter().map(|r| r.1).collect::<Vec<_>>(), [Some((0, 0))]);
    let told = events(make, 0, 400, false);
    let homes: Vec<_> = told.iter().filter(|e| matches!(e.what, What::LoadCompleted { .. })).collect();
    let [Event { what: What::LoadCompleted { load, at, usable }, .. }] = homes[..] else {
        panic!("{homes:?}")
    };
    assert_eq!((load.pc, load.cycle, Some(*usable), *at + 24), (0, 0, home, *usable));
}

/// Values are reported at the issue of the instruction, and of a load when they arrive.
#[test]
fn written_registers_are_reported_with_their_values() {
    let prepare = |_, warp: &mut Warp| {
        warp.w[1] = std::array::from_fn(|l| 4096 + 4 * l as u32);
        warp.p[0] = 0xff;
    };
    let add = guarded(inst(Op::AddB32, 2, [1, 1]), 0, false);
    let code = [memory(Op::LdGlobalB32, 0, 1, 0), add, free_add(3)];
    let make = || TestSm::new(program(1, code), &config(), Scene { prepare, ..SCENE });
    let mut told = events(make, 0, 400, false);
    let returned = told.iter().position(|e| matches!(e.what, What::LoadCompleted { .. }));
    let returned = told[returned.expect("the load returns")].cycle;
    told.retain(|e| matches!(e.what, What::Written { .. }));
    let written = |event: &Event| match &event.what {
        What::Written { by, lanes, rows } => (event.cycle, by.pc, by.cycle, *lanes, rows[0].row),
        _ => unreachable!("only these events are left"),
    };
    let all: Vec<_> = told.iter().map(written).collect();
    assert_eq!((all[0].1, all[0].3, all[0].4), (1, 0xff, 2));
    assert_eq!(all[0].0, all[0].2, "at its issue");
    assert!(all.contains(&(returned, 0, 0, u32::MAX, 0)), "{all:?}");
    let What::Written { rows, .. } = &told[0].what else { panic!("{told:?}") };
    assert_eq!(rows[0].values[..9], [8192, 8200, 8208, 8216, 8224, 8232, 8240, 8248, 0]);
}

#[test]
fn a_barrier_wait_reports_the_number_of_arrivals() {
    let code = [with_imm(Op::BarSync, 0, 3)];
    let make = || TestSm::new(program(2, code), &config(), SCENE);
    let arrivals: Vec<_> = reasons(make, 100)
        .into_iter()
        .filter_map(|(cycle, why)| match why {
            Why::Barrier { id, arrived, live, until, .. } => Some((cycle, id, arrived, live, until)),
            _ => None,
        })
        .collect();
    assert_eq!(arrivals[0], (4, Some(3), 1, 2, None));
    assert_eq!(arrivals[1], (8, None, 0, 2, Some(20)));
}

#[test]
fn the_stack_is_reported_when_it_changes() {
    let prepare = |_, warp: &mut Warp| warp.p[0] = 0xff;
    let code = [guarded(bra(2, 2), 0, false), free_add(0), free_add(1)];
    let make = || TestSm::new(program(1, code), &config(), Scene { prepare, ..SCENE });
    let stacks: Vec<_> = events(make, 0, 100, false)
        .into_iter()
        .filter_map(|event| match event.what {
            What::Stack { entries, .. } => {
                Some((event.cycle, entries.iter().map(|e| (e.pc, e.mask)).collect::<Vec<_>>()))
            }
            _ => None,
        })
        .collect();
    // The lanes that do not jump run instruction 1 separately; then all lanes run together.
    let all = u32::MAX;
    assert_eq!(stacks[0], (0, vec![(0, all)]));
    assert_eq!(stacks[1], (0, vec![(2, all), (1, !0xff)]));
    assert_eq!(stacks[2].1, [(2, all)]);
    assert_eq!(stacks[3].1, []);
    assert_eq!(stacks.len(), 4);
}
