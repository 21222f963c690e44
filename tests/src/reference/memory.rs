//! A small memory: some ranges of bytes, each at an address.

/// A range of addresses with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// Address of its first byte.
    pub start: u64,
    /// Content of the range.
    pub bytes: Vec<u8>,
}

/// The accessible ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    ranges: Vec<Range>,
}

impl Memory {
    /// Creates a memory of one range from address 0 on.
    pub fn of(bytes: Vec<u8>) -> Self {
        Self { ranges: vec![Range { start: 0, bytes }] }
    }

    /// Writes to the beginning of the first range.
    pub fn fill(&mut self, bytes: &[u8]) {
        if let Some(range) = self.ranges.first_mut() {
            range.bytes[..bytes.len()].copy_from_slice(bytes);
        }
    }

    /// Resizes the first range to `bytes` bytes; new ones are `fill`.
    pub fn resize(&mut self, bytes: u64, fill: u8) {
        if let Some(range) = self.ranges.first_mut() {
            range.bytes.resize(bytes as usize, fill);
        }
    }

    /// Adds a range.
    pub fn add(&mut self, start: u64, bytes: Vec<u8>) {
        self.ranges.push(Range { start, bytes });
    }

    /// Returns the ranges, in the order in which they were added.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    fn find(&mut self, address: u64, bytes: u32) -> Result<&mut [u8], String> {
        if !address.is_multiple_of(bytes.into()) {
            return Err(format!("{address:#x} is not a multiple of {bytes}"));
        }
        let inside = |r: &&mut Range| r.start <= address && address - r.start < r.bytes.len() as u64;
        let range =
            self.ranges.iter_mut().find(inside).ok_or_else(|| format!("no memory at {address:#x}"))?;
        let at = (address - range.start) as usize;
        range
            .bytes
            .get_mut(at..at + bytes as usize)
            .ok_or_else(|| format!("the access at {address:#x} extends beyond its range"))
    }

    /// Loads `bytes` (at most 8) bytes at an address, little-endian.
    pub fn load(&mut self, address: u64, bytes: u32) -> Result<u64, String> {
        Ok(self.find(address, bytes)?.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    /// Stores the low `bytes` bytes of `value`.
    pub fn store(&mut self, address: u64, bytes: u32, value: u64) -> Result<(), String> {
        let value = value.to_le_bytes();
        self.find(address, bytes)?.copy_from_slice(&value[..bytes as usize]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_bytes_are_loaded_and_other_addresses_are_errors() {
        let mut memory = Memory::of(vec![0; 8]);
        memory.add(0x100, vec![1; 6]);
        memory.store(4, 4, 0xffff_ffff_8000_0002).unwrap();
        assert_eq!(
            [memory.load(4, 4), memory.load(4, 1), memory.load(0x104, 2)],
            [Ok(0x8000_0002), Ok(2), Ok(0x101)]
        );
        for (address, bytes) in [(8, 1), (2, 4), (0x104, 4), (0xff, 1), (u64::MAX - 7, 8)] {
            assert!(memory.load(address, bytes).is_err(), "{address:#x}, {bytes} bytes");
        }
    }
}
