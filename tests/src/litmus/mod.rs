//! Litmus tests: small races, and every outcome that they may have.
//!
//! A test is a file of `tests/litmus`: PTX, and in its comments what it shows and what may come of
//! it.
//!
//! ```text
//! // blocks: 2                   one thread each, or as many as
//! // threads: 64                 says
//! // shows: 1:0 1:1 x            words 0 and 1 that block 1 wrote down, and in the end the word x
//! // allowed: 0 0 2 | 0 1 2      outcomes that some interleaving of the threads has
//! // relaxed: 1 0 2              further ones, if x and y lie apart; they must be seen to happen
//! ```
//!
//! Its entry `k` takes the addresses of the words `x` and `y`, which are 0, of two words for each
//! block to write down, and of two words for each block that control it: how many turns it waits
//! first, and the address of a word that it stores before all else ([`run`]).
//!
//! Invariant `litmus-outcomes`: A race has the outcomes that docs/MEMORY-MODEL.md allows: each of
//! them is seen, and no other. A load/store unit that lets younger accesses overtake, and fences
//! without effect, are noticed.

pub mod rules;
pub mod run;

use std::fmt;

/// What is shown: values in the order of the file's `shows`.
pub type Outcome = Vec<u32>;

/// A value that an outcome consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A word that a block wrote down.
    Written {
        /// The block.
        block: u32,
        /// Which of its two words.
        word: u32,
    },
    /// What the word x (0) or y (1) holds in the end.
    Final(usize),
}

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Litmus {
    /// The file's name without its ending.
    pub name: String,
    /// The file.
    pub text: String,
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// What an outcome consists of.
    pub shows: Vec<Shown>,
    /// What threads that take turns can bring about.
    pub allowed: Vec<Outcome>,
    /// What only a machine can that reorders.
    pub relaxed: Vec<Outcome>,
}

impl Litmus {
    /// Reads a file; the error says which directive is wrong.
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
            return Err(format!("{name}: outcomes are of {length} values, and there must be some"));
        }
        Ok(litmus)
    }
}

/// An outcome as the files write it.
pub fn shown(outcome: &[u32]) -> String {
    outcome.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// Where blocks and words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Each block in a cluster of its own, the words in two partitions: all that the machine can do
    /// shows here.
    Apart,
    /// Each block in a cluster of its own, both words in one partition: links keep the order.
    OnePartition,
    /// The words in two partitions, all blocks in one cluster: its port puts everything in one
    /// order.
    OneCluster,
}

impl Placement {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Apart, Self::OnePartition, Self::OneCluster];

    /// Whether relaxed outcomes are allowed here.
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
