//! Functions of C before its first standard: `f(x, y) int x; float *y; {…}`.

use super::ast::{BaseType, Builtin, Chunk, Declarator, DeclaratorName, Flags, Parameter, Specifiers};
use super::declaration::DeclaredIn;
use super::declarator::Mode;
use super::parser::{Parser, Step};
use super::scope::NameKind;
use crate::lex::Punct;
use crate::target::Side;
use std::rc::Rc;

impl Parser<'_> {
    /// Whether `a, b)` follows, behind some tokens, with names that are no types.
    pub(super) fn names_follow(&self, ahead: usize) -> bool {
        let mut at = ahead;
        while self.name_at(at).is_some() && !self.starts_type_at(at) {
            if self.is_at(at + 1, Punct::RightParen) {
                return true;
            }
            if !self.is_at(at + 1, Punct::Comma) {
                return false;
            }
            at += 2;
        }
        false
    }

    /// The type of a declaration without one, which is `int`: `main() {…}`, `static n;`.
    pub(super) fn implicit_int(&self, specifiers: Rc<Specifiers>, place: DeclaredIn) -> Rc<Specifiers> {
        let is_it = self.side == Side::C
            && place == DeclaredIn::File
            && matches!(specifiers.base, BaseType::None)
            && self.name_at(0).is_some()
            && (self.is_at(1, Punct::LeftParen)
                || (specifiers.flags.is_extern || specifiers.flags.is_static)
                    && [Punct::Semicolon, Punct::Comma, Punct::Assign, Punct::LeftBracket]
                        .iter()
                        .any(|one| self.is_at(1, *one)));
        if is_it {
            Rc::new(Specifiers { base: BaseType::Builtin(Builtin::Int), ..Specifiers::clone(&specifiers) })
        } else {
            specifiers
        }
    }

    /// A parameter without a type, which is an `int` if no declaration follows.
    pub(super) fn old_style_parameter(&mut self) -> Step<Parameter> {
        let Some(name) = self.name() else { return self.unexpected("expected the name of a parameter") };
        self.bump();
        self.declare_parameter(name, NameKind::Value, false);
        Ok(Parameter {
            specifiers: Rc::new(Specifiers::new(
                BaseType::Builtin(Builtin::Int),
                Flags::default(),
                name.span,
            )),
            declarator: Declarator { name: DeclaratorName::Plain(name), chunks: Vec::new(), span: name.span },
            default: None,
            pack: None,
        })
    }

    /// The declarations of the parameters between the list of their names and the body.
    pub(super) fn old_style_declarations(&mut self, declarator: &mut Declarator) -> Step<()> {
        let Some(Chunk::Function(function)) = declarator.chunks.first_mut() else { return Ok(()) };
        if !function.is_old_style || function.parameters.is_empty() {
            return Ok(());
        }
        while !self.is(Punct::LeftBrace) {
            if !self.starts_type_at(0) {
                let message = "a list of names declares no parameters";
                let help = "write their types: `f(int x)`";
                self.error("syntax", function.span, message, help);
                return Err(super::parser::Failed);
            }
            let specifiers = self.specifiers(None)?;
            loop {
                let declared = self.declarator(Mode::Parameter)?;
                let DeclaratorName::Plain(name) = &declared.name else {
                    return self.unexpected("expected the name of a parameter");
                };
                let is_it = |one: &&mut Parameter| matches!(&one.declarator.name, DeclaratorName::Plain(known) if known.symbol == name.symbol);
                let Some(parameter) = function.parameters.iter_mut().find(is_it) else {
                    let message = "this is not the name of a parameter";
                    self.error("syntax", declared.span, message, "the list of names does not have it");
                    return Err(super::parser::Failed);
                };
                parameter.specifiers = specifiers.clone();
                parameter.declarator = declared;
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
            self.expect_semicolon("after the declaration of a parameter")?;
        }
        Ok(())
    }
}
