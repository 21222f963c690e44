//! Tests of device memory and its pages.

use super::*;
use crate::config::MapKind;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn memory_agrees_with_a_plain_array() {
    const BYTES: usize = 100_000;
    for (chunk, partitions) in [(256, 6), (64, 3), (8192, 2), (4096, 1)] {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut memory = Memory::new(AddressMap::new(chunk, partitions));
        let mut plain = vec![0; BYTES];
        for _ in 0..500 {
            let length = rng.random_range(0..3_000);
            let at = rng.random_range(0..BYTES - length);
            match rng.random_range(0..3) {
                0 => {
                    rng.fill_bytes(&mut plain[at..at + length]);
                    memory.write(at as u32, &plain[at..at + length]);
                }
                1 => {
                    let value = rng.random_range(0..2);
                    plain[at..at + length].fill(value);
                    memory.fill(at as u32, length, value);
                }
                _ => {
                    let mut read = vec![1; length];
                    memory.read(at as u32, &mut read);
                    assert_eq!(read, plain[at..at + length]);
                }
            }
        }
    }
}

#[test]
fn cells_and_lines_are_loaded_and_stored_like_single_words() {
    for (chunk, partitions) in [(256, 6), (64, 3), (8192, 2)] {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut memory = Memory::new(AddressMap::new(chunk, partitions));
        let mut single = memory.clone();
        for _ in 0..300 {
            // In one chunk, in a few or in many, and some addresses twice.
            let (base, spread) = (rng.random_range(0..20_000), [20, 200, 5_000][rng.random_range(0..3)]);
            let addr: [u32; 32] = std::array::from_fn(|_| 4 * (base + rng.random_range(0..spread)));
            let (mask, add) = (rng.next_u32(), rng.next_u32());
            let sum = |lane: usize, old: [u8; 4]| {
                u32::from_le_bytes(old).wrapping_add(add ^ lane as u32).to_le_bytes()
            };
            if rng.random() {
                memory.change_lanes(&addr, mask, |lane, cell| *cell = sum(lane, *cell));
                for lane in crate::exec::mask::lanes(mask) {
                    single.store(addr[lane], sum(lane, single.load(addr[lane])));
                }
            }
            let mut found = [None; 32];
            memory.load_lanes(&addr, mask, |lane, cell| found[lane] = Some(cell));
            let one = |lane: usize| (mask >> lane & 1 != 0).then(|| single.load::<4>(addr[lane]));
            assert_eq!(found, std::array::from_fn(one));
            let line = 4 * rng.random_range(0..20_000);
            let mut bytes = [0; 256];
            rng.fill_bytes(&mut bytes);
            memory.store_line(line, bytes);
            single.write(line, &bytes);
            assert_eq!(memory.load_line(line), bytes);
            assert_eq!(memory.load_line::<16>(line), bytes[..16]);
        }
        assert_eq!(memory, single);
    }
}

#[test]
fn typed_access_is_little_endian() {
    let mut memory = Memory::new(AddressMap::new(256, 6));
    memory.store(0x1_0ff8, 0x0102_0304_0506_0708_u64.to_le_bytes());
    assert_eq!(u32::from_le_bytes(memory.load(0x1_0ff8)), 0x0506_0708);
    assert_eq!(u16::from_le_bytes(memory.load(0x1_0ffe)), 0x0102);
    assert_eq!(memory.load(0x1_0ff8), [8]);
    assert_eq!(memory.load(0x1_1000), [0; 8]);
    let mut read = [0; 3];
    memory.read(0x1_0fff, &mut read);
    assert_eq!(read, [1, 0, 0]);
}

#[test]
fn a_copy_is_independent() {
    let mut first = Memory::new(AddressMap::new(256, 6));
    first.write(1_000, &[7; 5_000]);
    let second = first.clone();
    assert_eq!(first, second);
    first.store(2_000, [1]);
    assert_ne!(first, second);
    assert_eq!(second.load(2_000), [7]);
    first.store(2_000, [7]);
    assert_eq!(first, second);
}

#[test]
fn an_unwritten_page_equals_a_page_of_zeros() {
    let untouched = Memory::new(AddressMap::new(256, 6));
    let mut zeros = untouched.clone();
    zeros.write(123_456, &[0; 10_000]);
    assert_eq!(zeros, untouched);
    assert_eq!(untouched, zeros);
    zeros.store(130_000, [1]);
    assert_ne!(zeros, untouched);
    assert_ne!(untouched, zeros);
}

#[test]
fn writing_zeros_allocates_no_page() {
    let mut memory = Memory::new(AddressMap::new(256, 6));
    memory.fill(0, 1 << 20, 0);
    assert!(memory.images.iter().all(|image| image.pages.len() == 0));
}

#[test]
fn images_are_taken_and_restored() {
    let mut memory = Memory::new(AddressMap::new(256, 6));
    memory.store(256, [1, 2, 3, 4]);
    let before = memory.clone();
    let mut images = memory.take_images(AddressMap::new(256, 6));
    assert_eq!(images[1].load(0), [1, 2, 3, 4]);
    images[2].store(0, [9]);
    memory.put_images(images);
    assert_eq!(memory.load(512), [9]);
    assert_ne!(memory, before);
}

#[test]
fn an_arrangement_keeps_the_bytes() {
    let maps = [
        AddressMap::LINEAR,
        AddressMap::new(256, 6),
        AddressMap::of_kind(256, 8, MapKind::Hashed),
        AddressMap::new(1 << 16, 3),
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut memory = Memory::new(maps[0]);
    for address in [0, 4_095, 1 << 20, (1 << 20) + 70_000, u32::MAX - 3] {
        memory.write(address, &rng.next_u32().to_le_bytes());
    }
    let before = memory.clone();
    for (from, to) in maps.iter().flat_map(|from| maps.map(|to| (*from, to))) {
        memory.arrange(from);
        memory.arrange(to);
        assert_eq!((memory.map, &memory), (to, &before));
        let mut pages = Vec::new();
        memory.each_page(|address, page| pages.push((address, *page)));
        assert_eq!(pages.len(), 5, "{to:?}");
        assert!(pages.iter().all(|(address, page)| before.load_line(*address) == *page));
    }
}

#[test]
fn copies_of_an_image_keep_their_bytes() {
    const BYTES: usize = 4 * PAGE_BYTES;
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut images = vec![(PartitionImage::default(), vec![0; BYTES])];
    for _ in 0..20_000 {
        let at = rng.next_u32() as usize % images.len();
        match rng.next_u32() % 16 {
            0 if images.len() < 6 => images.push(images[at].clone()),
            0 if at > 0 => drop(images.swap_remove(at)),
            1 => images[at] = images[0].clone(),
            _ => {
                let (local, value) = (rng.next_u32() as usize % BYTES, rng.next_u32() as u8);
                images[at].0.store(local as u32, [value]);
                images[at].1[local] = value;
            }
        }
        for (image, bytes) in &images {
            let local = rng.next_u32() as usize % BYTES;
            assert_eq!(image.load(local as u32), [bytes[local]]);
        }
    }
    for (image, bytes) in &images {
        let mut all = vec![0; BYTES];
        all.chunks_mut(PAGE_BYTES).zip(0..).for_each(|(page, number)| image.read(number << PAGE_SHIFT, page));
        assert_eq!(&all, bytes);
    }
}
