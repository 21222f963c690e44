//! The bytes of device memory. Pages are allocated at the first write and shared between copies
//! until written; bytes that were never written read as zero.

mod lanes;
mod pages;

use super::map::AddressMap;
use crate::state::{Corrupt, Reader, Value, Writer};
use pages::Pages;

/// Bytes of one page of a partition's local address space.
pub const PAGE_BYTES: usize = 4096;

const PAGE_SHIFT: u32 = PAGE_BYTES.trailing_zeros();
const IN_PAGE: u32 = PAGE_BYTES as u32 - 1;

/// Contents of one page.
pub type Page = [u8; PAGE_BYTES];

/// The bytes that one partition owns, by local address. Copying an image costs one pointer per
/// page.
#[derive(Clone, Debug, Default)]
pub struct PartitionImage {
    pages: Pages,
}

impl PartitionImage {
    /// Returns the page that contains local address `local`; `None` if it has never been written.
    #[inline]
    pub fn page(&self, local: u32) -> Option<&Page> {
        self.pages.get((local >> PAGE_SHIFT) as usize)
    }

    /// Reads `bytes` bytes at `local` into the cache of the host's processor, which continues
    /// meanwhile. A later read of random addresses then need not wait for the host's memory.
    #[inline]
    pub fn touch(&self, local: u32, bytes: u32) {
        if let Some(page) = self.page(local) {
            let at = (local & IN_PAGE) as usize;
            let last = (at + bytes as usize).min(PAGE_BYTES) - 1;
            std::hint::black_box(page[at] ^ page[last]);
        }
    }

    /// Returns the page that contains local address `local` for writing; allocates or unshares it
    /// if necessary.
    #[inline]
    pub fn page_mut(&mut self, local: u32) -> &mut Page {
        self.pages.get_mut((local >> PAGE_SHIFT) as usize)
    }

    /// Returns the `N` bytes at `local`, which must not cross a page. Naturally aligned accesses
    /// never do.
    #[inline]
    pub fn load<const N: usize>(&self, local: u32) -> [u8; N] {
        let at = (local & IN_PAGE) as usize;
        self.page(local).and_then(|page| page[at..].first_chunk()).copied().unwrap_or([0; N])
    }

    /// Writes `N` bytes at `local`, which must not cross a page.
    #[inline]
    pub fn store<const N: usize>(&mut self, local: u32, bytes: [u8; N]) {
        let at = (local & IN_PAGE) as usize;
        self.page_mut(local)[at..at + N].copy_from_slice(&bytes);
    }

    /// Returns the pages that have a byte other than 0, each with its number.
    fn written(&self) -> impl Iterator<Item = (u32, &Page)> {
        self.pages.written().filter(|(_, page)| page.iter().any(|byte| *byte != 0))
    }

    fn read(&self, local: u32, into: &mut [u8]) {
        let at = (local & IN_PAGE) as usize;
        match self.page(local) {
            Some(page) => into.copy_from_slice(&page[at..at + into.len()]),
            None => into.fill(0),
        }
    }

    fn write(&mut self, local: u32, from: &[u8]) {
        // A page that has never been written already reads as zeros.
        if self.page(local).is_some() || from.iter().any(|byte| *byte != 0) {
            let at = (local & IN_PAGE) as usize;
            self.page_mut(local)[at..at + from.len()].copy_from_slice(from);
        }
    }

    fn fill(&mut self, local: u32, bytes: usize, value: u8) {
        // A page that has never been written already reads as zeros.
        if value != 0 || self.page(local).is_some() {
            let at = (local & IN_PAGE) as usize;
            self.page_mut(local)[at..at + bytes].fill(value);
        }
    }
}

/// The pages that have a byte other than 0, each with its number.
impl Value for PartitionImage {
    fn put(&self, out: &mut Writer) {
        self.written().count().put(out);
        for (number, page) in self.written() {
            number.put(out);
            out.raw(page);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        let mut image = Self::default();
        for _ in 0..from.length()? {
            let number = u32::take(from)?;
            if number > u32::MAX >> PAGE_SHIFT {
                return Err(from.corrupt());
            }
            *image.page_mut(number << PAGE_SHIFT) = from.array()?;
        }
        Ok(image)
    }
}

/// Compares the contents: a page that was never written equals a page of zeros.
impl PartialEq for PartitionImage {
    fn eq(&self, other: &Self) -> bool {
        (0..self.pages.len().max(other.pages.len())).all(|number| {
            match (self.pages.get(number), other.pages.get(number)) {
                (Some(a), Some(b)) => std::ptr::eq(a, b) || a == b,
                (Some(page), None) | (None, Some(page)) => page.iter().all(|&byte| byte == 0),
                (None, None) => true,
            }
        })
    }
}

impl Eq for PartitionImage {}

/// All of device memory, as the host and the functional machine access it. Addresses wrap at 4 GiB;
/// access rights are checked elsewhere.
///
/// The functional machine arranges the bytes as one image, in which it needs no partition for an
/// address; the timed machine arranges them by partition. They stay so until the other one runs.
#[derive(Clone, Debug)]
pub struct Memory {
    map: AddressMap,
    images: Vec<PartitionImage>,
}

/// Compares the contents, however they are arranged.
impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        let mut other = other.clone();
        other.arrange(self.map);
        self.images == other.images
    }
}

impl Eq for Memory {}

impl Memory {
    /// Creates memory that reads as zero everywhere.
    pub fn new(map: AddressMap) -> Self {
        Self { map, images: vec![PartitionImage::default(); map.partitions() as usize] }
    }

