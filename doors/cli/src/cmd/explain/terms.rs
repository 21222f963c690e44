//! Words of reports and terms of the glossary.
//!
//! The terms are the rows of `docs/GLOSSARY.md`, with the code in a row as further names. The words
//! are the labels of the short and of the detailed report that are neither metrics nor terms.

use isa::terms::Terms;
use isa::uop::Class;
use std::sync::LazyLock;

/// The glossary.
const GLOSSARY: &str = include_str!("../../../../../docs/GLOSSARY.md");

/// Labels of reports, with their meanings, in words of [`Terms`].
const WORDS: [(&str, &str); 65] = [
    ("kernel", "a function of PTX that a launch executes (`.entry`, `__global__`)"),
    ("line", "line of the PTX, or of the CUDA C file that `.loc` names"),
    ("of them divergent", "branches whose active lanes took different sides"),
    ("PASSED", "every checked element equals the expected one within the tolerance"),
    ("FAILED", "an element differs from the expected one by more than the tolerance"),
    ("time", "time of the kernel: cycles divided by the shader clock; without copies and launch calls"),
    (
        "copies",
        "share of the program's time for copies over PCI Express and launch calls, if it is over a half",
    ),
    ("limited by", "the resource that determines the time; `--why` tests it by experiments"),
    (
        "stalls",
        "the most frequent warp states other than issuing and \"not selected\", as shares of all cycles of resident warps",
    ),
    ("checks", "five common problems of kernels: OK, or a number that says how large the problem is"),
    ("DRAM use", "bytes moved by the DRAM relative to its peak, with the row hits"),
    ("bank conflicts", "passes of shared-memory requests that only bank conflicts make necessary"),
    ("lines", "the source lines with the largest shares of all cycles of resident warps"),
    ("next", "options and commands that show more about this run"),
    ("scheduling policy", "the rule by which a scheduler selects one of its eligible warps"),
    ("replacement policies", "the rules by which caches select the line that a new line replaces"),
    (
        "registers per {thread}",
        "registers of one {thread}; with occupancy they limit the {block}s of {an_sm}",
    ),
    (
        "{shared} per {block}",
        "bytes of {shared} of a {block}: variables, parameters, launch state and dynamic memory",
    ),
    (
        "resident {block}s per {sm}",
        "{block}s that fit on {an_sm} at the same time, and the resource that limits their number",
    ),
    ("{block}s by each resource", "{block}s that would fit on {an_sm} if only this resource limited them"),
    ("occupancy by these limits", "resident warps that fit on an SM, divided by its warp slots"),
    ("cycles", "shader cycles from the launch until the memory has no more work"),
    ("instructions per cycle", "warp instructions issued per shader cycle and SM"),
    ("arithmetic rate", "floating-point operations per second; a multiply-add counts two"),
    ("{sm}s used", "{sm}s that executed at least one {block}"),
    ("warp instructions", "executed instructions; an instruction of a warp counts once"),
    ("{thread} instructions", "executed instructions times their active lanes"),
    ("floating-point operations", "floating-point operations of all lanes; a multiply-add counts two"),
    ("by class", "warp instructions of each class of micro-ops"),
    ("slots", "issue slots: opportunities to issue"),
    ("warp cycles", "issue cycles of resident warps, from the start of a block to the release of its slots"),
    ("sum", "sum of the rows above, which is exact"),
    (
        "global memory",
        "device memory that all threads can access; the table has the accesses of this state space",
    ),
    ("local memory traffic", "accesses of local memory, which spilled registers and arrays of a thread use"),
    ("requests", "warp instructions of a kind of memory access with at least one active lane"),
    ("transactions", "transfers of aligned ranges of memory, as the coalescing rules count them"),
    (
        "transactions per request",
        "transactions divided by requests: 1 or 2 if accesses are coalesced, up to 32 otherwise",
    ),
    (
        "requests not coalesced",
        "requests with more transactions than the best possible pattern of addresses needs",
    ),
    ("bytes requested by lanes", "bytes that the active lanes load or store"),
    ("bytes moved", "bytes of all transactions, whether lanes need them or not"),
    ("efficiency, %", "bytes requested by lanes per byte moved"),
    (
        "mean latency of a global load",
        "cycles from the issue of a global load until all its values can be used",
    ),
    (
        "roofline of the loads",
        "rate of arithmetic if every loaded word came from the DRAM at its peak bandwidth",
    ),
    (
        "accesses of the constant caches",
        "accesses of constant memory and parameters: one for each different address of a group of lanes",
    ),
    (
        "hit rate of the {sm}s' constant caches",
        "share of the look-ups in the constant caches of {sm}s that hit",
    ),
    ("lines requested of partitions", "lines of constant memory that missed in all caches of the clusters"),
    ("global loads", "loads of global memory, as the L1 counts them"),
    ("sectors read", "sectors of the L2 that requests read"),
    ("sectors written", "sectors of the L2 that requests write in whole or in part"),
    ("read from the DRAM", "bytes that the L2 reads from the DRAM"),
    ("written to the DRAM", "bytes that the L2 writes to the DRAM"),
    ("read over the bus", "bytes that the DRAM returns, in whole bursts"),
    ("written over the bus", "bytes that are written to the DRAM"),
    ("bandwidth", "bytes per second over the bus of the DRAM, with its share of the peak"),
    ("write-back", "cycles after the end of the launch in which dirty sectors go to the DRAM"),
    ("row hits", "accesses of the DRAM to the open row of their bank"),
    ("row misses", "accesses of the DRAM to a bank without an open row"),
    ("row conflicts", "accesses of the DRAM to a bank in which another row is open"),
    ("refreshes", "periods in which the DRAM restores its charge and serves no access"),
    (
        "load of the partitions",
        "accesses of the busiest memory partition relative to the mean; large with partition camping",
    ),
    ("passes", "accesses of the banks of shared memory, one after the other"),
    ("conditional branches", "conditional branches executed by warps"),
    ("barriers", "bar.sync executed by warps (`__syncthreads`)"),
    ("memcpy HtoD", "a copy from the host to the device"),
    ("memcpy DtoH", "a copy from the device to the host"),
];

