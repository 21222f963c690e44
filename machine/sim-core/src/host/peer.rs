//! Copies from the memory of one device to that of another.
//!
//! The timelines of two GPUs count from the same moment. Between copies from device to device each
//! of them has the calls of an independent host thread. Such a copy begins when all earlier calls
//! of both devices have ended, and all later plain calls of both begin after it (CUDA C Programming
//! Guide 3.2.6.4).
//!
//! - Two boards with `pcie.peer` copy directly: one copy at the rate of the slower link, with the
//!   longer latency. The host does not wait for it.
//! - Other boards copy through pinned host memory: a copy to the host, and then one from the host.
//!   The host threads of both boards wait for the end.
//!
//! Invariant `peer-copies`: A copy between devices moves its bytes, begins after the earlier calls
//! of both, and takes the time of its transfers over the links.

use super::gpu::{Gpu, HostError, copy_ns};
use super::memory::{DevicePtr, Row};
use super::timeline::{Copying, Direction, HostMemory};

impl Gpu {
    /// `cudaMemcpyPeer`: copies `bytes` bytes at `from` in the memory of `source` to `to` in the
    /// memory of this device.
    ///
    /// # Errors
    ///
    /// The bytes are not all inside one allocation of device memory, in one of the two memories.
    pub fn copy_peer(
        &mut self,
        to: DevicePtr,
        source: &mut Self,
        from: DevicePtr,
        bytes: u64,
    ) -> Result<(), HostError> {
        self.allocator.check_device(to, bytes)?;
        source.allocator.check_device(from, bytes)?;
        let mut data = vec![0; bytes as usize];
        source.memory.read(from.address(), &mut data);
        let missing = source.checking.missing(&[Row { ptr: from, bytes }]);
        self.write(to.address(), &data);
        self.checking.copied(&[Row { ptr: to, bytes }], &missing);
        let memory = HostMemory::Pinned;
        let [own, other] = [&self, &source].map(|gpu| copy_ns(&gpu.chip.pcie, memory, bytes));
        let copying =
            |direction, duration_ns| Copying { direction, address: None, bytes, memory, duration_ns };
        let start = self.timeline.now_ns().max(source.timeline.now_ns());
        source.timeline.not_before(start);
        if self.chip.pcie.peer && source.chip.pcie.peer {
            self.timeline.not_before(start);
            let mut link = self.chip.pcie;
            link.bytes_per_second = link.bytes_per_second.min(source.chip.pcie.bytes_per_second);
            link.latency_ns = link.latency_ns.max(source.chip.pcie.latency_ns);
            let copy = copying(Direction::Peer, copy_ns(&link, memory, bytes));
            self.timeline.push_peer(&copy);
            source.timeline.push_peer(&copy);
            return Ok(());
        }
        source.timeline.push_copy(&copying(Direction::Out, other));
        self.timeline.not_before(source.timeline.now_ns());
        self.timeline.push_copy(&copying(Direction::In, own));
        source.timeline.wait_for_host(self.timeline.host_ns());
        Ok(())
    }
}
