//! Values at the point of order: reads and writes the lanes of a request, in ascending order.

use crate::mem::image::{PAGE_BYTES, Page, PartitionImage};
use crate::time::message::{REQUEST_LANES, Request, RequestKind, Words, quad};

/// Lanes of a half-warp.
const HALF: usize = 16;

/// Returns the number of lanes that take part in `request`.
const fn count(request: &Request) -> usize {
    request.lanes.count_ones() as usize
}

/// Loads the values at local address `local` into `data`, the data of a reply.
#[inline]
pub(super) fn load(image: &PartitionImage, local: u32, request: &Request, data: &mut Words) {
    let Some(page) = image.page(local) else {
        *data = [0; _];
        return;
    };
    let base = local as usize % PAGE_BYTES;
    if matches!(request.kind, RequestKind::Fill { .. }) {
        // A fill reads a whole line.
        let line: &[u8; 4 * REQUEST_LANES] = &get(page, base + request.offset[0] as usize);
        for (word, bytes) in data.iter_mut().zip(line.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        return;
    }
    *data = [0; _];
    let offsets = &request.offset[..count(request)];
    match request.bytes {
        1 => {
            for (word, &offset) in data.iter_mut().zip(offsets) {
                *word = u32::from(page[base + offset as usize]);
            }
        }
        2 => {
            for (word, &offset) in data.iter_mut().zip(offsets) {
                *word = u32::from(u16::from_le_bytes(get(page, base + offset as usize)));
            }
        }
        4 => load_words(page, base, offsets, data),
        16 => {
            for (k, &offset) in offsets.iter().enumerate() {
                let quad = &mut data[quad(request.quads, k)..][..4];
                for (word, at) in quad.iter_mut().zip((base + offset as usize..).step_by(4)) {
                    *word = u32::from_le_bytes(get(page, at));
                }
            }
        }
        _ => {
            for (pair, &offset) in data.chunks_exact_mut(2).zip(offsets) {
                let value = u64::from_le_bytes(get(page, base + offset as usize));
                pair.copy_from_slice(&[value as u32, (value >> 32) as u32]);
            }
        }
    }
}

/// Loads the word at each of `offsets` from byte `base` of the page.
#[inline]
fn load_words(page: &Page, base: usize, offsets: &[u8], data: &mut Words) {
    // Most half-warps read consecutive words or one word.
    if let Ok(offsets) = <&[u8; HALF]>::try_from(offsets) {
        let first = offsets[0];
        if *offsets == [first; HALF] {
            data[..HALF].fill(u32::from_le_bytes(get(page, base + first as usize)));
            return;
        }
        let words: [u8; HALF] = std::array::from_fn(|k| first.wrapping_add(4 * k as u8));
        if *offsets == words && usize::from(first) + 4 * HALF <= 256 {
            let bytes: [u8; 4 * HALF] = get(page, base + first as usize);
            for (word, bytes) in data.iter_mut().zip(bytes.as_chunks().0) {
                *word = u32::from_le_bytes(*bytes);
            }
            return;
        }
    }
    for (word, &offset) in data.iter_mut().zip(offsets) {
        // The mask changes no aligned address; with it the compiler needs no check.
        let at = (base + offset as usize) & (PAGE_BYTES - 4);
        *word = u32::from_le_bytes(get(page, at));
    }
}

/// Whether a store of `words` would change a byte at local address `local`. Lanes that write
/// different values to one byte count as a change.
pub fn changes(image: &PartitionImage, local: u32, request: &Request, words: &Words) -> bool {
    let mut old = [0; REQUEST_LANES];
    load(image, local, request, &mut old);
    let lanes = count(request);
    let differ = |range: std::ops::Range<usize>| old[range.clone()] != words[range];
    match request.bytes {
        1 | 2 => {
            let mask = if request.bytes == 1 { 0xff } else { 0xffff };
            old.iter().zip(words).take(lanes).any(|(old, new)| (old ^ new) & mask != 0)
        }
        16 => (0..lanes).map(|k| quad(request.quads, k)).any(|at| differ(at..at + 4)),
        bytes => differ(0..lanes * bytes as usize / 4),
    }
}

/// Stores the `words` of `request` at local address `local`. If several lanes write the same byte,
/// the highest lane wins.
#[inline]
pub(super) fn store(image: &mut PartitionImage, local: u32, request: &Request, words: &Words) {
    let page = image.page_mut(local);
    let (base, offsets) = (local as usize % PAGE_BYTES, &request.offset[..count(request)]);
    match request.bytes {
        1 => {
            for (word, &offset) in words.iter().zip(offsets) {
                page[base + offset as usize] = *word as u8;
            }
        }
        2 => {
            for (word, &offset) in words.iter().zip(offsets) {
                put(page, base + offset as usize, (*word as u16).to_le_bytes());
            }
        }
        4 => {
            for (word, &offset) in words.iter().zip(offsets) {
                put(page, base + offset as usize, word.to_le_bytes());
            }
        }
        16 => {
            for (k, &offset) in offsets.iter().enumerate() {
                let quad = &words[quad(request.quads, k)..][..4];
                for (word, at) in quad.iter().zip((base + offset as usize..).step_by(4)) {
                    put(page, at, word.to_le_bytes());
                }
            }
        }
        _ => {
            for (pair, &offset) in words.chunks_exact(2).zip(offsets) {
                let value = u64::from(pair[0]) | u64::from(pair[1]) << 32;
                put(page, base + offset as usize, value.to_le_bytes());
            }
        }
    }
}

#[inline]
fn get<const N: usize>(page: &Page, at: usize) -> [u8; N] {
    *page[at..].first_chunk().expect("an aligned access is within one page")
}

fn put<const N: usize>(page: &mut Page, at: usize, bytes: [u8; N]) {
    *page[at..].first_chunk_mut().expect("an aligned access is within one page") = bytes;
}
