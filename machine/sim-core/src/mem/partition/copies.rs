//! The DRAM traffic of copies between host and device that run beside a kernel.
//!
//! The bytes of a copy cross the host link at an even rate, in address order. Each aligned piece of
//! [`PIECE`] bytes is a request of the partition that owns it: a write of a copy to the device, a
//! read of a copy to the host. It is due in the DRAM queue when the link carries its first byte. It
//! passes neither the arbiter nor the L2, and enters before the request at the end of the pipeline:
//! the link cannot wait, and its rate leaves most entries to the kernel. While the queue is full, a
//! piece is late; the copy takes no longer.
//!
//! A copy has no values here: the host model moved its bytes at the call. A partition without
//! copies has none of this state.
//!
//! Invariant `copies-take-bandwidth`: Beside a kernel every byte of a copy whose time on the link
//! has come is a byte on the DRAM bus, once, and a copy outside the kernel's time has no effect.

use super::{NO_REPLY, Partition, Passing};
use crate::mem::image::PartitionImage;
use crate::mem::map::AddressMap;
use crate::state::Part;
use crate::time::NEVER;
use crate::time::clock::Domain;

/// Bytes of a request: as many as those of the largest message of an SM.
const PIECE: u32 = 256;

/// A copy that runs beside a kernel, or the rest of it that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyTraffic {
    /// Whether the copy writes device memory.
    pub write: bool,
    /// Device address of the first byte.
    pub address: u32,
    /// Size of the piece in bytes.
    pub bytes: u64,
    /// Shader cycle of the launch in which the link carries the first byte.
    pub from: u64,
    /// Shader cycles in which the link carries all bytes.
    pub cycles: u64,
}

impl CopyTraffic {
    /// Returns the address, the bytes and the shader cycle of the piece that begins `offset` bytes
    /// after the first byte; `None` at the end of the copy. A piece has one owner.
    fn piece(&self, offset: u64, map: AddressMap) -> Option<(u32, u32, u64)> {
        let left = self.bytes.checked_sub(offset).filter(|left| *left > 0)?;
        let address = self.address + offset as u32;
        let whole = PIECE.min(map.chunk_bytes());
        let bytes = u64::from(whole - address % whole).min(left) as u32;
        let since = u128::from(offset) * u128::from(self.cycles) / u128::from(self.bytes);
        Some((address, bytes, self.from + since as u64))
    }
}

/// The copies of one direction, one after the other: a copy engine does one at a time.
#[derive(Clone, Debug, Part)]
struct Lane {
    #[state(fixed)]
    copies: Vec<CopyTraffic>,
    /// Place of the copy of the next piece of the partition.
    copy: usize,
    /// Bytes of this copy before the piece.
    offset: u64,
    /// Command cycle from which the piece may enter the DRAM queue; [`NEVER`] without a piece.
    due: u64,
}

impl Lane {
    /// Finds the first piece of partition `index` from the current place on.
    fn seek(&mut self, index: u32, map: AddressMap, memory: Domain) {
        while let Some(copy) = self.copies.get(self.copy) {
            while let Some((address, bytes, cycle)) = copy.piece(self.offset, map) {
                if map.locate(address).0 == index {
                    self.due = memory.cycle_at_or_after(cycle);
                    return;
                }
                self.offset += u64::from(bytes);
            }
            (self.copy, self.offset) = (self.copy + 1, 0);
        }
        self.due = NEVER;
    }
}

/// The traffic of copies on one partition.
#[derive(Clone, Debug, Part)]
pub(super) struct Copies {
    /// Copies to the device, and copies to the host.
    #[state(part)]
    lanes: Vec<Lane>,
    /// Command cycle from which the next piece may enter the DRAM queue.
    due: u64,
}

impl Copies {
    /// Returns the traffic of `copies`, in order of time, on partition `index`.
    fn new(copies: &[CopyTraffic], index: u32, map: AddressMap, memory: Domain) -> Self {
        let lane = Lane { copies: Vec::new(), copy: 0, offset: 0, due: NEVER };
        let mut all = Self { lanes: vec![lane; 2], due: NEVER };
        all.extend(copies, index, map, memory);
        all
    }

    /// Adds the traffic of later copies.
    fn extend(&mut self, copies: &[CopyTraffic], index: u32, map: AddressMap, memory: Domain) {
        for (lane, write) in self.lanes.iter_mut().zip([true, false]) {
            lane.copies.extend(copies.iter().filter(|copy| copy.write == write));
            if lane.due == NEVER {
                lane.seek(index, map, memory);
            }
        }
        self.plan();
    }

    fn plan(&mut self) {
        self.due = self.lanes.iter().map(|lane| lane.due).min().unwrap_or(NEVER);
    }

