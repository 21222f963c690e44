//! Random traffic: ticking in every cycle or only at the wake-up times gives the same result, and
//! every minimum distance between commands is kept. The checker uses only the data sheet's rules,
//! not the scheduler.

use super::{Command, Dram, address};
use crate::config::{DramConfig, DramScheduler, DramTiming, PagePolicy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// (arrival, id, address, bursts, write)
pub(super) type Arrival = (u64, u32, u32, u32, bool);

pub(super) fn random_config(rng: &mut ChaCha8Rng) -> DramConfig {
    let rcd = rng.random_range(0..16);
    let ccd = rng.random_range(1..5);
    let timing = DramTiming {
        ccd,
        ccdl: ccd + rng.random_range(0..3),
        rrd: rng.random_range(0..12),
        faw: if rng.random() { 0 } else { rng.random_range(0..60) },
        rcd,
        ras: rcd + rng.random_range(0..20),
        rp: rng.random_range(0..16),
        rc: rng.random_range(0..50),
        cl: rng.random_range(0..14),
        wl: rng.random_range(0..14),
        cdlr: rng.random_range(0..10),
        wr: rng.random_range(0..14),
        rtp: rng.random_range(0..10),
        refi: if rng.random() { 0 } else { rng.random_range(150..600) },
        rfc: rng.random_range(0..90),
    };
    let banks = rng.random_range(0..5);
    DramConfig {
        banks: 1 << banks,
        row_bytes: 1024,
        burst_bytes: 32,
        bank_groups: 1 << rng.random_range(0..=banks),
        interleaved_banks: 1 << rng.random_range(0..=banks),
        interleave_bytes: 512,
        ecc_bursts: 0,
        scheduler: if rng.random_range(0..4) == 0 { DramScheduler::Fcfs } else { DramScheduler::FrFcfs },
        page: PagePolicy::Open,
        queue: rng.random_range(1..40),
        starvation: rng.random_range(0..300),
        timing,
    }
}

pub(super) fn random_arrivals(rng: &mut ChaCha8Rng, config: &DramConfig) -> Vec<Arrival> {
    let mut clock = 0;
    let pause = rng.random_range(1..40);
    (0..300)
        .map(|id| {
            clock += if rng.random_range(0..50) == 0 { 2_000 } else { rng.random_range(0..pause) };
            let row = rng.random_range(0..3);
            let bank = rng.random_range(0..config.banks);
            let at = address(config, row, bank, 32 * rng.random_range(0..16));
            (clock, id, at, rng.random_range(1..17), rng.random_range(0..3) == 0)
        })
        .collect()
}

/// Runs to the end: ticks in `every` cycle, or only at the wake-up times.
fn simulate(config: &DramConfig, arrivals: &[Arrival], every: bool) -> (Dram, Vec<(u64, Command)>) {
    let (mut dram, mut log, mut arrivals) = (Dram::new(config, 0), Vec::new(), arrivals.iter().peekable());
    let mut now = 0;
    while arrivals.peek().is_some() || dram.queued() > 0 {
        while let Some(&&(_, id, at, bursts, write)) =
            arrivals.peek().filter(|a| a.0 <= now && dram.can_accept())
        {
            dram.catch_up(now, |clock, command| log.push((clock, command)));
            dram.push(now, id, at, bursts, write);
            arrivals.next();
        }
        let command = dram.tick(now);
        log.extend(command.map(|command| (now, command)));
        let room = arrivals.peek().filter(|_| dram.can_accept()).map_or(u64::MAX, |a| a.0);
        now = if every { now + 1 } else { dram.next_event().min(room).max(now + 1) };
    }
    dram.settle(log.last().map_or(0, |last| last.0) + 5_000);
    (dram, log)
}

/// Tests: `early-ticks`, `bytes-are-conserved`.
#[test]
fn an_early_tick_changes_nothing() {
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let config = random_config(&mut rng);
        let arrivals = random_arrivals(&mut rng, &config);
        let (every, every_log) = simulate(&config, &arrivals, true);
        let (skipping, log) = simulate(&config, &arrivals, false);
        assert_eq!(every_log, log, "seed {seed}");
        assert_eq!(every.counters().activates, skipping.counters().activates, "seed {seed}");
        assert_eq!(every.counters(), skipping.counters(), "seed {seed}");
        let done = |c: &Command| {
            if let Command::Train { done, id, .. } = *c { (done > 0).then_some((id, done)) } else { None }
        };
        let mut served: Vec<_> = log.iter().filter_map(|(_, c)| done(c)).collect();
        served.sort_unstable();
        assert_eq!(served, arrivals.iter().map(|a| (a.1, a.3)).collect::<Vec<_>>(), "seed {seed}");
    }
}

