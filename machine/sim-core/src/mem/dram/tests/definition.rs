//! The plan that is kept up to date equals the choice by the rules, made from all requests.

use super::random::{random_arrivals, random_config};
use crate::config::{DramConfig, DramScheduler, PagePolicy};
use crate::mem::dram::schedule::{Key, ROW, action_of, time_of};
use crate::mem::dram::{Dram, bits};
use crate::time::NEVER;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Returns the best command of any request by first ready, first come, first served.
fn first_ready(dram: &Dram) -> Key {
    let commands = bits(dram.used).map(|place| {
        let bank = &dram.banks[usize::from(dram.queue[place].bank)];
        let command = dram.command_for(place as u32, dram.free);
        let waits = bank.hits != 0 || bank.queued.trailing_zeros() != place as u32;
        if action_of(command) == ROW && waits { NEVER } else { command }
    });
    commands.min().unwrap_or(NEVER)
}

/// Returns the next command by all rules.
fn next(dram: &Dram, config: &DramConfig) -> Key {
    let from = dram.free;
    if dram.used == 0 {
        return NEVER;
    }
    if from >= dram.refresh_due {
        return dram.refresh_plan(from);
    }
    let oldest = dram.used.trailing_zeros();
    let starved = dram.queue[oldest as usize].arrival + u64::from(config.starvation) + 1;
    let best = match config.scheduler {
        DramScheduler::FrFcfs => first_ready(dram),
        _ => dram.command_for(oldest, from),
    };
    let chosen = if time_of(best) < starved { best } else { dram.command_for(oldest, from.max(starved)) };
    if time_of(chosen) < dram.refresh_due { chosen } else { dram.refresh_plan(dram.refresh_due) }
}

/// Tests: `dram-timing`.
#[test]
fn the_plan_is_the_choice_from_all_requests() {
    for seed in 0..400 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut config = random_config(&mut rng);
        config.timing.ccdl = config.timing.ccd + rng.random_range(0..8);
        config.queue = rng.random_range(1..=64);
        config.ecc_bursts = if rng.random() { 0 } else { rng.random_range(1..10) };
        config.page = if rng.random() { PagePolicy::Open } else { PagePolicy::Closed };
        config.starvation = if rng.random() { config.starvation } else { 100_000 };
        let arrivals = random_arrivals(&mut rng, &config);
        let (mut dram, mut arrivals) = (Dram::new(&config, 0), arrivals.iter().peekable());
        let mut now = 0;
        while arrivals.peek().is_some() || dram.queued() > 0 {
            while let Some(&(_, id, at, bursts, write)) =
                arrivals.next_if(|arrival| arrival.0 <= now && dram.can_accept())
            {
                dram.push(now, id, at, bursts, write);
                assert_eq!(dram.plan, next(&dram, &config), "seed {seed}, request {id}");
            }
            let command = dram.tick(now);
            assert_eq!(dram.plan, next(&dram, &config), "seed {seed}, cycle {now}, {command:?}");
            let room = arrivals.peek().filter(|_| dram.can_accept()).map_or(NEVER, |a| a.0);
            now = dram.next_event().min(room).max(now + 1);
        }
    }
}

/// Commands before a limit are the same in one call and one call for each cycle.
#[test]
fn commands_are_issued_together_or_one_by_one() {
    for seed in 0..100 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let config = random_config(&mut rng);
        let mut together = Dram::new(&config, 0);
        for (_, id, at, bursts, write) in random_arrivals(&mut rng, &config) {
            if !together.can_accept() {
                break;
            }
            together.push(0, id, at, bursts, write);
        }
        let mut single = together.clone();
        let (mut log, mut other, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        while together.queued() > 0 {
            let served = together.serve(NEVER, |at, command| log.push((at, command)));
            ends.extend(served.filter(|served| served.bursts != 0).map(|served| (served.at, served.id)));
        }
        while single.queued() > 0 {
            let now = single.next_event();
            other.extend(single.tick(now).map(|command| (now, command)));
        }
        assert_eq!(log, other, "seed {seed}");
        assert_eq!(together.counters(), single.counters(), "seed {seed}");
        let done = other.iter().filter_map(|&(at, command)| match command {
            crate::mem::dram::Command::Train { id, done: 1.., .. } => Some((at, id)),
            _ => None,
        });
        assert_eq!(ends, done.collect::<Vec<_>>(), "seed {seed}");
    }
}
