//! The bytes of a state: writer and reader.

/// Bytes that are not the state of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid value at byte {at} of {bytes} of the state")]
pub struct Corrupt {
    /// Byte at which the reader stopped.
    pub at: usize,
    /// Number of bytes.
    pub bytes: usize,
}

/// A growing list of bytes.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Writes one byte.
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Writes bytes without their number.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Returns all bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reads the bytes of a state.
#[derive(Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    /// A reader at the first byte.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the error that the value before this byte is invalid.
    pub fn corrupt(&self) -> Corrupt {
        Corrupt { at: self.at, bytes: self.bytes.len() }
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, Corrupt> {
        Ok(self.array::<1>()?[0])
    }

    /// Reads `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Corrupt> {
        let found = self.bytes[self.at..].first_chunk().copied();
        self.at += N.min(self.left());
        found.ok_or_else(|| self.corrupt())
    }

    /// Reads `count` bytes.
    pub fn raw(&mut self, count: usize) -> Result<&'b [u8], Corrupt> {
        let found = self.bytes[self.at..].get(..count);
        self.at += count.min(self.left());
        found.ok_or_else(|| self.corrupt())
    }

    /// Reads the length of a list. Each element has at least one byte, so a list is never longer
    /// than the bytes that are left, and no length makes the reader allocate more than that.
    pub fn length(&mut self) -> Result<usize, Corrupt> {
        let length = u64::from_le_bytes(self.array()?);
        let length = usize::try_from(length).ok().filter(|length| *length <= self.left());
        length.ok_or_else(|| self.corrupt())
    }

    /// Returns the number of bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Checks that all bytes have been read.
    pub fn finish(&self) -> Result<(), Corrupt> {
        if self.left() == 0 { Ok(()) } else { Err(self.corrupt()) }
    }
}
