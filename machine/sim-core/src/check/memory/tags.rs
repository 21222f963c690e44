//! Tags of the registers of a warp: which object the value of each lane was computed from.

use super::flow::{Address, Flow, Operand};
use crate::exec::rows;
use crate::gpu::functional::Executed;
use std::array::from_fn;

/// Tag of a number, which is no address.
pub const NUMBER: u8 = 0;
/// Tag of a value that may be an address in any object.
pub const UNKNOWN: u8 = u8::MAX;

/// One tag per lane: [`NUMBER`], [`UNKNOWN`], or the number of an object, from 1.
pub type Row = [u8; 32];

/// The tags of one warp: a row for each register that can hold an address.
#[derive(Clone, Debug)]
pub struct WarpTags {
    rows: Vec<Row>,
}

impl WarpTags {
    /// Tags of `slots` registers that hold numbers.
    pub fn new(slots: usize) -> Self {
        Self { rows: vec![[NUMBER; 32]; slots] }
    }

    /// All registers hold numbers.
    pub fn clear(&mut self) {
        self.rows.fill([NUMBER; 32]);
    }

    /// Returns the tags of an address.
    pub fn of(&self, address: Address) -> Row {
        match address {
            Address::None => [NUMBER; 32],
            Address::Of(operand) => self.read(operand),
        }
    }

    fn read(&self, operand: Operand) -> Row {
        match operand {
            Operand::Always(tag) => [tag; 32],
            Operand::Slot(slot) => self.rows[slot as usize],
        }
    }

    /// Applies the effect of an executed instruction in its lanes.
    pub fn apply(&mut self, flow: Flow, executed: &Executed) {
        let (dst, row) = match flow {
            Flow::Nothing => return,
            Flow::Copy { dst, from } => (dst, self.read(from)),
            Flow::Sum { dst, of: [a, b] } => {
                let (a, b) = (self.read(a), self.read(b));
                (dst, from_fn(|lane| sum(a[lane], b[lane])))
            }
            Flow::Difference { dst, of: [a, b] } => {
                let (a, b) = (self.read(a), self.read(b));
                (dst, from_fn(|lane| difference(a[lane], b[lane])))
            }
            Flow::MultiplyAdd { dst, factors: [a, b], plus } => {
                let (a, b, plus) = (self.read(a), self.read(b), self.read(plus));
                (dst, from_fn(|lane| sum(other(a[lane], b[lane]), plus[lane])))
            }
            Flow::Select { dst, of: [a, b], by } => {
                let (a, b) = (self.read(a), self.read(b));
                let chosen = rows::p(executed.registers, by);
                (dst, from_fn(|lane| if chosen >> lane & 1 == 1 { a[lane] } else { b[lane] }))
            }
            Flow::Other { dst, of: [a, b, c] } => {
                let (a, b, c) = (self.read(a), self.read(b), self.read(c));
                (dst, from_fn(|lane| other(other(a[lane], b[lane]), c[lane])))
            }
        };
        let to = &mut self.rows[dst as usize];
        let mask = executed.access.mask;
        if mask == u32::MAX {
            *to = row;
        } else {
            for (lane, (to, tag)) in to.iter_mut().zip(row).enumerate() {
                let keep = ((mask >> lane & 1) as u8).wrapping_sub(1);
                *to = *to & keep | tag & !keep;
            }
        }
    }
}

/// Tag of a sum.
fn sum(a: u8, b: u8) -> u8 {
    if a == NUMBER {
        b
    } else if b == NUMBER {
        a
    } else {
        UNKNOWN
    }
}

/// Tag of a difference.
fn difference(a: u8, b: u8) -> u8 {
    if b == NUMBER {
        a
    } else if a == b && a != UNKNOWN {
        NUMBER
    } else {
        UNKNOWN
    }
}

/// Tag of another result of two operands.
fn other(a: u8, b: u8) -> u8 {
    if a | b == NUMBER { NUMBER } else { UNKNOWN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sums_with_numbers_keep_an_object() {
        assert_eq!([sum(1, 0), sum(0, 2), sum(0, 0)], [1, 2, 0]);
        assert_eq!([sum(1, 2), sum(1, 1), sum(1, UNKNOWN)], [UNKNOWN; 3]);
        assert_eq!([difference(1, 0), difference(1, 1), difference(0, 0)], [1, 0, 0]);
        let unknown = [difference(1, 2), difference(0, 1), difference(UNKNOWN, UNKNOWN)];
        assert_eq!(unknown, [UNKNOWN; 3]);
        assert_eq!([other(0, 0), other(1, 0), other(0, UNKNOWN)], [0, UNKNOWN, UNKNOWN]);
    }
}
