//! Accesses of the lanes of a warp to device memory, in ascending order of the lanes.
//!
//! Lanes in one chunk share the search for its page. If the lanes are in many chunks, the places of
//! all addresses are computed together, in vectors.

use super::{IN_PAGE, Memory, PartitionImage};
use crate::exec::Row32;
use crate::exec::mask::lanes;

/// Most changes of the chunk from one lane to the next for which chunks are searched one by one.
const FEW: u32 = 3;

impl Memory {
    /// Passes the `N` bytes at the address of each lane of `mask` to `each`. The addresses are
    /// multiples of `N`, at most 16.
    #[inline]
    pub fn load_lanes<const N: usize>(&self, addr: &Row32, mask: u32, mut each: impl FnMut(usize, [u8; N])) {
        if self.is_scattered(addr) {
            if let [image] = &self.images[..] {
                return lanes(mask).for_each(|lane| each(lane, image.load(addr[lane])));
            }
            let (partitions, locals) = self.map.locate_all(addr);
            for lane in lanes(mask) {
                each(lane, self.images[partitions[lane] as usize].load(locals[lane]));
            }
            return;
        }
        let unit = self.unit();
        let (mut chunk, mut bytes): (_, Option<&[u8]>) = (None, None);
        for lane in lanes(mask) {
            let start = addr[lane] & !(unit - 1);
            if chunk != Some(start) {
                let (partition, local) = self.map.locate(start);
                let at = (local & IN_PAGE) as usize;
                bytes = self.images[partition as usize].page(local).map(|page| &page[at..at + unit as usize]);
                chunk = Some(start);
            }
            let found = bytes.and_then(|bytes| bytes[(addr[lane] - start) as usize..].first_chunk());
            each(lane, found.copied().unwrap_or([0; N]));
        }
    }

    /// Passes the `N` bytes at the address of each lane of `mask` to `each`, which may change them.
    /// The addresses are multiples of `N`, at most 16.
    #[inline]
    pub fn change_lanes<const N: usize>(
        &mut self,
        addr: &Row32,
        mask: u32,
        mut each: impl FnMut(usize, &mut [u8; N]),
    ) {
        if self.is_scattered(addr) {
            if let [image] = &mut self.images[..] {
                return lanes(mask).for_each(|lane| each(lane, bytes_at(image, addr[lane])));
            }
            let (partitions, locals) = self.map.locate_all(addr);
            for lane in lanes(mask) {
                each(lane, bytes_at(&mut self.images[partitions[lane] as usize], locals[lane]));
            }
            return;
        }
        let unit = self.unit();
        let mut left = mask;
        while left != 0 {
            let start = addr[left.trailing_zeros() as usize] & !(unit - 1);
            let (partition, local) = self.map.locate(start);
            let page = self.images[partition as usize].page_mut(local);
            let chunk = &mut page[(local & IN_PAGE) as usize..][..unit as usize];
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                if addr[lane] & !(unit - 1) != start {
                    break;
                }
                let bytes = chunk[(addr[lane] - start) as usize..].first_chunk_mut();
                each(lane, bytes.expect("an aligned access is within one chunk"));
                left &= left - 1;
            }
        }
    }

    /// Whether the chunk of the address changes often from one lane to the next.
    #[inline]
    fn is_scattered(&self, addr: &Row32) -> bool {
        let unit = self.unit();
        let mut changes = 0;
        // No early exit, so that the loop is vectorized.
        for (one, next) in addr.iter().zip(&addr[1..]) {
            changes += u32::from((one ^ next) >= unit);
        }
        changes > FEW
    }
}

/// Returns the `N` bytes at a local address for writing.
#[inline]
fn bytes_at<const N: usize>(image: &mut PartitionImage, local: u32) -> &mut [u8; N] {
    let page = image.page_mut(local);
    page[(local & IN_PAGE) as usize..].first_chunk_mut().expect("an aligned access is within one page")
}
