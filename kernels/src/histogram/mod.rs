//! Histograms of bytes in 256 bins, after S. Cook: counted in global memory, byte by byte or word
//! by word, and in shared memory. One template generates all texts, including those of the
//! published measurements.

pub mod run;
pub mod text;

use crate::check::Check;
use crate::host::{HostRun, RunError, Session};
use crate::{Program, Workload};
use isa::types::Dim3;
use run::{Size, THREADS, counts, random};
use std::sync::LazyLock;
use text::Kind;

/// A version of the histogram.
struct Variant {
    name: &'static str,
    about: &'static str,
    file: &'static str,
    kind: Kind,
    /// Words per thread; for byte histograms, 1 means one byte.
    words: u32,
    title: &'static str,
    look: &'static [&'static str],
}

static VARIANTS: [Variant; 4] = [
    Variant {
        name: "histogram-bytes",
        about: "counts bytes in 256 bins, a thread for each, by atomics on global memory (from capability 1.1 on)",
        file: "histogram_bytes.ptx",
        kind: Kind::Bytes,
        words: 1,
        title: "Histogram 1: a byte for each thread, counted in global memory.",
        look: &[
            "Refused on G80: a global atomic needs capability 1.1.",
            "An atomic for each byte; lanes of a warp with the same bin are serialized.",
            "Loads of single bytes: for a warp's 32, two segments of 32 move on GT200, a line of 128 on Fermi.",
            "Below capability 1.2 they do not coalesce: a transaction of 32 bytes for each lane.",
        ],
    },
    Variant {
        name: "histogram-words",
        about: "counts bytes in 256 bins, four for each thread, by atomics on global memory (from capability 1.1 on)",
        file: "histogram_words.ptx",
        kind: Kind::Words,
        words: 1,
        title: "Histogram 2: a word for each thread, counted in global memory.",
        look: &[
            "A quarter of the loads of histogram-bytes and as many atomics: hardly any faster on GT200 and Fermi.",
            "Faster on the 8800 GT: words coalesce there, single bytes do not.",
            "Refused on G80: a global atomic needs capability 1.1.",
        ],
    },
    Variant {
        name: "histogram-shared",
        about: "counts bytes in 256 bins of each block by atomics on shared memory (from capability 1.2 on)",
        file: "histogram_shared.ptx",
        kind: Kind::Shared,
        words: 1,
        title: "Histogram 3: counted in shared memory, then merged.",
        look: &[
            "Refused below capability 1.2, which is the first with atomics on shared memory.",
            "Global atomics only for the merge: one for each thread.",
            "Lanes with the same bin or the same bank are serialized: look at replays.",
        ],
    },
    Variant {
        name: "histogram-shared-16",
        about: "counts bytes in 256 bins of each block by atomics on shared memory (from capability 1.2 on), 16 words for each thread: a merge for 16 times as many bytes",
        file: "histogram_shared_16.ptx",
        kind: Kind::Shared,
        words: 16,
        title: "Histogram 3 with 16 words for each thread.",
        look: &[
            "A 16th of the blocks of histogram-shared, and of the zeroing and merging.",
            "More words help until too few blocks are left to fill the chip.",
        ],
    },
];

/// With more bytes, a bin could exceed the largest exact whole number of single precision.
const MOST: u64 = 1 << 24;

/// Returns the family's workloads.
pub fn workloads() -> Vec<Workload> {
    static TEXTS: LazyLock<Vec<[String; 2]>> =
        LazyLock::new(|| VARIANTS.iter().map(|v| [v.kind.text(v.title, v.look), v.kind.cuda()]).collect());
    let workload = |(variant, [ptx, cuda]): (&'static Variant, &'static [String; 2])| Workload {
        name: variant.name,
        family: Some("histogram"),
        about: variant.about,
        book: "slides on threads and occupancy; S. Cook, CUDA Programming",
        default_size: 131_072,
        small_sizes: &[16_384, 49_152],
        size_meaning: "bytes of input, a multiple of what a block counts: 256, 1024, or 16,384 with 16 words; at most 16,777,216",
        block: Dim3::new(THREADS, 1, 1),
        registers: None,
        file: variant.file,
        ptx,
        cuda,
        program: program(variant),
    };
    VARIANTS.iter().zip(TEXTS.iter()).map(workload).collect()
}

fn program(variant: &'static Variant) -> Program {
    Box::new(|session, size| count(session, variant, size))
}

/// Counts `size` bytes.
fn count(session: &mut Session<'_>, variant: &Variant, size: u64) -> Result<HostRun, RunError> {
    let of_thread = if variant.kind == Kind::Bytes { 1 } else { 4 * u64::from(variant.words) };
    let of_block = of_thread * u64::from(THREADS);
    if size == 0 || !size.is_multiple_of(of_block) || size > MOST {
        return Err(
            session.bad_size(size, format!("it must be a multiple of {of_block} from {of_block} to {MOST}"))
        );
    }
    session.require_memory(size, u128::from(size / 4) + u128::from(THREADS))?;
    let input: Vec<u32> = (0..size / 4).map(random).collect();
    let (from, bins) = (session.upload_words(&input)?, session.upload_words(&[0; THREADS as usize])?);
    let launched = Size { blocks: (size / of_block) as u32, words: variant.words };
    let args = launched.args(variant.kind, from, bins);
    let report = session.launch("histogram", launched.grid(), THREADS, args)?;
    let check = if report.verdict.is_finished() {
        let got: Vec<f32> = session.download_words(bins, THREADS.into())?.iter().map(|n| *n as f32).collect();
        Check::compare(counts(&input).into_iter().map(f64::from), &got, 0.0)
    } else {
        Check::none(&report.verdict)
    };
    let summary = format!("histogram of {size} bytes: {}", check.describe("bins"));
    Ok(HostRun { reports: vec![report], check, summary })
}
