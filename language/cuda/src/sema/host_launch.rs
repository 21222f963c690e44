//! Launches of kernels by host code.

use super::Sema;
use super::scope::Entity;
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::{FunctionSet, Res, Value, ValueKind};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind};

impl Sema<'_> {
    /// `kernel<<<grid, block, shared, stream>>>(arguments)`.
    pub(super) fn launch(
        &mut self,
        kernel: &Expr,
        configuration: &[Expr],
        list: &[Expr],
        span: Span,
    ) -> Res<Value> {
        let callee = self.expression(kernel)?;
        let list = &*self.expanded(list)?;
        let ValueKind::Functions(set) = callee.kind else {
            return self.launch_pointer(callee, configuration, list, span);
        };
        let FunctionSet { functions, arguments: explicit, name, .. } = *set;
        let (kernels, others): (Vec<_>, Vec<_>) =
            functions.iter().partition(|one| self.functions[**one].global);
        if let (true, Some(other)) = (kernels.is_empty(), others.first()) {
            let (shown, declared) = (self.function_name(*other), self.functions[*other].span);
            let error = Diagnostic::error("launch", callee.span, format!("`{shown}` is not a kernel"))
                .at(declared, "declared here without `__global__`");
            return self.fail(error);
        }
        let arguments = self.arguments(list)?;
        let Some(selected) = self.select(&kernels, explicit.as_deref(), None, &arguments, span)? else {
            return self.no_match(&kernels, Some(name), &arguments, span);
        };
        let id = self.instance(selected.function, selected.arguments.clone(), span)?;
        let signature = self.instances[id].signature.clone();
        let shown = self.function_name(selected.function);
        self.note_kernel(id, span)?;
        let given = arguments.len();
        let mut values = self.convert_arguments(&signature, arguments, &format!("kernel `{shown}`"))?;
        let scope = self.scope_of_defaults(selected.function, &selected.arguments, id, span)?;
        values.extend(self.default_arguments(selected.function, &signature, given, scope)?);
        let [grid, block, shared, stream] = self.configuration(configuration, span)?;
        let pointer = self.types.pointer(Qual::plain(CTypes::VOID));
        let name = self.mangled(id);
        let kernel = self.make(Hir::KernelAddress(name), pointer, span)?;
        let launch = hir::Launch { kernel, grid, block, shared, stream, arguments: values };
        Ok(Value::rvalue(Hir::Launch(Box::new(launch)), CTypes::VOID, span))
    }

    /// A launch through a pointer to a kernel.
    fn launch_pointer(
        &mut self,
        callee: Value,
        configuration: &[Expr],
        list: &[Expr],
        span: Span,
    ) -> Res<Value> {
        let pointer = self.rvalue(callee)?;
        let pointee = self.types.pointee(pointer.ty.ty).map(|to| self.types.kind(to.ty).clone());
        let Some(TypeKind::Function(signature)) = pointee else {
            let shown = self.show(pointer.ty);
            return self.error("launch", pointer.span, format!("`{shown}` is not a kernel"));
        };
        let arguments = self.arguments(list)?;
        if arguments.len() != signature.parameters.len() {
            let (count, given) = (signature.parameters.len(), arguments.len());
            let message = format!("the kernel takes {count} arguments, but {given} are given");
            return self.error("no-match", span, message);
        }
        let arguments = self.convert_arguments(&signature, arguments, "the kernel")?;
        let kernel = self.expr(pointer)?;
        let [grid, block, shared, stream] = self.configuration(configuration, span)?;
        let launch = hir::Launch { kernel, grid, block, shared, stream, arguments };
        Ok(Value::rvalue(Hir::Launch(Box::new(launch)), CTypes::VOID, span))
    }

    /// Grid, block, bytes of shared memory and stream of a launch.
    fn configuration(&mut self, list: &[Expr], span: Span) -> Res<[hir::Expr; 4]> {
        let (grid, block) = match list {
            [grid, block, rest @ ..] if rest.len() <= 2 => (grid, block),
            _ => {
                let message = format!("`<<<...>>>` takes 2 to 4 values, not {}", list.len());
                let error = Diagnostic::error("launch", span, message)
                    .help("blocks of the grid, threads per block, bytes of shared memory, stream");
                return self.fail(error);
            }
        };
        let size = Qual::plain(self.prelude_type("dim3")?);
        let stream = Qual::plain(self.prelude_type("cudaStream_t")?);
        let bytes = Qual::plain(self.types.size_type);
        let mut parts = [None, None, None, None];
        let wanted = [
            (Some(grid), size, "as the grid"),
            (Some(block), size, "as the block"),
            (list.get(2), bytes, "as the bytes of shared memory"),
            (list.get(3), stream, "as the stream"),
        ];
        for (part, (expr, to, what)) in parts.iter_mut().zip(wanted) {
            let value = match expr {
                Some(expr @ Expr { kind: ExprKind::List(_), .. }) => self.value_of_list(expr, to)?,
                Some(expr) => self.expression(expr)?,
                None => Value::int(0, CTypes::INT, span),
            };
            *part = Some(self.convert(value, to, what)?);
        }
        let [Some(grid), Some(block), Some(shared), Some(stream)] = parts else { return Err(super::Failed) };
        Ok([grid, block, shared, stream])
    }

    /// A type of the prelude.
    fn prelude_type(&mut self, name: &str) -> Res<CType> {
        match self.names.find(name).and_then(|symbol| self.find(symbol)) {
            Some((Entity::Type(ty), _)) => Ok(ty.ty),
            _ => Err(super::Failed),
        }
    }
}
