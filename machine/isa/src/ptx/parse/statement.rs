//! Bodies of functions: blocks, labels, declarations, instructions.

use super::super::ast::{Instruction, Statement};
use super::super::lex::TokenKind;
use super::cursor::{Parsed, Parser};
use super::declaration::begins_declaration;
use crate::diag::Diagnostic;
use crate::span::Span;

/// Maximum nesting depth of blocks; later passes visit them recursively.
const MAX_DEPTH: usize = 64;

/// Directives that are allowed in a body in addition to declarations.
const DIRECTIVES: [&str; 7] =
    ["loc", "file", "pragma", "section", "callprototype", "calltargets", "branchtargets"];

/// Directives after a label that list the targets of indirect calls and branches.
const TABLES: [&str; 3] = ["callprototype", "calltargets", "branchtargets"];

impl<'a> Parser<'a> {
    /// Parses `{ … }`; the opening brace is the next token. Returns all valid statements even after
    /// errors.
    pub fn body(&mut self) -> Vec<Statement<'a>> {
        // The current block is the last element. The blocks around it precede it, each with its
        // opening brace.
        let mut open: Vec<(Span, Vec<Statement<'a>>)> = vec![(self.take().span, Vec::new())];
        loop {
            let mark = self.mark();
            let token = self.peek();
            match token.kind {
                TokenKind::LBrace if open.len() == MAX_DEPTH => {
                    let message = "blocks are nested too deeply";
                    let label = format!("the limit is {MAX_DEPTH} levels");
                    let _ = self.error::<()>("E0113", message, token.span, label);
                    self.skip_block();
                }
                TokenKind::LBrace => {
                    self.take();
                    open.push((token.span, Vec::new()));
                }
                TokenKind::RBrace => {
                    self.take();
                    if let Some(statements) = Self::close(&mut open) {
                        return statements;
                    }
                }
                _ if token.kind == TokenKind::End || self.begins_function() => {
                    return self.unclosed(open);
                }
                _ => {
                    let (_, statements) = open.last_mut().expect("closing the outermost block returns");
                    if self.statement(statements).is_err() {
                        self.resume(mark);
                    }
                }
            }
            debug_assert!(self.mark() > mark, "every iteration takes a token");
        }
    }

