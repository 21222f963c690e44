//! Names in nested `{ }` scopes: registers and register ranges, variables, labels.

use crate::span::Span;
use crate::sreg::SReg;
use crate::types::ScalarType;
use std::collections::BTreeMap;

/// Which declared variable a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VarRef {
    /// Parameter of the function, by position.
    Param(u32),
    /// Return parameter of the function, by position.
    Return(u32),
    /// Variable declared in the function's body, by order.
    Function(u32),
    /// Variable of the module, by order.
    Module(u32),
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entity {
    /// A register, by its number in [`Scopes::registers`].
    Register(u32),
    /// A variable.
    Variable(VarRef),
    /// A label, by number.
    Label(u32),
    /// A `.func`, by its number in the module.
    Function(u32),
    /// What an indirect call is told of its targets, by order in the function.
    CallTable(u32),
}

/// A register that the code mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name in the PTX text.
    pub name: String,
    /// Declared type.
    pub ty: ScalarType,
}

/// `%r<57>`: registers `%r0` to `%r56`.
#[derive(Clone, Debug)]
struct Range {
    prefix: String,
    count: u32,
    ty: ScalarType,
    span: Span,
}

/// One `{ }`.
#[derive(Clone, Debug, Default)]
struct Scope {
    names: BTreeMap<String, (Entity, Span)>,
    ranges: Vec<Range>,
}

/// The scopes that are open, innermost last, and the registers that have been mentioned so far.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    open: Vec<Scope>,
    /// Registers in the order of their first mention (ranges) or declaration (single ones).
    pub registers: Vec<Register>,
}

/// The prefix and number of a name such as `%r12`; the number is written without leading zeros.
fn numbered(name: &str) -> Option<(&str, u32)> {
    let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[prefix.len()..];
    let number = digits.parse().ok()?;
    (digits == "0" || !digits.starts_with('0')).then_some((prefix, number))
}

