//! Double precision below `sm_13`: instructions of type `.f64` become instructions of type `.f32`.
//!
//! These chips have no double precision. A variable keeps its 64 bits, of which the instructions
//! use the lower half (PTX ISA 2.3, ".target"). A register of type `.f64` becomes one of type
//! `.f32`. The module is changed before names are resolved, so all later passes see `.f32` only.
//!
//! In a module that is lowered from a newer target, memory keeps doubles, and the pass
//! [`retarget`](crate::retarget) has replaced their loads and stores.

use crate::diag::Diagnostic;
use crate::ptx::ast::{
    Ast, Function, Ident, Init, Instruction, Literal, Operand, OperandKind, Statement, Variable,
};
use crate::ptx::forms;
use crate::ptx::header::Header;
use crate::span::Span;
use crate::types::{ScalarType, StateSpace, Version};

/// Code of the warning about double precision.
const WARNING: &str = "W0303";

/// Bytes of a value of type `.f64` in memory.
const DOUBLE_BYTES: i64 = 8;

/// Rewrites a module for a target without double precision. Instructions that the header does not
/// allow remain for the check of forms. A warning shows the first use.
pub fn demote(tree: &mut Ast, diagnostics: &mut Vec<Diagnostic>) {
    let header = Header::of(tree);
    let Some(target) = header.target().filter(|target| *target < 13) else { return };
    let lowered = header.is_lowered();
    let mut pass = Pass { header, first: None };
    for variable in &mut tree.variables {
        pass.variable(variable);
    }
    for function in &mut tree.functions {
        pass.function(function);
    }
    let known = lowered && diagnostics.iter().any(|found| found.code == WARNING);
    diagnostics.extend(pass.first.filter(|_| !known).map(|span| double_warning(span, target, lowered)));
}

/// Returns the warning at the first use of double precision on `sm_target`. `lowered`: in a module
/// that is lowered from a newer target.
pub fn double_warning(span: Span, target: u32, lowered: bool) -> Diagnostic {
    let message = format!("double precision requires sm_13: computed in single precision for sm_{target}");
    let label = "the first use of .f64";
    let note = if lowered {
        "a double in memory keeps its 8 bytes: a load rounds it to .f32, a store extends the .f32"
    } else {
        "a value of type .f64 is a .f32 in the lower half of its 8 bytes"
    };
    Diagnostic::warning(WARNING, span, message).label(label).note(note)
}

struct Pass {
    header: Header,
    /// The first use of a value of type `.f64`.
    first: Option<Span>,
}

impl Pass {
    fn function(&mut self, function: &mut Function) {
        if !function.entry {
            function.params.iter_mut().chain(&mut function.returns).for_each(|param| self.variable(param));
        }
        if let Some(body) = &mut function.body {
            *body = self.statements(std::mem::take(body));
        }
    }

    fn statements<'t>(&mut self, statements: Vec<Statement<'t>>) -> Vec<Statement<'t>> {
        let mut out = Vec::with_capacity(statements.len());
        for statement in statements {
            match statement {
                Statement::Variable(mut variable) => {
                    self.variable(&mut variable);
                    out.push(Statement::Variable(variable));
                }
                Statement::Block(inner) => {
                    out.push(Statement::Block(self.statements(inner.into_vec()).into_boxed_slice()));
                }
                Statement::Instruction(inst) => {
                    let parts = self.instruction(*inst);
                    out.extend(parts.into_iter().map(|inst| Statement::Instruction(Box::new(inst))));
                }
                Statement::Label(_) | Statement::CallTable(_) | Statement::Loc { .. } => out.push(statement),
            }
        }
        out
    }

    /// Changes the type of a register, or the initial values of a variable.
    fn variable(&mut self, variable: &mut Variable) {
        if variable.ty != ScalarType::F64 {
            return;
        }
        if variable.space == StateSpace::Reg {
            variable.ty = ScalarType::F32;
            return;
        }
        // In a module that is lowered from a newer target, memory has doubles.
        if self.header.is_lowered() {
            return;
        }
        for init in variable.init.iter_mut().flatten() {
            if let Init::Value(Literal::F64(bits), span) = init {
                self.first = self.first.or(Some(*span));
                let half = u64::from(narrowed(*bits));
                // The bits of a double whose lower half is the value.
                *init = Init::Value(Literal::F64(half), *span);
            }
        }
    }

    /// Returns the instructions of type `.f32` for an instruction; other instructions as they are.
    fn instruction<'t>(&mut self, mut inst: Instruction<'t>) -> Vec<Instruction<'t>> {
        let double = inst.modifiers.iter().any(|word| word.name == "f64");
        if !double || forms::form_in(&inst, &self.header).is_err() {
            return vec![inst];
        }
        self.first = self.first.or(Some(inst.span));
        inst.modifiers = self.words(&inst).into();
        if inst.opcode.name == "fma" {
            inst.opcode.name = "mad";
        }
        inst.operands.iter_mut().for_each(narrow);
        split(inst)
    }

    /// Returns the modifiers of the instruction of type `.f32`.
    fn words<'t>(&self, inst: &Instruction<'t>) -> Vec<Ident<'t>> {
        let old = |name: &str| inst.modifiers.iter().any(|word| word.name == name);
        // Up to PTX 1.3, an approximation has no modifier.
        let explicit = self.header.version().is_none_or(|version| version >= Version::new(1, 4));
        let of_double = inst.modifiers.first().is_some_and(|_| old("f64") && old("f32"));
        let rounding = |word: &str| matches!(word, "rn" | "rz" | "rm" | "rp");
        let mut words: Vec<Ident> = inst.modifiers.to_vec();
        match inst.opcode.name {
            // There is no fused multiply-add.
            "mad" | "fma" => words.retain(|word| !rounding(word.name)),
            "cvt" if of_double => words.retain(|word| !rounding(word.name)),
            "div" | "rcp" | "sqrt" | "rsqrt" => {
                words.retain(|word| word.name == "f64");
                let name = if inst.opcode.name == "div" { "full" } else { "approx" };
                if explicit {
                    words.insert(0, Ident { name, span: inst.opcode.span });
                }
            }
            _ => {}
        }
        for word in words.iter_mut().filter(|word| word.name == "f64") {
            word.name = "f32";
        }
        words
    }
}

