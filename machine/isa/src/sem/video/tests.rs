//! Tests of the modifiers and of cases from the manual. `tests/tests/it/video.rs` compares the
//! operations with a record.

use super::*;

#[test]
fn every_encoding_is_read_back_and_other_words_are_invalid() {
    let valid = (0..1 << 25).step_by(7).filter_map(|bits| Some((bits, Video::decode(bits)?)));
    let mut found = 0;
    for (bits, video) in valid {
        assert_eq!(video.encode(), bits, "{video:?}");
        found += 1;
    }
    assert!(found > 800_000, "{found}");
    // A selector, a second operation, a comparison and a shift without a meaning, and a surplus
    // bit.
    for bits in [7 << 3, 7 << 6, 7 << 9, 6 << 16, 3 << 22, 1 << 24] {
        assert_eq!(Video::decode(bits), None, "{bits:#x}");
    }
}

#[test]
fn parts_are_extended_by_their_type_and_merged_at_their_place() {
    let video = Video { a: Selector::B3, a_is_signed: true, b: Selector::H0, ..Video::default() };
    assert_eq!(add(0xff00_0000, 0x1_8000, 0, &video), 0x7fff);
    let into = Video { into: Selector::H1, ..video };
    assert_eq!(add(0xff00_0000, 0x1_8000, 0x1234_5678, &into), 0x7fff_5678);
    let byte = Video { into: Selector::B1, saturates: true, is_signed: true, ..video };
    assert_eq!(sub(0x8000_0000, 0xffff, 0x1111_1111, &byte), 0x1111_8011);
    assert_eq!(add(0, 0xffff, 0, &byte), 0x7f00);
}

#[test]
fn a_result_saturates_from_34_bits_and_the_second_operation_sees_all_of_them() {
    let plain = Video::default();
    let saturated = Video { saturates: true, ..plain };
    assert_eq!(add(u32::MAX, u32::MAX, 0, &plain), u32::MAX - 1);
    assert_eq!(add(u32::MAX, u32::MAX, 0, &saturated), u32::MAX);
    assert_eq!(sub(0, 1, 0, &saturated), 0);
    let smaller = Video { second: Some(Second::Min), ..plain };
    assert_eq!(add(u32::MAX, 2, 5, &smaller), 5, "the sum is 2^32 + 1");
    assert_eq!(sub(0, 2, 5, &smaller), u32::MAX - 1, "the difference is -2");
    let difference = Video { a_is_signed: true, second: Some(Second::Add), ..plain };
    assert_eq!(abs_diff(0x8000_0000, u32::MAX, 1, &difference), 0x8000_0000);
}

#[test]
fn shifts_clamp_or_wrap_their_distance() {
    let clamp = Video { b: Selector::B0, ..Video::default() };
    let wrap = Video { wraps: true, ..clamp };
    assert_eq!((shl(3, 31, 0, &clamp), shl(3, 33, 0, &clamp), shl(3, 33, 0, &wrap)), (1 << 31, 0, 6));
    let signed = Video { a_is_signed: true, ..clamp };
    assert_eq!((shr(0x8000_0000, 255, 0, &signed), shr(0x8000_0000, 255, 0, &clamp)), (u32::MAX, 0));
    let saturated = Video { saturates: true, is_signed: true, ..signed };
    assert_eq!(shl(0x4000_0000, 1, 0, &saturated), 0x7fff_ffff);
}

#[test]
fn products_are_negated_scaled_and_saturated() {
    let plain = Video::default();
    assert_eq!(mad(3, 5, 7, &plain), 22);
    assert_eq!(mad(3, 5, 7, &Video { negates_product: true, ..plain }), 8_u32.wrapping_neg());
    assert_eq!(mad(3, 5, 7, &Video { negates_third: true, ..plain }), 8);
    assert_eq!(mad(3, 5, 7, &Video { adds_one: true, ..plain }), 23);
    let scaled = Video { shift: 15, a_is_signed: true, b_is_signed: true, saturates: true, ..plain };
    assert_eq!(mad(0x8000_0000, 0x8000_0000, 0, &scaled), 0x7fff_ffff);
    assert_eq!(mad(0xffff_8000, 3, 0, &scaled), 3_u32.wrapping_neg());
    let unsigned = Video { saturates: true, ..plain };
    assert_eq!(mad(u32::MAX, u32::MAX, 0, &unsigned), u32::MAX);
}

#[test]
fn comparisons_are_of_the_extended_parts() {
    let of =
        |relation, a_is_signed| set(u32::MAX, 1, 0, &Video { a_is_signed, relation, ..Video::default() });
    assert_eq!((of(Relation::Gt, false), of(Relation::Gt, true), of(Relation::Le, true)), (1, 0, 1));
}