    /// Removes the piece that is due first: returns its address, its bytes, and whether it writes.
    fn take(&mut self, index: u32, map: AddressMap, memory: Domain) -> Option<(u32, u32, bool)> {
        let due = self.due;
        let lane = self.lanes.iter_mut().find(|lane| lane.due == due)?;
        let copy = lane.copies.get(lane.copy)?;
        let (address, bytes, _) = copy.piece(lane.offset, map)?;
        let write = copy.write;
        lane.offset += u64::from(bytes);
        lane.seek(index, map, memory);
        self.plan();
        Some((address, bytes, write))
    }
}

impl Partition {
    /// Adds the traffic of copies, in order of time for each direction, and after the copies that
    /// were added before. The launch has not begun, or the machine pauses before their first cycle.
    pub fn copy_beside(&mut self, copies: &[CopyTraffic]) {
        let (index, map, memory) = (self.index, self.map, self.memory);
        let all = match self.copies.take() {
            Some(mut all) => {
                all.extend(copies, index, map, memory);
                all
            }
            None => Box::new(Copies::new(copies, index, map, memory)),
        };
        if all.due != NEVER {
            self.wake_memory_at(all.due.min(self.memory_clock));
            self.copies = Some(all);
        }
    }

    /// Returns the image while the machine pauses at shader cycle `now`; the host may write to it.
    pub fn image_of_host(&mut self, now: u64) -> &mut PartitionImage {
        self.last_write = self.last_write.max(now);
        &mut self.image
    }

    /// Ends the traffic of copies.
    pub(super) fn end_copies(&mut self) {
        self.copies = None;
    }

    /// Returns the command cycle from which the next piece of a copy or the next request may enter
    /// the DRAM queue; [`NEVER`] without one, or without a free entry.
    #[inline]
    pub(super) fn next_entry(&self) -> u64 {
        if !self.dram.can_accept() {
            return NEVER;
        }
        let request = self.pipeline.front().map_or(NEVER, |next| next.entry);
        self.copies.as_ref().map_or(request, |copies| copies.due.min(request))
    }

    /// Moves pieces of copies, and requests from the pipeline's end, into the DRAM queue while it
    /// has free entries; at least one may enter. Returns [`Self::next_entry`] after that.
    #[inline(never)]
    pub(super) fn put_into_dram(&mut self, clock: u64) -> u64 {
        loop {
            if self.copies.as_ref().is_some_and(|copies| copies.due <= clock) {
                self.put_piece(clock);
            } else if let Some(Passing { local, name, bursts, write, .. }) = self.pipeline.pop_front() {
                self.dram.push(clock, name, local, bursts.into(), write);
            }
            let entry = self.next_entry();
            if entry > clock {
                return entry;
            }
        }
    }

    /// Puts the next piece of a copy into the DRAM queue.
    fn put_piece(&mut self, clock: u64) {
        let Some(copies) = &mut self.copies else { return };
        let Some((address, bytes, write)) = copies.take(self.index, self.map, self.memory) else {
            self.copies = None;
            return;
        };
        let local = self.map.locate(address).1;
        let (first, last) = (local / self.burst_bytes, (local + (bytes - 1)) / self.burst_bytes);
        self.dram.push(clock, NO_REPLY, first * self.burst_bytes, last - first + 1, write);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy of 1,024 bytes from address 100 on, over two partitions with chunks of 256 bytes.
    #[test]
    fn each_byte_is_in_a_piece_of_its_partition() {
        let (map, memory) = (AddressMap::new(256, 2), Domain::new(1000, 1000));
        let copy = CopyTraffic { write: true, address: 100, bytes: 1024, from: 50, cycles: 512 };
        let pieces = |index| {
            let mut copies = Copies::new(&[copy], index, map, memory);
            let mut found = Vec::new();
            while copies.due != NEVER {
                let due = copies.due;
                let (address, bytes, _) = copies.take(index, map, memory).expect("one is due");
                found.push((due, address, bytes));
            }
            found
        };
        // The link carries two bytes in a cycle, from cycle 50 on.
        assert_eq!(pieces(0), [(50, 100, 156), (256, 512, 256), (512, 1024, 100)]);
        assert_eq!(pieces(1), [(128, 256, 256), (384, 768, 256)]);
    }

    #[test]
    fn the_directions_alternate_by_time() {
        let (map, memory) = (AddressMap::new(256, 1), Domain::new(500, 1000));
        let copy = |write, from| CopyTraffic { write, address: 0, bytes: 512, from, cycles: 100 };
        let list = [copy(false, 0), copy(true, 30), copy(true, 500)];
        let mut copies = Copies::new(&list, 0, map, memory);
        let mut order = Vec::new();
        while copies.due != NEVER {
            let due = copies.due;
            order.push((due, copies.take(0, map, memory).expect("one is due").2));
        }
        let expected = [(0, false), (15, true), (25, false), (40, true), (250, true), (275, true)];
        assert_eq!(order, expected);
    }
}
