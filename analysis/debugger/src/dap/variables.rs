//! The variables of a group.

use super::frames::Frame;
use super::groups::{Elements, Group, Groups, Lanes};
use super::memory::{self, Space};
use super::protocol::{Variable, Variables};
use isa::sreg::SReg;
use isa::types::ScalarType;
use isa::uop::{OperandKind, Symbol};
use report::inspect::registers::by_name;
use report::inspect::values::{Format, Reading, bits, parameter};
use report::inspect::variables::{Shown, Sight, never};
use report::inspect::{Fact, InFocus, Scene, Value};
use report::render::number::count;
use report::words::Words;
use sim_core::debug::{LastValue, Session};

/// Most elements of an array in one answer.
const MOST_ELEMENTS: usize = 1024;

/// State from which the variables of all groups are read.
pub struct VariableContext<'a, 's> {
    /// The stopped launch.
    pub session: &'a Session<'s>,
    /// Names of its instructions.
    pub words: &'a Words,
    /// Groups that the client knows.
    pub groups: &'a mut Groups,
    /// Format that the client asks for.
    pub format: Option<Format>,
}

/// A variable without parts.
pub fn fact(name: impl Into<String>, value: impl Into<String>) -> Variable {
    Variable { name: name.into(), value: value.into(), ..Variable::default() }
}

/// Lanes as text: all, one, or a mask.
fn lanes(mask: u32) -> String {
    match mask.count_ones() {
        0 => "none".to_owned(),
        32 => "all 32".to_owned(),
        1 => format!("lane {}", mask.trailing_zeros()),
        some => format!("{some} of 32 ({mask:#010x})"),
    }
}

/// The value of a fact as text; of a row those of its cells.
fn text(fact: &Fact) -> String {
    match &fact.value {
        Value::Lanes { active, .. } => lanes(*active),
        Value::None => {
            let cell = |cell: &Fact| match (&*cell.name, text(cell)) {
                ("", _) => None,
                (_, text) if text.is_empty() => None,
                (_, text) if matches!(cell.value, Value::Lanes { .. }) => Some(text),
                (name, text) => Some(format!("{name} {text}")),
            };
            fact.children.iter().filter_map(cell).collect::<Vec<_>>().join(", ")
        }
        value => value.text(),
    }
}

impl VariableContext<'_, '_> {
    /// Answers `variables`.
    ///
    /// # Errors
    /// There is no such group.
    pub fn variables(&mut self, wanted: &Variables) -> Result<Vec<Variable>, String> {
        let group = self.groups.get(wanted.variables_reference)?.clone();
        let count = if wanted.count == 0 { usize::MAX } else { wanted.count };
        if let Group::Elements(elements) = &group {
            return Ok(self.elements(elements, wanted.start, count));
        }
        let all = match group {
            Group::Locals(frame) => self.locals(frame),
            Group::Registers(frame) => self.registers(frame, false),
            Group::Predicates(frame) => self.registers(frame, true),
            Group::Special(frame) => {
                // A program that reads no environment register has none in the list.
                let program = self.session.program();
                let listed = |(_, register): &&(&str, SReg)| {
                    register.environment().is_none() || program.reads(*register)
                };
                let all: Vec<_> = SReg::ALL.iter().filter(listed).collect();
                all.into_iter().filter_map(|(name, register)| self.special(frame, name, *register)).collect()
            }
            Group::Parameters => self.parameters(),
            Group::Subject(subject, frame) => {
                let focus = InFocus { sm: frame.sm, slot: frame.slot, lane: 0 };
                self.subject(subject.facts(&Scene { session: self.session, words: self.words, focus }))
            }
            Group::Shared(frame) => self.shared(frame),
            Group::Global => self.global(),
            Group::Lanes(lanes) => lanes_of(&lanes),
            Group::Facts(facts) => facts.into_iter().map(|one| self.fact(one)).collect(),
            Group::Elements(_) => Vec::new(),
        };
        Ok(all.into_iter().skip(wanted.start).take(count).collect())
    }

    /// The facts about a subject. A heading is a fact beside its parts.
    fn subject(&mut self, all: Fact) -> Vec<Variable> {
        let own = text(&all);
        let heading = (all.value != Value::None && !own.is_empty()).then(|| fact(all.name, own));
        heading.into_iter().chain(all.children.into_iter().map(|one| self.fact(one))).collect()
    }

    /// A fact, whose children are its parts.
    fn fact(&mut self, one: Fact) -> Variable {
        let value = text(&one);
        let parts = one.children;
        let variables_reference = if parts.is_empty() { 0 } else { self.groups.add(Group::Facts(parts)) };
        Variable { variables_reference, ..fact(one.name, value) }
    }

