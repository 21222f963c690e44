//! Litmus tests: small races, and every possible outcome.
//!
//! A test is a file of `tests/data/litmus`: PTX, with comments that list the shown values and the
//! possible outcomes.
//!
//! ```text
//! // blocks: 2                   one thread per block, or the
//! // threads: 64                 given number
//! // shows: 1:0 1:1 x            words 0 and 1 that block 1 stored, and the final value of x
//! // allowed: 0 0 2 | 0 1 2      outcomes of some interleaving of the threads
//! // relaxed: 1 0 2              further outcomes if x and y are apart; they must occur
//! ```
//!
//! Its entry `k` gets the addresses of the words `x` and `y`, which are 0, of two result words per
//! block, and of two control words per block: the number of iterations that it waits first, and the
//! address of a word that it stores before all else ([`run`]).
//!
//! Invariant `litmus-outcomes`: A race has the outcomes that docs/MEMORY-MODEL.md allows: each of
//! them is seen, and no other. A load/store unit that lets younger accesses overtake, and fences
//! without effect, are noticed.

pub mod explored;
pub mod rules;
pub mod run;

use std::fmt;

/// Shown values, in the order of the file's `shows`.
pub type Outcome = Vec<u32>;

/// A value of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A result word of a block.
    Written {
        /// Number of the block.
        block: u32,
        /// Index of the word.
        word: u32,
    },
    /// Final value of the word x (0) or y (1).
    Final(usize),
}

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Litmus {
    /// Name of the file without its extension.
    pub name: String,
    /// Text of the file.
    pub text: String,
    /// Number of blocks.
    pub blocks: u32,
    /// Threads per block.
    pub threads: u32,
    /// Values of an outcome.
    pub shows: Vec<Shown>,
    /// Outcomes of some interleaving of the threads.
    pub allowed: Vec<Outcome>,
    /// Outcomes that need a machine that reorders accesses.
    pub relaxed: Vec<Outcome>,
}

impl Litmus {
    /// Parses a file; the error names the invalid directive.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let find = |key: &str| {
            let lines = text.lines().take_while(|line| line.starts_with("//"));
            lines.map(|line| line.trim_start_matches("// ")).find_map(|line| line.strip_prefix(key))
        };
        let number = |text: &str| text.trim().parse::<u32>().map_err(|e| format!("{name}: `{text}`: {e}"));
        let outcomes = |key| -> Result<Vec<Outcome>, String> {
            let list = find(key).into_iter().flat_map(|list| list.split('|'));
            list.map(|one| one.split_whitespace().map(number).collect()).collect()
        };
        let shown = |word: &str| -> Result<Shown, String> {
            if let Some(index) = ["x", "y"].iter().position(|name| *name == word) {
                return Ok(Shown::Final(index));
            }
            let (block, word) = word.split_once(':').ok_or_else(|| format!("{name}: `{word}`"))?;
            Ok(Shown::Written { block: number(block)?, word: number(word)? })
        };
        let missing = |key: &str| format!("{name}: no `{key}`");
        let litmus = Self {
            name: name.to_owned(),
            text: text.to_owned(),
            blocks: number(find("blocks:").ok_or_else(|| missing("blocks:"))?)?,
            threads: number(find("threads:").unwrap_or("1"))?,
            shows: find("shows:")
                .ok_or_else(|| missing("shows:"))?
                .split_whitespace()
                .map(shown)
                .collect::<Result<_, _>>()?,
            allowed: outcomes("allowed:")?,
            relaxed: outcomes("relaxed:")?,
        };
        let length = litmus.shows.len();
        if litmus.allowed.is_empty()
            || litmus.allowed.iter().chain(&litmus.relaxed).any(|o| o.len() != length)
        {
            return Err(format!(
                "{name}: `allowed` must not be empty, and every outcome needs {length} values"
            ));
        }
        Ok(litmus)
    }
}

/// An outcome as text, as in the files.
pub fn shown(outcome: &[u32]) -> String {
    outcome.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// Placement of the blocks and words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Each block in a different cluster, the words in two partitions: all reorderings of the
    /// machine are possible.
    Apart,
    /// Each block in a different cluster, both words in one partition: links keep the order.
    OnePartition,
    /// The words in two partitions, all blocks in one cluster: its port orders all accesses.
    OneCluster,
}

impl Placement {
    /// All placements.
    pub const ALL: [Self; 3] = [Self::Apart, Self::OnePartition, Self::OneCluster];

    /// Whether relaxed outcomes are possible.
    pub fn reorders(self) -> bool {
        self == Self::Apart
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Apart => "apart",
            Self::OnePartition => "in one partition",
            Self::OneCluster => "in one cluster",
        })
    }
}
