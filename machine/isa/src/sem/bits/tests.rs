//! Boundary cases recorded on hardware, and identities that the functions must satisfy.

use super::*;

#[test]
fn carries_propagate_through_a_chain() {
    assert_eq!(add_cc(0x8000_0000, 0x8000_0000), (0, true));
    assert_eq!(addc_cc(u32::MAX, 0, true), (0, true));
    assert_eq!(addc_cc(u32::MAX, u32::MAX, true), (u32::MAX, true));
    assert_eq!(addc(0x7fff_fffe, 0x8000_0000, true), u32::MAX);
    assert_eq!(sub_cc(0, 0x8000_0001), (0x7fff_ffff, false));
    assert_eq!(subc_cc(0xaaaa_aaaa, 0xaaaa_aaaa, false), (u32::MAX, false));
    assert_eq!(subc_cc(0, u32::MAX, false), (0, false), "the subtrahend needs 33 bits");
    assert_eq!(subc_cc(5, 4, false), (0, true));
    assert_eq!(subc(0x7fff_ffff, 0xaaaa_aaaa, false), 0xd555_5554);
}

#[test]
fn chains_are_64_bit_arithmetic() {
    let edges = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000, 0xaaaa_aaaa_5555_5555, u64::MAX];
    for a in edges {
        for b in edges {
            let ((low, carry), (low_less, rest)) = (add_cc(a as u32, b as u32), sub_cc(a as u32, b as u32));
            assert_eq!(pack64(low, addc(hi32(a), hi32(b), carry)), a.wrapping_add(b));
            assert_eq!(pack64(low_less, subc(hi32(a), hi32(b), rest)), a.wrapping_sub(b));
            assert_eq!(addc_cc(hi32(a), hi32(b), carry).1, a.checked_add(b).is_none());
            assert_eq!(subc_cc(hi32(a), hi32(b), rest).1, a >= b);
        }
    }
}

#[test]
fn saturation_is_signed() {
    assert_eq!(add_sat_s32(0x5555_5555, 0x5555_5555), 0x7fff_ffff);
    assert_eq!(add_sat_s32(0x8000_0000, 0x5555_5555), 0xd555_5555);
    assert_eq!([add_sat_s32(1 << 31, u32::MAX), sub_sat_s32(1 << 31, 1)], [1 << 31; 2]);
    assert_eq!(sub_sat_s32(0, 1 << 31), 0x7fff_ffff);
}

#[test]
fn counts_and_places() {
    assert_eq!([popc32(0xffff_ffd2), popc64(0xffff_ffff_ffff_fd3a), popc32(0)], [0x1c, 0x3b, 0]);
    assert_eq!([clz32(1), clz32(0), clz64(0x7b87_46a4_7307), clz64(0)], [0x1f, 32, 0x11, 64]);
    assert_eq!(brev32(0x3f0_3613), 0xc86c_0fc0);
    assert_eq!(brev64(0x121_f5ee_adbd), 0xbdb5_77af_8480_0000);
    assert_eq!([bfind_u32(0x2e), bfind_u32(0), bfind_u64(0), bfind_u64(u64::MAX)], [5, !0, !0, 63]);
    assert_eq!([bfind_s32(1 << 31), bfind_s32(!2), bfind_s32(u32::MAX), bfind_s32(0)], [30, 1, !0, !0]);
    assert_eq!([bfind_s64(0x8eeb_b813_f748_cc4e), bfind_s64(u64::MAX)], [0x3e, !0]);
    assert_eq!([bfind_shiftamt_u32(0x70), bfind_shiftamt_u32(0)], [0x19, !0]);
    assert_eq!([bfind_shiftamt_s32(0xffff_ff92), bfind_shiftamt_s32(u32::MAX)], [0x19, !0]);
    assert_eq!([bfind_shiftamt_u64(0x22_f7ed_67b4), bfind_shiftamt_u64(0)], [0x1a, !0]);
    assert_eq!([bfind_shiftamt_s64(0xffb8_e448_c295_37b1), bfind_shiftamt_s64(0)], [9, !0]);
}

