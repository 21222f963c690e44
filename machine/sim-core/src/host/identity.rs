//! Digests of everything that determines how a launch continues.

use super::start::Ready;
use crate::exec::allocations::NOT_MAPPED;
use crate::exec::wide::Vectors;
use crate::exec::{Kernel, MemoryRule};
use crate::mem::image::Memory;
use crate::stats::sampled::WarmupReport;
use sha2::{Digest, Sha256};
use std::fmt::{self, Debug, Write};

/// Digests of everything that determines how a state continues, apart from the version of the
/// simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateIdentity {
    /// The lowered kernels.
    pub kernel: [u8; 32],
    /// The chip with its overrides.
    pub chip: [u8; 32],
    /// Grid, block, arguments, constants, allocations and warm-up.
    pub launch: [u8; 32],
    /// Device memory before the launch.
    pub memory: [u8; 32],
}

impl StateIdentity {
    /// Returns the identity of launches before the first cycle of the timed machine.
    pub(super) fn of(launches: &[Ready<'_>], warmed: Option<&WarmupReport>, memory: &Memory) -> Self {
        let mut all = Texts::default();
        for ready in launches {
            all.add(&ready.kernel);
            all.chip.add(&ready.chip);
            all.inputs.add(&(&ready.launched, warmed));
        }
        let Texts { kernel, chip, inputs } = all;
        let mut bytes = Sha256::new();
        add_memory(&mut bytes, memory);
        Self {
            kernel: kernel.0.finalize().into(),
            chip: chip.0.finalize().into(),
            launch: inputs.0.finalize().into(),
            memory: bytes.finalize().into(),
        }
    }
}

/// Returns the digest of everything that determines the result of the first `blocks` blocks of a
/// launch on the functional machine.
pub(super) fn of_prefix(kernel: &Kernel, blocks: u64, limit: u64, memory: &Memory) -> [u8; 32] {
    let mut all = Texts::default();
    all.add(kernel);
    all.inputs.add(&(blocks, limit));
    let mut hash = Sha256::new();
    for text in [all.kernel, all.chip, all.inputs] {
        hash.update(text.0.finalize());
    }
    add_memory(&mut hash, memory);
    hash.finalize().into()
}

fn add_memory(hash: &mut Sha256, memory: &Memory) {
    memory.each_page(|address, page| {
        hash.update(address.to_le_bytes());
        hash.update(page);
    });
}

/// The parts of a launch.
#[derive(Default)]
struct Texts {
    kernel: Text,
    chip: Text,
    inputs: Text,
}

impl Texts {
    fn add(&mut self, kernel: &Kernel) {
        let Kernel {
            program,
            const32,
            const64,
            params,
            constants,
            textures,
            surfaces,
            grid,
            block,
            shared_bytes,
            allocations,
            mapped_from,
            first_path,
            barriers,
            memory,
            nsmid,
            nwarpid,
            grid_id,
            environment,
            // The results do not depend on the host's vectors.
            vectors: Vectors { .. },
        } = kernel;
        self.kernel.add(&(program, first_path));
        self.chip.add(&(nsmid, nwarpid));
        self.inputs.add(&(const32, const64, params, constants, allocations));
        if !textures.is_empty() {
            self.inputs.add(textures);
        }
        if !surfaces.is_empty() {
            self.inputs.add(surfaces);
        }
        if *mapped_from != NOT_MAPPED {
            self.inputs.add(mapped_from);
        }
        if *memory != MemoryRule::Strict {
            self.inputs.add(memory);
        }
        if *environment != [0; 32] {
            self.inputs.add(environment);
        }
        self.inputs.add(&(grid, block, shared_bytes, barriers, grid_id));
    }
}

/// Hashes a text while it is written.
#[derive(Default)]
struct Text(Sha256);

impl Text {
    /// Adds the fields of a value.
    fn add(&mut self, value: &impl Debug) {
        writeln!(self, "{value:?}").expect("a hash accepts every text");
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
