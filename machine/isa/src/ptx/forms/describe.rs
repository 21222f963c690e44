//! The table of forms as data for other crates: every form with its meaning, its minimum target and
//! its fidelity.

use super::classes::CLASSES;
use super::known::KNOWN;
use super::row::Row;
use super::table::FORMS;
use super::words::resolve;
use super::{Opcode, operands, pattern};
use crate::ptx::ast::Instruction;
use crate::sem::fidelity::Fidelity;
use crate::types::Version;

/// A row of the table of forms.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Opcode that its instructions are resolved to.
    pub opcode: Opcode,
    /// The form in the manual's notation, such as `add{.rnd}{.ftz}{.sat}.f32 d, a, b`.
    pub text: &'static str,
    /// One-line description.
    pub meaning: &'static str,
    /// Minimum `sm_` target.
    pub sm: u32,
    /// The PTX version that introduced the form, if the target does not determine it.
    pub since: Version,
    /// The PTX version that removed the form.
    pub removed: Option<Version>,
    /// Agreement of the results with the hardware; `None` for valid PTX that the simulator does not
    /// execute.
    pub fidelity: Option<Fidelity>,
    row: &'static Row,
}

impl Description {
    fn of(row: &'static Row) -> Self {
        Self {
            opcode: row.opcode,
            text: row.text,
            meaning: row.meaning.unwrap_or_else(|| row.opcode.meaning()),
            sm: row.sm,
            since: row.since,
            removed: row.removed,
            fidelity: row.executed.then(|| row.bound.into()),
            row,
        }
    }

    /// Returns the first word of the form.
    pub fn name(&self) -> &'static str {
        pattern::name(self.row)
    }

    /// Returns the operands as written in the form.
    pub fn operands(&self) -> Vec<&'static str> {
        pattern::operands(self.row)
    }

    /// Returns every instruction name of the form with its modifiers: `add.u16`, `add.u32`, …
    pub fn spellings(&self) -> Vec<String> {
        let mut names = vec![self.name().to_owned()];
        for item in pattern::items(self.row) {
            let longer = |name: &String| {
                let with = item.choices().map(|word| format!("{name}.{word}")).collect::<Vec<_>>();
                item.optional.then(|| name.clone()).into_iter().chain(with).collect::<Vec<_>>()
            };
            names = names.iter().flat_map(longer).collect();
        }
        names
    }
}

/// An instruction of PTX without a form in the table: its name, the PTX version that introduced it,
/// its minimum `sm_` target.
pub type Unsupported = (&'static str, (u8, u8), u32);

/// Returns the instructions of PTX without a form in the table, by name.
pub fn unsupported() -> &'static [Unsupported] {
    KNOWN
}

/// Returns the words that represent several modifiers in the forms: `.int` for `.u16`, `.u32`, …
pub fn classes() -> &'static [(&'static str, &'static [&'static str])] {
    &CLASSES
}

/// Returns every form in the order of the table.
pub fn all() -> impl Iterator<Item = Description> {
    FORMS.iter().map(Description::of)
}

/// Returns the form of an instruction, executed or not, for any module header; `None` if no form
/// matches.
pub fn description(inst: &Instruction) -> Option<Description> {
    let name = inst.opcode.name;
    let words: Vec<&str> = inst.modifiers.iter().map(|m| m.name).collect();
    let rows = pattern::ROWS.get(name).filter(|_| words.len() <= super::MAX_MODIFIERS)?.iter();
    let mut forms = rows.filter_map(|row| Some((*row, resolve(row, &pattern::words(row, &words)?))));
    forms.find(|(row, form)| operands::fit(row, form, inst)).map(|(row, _)| Description::of(row))
}

