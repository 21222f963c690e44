//! Files with the state of a launch: `run --save-state` and `--load-state`.
//!
//! A file has three lines of text and a Zstandard frame:
//!
//! ```text
//! warpsim-state 1
//! {"program":"warpsim 0.1.0", …}
//! SHA-256 of the other two lines and the frame
//! ```
//!
//! The second line identifies the simulator, the kernel, the chip, the launch and the memory before
//! it. The third line is compared before anything else is decoded, so that a damaged file never
//! reaches the decoder.

use crate::exit::{Code, Failure};
use crate::host::SOURCES;
use crate::output::{OutputFile, complain, end_now, shown};
use crate::provenance::{PROGRAM, hex};
use report::packed::{pack, unpack};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sim_core::host::{Gpu, SaveAt, SavedState, StateIdentity};
use std::fs::File;
use std::io::Read;
use std::panic;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// First word of a file.
const MAGIC: &str = "warpsim-state";

/// Version of the layout of a file. The layout of the state itself belongs to the build of the
/// simulator, which the header names.
const VERSION: &str = "1";

/// Largest size of a file and of a state in bytes: device memory has at most 4 GiB.
const MOST_BYTES: u64 = 8 << 30;

/// Largest size of a line of text in bytes.
const MOST_LINE: usize = 1 << 12;

/// The second line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    program: String,
    /// Digest of the sources of the simulator.
    sources: String,
    /// Digests of [`StateIdentity`].
    kernel: String,
    chip: String,
    inputs: String,
    memory: String,
    launch: u32,
    cycle: u64,
    retired_blocks: u64,
    /// Size of the state in bytes.
    bytes: u64,
}

/// Returns the bytes of a file.
fn encode(state: &SavedState) -> Vec<u8> {
    let SavedState { identity, launch, cycle, retired, bytes } = state;
    let StateIdentity { kernel, chip, launch: inputs, memory } = identity;
    let header = Header {
        program: PROGRAM.to_owned(),
        sources: SOURCES.to_owned(),
        kernel: hex(kernel),
        chip: hex(chip),
        inputs: hex(inputs),
        memory: hex(memory),
        launch: *launch,
        cycle: *cycle,
        retired_blocks: *retired,
        bytes: bytes.len() as u64,
    };
    let header = serde_json::to_string(&header).expect("a header has only texts and numbers");
    let start = format!("{MAGIC} {VERSION}\n{header}\n");
    let frame = pack(bytes);
    let sum = hex(&checksum(start.as_bytes(), &frame));
    [start.as_bytes(), sum.as_bytes(), b"\n", &frame].concat()
}

/// Returns the state in the bytes of a file, or what is wrong with them.
fn decode(file: &[u8]) -> Result<SavedState, String> {
    let not_a_state = || "it is not a state that `warpsim run --save-state` wrote".to_owned();
    let damaged = |what: &str| format!("the file is damaged or incomplete: {what}");
    let (first, rest) = line(file).ok_or_else(not_a_state)?;
    let version =
        first.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(' ')).ok_or_else(not_a_state)?;
    if version != VERSION {
        return Err(format!("the file has version {version}, but this program reads version {VERSION}"));
    }
    let (header, rest) = line(rest).ok_or_else(|| damaged("it has no header"))?;
    let text = file.len() - rest.len();
    let (sum, frame) = line(rest).ok_or_else(|| damaged("it has no checksum"))?;
    if hex(&checksum(&file[..text], frame)) != sum {
        return Err(damaged("its checksum is wrong"));
    }
    let header: Header = serde_json::from_str(header).map_err(|error| damaged(&error.to_string()))?;
    if header.program != PROGRAM || header.sources != SOURCES {
        let other = if header.program == PROGRAM { "another build of this program" } else { &header.program };
        return Err(format!("the state was saved by {other}, and only the same build can load it"));
    }
    if header.bytes > MOST_BYTES {
        return Err(damaged(&format!("{} bytes of state", header.bytes)));
    }
    let bytes = unpack(frame, header.bytes).map_err(|error| damaged(&error))?;
    if bytes.len() as u64 != header.bytes {
        return Err(damaged(&format!("the state has not {} bytes", header.bytes)));
    }
    let digest = |text: &str| digest(text).ok_or_else(|| damaged("a digest is invalid"));
    let identity = StateIdentity {
        kernel: digest(&header.kernel)?,
        chip: digest(&header.chip)?,
        launch: digest(&header.inputs)?,
        memory: digest(&header.memory)?,
    };
    let Header { launch, cycle, retired_blocks: retired, .. } = header;
    Ok(SavedState { identity, launch, cycle, retired, bytes })
}

fn checksum(start: &[u8], frame: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(start).chain_update(frame).finalize().into()
}

