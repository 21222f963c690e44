//! Names in nested `{ }` scopes: registers and register ranges, variables, labels.

use crate::diag::nearest;
use crate::span::Span;
use crate::sreg::SReg;
use crate::types::ScalarType;
use std::collections::BTreeMap;

/// A reference to a declared variable.
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

/// Meaning of a name.
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
    /// Possible targets of an indirect call, by order in the function.
    CallTable(u32),
}

/// A register that the code uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register<'a> {
    /// Name in the PTX text.
    pub name: &'a str,
    /// Declared type.
    pub ty: ScalarType,
}

/// `%r<57>`: registers `%r0` to `%r56`.
#[derive(Clone, Debug)]
struct Range {
    count: u32,
    ty: ScalarType,
    span: Span,
}

/// Prefix and number of a name such as `%r12`. A name without a number or with leading zeros
/// consists only of the prefix.
type Key<'a> = (&'a str, Option<u32>);

/// Names of one `{ }`, or of the module.
#[derive(Clone, Debug, Default)]
pub struct Scope<'a> {
    names: BTreeMap<Key<'a>, (&'a str, Entity, Span)>,
    /// Register ranges by prefix.
    ranges: BTreeMap<&'a str, Range>,
}

/// The open scopes, innermost last, and the registers used so far.
#[derive(Clone, Debug)]
pub struct Scopes<'a, 'm> {
    module: &'m Scope<'a>,
    open: Vec<Scope<'a>>,
    /// Registers in the order of their first use (ranges) or declaration (single registers).
    pub registers: Vec<Register<'a>>,
}

fn key(name: &str) -> Key<'_> {
    let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[prefix.len()..];
    let number = digits.parse().ok().filter(|_| digits == "0" || !digits.starts_with('0'));
    (if number.is_some() { prefix } else { name }, number)
}

impl<'a> Scope<'a> {
    /// Declares a name. `Err` is the span of an earlier declaration.
    pub fn declare(&mut self, name: &'a str, entity: Entity, span: Span) -> Result<(), Span> {
        let (prefix, number) = key(name);
        if let Some((.., earlier)) = self.names.get(&(prefix, number)) {
            return Err(*earlier);
        }
        if let Some(range) = self.range(prefix, number) {
            return Err(range.span);
        }
        self.names.insert((prefix, number), (name, entity, span));
        Ok(())
    }

    /// Returns the range that contains a name.
    fn range(&self, prefix: &str, number: Option<u32>) -> Option<&Range> {
        self.ranges.get(prefix).filter(|range| number.is_some_and(|number| number < range.count))
    }
}

impl<'a, 'm> Scopes<'a, 'm> {
    /// Returns the scopes of a function, which initially contain only the module's scope.
    pub fn new(module: &'m Scope<'a>) -> Self {
        Self { module, open: Vec::new(), registers: Vec::new() }
    }

    /// Opens a scope.
    pub fn enter(&mut self) {
        self.open.push(Scope::default());
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    fn innermost(&mut self) -> &mut Scope<'a> {
        if self.open.is_empty() {
            self.enter();
        }
        self.open.last_mut().expect("there is at least one open scope")
    }

    /// Declares a name. `Err` is the span of an earlier declaration in the same scope.
    pub fn declare(&mut self, name: &'a str, entity: Entity, span: Span) -> Result<(), Span> {
        self.innermost().declare(name, entity, span)
    }

    /// Declares a single register.
    pub fn declare_register(&mut self, name: &'a str, ty: ScalarType, span: Span) -> Result<(), Span> {
        let number = self.registers.len() as u32;
        self.declare(name, Entity::Register(number), span)?;
        self.registers.push(Register { name, ty });
        Ok(())
    }

    /// Declares `prefix0` to `prefix{count-1}`. `Err` is the span of an earlier declaration of one
    /// of these names.
    pub fn declare_range(
        &mut self,
        prefix: &'a str,
        count: u32,
        ty: ScalarType,
        span: Span,
    ) -> Result<(), Span> {
        let Scope { names, ranges } = self.innermost();
        let same = ranges.get(prefix).map(|other| other.span);
        let members = (prefix, Some(0))..(prefix, Some(count));
        let single = || names.range(members).next().map(|(_, (.., earlier))| *earlier);
        if let Some(earlier) = same.or_else(single) {
            return Err(earlier);
        }
        ranges.insert(prefix, Range { count, ty, span });
        Ok(())
    }

