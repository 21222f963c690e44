//! An adversarial scheduler: the order of the warps that maximizes a score, for example the time.

use crate::example::{Example, Failure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim_core::scheduler::{OwnScheduler, SchedulingPolicy, View};
use std::sync::Arc;

/// Length of the lists.
const LENGTH: usize = 64;

/// Follows a list of numbers: each selects an eligible warp, counted from the lowest slot. The list
/// begins again after its end, and each scheduler begins at another place.
#[derive(Clone)]
struct Follows {
    list: Arc<[u8; LENGTH]>,
    at: usize,
}

impl SchedulingPolicy for Follows {
    fn pick(&mut self, view: &View) -> Option<u32> {
        let number = u32::from(self.list[self.at % LENGTH]) % view.eligible.count_ones();
        self.at += 1;
        view.eligible_warps().nth(number as usize)
    }
}

fn following(list: [u8; LENGTH]) -> OwnScheduler {
    let list = Arc::new(list);
    OwnScheduler::new("adversary", move |sm, scheduler| Follows {
        list: Arc::clone(&list),
        at: 31 * sm as usize + 7 * scheduler as usize,
    })
}

/// Searches for the order of the warps of an example that maximizes `score`. It begins with the
/// lowest slot first, tries random orders, and then changes a few choices of the best order at a
/// time. Returns the policy and its score. The same arguments give the same policy.
///
/// # Errors
///
/// The failure of `score`.
///
/// ```
/// use warpsim_check::adversary::adversary;
/// use warpsim_check::example::{Buffer, Example};
/// use warpsim_check::generate::chip::ChipSpec;
/// use sim_core::host::{Mode, RunOptions};
///
/// let text = ".version 1.4\n.target sm_10\n.entry k () { .reg .u32 %r; mov.u32 %r, 1; exit; }\n";
/// let chip = ChipSpec { base: "g80", sets: Vec::new() };
/// let buffers: Vec<Buffer> = Vec::new();
/// let example = Example { text: text.to_owned(), blocks: 2, threads: 96, buffers, chip, scheduler: None };
/// let cycles = |example: &Example| Ok(example.run(Mode::Timed, RunOptions::default())?.cycles);
/// let (policy, worst) = adversary(&example, 10, 1, cycles)?;
/// assert_eq!(cycles(&example.under(policy))?, worst);
/// # Ok::<(), warpsim_check::example::Failure>(())
/// ```
pub fn adversary(
    example: &Example,
    trials: u32,
    seed: u64,
    score: impl Fn(&Example) -> Result<u64, Failure>,
) -> Result<(OwnScheduler, u64), Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let score = |list| score(&example.under(following(list)));
    let mut best = [0; LENGTH];
    let mut most = score(best)?;
    for trial in 0..trials {
        let mut other = best;
        // A quarter of the lists is new, so that the search does not stay near the first one.
        let changes = if trial < trials / 4 { LENGTH } else { rng.random_range(1..=LENGTH / 8) };
        for place in rand::seq::index::sample(&mut rng, LENGTH, changes) {
            other[place] = rng.random();
        }
        let found = score(other)?;
        if found >= most {
            (best, most) = (other, found);
        }
    }
    Ok((following(best), most))
}
