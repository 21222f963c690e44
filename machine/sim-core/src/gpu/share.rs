//! Chooses the number of host threads, and which thread runs which component.
//!
//! One thread runs all components until windows contain enough work for several. Then the
//! components are divided by their tick counts, for a **batch** of windows. Work and waste are
//! counted in component ticks: no clock is read. Waste is the overhead of several threads over one:
//! the barriers, spinning, and sleeping, which is charged the time to get a lost core back.
//!
//! Work pays for waste. While it does, another batch follows. When too much waste is unpaid, fewer
//! threads continue, and after each failure more work is needed before more threads are tried. A
//! batch whose windows contain too little work ends early, and its other threads sleep.
//!
//! Several threads therefore use at most half as much CPU time again as one. No result depends on
//! the choices of this module.
//!
//! Invariant `host-threads-follow-work`: The number of host threads follows the counted work. It
//! may change at any window, and so may the owner of a component.

use super::sync::Waste;
use crate::state::CloneFrom;
use std::cmp::Reverse;

/// Number of windows whose work is counted before the components are divided.
const LOOK: u64 = 64;
/// Most windows of a batch with several threads.
const BATCH: u64 = 1024;
/// Number of consecutive windows with too little work that ends a batch.
const QUIET: u64 = 16;
/// Expected overhead of a window on several threads in ticks, the additional overhead per thread,
/// and the overhead per thread without spinning.
const WINDOW_TICKS: u64 = 16;
const THREAD_TICKS: u64 = 4;
const BARRIER_TICKS: u64 = 2;
/// Iterations of the spin loop in the time of a tick.
const SPINS_PER_TICK: u64 = 8;
/// Charge for a sleep at a barrier: its thread waits for a thread that has lost its core.
const SLEEP_TICKS: u64 = 1 << 11;
/// Tenths of the work that may be wasted.
const WASTE_TENTHS: u64 = 5;
/// Most unpaid waste, in ticks.
const MOST_WASTE: u64 = 1 << 14;
/// Ticks of work until several threads are tried: initially, and the minimum and maximum after a
/// failure.
const FIRST_TRY: u64 = 1 << 14;
const NEXT_TRY: (u64, u64) = (1 << 17, 1 << 20);

/// The current choice, and the counts that it is made from.
#[derive(CloneFrom, Debug)]
pub struct Sharing {
    /// For tests: random choices.
    random: Option<Random>,
    /// Most threads allowed by the caller.
    most: usize,
    /// Number of threads that the host can run in parallel, once it has been queried.
    processors: Option<usize>,
    /// Number of clusters among the components.
    clusters: usize,
    /// Number of threads of the batch. Each thread except thread 0 has at least one component.
    threads: usize,
    /// Thread of each component: clusters, then partitions. The dispatcher's thread is thread 0.
    owners: Vec<usize>,
    /// Current limit on the number of threads.
    limit: usize,
    /// Ticks of work until `limit` is lifted, and their number after the next failure.
    wait: u64,
    next_wait: u64,
    /// Ticks of each component since the last division, the dispatcher's last; and the number of
    /// windows.
    loads: Vec<u64>,
    windows: u64,
    batch: Batch,
    /// Unpaid waste, in ticks.
    debt: u64,
}

/// Counts of a batch.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    windows: u64,
    ticks: u64,
    /// Consecutive windows with too little work.
    quiet: u64,
    waste: Waste,
}

impl Default for Sharing {
    fn default() -> Self {
        Self {
            random: None,
            most: 1,
            processors: None,
            clusters: 0,
            threads: 1,
            owners: Vec::new(),
            limit: 1,
            wait: FIRST_TRY,
            next_wait: NEXT_TRY.0,
            loads: Vec::new(),
            windows: 0,
            batch: Batch::default(),
            debt: 0,
        }
    }
}

impl Sharing {
    /// Begins or continues a launch on at most `threads` threads. `shuffle` is the seed of random
    /// choices.
    pub fn begin(&mut self, threads: usize, clusters: usize, partitions: usize, shuffle: Option<u64>) {
        let components = clusters + partitions;
        self.clusters = clusters;
        self.most = threads.clamp(1, components);
        self.owners.resize(components, 0);
        self.loads.resize(components + 1, 0);
        self.batch = Batch::default();
        if self.random.is_none()
            && let Some(seed) = shuffle
        {
            self.random = Some(Random { state: seed, windows: 1 });
            self.threads = self.most;
            self.owners = (0..components).map(|component| component % self.most).collect();
        }
    }

    /// Returns the number of threads of the next batch.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the thread of each component: clusters, then partitions. The dispatcher's thread is
    /// thread 0.
    pub fn owners(&self) -> &[usize] {
        &self.owners
    }

    /// The host cannot start more threads: from now on one thread runs all components.
    pub fn alone(&mut self) {
        (self.most, self.limit, self.threads) = (1, 1, 1);
        self.owners.fill(0);
    }

