//! Members and base classes that a constructor initializes ([class.base.init]).

use super::Sema;
use super::special::push_expressions;
use super::types::RecordId;
use super::value::Res;
use crate::hir::Stmt;
use crate::source::Span;
use crate::syntax::ast::{Body, MemberInit, QualifiedName};

impl Sema<'_> {
    /// Adds the statements that a constructor executes before its body.
    pub(super) fn constructor_members(
        &mut self,
        body: &Body,
        class: RecordId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let Some(object) = self.method_object(span) else { return Ok(()) };
        if let [only] = body.initializers.as_slice()
            && Some(only.name.last().name.symbol) == self.records[class].symbol
        {
            // Another constructor of the class.
            let mut target = object;
            target.ty.quals.is_const = false;
            let parts = self.full_parts(|sema, parts| sema.initialize(&target, &only.init, parts))?;
            push_expressions(parts, out);
            // The object is complete now ([except.ctor]/4).
            return self.guard(&target, out);
        }
        // The initializer of each member, and the element of the packs that it expands.
        let mut inits: Vec<Option<(&MemberInit, usize)>> = vec![None; self.records[class].fields.len()];
        for init in &body.initializers {
            let Some(packs) = &init.packs else {
                inits[self.initialized_member(class, &init.name)?] = Some((init, 0));
                continue;
            };
            for element in 0..self.pack_length(packs, init.name.span)? {
                let name = &init.name;
                let at = self.in_element(packs, element, |sema| sema.initialized_member(class, name))?;
                inits[at] = Some((init, element));
            }
        }
        for at in self.records[class].construction() {
            let init = inits[at as usize];
            let parts = self.full_parts(|sema, parts| match init {
                Some((MemberInit { init, packs: Some(packs), .. }, element)) => {
                    sema.in_element(packs, element, |sema| {
                        sema.construct_member(&object, class, at, Some(init), parts)
                    })
                }
                _ => sema.construct_member(&object, class, at, init.map(|(one, _)| &one.init), parts),
            })?;
            push_expressions(parts, out);
            self.guard_member(&object, at, out)?;
        }
        Ok(())
    }

    /// The member or base class that an initializer of a constructor names.
    fn initialized_member(&mut self, class: RecordId, name: &QualifiedName) -> Res<usize> {
        let symbol = name.last().name.symbol;
        let found = match self.records[class].fields.iter().position(|field| field.name == Some(symbol)) {
            Some(at) => Some(at),
            None => self.named_base(class, name)?,
        };
        let Some(at) = found else {
            let (text, class) = (self.text(symbol).to_owned(), self.records[class].name.clone());
            let message = format!("`{class}` has no member `{text}`");
            return self.error("undeclared-name", name.span, message);
        };
        Ok(at)
    }
}
