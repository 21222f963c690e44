//! `rand` and `drand48`, with the sequences of the C library of GNU.

use super::{Call, Table};
use crate::stop::Stop;

/// The states.
#[derive(Clone, Debug)]
pub struct Random {
    /// The last 31 numbers of `rand`, and the place of the next one.
    numbers: [u32; 31],
    next: usize,
    /// State of `drand48`.
    linear: u64,
}

impl Default for Random {
    fn default() -> Self {
        let mut random = Self { numbers: [0; 31], next: 0, linear: 0 };
        random.seed(1);
        random
    }
}

impl Random {
    /// `srand`.
    fn seed(&mut self, seed: u32) {
        let mut value = i64::from(if seed == 0 { 1 } else { seed as i32 });
        self.numbers[0] = value as u32;
        for number in &mut self.numbers[1..] {
            value = 16807 * (value % 127_773) - 2836 * (value / 127_773);
            if value < 0 {
                value += 2_147_483_647;
            }
            *number = value as u32;
        }
        self.next = 3;
        // The sequence begins 310 numbers later.
        for _ in 0..310 {
            self.number();
        }
    }

    /// `rand`.
    fn number(&mut self) -> u32 {
        let at = self.next;
        let value = self.numbers[at].wrapping_add(self.numbers[(at + 28) % 31]);
        self.numbers[at] = value;
        self.next = (at + 1) % 31;
        value >> 1
    }

    /// The next state of `drand48`: 48 bits.
    fn step(&mut self) -> u64 {
        self.linear = after(self.linear);
        self.linear
    }
}

/// The state of `drand48` after another one.
fn after(state: u64) -> u64 {
    state.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & 0xffff_ffff_ffff
}

/// The next state of `erand48` and its relatives, which the program keeps.
fn own_step(call: &mut Call<'_>) -> Result<u64, Stop> {
    let [a, b, c, d, e, f] = call.memory.load(call.word(0))?;
    let state = after(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]));
    call.memory.write(call.word(0), &state.to_le_bytes()[..6])?;
    Ok(state)
}

pub(super) const TABLE: Table = &[
    ("rand", |call| Ok(u64::from(call.host.random.number()))),
    ("random", |call| Ok(u64::from(call.host.random.number()))),
    ("srand", |call| {
        call.host.random.seed(call.word(0) as u32);
        Ok(0)
    }),
    ("srandom", |call| {
        call.host.random.seed(call.word(0) as u32);
        Ok(0)
    }),
    ("srand48", |call| {
        call.host.random.linear = (call.word(0) & 0xffff_ffff) << 16 | 0x330e;
        Ok(0)
    }),
    ("drand48", |call| Ok((call.host.random.step() as f64 / (1_u64 << 48) as f64).to_bits())),
    ("mrand48", |call| Ok(i64::from((call.host.random.step() >> 16) as i32) as u64)),
    ("erand48", |call| Ok((own_step(call)? as f64 / (1_u64 << 48) as f64).to_bits())),
    ("nrand48", |call| Ok(own_step(call)? >> 17)),
    ("jrand48", |call| Ok(i64::from((own_step(call)? >> 16) as i32) as u64)),
    ("rand_r", |call| {
        let mut state = u32::from_le_bytes(call.memory.load(call.word(0))?);
        let mut next = |bits: u32| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (state >> 16) % (1 << bits)
        };
        let value = (next(11) << 10 ^ next(10)) << 10;
        let value = value ^ next(10);
        call.memory.write(call.word(0), &state.to_le_bytes())?;
        Ok(value.into())
    }),
    ("lrand48", |call| Ok(call.host.random.step() >> 17)),
];
