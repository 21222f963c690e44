//! What a program knows of types when it runs: `dynamic_cast` ([expr.dynamic.cast]) and `typeid`
//! ([expr.typeid]).

use super::Sema;
use super::scope::{Entity, Scopes};
use super::types::{CType, CTypes, Qual, RecordId, TypeKind};
use super::value::{Res, TemplateValue, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, Linkage, PlaceKind};
use crate::source::Span;
use crate::syntax::ast::Expr;

impl Sema<'_> {
    /// What a program knows of a type: its name, the number of its public base classes, and for
    /// each one what is known of it and its offset.
    pub(super) fn type_info(&mut self, ty: CType) -> Res<hir::GlobalId> {
        if let Some(known) = self.type_infos.get(&ty) {
            return Ok(*known);
        }
        let record = self.types.record(ty);
        let shown = |one: &RecordId| {
            !record.is_some_and(|id| self.records[id].hidden_bases.iter().any(|(base, _)| base == one))
        };
        let bases: Vec<RecordId> = record.map_or_else(Vec::new, |id| self.records[id].bases.clone());
        let bases: Vec<RecordId> = bases.into_iter().filter(shown).collect();
        let words = 2 + 2 * bases.len();
        let id = self.class_global(ty, "the type", "TI", words);
        self.type_infos.insert(ty, id);
        let mut text = self.type_name_at_run_time(ty).into_bytes();
        text.push(0);
        let array = TypeKind::Array(Qual::constant(CTypes::CHAR), Some(text.len() as u64));
        let array = self.types.intern(array);
        let name = self.string_global(text, array, self.globals[id].span)?;
        let mut init = hir::Initializer { bytes: vec![0; 8 * words], ..hir::Initializer::default() };
        init.addresses.push((0, name, 0));
        init.word(1, bases.len() as i64);
        for (at, base) in bases.into_iter().enumerate() {
            let word = 2 + 2 * at as u64;
            let inner = self.types.intern(TypeKind::Record(base));
            init.addresses.push((8 * word, self.type_info(inner)?, 0));
            let path = record.and_then(|id| self.classes().base_paths(id, base).pop());
            let offset = record.zip(path).map_or(0, |(id, path)| self.path_offset(id, &path));
            init.word(word + 1, offset as i64);
        }
        self.globals[id].init = Some(init);
        Ok(id)
    }

    /// Name of a type as `std::type_info` has it.
    fn type_name_at_run_time(&mut self, ty: CType) -> String {
        if let Some(record) = self.types.record(ty).filter(|id| self.is_of_library(*id)) {
            let name = &self.records[record].name;
            return format!("St{}{name}", name.len());
        }
        // `std::string` is a class template in other libraries.
        if self.standard_class("string") == Some(ty) {
            return "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE".to_owned();
        }
        self.mangled_class(ty, "TS")["_ZTS".len()..].to_owned()
    }

    /// Whether a class is a class of the C++ library that has the name that other libraries give
    /// it.
    fn is_of_library(&self, id: RecordId) -> bool {
        let record = &self.records[id];
        let is_simple = record.template.is_none() && record.name != "string";
        record.builtin && is_simple && self.scope_name(record.parent) == "std"
    }

    /// A variable of words that belongs to a type.
    pub(super) fn class_global(&mut self, ty: CType, what: &str, code: &str, words: usize) -> hir::GlobalId {
        let name = self.show_type(ty);
        let symbol = self.mangled_class(ty, code);
        let record = self.types.record(ty);
        let is_own = record.is_some_and(|record| self.is_nameless(self.records[record].parent));
        let array = self.hir.intern(hir::Type::Array(hir::Types::U64, words as u64));
        self.globals.push(hir::Global {
            name: format!("{what} {name}"),
            symbol,
            ty: array,
            c_type: format!("unsigned long [{words}]"),
            storage: self.rules.memory,
            linkage: if is_own || self.rules.has_device_code { Linkage::Internal } else { Linkage::Weak },
            is_dynamic: false,
            align: 8,
            init: None,
            visible: false,
            volatile: false,
            reference: None,
            span: record.map_or(Span::NONE, |record| self.records[record].span),
        })
    }

    /// The address of what `dynamic_cast` knows of a class.
    fn type_address(&mut self, record: RecordId, span: Span) -> Res<hir::Expr> {
        let ty = self.types.intern(TypeKind::Record(record));
        let info = self.type_info(ty)?;
        let void = Qual::plain(CTypes::VOID);
        let pointer = self.types.pointer(void);
        let place = self.make_place(PlaceKind::Global(info), void, span)?;
        self.make(Hir::AddressOf(Box::new(place)), pointer, span)
    }

    /// `dynamic_cast` of a pointer or a reference ([expr.dynamic.cast]).
    pub(super) fn dynamic_cast(&mut self, value: Value, to: Qual, span: Span) -> Res<Value> {
        let referent = self.types.referent(to.ty);
        let value = match referent {
            Some(_) => {
                let pointer = Qual::plain(self.types.pointer(value.ty));
                let address = self.address(value)?;
                Value::rvalue(address.kind, pointer.ty, span)
            }
            None => self.rvalue(value)?,
        };
        let from = self.types.pointee(value.ty.ty).and_then(|from| self.types.record(from.ty));
        if let (Some(from), Some(CTypes::VOID)) = (from, self.types.pointee(to.ty).map(|to| to.ty)) {
            self.check_dynamic(from, span)?;
            let object = self.expr(value)?;
            let pointer = self.types.pointer(Qual::plain(CTypes::VOID));
            let object = self.cast(object, pointer)?;
            let function = self.prelude_function("__ws_whole_object", Vec::new(), span)?;
            let call = self.make(Hir::Call(function, vec![object]), to.ty, span)?;
            return Ok(Value::rvalue(call.kind, to.ty, span));
        }
        let wanted = referent.or_else(|| self.types.pointee(to.ty));
        let wanted = wanted.and_then(|wanted| self.types.record(wanted.ty));
        let (Some(from), Some(wanted)) = (from, wanted) else {
            let message = "`dynamic_cast` needs a pointer or a reference to a class";
            return self.error("wrong-type", span, message);
        };
        for record in [from, wanted] {
            let ty = self.types.intern(TypeKind::Record(record));
            self.require_complete(ty, span)?;
        }
        let target = match referent {
            Some(referent) => Qual::plain(self.types.pointer(referent)),
            None => to.unqualified(),
        };
        if self.classes().derives(from, wanted) {
            let value = self.convert(value, target, "in the cast")?;
            return match referent {
                Some(referent) => Ok(Value::deref(value, referent, span)),
                None => Ok(Value::rvalue(value.kind, target.ty, span)),
            };
        }
        self.check_dynamic(from, span)?;
        let own = self.type_address(from, span)?;
        let info = self.type_address(wanted, span)?;
        let pointer = self.types.pointer(Qual::plain(CTypes::VOID));
        let object = self.expr(value)?;
        let object = self.cast(object, pointer)?;
        let thrown = referent.and_then(|_| self.standard_class("bad_cast"));
        let (name, values) = match (referent, thrown) {
            (Some(_), Some(ty)) => ("__ws_dynamic_or_throw", vec![TemplateValue::Type(Qual::plain(ty))]),
            (Some(_), None) => ("__ws_dynamic_reference", Vec::new()),
            (None, _) => ("__ws_dynamic_cast", Vec::new()),
        };
        let function = self.prelude_function(name, values, span)?;
        let call = self.make(Hir::Call(function, vec![object, own, info]), pointer, span)?;
        let call = self.cast(call, target.ty)?;
        Ok(match referent {
            Some(referent) => Value::deref(call, referent, span),
            None => Value::rvalue(call.kind, target.ty, span),
        })
    }

    fn check_dynamic(&mut self, from: RecordId, span: Span) -> Res<()> {
        if self.records[from].slots.is_empty() {
            let name = self.records[from].name.clone();
            let message = format!("`dynamic_cast` needs a virtual function in `{name}`");
            return self.error("wrong-type", span, message);
        }
        Ok(())
    }

    /// `typeid(T)` ([expr.typeid]).
    pub(super) fn typeid_of_type(&mut self, ty: Qual, span: Span) -> Res<Value> {
        let ty = self.types.referent(ty.ty).map_or(ty.ty, |to| to.ty);
        let ty = self.without_const(ty);
        self.require_complete(ty, span)?;
        // `std::any` compares types; `name` refuses these.
        if self.type_name_at_run_time(ty).contains("3std") && !self.is_builtin(span) {
            return self.unsupported(span, "`typeid` of a class of the C++ library");
        }
        let info = self.type_info(ty)?;
        let void = Qual::plain(CTypes::VOID);
        let pointer = self.types.pointer(void);
        let place = self.make_place(PlaceKind::Global(info), void, span)?;
        let address = self.make(Hir::AddressOf(Box::new(place)), pointer, span)?;
        self.known_type(address, span)
    }

    /// An array type whose elements are not `const`, which `typeid` ignores.
    fn without_const(&mut self, ty: CType) -> CType {
        let TypeKind::Array(element, length) = *self.types.kind(ty) else { return ty };
        let element = Qual::plain(self.without_const(element.ty));
        self.types.intern(TypeKind::Array(element, length))
    }

    /// `typeid(e)`: of the class of an object with virtual functions, or of the type of a value,
    /// which is not computed.
    pub(super) fn typeid(&mut self, operand: &Expr, span: Span) -> Res<Value> {
        let outer = self.set_deferred(false);
        let value = self.expression(operand);
        let deferred = self.set_deferred(outer);
        let value = value?;
        let record = self.types.record(value.ty.ty);
        let is_object = matches!(value.kind, ValueKind::Place(..));
        if !is_object || record.is_none_or(|record| self.records[record].slots.is_empty()) {
            return self.typeid_of_type(value.ty, span);
        }
        self.set_deferred(outer || deferred);
        let void = self.types.pointer(Qual::plain(CTypes::VOID));
        let table = self.types.pointer(Qual::plain(void));
        let pointer = self.types.pointer(Qual::plain(table));
        let object = self.address(value)?;
        let object = self.cast(object, pointer)?;
        let object = self.checked_object(object, table, span)?;
        let table = self.rvalue(Value::deref(object, Qual::plain(table), span))?;
        let table = self.expr(table)?;
        let info = self.rvalue(Value::deref(table, Qual::plain(void), span))?;
        let info = self.expr(info)?;
        self.known_type(info, span)
    }

    /// The address of the object of `typeid`, unless it is null: that throws `std::bad_typeid`.
    fn checked_object(&mut self, object: hir::Expr, part: CType, span: Span) -> Res<hir::Expr> {
        if self.standard_class("bad_typeid").is_none() {
            return Ok(object);
        }
        let part = TemplateValue::Type(Qual::plain(part));
        let check = self.prelude_function("__ws_typeid_object", vec![part], span)?;
        let ty = self.instances[check].signature.parameters[0].ty;
        self.make(Hir::Call(check, vec![object]), ty, span)
    }

    /// What is known of a type, as the `std::type_info` that begins it.
    fn known_type(&mut self, address: hir::Expr, span: Span) -> Res<Value> {
        let Some(ty) = self.standard_class("type_info") else {
            let error = Diagnostic::error("undeclared-name", span, "`typeid` needs `std::type_info`");
            return self.fail(error.help("write `#include <typeinfo>`"));
        };
        let to = Qual::constant(ty);
        let pointer = self.types.pointer(to);
        let address = self.cast(address, pointer)?;
        Ok(Value::deref(address, to, span))
    }

    /// A class of the C++ library whose header is included.
    fn standard_class(&mut self, name: &str) -> Option<CType> {
        let (space, name) = (self.names.find("std")?, self.names.find(name)?);
        let Some(Entity::Namespace(scope)) = self.scopes.own(Scopes::FILE, space).cloned() else {
            return None;
        };
        match self.scopes.own(scope, name) {
            Some(Entity::Type(ty)) => Some(ty.ty),
            _ => None,
        }
    }
}