/// Changes the numbers of an operand.
fn narrow(operand: &mut Operand) {
    match &mut operand.kind {
        OperandKind::Literal(literal) => {
            if let Literal::F64(bits) = *literal {
                *literal = Literal::F32(narrowed(bits));
            }
        }
        OperandKind::Vector(elements) => elements.iter_mut().for_each(narrow),
        OperandKind::Name(_)
        | OperandKind::NameOffset(..)
        | OperandKind::Not(_)
        | OperandKind::Part { .. }
        | OperandKind::Pair(..)
        | OperandKind::Memory { .. }
        | OperandKind::List(_)
        | OperandKind::Sink => {}
    }
}

/// Returns the bits of the f32 nearest to a double.
fn narrowed(bits: u64) -> u32 {
    (f64::from_bits(bits) as f32).to_bits()
}

/// Divides an access of two doubles into two accesses, because its values are 8 bytes apart.
fn split(inst: Instruction<'_>) -> Vec<Instruction<'_>> {
    let pair = inst.modifiers.iter().any(|word| word.name == "v2");
    let place = inst.operands.iter().position(|operand| matches!(operand.kind, OperandKind::Vector(_)));
    let (true, Some(place)) = (pair, place) else { return vec![inst] };
    let OperandKind::Vector(elements) = inst.operands[place].kind.clone() else { return vec![inst] };
    let mut parts = Vec::new();
    for (element, at) in elements.into_iter().zip([0, DOUBLE_BYTES]) {
        if matches!(element.kind, OperandKind::Sink) {
            continue;
        }
        let mut one = inst.clone();
        one.modifiers = inst.modifiers.iter().filter(|word| word.name != "v2").copied().collect();
        one.operands[place] = element;
        for operand in &mut one.operands {
            if let OperandKind::Memory { offset, .. } = &mut operand.kind {
                *offset = offset.wrapping_add(at);
            }
        }
        parts.push(one);
    }
    parts
}

#[cfg(test)]
mod tests {
    use crate::uop::{Module, Program};

    fn module(text: &str) -> Module {
        let (module, diagnostics) = crate::compile("k.ptx", text);
        module.unwrap_or_else(|| panic!("{}", crate::diag::render_all(&diagnostics, "k.ptx", text)))
    }

    fn program(header: &str, body: &str) -> Program {
        let text = format!(
            "{header}\n.global .f64 g[2] = {{1.5, -0.1}};\n.entry k\n{{\n.reg .f64 %e<9>; .reg .f32 %f<9>; .reg .u32 %r<9>; .reg .pred %p;\n{body}\n}}\n"
        );
        let (_, diagnostics) = crate::compile("k.ptx", &text);
        let codes: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["W0303"], "{}", crate::diag::render_all(&diagnostics, "k.ptx", &text));
        (*module(&text).entries[0]).clone()
    }

    /// PTX ISA 2.3, ".target".
    #[test]
    fn double_precision_is_computed_in_single_precision() {
        let body = "ld.global.f64 %e1, [%r1]; ld.global.v2.f64 {%e2, %e3}, [%r1+16];\n\
                    add.rn.f64 %e4, %e1, %e2; mad.rn.f64 %e4, %e4, %e3, 0d3FF8000000000000; div.rn.f64 %e4, %e4, %e1;\n\
                    cvt.f64.f32 %e5, %f1; cvt.rn.f64.s32 %e6, %r2; mul.f64 %e5, %e5, %e6; mul.f64 %e4, %e4, %e5;\n\
                    cvt.rn.f32.f64 %f2, %e4; st.global.f32 [%r1], %f2; st.global.f64 [%r1+8], %e4;";
        for (header, option) in [("1.3", ", map_f64_to_f32"), ("1.4", ""), ("2.3", "")] {
            let program = program(&format!(".version {header}\n.target sm_12{option}"), body);
            let names: Vec<&str> = program.code.iter().map(|inst| inst.op.text()).collect();
            assert!(names.iter().all(|name| !name.contains("f64") && !name.contains("b64")), "{names:?}");
            let stores: Vec<u32> =
                program.code.iter().filter(|i| i.op.text() == "st.global.b32").map(|i| i.imm).collect();
            let loads: Vec<u32> =
                program.code.iter().filter(|i| i.op.text() == "ld.global.b32").map(|i| i.imm).collect();
            assert_eq!((stores, loads), (vec![0, 8], vec![0, 16, 24]));
            assert!(names.contains(&"mad.ftz.f32"), "{names:?}");
        }
    }

    #[test]
    fn initial_values_are_in_the_lower_half() {
        let text = ".version 1.4\n.target sm_10\n.global .f64 g[2] = {1.5, -0.1};\n.entry k { exit; }\n";
        let init = &module(text).globals[0].init;
        assert_eq!(init[..4], 1.5_f32.to_bits().to_le_bytes());
        assert_eq!(init[8..12], (-0.1_f32).to_bits().to_le_bytes());
        assert!(init[4..8].iter().chain(&init[12..]).all(|byte| *byte == 0));
    }
}