    /// Closes the innermost block. Returns the statements of the body if it was the outermost
    /// block.
    fn close(open: &mut Vec<(Span, Vec<Statement<'a>>)>) -> Option<Vec<Statement<'a>>> {
        let (_, statements) = open.pop()?;
        match open.last_mut() {
            Some((_, outer)) => {
                outer.push(Statement::Block(statements.into()));
                None
            }
            None => Some(statements),
        }
    }

    /// Reports that the innermost block is not closed, and closes all blocks.
    fn unclosed(&mut self, mut open: Vec<(Span, Vec<Statement<'a>>)>) -> Vec<Statement<'a>> {
        // The error that consumed the brace, such as an unterminated comment, has been reported.
        let swallowed = self.is(TokenKind::End) && self.last_is_error();
        let (brace, here) = (open.last().map_or(Span::default(), |(span, _)| *span), self.peek());
        let found = self.describe(here);
        let error = Diagnostic::error("E0112", here.span, format!("missing `}}` before {found}"))
            .label("expected `}`")
            .at(brace, "this block is not closed");
        if !swallowed {
            self.add_diagnostic(error);
        }
        loop {
            if let Some(statements) = Self::close(&mut open) {
                return statements;
            }
        }
    }

    /// Whether the next token begins another function, which ends the body.
    fn begins_function(&self) -> bool {
        match self.dot() {
            Some("entry" | "func") => true,
            Some("visible" | "extern" | "weak") => {
                let next = self.peek_at(1);
                next.kind == TokenKind::Dot && matches!(self.slice(next.span), ".entry" | ".func")
            }
            _ => false,
        }
    }

    fn statement(&mut self, statements: &mut Vec<Statement<'a>>) -> Parsed<()> {
        if let Some(word) = self.dot() {
            return self.directive(word, statements);
        }
        let token = self.peek();
        match token.kind {
            // An empty statement.
            TokenKind::Semicolon => {
                self.take();
            }
            TokenKind::Ident if self.peek_at(1).kind == TokenKind::Colon => {
                self.take();
                self.take();
                let label = self.ident_of(token);
                let table = self.dot().filter(|word| TABLES.contains(word));
                if table != Some("callprototype") && table != Some("calltargets") {
                    statements.push(Statement::Label(label));
                }
                if let Some(word) = table {
                    statements.push(Statement::CallTable(Box::new(self.call_table(label, word)?)));
                }
            }
            TokenKind::Ident | TokenKind::At => {
                statements.push(Statement::Instruction(Box::new(self.instruction()?)));
            }
            _ => {
                // The caller's recovery may stop at a token that cannot begin a statement, so it is
                // taken here.
                let reported = self.unexpected("an instruction, label, directive or `}`");
                self.take();
                return Err(reported);
            }
        }
        Ok(())
    }

    fn directive(&mut self, word: &str, statements: &mut Vec<Statement<'a>>) -> Parsed<()> {
        match word {
            _ if begins_declaration(word) => {
                statements.extend(
                    self.variables()?.into_iter().map(|variable| Statement::Variable(Box::new(variable))),
                );
                Ok(())
            }
            "loc" => {
                self.take();
                let ((file, _), (line, _)) = (self.count()?, self.count()?);
                // Skip the column, and the position of an inlined call.
                self.skip_line();
                statements.push(Statement::Loc { file, line });
                Ok(())
            }
            _ if DIRECTIVES.contains(&word) => self.skip_directive(),
            _ => {
                let spaces = ["reg", "const", "global", "local", "param", "shared"];
                let near = Self::nearest(word, DIRECTIVES.into_iter().chain(spaces));
                let message = format!("unknown directive `.{word}` in a function body");
                let span = self.take().span;
                let label = "expected a declaration, .loc, .pragma or an instruction";
                self.report(Diagnostic::error("E0114", span, message).label(label).meant(near))
            }
        }
    }

    /// Skips a directive without effect on the simulation: `.file 1 "x.cu"`, `.pragma "nounroll";`,
    /// `.section x {…}`.
    pub fn skip_directive(&mut self) -> Parsed<()> {
        let word = self.dot();
        self.take();
        self.record_versioned(word.unwrap_or_default());
        match word {
            Some("file") => self.skip_line(),
            Some("section") => {
                while !matches!(self.peek().kind, TokenKind::LBrace | TokenKind::Semicolon | TokenKind::End) {
                    self.take();
                }
                if self.is(TokenKind::LBrace) {
                    self.skip_block();
                }
            }
            _ => {
                self.expect(TokenKind::Str, "a string")?;
                while self.take_if(TokenKind::Comma).is_some() {
                    self.expect(TokenKind::Str, "a string")?;
                }
                self.semicolon("the directive")?;
            }
        }
        Ok(())
    }

    /// Parses `@!%p opcode.mod.mod operands;`.
    fn instruction(&mut self) -> Parsed<Instruction<'a>> {
        let start = self.peek().span;
        let guard = match self.take_if(TokenKind::At) {
            Some(_) => {
                let negated = self.take_if(TokenKind::Bang).is_some();
                Some((self.name("a predicate after `@`")?, negated))
            }
            None => None,
        };
        let opcode = self.name("an instruction")?;
        if opcode.name.starts_with('%') {
            let message = format!("expected an instruction, found `{}`", opcode.name);
            return self.error("E0110", message, opcode.span, "a register cannot begin a statement");
        }
        let mut modifiers = Vec::new();
        while self.dot().is_some() {
            let token = self.take();
            let name = &self.slice(token.span)[1..];
            modifiers.push(super::super::ast::Ident { name, span: token.span });
            self.const_bank()?;
        }
        let operands = self.operands(opcode.name == "call")?;
        // After a missing semicolon the instruction is kept, and the next line is parsed as the
        // next instruction.
        let ended = self.semicolon("the instruction");
        let span = start.to(self.last_span());
        if ended.is_err() && !self.peek().first_on_line {
            return Err(super::cursor::Reported);
        }
        Ok(Instruction { guard, opcode, modifiers: modifiers.into(), operands: operands.into(), span })
    }
}
