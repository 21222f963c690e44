//! Conditions on the number of hits of a breakpoint.

/// Hits that are remembered; later ones have no number.
const MOST_HITS: usize = 1 << 22;

/// Where a hit is. A movement that reaches it again finds the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HitPosition {
    /// A line of host code: the instructions before it.
    Host(u64),
    /// The start of a launch: its number.
    Launch(u32),
    /// An event of a launch: shader cycle, SM and warp slot.
    Event(u64, u32, u32),
}

/// A condition on the number of a hit, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Exactly(u64),
    From(u64),
    EachOf(u64),
}

/// Counts the hits of a breakpoint. A hit that a movement reaches again has its former number.
#[derive(Clone, Debug)]
pub struct Hits {
    rule: Rule,
    /// The hits so far, ascending.
    seen: Vec<HitPosition>,
}

impl Hits {
    /// Reads `5` or `>= 5` (from the fifth hit on), `> 5`, `== 5`, or `% 5` (each fifth hit).
    ///
    /// # Errors
    /// Returns a message about the wrong text.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let (sign, number) = (text[..digits].trim(), text[digits..].parse::<u64>());
        let rule = match (sign, number) {
            ("" | ">=", Ok(n)) => Rule::From(n),
            (">", Ok(n)) => Rule::From(n.saturating_add(1)),
            ("=" | "==", Ok(n)) => Rule::Exactly(n),
            ("%", Ok(n)) if n > 0 => Rule::EachOf(n),
            _ => return Err(format!("hit count `{text}` is not one of N, >= N, > N, == N, % N")),
        };
        Ok(Self { rule, seen: Vec::new() })
    }

    /// Counts a hit. Returns whether it stops the launch.
    pub fn hit(&mut self, place: HitPosition) -> bool {
        let at = self.seen.partition_point(|one| *one < place);
        if self.seen.get(at) != Some(&place) {
            if self.seen.len() >= MOST_HITS {
                return true;
            }
            self.seen.insert(at, place);
        }
        let number = at as u64 + 1;
        match self.rule {
            Rule::Exactly(n) => number == n,
            Rule::From(n) => number >= n,
            Rule::EachOf(n) => number.is_multiple_of(n),
        }
    }

    /// Forgets the hits inside a launch: another one begins.
    pub fn clear(&mut self) {
        self.seen.retain(|place| !matches!(place, HitPosition::Event(..)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_counted_by_their_place() {
        let stops = |text: &str| {
            let mut hits = Hits::read(text).expect("good");
            (1..=6).filter(|cycle| hits.hit(HitPosition::Event(*cycle, 0, 0))).collect::<Vec<_>>()
        };
        assert_eq!((stops("3"), stops(">4"), stops("== 2")), (vec![3, 4, 5, 6], vec![5, 6], vec![2]));
        assert_eq!(stops("% 2"), [2, 4, 6]);
        let mut hits = Hits::read("==2").expect("good");
        assert_eq!(
            [5, 9, 5, 9].map(|cycle| hits.hit(HitPosition::Event(cycle, 0, 0))),
            [false, true, false, true]
        );
        for bad in ["", "x", "-1", "%0", "5 or so", "<5"] {
            assert!(Hits::read(bad).is_err(), "{bad}");
        }
    }
}
