//! Fetches through texture references, and surfaces.

use super::Sema;
use super::scope::{Entity, VariableIndex};
use super::types::{CType, CTypes, Kind, Qual};
use super::value::{Res, Texture, Value};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir, Intrinsic, TextureShape};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, QualifiedName, TemplateArgument};

impl Sema<'_> {
    /// A call of `tex1Dfetch` and its like, or of a surface function.
    pub(super) fn texture_call(
        &mut self,
        function: &str,
        name: &QualifiedName,
        list: &[Expr],
        span: Span,
    ) -> Res<Value> {
        let is_surface = function.starts_with("surf");
        let is_write = function.ends_with("write");
        let through_pointer = is_surface && !is_write && self.is_result_pointer(list);
        let reference_at = usize::from(is_write || through_pointer);
        let Some(reference) = list.get(reference_at) else {
            return self.error(
                "no-match",
                span,
                format!("`{function}` needs a texture or surface reference"),
            );
        };
        let (variable, texture) = self.texture_reference(reference, function)?;
        if texture.is_surface != is_surface {
            let kind = if is_surface { "surface" } else { "texture" };
            return self.error(
                "wrong-type",
                reference.span,
                format!("`{function}` takes a {kind} reference"),
            );
        }
        let global = self.global_of(variable)?;
        let (shape, count) = match function {
            "tex1Dfetch" | "tex1D" | "surf1Dread" | "surf1Dwrite" => (TextureShape::OneD, 1),
            "tex2D" | "surf2Dread" | "surf2Dwrite" => (TextureShape::TwoD, 2),
            _ => (TextureShape::ThreeD, 3),
        };
        if !is_surface && texture.dimensions != count as i128 {
            let text = self.text(self.variables[variable.0 as usize].name).to_owned();
            let error = Diagnostic::error(
                "wrong-type",
                reference.span,
                format!(
                    "`{function}` takes a texture of {count} dimensions; `{text}` has {}",
                    texture.dimensions
                ),
            );
            return self.fail(error);
        }
        if is_surface {
            self.require_capability(20, function, span)?;
            if through_pointer {
                return self.surface_read_to(list, global, shape, count, span);
            }
            return self.surface_call(name, list, global, shape, count, span);
        }
        if list.len() != 1 + count {
            let given = list.len() - 1;
            return self.error(
                "no-match",
                span,
                format!("`{function}` takes {count} coordinates, but {given} are given"),
            );
        }
        let coordinate = if function == "tex1Dfetch" { CTypes::INT } else { CTypes::FLOAT };
        let mut values = Vec::new();
        for expr in &list[1..] {
            let value = self.expression(expr)?;
            values.push(self.convert(value, Qual::plain(coordinate), "as a texture coordinate")?);
        }
        self.fetched(texture, Intrinsic::Texture(global, shape), values, span)
    }

    fn texture_reference(&mut self, expr: &Expr, function: &str) -> Res<(VariableIndex, Texture)> {
        if let ExprKind::Name(name) = &expr.kind {
            let (entity, _) = self.find_qualified(name)?;
            if let Entity::Variable(variable) = entity
                && let Some(texture) = self.variables[variable.0 as usize].texture
            {
                return Ok((variable, texture));
            }
        }
        let error = Diagnostic::error(
            "wrong-type",
            expr.span,
            format!("`{function}` needs the name of a texture reference"),
        )
        .help("declare `texture<float, 1, cudaReadModeElementType> name;` at file scope");
        self.fail(error)
    }

    /// The elements of a fetch as the element type of the texture.
    fn fetched(
        &mut self,
        texture: Texture,
        fetch: Intrinsic,
        values: Vec<hir::Expr>,
        span: Span,
    ) -> Res<Value> {
        let element = texture.element;
        let fields: Vec<CType> = match self.types.record(element) {
            None => vec![element],
            Some(id) => {
                self.require_complete(element, span)?;
                self.records[id.0 as usize].fields.iter().map(|field| field.ty.ty).collect()
            }
        };
        let scalar = fields[0];
        let fits = self.types.int_type(scalar).is_some_and(|int| int.bits <= 32) || scalar == CTypes::FLOAT;
        if !fits || fields.len() == 3 || fields.len() > 4 {
            let shown = self.show_type(element);
            return self.error(
                "wrong-type",
                span,
                format!("a texture cannot have elements of type `{shown}`"),
            );
        }
        let is_float = texture.normalized || scalar == CTypes::FLOAT;
        let is_signed = self.types.int_type(scalar).is_some_and(|int| int.signed);
        let (four, base) = match (is_float, is_signed) {
            (true, _) => ("float4", CTypes::FLOAT),
            (_, true) => ("int4", CTypes::INT),
            _ => ("uint4", CTypes::UINT),
        };
        let four = self.vector_type(four, span)?;
        let fetched = self.make(Hir::Intrinsic(fetch, values), four, span)?;
        let count = fields.len();
        if count == 1 {
            let first = self.make(Hir::Extract(Box::new(fetched), 0), base, span)?;
            let to = if texture.normalized { CTypes::FLOAT } else { scalar };
            let value = self.cast(first, to)?;
            return Ok(self.rvalue_of(value.kind, to, span));
        }
        let result =
            if texture.normalized { self.vector_type(&format!("float{count}"), span)? } else { element };
        if result == four {
            return Ok(self.rvalue_of(fetched.kind, four, span));
        }
        // The fetch is stored once, and its parts are converted.
        let (place, mut parts) = self.temporary(Qual::plain(four), span)?;
        self.store(place.clone(), fetched, &mut parts)?;
        let mut members = Vec::new();
        for at in 0..count as u32 {
            let part = self.field_at(place.clone(), at, span)?;
            let part = self.expr(part)?;
            let to = if texture.normalized { CTypes::FLOAT } else { scalar };
            members.push(self.cast(part, to)?);
        }
        let mut value = self.make(Hir::Aggregate(members), result, span)?;
        for part in parts.into_iter().rev() {
            value = self.make(Hir::Comma(Box::new(part), Box::new(value)), result, span)?;
        }
        Ok(self.rvalue_of(value.kind, result, span))
    }

    fn vector_type(&mut self, name: &str, span: Span) -> Res<CType> {
        let found = self
            .names
            .find(name)
            .and_then(|symbol| self.in_scope(super::Scopes::FILE, |sema| sema.find(symbol)));
        match found {
            Some((Entity::Type(ty), _)) => {
                self.require_complete(ty.ty, span)?;
                Ok(ty.ty)
            }
            _ => self.error("wrong-type", span, format!("type `{name}` is not declared")),
        }
    }

    /// Whether the first argument of a surface read is a pointer to the result.
    fn is_result_pointer(&mut self, list: &[Expr]) -> bool {
        let Some(Expr { kind: ExprKind::Name(name), .. }) = list.first() else { return true };
        match name.plain().and_then(|plain| self.find(plain.symbol)) {
            Some((Entity::Variable(variable), _)) => self.variables[variable.0 as usize].texture.is_none(),
            Some((Entity::Local(_) | Entity::Static(..), _)) => true,
            _ => false,
        }
    }

    /// `surf2Dread(&value, surface, x, y)`.
    fn surface_read_to(
        &mut self,
        list: &[Expr],
        global: hir::GlobalId,
        shape: TextureShape,
        count: usize,
        span: Span,
    ) -> Res<Value> {
        let pointer = self.expression(&list[0])?;
        let object = self.deref(pointer, span)?;
        let ty = object.ty.ty;
        let is_record = matches!(self.types.kind(ty), Kind::Record(_));
        if !is_record && !self.types.is_arithmetic(ty) {
            return self.error("wrong-type", span, "a surface has elements of an arithmetic or vector type");
        }
        if list.len() < 2 + count {
            return self.error("no-match", span, format!("expected {count} coordinates"));
        }
        let mut values = Vec::new();
        for expr in &list[2..2 + count] {
            let value = self.expression(expr)?;
            values.push(self.convert(value, Qual::plain(CTypes::INT), "as a surface coordinate")?);
        }
        let (place, _) = self.target(object, span)?;
        let value = self.make(Hir::Intrinsic(Intrinsic::SurfaceLoad(global, shape), values), ty, span)?;
        Ok(self.rvalue_of(Hir::Assign(Box::new(place), Box::new(value)), CTypes::VOID, span))
    }

    fn surface_call(
        &mut self,
        name: &QualifiedName,
        list: &[Expr],
        global: hir::GlobalId,
        shape: TextureShape,
        count: usize,
        span: Span,
    ) -> Res<Value> {
        let is_write = list.len() > 1 + count && self.text(name.last().name.symbol).ends_with("write");
        let first = usize::from(is_write) + 1;
        let mut values = Vec::new();
        let mut ty = None;
        if is_write {
            let value = self.expression(&list[0])?;
            let value = self.rvalue(value)?;
            ty = Some(value.ty.ty);
            values.push(self.expr(value)?);
        }
        for expr in list.iter().skip(first).take(count) {
            let value = self.expression(expr)?;
            values.push(self.convert(value, Qual::plain(CTypes::INT), "as a surface coordinate")?);
        }
        if values.len() != count + usize::from(is_write) {
            return self.error("no-match", span, format!("expected {count} coordinates"));
        }
        if let Some(TemplateArgument::Type(written)) =
            name.last().arguments.as_ref().and_then(|list| list.first())
        {
            ty = Some(self.type_name(written)?.ty);
        }
        let Some(ty) = ty else {
            return self.error("template", span, "write the element type, as in `surf2Dread<float>(...)`");
        };
        let is_record = matches!(self.types.kind(ty), Kind::Record(_));
        if !is_record && !self.types.is_arithmetic(ty) {
            return self.error("wrong-type", span, "a surface has elements of an arithmetic or vector type");
        }
        let (intrinsic, result) = if is_write {
            (Intrinsic::SurfaceStore(global, shape), CTypes::VOID)
        } else {
            (Intrinsic::SurfaceLoad(global, shape), ty)
        };
        Ok(self.rvalue_of(Hir::Intrinsic(intrinsic, values), result, span))
    }
}
