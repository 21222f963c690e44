//! Carries of 64-bit operations (PTX 4.3), which become two 32-bit operations: sums, differences
//! and products of 128 bits against the integers of Rust.

use isa::Options;
use proptest::prelude::*;
use warpsim_tests::device::{Device, chip_with, pointers};

/// Two 128-bit operands, and what each of the operations leaves; then the carry behind a sum whose
/// upper half sets none.
const KERNEL: &str = ".version 4.3
.target sm_20
.entry k(.param .u32 g)
{
  .reg .u32 %g; .reg .u64 %a<2>, %b<2>, %d<2>, %c; .reg .pred %never;
  ld.param.u32 %g, [g];
  ld.global.v2.u64 {%a0, %a1}, [%g];
  ld.global.v2.u64 {%b0, %b1}, [%g+16];
  setp.ne.u64 %never, %a0, %a0;
  add.cc.u64 %d0, %a0, %b0;
  @%never add.cc.u64 %d0, %a0, %a0;
  addc.u64 %d1, %a1, %b1;
  addc.u64 %c, 0, 0;
  st.global.v2.u64 [%g+32], {%d0, %d1};
  st.global.u64 [%g+48], %c;
  sub.cc.s64 %d0, %a0, %b0;
  subc.cc.s64 %d1, %a1, %b1;
  subc.u64 %c, 0, 0;
  st.global.v2.u64 [%g+64], {%d0, %d1};
  st.global.u64 [%g+56], %c;
  mad.lo.cc.u64 %d0, %a0, %b0, %a1;
  madc.hi.cc.u64 %d1, %a0, %b0, 7;
  st.global.v2.u64 [%g+80], {%d0, %d1};
  mad.lo.cc.s64 %d0, %a1, %b1, %a0;
  madc.hi.s64 %d1, %a1, %b1, 0;
  st.global.v2.u64 [%g+96], {%d0, %d1};
  exit;
}
";

/// A number whose halves are often full or empty.
fn word() -> impl Strategy<Value = u64> {
    let edges =
        prop::sample::select(vec![0, 1, u64::MAX, u64::MAX - 1, 1 << 63, u64::from(u32::MAX), 1 << 32]);
    prop_oneof![edges, any::<u64>()]
}

fn joined(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// Returns what the kernel leaves after its operands.
fn expected([a0, a1, b0, b1]: [u64; 4]) -> Vec<u64> {
    let halves = |x: u128| [x as u64, (x >> 64) as u64];
    let (a, b) = (joined(a0, a1), joined(b0, b1));
    let low_carry = a0.checked_add(b0).is_none();
    let borrow = if a < b { u64::MAX } else { 0 };
    let product = (u128::from(a0) * u128::from(b0)).wrapping_add(u128::from(a1)).wrapping_add(7 << 64);
    let signed = (i128::from(a1 as i64) * i128::from(b1 as i64)) as u128;
    let words = [
        halves(a.wrapping_add(b)),
        [u64::from(low_carry), borrow],
        halves(a.wrapping_sub(b)),
        halves(product),
        halves(signed.wrapping_add(u128::from(a0))),
    ];
    words.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn carries_of_64_bits_are_exact(operands in [word(), word(), word(), word()]) {
        let wanted = expected(operands);
        let words = |list: &[u64]| -> Vec<u32> { list.iter().flat_map(|x| [*x as u32, (x >> 32) as u32]).collect() };
        for options in [Options::default(), Options::PLAIN] {
            let mut device = Device::compiled(chip_with("fermi", &[]), "k.ptx", KERNEL, options).expect("it compiles");
            let mut memory = words(&operands);
            memory.resize(2 * (4 + wanted.len()), 0);
            let memory = device.upload(&memory);
            let launch = device.launch("k", (1, 1), (1, 1, 1)).args(pointers(&[memory]));
            device.run(&launch);
            let found = device.download(memory, 2 * (4 + wanted.len()));
            prop_assert_eq!(&found[8..], &words(&wanted)[..]);
        }
    }
}
