//! `.entry` and `.func`: heads, performance directives, bodies; call tables of indirect calls.

use super::super::ast::{CallTable, CallTargets, Function, Ident, Linkage, Statement, Variable};
use super::super::lex::TokenKind;
use super::cursor::{Parsed, Parser};
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::types::StateSpace;

/// Directives between a function's head and its body.
const TUNING: [&str; 8] =
    ["maxnreg", "maxntid", "reqntid", "minnctapersm", "maxnctapersm", "noreturn", "pragma", "attribute"];

impl<'a> Parser<'a> {
    /// Parses a function; `.entry` or `.func` is the next token.
    pub fn function(&mut self) -> Parsed<Function<'a>> {
        let keyword = self.take().span;
        let entry = self.slice(keyword) == ".entry";
        let head = self.head(entry, keyword);
        let Ok(mut function) = head else {
            return self.body_without_head();
        };
        if self.take_if(TokenKind::Semicolon).is_some() {
            return Ok(function);
        }
        if !self.is(TokenKind::LBrace) {
            self.unexpected("`{` or `;` after the function header");
            return self.body_without_head();
        }
        let mut body = self.body();
        if entry && self.version.is_some_and(|v| v < (2, 0)) {
            function.params.extend(take_parameters(&mut body));
        }
        function.body = Some(body);
        Ok(function)
    }

    /// Parses the body of a function with an invalid head, to report the errors in the body.
    fn body_without_head<T>(&mut self) -> Parsed<T> {
        while !matches!(self.peek().kind, TokenKind::LBrace | TokenKind::Semicolon | TokenKind::End)
            && !self.begins_item()
        {
            self.take();
        }
        if self.is(TokenKind::LBrace) {
            self.body();
        }
        Err(super::cursor::Reported)
    }

    fn head(&mut self, entry: bool, keyword: Span) -> Parsed<Function<'a>> {
        let returns = if !entry && self.is(TokenKind::LParen) { self.parameters()? } else { Vec::new() };
        let name = self.name(if entry { "the name of the entry" } else { "the name of the function" })?;
        let params = if self.is(TokenKind::LParen) { self.parameters()? } else { Vec::new() };
        if let Some(param) = params.iter().find(|p| entry && (p.space != StateSpace::Param || p.vector > 1)) {
            let message = format!("invalid parameter `{}` of an entry", param.name.name);
            let label = "expected a `.param` scalar or array";
            return self.error("E0116", message, param.span, label);
        }
        let span = keyword.to(self.last_span());
        let mut directives = Vec::new();
        while let Some(word) = self.dot() {
            if word == "pragma" {
                self.skip_directive()?;
                continue;
            }
            let mut directive = self.ident_of(self.peek());
            directive.name = word;
            if !TUNING.contains(&word) {
                let near = Self::nearest(word, TUNING);
                let message = format!("unknown directive `.{word}` before a function body");
                let label = "expected .maxntid, .reqntid, .maxnreg or `{`";
                return self
                    .report(Diagnostic::error("E0114", directive.span, message).label(label).meant(near));
            }
            self.take();
            self.record_versioned(word);
            let mut values = Vec::new();
            if self.begins_constant() {
                values.push(self.count()?.0);
                while self.take_if(TokenKind::Comma).is_some() {
                    values.push(self.count()?.0);
                }
            }
            directives.push((directive, values));
        }
        let (linkage, module, title) = (Linkage::Local, 0, None);
        Ok(Function { entry, linkage, module, title, name, params, returns, directives, body: None, span })
    }

    /// Parses `.callprototype (results) _ (parameters);`, or a list of names: `.calltargets f, g;`,
    /// `.branchtargets a, b;`. Its label has been taken, and the directive, without its dot `word`,
    /// is the next token.
    pub fn call_table(&mut self, name: Ident<'a>, word: &'a str) -> Parsed<CallTable<'a>> {
        self.take();
        self.record_versioned(word);
        let targets = if word == "callprototype" {
            let returns = if self.is(TokenKind::LParen) { self.parameters()? } else { Vec::new() };
            if self.take_if(TokenKind::Underscore).is_none() {
                self.name("`_` in place of the function name")?;
            }
            let params = if self.is(TokenKind::LParen) { self.parameters()? } else { Vec::new() };
            CallTargets::Prototype { returns, params }
        } else {
            let labels = word == "branchtargets";
            let what = if labels { "a label" } else { "the name of a function" };
            let mut names = vec![self.name(what)?];
            while self.take_if(TokenKind::Comma).is_some() {
                names.push(self.name(what)?);
            }
            if labels { CallTargets::Labels(names) } else { CallTargets::Functions(names) }
        };
        self.semicolon("the targets")?;
        let span = name.span.to(self.last_span());
        Ok(CallTable { name, targets, span })
    }
}

/// Moves parameters from the body to the head: compilers for PTX 1.x declared an entry's parameters
/// inside its body.
fn take_parameters<'a>(body: &mut Vec<Statement<'a>>) -> Vec<Variable<'a>> {
    let is_parameter = |s: &Statement| matches!(s, Statement::Variable(v) if v.space == StateSpace::Param);
    let mut parameters = Vec::new();
    for statement in body.extract_if(.., |s| is_parameter(s)) {
        if let Statement::Variable(variable) = statement {
            parameters.push(*variable);
        }
    }
    parameters
}