/// A word or term with its meaning.
#[derive(Debug)]
pub struct Term {
    /// The word or term as reports and pages write it.
    pub name: String,
    /// Other names.
    pub also: Vec<String>,
    /// Title of the list that has it.
    pub group: &'static str,
    pub meaning: String,
    /// Pages with more about it.
    pub pages: Vec<String>,
}

/// Titles of the lists, in their order.
pub const GROUPS: [&str; 3] = ["Words of reports", "Classes of micro-ops", "Glossary"];

/// All words and terms.
pub static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let term = |group, name: &str, meaning: &str| Term {
        name: name.to_owned(),
        also: Vec::new(),
        group,
        meaning: meaning.to_owned(),
        pages: Vec::new(),
    };
    let words = WORDS.iter().flat_map(|(word, meaning)| {
        let of = |terms: &Terms| term(GROUPS[0], &terms.fill(word), &terms.fill(meaning));
        let open_cl = Some(of(&Terms::OPENCL)).filter(|_| word.contains('{'));
        [of(&Terms::CUDA)].into_iter().chain(open_cl)
    });
    let classes = Class::ALL.into_iter().map(|class| term(GROUPS[1], class.name(), class.meaning()));
    words.chain(classes).chain(rows().map(|row| glossary(&row))).collect()
});

/// Iterates over the rows of the glossary, each on one line.
fn rows() -> impl Iterator<Item = String> {
    let rows = GLOSSARY.split("\n- **").skip(1);
    rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the term of a row: `term**: Meaning, with code. [page](path)`.
fn glossary(row: &str) -> Term {
    let (name, rest) = row.split_once("**: ").expect("a row of the glossary has a term");
    let (text, link) = rest.rsplit_once(" [").expect("a row of the glossary ends with a page");
    let page = link.split_once("](").map_or(link, |(_, path)| path);
    let page = page.split([')', '#']).next().unwrap_or_default();
    Term {
        name: name.to_owned(),
        also: text.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
        group: GROUPS[2],
        meaning: text.replace(['`', '*'], ""),
        pages: vec![format!("docs/{page}")],
    }
}