/// Splits off a line of text.
fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().take(MOST_LINE).position(|byte| *byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

/// Returns the bytes of 64 hexadecimal digits.
fn digest(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() || !text.is_ascii() {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
    }
    Some(bytes)
}

/// Reads a file.
pub fn load(path: &Path) -> Result<SavedState, Failure> {
    let cannot = |why: String| Failure::input(format!("error: cannot load {}: {why}", shown(path)));
    let file = File::open(path).map_err(|error| cannot(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| cannot(error.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(cannot(format!("the file has more than {MOST_BYTES} bytes")));
    }
    decode(&bytes).map_err(cannot)
}

/// Runs launches that continue from the state in the file `path`. The checksum finds accidental
/// damage. A state that was changed on purpose can violate what the machine relies on, such as the
/// bounds of an index; this must be a message like any other bad input. The message ends the
/// program, because the packaged program cannot unwind.
pub fn contained<T>(path: &Path, run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let message = format!(
        "error: cannot continue from {}: the state is inconsistent\nhelp: if this program wrote the file, please \
         report the error",
        shown(path)
    );
    // Several threads can find the error; the first one ends the program.
    let first = AtomicBool::new(true);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |_| {
        if first.swap(false, Ordering::Relaxed) {
            complain(&message);
            end_now(Code::BadInput);
        }
        loop {
            thread::park();
        }
    }));
    let result = run();
    panic::set_hook(hook);
    result
}

/// Result of writing a file, once the state has been saved.
#[derive(Clone, Debug, Default)]
pub struct Written(Arc<Mutex<Option<Failure>>>);

impl Written {
    /// Returns the reason why the file was not written.
    pub fn failure(&self) -> Option<Failure> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Makes `gpu` save launch number `launch` to `file`, which appears as soon as the state is saved.
pub fn save(gpu: &mut Gpu, launch: u32, at: SaveAt, file: OutputFile) -> Written {
    let written = Written::default();
    let place = Arc::clone(&written.0);
    let mut file = Some(file);
    let sink = move |state: SavedState| {
        let result = file.take().map_or(Ok(()), |file| file.write(&encode(&state)));
        *place.lock().unwrap_or_else(PoisonError::into_inner) = result.err();
    };
    gpu.save_state(launch, at, Box::new(sink));
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> SavedState {
        let bytes = (0..20_000_u32).map(|n| (n / 7 * n % 251) as u8).collect();
        let identity = StateIdentity { kernel: [1; 32], chip: [2; 32], launch: [3; 32], memory: [255; 32] };
        SavedState { identity, launch: 3, cycle: 1 << 40, retired: 17, bytes }
    }

    /// Returns the bytes with the right checksum again.
    fn sealed(start: &str, frame: &[u8]) -> Vec<u8> {
        let sum = hex(&checksum(start.as_bytes(), frame));
        [start.as_bytes(), sum.as_bytes(), b"\n", frame].concat()
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let file = encode(&state());
        assert_eq!(decode(&file), Ok(state()));
        assert!(file.len() < 20_000, "{} bytes", file.len());
    }

    #[test]
    fn every_changed_byte_and_every_shorter_file_is_an_error() {
        let file = encode(&state());
        for at in (0..file.len()).filter(|at| *at < 600 || at % 37 == 0) {
            let mut other = file.clone();
            other[at] ^= 1 << (at % 8);
            assert!(decode(&other).is_err(), "byte {at}");
            assert!(decode(&file[..at]).is_err(), "{at} bytes");
        }
        assert!(decode(&[&file[..], &[0]].concat()).is_err());
    }

    #[test]
    fn other_files_versions_and_programs_are_named() {
        for other in [&b""[..], b"\n", b"(name: \"g80\")\n", b"warpsim-state\n", &[0xff; 9000]] {
            let message = decode(other).expect_err("no state");
            assert_eq!(message, "it is not a state that `warpsim run --save-state` wrote");
        }
        let newer = decode(b"warpsim-state 2\n{}\n").expect_err("a newer version");
        assert_eq!(newer, "the file has version 2, but this program reads version 1");
        let file = encode(&state());
        let (_, rest) = line(&file).expect("a line");
        let (header, rest) = line(rest).expect("a line");
        let (_, frame) = line(rest).expect("a line");
        let with = |header: &str| decode(&sealed(&format!("{MAGIC} {VERSION}\n{header}\n"), frame));
        assert_eq!(with(header), Ok(state()));
        let older = with(&header.replace(PROGRAM, "warpsim 0.0.9")).expect_err("another program");
        assert!(older.starts_with("the state was saved by warpsim 0.0.9, and only"), "{older}");
        let build = with(&header.replace(SOURCES, "0")).expect_err("another build");
        assert!(build.starts_with("the state was saved by another build"), "{build}");
        for (from, to) in
            [("\"bytes\":20000", "\"bytes\":99"), ("\"bytes\":20000", "\"bytes\":99999999999999")]
        {
            let wrong = with(&header.replace(from, to)).expect_err("a wrong size");
            assert!(wrong.starts_with("the file is damaged"), "{wrong}");
        }
        assert!(with("{}").is_err() && with(&header.replace("ff", "zz")).is_err());
        let broken = sealed(&format!("{MAGIC} {VERSION}\n{header}\n"), &frame[..frame.len() / 2]);
        assert!(decode(&broken).is_err(), "half a frame");
    }
}
