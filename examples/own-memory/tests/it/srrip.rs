//! The replacement policy alone, in a set of a few lines, and the program with it.

use super::warpsim;
use own_memory::Srrip;
use warpsim::replacement::{Place, ReplacementPolicy, Seat};

/// A cache of one set.
struct Set<P> {
    policy: P,
    lines: Vec<Option<u64>>,
}

impl<P: ReplacementPolicy> Set<P> {
    /// Accesses a line. Returns whether it hit.
    fn access(&mut self, line: u64) -> bool {
        if let Some(slot) = self.lines.iter().position(|known| *known == Some(line)) {
            self.policy.touch(slot);
            return true;
        }
        let empty = self.lines.iter().position(Option::is_none);
        let values = (0..self.lines.len()).map(|slot| (self.policy.value(slot), slot));
        let slot = empty.unwrap_or_else(|| values.min().expect("a set has lines").1);
        self.lines[slot] = Some(line);
        self.policy.install(slot);
        false
    }
}

fn srrip(bits: u32, ways: usize) -> Set<Srrip> {
    let seat = Seat { place: Place::L1(0), sets: 1, ways };
    Set { policy: Srrip::new(bits, seat), lines: vec![None; ways] }
}

/// A line that was used again survives as many lines that are read once as the set has, and more.
#[test]
fn a_scan_does_not_evict_a_line_that_is_used() {
    let mut set = srrip(2, 4);
    set.access(0);
    assert!(set.access(0));
    for line in 1..=8 {
        assert!(!set.access(line));
    }
    assert!(set.access(0), "8 lines were read once since the last use");
    for line in 11..=40 {
        set.access(line);
    }
    assert!(!set.access(0), "a line that is not used again leaves the cache at last");
}

/// One bit says whether a line was used since all other lines of the set were.
#[test]
fn one_bit_is_not_recently_used() {
    let mut set = srrip(1, 2);
    assert_eq!([1, 2, 3, 2, 1].map(|line| set.access(line)), [false, false, false, true, false]);
}

#[test]
fn every_cache_of_a_chip_can_have_the_policy() {
    let run = |set: &str| {
        let words = ["run", "matmul-naive", "--size", "64", "--chip", "fermi", "--json", "-", "--set", set];
        let (code, stdout, stderr) = warpsim(&words);
        assert_eq!(code, 0, "{set}: {stderr}");
        stdout
    };
    for cache in ["sm.l1", "sm.const_cache", "partition.l2"] {
        let report = run(&format!("{cache}.replacement=srrip(bits: 3)"));
        assert!(report.contains("srrip(bits: 3)"), "{cache}: {report}");
        assert!(report.contains(r#""kind": "finished""#) || report.contains("finished"), "{cache}: {report}");
    }
    let small = |policy: &str| {
        let words = ["run", "matmul-naive", "--size", "64", "--chip", "fermi", "--json", "-"];
        let sets =
            ["--set", "sm.l1.ways=2", "--set", &format!("sm.l1.replacement={policy}")].map(str::to_owned);
        let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
        warpsim(&[&words[..], &sets].concat())
    };
    let [(0, lru, _), (0, mine, _)] = ["lru", "srrip"].map(small) else { panic!("both run") };
    assert_ne!(lru, mine);
}

#[test]
fn wrong_words_are_refused() {
    let (code, _, stderr) = warpsim(&["run", "vecadd", "--chip", "fermi", "--set", "sm.l1.replacement=srip"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("did you mean `srrip`?"), "{stderr}");
    let (code, _, stderr) =
        warpsim(&["run", "vecadd", "--chip", "fermi", "--set", "sm.l1.replacement=srrip(bits: 9)"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("bits is out of range: 9"), "{stderr}");
}