    /// Returns the meaning of a name. The search starts at the innermost scope.
    pub fn find(&mut self, name: &'a str) -> Option<Entity> {
        let (prefix, number) = key(name);
        for scope in self.open.iter_mut().rev() {
            if let Some((_, entity, _)) = scope.names.get(&(prefix, number)) {
                return Some(*entity);
            }
            if let Some(Range { ty, span, .. }) = scope.range(prefix, number) {
                let entity = Entity::Register(self.registers.len() as u32);
                self.registers.push(Register { name, ty: *ty });
                let known = (name, entity, *span);
                scope.names.insert((prefix, number), known);
                return Some(entity);
            }
        }
        self.module.names.get(&(prefix, number)).map(|(_, entity, _)| *entity)
    }

    /// Returns a hint for an undeclared name: the range that it slightly exceeds, or the most
    /// similar name for which `fits` is true.
    pub fn hint(&self, name: &str, fits: impl Fn(Entity) -> bool) -> Option<String> {
        let (prefix, number) = key(name);
        let range = |scope: &Scope<'a>| scope.ranges.get(prefix).map(|range| range.count);
        if let Some(count) = number.and_then(|_| self.open.iter().rev().find_map(range)) {
            let last = count.saturating_sub(1);
            return Some(format!("`{prefix}<{count}>` declares `{prefix}0` to `{prefix}{last}`"));
        }
        let scopes = self.open.iter().rev().chain([self.module]);
        let names = scopes.flat_map(|scope| scope.names.values());
        let names = names.filter(|(_, entity, _)| fits(*entity)).map(|(known, ..)| *known);
        let special = SReg::ALL.iter().map(|(known, _)| *known).filter(|_| name.starts_with('%'));
        nearest(name, names.chain(special)).map(|near| format!("did you mean `{near}`?"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Span = Span { start: 3, end: 5 };

    #[test]
    fn a_range_declares_its_members_only() {
        let module = Scope::default();
        let mut scopes = Scopes::new(&module);
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
        let module = Scope::default();
        let mut scopes = Scopes::new(&module);
        scopes.enter();
        scopes.declare_register("a", ScalarType::U32, HERE).unwrap();
        scopes.enter();
        scopes.declare_register("a", ScalarType::F32, HERE).unwrap();
        assert_eq!(scopes.find("a"), Some(Entity::Register(1)));
        scopes.leave();
        assert_eq!(scopes.find("a"), Some(Entity::Register(0)));
    }

    #[test]
    fn a_scope_rejects_a_second_declaration_of_a_name() {
        let module = Scope::default();
        let mut scopes = Scopes::new(&module);
        scopes.declare_range("%r", 3, ScalarType::B32, HERE).unwrap();
        assert_eq!(scopes.declare_register("%r1", ScalarType::B32, HERE), Err(HERE));
        assert_eq!(scopes.declare_range("%r", 9, ScalarType::B32, HERE), Err(HERE));
        scopes.declare_register("%f1", ScalarType::F32, HERE).unwrap();
        assert_eq!(scopes.declare_range("%f", 2, ScalarType::F32, HERE), Err(HERE));
        assert_eq!(scopes.declare("%f1", Entity::Label(0), HERE), Err(HERE));
    }

    #[test]
    fn the_most_similar_name_is_suggested() {
        let module = Scope::default();
        let mut scopes = Scopes::new(&module);
        scopes.declare("LOOP_END", Entity::Label(0), HERE).unwrap();
        scopes.declare("counter", Entity::Variable(VarRef::Module(0)), HERE).unwrap();
        assert_eq!(scopes.hint("LOOP_EDN", |_| true).unwrap(), "did you mean `LOOP_END`?");
        assert_eq!(scopes.hint("conuter", |e| matches!(e, Entity::Label(_))), None);
        assert_eq!(scopes.hint("zzz", |_| true), None);
    }
}
