//! Values of registers as short texts: one value, a sequence, parts of both kinds, or the first
//! values.

use crate::words::Words;
use isa::types::{ScalarType, TypeKind};
use isa::uop::{OperandKind, Program};
use sim_core::debug::Names;
use sim_core::observe::WrittenRow;

/// Most sequences of a text.
const MOST_PARTS: usize = 4;

/// Values that are shown if there are more sequences.
const FIRST: usize = 4;

/// Names and types of the registers of a program.
#[derive(Debug, Default)]
pub struct Values {
    /// `None`: no values are shown.
    names: Option<Names>,
    /// For each instruction, the type that its name states for its result, and the number of bits
    /// of a narrow result.
    types: Vec<Option<(ScalarType, u32)>>,
}

/// The difference of two values.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Whole(i128),
    Float(f64),
}

/// Lanes with a constant difference: indices of the first and the last one, and the difference;
/// `None` if there is only one lane.
type Part = (usize, usize, Option<Step>);

/// How the bits of a row are read.
#[derive(Clone, Copy, Debug)]
struct Reading {
    kind: TypeKind,
    /// 16, 32 or 64.
    bits: u32,
}

impl Values {
    /// Names and types of a program.
    pub fn new(program: &Program, words: &Words) -> Self {
        let result = |pc: usize| {
            let modifiers = || words.opcode(pc as u32).split('.').skip(1);
            let ty = modifiers().find_map(ScalarType::from_name)?;
            // The result of a `.wide` product has twice the size of the type.
            let wide = modifiers().any(|modifier| modifier == "wide");
            Some((ty, if wide || ty.bytes() > 2 { 32 } else { 16 }))
        };
        Self { names: Some(Names::of(program)), types: (0..program.code.len()).map(result).collect() }
    }

    /// Returns the values that the instruction at `pc` has written in `lanes`, with the names of
    /// the PTX registers; `None` if no row holds a PTX register.
    pub fn text(&self, pc: u32, lanes: u32, rows: &[WrittenRow]) -> Option<String> {
        let names = self.names.as_ref()?;
        let one = |row: &WrittenRow| {
            let name = names.written(pc, row.kind, row.row)?;
            Some(format!("{name} = {}", self.of_row(pc, lanes, row)))
        };
        let all: Vec<String> = rows.iter().filter_map(one).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    fn of_row(&self, pc: u32, lanes: u32, row: &WrittenRow) -> String {
        let written = (0..32u32).filter(|lane| lanes >> lane & 1 == 1);
        let values: Vec<(u32, u64)> = written.map(|lane| (lane, row.values[lane as usize])).collect();
        let text = match row.kind {
            OperandKind::P => return predicate(lanes, &values),
            OperandKind::W => self.reading(pc, 32).sequences(&values),
            OperandKind::D | OperandKind::Addr => self.reading(pc, 64).sequences(&values),
        };
        if lanes == u32::MAX { text } else { format!("{text} in lanes {lanes:08x}") }
    }

    /// How the result of the instruction at `pc` is read from a row of `bits` bits.
    fn reading(&self, pc: u32, bits: u32) -> Reading {
        let kind = match self.types.get(pc as usize).copied().flatten() {
            Some((ty, _)) if ty.kind() == TypeKind::Float && 8 * ty.bytes() != bits => TypeKind::Bits,
            Some((ty, narrow)) if ty.kind() == TypeKind::Signed => {
                return Reading { kind: TypeKind::Signed, bits: if bits == 32 { narrow } else { bits } };
            }
            Some((ty, _)) => ty.kind(),
            None => TypeKind::Bits,
        };
        Reading { kind, bits }
    }
}

/// A predicate: `true`, `false`, or its lanes.
fn predicate(lanes: u32, values: &[(u32, u64)]) -> String {
    let mask = values.iter().filter(|(_, value)| *value != 0).fold(0, |mask, (lane, _)| mask | 1 << lane);
    let of = if lanes == u32::MAX { String::new() } else { format!(" of {lanes:08x}") };
    match mask {
        0 if lanes == u32::MAX => "false".to_owned(),
        0 => format!("false in lanes {lanes:08x}"),
        mask if mask == u32::MAX => "true".to_owned(),
        mask if mask == lanes => format!("true in lanes {lanes:08x}"),
        mask => format!("true in lanes {mask:08x}{of}"),
    }
}

impl Reading {
    /// One value.
    fn one(self, value: u64) -> String {
        match (self.kind, self.bits) {
            (TypeKind::Float, 32) => format!("{:?}", f32::from_bits(value as u32)),
            (TypeKind::Float, _) => format!("{:?}", f64::from_bits(value)),
            (TypeKind::Signed, _) => self.signed(value).to_string(),
            (TypeKind::Unsigned, _) => value.to_string(),
            (TypeKind::Bits | TypeKind::Pred, 32) => format!("{value:#010x}"),
            (TypeKind::Bits | TypeKind::Pred, _) => format!("{value:#018x}"),
        }
    }

    /// A signed value. Only the low bits of a register count for a narrow type.
    fn signed(self, value: u64) -> i64 {
        match self.bits {
            16 => (value as u16 as i16).into(),
            32 => (value as u32 as i32).into(),
            _ => value as i64,
        }
    }

