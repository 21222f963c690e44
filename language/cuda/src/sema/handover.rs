//! Kernels that the host half uses, described by names: numbers of types and functions belong to
//! the analysis of one half.

use super::Sema;
use super::constraint_order::{Normal, is_stronger};
use super::described::{Argument, Step, Type, Written};
use super::scope::{Entity, FunctionIndex, Owner, ScopeId, Scopes};
use super::types::{CType, Qual, Signature, TypeKind};
use super::value::{FunctionName, Res, TemplateValue};
use crate::diagnostics::Diagnostic;
use crate::hir;
use crate::source::Span;
use crate::syntax::ast::FunctionBody;
use rustc_hash::FxHashMap;

/// Parts of a template argument that goes from the host half to the device half.
pub(super) const MAX_PARTS: u64 = 5_000;

/// A kernel that host code launches, or whose address it takes.
#[derive(Clone, Debug)]
pub struct UsedKernel {
    /// Name in the source with its template arguments.
    pub name: String,
    /// Name in PTX.
    pub symbol: String,
    /// First use.
    pub span: Span,
    /// Declaration.
    pub declared: Span,
    /// Whether the program defines it.
    pub is_defined: bool,
    /// How the device half makes it, if it comes from a template.
    pub instance: Option<KernelInstance>,
}

/// A kernel from a template.
#[derive(Clone, PartialEq, Debug)]
pub struct KernelInstance {
    path: Vec<Step>,
    name: String,
    arguments: Vec<Argument>,
    symbol: String,
}