#[test]
fn fields_end_with_the_value() {
    assert_eq!(bfe_u32(0xe4ca_8457, 0xd, 0x35), 0x7_2654);
    assert_eq!(bfe_s32(0xfffd_efc0, 0x1a, 0x2f), u32::MAX);
    assert_eq!(bfe_s32(u32::MAX, 0x3e, 0x42), u32::MAX);
    assert_eq!([bfe_s32(0x1fc5_5415, 0x20, 0x2d), bfe_s32(0xec, 0xff, 0x23)], [0, 0]);
    assert_eq!([bfe_s32(0xf0, 4, 4), bfe_s32(0xf0, 4, 5), bfe_s32(u32::MAX, 4, 0)], [u32::MAX, 0xf, 0]);
    assert_eq!(bfe_u64(0xffff_ffff_ffff_fd53, 0x2a, 0x3e), 0x3f_ffff);
    assert_eq!(bfe_s64(0xfff8_8093_74f3_503f, 0x19, 0x2a), 0xffff_ffff_fc40_49ba);
    assert_eq!(bfe_s64(0x4305_ad2a_93b2_7358, 0x39, 7), 0x21);
    assert_eq!([bfe_u64(u64::MAX, 0, 64), bfe_s64(1 << 63, 0, 64)], [u64::MAX, 1 << 63]);
    // Only the low byte of positions and lengths counts.
    assert_eq!([bfe_u32(0xabcd, 0x104, 0x208), bfe_s32(0xabcd, 0x300, 0x100)], [0xbc, 0]);
}

#[test]
fn fields_are_inserted_up_to_the_end() {
    assert_eq!(bfi32(2, 2, 0x18, 0x36), 0x0200_0002);
    assert_eq!(bfi32(0xfffe_c601, 0x5b_c810, 0x100, 0x31), 0xfffe_c601);
    assert_eq!([bfi32(0x15, 0, 0x2a, 0), bfi32(0xe087_d6cf, 0xf, 0xff, 0x13)], [0, 0xf]);
    assert_eq!(bfi64(0xffff_ffff_fffc_2281, 0xffff_ff31_60ba_8934, 2, 0x10), 0xffff_ff31_60b8_8a04);
    assert_eq!(bfi64(u64::MAX - 0x19, 2, 0x26, 0xff), 0xffff_f980_0000_0002);
}

#[test]
fn bytes_are_permuted_as_recorded() {
    assert_eq!(prmt(0x9084_f4f2, 0xd9e2_f86e, 0x5aef), 0xf8ff_ffff);
    assert_eq!(prmt(0x86bc_7b29, 0x9860_df8d, 0x069b), 0x2960_00ff);
    assert_eq!(prmt(0xf307_6a18, 0xa812_2e42, 0x4acd), 0x4200_0000);
    assert_eq!(prmt_f4e(0x10e9_0097, 0x9c9c_8a49, 0x3e49), 0x4910_e900);
    assert_eq!(prmt_b4e(0xeb28_5ea5, 0xb572_18bc, 0xe3d1), 0x72b5_a55e);
    assert_eq!(prmt_rc8(0xfc43_110f, 0x4c4a_2c28, 0x67bc), 0x0f0f_0f0f);
    assert_eq!(prmt_ecl(0x92ba_5f35, 0x4778_bf7e, 0xed22), 0x92ba_baba);
    assert_eq!(prmt_ecr(0x91e5_2c57, 0xfede_1919, 0x0afe), 0xe5e5_2c57);
    assert_eq!(prmt_rc16(0xb97d_cdac, 0x6fa9_68b4, 0x462c), 0xcdac_cdac);
    assert_eq!(prmt_rc16(0x17dd_e3dd, 0xcda5_3608, 0xb967), 0x17dd_17dd);
}

#[test]
fn funnels_wrap_or_clamp() {
    let (low, high) = (0x8000_0001, 0x1234_5678);
    assert_eq!([shf_l_wrap(low, high, 4), shf_l_clamp(low, high, 4)], [0x2345_6788; 2]);
    assert_eq!([shf_l_wrap(low, high, 32), shf_l_clamp(low, high, 32)], [high, low]);
    assert_eq!([shf_l_wrap(low, high, 36), shf_l_clamp(low, high, 36)], [0x2345_6788, low]);
    assert_eq!([shf_r_wrap(low, high, 4), shf_r_clamp(low, high, 4)], [0x8800_0000; 2]);
    assert_eq!([shf_r_wrap(low, high, 32), shf_r_clamp(low, high, 77)], [low, high]);
}

#[test]
fn words_are_packed_low_first() {
    assert_eq!(pack64(0x8000_0001, 2), 0x2_8000_0001);
    assert_eq!(pack32(0xffff_0001, 0xffff_0002), 0x0002_0001);
    assert_eq!(hi32(0x2_8000_0001), 2);
}
