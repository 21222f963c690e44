//! Host program of matrix addition (exercise 5.1), directly and through shared memory.

use crate::Workload;
use crate::check::Check;
use crate::host::{HostRun, RunError, Session};
use crate::numbers::{floats, wholes};
use crate::template::{define, fill};
use isa::types::Dim3;
use sim_core::host::Arg;

const TEMPLATE: &str = include_str!("../ptx/matadd.template");
const CUDA: &str = include_str!("../cuda/matadd.cu");
/// Rows and columns of a block.
const SIDE: u32 = 16;

/// Returns the family's workloads.
pub fn workloads() -> Vec<Workload> {
    [false, true].map(workload).into_iter().collect()
}

fn workload(shared: bool) -> Workload {
    let entry = if shared { "matadd_shared" } else { "matadd" };
    let about = "adds two square matrices, one element per thread";
    Workload {
        name: if shared { "matadd-shared" } else { "matadd" },
        family: Some("matadd"),
        about: if shared { format!("{about}, through shared memory").leak() } else { about },
        book: "Kirk & Hwu, exercise 5.1",
        default_size: 256,
        small_sizes: &[1, 37],
        size_meaning: "rows and columns of each matrix, at least 1",
        block: Dim3::new(SIDE, SIDE, 1),
        registers: None,
        file: if shared { "matadd_shared.ptx" } else { "matadd.ptx" },
        ptx: text(entry, shared).leak(),
        cuda: define(&[("ENTRY", entry.to_owned()), ("SHARED", u8::from(shared).to_string())], CUDA).leak(),
        program: Box::new(move |session, size| run(session, entry, size)),
    }
}

/// Fills the template.
fn text(entry: &str, shared: bool) -> String {
    let (by_way, pseudo, declared, through) = if shared {
        (
            ", through shared memory",
            "//   if row < width and col < width:\n\
             //       As[ty][tx] = A[row][col], Bs[ty][tx] = B[row][col]      only this thread reads them: no barrier\n\
             //       C[row][col] = As[ty][tx] + Bs[ty][tx]",
            "\t.shared .align 4 .f32 tiles[512];\t// As, then Bs 1,024 bytes on: 16 rows of 16 words each\n",
            "\n\t// Into shared memory and back: each thread uses only its own words, so no load is saved.\n\
             \tmad24.lo.u32\t%mine, %ty, 16, %tx;\n\
             \tshl.b32\t\t%mine, %mine, 2;\n\
             \tmov.u32\t\t%offset, tiles;\n\
             \tadd.u32\t\t%mine, %mine, %offset;\n\
             \tst.shared.f32\t[%mine], %fa;\n\
             \tst.shared.f32\t[%mine+1024], %fb;\n\
             \tld.shared.f32\t%fa, [%mine];\n\
             \tld.shared.f32\t%fb, [%mine+1024];\n\n",
        )
    } else {
        (
            "",
            "//   if row < width and col < width:\n\
             //       C[row][col] = A[row][col] + B[row][col]",
            "",
            "",
        )
    };
    let values = [
        ("BY_WAY", by_way.to_owned()),
        ("PSEUDO", pseudo.to_owned()),
        ("ENTRY", entry.to_owned()),
        ("SHARED", declared.to_owned()),
        ("THROUGH", through.to_owned()),
    ];
    fill(TEMPLATE, &values)
}

fn run(session: &mut Session<'_>, entry: &str, size: u64) -> Result<HostRun, RunError> {
    const LARGEST: i32 = 1 << 20;
    let blocks = session.blocks(size, SIDE)?;
    session.require_memory(size, 3 * u128::from(size) * u128::from(size))?;
    let elements = size * size;
    let terms = [1, 2].map(|stream| wholes(stream, elements, -LARGEST, LARGEST));
    let a = session.upload(&floats(&terms[0]))?;
    let b = session.upload(&floats(&terms[1]))?;
    let c = session.allocate(elements)?;
    let args = [Arg::Ptr(a), Arg::Ptr(b), Arg::Ptr(c), Arg::S32(size as i32)];
    let report = session.launch(entry, (blocks, blocks), (SIDE, SIDE), args)?;
    let check = if report.verdict.is_finished() {
        let sum = session.download(c, elements)?;
        let expected: Vec<f64> = terms[0].iter().zip(&terms[1]).map(|(a, b)| f64::from(a + b)).collect();
        Check::compare(expected.into_iter(), &sum, 0.0)
    } else {
        Check::none(&report.verdict)
    };
    let summary = format!("sum of two {size} x {size} matrices: {}", check.describe("elements"));
    Ok(HostRun { reports: vec![report], check, summary })
}
