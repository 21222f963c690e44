//! The matrix products of chapters 3 to 6: one block, many blocks, tiles, tiles with the tunings of
//! chapter 6, and tiles for matrices of any size.

mod host;
mod tiled;
mod words;

pub use tiled::{Barriers, Tiled};

use crate::Workload;
pub use host::multiply;
use host::{Shape, Square};
use isa::types::Dim3;

/// Registers per thread of the plain and of the unrolled 16 x 16 product: Kirk & Hwu, sections 5.4
/// and 6.3; Ryoo et al., `PPoPP` 2008.
pub const PUBLISHED_REGISTERS: u32 = 10;

/// Threads of the blocks with tiles of 16 x 16.
const BLOCK: Dim3 = Dim3::new(16, 16, 1);
const MULTIPLE_OF_16: &str = "rows and columns of each matrix, a multiple of 16";

/// Returns the workloads.
pub fn workloads() -> Vec<Workload> {
    let mut all = vec![single(), square("matmul-naive"), square("matmul-tiled")];
    all.extend(
        [2, 4, 8, 32].map(|tile| variant(Tiled::new(tile), "matmul-tiled", format!("matmul-tiled-{tile}"))),
    );
    for (family, tile) in [("matmul-8x8", 8), ("matmul-16x16", 16)] {
        let eighths = Tiled::new(tile).merged(8);
        all.extend(
            Tiled::chapter_6(tile)
                .chain([eighths])
                .map(|tiled| variant(tiled, family, format!("matmul-{}", tiled.name()))),
        );
    }
    all.push(any());
    all
}

/// Chapter 3.
fn single() -> Workload {
    Workload {
        name: "matmul-single",
        family: None,
        about: "multiplies two square matrices by one block of threads",
        book: "Kirk & Hwu, chapter 3",
        default_size: 16,
        small_sizes: &[1, 22],
        size_meaning: "rows and columns of each matrix, and of the block: 1 to 22, to 32 on Fermi",
        block: BLOCK,
        registers: None,
        file: "matmul_single.ptx",
        ptx: include_str!("../../ptx/matmul/single.ptx"),
        cuda: include_str!("../../cuda/matmul_single.cu"),
        program: Box::new(host::single),
    }
}

/// Chapters 4 and 5, with texts that are written for this tile size.
fn square(name: &'static str) -> Workload {
    let tiled = name == "matmul-tiled";
    let kernel = Square { entry: name.replace('-', "_"), block: BLOCK, wide: 16 };
    Workload {
        name,
        family: tiled.then_some("matmul-tiled"),
        about: if tiled {
            "multiplies two square matrices by 16x16 tiles in shared memory"
        } else {
            "multiplies two square matrices, all operands from global memory"
        },
        book: if tiled { "Kirk & Hwu, chapter 5" } else { "Kirk & Hwu, chapter 4" },
        default_size: 256,
        size_meaning: MULTIPLE_OF_16,
        small_sizes: &[16, 48],
        block: BLOCK,
        registers: tiled.then_some(PUBLISHED_REGISTERS),
        file: if tiled { "matmul_tiled.ptx" } else { "matmul_naive.ptx" },
        ptx: if tiled {
            include_str!("../../ptx/matmul_tiled.ptx")
        } else {
            include_str!("../../ptx/matmul_naive.ptx")
        },
        cuda: if tiled {
            Tiled::new(16).cuda(&kernel.entry).leak()
        } else {
            include_str!("../../cuda/matmul_naive.cu")
        },
        program: Box::new(move |session, size| host::square(session, &kernel, size)),
    }
}

/// Chapter 5 with other tiles, and chapter 6.
fn variant(tiled: Tiled, family: &'static str, name: String) -> Workload {
    let kernel = Square { entry: tiled.entry(), block: tiled.block(), wide: tiled.wide() };
    Workload {
        file: format!("{}.ptx", name.replace('-', "_")).leak(),
        name: name.leak(),
        family: Some(family),
        about: words::about(tiled).leak(),
        book: format!("Kirk & Hwu, {}", words::book(tiled)).leak(),
        default_size: 256,
        small_sizes: if tiled.wide() > 64 { &[128] } else { &[64] },
        size_meaning: format!("rows and columns of each matrix, a multiple of {}", tiled.wide()).leak(),
        block: tiled.block(),
        registers: tiled.published_registers(),
        ptx: tiled.text().leak(),
        cuda: tiled.cuda(&kernel.entry).leak(),
        program: Box::new(move |session, size| host::square(session, &kernel, size)),
    }
}

/// Chapter 5 with tests at the edges.
fn any() -> Workload {
    Workload {
        name: "matmul-any",
        family: None,
        about: "multiplies two matrices of any size by 16x16 tiles, with tests at the edges",
        book: "Kirk & Hwu, chapter 5",
        default_size: 250,
        small_sizes: &[1, 37],
        size_meaning: "rows and columns of each matrix, at least 1",
        block: BLOCK,
        registers: None,
        file: "matmul_any.ptx",
        ptx: include_str!("../../ptx/matmul/any.ptx"),
        cuda: include_str!("../../cuda/matmul_any.cu"),
        program: Box::new(|session, size| {
            host::any(session, Shape { rows: size, inner: size, columns: size })
        }),
    }
}

#[cfg(test)]
mod tests;