    /// Arranges the bytes by the map given.
    pub fn arrange(&mut self, map: AddressMap) {
        if map != self.map {
            let mut new = Self::new(map);
            self.each_page(|address, page| new.write(address, page));
            *self = new;
        }
    }

    /// Returns the only image of memory that is arranged by [`AddressMap::LINEAR`].
    pub fn linear(&self) -> &PartitionImage {
        assert_eq!(self.map, AddressMap::LINEAR, "arranged as one image");
        &self.images[0]
    }

    /// Same as [`Self::linear`], mutably.
    pub fn linear_mut(&mut self) -> &mut PartitionImage {
        assert_eq!(self.map, AddressMap::LINEAR, "arranged as one image");
        &mut self.images[0]
    }

    /// Copies the bytes from `address` into `into`.
    pub fn read(&self, address: u32, into: &mut [u8]) {
        let mut done = 0;
        while done < into.len() {
            let (partition, local, bytes) = self.piece(address.wrapping_add(done as u32), into.len() - done);
            self.images[partition].read(local, &mut into[done..done + bytes]);
            done += bytes;
        }
    }

    /// Copies `from` to the bytes from `address`.
    pub fn write(&mut self, address: u32, from: &[u8]) {
        let mut done = 0;
        while done < from.len() {
            let (partition, local, bytes) = self.piece(address.wrapping_add(done as u32), from.len() - done);
            self.images[partition].write(local, &from[done..done + bytes]);
            done += bytes;
        }
    }

    /// Sets `bytes` bytes from `address` to `value`.
    pub fn fill(&mut self, address: u32, bytes: usize, value: u8) {
        let mut done = 0;
        while done < bytes {
            let (partition, local, piece) = self.piece(address.wrapping_add(done as u32), bytes - done);
            self.images[partition].fill(local, piece, value);
            done += piece;
        }
    }

    /// Returns the `N` bytes at `address`, which must be a multiple of `N`; `N` is 1, 2, 4 or 8.
    #[inline]
    pub fn load<const N: usize>(&self, address: u32) -> [u8; N] {
        let (partition, local) = self.map.locate(address);
        self.images[partition as usize].load(local)
    }

    /// Writes `N` bytes at `address`, which must be a multiple of `N`; `N` is 1, 2, 4 or 8.
    #[inline]
    pub fn store<const N: usize>(&mut self, address: u32, bytes: [u8; N]) {
        let (partition, local) = self.map.locate(address);
        self.images[partition as usize].store(local, bytes);
    }

    /// Returns the `N` bytes from `address`.
    #[inline]
    pub fn load_line<const N: usize>(&self, address: u32) -> [u8; N] {
        let (partition, local, bytes) = self.piece(address, N);
        if bytes == N {
            return self.images[partition].load(local);
        }
        let mut line = [0; N];
        self.read(address, &mut line);
        line
    }

    /// Writes the `N` bytes from `address`.
    #[inline]
    pub fn store_line<const N: usize>(&mut self, address: u32, line: [u8; N]) {
        let (partition, local, bytes) = self.piece(address, N);
        if bytes == N {
            self.images[partition].store(local, line);
        } else {
            self.write(address, &line);
        }
    }

    /// Returns the size in bytes of an aligned range that is within one chunk and one page.
    fn unit(&self) -> u32 {
        self.map.chunk_bytes().min(PAGE_BYTES as u32)
    }

    /// Calls `each` with the address and the bytes of every page of the address space that has a
    /// byte other than 0.
    pub fn each_page(&self, mut each: impl FnMut(u32, &Page)) {
        // Local addresses of this size, in all partitions, are consecutive addresses.
        let span = PAGE_BYTES.max(self.map.chunk_bytes() as usize);
        let pages = self.images.iter().map(|image| image.pages.len()).max().unwrap_or(0);
        for first in (0..pages).step_by(span / PAGE_BYTES) {
            let last = (first + span / PAGE_BYTES).min(pages);
            let is_written =
                |image: &PartitionImage| (first..last).any(|number| image.pages.get(number).is_some());
            if !self.images.iter().any(is_written) {
                continue;
            }
            let partitions = self.images.len();
            let addresses = first * partitions..(first + span / PAGE_BYTES) * partitions;
            for number in addresses.take_while(|number| *number <= u32::MAX as usize >> PAGE_SHIFT) {
                let (address, mut page) = ((number << PAGE_SHIFT) as u32, [0; PAGE_BYTES]);
                self.read(address, &mut page);
                if page != [0; PAGE_BYTES] {
                    each(address, &page);
                }
            }
        }
    }

    /// Returns the images of the partitions of `map` for a launch; the memory reads as zeros until
    /// [`Memory::put_images`].
    pub fn take_images(&mut self, map: AddressMap) -> Vec<PartitionImage> {
        self.arrange(map);
        self.images.iter_mut().map(std::mem::take).collect()
    }

    /// Restores the images, in the order of the partitions.
    pub fn put_images(&mut self, images: Vec<PartitionImage>) {
        assert_eq!(images.len(), self.images.len(), "one image per partition");
        self.images = images;
    }

    /// Returns partition, local address and length of the first piece of a range that is within one
    /// chunk and one page.
    fn piece(&self, address: u32, bytes: usize) -> (usize, u32, usize) {
        let unit = self.unit();
        let (partition, local) = self.map.locate(address);
        (partition as usize, local, bytes.min((unit - (address & (unit - 1))) as usize))
    }
}

#[cfg(test)]
mod tests;
