//! `operator new` and `operator delete` of programs ([class.free], [basic.stc.dynamic]).

use super::Sema;
use super::overload::Argument;
use super::scope::{FunctionIndex, Scopes};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{FunctionName, Res, TemplateValue, Value};
use crate::hir::{self, ExprKind as Hir, Intrinsic};
use crate::source::Span;
use crate::syntax::ast::{Expr, Operator};

/// The functions of a program that `new` or `delete` may call.
pub(super) struct MemoryFunctions {
    list: Vec<FunctionIndex>,
    /// Functions of the class hide all others.
    pub(super) are_of_class: bool,
}

impl MemoryFunctions {
    /// Whether one of them may serve `new` with these arguments in front of the type: global ones
    /// have arguments of the program.
    pub(super) fn may_serve(&self, placement: &[Expr]) -> bool {
        !self.list.is_empty() && (self.are_of_class || !placement.is_empty())
    }
}

impl Sema<'_> {
    /// Finds `operator new` or `operator delete` for a type. The library's own code calls those of
    /// classes, and no others of the program.
    pub(super) fn memory_functions(
        &mut self,
        ty: CType,
        operator: Operator,
        is_global: bool,
        span: Span,
    ) -> Res<MemoryFunctions> {
        if let Some(record) = self.types.record(ty).filter(|_| !is_global) {
            self.check_operator(record, operator, span)?;
            let list = self.methods_named(record, FunctionName::Operator(operator));
            if !list.is_empty() {
                return Ok(MemoryFunctions { list, are_of_class: true });
            }
        }
        if self.is_builtin(span) {
            return Ok(MemoryFunctions { list: Vec::new(), are_of_class: false });
        }
        let file = self.scopes.get(Scopes::FILE).operators.get(&operator);
        Ok(MemoryFunctions { list: file.cloned().unwrap_or_default(), are_of_class: false })
    }

    /// The memory that `operator new` of the program returns; nothing if the language's own one is
    /// called.
    pub(super) fn own_memory(
        &mut self,
        functions: &MemoryFunctions,
        size: Value,
        placement: &[Expr],
        span: Span,
    ) -> Res<Option<hir::Expr>> {
        if !functions.may_serve(placement) {
            return Ok(None);
        }
        let mut arguments = vec![Argument::Value(size)];
        arguments.extend(self.arguments(placement)?);
        match self.select(&functions.list, None, None, &arguments, span)? {
            Some(selected) => {
                let memory = self.call_selected(&selected, None, arguments, span)?;
                Ok(Some(self.expr(memory)?))
            }
            None if functions.are_of_class => self.no_match(&functions.list, None, &arguments, span),
            None => Ok(None),
        }
    }

    /// `delete` with `operator delete` of the class.
    pub(super) fn delete_by_class(
        &mut self,
        functions: &MemoryFunctions,
        array: bool,
        to: Qual,
        pointer: hir::Expr,
        span: Span,
    ) -> Res<Value> {
        // Behind the pointer.
        let more = |function: &FunctionIndex| {
            let signature = self.functions[*function].signature.as_ref();
            signature
                .map(|signature| signature.parameters.iter().skip(1).map(|one| one.ty).collect::<Vec<_>>())
        };
        let find = |wanted: &[CType]| {
            functions.list.iter().copied().find(|one| more(one).is_some_and(|list| list == wanted))
        };
        let (plain, sized) = (find(&[]), find(&[self.types.size_type]));
        let is_destroyed = self.classes().is_destroyed(to.ty);
        let has_table = self.types.record(to.ty).is_some_and(|id| !self.records[id].slots.is_empty());
        let (name, function) = match (plain, sized, array) {
            (Some(plain), _, true) if is_destroyed => ("__ws_delete_array_by", plain),
            (Some(plain), _, true) => ("__ws_release_by", plain),
            (Some(plain), _, false) if has_table && is_destroyed => ("__ws_delete_whole_by", plain),
            (Some(plain), ..) => ("__ws_delete_by", plain),
            (None, Some(sized), false) if !has_table => ("__ws_delete_by_size", sized),
            _ => return self.unsupported(span, "`delete` with this form of `operator delete`"),
        };
        if !self.functions[function].device {
            return self.foreign_call(function, span);
        }
        let id = self.instance(function, Vec::new(), span)?;
        let signature = self.instances[id].signature.clone();
        let ty = self.types.intern(TypeKind::Function(signature));
        let ty = self.types.pointer(Qual::plain(ty));
        let release = self.make(Hir::FunctionAddress(id), ty, span)?;
        let id = self.prelude_function(name, vec![TemplateValue::Type(to.unqualified())], span)?;
        Ok(Value::rvalue(Hir::Call(id, vec![pointer, release]), CTypes::VOID, span))
    }

    /// `operator new(n)` and `operator delete(p)` as functions.
    pub(super) fn memory_function_by_name(
        &mut self,
        operator: Operator,
        list: &[Expr],
        span: Span,
    ) -> Res<Value> {
        let arguments = self.arguments(list)?;
        let functions = self.operators_in_scope(operator, &[]);
        if let Some(selected) = self.select(&functions, None, None, &arguments, span)? {
            return self.call_selected(&selected, None, arguments, span);
        }
        let mut values = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value(value) => values.push(value),
                Argument::List(list) => return self.unsupported(list.span, "a list as the size"),
            }
        }
        let void = Qual::plain(self.types.pointer(Qual::plain(CTypes::VOID)));
        let mut values = values.into_iter();
        match (operator, values.next(), values.next(), values.len()) {
            (Operator::New(_), Some(_), Some(at), 0) if self.types.is_pointer(at.ty.ty) => {
                let at = self.convert(at, void, "as the address")?;
                Ok(Value::rvalue(at.kind, void.ty, span))
            }
            (Operator::New(_), Some(size), None, 0) => {
                let size = self.convert(size, Qual::plain(self.types.size_type), "as the size")?;
                let allocate = self.allocator(span)?;
                Ok(Value::rvalue(Hir::Intrinsic(allocate, vec![size]), void.ty, span))
            }
            (Operator::Delete(_), Some(pointer), size, 0) => {
                let pointer = self.convert(pointer, void, "as the address")?;
                let free = self.deallocator(span)?;
                let released = self.make(Hir::Intrinsic(free, vec![pointer]), CTypes::VOID, span)?;
                let Some(size) = size else {
                    return Ok(Value::rvalue(released.kind, CTypes::VOID, span));
                };
                // The library needs no size; it is evaluated all the same.
                let size = self.convert(size, Qual::plain(self.types.size_type), "as the size")?;
                let size = self.cast(size, CTypes::VOID)?;
                let made = self.after(vec![size], released, CTypes::VOID)?;
                Ok(Value::rvalue(made.kind, CTypes::VOID, span))
            }
            _ => self.error("no-match", span, "no such operator fits these arguments"),
        }
    }

    /// The function of the library, or of the chip, that allocates.
    pub(super) fn allocator(&mut self, span: Span) -> Res<Intrinsic> {
        if self.rules.has_library {
            return Ok(Intrinsic::Library("__ws_malloc".to_owned()));
        }
        self.require_capability(20, "new", span)?;
        Ok(Intrinsic::Malloc)
    }

    /// The function of the library, or of the chip, that releases memory.
    pub(super) fn deallocator(&mut self, span: Span) -> Res<Intrinsic> {
        if self.rules.has_library {
            return Ok(Intrinsic::Library("free".to_owned()));
        }
        self.require_capability(20, "delete", span)?;
        Ok(Intrinsic::Free)
    }

    /// Refuses a function that replaces `new` or `delete` for the whole program, the library
    /// included.
    pub(super) fn refuse_replacement(&mut self, function: FunctionIndex) -> Res<()> {
        let info = &self.functions[function];
        let FunctionName::Operator(operator) = info.name else { return Ok(()) };
        let Some(signature) = &info.signature else { return Ok(()) };
        let more = signature.parameters.get(1).map(|second| second.ty);
        let is_standard = match (operator, more) {
            (Operator::New(_) | Operator::Delete(_), None) => true,
            (Operator::Delete(_), Some(second)) => second == self.types.size_type,
            _ => false,
        };
        if !is_standard {
            return Ok(());
        }
        let (span, name) = (info.span, self.function_name(function));
        self.unsupported(span, &format!("a replacement of `{name}`"))
    }

    /// Refuses `operator delete` in a class that can be deleted through a base class: the
    /// destructor does not know it.
    pub(super) fn check_memory_functions(&mut self, id: RecordId) -> Res<()> {
        let found = self.records[id].operators.iter().find(|(one, _)| matches!(one, Operator::Delete(_)));
        match found {
            Some((_, function)) => {
                let span = self.functions[*function].span;
                self.unsupported(span, "`operator delete` below a base class with a virtual destructor")
            }
            None => Ok(()),
        }
    }
}
