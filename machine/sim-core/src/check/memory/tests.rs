//! Tests of the objects of addresses.

use super::*;

#[test]
fn a_range_holds_the_bytes_from_its_start_to_its_end() {
    let range = Range { space: StateSpace::Shared, start: 16, bytes: 8 };
    let held = |address, bytes| range.holds(address, bytes);
    assert_eq!([held(16, 8), held(20, 4), held(24, 0)], [true; 3]);
    assert_eq!([held(12, 4), held(20, 8), held(24, 4), held(u32::MAX, 4), held(0, 16)], [false; 5]);
}

#[test]
fn a_distance_is_from_the_nearer_end() {
    let object = Object { name: Some("a".to_owned()), start: 16, bytes: 8 };
    let text = |same, address, bytes| distance(&object, same, address, bytes);
    let size = "`a` has 8 bytes at 0x10 .. 0x18";
    assert_eq!(text(true, 32, 4), format!("{size}; the access begins 8 bytes past its end"));
    assert_eq!(text(true, 12, 4), format!("{size}; the access begins 4 bytes before its start"));
    assert_eq!(text(true, 20, 8), format!("{size}; the access ends 4 bytes past its end"));
    assert_eq!(text(false, 0, 4), format!("{size}, in another state space"));
}
