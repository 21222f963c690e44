//! Tests of allocation tables, hints, first fit and error messages.

use super::*;

fn table(ranges: &[(u32, u32)]) -> AllocationTable {
    let mut table = AllocationTable::new();
    for (start, bytes) in ranges {
        assert!(table.insert(Allocation { start: *start, bytes: *bytes, name: None }));
    }
    table
}

#[test]
fn ranges_stay_sorted_and_disjoint() {
    let mut t = table(&[(0x3000, 0x100), (0x1000, 10), (0x2000, 0x1000)]);
    assert_eq!(t.ranges().iter().map(|r| r.start).collect::<Vec<_>>(), [0x1000, 0x2000, 0x3000]);
    for (start, bytes) in [(0x1009, 1), (0xfff, 2), (0x2fff, 1), (0x500, 0), (0xffff_ffff, 2)] {
        assert!(!t.insert(Allocation { start, bytes, name: None }), "{start:#x}");
    }
    assert!(t.insert(Allocation { start: 0xffff_ffff, bytes: 1, name: None }));
    assert_eq!(t.remove(0x2000).map(|r| r.bytes), Some(0x1000));
    assert_eq!(t.remove(0x2000), None);
}

#[test]
fn an_access_is_covered_only_between_both_ends() {
    let t = table(&[(0x1000, 10), (0x100a, 2), (0xffff_fff0, 16)]);
    assert!(t.covers(0x1000, 10) && t.covers(0x1009, 1) && t.covers(0xffff_fffc, 4));
    // Adjacent ranges stay separate.
    assert!(!t.covers(0x1000, 11) && !t.covers(0x1009, 2));
    assert!(!t.covers(0xfff, 1) && !t.covers(0x100c, 1) && !t.covers(0xffff_fffd, 4));
    assert_eq!(t.find(0x100b).map(|r| r.start), Some(0x100a));
    assert_eq!(t.find(0x100c), None);
}

#[test]
fn hints_name_the_nearest_range_and_the_distance() {
    let mut t = table(&[(0x1000, 4000)]);
    assert_eq!(
        t.hint(0x1fa4, 4),
        "the nearest allocation is 0x1000 .. 0x1fa0 (4000 bytes); 4 bytes past its end"
    );
    assert!(t.hint(0x1f9e, 4).ends_with("the access begins inside and ends 2 bytes past its end"));
    assert!(t.hint(0, 4).ends_with("4096 bytes before its start; the pointer is null"));
    assert!(t.hint(16, 4).contains("null pointer"));
    t.insert(Allocation { start: 0x4000, bytes: 16, name: Some("out".to_owned()) });
    assert!(t.hint(0x3ff0, 8).contains("`out`, 0x4000 .. 0x4010 (16 bytes); 16 bytes before its start"));
    assert!(t.hint(0x1_0000_0000, 4).contains("`out`"));
    assert_eq!(AllocationTable::new().hint(0, 4), "no device memory is allocated; the pointer is null");
}

#[test]
fn allocations_are_aligned_apart_and_first_fit() {
    let mut a = Allocator::new(1 << 20);
    assert_eq!(a.allocate(1, None), Ok(DevicePtr(0x1000)));
    assert_eq!(a.allocate(256, None), Ok(DevicePtr(0x1200)));
    assert_eq!(a.allocate(257, Some("c")), Ok(DevicePtr(0x1400)));
    assert_eq!(a.allocate(4, None), Ok(DevicePtr(0x1700)));
    a.free(DevicePtr(0x1200)).expect("allocated");
    assert_eq!(a.allocate(257, None), Ok(DevicePtr(0x1900)), "the hole of 256 bytes is too small");
    assert_eq!(a.allocate(256, None), Ok(DevicePtr(0x1200)), "an allocation that fits reuses the hole");
    assert_eq!(a.table().find(0x1500).and_then(|r| r.name.as_deref()), Some("c"));
}

#[test]
fn the_highest_address_has_a_nearest_range() {
    let mut a = Allocator::new(0x10000);
    a.allocate(100, None).expect("fits");
    a.allocate(100, Some("last")).expect("fits");
    let table = a.table();
    assert_eq!(table.nearest(u64::MAX), table.ranges().last());
    assert!(table.hint(u64::MAX, 4).contains("the nearest allocation is `last`"));
}