    /// Counts a window with `ticks` ticks of all components; `waste` is the waste of this launch up
    /// to now. Returns whether another window of this batch follows.
    pub fn another(&mut self, ticks: u64, waste: Waste) -> bool {
        let batch = &mut self.batch;
        let before = std::mem::replace(&mut batch.waste, waste);
        batch.windows += 1;
        batch.ticks += ticks;
        self.windows += 1;
        self.wait = self.wait.saturating_sub(ticks);
        if let Some(random) = &self.random {
            return batch.windows < random.windows;
        }
        if self.threads == 1 {
            if batch.windows >= LOOK && batch.ticks < 2 * LOOK * overhead(2) {
                (batch.windows, batch.ticks) = (0, 0);
            }
            return self.most == 1 || self.wait > 0 || batch.windows < LOOK;
        }
        // All threads but one may have slept before the batch began.
        let sleeps = if batch.windows == 1 { 0 } else { waste.sleeps - before.sleeps };
        let wasted = BARRIER_TICKS * self.threads as u64
            + (waste.spins - before.spins) / SPINS_PER_TICK
            + sleeps * SLEEP_TICKS;
        self.debt = (self.debt + wasted).saturating_sub(ticks * WASTE_TENTHS / 10);
        batch.quiet = if ticks < 2 * overhead(self.threads) { batch.quiet + 1 } else { 0 };
        self.debt <= MOST_WASTE && batch.quiet < QUIET && batch.windows < BATCH
    }

    /// Ends the batch and makes the choice for the next one. `ticks` are the ticks of each
    /// component, the dispatcher's last.
    pub fn divide(&mut self, ticks: impl Iterator<Item = u64>) {
        self.loads.iter_mut().zip(ticks).for_each(|(load, ticks)| *load += ticks);
        let batch = std::mem::take(&mut self.batch);
        self.batch.waste = batch.waste;
        if let Some(random) = &mut self.random {
            self.threads = random.divide(self.most, &mut self.owners);
            return;
        }
        let failed = self.debt > MOST_WASTE;
        if failed {
            (self.limit, self.debt) = (self.threads / 2, 0);
            self.wait = self.next_wait;
            self.next_wait = (2 * self.next_wait).min(NEXT_TRY.1);
        } else if batch.windows == BATCH {
            self.next_wait = (self.next_wait / 2).max(NEXT_TRY.0);
        }
        if self.wait == 0 && self.most > 1 {
            let count = || std::thread::available_parallelism().map_or(1, usize::from);
            self.limit = self.most.min(*self.processors.get_or_insert_with(count));
        }
        if batch.quiet >= QUIET {
            self.loads.fill(0);
        } else if self.windows < LOOK && !failed {
            return;
        }
        (self.threads, self.owners) = self.best();
        self.loads.fill(0);
        self.windows = 0;
    }

    /// Returns the number of threads, at most `limit`, that would have run the counted windows
    /// fastest, and the owners of the components. Several threads must save a fifth of the time,
    /// and may waste half of the work.
    fn best(&self) -> (usize, Vec<usize>) {
        let work: u64 = self.loads.iter().sum();
        let mut best = (1, vec![0; self.owners.len()]);
        let mut least = work - work / 5;
        for threads in 2..=self.limit.min(self.owners.len()) {
            let (longest, owners) = self.share_out(threads);
            let barriers = self.windows * overhead(threads);
            let (time, waste) = (longest + barriers, longest * threads as u64 - work + barriers);
            if time < least && waste <= work * WASTE_TENTHS / 10 {
                (best, least) = ((threads, owners), time);
            }
        }
        best
    }

    /// Assigns each component, in the order of decreasing load, to the thread with the least load.
    /// Clusters come before partitions, because their ticks differ in length: each thread gets an
    /// equal share of both. Returns the greatest load and the owners.
    fn share_out(&self, threads: usize) -> (u64, Vec<usize>) {
        let (dispatcher, loads) = self.loads.split_last().expect("there is a dispatcher");
        // Ticks and number of components of each thread.
        let mut shares = vec![(0, 0); threads];
        shares[0].0 = *dispatcher;
        let mut owners = vec![0; loads.len()];
        let mut components: Vec<usize> = (0..loads.len()).collect();
        components.sort_by_key(|component| (*component >= self.clusters, Reverse(loads[*component])));
        for component in components {
            let thread = (0..threads).min_by_key(|thread| shares[*thread]).expect("there are threads");
            owners[component] = thread;
            shares[thread].0 += loads[component];
            shares[thread].1 += 1;
        }
        (shares.into_iter().map(|(ticks, _)| ticks).max().expect("there are threads"), owners)
    }
}

/// Returns the overhead of a window on `threads` threads, in ticks.
fn overhead(threads: usize) -> u64 {
    WINDOW_TICKS + THREAD_TICKS * threads as u64
}

