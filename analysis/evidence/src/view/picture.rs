//! The picture of a claim: the numbers that it states and the simulated ones.

use crate::finding::significant;
use crate::{Finding, Verdict};
use figures::bars::{Bar, Bars};
use figures::palette::{DARK, Paint, color, hatch};
use figures::scene::Scene;

/// Largest number of numbers of a picture.
const MOST: usize = 40;

/// Returns the numbers of a claim as bars; those of one finding have one scale. `None` if it has
/// no numbers.
pub fn scene(findings: &[Finding]) -> Option<Scene> {
    let [claim, simulated, wrong]: [Paint; 3] = [(DARK, None), (color(0), None), (color(1), hatch(1))];
    let all: usize = findings.iter().map(|finding| finding.numbers.len()).sum();
    if all == 0 {
        return None;
    }
    let mut bars = Vec::new();
    let mut is_wrong = false;
    let mut left = MOST;
    for finding in findings {
        let bad = matches!(finding.verdict, Verdict::Outside | Verdict::Failed);
        let numbers = &finding.numbers[..finding.numbers.len().min(left)];
        left -= numbers.len();
        is_wrong |= bad && !numbers.is_empty();
        let values = numbers.iter().flat_map(|(stated, value)| [stated.unwrap_or(0.0).abs(), value.abs()]);
        let most = values.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        for (place, (stated, value)) in numbers.iter().enumerate() {
            let mut name = if place == 0 { finding.what.as_str() } else { "" };
            for (value, paint) in [(*stated, claim), (Some(*value), if bad { wrong } else { simulated })] {
                let Some(value) = value else { continue };
                bars.push(Bar { paint, ..Bar::new(name, value / most, significant(value)) });
                name = "";
            }
        }
    }
    let mut legend = vec![(claim, "claim".to_owned()), (simulated, "simulated".to_owned())];
    if is_wrong {
        legend.push((wrong, "simulated, not as claimed".to_owned()));
    }
    let notes = if all > MOST { vec![format!("The first {MOST} of {all} numbers")] } else { Vec::new() };
    let title = "Values of the claim and of the simulation";
    Some(Bars { legend, notes, ..Bars::new(title, bars) }.scene())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `pictures-are-legible`.
    #[test]
    fn numbers_of_findings_are_pairs_of_bars() {
        let findings = [
            Finding::exact("blocks per SM", 3, 3),
            Finding::measured("16x16 tiles, GFLOP/s", 100.0, 15.0, 60.0),
            Finding::exact_list("degree of conflicts", &[2.0, 4.0], &[2.0, 4.0]),
            Finding::shape("order", "a before b", "a before b", true),
            Finding::exact("limit", "registers", "registers"),
        ];
        let drawn = scene(&findings).expect("there are numbers");
        assert!(drawn.flaws().is_empty(), "{:?}", drawn.flaws());
        let has = |part: &str| drawn.texts().any(|text| text.text == part);
        assert!(has("blocks per SM") && has("60") && has("simulated, not as claimed") && !has("limit"));
        assert_eq!(drawn.texts().filter(|text| text.text == "4").count(), 2);
        assert!(scene(&findings[3..]).is_none());
    }
}