    /// The variables of CUDA C that the line of a warp sees.
    fn locals(&mut self, frame: Frame) -> Vec<Variable> {
        let (session, words) = (self.session, self.words);
        let Some(warp) = session.warp(frame.sm, frame.slot) else { return Vec::new() };
        let sight = Sight::new(session, words, &warp);
        let mut all = Vec::new();
        for name in sight.names() {
            match sight.evaluate(name, self.format, &mut never) {
                Some(Ok(found)) => all.extend(found.into_iter().map(|one| self.variable(frame, one))),
                Some(Err(why)) => all.push(fact(name, why)),
                None => {}
            }
        }
        all
    }

    /// Whether the program has a variable of CUDA C with a name.
    pub fn has_variable(&self, name: &str) -> bool {
        let variables = self.session.program().ptx.variables();
        variables.locals.iter().any(|local| local.name == name)
            || variables.symbols.iter().any(|symbol| symbol.name == name)
    }

    /// The value of an expression; `None` if its first name means nothing here.
    pub fn expression(&mut self, frame: Frame, text: &str) -> Option<Result<Variable, String>> {
        let (session, words) = (self.session, self.words);
        let warp = session.warp(frame.sm, frame.slot)?;
        let found = Sight::new(session, words, &warp).evaluate(text, self.format, &mut never)?;
        Some(found.map(|all| {
            if let [one] = &all[..] {
                return self.variable(frame, one.clone());
            }
            let lane = frame.lanes.trailing_zeros() as usize % 32;
            let part = |one: &Shown| format!("{} = {}", one.name, one.text(lane));
            fact(text, all.iter().map(part).collect::<Vec<_>>().join(", "))
        }))
    }

    fn variable(&mut self, frame: Frame, one: Shown) -> Variable {
        let known = (0..32).fold(0, |known, lane| known | u32::from(one.lanes[lane].is_some()) << lane);
        let values = one.lanes.map(Option::unwrap_or_default);
        let lanes = Lanes { frame, name: one.name, reading: one.reading, values, known };
        let mut variable = self.lanes(lanes);
        if !one.c_type.is_empty() {
            variable.ty = Some(one.c_type);
        }
        if !one.notes.is_empty() {
            variable.value = format!("{} ({})", variable.value, one.notes.join("; "));
        }
        variable
    }

    /// The registers or predicates that a warp has written.
    fn registers(&mut self, frame: Frame, predicates: bool) -> Vec<Variable> {
        let mut all = by_name(self.session, frame.sm, frame.slot);
        all.retain(|one| (one.register.kind == OperandKind::P) == predicates);
        let one = |one: report::inspect::registers::Written| {
            let reading = Reading::of(self.words, self.session.names(), &one.register, self.format);
            let known = one.register.lanes;
            self.lanes(Lanes { frame, name: one.name, reading, values: one.values, known })
        };
        all.into_iter().map(one).collect()
    }

    /// The type in which the last value of a register is read.
    pub fn reading(&self, name: &str, found: &LastValue) -> Reading {
        let pc = found.parts.first().map_or(0, |part| part.pc);
        Reading::written(self.words, self.session.names(), (name, found.kind, pc), self.format)
    }

    /// The last value of a register, which may not be live.
    pub fn last_value(&mut self, frame: Frame, name: &str, found: &LastValue) -> Variable {
        let reading = self.reading(name, found);
        let LastValue { values, lanes: known, .. } = *found;
        let mut variable = self.lanes(Lanes { frame, name: name.to_owned(), reading, values, known });
        if let Some(part) = found.parts.iter().find(|part| part.overwritten.is_some()) {
            let place = self.words.place(part.pc);
            variable.value = format!("{} (last value, of line {place})", variable.value);
        } else if let Some(part) = found.parts.iter().find(|part| part.is_pending) {
            let place = self.words.place(part.pc);
            variable.value = format!("{} (pending in memory, loaded by line {place})", variable.value);
        }
        variable
    }

    /// A special register of a warp; `None` for one that is no constant of the warp.
    pub fn special(&mut self, frame: Frame, name: &str, register: SReg) -> Option<Variable> {
        let values = self.session.special(frame.sm, frame.slot, register)?.map(u64::from);
        let reading = Reading::number(self.format);
        Some(self.lanes(Lanes { frame, name: name.to_owned(), reading, values, known: u32::MAX }))
    }

    /// A variable with 32 lanes.
    fn lanes(&mut self, lanes: Lanes) -> Variable {
        Variable {
            name: lanes.name.clone(),
            value: lanes.reading.summary(&lanes.values, lanes.known),
            ty: Some(lanes.reading.ty.to_string()),
            evaluate_name: Some(lanes.name.clone()),
            indexed_variables: Some(32),
            variables_reference: self.groups.add(Group::Lanes(Box::new(lanes))),
            memory_reference: None,
        }
    }

    /// The parameters of the kernel.
    fn parameters(&mut self) -> Vec<Variable> {
        let program = self.session.program();
        (0..program.params.len()).filter_map(|index| self.parameter(index)).collect()
    }