/// Random choices, for tests: batches of a few windows with varying numbers of threads and varying
/// assignments of components.
#[derive(Clone, Debug)]
struct Random {
    state: u64,
    /// Windows of the batch.
    windows: u64,
}

impl Random {
    /// Returns a random number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.state = self.state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.state >> 33) as usize % end
    }

    /// Makes the choice for the next batch. Returns the number of threads, each of which gets a
    /// component.
    fn divide(&mut self, most: usize, owners: &mut [usize]) -> usize {
        self.windows = 1 + self.below(8) as u64;
        let (threads, first) = (1 + self.below(most), self.below(owners.len()));
        for component in 0..owners.len() {
            let owner = if component < threads { component } else { self.below(threads) };
            owners[(first + component) % owners.len()] = owner;
        }
        threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs windows with these ticks of each component until the number of threads changes, at most
    /// `most` windows. Each window on several threads has this waste. Returns the number of
    /// windows.
    fn until_change(sharing: &mut Sharing, ticks: &[u64], most: u64, waste: Waste) -> u64 {
        let threads = sharing.threads();
        let mut batch = 0;
        for window in 1..=most {
            batch += 1;
            let all = if sharing.threads() == 1 {
                sharing.batch.waste
            } else {
                let Waste { spins, sleeps } = sharing.batch.waste;
                Waste { spins: spins + waste.spins, sleeps: sleeps + waste.sleeps }
            };
            if !sharing.another(ticks.iter().sum(), all) {
                sharing.divide(ticks.iter().map(|ticks| ticks * batch));
                batch = 0;
            }
            if sharing.threads() != threads {
                return window;
            }
        }
        most
    }

    fn sharing(threads: usize, components: usize) -> Sharing {
        let mut sharing = Sharing { processors: Some(threads), ..Sharing::default() };
        sharing.begin(threads, components / 2, components - components / 2, None);
        sharing
    }

    const LITTLE: Waste = Waste { spins: 100, sleeps: 0 };
    const DENSE: [u64; 5] = [80, 80, 40, 40, 2];

    /// Tests: `host-threads-follow-work`.
    #[test]
    fn little_work_stays_on_one_thread() {
        for ticks in [[1, 0, 3, 0, 0], [0; 5], [12; 5], [400, 0, 0, 0, 4]] {
            let mut sharing = sharing(4, 4);
            assert_eq!(until_change(&mut sharing, &ticks, 10_000, LITTLE), 10_000, "{ticks:?}");
        }
    }

    /// Tests: `host-threads-follow-work`.
    #[test]
    fn much_work_is_divided_evenly() {
        let mut sharing = sharing(2, 4);
        let windows = until_change(&mut sharing, &DENSE, 10_000, LITTLE);
        assert_eq!(windows, FIRST_TRY.div_ceil(242));
        assert_eq!((sharing.threads(), sharing.owners()), (2, &[1, 0, 1, 0][..]));
        assert_eq!(until_change(&mut sharing, &DENSE, 10_000, LITTLE), 10_000, "the work pays for the waste");
        assert!(until_change(&mut sharing, &[9, 1, 0, 0, 0], 10_000, LITTLE) <= QUIET, "little work is left");
    }

    /// Tests: `host-threads-follow-work`.
    #[test]
    fn sleeping_threads_are_removed_and_retried_after_growing_intervals() {
        let lost = Waste { spins: 4_000, sleeps: 1 };
        let mut sharing = sharing(2, 4);
        let mut tries = Vec::new();
        for _ in 0..8 {
            tries.push(until_change(&mut sharing, &DENSE, 100_000, lost));
            assert!(until_change(&mut sharing, &DENSE, 100_000, lost) <= 8, "a few sleeps are enough");
        }
        assert!(tries.is_sorted() && tries[7] * 242 >= NEXT_TRY.1, "{tries:?}");
        until_change(&mut sharing, &DENSE, 100_000, LITTLE);
        assert_eq!(until_change(&mut sharing, &DENSE, 100_000, LITTLE), 100_000, "the cores are free again");
    }

    /// Tests: `host-threads-follow-work`.
    #[test]
    fn at_most_one_thread_per_processor_is_tried() {
        let mut sharing = sharing(8, 16);
        sharing.processors = Some(2);
        let mut ticks = [100; 17];
        ticks[16] = 0;
        until_change(&mut sharing, &ticks, 10_000, LITTLE);
        assert_eq!(sharing.threads(), 2);
    }

    #[test]
    fn random_choices_give_every_thread_a_component() {
        let mut sharing = Sharing::default();
        sharing.begin(4, 3, 2, Some(7));
        for _ in 0..1_000 {
            let threads = sharing.threads();
            assert!((1..=4).contains(&threads));
            assert!((0..threads).all(|thread| sharing.owners().contains(&thread)));
            assert!(sharing.owners().iter().all(|owner| *owner < threads));
            sharing.divide(std::iter::repeat_n(1, 6));
        }
    }
}