impl Opcode {
    /// Returns a one-line description: `d` is the result; `a`, `b`, `c` and `e` are operands with
    /// the names in the forms.
    #[expect(clippy::too_many_lines, reason = "each opcode has a line")]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Mov => "d = a, the address of a variable, or a special register",
            Self::Selp => "d = a if c is true, else b",
            Self::Add => "d = a + b",
            Self::Sub => "d = a - b",
            Self::Neg => "d = -a",
            Self::Abs => "d = |a|",
            Self::Min => "d = the smaller of a and b",
            Self::Max => "d = the larger of a and b",
            Self::Sad => "d = c + |a - b|",
            Self::Mul => "d = a × b",
            Self::Mad => "d = a × b + c",
            Self::Fma => "d = a × b + c, rounded once",
            Self::Mul24 => "d = one half of the 48-bit product of the lower 24 bits of a and b",
            Self::Mad24 => "d = one half of the 48-bit product of the lower 24 bits of a and b, plus c",
            Self::Div => "d = a / b",
            Self::Rcp => "d = 1 / a",
            Self::Sqrt => "d = √a",
            Self::Rsqrt => "d = 1 / √a",
            Self::Copysign => "d = b with the sign of a",
            Self::Testp => "p = whether a is finite, infinite, a number, …",
            Self::Rem => "d = remainder of a / b",
            Self::Sin => "d = sin a, a in radians",
            Self::Cos => "d = cos a, a in radians",
            Self::Lg2 => "d = log₂ a",
            Self::Ex2 => "d = 2^a",
            Self::And => "d = bitwise and of a and b",
            Self::Or => "d = bitwise or of a and b",
            Self::Xor => "d = bitwise exclusive or of a and b",
            Self::Not => "d = bitwise complement of a",
            Self::Shl => "d = a shifted left by b, filled with zeros; 0 if b is at least the width",
            Self::Shr => "d = a shifted right by b, filled with zeros, or with the sign for a signed type",
            Self::Addc => "d = a + b + the condition code",
            Self::Subc => "d = a - b - 1 + the condition code",
            Self::Madc => "d = one half of a × b, plus c and the condition code",
            Self::Cnot => "d = 1 if a is 0, else 0",
            Self::Popc => "d = number of one bits in a",
            Self::Clz => "d = number of leading zeros of a",
            Self::Brev => "d = a with its bits reversed",
            Self::Bfind => {
                "d = position of the highest bit of a that differs from its sign; all ones if there is none"
            }
            Self::Bfe => "d = c bits of a from bit b on, zero-extended or sign-extended",
            Self::Bfi => "d = b with e bits from position c on replaced by the lowest bits of a",
            Self::Prmt => "d = four of the eight bytes of a and b, selected by c",
            Self::Shf => "d = one half of the 64 bits of b and a, shifted by c",
            Self::Lop3 => "d = bitwise operation on a, b and c with the truth table i",
            Self::Vadd => "d = a + b, with a second operation on c, or as a part of c",
            Self::Vsub => "d = a - b, with a second operation on c, or as a part of c",
            Self::Vabsdiff => "d = |a - b|, with a second operation on c, or as a part of c",
            Self::Vmin => "d = the smaller of a and b, with a second operation on c, or as a part of c",
            Self::Vmax => "d = the larger of a and b, with a second operation on c, or as a part of c",
            Self::Vshl => "d = a shifted left by b, with a second operation on c, or as a part of c",
            Self::Vshr => "d = a shifted right by b, with a second operation on c, or as a part of c",
            Self::Vset => {
                "d = 1 if the comparison is true, else 0; with a second operation on c, or as a part of c"
            }
            Self::Vmad => "d = a × b + c, shifted to the right",
            Self::Set => "d = all ones, or 1.0, if the comparison of a and b is true, else 0",
            Self::Slct => "d = a if c ≥ 0, else b",
            Self::Cvt => "d = a converted to another type",
            Self::Cvta => "d = generic address of an address or variable in the space",
            Self::CvtaTo => "d = address in the space for generic address u",
            Self::Isspacep => "p = whether generic address u is in the space",
            Self::Setp => "p = comparison of a and b, q = its negation; each combined with c",
            Self::Ld => "d = value at the address",
            Self::St => "value at the address = b",
            Self::Atom => {
                "d = value at the address, which is replaced atomically by the operation on it and b (and c)"
            }
            Self::Red => "replaces the value at the address atomically by the operation on it and b",
            Self::Tex => "d = the texel, or the filtered texels, of texture t at coordinates c",
            Self::Txq => "d = a property of texture t",
            Self::Suld => "d = bytes of surface s at byte x, or at byte x of row y",
            Self::Sust => "bytes of surface s at byte x, or at byte x of row y = b",
            Self::Suq => "d = a property of surface s",
            Self::Vote => {
                "p = vote over the predicates of the warp's active lanes; or d = these predicates, one bit per lane"
            }
            Self::VoteSync => {
                "p = vote over the predicates of the active lanes that mask b names; or d = these predicates, one bit per lane"
            }
            Self::Activemask => "d = the active lanes of the warp, one bit per lane",
            Self::Shfl | Self::ShflSync => {
                "d = a in another lane, which b, c and the mode select; p = whether it is inside the bound in c, otherwise d = a"
            }
            Self::Prefetch => "prefetches a line into a cache; no effect here",
            Self::Bra => "branches to t",
            Self::BarSync => {
                "waits until all threads of the block, or m threads, have arrived at the barrier"
            }
            Self::BarArrive => "arrives at the barrier of m threads and does not wait",
            Self::BarRed => "waits like bar.sync; d = number of threads of the block with c true",
            Self::BarWarp => {
                "waits for the lanes of the warp that the mask names; none is waited for in lockstep"
            }
            Self::Membar => {
                "waits until the thread's accesses are visible to its block, the chip, or the system"
            }
            Self::Call => {
                "calls a function: (results), name, (arguments); or, with a prototype, the function at an address in a register"
            }
            Self::Ret => "returns from a function; in a kernel, ends the thread",
            Self::Exit => "ends the thread",
            Self::Brkpt => "stops the kernel (breakpoint)",
            Self::Trap => "stops the kernel with an error",
            Self::Pmevent => "triggers performance monitor event k; no effect here",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_expands_to_all_its_names() {
        let form = all().find(|form| form.text.starts_with("add{.rnd}")).expect("a row of add");
        let names = form.spellings();
        assert_eq!((form.name(), form.operands()), ("add", vec!["d", "a", "b"]));
        assert_eq!(names.len(), 3 * 2 * 2);
        assert!(names.iter().any(|name| name == "add.f32"));
        assert!(names.iter().any(|name| name == "add.rz.ftz.sat.f32"));
    }
}