    /// A parameter of the kernel by its index.
    pub fn parameter(&self, index: usize) -> Option<Variable> {
        let param = &self.session.program().params[index];
        let mut values = parameter(self.session, index, self.format)?;
        values.truncate(MOST_ELEMENTS);
        Some(Variable {
            ty: Some(param.ty.to_string()),
            evaluate_name: Some(param.name.clone()),
            ..fact(&param.name, values.join(", "))
        })
    }

    /// The variables in the shared memory of a block, and all its words.
    fn shared(&mut self, frame: Frame) -> Vec<Variable> {
        let symbols = self.session.program().shared.clone();
        let mut all: Vec<Variable> =
            symbols.iter().filter_map(|symbol| self.shared_symbol(frame, symbol)).collect();
        all.extend(self.shared_words(frame));
        all
    }

    /// A variable in shared memory. A dynamic one reaches to the end.
    pub fn shared_symbol(&mut self, frame: Frame, symbol: &Symbol) -> Option<Variable> {
        let block = self.session.warp(frame.sm, frame.slot)?.block;
        let end = self.session.shared(block)?.len() as u32;
        let bytes = if symbol.bytes == 0 { end.saturating_sub(symbol.offset) } else { symbol.bytes };
        let elements = Elements {
            space: Space::Shared(block),
            start: symbol.offset,
            count: bytes / symbol.ty.bytes().max(1),
            reading: Reading::of_type(symbol.ty, self.format),
            name: Some(symbol.name.clone()),
        };
        Some(self.array(&symbol.name, elements))
    }

    fn shared_words(&mut self, frame: Frame) -> Option<Variable> {
        let block = self.session.warp(frame.sm, frame.slot)?.block;
        let bytes = self.session.shared(block)?.len() as u32;
        let reading = Reading::of_type(ScalarType::B32, self.format);
        let elements =
            Elements { space: Space::Shared(block), start: 0, count: bytes / 4, reading, name: None };
        Some(self.array("all words", elements))
    }

    /// The allocations of global memory.
    fn global(&mut self) -> Vec<Variable> {
        let allocations = self.session.allocations().to_vec();
        let variable = |one: sim_core::debug::Allocation| {
            let elements = Elements {
                space: Space::Global,
                start: one.start,
                count: one.bytes / 4,
                reading: Reading::of_type(ScalarType::B32, self.format),
                name: None,
            };
            let name = one.name.clone().unwrap_or_else(|| format!("{:#010x}", one.start));
            self.array(&name, elements)
        };
        allocations.into_iter().map(variable).collect()
    }

    /// A variable with elements in memory.
    fn array(&mut self, name: &str, elements: Elements) -> Variable {
        let Elements { space, start, count: number, reading, .. } = elements;
        let size = u64::from(reading.ty.bytes()) * u64::from(number);
        Variable {
            name: name.to_owned(),
            value: format!("{} bytes at {start:#x}", count(size)),
            ty: Some(format!("{}[{number}]", reading.ty)),
            evaluate_name: elements.name.clone(),
            indexed_variables: Some(number as usize),
            memory_reference: Some(memory::reference(space, start)),
            variables_reference: self.groups.add(Group::Elements(elements)),
        }
    }

    /// Elements of an array.
    fn elements(&self, elements: &Elements, start: usize, wanted: usize) -> Vec<Variable> {
        let number = elements.count as usize;
        let end = start.saturating_add(wanted.min(MOST_ELEMENTS)).min(number);
        let mut all: Vec<Variable> = (start..end).filter_map(|index| self.element(elements, index)).collect();
        if end < number && wanted > end - start {
            let rest = format!("{} more elements; the command `x` prints them", count((number - end) as u64));
            all.push(fact(format!("[{end}…]"), rest));
        }
        all
    }

    /// An element of an array.
    pub fn element(&self, elements: &Elements, index: usize) -> Option<Variable> {
        let Elements { space, start, count, reading, name } = elements;
        if index >= *count as usize {
            return None;
        }
        let size = reading.ty.bytes().max(1);
        let address = start + index as u32 * size;
        let bytes = memory::bytes(self.session, *space, address, size)?;
        Some(Variable {
            ty: Some(reading.ty.to_string()),
            evaluate_name: name.as_ref().map(|name| format!("{name}[{index}]")),
            memory_reference: Some(memory::reference(*space, address)),
            ..fact(format!("[{index}]"), reading.text(bits(&bytes)))
        })
    }
}

/// The lanes of a register. A lane without a value has another register in its row.
fn lanes_of(lanes: &Lanes) -> Vec<Variable> {
    let lane = |lane: usize| {
        let value = match lanes.known >> lane & 1 {
            1 => lanes.reading.text(lanes.values[lane]),
            _ => "- (not written)".to_owned(),
        };
        let active = if lanes.frame.lanes >> lane & 1 == 1 { "" } else { " (not active)" };
        Variable {
            ty: Some(lanes.reading.ty.to_string()),
            evaluate_name: Some(format!("{}[{lane}]", lanes.name)),
            ..fact(format!("lane {lane}{active}"), value)
        }
    };
    (0..32).map(lane).collect()
}
