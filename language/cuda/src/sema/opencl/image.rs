//! Images and samplers: what a program may do with them, and the functions that access them.

use super::builtin::Call;
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, Intrinsic, TextureShape};
use crate::opencl::rows::ImageQuery;
use crate::opencl::samplers;
use crate::sema::Sema;
use crate::sema::scope::Constant;
use crate::sema::types::{CType, CTypes, Qual, TypeKind};
use crate::sema::value::{Res, Value};
use crate::source::Span;
use crate::syntax::ast::Initializer;
use crate::syntax::opencl::types::Opaque;

impl Sema<'_> {
    /// The object that a value of the type names.
    pub(in crate::sema) fn object_of(&self, ty: Qual) -> Option<hir::Object> {
        Some(match self.types.opaque(ty.ty)? {
            Opaque::Image2d | Opaque::Image3d if ty.quals.access == Some(true) => hir::Object::Surface,
            Opaque::Image2d | Opaque::Image3d => hir::Object::Texture,
            Opaque::Sampler => hir::Object::Sampler,
            Opaque::Half | Opaque::Event => return None,
        })
    }

    /// Refuses an image or sampler that is to be `what`.
    pub(in crate::sema) fn refuse_object(&mut self, ty: CType, what: &str, span: Span) -> Res<()> {
        let noun = match self.object_of(Qual::plain(ty)) {
            None => return Ok(()),
            Some(hir::Object::Sampler) => "a sampler",
            Some(_) => "an image",
        };
        let error = Diagnostic::error("image", span, format!("{noun} cannot be {what}"));
        self.fail(error.help("pass it as a parameter of a function"))
    }

    /// Refuses types that OpenCL C does not have: functions behind pointers, images and samplers
    /// that are no parameters.
    pub(in crate::sema) fn check_open_cl_type(&mut self, ty: Qual, span: Span) -> Res<()> {
        if !self.rules.is_open_cl || self.is_builtin(span) {
            return Ok(());
        }
        let mut inner = ty;
        loop {
            let (of, what) = match self.types.kind(inner.ty) {
                TypeKind::Pointer(to) if matches!(self.types.kind(to.ty), TypeKind::Function(_)) => {
                    return self.unsupported(span, "pointers to functions");
                }
                TypeKind::Pointer(to) => (*to, "what a pointer points to"),
                TypeKind::Array(element, _) => (*element, "an element of an array"),
                TypeKind::Function(signature) => (signature.result, "the result of a function"),
                _ => break,
            };
            self.refuse_object(of.ty, what, span)?;
            inner = of;
        }
        let Some(is_written) = inner.quals.access else { return Ok(()) };
        match self.types.opaque(inner.ty) {
            Some(Opaque::Image3d) if is_written => {
                let message = "writing an `image3d_t` needs the extension `cl_khr_3d_image_writes`, \
                               which the device does not have";
                self.error("extension", span, message)
            }
            Some(Opaque::Image2d | Opaque::Image3d) => Ok(()),
            _ => {
                let name = if is_written { "__write_only" } else { "__read_only" };
                let shown = self.show(inner.unqualified());
                self.error("image", span, format!("`{name}` is for images, not for `{shown}`"))
            }
        }
    }

    /// Checks an image or sampler that is passed.
    pub(in crate::sema) fn check_object(&mut self, value: &Value, to: Qual, what: &str) -> Res<()> {
        match self.object_of(to) {
            Some(hir::Object::Sampler) => match value.known() {
                Some(Constant::Int(value_of)) => self.check_sampler(value_of, value.span),
                _ => Ok(()),
            },
            Some(object) if value.ty.ty == to.ty && self.object_of(value.ty) != Some(object) => {
                self.mismatch(value, to, what)
            }
            _ => Ok(()),
        }
    }

    fn check_sampler(&mut self, value: i128, span: Span) -> Res<()> {
        if samplers::is_valid(value) {
            return Ok(());
        }
        let error = Diagnostic::error("sampler", span, format!("{value} is not the value of a sampler"));
        self.fail(error.help("add one address mode and one filter of the constants `CLK_...`"))
    }

    /// The value of a sampler variable; `None` for other variables. Images are no variables.
    pub(in crate::sema) fn sampler(
        &mut self,
        ty: Qual,
        init: Option<&Initializer>,
        span: Span,
    ) -> Res<Option<Constant>> {
        if self.types.opaque(ty.ty) != Some(Opaque::Sampler) {
            return self.refuse_object(ty.ty, "a variable", span).map(|()| None);
        }
        let Some(Initializer::Value(expr)) = init else {
            let error = Diagnostic::error("sampler", span, "a sampler needs a value");
            return self.fail(
                error.help("write `= CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST`"),
            );
        };
        let (value, _) = self.constant_int(expr, "the value of a sampler")?;
        self.check_sampler(value, expr.span)?;
        Ok(Some(Constant::Int(value)))
    }

    /// The shape of an image that is read or written; the error for another value.
    fn image(&mut self, call: Call, values: &[Value], is_written: bool) -> Res<TextureShape> {
        let Some(image) = values.first() else { return self.no_overload(call, values) };
        let shape = match self.types.opaque(image.ty.ty) {
            Some(Opaque::Image2d) => TextureShape::TwoD,
            Some(Opaque::Image3d) => TextureShape::ThreeD,
            _ => return self.no_overload(call, values),
        };
        if (image.ty.quals.access == Some(true)) == is_written {
            return Ok(shape);
        }
        let (given, needed) =
            if is_written { ("__read_only", "__write_only") } else { ("__write_only", "__read_only") };
        let message = format!("`{}` needs a `{needed}` image, not a `{given}` one", call.name);
        self.fail(Diagnostic::error("image", image.span, message).label(format!("this is `{given}`")))
    }

    /// The numbers in a vector, of which an image has `dimensions`; the others are evaluated
    /// `before`.
    fn coordinates(
        &mut self,
        at: Value,
        element: CType,
        dimensions: usize,
        before: &mut Vec<hir::Expr>,
    ) -> Res<Vec<hir::Expr>> {
        let parts = self.vector_parts(at, false)?;
        before.extend(parts.before);
        let mut list = Vec::new();
        for part in parts.list {
            list.push(self.cast_value(part, element)?);
        }
        before.extend(list.drain(dimensions..));
        Ok(list)
    }

    /// `read_imagef` and its like, with elements of a type.
    pub(super) fn read_image(&mut self, call: Call, element: CType, values: &[Value]) -> Res<Value> {
        let shape = self.image(call, values, false)?;
        let [image, sampler, at] = values else { return self.no_overload(call, values) };
        let needed = if shape == TextureShape::TwoD { 2 } else { 4 };
        let numbers = self.types.vector(at.ty.ty).filter(|(_, count)| *count == needed);
        let numbers = numbers.map(|(of, _)| of).filter(|of| matches!(*of, CTypes::FLOAT | CTypes::INT));
        let sampler_type = self.types.intern(TypeKind::Opaque(Opaque::Sampler));
        let (Some(numbers), Some(_)) = (numbers, self.rank(sampler, Qual::plain(sampler_type))) else {
            return self.no_overload(call, values);
        };
        let span = call.span;
        let sampler = self.convert(sampler.clone(), Qual::plain(sampler_type), "as the sampler")?;
        let mut arguments = vec![self.expr(image.clone())?, sampler];
        let mut before = Vec::new();
        arguments.extend(self.coordinates(at.clone(), numbers, shape.coordinates(), &mut before)?);
        let ty = self.vector_of(element, 4);
        let read = self.make(Hir::Intrinsic(Intrinsic::Image(shape), arguments), ty, span)?;
        let read = self.after(before, read, ty)?;
        Ok(Value::rvalue(read.kind, ty, span))
    }

    /// `write_imagef` and its like, with elements of a type.
    pub(super) fn write_image(&mut self, call: Call, element: CType, values: &[Value]) -> Res<Value> {
        self.image(call, values, true)?;
        let [image, at, color] = values else { return self.no_overload(call, values) };
        let types = [self.vector_of(CTypes::INT, 2), self.vector_of(element, 4)];
        if [at.ty.ty, color.ty.ty] != types {
            return self.no_overload(call, values);
        }
        let span = call.span;
        let handle = self.expr(image.clone())?;
        // The headers have handles as integers.
        let mut arguments = vec![Value::rvalue(handle.kind, CTypes::ULLONG, span)];
        let mut before = Vec::new();
        for (vector, element) in [(at, CTypes::INT), (color, element)] {
            let count = self.types.vector(vector.ty.ty).map_or(1, |(_, count)| usize::from(count));
            let list = self.coordinates(vector.clone(), element, count, &mut before)?;
            arguments.extend(list.into_iter().map(|one| Value::rvalue(one.kind, element, span)));
        }
        let made = self.header_call("__cl_write_image", &arguments, call)?;
        let made = self.expr(made)?;
        let made = self.after(before, made, CTypes::VOID)?;
        Ok(Value::rvalue(made.kind, CTypes::VOID, span))
    }

    /// A property of an image.
    pub(super) fn image_query(&mut self, call: Call, query: ImageQuery, values: &[Value]) -> Res<Value> {
        let is_written = values.first().is_some_and(|image| image.ty.quals.access == Some(true));
        let shape = self.image(call, values, is_written)?;
        let [image] = values else { return self.no_overload(call, values) };
        if query == ImageQuery::Depth && shape == TextureShape::TwoD {
            return self.no_overload(call, values);
        }
        let mut read = |query: ImageQuery| {
            let handle = self.expr(image.clone())?;
            let property = Intrinsic::ImageQuery(query.instruction(is_written));
            self.make(Hir::Intrinsic(property, vec![handle]), CTypes::UINT, call.span)
        };
        if query != ImageQuery::Dimensions {
            let made = read(query)?;
            let made = self.cast(made, CTypes::INT)?;
            return Ok(Value::rvalue(made.kind, CTypes::INT, call.span));
        }
        let sizes = [ImageQuery::Width, ImageQuery::Height, ImageQuery::Depth];
        let mut list = Vec::new();
        for query in &sizes[..shape.coordinates()] {
            list.push(read(*query)?);
        }
        let mut sizes = Vec::new();
        for size in list {
            sizes.push(self.cast(size, CTypes::INT)?);
        }
        if shape == TextureShape::ThreeD {
            sizes.push(self.make(Hir::Int(0), CTypes::INT, call.span)?);
        }
        let ty = self.vector_of(CTypes::INT, sizes.len() as u8);
        self.vector_from(Vec::new(), sizes, ty, call.span)
    }
}