    /// The difference from `a` to `b`. Of floating-point numbers it must be exact.
    #[expect(clippy::float_cmp, reason = "the difference must be exact")]
    fn step(self, a: u64, b: u64) -> Option<Step> {
        let whole = |a: i128, b: i128| Some(Step::Whole(b - a));
        match (self.kind, self.bits) {
            (TypeKind::Float, bits) => {
                let number = |value: u64| match bits {
                    32 => f64::from(f32::from_bits(value as u32)),
                    _ => f64::from_bits(value),
                };
                if a == b {
                    return Some(Step::Float(0.0));
                }
                let (a, b) = (number(a), number(b));
                let step = b - a;
                let exact = step.is_finite() && step != 0.0 && a + step == b && b - step == a;
                exact.then_some(Step::Float(step))
            }
            (TypeKind::Signed, _) => whole(self.signed(a).into(), self.signed(b).into()),
            (TypeKind::Unsigned | TypeKind::Bits | TypeKind::Pred, _) => whole(a.into(), b.into()),
        }
    }

    /// Divides the lanes into sequences.
    fn parts(self, values: &[(u32, u64)]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for (i, (_, value)) in values.iter().enumerate() {
            if let Some((first, last, step)) = parts.last_mut() {
                let next = self.step(values[*last].1, *value);
                if next.is_some() && (*first == *last || next == *step) {
                    (*last, *step) = (i, next);
                    continue;
                }
            }
            parts.push((i, i, None));
        }
        parts
    }

    /// All values of a row.
    fn sequences(self, values: &[(u32, u64)]) -> String {
        let parts = self.parts(values);
        let text = |(first, last, step): &Part| {
            let (from, to) = (self.one(values[*first].1), self.one(values[*last].1));
            match step {
                None | Some(Step::Whole(0)) => from,
                Some(Step::Float(step)) if *step == 0.0 => from,
                Some(Step::Whole(step)) => format!("{from} to {to} step {step}"),
                Some(Step::Float(step)) => format!("{from} to {to} step {step:?}"),
            }
        };
        match &parts[..] {
            [all] => text(all),
            parts if parts.len() <= MOST_PARTS => {
                let part = |part: &Part| match (values[part.0].0, values[part.1].0) {
                    (first, last) if first == last => format!("{} in lane {first}", text(part)),
                    (first, last) => format!("{} in lanes {first}..{last}", text(part)),
                };
                parts.iter().map(part).collect::<Vec<_>>().join("; ")
            }
            _ => {
                let first: Vec<String> =
                    values.iter().take(FIRST).map(|(_, value)| self.one(*value)).collect();
                let all = if values.len() == 32 { " (32 lanes)" } else { "" };
                format!("{}, …{all}", first.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(kind: TypeKind, bits: u32, values: impl IntoIterator<Item = u64>) -> String {
        let values: Vec<(u32, u64)> = (0..).zip(values).collect();
        Reading { kind, bits }.sequences(&values)
    }

    #[test]
    fn equal_values_and_sequences_are_short() {
        use TypeKind::{Bits, Float, Signed, Unsigned};
        assert_eq!(shown(Unsigned, 32, [7; 32]), "7");
        assert_eq!(shown(Unsigned, 32, 0..32), "0 to 31 step 1");
        assert_eq!(
            shown(Signed, 32, (0..32).map(|lane| u64::from(5u32.wrapping_sub(2 * lane)))),
            "5 to -57 step -2"
        );
        assert_eq!(shown(Signed, 16, [0xfff0, 0xffff_fff2]), "-16 to -14 step 2");
        assert_eq!(shown(Bits, 32, [0xff; 32]), "0x000000ff");
        let float = |value: f32| u64::from(value.to_bits());
        assert_eq!(shown(Float, 32, (0..32u8).map(|lane| float(lane.into()))), "0.0 to 31.0 step 1.0");
        assert_eq!(shown(Float, 32, [float(f32::NAN); 4]), "NaN");
        assert_eq!(shown(Float, 64, [0.5f64.to_bits(); 4]), "0.5");
    }

    #[test]
    fn a_row_of_a_block_has_two_sequences() {
        use TypeKind::Unsigned;
        assert_eq!(
            shown(Unsigned, 32, (0..16).chain(0..16)),
            "0 to 15 step 1 in lanes 0..15; 0 to 15 step 1 in lanes 16..31"
        );
        assert_eq!(
            shown(Unsigned, 32, [3; 16].into_iter().chain([4; 16])),
            "3 in lanes 0..15; 4 in lanes 16..31"
        );
    }

    #[test]
    fn other_values_are_cut() {
        let values = (0..32).map(|lane| lane * lane % 7);
        assert_eq!(shown(TypeKind::Unsigned, 32, values), "0, 1, 4, 2, … (32 lanes)");
        // The step is not exact.
        let float = |value: f32| u64::from(value.to_bits());
        let tenths = (0..32u8).map(|lane| float(0.1 * f32::from(lane)));
        assert!(shown(TypeKind::Float, 32, tenths).contains(" lanes)"));
    }

    #[test]
    fn a_predicate_shows_its_lanes() {
        let all = |mask: u32, lanes: u32| {
            let written = (0..32).filter(|lane| lanes >> lane & 1 == 1);
            let values: Vec<_> = written.map(|lane| (lane, u64::from(mask >> lane & 1))).collect();
            predicate(lanes, &values)
        };
        assert_eq!(all(u32::MAX, u32::MAX), "true");
        assert_eq!(all(0, u32::MAX), "false");
        assert_eq!(all(0xff, u32::MAX), "true in lanes 000000ff");
        assert_eq!(all(0xff, 0xffff), "true in lanes 000000ff of 0000ffff");
        assert_eq!(all(0xffff, 0xffff), "true in lanes 0000ffff");
        assert_eq!(all(0, 0xffff), "false in lanes 0000ffff");
    }
}
