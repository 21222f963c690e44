//! Expressions: a register, a lane of it, a parameter, or memory, with a format.

use super::frames::Frame;
use super::groups::Elements;
use super::memory::{self, Space};
use super::protocol::Variable;
use super::variables::{VariableContext, fact};
use crate::front::command::{Address, Command, Examined};
use crate::front::parse;
use isa::sreg::SReg;
use isa::types::ScalarType;
use report::inspect::values::{Reading, bits};
use report::inspect::variables::special;
use sim_core::debug::written_in_text;

/// Evaluates a variable of CUDA C such as `tile[ty][3]`, `%r3`, `%r3[5]`, `%r3,x`, `%tid.x`, a
/// parameter, a variable in shared memory, `shared ADDR` or `global ADDR`. The `%` may be missing,
/// as in a word under the pointer.
///
/// # Errors
/// The expression is none of these, or has no value.
pub fn evaluate(
    place: &mut VariableContext<'_, '_>,
    frame: Option<Frame>,
    text: &str,
) -> Result<Variable, String> {
    let mut text = text.trim();
    if let Some((before, letter)) = text.rsplit_once(',')
        && let [letter] = letter.trim().chars().collect::<Vec<_>>().as_slice()
        && let Some(format) = parse::format_of(*letter)
    {
        place.format = Some(format);
        text = before.trim();
    }
    if text.starts_with("shared ") || text.starts_with("global ") {
        return word(place, frame, text);
    }
    let frame = frame.ok_or("no warp is resident")?;
    let (name, index) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((name, index)) => (name.trim(), index.trim().parse::<usize>().ok()),
        None => (text, None),
    };
    let named = Name { frame, name, index };
    // A register, a parameter or an array of PTX, which is shown with its parts; another expression
    // has values only.
    let is_whole = name == text || index.is_some();
    if is_whole && !place.has_variable(name) {
        let found = named.register(place)?.or(named.special(place)?);
        let found = found.or(named.parameter(place)).or(named.shared(place)?);
        if let Some(found) = found {
            return Ok(found);
        }
    }
    place.expression(frame, text).unwrap_or_else(|| Err({
        let program = place.session.program();
        let removed = named.spellings().iter().find_map(|name| written_in_text(program, name));
        let is_written = named.spellings().iter().any(|name| place.session.names().all().contains(name));
        match removed.filter(|_| !is_written) {
            Some(line) => {
                let line = program.source.files().place(line);
                format!("the optimizer removed `{name}`, which line {line} writes; -O0 keeps it")
            }
            None => format!(
                "`{name}` has no value: the warp has not written such a register, and there is no such variable"
            ),
        }
    }))
}

/// A name and the index behind it.
struct Name<'t> {
    frame: Frame,
    name: &'t str,
    index: Option<usize>,
}

impl Name<'_> {
    /// The name, and the name with `%`.
    fn spellings(&self) -> [String; 2] {
        [self.name.to_owned(), format!("%{}", self.name)]
    }

    fn lane(&self) -> Result<Option<usize>, String> {
        match self.index {
            Some(lane) if lane > 31 => Err(format!("lane {lane} does not exist; a warp has lanes 0 to 31")),
            index => Ok(index),
        }
    }

    /// The register with this name: its value, or its last value if it is not live.
    fn register(&self, place: &mut VariableContext<'_, '_>) -> Result<Option<Variable>, String> {
        let lane = self.lane();
        for name in self.spellings() {
            let Frame { sm, slot, .. } = self.frame;
            if !place.session.names().all().contains(&name) {
                continue;
            }
            let Some(found) = place.session.last_value_now(sm, slot, &name) else { continue };
            if found.parts.iter().any(|part| part.is_pending) && found.lanes == 0 {
                return Err(format!("`{name}` is pending in memory"));
            }
            let Some(lane) = lane? else { return Ok(Some(place.last_value(self.frame, &name, &found))) };
            if found.lanes >> lane & 1 == 0 {
                return Err(format!("lane {lane} has no value of `{name}`"));
            }
            let reading = place.reading(&name, &found);
            let value = fact(format!("{name}[{lane}]"), reading.text(found.values[lane]));
            return Ok(Some(Variable { ty: Some(reading.ty.to_string()), ..value }));
        }
        Ok(None)
    }

    fn special(&self, place: &mut VariableContext<'_, '_>) -> Result<Option<Variable>, String> {
        let lane = self.lane();
        let found = self.spellings().iter().map(|name| special(name)).find(|all| !all.is_empty());
        let Some(all) = found else { return Ok(None) };
        let [(name, register)] = all.as_slice() else {
            let component = |(name, register): &(&'static str, SReg)| {
                let value = place.special(self.frame, name, *register)?.value;
                Some(format!("{} = {value}", name.rsplit('.').next().unwrap_or(name)))
            };
            let components: Vec<String> = all.iter().filter_map(component).collect();
            return Ok(Some(fact(self.name, components.join(", "))));
        };
        match lane? {
            None => Ok(place.special(self.frame, name, *register)),
            Some(lane) => {
                let Some(values) = place.session.special(self.frame.sm, self.frame.slot, *register) else {
                    return Ok(None);
                };
                let text = Reading::number(place.format).text(values[lane].into());
                Ok(Some(fact(format!("{name}[{lane}]"), text)))
            }
        }
    }

    fn parameter(&self, place: &VariableContext<'_, '_>) -> Option<Variable> {
        let params = &place.session.program().params;
        let index = params.iter().position(|param| param.name == self.name)?;
        place.parameter(index)
    }

    fn shared(&self, place: &mut VariableContext<'_, '_>) -> Result<Option<Variable>, String> {
        let program = std::sync::Arc::clone(place.session.program());
        let Some(symbol) = program.shared.iter().find(|symbol| symbol.name == self.name) else {
            return Ok(None);
        };
        let Some(array) = place.shared_symbol(self.frame, symbol) else { return Ok(None) };
        let Some(index) = self.index else { return Ok(Some(array)) };
        let super::groups::Group::Elements(elements) = place.groups.get(array.variables_reference)?.clone()
        else {
            return Ok(None);
        };
        let Elements { count, .. } = elements;
        let element = place.element(&elements, index);
        element.map(Some).ok_or_else(|| format!("`{}` has {count} elements", self.name))
    }
}

/// Four bytes of memory.
fn word(place: &VariableContext<'_, '_>, frame: Option<Frame>, text: &str) -> Result<Variable, String> {
    let Some(Command::Examine(_, Examined::Memory(address))) = parse::parse(&format!("x {text}"))? else {
        return Err(format!("`{text}` is not an address"));
    };
    let (space, address) = match address {
        Address::Global(address) => (Space::Global, address),
        Address::Shared(address) => {
            let warp = frame.and_then(|frame| place.session.warp(frame.sm, frame.slot));
            (Space::Shared(warp.ok_or("no warp is resident")?.block), address)
        }
    };
    let bytes = memory::bytes(place.session, space, address, 4);
    let bytes = bytes.ok_or_else(|| format!("`{text}` is outside of the memory"))?;
    let reading = Reading::of_type(ScalarType::B32, place.format);
    Ok(Variable {
        memory_reference: Some(memory::reference(space, address)),
        ty: Some(reading.ty.to_string()),
        ..fact(text, reading.text(bits(&bytes)))
    })
}
