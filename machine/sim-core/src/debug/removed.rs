//! Registers of the PTX text that a program does not write, because the optimizer has removed their
//! computation.

use super::names::destinations;
use isa::ptx::ast::{Function, Instruction, Statement};
use isa::ptx::parse::parse_part;
use isa::span::LineIndex;
use isa::uop::Program;

/// Returns the line of the first instruction of a kernel, or of a function that it calls, whose
/// text writes a register `name`.
pub fn written_in_text(program: &Program, name: &str) -> Option<u32> {
    let text = &*program.ptx.text;
    let is_part = |function: &Function| {
        let name = function.name.name;
        name == program.name || program.functions.iter().any(|known| known.name == function.title())
    };
    for part in program.ptx.ranges() {
        let (tree, _) = parse_part(&text[..part.end], part.start);
        for function in tree.functions.iter().filter(|function| is_part(function)) {
            let found = function.body.as_deref().and_then(|body| first_writer(text, body, name));
            if let Some(writer) = found {
                let line = LineIndex::new(text).line(writer.span.start);
                return Some(program.ptx.listing().map_or(line, |listing| listing.line(line)));
            }
        }
    }
    None
}

fn first_writer<'a, 't>(
    text: &str,
    statements: &'a [Statement<'t>],
    name: &str,
) -> Option<&'a Instruction<'t>> {
    statements.iter().find_map(|statement| match statement {
        Statement::Instruction(instruction) => {
            let own = text.get(instruction.span.range()).unwrap_or("");
            destinations(own).any(|written| written == name).then_some(&**instruction)
        }
        Statement::Block(inner) => first_writer(text, inner, name),
        _ => None,
    })
}
