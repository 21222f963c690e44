//! Inline PTX.

use super::ast::{Asm, AsmOperand, StmtKind};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use crate::lex::{Punct, TokenKind};

impl Parser<'_> {
    pub(super) fn asm(&mut self) -> Step<StmtKind> {
        self.bump();
        let mut volatile = false;
        while matches!(self.keyword(), Some(Keyword::Volatile | Keyword::Inline | Keyword::Goto)) {
            volatile |= self.keyword() == Some(Keyword::Volatile);
            self.bump();
        }
        let open = self.span();
        self.expect(Punct::LeftParen, "after `asm`")?;
        let span = self.span();
        let template = self.string()?;
        let span = self.since(span);
        let (mut outputs, mut inputs, mut clobbers) = (Vec::new(), Vec::new(), Vec::new());
        for part in 0..3 {
            // `::` separates two parts at once.
            if self.is(Punct::ColonColon) && part < 2 && !self.half_colon {
                self.half_colon = true;
                continue;
            }
            if std::mem::take(&mut self.half_colon) || self.is(Punct::Colon) {
                self.bump();
            } else {
                break;
            }
            if part == 2 {
                while matches!(self.kind(), TokenKind::Text(_)) {
                    clobbers.push(self.string()?);
                    self.accept(Punct::Comma);
                }
                break;
            }
            while matches!(self.kind(), TokenKind::Text(_)) || self.is(Punct::LeftBracket) {
                let operand = self.asm_operand()?;
                if part == 0 {
                    outputs.push(operand);
                } else {
                    inputs.push(operand);
                }
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
        }
        self.half_colon = false;
        self.expect_close(Punct::RightParen, open)?;
        self.expect_semicolon("after `asm`")?;
        Ok(StmtKind::Asm(Box::new(Asm { template, span, volatile, outputs, inputs, clobbers })))
    }

    fn asm_operand(&mut self) -> Step<AsmOperand> {
        let mut name = None;
        if self.accept(Punct::LeftBracket) {
            name = Some(self.expect_name("the name of the operand")?);
            self.expect(Punct::RightBracket, "after the name")?;
        }
        let constraint = self.string()?;
        let open = self.span();
        self.expect(Punct::LeftParen, "after the constraint")?;
        let value = self.with_angles(false, Self::expression)?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(AsmOperand { name, constraint, value })
    }
}