#[test]
fn errors_state_the_request_and_the_free_memory() {
    let mut a = Allocator::new(0x3000);
    assert_eq!(a.free_bytes(), 0x2000);
    assert_eq!(a.allocate(0, None), Err(MemoryError::Empty));
    let first = a.allocate(0x1000, None).expect("fits");
    let error = a.allocate(0xf01, None).expect_err("too large");
    assert_eq!(
        error.to_string(),
        "cannot allocate 3841 bytes of device memory: 3840 of 12288 bytes are free, at most 3840 of them contiguous"
    );
    a.allocate(0xf00, None).expect("exactly fits");
    assert_eq!(a.free_bytes(), 0);
    a.free(first).expect("allocated");
    assert_eq!(a.free(first), Err(MemoryError::DoubleFree { address: first }));
    let error = a.free(DevicePtr(0x2104)).expect_err("inside").to_string();
    assert_eq!(error, "0x2104 is not the start of an allocation: it is 4 bytes after the start of one");
    assert!(matches!(a.free(DevicePtr(4)), Err(MemoryError::UnknownPointer { .. })));
    assert_eq!(a.allocate(0x1000, None), Ok(first));
    a.free(first).expect("allocated again");
    assert!(Allocator::new(0).allocate(1, None).is_err());
    let mut whole = Allocator::new(1 << 40);
    assert_eq!(whole.allocate((1 << 32) - 0x1000, None), Ok(DevicePtr(0x1000)));
    assert!(whole.allocate(1, None).is_err());
}

#[test]
fn a_copy_stays_inside_one_allocation() {
    let mut a = Allocator::new(1 << 20);
    let p = a.allocate(100, Some("x")).expect("fits");
    assert_eq!(a.check_copy(p.offset(40), 60), Ok(()));
    assert_eq!(a.check_copy(DevicePtr(0), 0), Ok(()));
    assert_eq!(
        a.check_copy(p.offset(40), 61).expect_err("too long").to_string(),
        "a copy of 61 bytes at 0x1028 is out of bounds: the nearest allocation is `x`, 0x1000 .. 0x1064 (100 bytes); \
         the access begins inside and ends 1 bytes past its end"
    );
    assert!(a.check_copy(p, (1 << 32) + 4).is_err());
}

#[test]
fn mapped_memory_is_allocated_downward_above_device_memory() {
    let mut a = Allocator::new(1 << 20).with_addresses(1 << 32);
    assert_eq!((a.mapped_from(), a.mapped_ever()), (NOT_MAPPED, 1 << 32..1 << 32));
    let device = a.allocate(100, None).expect("fits");
    // 256 bytes below the end, at a multiple of 4096.
    let first = a.allocate_mapped(3840, Some("first")).expect("fits");
    let second = a.allocate_mapped(3841, None).expect("fits");
    assert_eq!((first, second), (DevicePtr(0xffff_f000), DevicePtr(0xffff_d000)));
    assert_eq!((a.mapped_from(), a.device_end()), (0xffff_d000, 0x1064));
    assert_eq!(a.allocate(100, None), Ok(DevicePtr(0x1200)), "device memory stays at low addresses");
    assert_eq!(a.highest(), 0x1264);
    a.free(first).expect("allocated");
    assert_eq!(a.allocate_mapped(3840, None), Ok(first), "the highest free addresses are used again");
    a.free(second).expect("allocated");
    assert_eq!(a.mapped_from(), 0xffff_f000);
    a.free(first).expect("allocated");
    assert_eq!((a.mapped_from(), a.mapped_ever()), (NOT_MAPPED, 0xffff_d000..1 << 32));
    assert_eq!(a.free(first), Err(MemoryError::DoubleFree { address: first }));
    assert_eq!(a.allocate_mapped(0, None), Err(MemoryError::Empty));
    assert_eq!(a.check_mapped(device, 1), Err(MemoryError::NotMapped(device)));
}

/// Device memory has all addresses, as on a board of 4 GiB.
#[test]
fn mapped_and_device_memory_share_the_addresses_of_a_large_board() {
    let mut a = Allocator::new(0x20000);
    let mapped = a.allocate_mapped(0x4000, None).expect("fits");
    assert_eq!(mapped, DevicePtr(0x1b000));
    assert_eq!(a.free_bytes(), 0x1b000 - 0x1000 - u64::from(GAP));
    let device = a.allocate(a.free_bytes(), None).expect("exactly fits");
    assert!(matches!(a.allocate(1, None), Err(MemoryError::OutOfMemory { free: 0, .. })));
    assert_eq!(a.check_device(mapped, 4), Err(MemoryError::Mapped(mapped)));
    assert_eq!(a.check_mapped(mapped.offset(4), 0x3ffc), Ok(()));
    // Above the mapped range less than a page is free.
    let error = a.allocate_mapped(1, None).expect_err("no addresses are free");
    assert!(matches!(error, MemoryError::NoAddresses { asked: 1, .. }), "{error}");
    a.free(mapped).expect("allocated");
    assert_eq!(a.free_bytes(), 0x5000);
    a.free(device).expect("allocated");
    assert_eq!(a.free_bytes(), 0x20000 - 0x1000);
}
