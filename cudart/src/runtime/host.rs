//! Memory of the host program, as the runtime accesses it.

/// The memory of a process. A range is an address and a number of bytes.
pub trait Process: Send {
    /// Reads ranges into `out`, one after the other. Returns whether all of them have memory.
    fn read(&self, parts: &[(u64, u64)], out: &mut [u8]) -> bool;

    /// Writes `bytes` to ranges, one after the other. Returns whether all of them have memory.
    fn write(&self, parts: &[(u64, u64)], bytes: &[u8]) -> bool;

    /// Allocates whole pages of zeros, if possible at `wanted`. Returns their address.
    fn allocate(&self, wanted: u64, bytes: u64) -> Option<u64>;

    /// Frees pages that [`Self::allocate`] has returned.
    fn release(&self, address: u64, bytes: u64);
}

/// Bytes of a page of the host. Smaller pages do not exist.
const PAGE: u64 = 4096;

/// Reads a text that ends with NUL, of at most `most` bytes. No byte of a page after the NUL's page
/// is read.
pub fn read_text(process: &dyn Process, address: u64, most: u64) -> Option<String> {
    let mut text = Vec::new();
    while (text.len() as u64) < most {
        let at = address.checked_add(text.len() as u64)?;
        let mut bytes = vec![0; (PAGE - at % PAGE) as usize];
        if !process.read(&[(at, bytes.len() as u64)], &mut bytes) {
            return None;
        }
        if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
            text.extend_from_slice(&bytes[..end]);
            return String::from_utf8(text).ok();
        }
        text.extend_from_slice(&bytes);
    }
    None
}
