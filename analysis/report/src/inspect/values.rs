//! Values of registers and memory as text, in the type of the PTX instruction that wrote them.

use crate::words::Words;
use isa::types::ScalarType;
use isa::uop::OperandKind;
use serde::Deserialize;
use sim_core::debug::{Names, Register, Session};

/// How values are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub enum Format {
    /// Hexadecimal.
    Hex,
    /// Signed decimal.
    Signed,
    /// Unsigned decimal.
    Unsigned,
    /// Floating point.
    Float,
    /// Binary digits.
    Binary,
    /// Octal digits.
    Octal,
    /// A number and its character.
    Char,
}

/// Lanes of the summary of a register.
const SUMMARY: usize = 8;

/// How the bits of a value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Kind of the row.
    pub kind: OperandKind,
    /// PTX type.
    pub ty: ScalarType,
    /// Format of the text; `None`: that of the type.
    pub format: Option<Format>,
}

impl Reading {
    /// Returns the reading of a register in the type of its latest writer.
    pub fn of(words: &Words, names: &Names, register: &Register, format: Option<Format>) -> Self {
        let name = register.name.as_deref().unwrap_or("");
        Self::written(words, names, (name, register.kind, register.pc), format)
    }

    /// Returns the reading of a register that the instruction `pc` has written: in the type of that
    /// instruction. A value that the instruction only moves is a float if a floating-point
    /// instruction reads the register.
    pub fn written(
        words: &Words,
        names: &Names,
        (name, kind, pc): (&str, OperandKind, u32),
        format: Option<Format>,
    ) -> Self {
        let (bits, float) = match kind {
            OperandKind::W => (ScalarType::B32, ScalarType::F32),
            OperandKind::P | OperandKind::D | OperandKind::Addr => (ScalarType::B64, ScalarType::F64),
        };
        let (ty, is_moved) = written(words.text(pc), name).unwrap_or((bits, true));
        let ty = match kind {
            OperandKind::P => ScalarType::Pred,
            _ if is_moved && ty.bytes() == bits.bytes() && names.is_read_as_float(name) => float,
            _ => ty,
        };
        Self { kind, ty, format }
    }

    /// Returns the text of a value as the console prints it: a float as a float, another value in
    /// hexadecimal.
    pub fn plain_text(self, bits: u64) -> String {
        let float = Some(natural(self.ty)).filter(|natural| *natural == Format::Float);
        value(self.kind, self.format.or(float), bits)
    }

    /// Returns the same reading with the format of its type, without the bits beside it.
    #[must_use]
    pub fn natural(self) -> Self {
        Self { format: self.format.or(Some(natural(self.ty))), ..self }
    }

    /// Returns the reading of a 32-bit number.
    pub fn number(format: Option<Format>) -> Self {
        Self { kind: OperandKind::W, ty: ScalarType::U32, format }
    }

    /// Returns the reading of a variable in memory.
    pub fn of_type(ty: ScalarType, format: Option<Format>) -> Self {
        let kind = if ty.bytes() == 8 { OperandKind::D } else { OperandKind::W };
        Self { kind, ty, format }
    }

    /// Returns the text of a value.
    pub fn text(self, bits: u64) -> String {
        let natural = natural(self.ty);
        let format = self.format.unwrap_or(natural);
        let narrow = u64::from(self.ty.bytes()) * 8;
        let bits = match (narrow, format) {
            (8, Format::Signed) => bits as u8 as i8 as i32 as u32 as u64,
            (16, Format::Signed) => bits as u16 as i16 as i32 as u32 as u64,
            _ => bits,
        };
        let text = value(self.kind, Some(format), bits);
        if self.format.is_some() || natural == Format::Hex || self.kind == OperandKind::P {
            return text;
        }
        format!("{text} ({})", value(self.kind, Some(Format::Hex), bits))
    }

    /// Returns the text of the first lanes, or of all if they are equal. Lanes outside of `lanes`
    /// have no value.
    pub fn summary(self, values: &[u64; 32], lanes: u32) -> String {
        let plain = Self { format: Some(self.format.unwrap_or(natural(self.ty))), ..self };
        let known: Vec<u64> =
            (0..32).filter(|lane| lanes >> lane & 1 == 1).map(|lane| values[lane]).collect();
        match known.first() {
            None => "no lane has a value".to_owned(),
            Some(first) if known.iter().all(|one| one == first) => {
                let of = if lanes == u32::MAX { "all" } else { "its" };
                format!("{} in {of} lanes", self.text(*first))
            }
            Some(_) => {
                let lane = |lane: usize| match lanes >> lane & 1 {
                    1 => plain.text(values[lane]),
                    _ => "-".to_owned(),
                };
                let first: Vec<String> = (0..SUMMARY).map(lane).collect();
                format!("[{}, …]", first.join(", "))
            }
        }
    }
}