/// Tests: `early-ticks`.
#[test]
fn every_wake_up_time_has_a_command() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let config = random_config(&mut rng);
    let mut dram = Dram::new(&config, 0);
    for (clock, id, at, bursts, write) in random_arrivals(&mut rng, &config) {
        while dram.next_event() <= clock || !dram.can_accept() {
            let now = dram.next_event();
            assert!(dram.tick(now).is_some(), "no command at the wake-up time {now}");
        }
        dram.push(clock, id, at, bursts, write);
    }
}

#[derive(Clone, Copy, Default)]
struct BankLog {
    open: Option<u32>,
    activate: Option<u64>,
    precharge: Option<u64>,
    last_read: Option<u64>,
    last_write: Option<u64>,
}

/// Tests: `dram-timing`.
#[test]
fn every_minimum_distance_is_kept() {
    for seed in 1_000..1_300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let config = random_config(&mut rng);
        let arrivals = random_arrivals(&mut rng, &config);
        let (_, log) = simulate(&config, &arrivals, false);
        check(&config, &log);
    }
}

/// Checks that an earlier event, if there was one, is at least `distance` before `now`.
fn since(now: u64, earlier: Option<u64>, distance: u32, rule: &str) {
    if let Some(earlier) = earlier {
        assert!(
            now >= earlier + u64::from(distance),
            "{rule}: {now} after {earlier} by less than {distance}"
        );
    }
}

fn check(config: &DramConfig, log: &[(u64, Command)]) {
    let t = &config.timing;
    let groups = config.bank_groups;
    let spacing = if groups > 1 { t.ccdl } else { t.ccd };
    let mut bank = vec![BankLog::default(); config.banks as usize];
    let mut group = vec![None; groups as usize];
    let (mut activates, mut refresh, mut column) = (Vec::new(), None, None);
    let (mut read, mut write): (Option<u64>, Option<u64>) = (None, None);
    let mut bus = Vec::new();
    let closes = |bank: &mut BankLog, now| {
        since(now, bank.activate, t.ras, "tRAS");
        since(now, bank.last_read, t.rtp, "tRTP");
        since(now, bank.last_write, t.wl + t.ccd + t.wr, "tWR");
        bank.open = None;
        bank.precharge = Some(now);
    };
    for &(now, command) in log {
        match command {
            Command::Activate { bank: number, row } => {
                let bank = &mut bank[number as usize];
                assert_eq!(bank.open, None, "activate of an open bank");
                since(now, bank.activate, t.rc, "tRC");
                since(now, bank.precharge, t.rp, "tRP");
                since(now, activates.last().copied(), t.rrd, "tRRD");
                since(now, activates.iter().rev().nth(3).copied(), t.faw, "tFAW");
                since(now, refresh, t.rfc, "tRFC");
                bank.activate = Some(now);
                bank.open = Some(row);
                activates.push(now);
            }
            Command::Precharge { bank: number } => {
                assert!(bank[number as usize].open.is_some(), "precharge of a closed bank");
                closes(&mut bank[number as usize], now);
            }
            Command::PrechargeAll => {
                bank.iter_mut().filter(|bank| bank.open.is_some()).for_each(|b| closes(b, now));
            }
            Command::Refresh => {
                for bank in &bank {
                    assert_eq!(bank.open, None, "refresh with an open row");
                    since(now, bank.precharge, t.rp, "tRP before a refresh");
                }
                since(now, refresh, t.rfc, "tRFC");
                refresh = Some(now);
            }
            Command::Train { write: writes, bank: number, row, bursts, end, .. } => {
                let bank = &mut bank[number as usize];
                let last = now + u64::from(spacing) * u64::from(bursts - 1);
                assert_eq!(bank.open, Some(row), "column command to another row");
                since(now, bank.activate, t.rcd, "tRCD");
                since(now, column, t.ccd, "tCCD");
                if groups > 1 {
                    since(now, group[(number % groups) as usize], t.ccdl, "tCCDL");
                    group[(number % groups) as usize] = Some(last);
                }
                if writes {
                    since(now + u64::from(t.wl), read, t.cl + t.ccd, "data bus");
                    (write, bank.last_write) = (Some(last), Some(last));
                } else {
                    since(now, write, t.wl + t.ccd + t.cdlr, "tCDLR");
                    (read, bank.last_read) = (Some(last), Some(last));
                }
                column = Some(last);
                assert_eq!(end, last + u64::from(t.ccd + if writes { t.wl } else { t.cl }));
                bus.extend((1..u64::from(bursts)).map(|k| now + k * u64::from(spacing)));
            }
        }
        bus.push(now);
    }
    bus.sort_unstable();
    assert!(bus.windows(2).all(|pair| pair[0] < pair[1]), "two commands in one command cycle");
}
