//! Statements that concern only one thread: operations, private memory, calls.

use super::super::frame::{ALIGNED, FIRST_DOUBLE, SLOT_BYTES};
use super::super::ops::List;
use super::super::tree::{DOUBLES, FLOATS, Op, WIDES, WORDS, Width};
use super::Printer;

/// Vectors: element type, letter of the register, and count.
const VECTORS: [(&str, char, u32); 9] = [
    ("u32", 'r', 2),
    ("u32", 'r', 4),
    ("f32", 'f', 2),
    ("u64", 'd', 2),
    ("s16", 'r', 2),
    ("u16", 'r', 4),
    ("u8", 'r', 2),
    ("s8", 'r', 4),
    ("f64", 'e', 2),
];

impl Printer {
    /// Prints the instructions of an operation, each with the guard.
    pub(super) fn op(&mut self, op: &Op, guard: &str) {
        let Op { list, op, dst, a, b, c, imm } = *op;
        let mut text = list.template(op, self.sm).to_owned();
        if let (List::Int, Some(imm)) = (list, imm) {
            text = text.replace("$rb", &(imm & 0x7fff_ffff).to_string());
        }
        for (letter, count, register) in
            [('r', WORDS, "r"), ('f', FLOATS, "f"), ('w', WIDES, "d"), ('e', DOUBLES, "e")]
        {
            for (role, number) in [('d', dst), ('a', a), ('b', b), ('c', c)] {
                text = text.replace(&format!("${letter}{role}"), &format!("%{register}{}", number % count));
            }
        }
        let text = text
            .replace("$own", "%dense")
            .replace("$double", "%double")
            .replace("$mine", "%mine")
            .replace("$slot", "%slot");
        for instruction in text.split("; ") {
            self.line(&format!("{guard}{instruction};"));
        }
    }

    pub(super) fn vector(&mut self, store: bool, form: u8, reg: u8, part: u8, guard: &str) {
        let forms = if self.sm >= FIRST_DOUBLE { &VECTORS[..] } else { &VECTORS[..8] };
        let (ty, letter, count) = forms[usize::from(form) % forms.len()];
        let of_kind = match letter {
            'r' => WORDS,
            'f' => FLOATS,
            'd' => WIDES,
            _ => DOUBLES,
        };
        let elements: Vec<String> =
            (0..count).map(|i| format!("%{letter}{}", (u32::from(reg) + i) % u32::from(of_kind))).collect();
        let elements = elements.join(", ");
        let bits: u32 = ty[1..].parse().expect("types end with their bits");
        let bytes = count * bits / 8;
        let offset = u32::from(part) % (ALIGNED / bytes) * bytes;
        if store {
            self.line(&format!("{guard}st.global.v{count}.{ty} [%aligned+{offset}], {{{elements}}};"));
        } else {
            self.line(&format!("{guard}ld.global.v{count}.{ty} {{{elements}}}, [%aligned+{offset}];"));
        }
    }

    pub(super) fn access(
        &mut self,
        guard: &str,
        store: bool,
        space: &str,
        width: Width,
        reg: u8,
        address: &str,
    ) {
        let ty = match (width, store) {
            (Width::U8, _) | (Width::S8, true) => "u8",
            (Width::S8, false) => "s8",
            (Width::U16, _) | (Width::S16, true) => "u16",
            (Width::S16, false) => "s16",
            (Width::B32, _) => "u32",
            (Width::B64, _) => "u64",
        };
        let reg = if width == Width::B64 { format!("%d{}", reg % WIDES) } else { format!("%r{reg}") };
        if store {
            self.line(&format!("{guard}st.{space}.{ty} [{address}], {reg};"));
        } else {
            self.line(&format!("{guard}ld.{space}.{ty} {reg}, [{address}];"));
        }
    }

    /// Prints an access to the thread's local memory at an index from a register.
    pub(super) fn slot(&mut self, store: bool, width: Width, reg: u8, index: u8, guard: &str) {
        let mask = (SLOT_BYTES - 1) & !(width.bytes() - 1);
        self.line(&format!("and.b32 %t0, %r{index}, {mask};"));
        self.line("add.u32 %t0, %t0, %slot;");
        self.access(guard, store, "local", width, reg, "%t0");
    }

    /// Prints a call of the module's functions; through a pointer, if the target supports it.
    pub(super) fn call(&mut self, callee: u8, dst: u8, a: u8, b: u8, guard: &str) {
        self.calls = true;
        let name = match callee & 5 {
            5 if self.sm >= 20 => "deep",
            0 | 4 => "mix",
            _ => "twice",
        };
        if self.sm < 20 || callee & 2 == 0 {
            self.line(&format!("{guard}call (%r{dst}), {name}, (%r{a}, %r{b});"));
        } else {
            // Some lanes call one function, some the other.
            self.line(&format!("and.b32 %t0, %r{b}, 4;\nsetp.ne.u32 %q, %t0, 0;"));
            self.line("mov.u32 %t0, mix;\n@%q mov.u32 %t0, twice;");
            self.line(&format!("{guard}call (%r{dst}), %t0, (%r{a}, %r{b}), ALIKE;"));
        }
    }
}
