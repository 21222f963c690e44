//! Zstandard frames, in which saved states are written.

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::Read;

/// Returns a frame with the bytes.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Returns the bytes in a frame, at most one more than `most`.
///
/// # Errors
///
/// If the frame is damaged: what is wrong with it.
pub fn unpack(mut frame: &[u8], most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let decoder = StreamingDecoder::new(&mut frame).map_err(|error| error.to_string())?;
    decoder.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
