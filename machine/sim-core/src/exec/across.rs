//! Instructions that combine the lanes of a warp: votes and shuffles.
//!
//! A shuffle reads the register rows as they are. So a lane that reads an inactive lane gets the
//! bits of that lane's register, which PTX leaves undefined.
//!
//! Invariant `shuffles`: A shuffle copies values between lanes as the manual says, for all operands
//! and active lanes.

use super::mask::{store, store_bits};
use super::{Kernel, Warp, rows};
use isa::sem::shuffle;
use isa::uop::{Inst, Op};

/// Executes a vote of the active lanes.
#[inline(never)]
pub fn vote(warp: &mut Warp, inst: &Inst, active: u32) {
    let said = match inst.op {
        Op::ActiveMask => u32::MAX,
        _ => rows::p(warp, inst.src[0]),
    };
    let answer = match inst.op {
        Op::VoteAll => all(said, active),
        Op::VoteAny => any(said, active),
        Op::VoteUni => uni(said, active),
        _ => return store(&mut warp.w[inst.dst as usize], &[said & active; 32], active),
    };
    let bits = if answer { u32::MAX } else { 0 };
    store_bits(&mut warp.p[inst.dst as usize], bits, active);
}

/// Executes a vote in which each lane has a mask of the lanes that count.
#[inline(never)]
pub fn vote_of_masks(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) {
    let said = rows::p(warp, inst.src[0]);
    let masks = rows::w(kernel, warp, inst.src[1]).map(|mask| mask & active);
    let bits = |answer: fn(u32, u32) -> bool| {
        (0..32).fold(0, |bits, lane| bits | u32::from(answer(said, masks[lane])) << lane)
    };
    let answer = match inst.op {
        Op::VoteSyncAll => bits(all),
        Op::VoteSyncAny => bits(any),
        Op::VoteSyncUni => bits(uni),
        _ => return store(&mut warp.w[inst.dst as usize], &masks.map(|mask| said & mask), active),
    };
    store_bits(&mut warp.p[inst.dst as usize], answer, active);
}

/// Whether the predicate `said` is true in all lanes of `lanes`.
fn all(said: u32, lanes: u32) -> bool {
    said & lanes == lanes
}

/// Whether the predicate is true in any lane of `lanes`.
fn any(said: u32, lanes: u32) -> bool {
    said & lanes != 0
}

/// Whether the predicate is equal in all lanes of `lanes`.
fn uni(said: u32, lanes: u32) -> bool {
    all(said, lanes) || !any(said, lanes)
}

/// Returns the lane from which `lane` copies its value in the shuffle `op`, and whether that lane
/// is inside the bound.
pub fn source(op: Op, lane: usize, b: u32, c: u32) -> (usize, bool) {
    let of = match op {
        Op::ShflUp => shuffle::up,
        Op::ShflDown => shuffle::down,
        Op::ShflBfly => shuffle::bfly,
        _ => shuffle::idx,
    };
    let (from, inside) = of(lane as u32, b, c);
    (from as usize & 31, inside)
}

/// Executes a shuffle.
#[inline(never)]
pub fn shuffle(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) {
    let [a, b, c] = [0, 1, 2].map(|place| rows::w(kernel, warp, inst.src[place]));
    let (mut out, mut inside) = ([0; 32], 0);
    for (lane, out) in out.iter_mut().enumerate() {
        let (from, is_inside) = source(inst.op, lane, b[lane], c[lane]);
        *out = a[from];
        inside |= u32::from(is_inside) << lane;
    }
    store(&mut warp.w[inst.dst as usize], &out, active);
    store_bits(&mut warp.p[inst.dst2 as usize], inside, active);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::build::{Builder, inst};
    use std::array::from_fn;

    fn warp() -> (Kernel, Warp) {
        let (kernel, mut warp) = Builder::new().rows(4, 0, 3).started();
        warp.w[0] = from_fn(|lane| 100 + lane as u32);
        warp.w[1] = [1; 32];
        warp.w[2] = [31; 32];
        (kernel, warp)
    }

    fn two(op: Op) -> Inst {
        Inst { dst2: 0, ..inst(op, 3, [0, 1, 2]) }
    }

    /// Tests: `shuffles`.
    #[test]
    fn active_lanes_read_other_lanes_and_the_rest_keep_their_values() {
        let (kernel, mut warp) = warp();
        (warp.w[3], warp.p[0]) = ([7; 32], 0x8000_0001);
        shuffle(&kernel, &mut warp, &two(Op::ShflDown), 0xffff_00ff);
        assert_eq!((warp.w[3][0], warp.w[3][7], warp.w[3][8], warp.w[3][31]), (101, 108, 7, 131));
        assert_eq!(warp.p[0], 0x7fff_00ff, "lane 31 is outside the bound; lanes 8 to 15 are inactive");
        warp.w[1] = from_fn(|lane| 31 - lane as u32);
        shuffle(&kernel, &mut warp, &Inst { dst: 0, ..two(Op::ShflIdx) }, u32::MAX);
        assert_eq!(warp.w[0], from_fn(|lane| 131 - lane as u32), "the result replaces the source");
    }

    #[test]
    fn each_lane_votes_with_its_mask() {
        let (kernel, mut warp) = warp();
        warp.w[1] = from_fn(|lane| if lane < 16 { 0xffff } else { 0xffff_0000 });
        warp.p[1] = 0x0001_ffff;
        let mut outcome = |op| {
            warp.p[0] = 0;
            vote_of_masks(&kernel, &mut warp, &Inst { dst: 0, ..inst(op, 0, [1, 1, 0]) }, u32::MAX);
            warp.p[0]
        };
        assert_eq!(outcome(Op::VoteSyncAll), 0xffff);
        assert_eq!(outcome(Op::VoteSyncAny), u32::MAX);
        assert_eq!(outcome(Op::VoteSyncUni), 0xffff);
        vote_of_masks(&kernel, &mut warp, &inst(Op::VoteSyncBallot, 3, [1, 1, 0]), 0xffff_fff0);
        assert_eq!((warp.w[3][0], warp.w[3][4], warp.w[3][16]), (0, 0xfff0, 0x0001_0000));
        vote(&mut warp, &inst(Op::ActiveMask, 3, [0, 0, 0]), 0xff00);
        assert_eq!((warp.w[3][7], warp.w[3][8]), (0xfff0, 0xff00));
    }
}
