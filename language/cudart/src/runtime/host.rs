//! Memory of the host program, as the runtime accesses it.

use super::element::Element;

/// Accesses of host code that conflict with the work of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Writes: the device reads the memory.
    Writes,
    /// Reads and writes: the device writes the memory.
    Any,
}

/// The memory of a process. A range is an address and a number of bytes.
pub trait Process: Send {
    /// Reads ranges into `out`, one after the other. Returns whether all of them have memory.
    fn read(&self, parts: &[(u64, u64)], out: &mut [u8]) -> bool;

    /// Writes `bytes` to ranges, one after the other. Returns whether all of them have memory.
    fn write(&self, parts: &[(u64, u64)], bytes: &[u8]) -> bool;

    /// Reads the bytes of a text up to its NUL, which is among the first `most` bytes. No byte of a
    /// page after the NUL's page is read.
    fn text(&self, address: u64, most: u64) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        while (text.len() as u64) < most {
            let at = address.checked_add(text.len() as u64)?;
            let mut bytes = vec![0; (PAGE - at % PAGE) as usize];
            if !self.read(&[(at, bytes.len() as u64)], &mut bytes) {
                return None;
            }
            if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
                text.extend_from_slice(&bytes[..end]);
                return Some(text);
            }
            text.extend_from_slice(&bytes);
        }
        None
    }

    /// Returns file and line of the place with this number ([`Notes::place`](super::notes::Notes)),
    /// such as `scale.cu:41`; `None` if the lines of the program are not known.
    fn line(&self, place: u64) -> Option<String> {
        let _ = place;
        None
    }

    /// Returns the name of the variable that contains an address, if it is known.
    fn variable(&self, address: u64) -> Option<String> {
        let _ = address;
        None
    }

    /// Returns the elements of the pointers and arrays with this name, if they are known and equal.
    fn element(&self, variable: &str) -> Option<Element> {
        let _ = variable;
        None
    }

    /// Watches memory that work of a device, by its number, may still use. A process that cannot
    /// watch the accesses of its code reports none.
    fn watch(&self, work: u64, parts: &[(u64, u64)], conflict: Conflict) {
        let _ = (work, parts, conflict);
    }

    /// Ends the watch of the memory of some work, in ascending order.
    fn unwatch(&self, works: &[u64]) {
        let _ = works;
    }

    /// Allocates zeros in pages of their own, if possible at `wanted`. Returns their address. Bytes
    /// behind the last one may be in the last page or not.
    fn allocate(&self, wanted: u64, bytes: u64) -> Option<u64>;

    /// Frees pages that [`Self::allocate`] has returned.
    fn release(&self, address: u64, bytes: u64);

    /// Returns the text of a file that a kernel includes; `None` if there is no such file, or the
    /// program may not read it.
    fn file(&self, path: &str) -> Option<String>;
}

/// Largest size of a PTX text.
const MOST_TEXT: u64 = 1 << 28;

/// First bytes of the structure with a pointer to device code.
const WRAPPER: u32 = 0x4662_43b1;

/// First bytes of NVIDIA's binaries and of ELF files.
const BINARIES: [u32; 2] = [0xba55_ed50, 0x464c_457f];

/// Device code of a host program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// PTX.
    Text(String),
    /// Code for other hardware.
    Binary,
}

/// Reads device code: a text that ends with NUL, or a structure with a magic number, a version and
/// a pointer to the text. `None`: there is no memory or no text.
pub fn read_code(process: &dyn Process, address: u64) -> Option<Code> {
    let word = |at: u64| {
        let mut bytes = [0; 4];
        process.read(&[(at, 4)], &mut bytes).then(|| u32::from_le_bytes(bytes))
    };
    let mut at = address;
    // A text may have fewer than four bytes before the end of its memory.
    if word(at) == Some(WRAPPER) {
        at = u64::from(word(address.checked_add(8)?)?) | u64::from(word(address.checked_add(12)?)?) << 32;
    }
    if word(at).is_some_and(|first| BINARIES.contains(&first)) {
        return Some(Code::Binary);
    }
    read_text(process, at, MOST_TEXT).map(Code::Text)
}

/// Bytes of a page of the host. Smaller pages do not exist.
const PAGE: u64 = 4096;

/// Reads a text that ends with NUL, of at most `most` bytes.
pub fn read_text(process: &dyn Process, address: u64, most: u64) -> Option<String> {
    String::from_utf8(process.text(address, most)?).ok()
}
