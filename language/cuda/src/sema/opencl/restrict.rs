//! What OpenCL C restricts: types of kernel parameters, `double`, casts between memories, and
//! where variables may be.

use crate::diagnostics::Diagnostic;
use crate::hir::{ExprKind as Hir, Storage, TypeId};
use crate::lex::Symbol;
use crate::sema::Sema;
use crate::sema::program::ParameterKind;
use crate::sema::scope::FunctionIndex;
use crate::sema::types::{CTypes, Qual};
use crate::sema::value::{Res, Value};
use crate::source::Span;
use crate::space::AddressSpace;
use crate::syntax::ast::{Attribute, AttributeArgument, Builtin, CastKind, Expr, FunctionDecl, Specifiers};
use crate::syntax::opencl::types::Opaque;
use std::rc::Rc;

impl Sema<'_> {
    /// Whether a place of the source has `double`: on a chip with it, after its pragma.
    pub(in crate::sema) fn has_doubles(&self, span: Span) -> bool {
        self.doubles && self.target.has_double() || self.is_builtin(span)
    }

    /// Whether numbers without suffix are `double`.
    pub(in crate::sema) fn has_double_literals(&self, span: Span) -> bool {
        self.double_literals && self.target.has_double() || self.is_builtin(span)
    }

    /// A number without suffix where `double` does not exist: a `float`.
    pub(in crate::sema) fn single_literal(&mut self, symbol: Symbol, span: Span) -> Res<Value> {
        // Rounded once, from the text.
        let text = format!("{}f", self.text(symbol).trim_end_matches(['l', 'L']));
        let Ok(number) = crate::lex::parse_number(&text) else { return Err(crate::sema::Failed) };
        Ok(Value::rvalue(Hir::Float(number.float), CTypes::FLOAT, span))
    }

    /// The type of a keyword.
    pub(in crate::sema) fn open_cl_arithmetic(&mut self, builtin: Builtin, span: Span) -> Res<Qual> {
        let builtin = Self::open_cl_builtin(builtin);
        if builtin == Builtin::Double {
            self.require_doubles(span)?;
        }
        if matches!(builtin, Builtin::LongLong | Builtin::UnsignedLongLong) && !self.is_builtin(span) {
            let error = Diagnostic::error("not-opencl", span, "OpenCL C does not have `long long`");
            return self.fail(error.help("`long` has 64 bits"));
        }
        Ok(Qual::plain(self.types.builtin(builtin)))
    }

    /// Refuses `double` on chips without it and without its pragma.
    pub(in crate::sema) fn require_doubles(&mut self, span: Span) -> Res<()> {
        if self.has_doubles(span) {
            return Ok(());
        }
        if !self.target.has_double() {
            return self.require_capability(13, "double", span);
        }
        let error = Diagnostic::error("extension", span, "`double` needs the extension `cl_khr_fp64`")
            .help("write `#pragma OPENCL EXTENSION cl_khr_fp64 : enable` in front");
        self.fail(error)
    }

    /// Refuses a cast between pointers to different memories.
    pub(in crate::sema) fn check_spaces(&mut self, from: Qual, to: Qual, span: Span) -> Res<()> {
        let (one, two) = (from.quals.space.or_private(), to.quals.space.or_private());
        if !self.rules.is_open_cl || one == two {
            return Ok(());
        }
        let (one, two) = (one.name(), two.name());
        let message = format!("a pointer to `{one}` memory cannot be cast to a pointer to `{two}` memory");
        self.error("address-space", span, message)
    }

    /// Warns about a pointer that converts to a pointer to another type or to a number, and about a
    /// number that converts to a pointer.
    pub(in crate::sema) fn warn_pointee(&mut self, value: &Value, to: Qual) {
        let from = match self.types.array(value.ty.ty) {
            Some((element, _)) => Some(element),
            None => self.types.pointee(value.ty.ty),
        };
        if !self.rules.is_c {
            return;
        }
        let drops = match (from, self.types.pointee(to.ty)) {
            (Some(from), Some(target)) => {
                let is_same = from.ty == target.ty || from.ty == CTypes::VOID || target.ty == CTypes::VOID;
                let drops = from.quals.is_const && !target.quals.is_const && !self.is_text(value);
                if !drops && (is_same || self.types.same_but_qualifiers(from.ty, target.ty)) {
                    return;
                }
                drops
            }
            // A number.
            (Some(_), None) if to.ty != CTypes::BOOL => false,
            (None, Some(_)) if self.types.is_integral(value.ty.ty) && !self.is_null(value) => false,
            _ => return,
        };
        let (shown, wanted) = (self.show(value.ty), self.show(to));
        let loses = if drops { ", and loses `const`" } else { "" };
        let message = format!("`{shown}` becomes `{wanted}` without a cast{loses}");
        let warning = Diagnostic::warning("incompatible-pointer", value.span, message);
        self.out.push(warning.help(format!("if this is intended, write `({wanted})`")));
    }

    /// The function that a kernel is to another kernel, which calls it.
    pub(in crate::sema) fn kernel_as_function(&mut self, kernel: FunctionIndex) -> Res<FunctionIndex> {
        if let Some(known) = self.kernel_functions.get(&kernel) {
            return Ok(*known);
        }
        let info = &self.functions[kernel];
        let mut decl = FunctionDecl::clone(&info.decl);
        let mut specifiers = Specifiers::clone(&decl.specifiers);
        specifiers.flags.global = false;
        specifiers.attributes.clear();
        decl.specifiers = Rc::new(specifiers);
        // The name in PTX belongs to the kernel.
        decl.extern_c = false;
        let scope = info.scope;
        let made = self.function_info(&Rc::new(decl), scope)?;
        let made = self.functions.push(made);
        self.kernel_functions.insert(kernel, made);
        Ok(made)
    }

    /// What OpenCL C writes for a name of CUDA C.
    pub(in crate::sema) fn cuda_hint(&self, name: &str) -> Option<&'static str> {
        const HINTS: [(&str, &str); 16] = [
            ("__global__", "OpenCL C marks a kernel with `__kernel`"),
            ("__device__", "functions of OpenCL C need no mark"),
            ("__shared__", "OpenCL C calls it `__local`"),
            ("__constant__", "OpenCL C writes `__constant`"),
            ("threadIdx", "OpenCL C writes `get_local_id(0)`"),
            ("blockIdx", "OpenCL C writes `get_group_id(0)`"),
            ("blockDim", "OpenCL C writes `get_local_size(0)`"),
            ("gridDim", "OpenCL C writes `get_num_groups(0)`"),
            ("__syncthreads", "OpenCL C writes `barrier(CLK_LOCAL_MEM_FENCE)`"),
            ("__threadfence", "OpenCL C writes `mem_fence(CLK_GLOBAL_MEM_FENCE)`"),
            ("atomicAdd", "OpenCL C writes `atomic_add`"),
            ("atomicSub", "OpenCL C writes `atomic_sub`"),
            ("atomicExch", "OpenCL C writes `atomic_xchg`"),
            ("atomicCAS", "OpenCL C writes `atomic_cmpxchg`"),
            ("make_float4", "OpenCL C writes `(float4)(...)`"),
            ("make_float2", "OpenCL C writes `(float2)(...)`"),
        ];
        let known = HINTS.iter().find(|(known, _)| *known == name).map(|(_, hint)| *hint);
        known.filter(|_| self.rules.is_open_cl)
    }

    /// `(int)(a, b)`: the last value, after the others.
    pub(in crate::sema) fn cast_of_last(&mut self, to: Qual, list: &[Expr], span: Span) -> Res<Value> {
        let Some((last, front)) = list.split_last() else { return Err(crate::sema::Failed) };
        let mut before = Vec::new();
        for one in front {
            let value = self.expression(one)?;
            before.push(self.discarded(value)?);
        }
        let value = self.expression(last)?;
        let value = self.explicit_cast(CastKind::C, value, to, span)?;
        let (ty, value) = (value.ty.ty, self.expr(value)?);
        let value = self.after(before, value, ty)?;
        Ok(Value::rvalue(value.kind, ty, span))
    }

    /// Whether a type of the typed program is a vector.
    pub(in crate::sema) fn is_hir_vector(&self, ty: TypeId) -> bool {
        self.rules.is_open_cl && self.vectors.values().any(|vector| *vector == ty)
    }

    /// The memory of a variable by its type; the error of a memory that it cannot be in.
    pub(in crate::sema) fn open_cl_storage(
        &mut self,
        ty: Qual,
        is_local: bool,
        span: Span,
    ) -> Res<Option<Storage>> {
        let is_kernel = self.function.as_ref().is_none_or(|function| function.is_kernel);
        match ty.quals.space {
            AddressSpace::Constant => Ok(Some(Storage::Constant)),
            AddressSpace::Local if !is_local || !is_kernel => {
                let error = Diagnostic::error("address-space", span, "only kernels have `__local` variables");
                self.fail(error.help("declare it in the kernel, and pass its address to functions"))
            }
            AddressSpace::Local => Ok(Some(Storage::Shared)),
            AddressSpace::Global => {
                let error =
                    Diagnostic::error("address-space", span, "a variable cannot be in `__global` memory");
                self.fail(error.help("pass a buffer as a parameter of the kernel"))
            }
            AddressSpace::Unnamed | AddressSpace::Private if is_local => Ok(None),
            AddressSpace::Unnamed | AddressSpace::Private => {
                let error = Diagnostic::error(
                    "address-space",
                    span,
                    "variables outside functions are in `__constant` memory",
                );
                self.fail(error.help("write `__constant` in front of the type"))
            }
        }
    }

    /// Checks the parameters of a kernel.
    pub(super) fn check_kernel(&mut self, function: &FunctionDecl) {
        if !function.specifiers.flags.global || self.out.is_full() {
            return;
        }
        let Ok(signature) = self.function_type(function) else { return };
        let parameters = function.declarator.function().map_or(&[][..], |chunk| &chunk.parameters);
        for (parameter, ty) in parameters.iter().zip(&signature.parameters) {
            let _ = self.check_parameter(*ty, parameter.declarator.span);
        }
    }

    fn check_parameter(&mut self, ty: Qual, span: Span) -> Res<()> {
        let shown = self.show(ty);
        let refuse = |sema: &mut Self, help: &str| {
            let message = format!("a kernel cannot have a parameter of type `{shown}`");
            sema.fail(Diagnostic::error("kernel-parameter", span, message).help(help.to_owned()))
        };
        if let Some(to) = self.types.pointee(ty.ty) {
            if self.types.is_pointer(to.ty) {
                return refuse(self, "the host cannot pass pointers in memory");
            }
            return match to.quals.space {
                AddressSpace::Global | AddressSpace::Constant | AddressSpace::Local => Ok(()),
                _ => refuse(self, "write `__global`, `__constant` or `__local` in front of the type"),
            };
        }
        match self.types.opaque(ty.ty) {
            Some(Opaque::Half) => return refuse(self, "a pointer to `half` can be passed"),
            Some(Opaque::Event) => return refuse(self, "events are values of kernels"),
            _ => {}
        }
        if ty.ty == CTypes::BOOL {
            return refuse(self, "its size depends on the host: write `int`");
        }
        Ok(())
    }

    /// What the host passes for a parameter of a kernel.
    pub(in crate::sema) fn parameter_kind(&mut self, ty: Qual) -> ParameterKind {
        if let Some(to) = self.types.pointee(ty.ty) {
            return match to.quals.space {
                AddressSpace::Global => ParameterKind::Global,
                AddressSpace::Constant => ParameterKind::Constant,
                AddressSpace::Local => {
                    let align = self.hir_type(to.ty, Span::NONE).map_or(1, |ty| self.hir.align(ty));
                    ParameterKind::Local(align)
                }
                _ => ParameterKind::Value,
            };
        }
        let is_written = ty.quals.access == Some(true);
        match self.types.opaque(ty.ty) {
            Some(Opaque::Image2d) => ParameterKind::Image { dimensions: 2, is_written },
            Some(Opaque::Image3d) => ParameterKind::Image { dimensions: 3, is_written },
            Some(Opaque::Sampler) => ParameterKind::Sampler,
            _ => ParameterKind::Value,
        }
    }

    /// The attributes that `clGetKernelInfo` reports, as OpenCL C writes them.
    pub(in crate::sema) fn attribute_texts(&mut self, list: &[Attribute]) -> Res<String> {
        let mut texts = Vec::new();
        for attribute in list {
            let name = self.text(attribute.name.symbol).trim_matches('_').to_owned();
            let value = match (name.as_str(), &*attribute.arguments) {
                ("reqd_work_group_size" | "work_group_size_hint", _) => self
                    .work_group_size(std::slice::from_ref(attribute), &name)?
                    .map_or_else(String::new, |[x, y, z]| format!("{x},{y},{z}")),
                ("vec_type_hint", [AttributeArgument::Type(ty)]) => {
                    let ty = self.type_name(ty)?;
                    self.show(ty)
                }
                ("vec_type_hint", _) => {
                    let span = attribute.name.span;
                    return self.error("attribute", span, "`vec_type_hint` takes a type");
                }
                _ => continue,
            };
            texts.push(format!("{name}({value})"));
        }
        Ok(texts.join(" "))
    }

    /// The numbers of an attribute such as `reqd_work_group_size`.
    pub(in crate::sema) fn work_group_size(
        &mut self,
        list: &[Attribute],
        name: &str,
    ) -> Res<Option<[u32; 3]>> {
        let found = list.iter().find(|one| self.text(one.name.symbol).trim_matches('_') == name);
        let Some(attribute) = found else { return Ok(None) };
        let mut sizes = Vec::new();
        for argument in &attribute.arguments {
            let AttributeArgument::Value(value) = argument else { continue };
            let (size, _) = self.constant_int(value, "the size of a work-group")?;
            match u32::try_from(size) {
                Ok(size) if size > 0 => sizes.push(size),
                _ => {
                    return self.error(
                        "attribute",
                        value.span,
                        format!("a work-group of {size} does not exist"),
                    );
                }
            }
        }
        match <[u32; 3]>::try_from(sizes) {
            Ok(sizes) => Ok(Some(sizes)),
            Err(_) => self.error("attribute", attribute.name.span, format!("`{name}` takes three numbers")),
        }
    }
}