impl Scopes {
    /// Opens a scope.
    pub fn enter(&mut self) {
        self.open.push(Scope::default());
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    fn innermost(&mut self) -> &mut Scope {
        if self.open.is_empty() {
            self.enter();
        }
        self.open.last_mut().expect("one has just been opened")
    }

    /// Declares a name; `Err` is the place of an earlier declaration in the same scope.
    pub fn declare(&mut self, name: &str, entity: Entity, span: Span) -> Result<(), Span> {
        let scope = self.innermost();
        if let Some((_, earlier)) = scope.names.get(name) {
            return Err(*earlier);
        }
        if let Some(range) = scope.ranges.iter().find(|range| range.has(name)) {
            return Err(range.span);
        }
        scope.names.insert(name.to_owned(), (entity, span));
        Ok(())
    }

    /// Declares a single register.
    pub fn declare_register(&mut self, name: &str, ty: ScalarType, span: Span) -> Result<(), Span> {
        let number = self.registers.len() as u32;
        self.declare(name, Entity::Register(number), span)?;
        self.registers.push(Register { name: name.to_owned(), ty });
        Ok(())
    }

    /// Declares `prefix0` to `prefix{count-1}`; `Err` is the place of an earlier declaration of one of them.
    pub fn declare_range(
        &mut self,
        prefix: &str,
        count: u32,
        ty: ScalarType,
        span: Span,
    ) -> Result<(), Span> {
        let range = Range { prefix: prefix.to_owned(), count, ty, span };
        let scope = self.innermost();
        let same = scope.ranges.iter().find(|other| other.prefix == prefix).map(|other| other.span);
        let single = scope.names.iter().find(|(name, _)| range.has(name)).map(|(_, (_, earlier))| *earlier);
        if let Some(earlier) = same.or(single) {
            return Err(earlier);
        }
        scope.ranges.push(range);
        Ok(())
    }

    /// What a name stands for, looked up from the innermost scope outwards.
    pub fn find(&mut self, name: &str) -> Option<Entity> {
        for scope in self.open.iter_mut().rev() {
            if let Some((entity, _)) = scope.names.get(name) {
                return Some(*entity);
            }
            if let Some(range) = scope.ranges.iter().find(|range| range.has(name)) {
                let entity = Entity::Register(self.registers.len() as u32);
                self.registers.push(Register { name: name.to_owned(), ty: range.ty });
                scope.names.insert(name.to_owned(), (entity, range.span));
                return Some(entity);
            }
        }
        None
    }

    /// A sentence that helps with an unknown name: the range it just misses, or the nearest name that `fits`.
    pub fn hint(&self, name: &str, fits: impl Fn(Entity) -> bool) -> Option<String> {
        if let Some((prefix, _)) = numbered(name) {
            let mut ranges = self.open.iter().rev().flat_map(|scope| &scope.ranges);
            if let Some(Range { count, .. }) = ranges.find(|range| range.prefix == prefix) {
                let last = count.saturating_sub(1);
                return Some(format!("`{prefix}<{count}>` declares `{prefix}0` to `{prefix}{last}`"));
            }
        }
        let names = self.open.iter().flat_map(|scope| &scope.names);
        let names = names.filter(|(_, (entity, _))| fits(*entity)).map(|(known, _)| known.as_str());
        let special = SReg::ALL.iter().map(|(known, _)| *known).filter(|_| name.starts_with('%'));
        let names = names.chain(special);
        let near = names.map(|known| (strsim::damerau_levenshtein(name, known), known)).min()?;
        (near.0 <= 1 + name.len() / 4).then(|| format!("did you mean `{}`?", near.1))
    }
}

impl Range {
    fn has(&self, name: &str) -> bool {
        numbered(name).is_some_and(|(prefix, number)| prefix == self.prefix && number < self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Span = Span { start: 3, end: 5 };

    #[test]
    fn a_range_declares_its_members_only() {
        let mut scopes = Scopes::default();
        scopes.declare_range("%r", 3, ScalarType::B32, HERE).unwrap();
        assert_eq!(scopes.find("%r2"), Some(Entity::Register(0)));
        assert_eq!(scopes.find("%r2"), Some(Entity::Register(0)));
        assert_eq!(scopes.find("%r0"), Some(Entity::Register(1)));
        for outside in ["%r3", "%r02", "%r", "%rd0", "%r99999999999"] {
            assert_eq!(scopes.find(outside), None, "{outside}");
        }
        assert_eq!(scopes.hint("%r3", |_| true).unwrap(), "`%r<3>` declares `%r0` to `%r2`");
    }

    #[test]
    fn inner_names_hide_outer_ones_until_the_brace_closes() {
        let mut scopes = Scopes::default();
        scopes.enter();
        scopes.declare_register("a", ScalarType::U32, HERE).unwrap();
        scopes.enter();
        scopes.declare_register("a", ScalarType::F32, HERE).unwrap();
        assert_eq!(scopes.find("a"), Some(Entity::Register(1)));
        scopes.leave();
        assert_eq!(scopes.find("a"), Some(Entity::Register(0)));
    }

    #[test]
    fn one_scope_takes_a_name_once() {
        let mut scopes = Scopes::default();
        scopes.declare_range("%r", 3, ScalarType::B32, HERE).unwrap();
        assert_eq!(scopes.declare_register("%r1", ScalarType::B32, HERE), Err(HERE));
        assert_eq!(scopes.declare_range("%r", 9, ScalarType::B32, HERE), Err(HERE));
        scopes.declare_register("%f1", ScalarType::F32, HERE).unwrap();
        assert_eq!(scopes.declare_range("%f", 2, ScalarType::F32, HERE), Err(HERE));
        assert_eq!(scopes.declare("%f1", Entity::Label(0), HERE), Err(HERE));
    }

    #[test]
    fn the_nearest_name_is_offered() {
        let mut scopes = Scopes::default();
        scopes.declare("LOOP_END", Entity::Label(0), HERE).unwrap();
        scopes.declare("counter", Entity::Variable(VarRef::Module(0)), HERE).unwrap();
        assert_eq!(scopes.hint("LOOP_EDN", |_| true).unwrap(), "did you mean `LOOP_END`?");
        assert_eq!(scopes.hint("conuter", |e| matches!(e, Entity::Label(_))), None);
        assert_eq!(scopes.hint("zzz", |_| true), None);
    }
}
