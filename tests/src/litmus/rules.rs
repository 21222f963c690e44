//! The rules of docs/MEMORY-MODEL.md as a machine without time. It executes one access at a time,
//! in every order that the rules allow, and so computes the outcomes of a litmus test.

use super::{Litmus, Outcome, Shown};
use std::collections::BTreeSet;

/// The steps of a block that other blocks can observe. Words are x (0) and y (1); `needs` is the
/// index, among the block's loads, of the load whose value an access needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Store { word: usize, value: u32, needs: Option<usize> },
    Load { word: usize, needs: Option<usize> },
    Fence,
}

/// Returns the outcomes that the rules allow for a test with one thread per block: those of
/// interleaved blocks, and the additional ones if words and blocks are apart.
pub fn outcomes(litmus: &Litmus) -> Result<(Vec<Outcome>, Vec<Outcome>), String> {
    let blocks: Vec<Vec<Step>> =
        (0..litmus.blocks).map(|b| steps(&litmus.text, b)).collect::<Result<_, _>>()?;
    let reached = |reorders| {
        let mut all = BTreeSet::new();
        let taken: Taken = blocks.iter().map(|steps| vec![None; steps.len()]).collect();
        Machine { litmus, blocks: &blocks, reorders }.take(&taken, [0; 2], &mut all);
        all
    };
    let in_turns = reached(false);
    let relaxed = reached(true).difference(&in_turns).cloned().collect();
    Ok((in_turns.into_iter().collect(), relaxed))
}

/// Parses the steps of a block: from its label, or from the last branch to a label, to its exit.
fn steps(text: &str, block: u32) -> Result<Vec<Step>, String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let begins = |line: &&str| match block {
        0 => line.starts_with("@%p bra BLOCK"),
        _ => **line == format!("BLOCK{block}:"),
    };
    let start = lines.iter().rposition(begins).ok_or_else(|| format!("no block {block}"))?;
    let end = lines[start..].iter().position(|line| *line == "exit;").ok_or("no exit")?;
    let (mut steps, mut loads) = (Vec::new(), 0);
    // State of `%need`: the load that it depends on, and its value or the address of a word.
    let (mut needs, mut held) = (None, String::new());
    for line in &lines[start + 1..start + end] {
        let tokens: Vec<&str> = line.split([' ', ',', ';', '[', ']']).filter(|t| !t.is_empty()).collect();
        let unknown = || format!("`{line}`");
        let word = |address: &str| match address {
            "%x" => Some((0, None)),
            "%y" => Some((1, None)),
            "%need" => Some((["%x", "%y"].iter().position(|w| *w == held)?, needs)),
            _ => None,
        };
        match tokens.as_slice() {
            [] | ["membar.cta"] => {}
            ["membar.gl"] => steps.push(Step::Fence),
            ["and.b32", "%need", load, "0"] => {
                let number = load.strip_prefix("%r").and_then(|n| n.parse().ok());
                needs = Some(number.ok_or_else(unknown)?);
            }
            ["add.u32", "%need", "%need", what] => (*what).clone_into(&mut held),
            ["ld.global.u32", _, address] => {
                let (word, needs) = word(address).ok_or_else(unknown)?;
                steps.push(Step::Load { word, needs });
                loads += 1;
            }
            // The stores of loaded values to the result words come after all relevant accesses.
            ["st.global.u32", out, value] if out.starts_with("%out") && value.starts_with("%r") => {}
            ["st.global.u32", address, value] => {
                let (word, _) = word(address).ok_or_else(unknown)?;
                let (value, needs) = match *value {
                    "%one" => (1, None),
                    "%two" => (2, None),
                    "%need" => (held.parse().map_err(|_| unknown())?, needs),
                    _ => return Err(unknown()),
                };
                steps.push(Step::Store { word, value, needs });
            }
            _ => return Err(unknown()),
        }
    }
    if needs.is_some_and(|needs| needs >= loads) {
        Err("a value is needed before its load".to_owned())
    } else {
        Ok(steps)
    }
}

/// For each block and step: `None`, or that it was executed, with the value of a load.
type Taken = Vec<Vec<Option<u32>>>;

struct Machine<'a> {
    litmus: &'a Litmus,
    blocks: &'a [Vec<Step>],
    /// Whether accesses to different words may be executed out of program order.
    reorders: bool,
}

impl Machine<'_> {
    /// Executes every possible next access and continues from there; adds the outcomes at the ends.
    fn take(&self, taken: &Taken, memory: [u32; 2], all: &mut BTreeSet<Outcome>) {
        let mut done = true;
        for (block, steps) in self.blocks.iter().enumerate() {
            for (number, step) in steps.iter().enumerate() {
                let waits = |earlier: usize| {
                    taken[block][earlier].is_none() && before(steps, earlier, number, self.reorders)
                };
                if *step == Step::Fence || taken[block][number].is_some() || (0..number).any(waits) {
                    continue;
                }
                done = false;
                let (mut taken, mut memory) = (taken.clone(), memory);
                match *step {
                    Step::Store { word, value, .. } => {
                        memory[word] = value;
                        taken[block][number] = Some(value);
                    }
                    Step::Load { word, .. } => taken[block][number] = Some(memory[word]),
                    Step::Fence => {}
                }
                self.take(&taken, memory, all);
            }
        }
        if done {
            all.insert(self.litmus.shows.iter().map(|shown| self.value(*shown, taken, memory)).collect());
        }
    }

    fn value(&self, shown: Shown, taken: &Taken, memory: [u32; 2]) -> u32 {
        match shown {
            Shown::Final(word) => memory[word],
            Shown::Written { block, word } => {
                let steps = &self.blocks[block as usize];
                nth_load(steps, word as usize).and_then(|at| taken[block as usize][at]).unwrap_or(u32::MAX)
            }
        }
    }
}

/// Position of the load with index `number`.
fn nth_load(steps: &[Step], number: usize) -> Option<usize> {
    steps
        .iter()
        .enumerate()
        .filter(|(_, step)| matches!(step, Step::Load { .. }))
        .nth(number)
        .map(|(at, _)| at)
}

/// Whether step `i` of a block must be executed before its later step `j`.
fn before(steps: &[Step], i: usize, j: usize, reorders: bool) -> bool {
    let word = |step: Step| match step {
        Step::Store { word, needs, .. } | Step::Load { word, needs } => Some((word, needs)),
        Step::Fence => None,
    };
    let (Some((first, _)), Some((second, needs))) = (word(steps[i]), word(steps[j])) else { return false };
    !reorders
        || first == second
        || steps[i..j].contains(&Step::Fence)
        || needs.is_some_and(|load| nth_load(steps, load) == Some(i))
}