/// Returns the value of one lane, by kind of row and format.
pub fn value(kind: OperandKind, format: Option<Format>, value: u64) -> String {
    let bits = match kind {
        OperandKind::P => return value.to_string(),
        OperandKind::W => 32,
        OperandKind::D | OperandKind::Addr => 64,
    };
    match (format.unwrap_or(Format::Hex), bits) {
        (Format::Hex, 32) => format!("{value:#010x}"),
        (Format::Hex, _) => format!("{value:#018x}"),
        (Format::Signed, 32) => (value as u32 as i32).to_string(),
        (Format::Signed, _) => (value as i64).to_string(),
        (Format::Unsigned, _) => value.to_string(),
        (Format::Float, 32) => format!("{:?}", f32::from_bits(value as u32)),
        (Format::Float, _) => format!("{:?}", f64::from_bits(value)),
        (Format::Binary, 32) => format!("{value:#034b}"),
        (Format::Binary, _) => format!("{value:#066b}"),
        (Format::Octal, _) => format!("0{value:o}"),
        (Format::Char, _) => character(value as u8),
    }
}

/// Returns a character with its number, as GDB prints it.
pub fn character(byte: u8) -> String {
    let text: String = std::ascii::escape_default(byte).map(char::from).collect();
    format!("{} '{text}'", byte as i8)
}

/// Returns little-endian bytes as a number.
pub fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Returns the elements of a kernel parameter, given by its index, as text.
pub fn parameter(session: &Session<'_>, index: usize, format: Option<Format>) -> Option<Vec<String>> {
    let param = &session.program().params[index];
    let reading = Reading::of_type(param.ty, format);
    let size = param.ty.bytes().max(1) as usize;
    let element = |bytes: &[u8]| reading.text(bits(bytes));
    Some(session.param(index)?.chunks(size).map(element).collect())
}

/// The format of a type.
fn natural(ty: ScalarType) -> Format {
    match ty {
        ScalarType::F32 | ScalarType::F64 => Format::Float,
        ScalarType::S8 | ScalarType::S16 | ScalarType::S32 | ScalarType::S64 => Format::Signed,
        ScalarType::U8 | ScalarType::U16 | ScalarType::U32 | ScalarType::U64 | ScalarType::Pred => {
            Format::Unsigned
        }
        ScalarType::B8 | ScalarType::B16 | ScalarType::B32 | ScalarType::B64 | ScalarType::F16 => Format::Hex,
    }
}

/// The type of the value that an instruction writes to a register, and whether the instruction only
/// moves the value. The text may have several fused instructions.
fn written(text: &str, register: &str) -> Option<(ScalarType, bool)> {
    let own = |part: &&str| part.split([' ', ',', '{', '}', '|']).any(|word| word == register);
    let part = text.split(" + ").find(own)?;
    let opcode = part.split(' ').find(|word| !word.starts_with('@'))?;
    let ty = opcode.split('.').skip(1).find_map(ScalarType::from_name)?;
    let moves = ["mov", "ld", "ldu", "selp", "atom"].contains(&opcode.split('.').next().unwrap_or(""));
    let is_moved = moves || matches!(ty, ScalarType::B32 | ScalarType::B64);
    let ty = match ty {
        ScalarType::S16 if opcode.contains(".wide.") => ScalarType::S32,
        ScalarType::U16 if opcode.contains(".wide.") => ScalarType::U32,
        ScalarType::S32 if opcode.contains(".wide.") => ScalarType::S64,
        ScalarType::U32 if opcode.contains(".wide.") => ScalarType::U64,
        other => other,
    };
    Some((ty, is_moved))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_the_type_of_its_writer() {
        let ty = |text| written(text, "%a");
        assert_eq!(ty("@%p ld.global.f32 %a, [%b]"), Some((ScalarType::F32, true)));
        assert_eq!(ty("cvt.rn.f32.s32 %a, %b"), Some((ScalarType::F32, false)));
        assert_eq!(ty("mul.wide.s32 %a, %b, 4"), Some((ScalarType::S64, false)));
        assert_eq!(ty("mul.f32 %x, %y, %z + add.s32 %a, %x, %y"), Some((ScalarType::S32, false)));
        assert_eq!(ty("and.b32 %a, %x, %y"), Some((ScalarType::B32, true)));
        assert_eq!(ty("bra next"), None);
    }

    #[test]
    fn values_are_shown_in_their_type_and_in_hex() {
        let text = |ty, bits| Reading::of_type(ty, None).text(bits);
        assert_eq!(text(ScalarType::F32, 0x3f80_0000), "1.0 (0x3f800000)");
        assert_eq!(text(ScalarType::S32, 0xffff_ffff), "-1 (0xffffffff)");
        assert_eq!(text(ScalarType::S8, 0xff), "-1 (0xffffffff)");
        assert_eq!(text(ScalarType::B32, 16), "0x00000010");
        let reading = Reading::of_type(ScalarType::U32, None);
        assert_eq!(reading.summary(&[5; 32], u32::MAX), "5 (0x00000005) in all lanes");
        let counted = std::array::from_fn(|lane| lane as u64);
        assert_eq!(reading.summary(&counted, !1), "[-, 1, 2, 3, 4, 5, 6, 7, …]");
    }
}
