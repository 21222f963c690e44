//! How many blocks a machine really holds at once: a kernel whose blocks note when and where they were resident.

use crate::device::{Device, pointers, timing};
use sim_core::config::Chip;
use sim_core::host::{Arg, HostError, Launch, LaunchError};
use sim_core::occupancy::Occupancy;
use std::collections::BTreeMap;

const RESIDENTS: &str = include_str!("../../kernels/ptx/book/residents.ptx");
/// Trips of each block's loop: longer than it takes to hand out as many blocks as any chip holds.
const TRIPS: u32 = 400;

/// What a machine held.
pub struct Held {
    /// Blocks at once on an SM, the same number on every one.
    pub per_sm: u32,
    /// Blocks at once on the whole chip.
    pub chip: u32,
    /// What the calculator said of the launch.
    pub occupancy: Occupancy,
}

/// Launches blocks of this shape, twice as many as fit, and counts those that are there at once. `change` may ask
/// for registers or shared memory.
pub fn held(chip: &Chip, block: (u32, u32, u32), change: impl FnOnce(&mut Launch)) -> Held {
    let mut device = Device::new(chip.clone(), "residents.ptx", RESIDENTS).unwrap_or_else(|e| panic!("{e}"));
    let sms = chip.clusters * chip.cluster.sms;
    let blocks = 2 * sms * chip.sm.max_blocks;
    let out = device.upload(&vec![u32::MAX; 3 * blocks as usize]);
    let mut args = pointers(&[out]);
    args.extend([Arg::U32(TRIPS), Arg::U32(0), Arg::U32(0)]);
    let mut launch = device.launch("residents", (blocks, 1), block).args(args);
    change(&mut launch);
    let report = device.run(&launch);
    assert_eq!(timing(&report).sms.iter().map(|sm| sm.blocks).sum::<u64>(), u64::from(blocks));

    // For each SM and for the chip: +1 where a block begins, -1 where it has ended, by time.
    let words = device.download(out, 3 * blocks as usize);
    let mut changes: BTreeMap<Option<u32>, Vec<(u32, i32)>> = BTreeMap::new();
    for [sm, begin, end] in words.as_chunks().0 {
        assert!(begin < end && *sm < sms, "a block on SM {sm} from {begin} to {end}");
        for place in [Some(*sm), None] {
            changes.entry(place).or_default().extend([(*begin, 1), (*end, -1)]);
        }
    }
    let mut most: BTreeMap<Option<u32>, u32> = BTreeMap::new();
    for (place, mut list) in changes {
        list.sort_unstable();
        let mut there = 0;
        let peak = list.iter().map(|(_, change)| {
            there += change;
            there
        });
        most.insert(place, peak.max().unwrap_or(0) as u32);
    }
    let whole = most.remove(&None).unwrap_or(0);
    let per_sm: Vec<u32> = most.values().copied().collect();
    assert_eq!(per_sm, vec![per_sm[0]; sms as usize], "all SMs hold the same number of blocks");
    Held { per_sm: per_sm[0], chip: whole, occupancy: report.launch.occupancy }
}

/// The calculator's answer for blocks of this shape of a kernel with few registers, which the machine must bear out.
pub fn resident(chip: &Chip, block: (u32, u32, u32)) -> Occupancy {
    let held = held(chip, block, |_| ());
    let threads = block.0 * block.1 * block.2;
    assert_eq!(held.per_sm, held.occupancy.blocks, "{}: blocks of {threads}", chip.name);
    assert_eq!(held.chip, held.per_sm * chip.clusters * chip.cluster.sms, "{}", chip.name);
    held.occupancy
}

/// Blocks of this shape must be refused for the number of their threads.
pub fn too_many_threads(chip: &Chip, block: (u32, u32, u32)) {
    let mut device = Device::new(chip.clone(), "residents.ptx", RESIDENTS).unwrap_or_else(|e| panic!("{e}"));
    let out = device.upload(&[0; 3]);
    let mut args = pointers(&[out]);
    args.extend([Arg::U32(TRIPS), Arg::U32(0), Arg::U32(0)]);
    let refusal = device.refusal(&device.launch("residents", (1, 1), block).args(args));
    let HostError::Launch(LaunchError::Limit { limit, needed, available, .. }) = &refusal else {
        panic!("{refusal}");
    };
    let threads = u64::from(block.0 * block.1 * block.2);
    assert_eq!((limit.as_str(), *needed), ("threads per block", threads), "{}", chip.name);
    assert_eq!(*available, u64::from(chip.limits.threads_per_block), "{}", chip.name);
}