impl Sema<'_> {
    /// Notes a kernel that the host half uses.
    pub(super) fn note_kernel(&mut self, id: hir::FunctionId, span: Span) -> Res<()> {
        let symbol = self.mangled(id);
        if self.kernels.iter().any(|known| known.symbol == symbol) {
            return Ok(());
        }
        let instance = &self.instances[id];
        let (function, arguments) = (instance.function, instance.arguments.clone());
        let info = &self.functions[function];
        let (declared, is_defined) = (info.span, !matches!(info.decl.body, FunctionBody::None));
        let mut name = self.function_name(function);
        let mut made = None;
        // Kernels of the compiler's headers are made if the host uses them, too.
        if !arguments.is_empty() || self.is_builtin(declared) {
            if !arguments.is_empty() {
                name.push_str(&self.show_arguments(&arguments));
            }
            made = Some(self.kernel_instance(function, &arguments, &symbol, span)?);
        }
        self.kernels.push(UsedKernel { name, symbol, span, declared, is_defined, instance: made });
        Ok(())
    }

    /// Describes a kernel from a template. Types without a name in both halves are an error.
    fn kernel_instance(
        &mut self,
        function: FunctionIndex,
        arguments: &[TemplateValue],
        symbol: &str,
        span: Span,
    ) -> Res<KernelInstance> {
        let info = &self.functions[function];
        let own = match info.name {
            FunctionName::Plain(name) => self.text(name).to_owned(),
            _ => return Err(super::Failed),
        };
        let path = self.steps(info.scope);
        let mut known = FxHashMap::default();
        let all: Vec<TemplateValue> = self.packs.flat(arguments);
        for argument in &all {
            if self.parts_of(*argument, &mut known) > MAX_PARTS {
                let message = format!("a template argument of the kernel has more than {MAX_PARTS} parts");
                return self.error("limit", span, message);
            }
            if self.described_argument(*argument).is_none() {
                let (kernel, shown) = (self.function_name(function), self.show_argument(*argument));
                let message = format!("`{shown}` cannot be a template argument of kernel `{kernel}`");
                let error = Diagnostic::error("launch", span, message)
                    .label("a type without a name outside of functions");
                let help = if self.names_lambda(*argument) {
                    "mark the lambda expression: `[=] __device__ (int i) { ... }`"
                } else {
                    "declare the structure outside of functions"
                };
                return self.fail(error.help(help));
            }
        }
        let (Some(path), Some(arguments)) = (path, self.described_arguments(arguments)) else {
            return Err(super::Failed);
        };
        Ok(KernelInstance { path, name: own, arguments, symbol: symbol.to_owned() })
    }

    /// Whether a template argument is the class of a lambda expression.
    fn names_lambda(&self, argument: TemplateValue) -> bool {
        let TemplateValue::Type(ty) = argument else { return false };
        self.types.record(ty.ty).is_some_and(|record| self.records[record].lambda.is_some())
    }

    /// Number of parts of a template argument when it is written out, or more than the limit.
    pub(super) fn parts_of(&self, argument: TemplateValue, known: &mut FxHashMap<CType, u64>) -> u64 {
        let ty = match argument {
            TemplateValue::Type(ty) => ty,
            TemplateValue::Pack(id) => {
                let parts = self.packs.get(id).iter().map(|one| self.parts_of(*one, known));
                return parts.fold(1, u64::saturating_add);
            }
            _ => return 1,
        };
        if let Some(parts) = known.get(&ty.ty) {
            return *parts;
        }
        let mut parts = 1u64;
        let mut add = |ty: Qual| {
            parts = parts.saturating_add(self.parts_of(TemplateValue::Type(ty), known));
        };
        match self.types.kind(ty.ty) {
            TypeKind::Pointer(to)
            | TypeKind::MemberPointer(to, _)
            | TypeKind::Reference(to)
            | TypeKind::RvalueReference(to)
            | TypeKind::Array(to, _) => {
                add(*to);
            }
            TypeKind::Function(signature) => {
                signature.parameters.iter().for_each(|one| add(*one));
                add(signature.result);
            }
            TypeKind::Record(id) => {
                let record = &self.records[*id];
                let own = record.template.iter().flat_map(|(_, values)| values);
                // A class template around the class has arguments, too.
                let around = self.scopes.outwards(record.parent).filter_map(|scope| {
                    let Owner::Record(id) = self.scopes.get(scope).owner else { return None };
                    self.records[id].template.as_ref().map(|(_, values)| values)
                });
                for value in own.chain(around.flatten()) {
                    parts = parts.saturating_add(self.parts_of(*value, known));
                }
            }
            _ => {}
        }
        known.insert(ty.ty, parts);
        parts
    }

    /// The namespaces and classes around a scope, outermost first; `None` inside a function.
    pub(super) fn steps(&self, scope: ScopeId) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        for scope in self.scopes.outwards(scope) {
            match self.scopes.get(scope).owner {
                Owner::Namespace(name) => {
                    steps.push(Step::Namespace(name.map(|name| self.text(name).to_owned())));
                }
                Owner::Record(id) => {
                    let record = &self.records[id];
                    let arguments = match &record.template {
                        Some((_, values)) => Some(self.described_arguments(values)?),
                        None => None,
                    };
                    steps.push(Step::Class(self.text(record.symbol?).to_owned(), arguments));
                }
                Owner::Block => return None,
                Owner::File | Owner::Template | Owner::Enum(_) => {}
            }
        }
        steps.reverse();
        Some(steps)
    }

    fn described_arguments(&self, values: &[TemplateValue]) -> Option<Vec<Argument>> {
        values.iter().map(|value| self.described_argument(*value)).collect()
    }

    pub(super) fn described_argument(&self, value: TemplateValue) -> Option<Argument> {
        Some(match value {
            TemplateValue::Type(ty) => Argument::Type(self.described(ty)?),
            TemplateValue::Value(value, ty) => Argument::Value(value, self.described_type(ty)?),
            TemplateValue::Template(template) => {
                let info = &self.templates[template];
                Argument::Template(self.steps(info.scope)?, self.text(info.decl.name?.symbol).to_owned())
            }
            TemplateValue::Alias(_) | TemplateValue::Address(..) => return None,
            TemplateValue::Pack(id) => Argument::Pack(self.described_arguments(self.packs.get(id))?),
            TemplateValue::Function(function) => {
                let info = &self.functions[function];
                let FunctionName::Plain(name) = info.name else { return None };
                let ty = match &info.signature {
                    Some(signature) => Some(self.described_signature(signature)?),
                    None => None,
                };
                Argument::Function(self.steps(info.scope)?, self.text(name).to_owned(), ty)
            }
        })
    }

    pub(super) fn described(&self, ty: Qual) -> Option<Written> {
        Some(Written(self.described_type(ty.ty)?, ty.quals))
    }

    pub(super) fn described_type(&self, ty: CType) -> Option<Type> {
        let boxed = |ty: &Qual| self.described(*ty).map(Box::new);
        Some(match self.types.kind(ty) {
            TypeKind::Builtin(builtin) => Type::Builtin(*builtin),
            TypeKind::Nullptr => Type::Nullptr,
            TypeKind::Pointer(to) => Type::Pointer(boxed(to)?),
            TypeKind::Reference(to) => Type::Reference(boxed(to)?),
            TypeKind::RvalueReference(to) => Type::RvalueReference(boxed(to)?),
            TypeKind::Array(element, length) => Type::Array(boxed(element)?, *length),
            TypeKind::Function(signature) => self.described_signature(signature)?,
            TypeKind::Record(id) => {
                let record = &self.records[*id];
                if let Some(closure) = &record.closure {
                    return Some(Type::Closure(closure.clone()));
                }
                let name = self.text(record.symbol?).to_owned();
                let arguments = match &record.template {
                    Some((_, values)) => Some(self.described_arguments(values)?),
                    None => None,
                };
                Type::Record(self.steps(record.parent)?, name, arguments)
            }
            TypeKind::Enum(id) => {
                let info = &self.types.enums[*id];
                Type::Enum(self.steps(info.parent)?, self.text(info.name?).to_owned())
            }
            // No program in OpenCL C has another half.
            TypeKind::Auto | TypeKind::VariableArray(..) | TypeKind::Vector(..) | TypeKind::Opaque(_) => {
                return None;
            }
            TypeKind::MemberPointer(to, class) => {
                Type::MemberPointer(boxed(to)?, Box::new(self.described_type(*class)?))
            }
        })
    }

    fn described_signature(&self, signature: &Signature) -> Option<Type> {
        let parameters = signature.parameters.iter().map(|ty| self.described(*ty));
        Some(Type::Function {
            parameters: parameters.collect::<Option<_>>()?,
            result: Box::new(self.described(signature.result)?),
            variadic: signature.variadic,
        })
    }

    /// Makes a kernel that the host half uses.
    pub(super) fn make_kernel(&mut self, wanted: &KernelInstance) -> Option<()> {
        let scope = self.scope_of_steps(&wanted.path)?;
        let Entity::Functions(list) = self.named(scope, &wanted.name)? else { return None };
        let arguments = self.found_arguments(&wanted.arguments)?;
        let mut best: Option<(FunctionIndex, Option<Normal>)> = None;
        for function in list {
            let info = &self.functions[function];
            let count = info.template.as_ref().map_or(0, |template| template.list.len());
            if !info.global || count != arguments.len() {
                continue;
            }
            let (scope, span) = (info.scope, info.span);
            // Overloads differ in their parameters.
            let mark = self.out.mark();
            let made = self.in_scope(scope, |sema| {
                if !sema.function_satisfied(function, &arguments)? {
                    return Err(super::Failed);
                }
                sema.instance_type(function, &arguments, span)
            });
            let Ok((own, signature)) = made else {
                self.out.truncate(mark);
                continue;
            };
            if self.mangled_instance(function, &arguments, own, &signature) != wanted.symbol {
                continue;
            }
            // Templates that differ in nothing but constraints: the launch takes the strongest.
            let constraint = self.normal_constraint(function, &arguments);
            if best.as_ref().is_none_or(|(_, other)| is_stronger(constraint.as_ref(), other.as_ref())) {
                best = Some((function, constraint));
            }
        }
        let (function, _) = best?;
        let span = self.functions[function].span;
        self.instance(function, arguments, span).ok().map(|_| ())
    }

    /// What a name means in a scope of the file.
    fn named(&self, scope: ScopeId, name: &str) -> Option<Entity> {
        self.scopes.get(scope).names.get(&self.names.find(name)?).cloned()
    }

    pub(super) fn scope_of_steps(&mut self, steps: &[Step]) -> Option<ScopeId> {
        let mut scope = Scopes::FILE;
        for step in steps {
            scope = match step {
                Step::Namespace(Some(name)) => match self.named(scope, name)? {
                    Entity::Namespace(inner) => inner,
                    _ => return None,
                },
                Step::Namespace(None) => {
                    let mut inner = self.scopes.get(scope).also.iter().copied();
                    inner.find(|inner| {
                        let inner = self.scopes.get(*inner);
                        inner.owner == Owner::Namespace(None) && inner.parent == Some(scope)
                    })?
                }
                Step::Class(name, arguments) => {
                    let ty = self.found_class(scope, name, arguments.as_deref())?;
                    let record = self.types.record(ty)?;
                    self.complete(record).ok()?;
                    self.records[record].scope
                }
            };
        }
        Some(scope)
    }

    fn found_class(&mut self, scope: ScopeId, name: &str, arguments: Option<&[Argument]>) -> Option<CType> {
        match (self.named(scope, name)?, arguments) {
            (Entity::Type(ty), None) => Some(ty.ty),
            (Entity::RecordTemplate(template), Some(arguments)) => {
                let arguments = self.found_arguments(arguments)?;
                let span = self.templates[template].decl.span;
                let record = self.instantiate_record(template, arguments, span).ok()?;
                Some(self.types.intern(TypeKind::Record(record)))
            }
            _ => None,
        }
    }

    pub(super) fn found_arguments(&mut self, arguments: &[Argument]) -> Option<Vec<TemplateValue>> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(match argument {
                Argument::Type(ty) => TemplateValue::Type(self.found(ty)?),
                Argument::Value(value, ty) => TemplateValue::Value(*value, self.found_type(ty)?),
                Argument::Template(steps, name) => {
                    let scope = self.scope_of_steps(steps)?;
                    let Entity::RecordTemplate(template) = self.named(scope, name)? else { return None };
                    TemplateValue::Template(template)
                }
                Argument::Pack(list) => {
                    let list = self.found_arguments(list)?;
                    self.packs.intern(&list)
                }
                Argument::Function(steps, name, ty) => {
                    let scope = self.scope_of_steps(steps)?;
                    let Entity::Functions(list) = self.named(scope, name)? else { return None };
                    let fits = |function: &&FunctionIndex| {
                        let signature = self.functions[**function].signature.as_ref();
                        signature.and_then(|signature| self.described_signature(signature)) == *ty
                    };
                    TemplateValue::Function(*list.iter().find(fits)?)
                }
            });
        }
        Some(values)
    }

    pub(super) fn found(&mut self, Written(ty, quals): &Written) -> Option<Qual> {
        Some(Qual { ty: self.found_type(ty)?, quals: *quals })
    }

    pub(super) fn found_type(&mut self, ty: &Type) -> Option<CType> {
        let kind = match ty {
            Type::Builtin(builtin) => TypeKind::Builtin(*builtin),
            Type::Nullptr => TypeKind::Nullptr,
            Type::Pointer(to) => TypeKind::Pointer(self.found(to)?),
            Type::MemberPointer(to, class) => {
                TypeKind::MemberPointer(self.found(to)?, self.found_type(class)?)
            }
            Type::Reference(to) => TypeKind::Reference(self.found(to)?),
            Type::RvalueReference(to) => TypeKind::RvalueReference(self.found(to)?),
            Type::Array(element, length) => TypeKind::Array(self.found(element)?, *length),
            Type::Function { parameters, result, variadic } => {
                let list = parameters.iter().map(|ty| self.found(ty)).collect::<Option<_>>()?;
                TypeKind::Function(Signature {
                    parameters: list,
                    result: self.found(result)?,
                    variadic: *variadic,
                })
            }
            Type::Record(steps, name, arguments) => {
                let scope = self.scope_of_steps(steps)?;
                return self.found_class(scope, name, arguments.as_deref());
            }
            Type::Closure(closure) => return self.found_closure(closure),
            Type::Enum(steps, name) => {
                let scope = self.scope_of_steps(steps)?;
                return self.found_class(scope, name, None);
            }
        };
        Some(self.types.intern(kind))
    }
}
