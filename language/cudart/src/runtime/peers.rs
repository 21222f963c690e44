//! Several devices: access to each other's memory, and copies between them. Kernels access only the
//! memory of their own device.

use super::Runtime;
use super::copies::Rows;
use super::error::{Error, Outcome};
use super::regions::{Shape, Side};
use super::thread::Thread;
use sim_core::host::DevicePtr;

impl Runtime {
    /// `cudaDeviceCanAccessPeer`.
    pub fn can_access_peer(&mut self, out: u64, device: i32, peer: i32) -> Outcome {
        let can = self.numbered(device)?.gpu.chip().pcie.peer && self.numbered(peer)?.gpu.chip().pcie.peer;
        self.put_int(out, i32::from(can && device != peer))
    }

    /// `cudaDeviceEnablePeerAccess`.
    pub fn enable_peer(&mut self, thread: &Thread, peer: i32, flags: u32) -> Outcome {
        let can = self.numbered(peer)?.gpu.chip().pcie.peer;
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        if peer as usize == thread.device || !can {
            return Err(Error::PEER_UNSUPPORTED);
        }
        let new = self.device(thread)?.peers.insert(peer as usize);
        if new { Ok(()) } else { Err(Error::PEER_ENABLED) }
    }

    /// `cudaDeviceDisablePeerAccess`.
    pub fn disable_peer(&mut self, thread: &Thread, peer: i32) -> Outcome {
        self.numbered(peer)?;
        let known = self.device(thread)?.peers.remove(&(peer as usize));
        if known { Ok(()) } else { Err(Error::PEER_NOT_ENABLED) }
    }

    /// `cudaMemcpyPeer`: each pointer belongs to a device with its own addresses.
    pub fn copy_peer(
        &mut self,
        thread: &Thread,
        (to, to_device): (u64, i32),
        (from, from_device): (u64, i32),
        bytes: u64,
        stream: u64,
    ) -> Outcome {
        self.numbered(to_device)?;
        self.numbered(from_device)?;
        self.copy_contexts(thread, (to, to_device as usize), (from, from_device as usize), bytes, stream)
    }

    /// Copies from one context to another, or within one.
    pub(super) fn copy_contexts(
        &mut self,
        thread: &Thread,
        (to, to_device): (u64, usize),
        (from, from_device): (u64, usize),
        bytes: u64,
        stream: u64,
    ) -> Outcome {
        if to_device == from_device {
            let own = Thread { device: to_device, ..Thread::new() };
            let stream = if own.device == thread.device { stream } else { 0 };
            return self.copy(&own, Rows::line(to), Rows::line(from), Shape::line(bytes), 3, stream);
        }
        for device in [to_device, from_device] {
            self.device(&Thread { device, ..Thread::new() })?;
        }
        if bytes == 0 {
            return Ok(());
        }
        let pointer =
            |address: u64| u32::try_from(address).map(DevicePtr::new).map_err(|_| Error::INVALID_VALUE);
        let (to, from) = (pointer(to)?, pointer(from)?);
        for (device, ptr) in [(to_device, to), (from_device, from)] {
            let own = Thread { device, ..Thread::new() };
            self.place(&own, ptr.address().into(), Side::Device, "pointer")?;
        }
        let numbers = [to_device, from_device];
        let [target, source] = self.devices.get_disjoint_mut(numbers).map_err(|_| Error::INVALID_DEVICE)?;
        let result = target.gpu.copy_peer(to, &mut source.gpu, from, bytes);
        self.told(result)?;
        self.program.copies += 1;
        self.program.bytes_within += bytes;
        Ok(())
    }
}
