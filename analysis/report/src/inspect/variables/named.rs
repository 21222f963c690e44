//! Names of PTX in expressions: registers, parameters, and arrays in memory; and the names that an
//! expression can use in a kernel.

use super::super::values::{Reading, bits};
use super::{At, Lanes, Place, Sight, Space, Ty, extended, special};
use crate::render::number::count;
use isa::types::ScalarType;
use isa::uop::Program;
use sim_core::debug::{Names, Poll};

impl<'a> Sight<'a, '_> {
    /// The last value of a PTX register; `None` if no instruction writes such a register.
    pub(super) fn ptx_register(&self, name: &str, poll: Poll<'_>) -> Option<Result<Place<'a>, String>> {
        let names = self.session.names();
        if !names.all().iter().any(|known| known == name) {
            return None;
        }
        let Some(found) = self.session.last_value(self.warp.sm, self.warp.slot, name, poll) else {
            let lines: Vec<String> = names.writers(name).map(|pc| self.words.place(pc).to_string()).collect();
            return Some(Err(format!(
                "the warp has not written `{name}`; line {} writes it",
                lines.join(", ")
            )));
        };
        let pc = found.parts.first().map_or(0, |part| part.pc);
        let Reading { ty, .. } = Reading::written(self.words, names, (name, found.kind, pc), None);
        let lane = |lane: usize| (found.lanes >> lane & 1 == 1).then_some(found.values[lane]);
        let mut place = Place::lanes(name, Ty::Number(ty), std::array::from_fn(lane));
        for part in &found.parts {
            let line = self.words.place(part.pc);
            if part.is_pending {
                let until =
                    part.arrives.map_or_else(String::new, |at| format!(", until cycle {}", count(at)));
                place.notes.push(format!("`{name}` is pending in memory: loaded by line {line}{until}"));
            } else if part.is_lost() {
                place
                    .notes
                    .push(format!("the value of line {line} exists only within its fused instruction"));
            }
        }
        if found.lanes == 0 {
            let why = place.notes.pop().unwrap_or_else(|| format!("`{name}` has no value"));
            return Some(Err(why));
        }
        Some(Ok(place))
    }

    /// A parameter of the kernel, or an array in shared, constant or global memory, by its name in
    /// PTX.
    pub(super) fn ptx_name(&self, name: &str) -> Option<Result<Place<'a>, String>> {
        let program = self.session.program();
        if let Some(index) = program.params.iter().position(|param| param.name == name) {
            let (ty, bytes) = (program.params[index].ty, self.session.param(index)?);
            if bytes.len() > ty.bytes() as usize {
                return Some(Err(format!("`{name}` has several elements; `print {name}` prints them")));
            }
            let value: Lanes = [Some(extended(ty, bits(bytes))); 32];
            return Some(Ok(Place::value(name, Ty::Number(ty), value)));
        }
        let array = |space, (start, bytes): (u32, u32), ty: ScalarType| {
            let at = At::Memory(space, [Some(start.into()); 32]);
            let count = bytes / ty.bytes().max(1);
            // An array that the launch sizes has any number of elements.
            let ty = if count == 1 { Ty::Number(ty) } else { Ty::Elements(ty, count.into()) };
            Some(Ok(Place::new(name, "", ty, at)))
        };
        if let Some(found) = program.shared.iter().find(|one| one.name == name) {
            return array(Space::Shared, (found.offset, found.bytes), found.ty);
        }
        if let Some(found) = program.consts.iter().find(|one| one.name == name) {
            return array(Space::Constant, (found.offset, found.bytes), found.ty);
        }
        let global = self.session.allocations().iter().find(|one| one.name.as_deref() == Some(name))?;
        array(Space::Global, (global.start, global.bytes), ScalarType::B32)
    }
}

/// Whether an expression in a kernel can use a name: of a variable, register or parameter, or of
/// memory. `names` are the registers of the program.
pub fn is_known(program: &Program, names: &Names, name: &str) -> bool {
    name == "$pc" || !special(name).is_empty() || known_names(program, names).any(|known| known == name)
}

/// Returns the names that expressions in a kernel can use.
pub fn known_names<'a>(program: &'a Program, names: &'a Names) -> impl Iterator<Item = &'a str> {
    let variables = program.ptx.variables();
    let is_of_program =
        |function: &str| function == program.name || program.functions.iter().any(|one| one.name == function);
    let locals = variables.locals.iter().filter(move |local| is_of_program(&local.function));
    let symbols = variables.symbols.iter().map(|symbol| &*symbol.name);
    let memory = program.shared.iter().chain(program.consts.iter()).map(|one| &*one.name);
    let params = program.params.iter().map(|param| &*param.name);
    let registers = names.all().iter().map(String::as_str);
    locals.map(|local| &*local.name).chain(symbols).chain(memory).chain(params).chain(registers)
}
