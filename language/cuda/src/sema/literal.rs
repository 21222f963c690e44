//! Numbers, strings and `sizeof`.

use super::Sema;
use super::types::{CType, CTypes, Qual, TypeKind};
use super::user_literal::has_suffix;
use super::value::{Res, Value};
use crate::hir::{self, ExprKind as Hir, PlaceKind};
use crate::lex::{NumberError, NumberKind, Symbol, parse_number};
use crate::source::Span;
use crate::space::AddressSpace;
use std::rc::Rc;

impl Sema<'_> {
    pub(super) fn number(&mut self, symbol: Symbol, span: Span) -> Res<Value> {
        let number = match parse_number(self.text(symbol)) {
            Ok(number) => number,
            Err(NumberError::Malformed) if !self.rules.is_c && has_suffix(self.text(symbol)) => {
                return self.suffixed_number(symbol, span);
            }
            Err(error) => {
                let text = self.text(symbol);
                let message = match error {
                    NumberError::Malformed => format!("`{text}` is not a number"),
                    NumberError::TooLarge => format!("`{text}` does not fit in 64 bits"),
                };
                return self.error("literal", span, message);
            }
        };
        let NumberKind::Int { unsigned, long, decimal } = number.kind else {
            if number.kind == NumberKind::Double && self.rules.is_open_cl && !self.has_double_literals(span) {
                return self.single_literal(symbol, span);
            }
            let ty = if number.kind == NumberKind::Float { CTypes::FLOAT } else { CTypes::DOUBLE };
            return Ok(Value::rvalue(Hir::Float(number.float), ty, span));
        };
        let candidates: [(CType, u32, u8, bool); 6] = [
            (CTypes::INT, 31, 0, false),
            (CTypes::UINT, 32, 0, true),
            (CTypes::LONG, 63, 1, false),
            (CTypes::ULONG, 64, 1, true),
            (CTypes::LLONG, 63, 2, false),
            (CTypes::ULLONG, 64, 2, true),
        ];
        let fits = |&&(_, bits, rank, is_unsigned): &&(CType, u32, u8, bool)| {
            rank >= long
                && (bits == 64 || number.int >> bits == 0)
                && (if unsigned { is_unsigned } else { !is_unsigned || !decimal })
        };
        let ty = candidates.iter().find(fits).map_or(CTypes::ULLONG, |found| found.0);
        Ok(Value::int(i128::from(number.int), ty, span))
    }

    /// A string literal: a constant array in memory.
    pub(super) fn string(&mut self, bytes: &Rc<Vec<u8>>, span: Span) -> Res<Value> {
        let mut bytes = bytes.to_vec();
        bytes.push(0);
        let mut element = Qual::constant(CTypes::CHAR);
        if self.rules.is_open_cl {
            element.quals.space = AddressSpace::Constant;
        }
        let ty = self.types.intern(TypeKind::Array(element, Some(bytes.len() as u64)));
        let global = self.string_global(bytes, ty, span)?;
        Ok(Value::place(PlaceKind::Global(global), Qual { ty, ..element }, span))
    }

    pub(super) fn string_global(&mut self, bytes: Vec<u8>, ty: CType, span: Span) -> Res<hir::GlobalId> {
        self.string_in(bytes, ty, self.rules.memory, span)
    }

    /// A string literal in a memory.
    pub(super) fn string_in(
        &mut self,
        bytes: Vec<u8>,
        ty: CType,
        storage: hir::Storage,
        span: Span,
    ) -> Res<hir::GlobalId> {
        if let Some(&known) = self.strings.get(&bytes)
            && self.globals[known].storage == storage
        {
            return Ok(known);
        }
        let hir_ty = self.hir_type(ty, span)?;
        let symbol = format!("__str{}", self.strings.len());
        let id = self.globals.push(hir::Global {
            name: symbol.clone(),
            symbol,
            ty: hir_ty,
            c_type: self.show_type(ty),
            storage,
            linkage: hir::Linkage::Internal,
            is_dynamic: false,
            align: 1,
            init: Some(hir::Initializer { bytes: bytes.clone(), addresses: Vec::new(), code: Vec::new() }),
            visible: false,
            volatile: false,
            reference: None,
            span,
        });
        self.strings.insert(bytes, id);
        Ok(id)
    }

    pub(super) fn size_of(&mut self, ty: Qual, span: Span) -> Res<Value> {
        let ty = self.types.referent(ty.ty).unwrap_or(ty);
        if let Some(size) = self.types.variable_size(ty.ty) {
            return self.size_of_variable(size, span);
        }
        let hir = self.hir_type(ty.ty, span)?;
        let size = i128::from(self.hir.size(hir));
        Ok(Value::int(size, self.types.size_type, span))
    }
}
