//! Digests: SHA-256 of texts, modules, files and memory.

use isa::uop::Module;
use report::provenance::{PROGRAM, hex};
use sha2::{Digest, Sha256};
use sim_core::host::Gpu;
use std::fmt::{self, Debug, Write};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Bytes of device memory that are read at a time.
const PIECE: usize = 1 << 16;

/// A hash of texts, each with its length, so that no two lists of texts give the same bytes.
pub struct Texts(Sha256);

impl Texts {
    /// A hash that begins with the digest `sources` of the simulator.
    pub fn new(kind: &str, sources: &str) -> Self {
        let mut texts = Self(Sha256::new());
        for text in [kind, PROGRAM, sources] {
            texts.add(text.as_bytes());
        }
        texts
    }

    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds the fields of a value.
    pub fn add_fields(&mut self, value: &impl Debug) {
        let mut out = Writer(Sha256::new());
        write!(out, "{value:?}").expect("a hash accepts every text");
        self.add(&out.0.finalize());
    }

    /// Adds the contents of a file. A file that cannot be read is reported with the launch.
    pub fn add_file(&mut self, path: &Path) {
        let mut out = Sha256::new();
        let read = File::open(path).and_then(|mut file| io::copy(&mut file, &mut HashFile(&mut out)));
        match read {
            Ok(_) => self.add(&out.finalize()),
            Err(error) => self.add(error.to_string().as_bytes()),
        }
    }

    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Hashes a text while it is written.
struct Writer(Sha256);

impl Write for Writer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// Hashes the bytes of a file.
struct HashFile<'h>(&'h mut Sha256);

impl io::Write for HashFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the digest of a text that stands for a run, such as the errors of its chip.
pub fn of_text(kind: &str, sources: &str, text: &str) -> String {
    let mut texts = Texts::new(kind, sources);
    texts.add(text.as_bytes());
    texts.finish()
}

/// Returns the digest of a compiled kernel.
pub fn of_module(sources: &str, module: &Module) -> String {
    let mut texts = Texts::new("module", sources);
    texts.add_fields(module);
    texts.finish()
}

/// Returns the digest of device memory, from its first byte to the end of the highest allocation,
/// and of mapped host memory.
pub fn of_memory(gpu: &Gpu) -> String {
    let mut hash = Sha256::new();
    let mut piece = vec![0; PIECE];
    for Range { start: mut at, end } in [0..gpu.highest_address(), gpu.mapped_addresses()] {
        while at < end {
            let bytes = (end - at).min(PIECE as u64) as usize;
            gpu.memory().read(at as u32, &mut piece[..bytes]);
            hash.update(&piece[..bytes]);
            at += bytes as u64;
        }
    }
    hex(&hash.finalize())
}
