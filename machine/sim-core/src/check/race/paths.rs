//! Which lanes of a warp were on different paths of a branch. The order of two paths is not the
//! order of a program: the machine selects the path that runs first (`sm.first_path`).
//!
//! Two lanes are together while one path contains both. Accesses of two lanes are on different
//! paths if the lanes have not been together since the first access: then no instruction that both
//! have executed is between the two.

use crate::exec::mask::lanes;

/// The paths of one warp.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Lanes of the running path, and the latest instruction of the warp.
    side: u32,
    latest: u64,
    /// For each pair of lanes, the last instruction on an earlier path with both.
    together: Box<[[u64; 32]; 32]>,
}

impl Default for Paths {
    fn default() -> Self {
        Self { side: 0, latest: 0, together: Box::new([[0; 32]; 32]) }
    }
}

impl Paths {
    /// Follows instruction number `instruction` of the warp, which the lanes `side` execute. Every
    /// instruction is followed.
    #[inline]
    pub fn follow(&mut self, side: u32, instruction: u64) {
        if self.side != side {
            let old = std::mem::replace(&mut self.side, side);
            for lane in lanes(old) {
                lanes(old).for_each(|other| self.together[lane][other] = self.latest);
            }
        }
        self.latest = instruction;
    }

    /// Returns the lanes that have not been on one path with `lane`, which is on the running one,
    /// at instruction number `instruction` or later.
    pub fn apart(&self, lane: u32, instruction: u64) -> u32 {
        let row = self.together[lane as usize].iter().enumerate();
        let apart = row.filter(|(other, last)| self.side >> other & 1 == 0 && **last < instruction);
        apart.fold(0, |lanes, (other, _)| lanes | 1 << other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_apart_until_their_paths_meet() {
        let mut paths = Paths::default();
        // The warp has four lanes.
        let apart = |paths: &Paths, instruction| paths.apart(0, instruction) & 0b1111;
        (1..5).for_each(|number| paths.follow(0b1111, number));
        paths.follow(0b1100, 5);
        paths.follow(0b0011, 8);
        assert_eq!(apart(&paths, 6), 0b1100, "since the other path");
        assert_eq!((apart(&paths, 4), apart(&paths, 5)), (0, 0b1100), "instruction 4 was of all");
        paths.follow(0b1111, 11);
        assert_eq!(apart(&paths, 6), 0, "the paths have met");
        paths.follow(0b0001, 12);
        assert_eq!(apart(&paths, 11), 0);
        assert_eq!(apart(&paths, 12), 0b1110);
    }
}
