//! Fetches through texture references, and surfaces.

use super::Sema;
use super::scope::{Constant, Entity, VariableIndex};
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::{Res, Texture, Value};
use crate::diagnostics::Diagnostic;
use crate::hir::{self, Boundary, ExprKind as Hir, Intrinsic, SurfaceAccess, TextureShape};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, QualifiedName, TemplateArgument};

/// A function that accesses a texture or a surface.
pub(super) struct TextureFunction {
    name: &'static str,
    access: Access,
    shape: TextureShape,
    /// Type of the coordinates: numbers of elements or bytes, or places.
    coordinate: CType,
    /// Lowest capability that has the function.
    capability: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Fetch,
    Read,
    Write,
}

const fn fetch(name: &'static str, shape: TextureShape, capability: u32) -> TextureFunction {
    TextureFunction { name, access: Access::Fetch, shape, coordinate: CTypes::FLOAT, capability }
}

const fn surface(name: &'static str, access: Access, shape: TextureShape) -> TextureFunction {
    TextureFunction { name, access, shape, coordinate: CTypes::INT, capability: 20 }
}

/// The functions. The faces of a cube are layers of a surface.
const FUNCTIONS: &[TextureFunction] = &[
    TextureFunction { coordinate: CTypes::INT, ..fetch("tex1Dfetch", TextureShape::OneD, 10) },
    fetch("tex1D", TextureShape::OneD, 10),
    fetch("tex2D", TextureShape::TwoD, 10),
    fetch("tex3D", TextureShape::ThreeD, 10),
    fetch("tex1DLayered", TextureShape::OneDLayered, 20),
    fetch("tex2DLayered", TextureShape::TwoDLayered, 20),
    fetch("texCubemap", TextureShape::Cube, 20),
    fetch("texCubemapLayered", TextureShape::CubeLayered, 20),
    surface("surf1Dread", Access::Read, TextureShape::OneD),
    surface("surf2Dread", Access::Read, TextureShape::TwoD),
    surface("surf3Dread", Access::Read, TextureShape::ThreeD),
    surface("surf1DLayeredread", Access::Read, TextureShape::OneDLayered),
    surface("surf2DLayeredread", Access::Read, TextureShape::TwoDLayered),
    surface("surfCubemapread", Access::Read, TextureShape::TwoDLayered),
    surface("surfCubemapLayeredread", Access::Read, TextureShape::TwoDLayered),
    surface("surf1Dwrite", Access::Write, TextureShape::OneD),
    surface("surf2Dwrite", Access::Write, TextureShape::TwoD),
    surface("surf3Dwrite", Access::Write, TextureShape::ThreeD),
    surface("surf1DLayeredwrite", Access::Write, TextureShape::OneDLayered),
    surface("surf2DLayeredwrite", Access::Write, TextureShape::TwoDLayered),
    surface("surfCubemapwrite", Access::Write, TextureShape::TwoDLayered),
    surface("surfCubemapLayeredwrite", Access::Write, TextureShape::TwoDLayered),
];

impl TextureFunction {
    /// The function of a name.
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        FUNCTIONS.iter().find(|function| function.name == name)
    }

    fn is_surface(&self) -> bool {
        self.access != Access::Fetch
    }

    /// `texture` or `surface`.
    fn noun(&self) -> &'static str {
        if self.is_surface() { "surface" } else { "texture" }
    }
}

/// The type of a texture in its declaration (`cudaTextureType2D`).
fn declared(shape: TextureShape) -> i128 {
    match shape {
        TextureShape::OneD => 1,
        TextureShape::TwoD => 2,
        TextureShape::ThreeD => 3,
        TextureShape::OneDLayered => 0xf1,
        TextureShape::TwoDLayered => 0xf2,
        TextureShape::Cube => 0x0c,
        TextureShape::CubeLayered => 0xfc,
    }
}

/// What a call accesses.
enum Accessed {
    /// A variable with what it reads.
    Reference(VariableIndex, Texture),
    /// A value: the handle of an object, or the address of the result.
    Value(Value),
}

impl Sema<'_> {
    /// A call of `tex1Dfetch` and its like, or of a surface function. The result of a read is
    /// stored if the first argument is a pointer.
    pub(super) fn texture_call(
        &mut self,
        function: &TextureFunction,
        name: &QualifiedName,
        list: &[Expr],
        span: Span,
    ) -> Res<Value> {
        let (text, shape, is_surface) = (function.name, function.shape, function.is_surface());
        self.require_capability(function.capability, text, span)?;
        let mut rest = list.iter();
        let mut stored = None;
        if function.access == Access::Write
            && let Some(expr) = rest.next()
        {
            let value = self.expression(expr)?;
            stored = Some(self.rvalue(value)?);
        }
        let mut result = None;
        let mut accessed = self.accessed(rest.next(), function, span)?;
        if let (None, Accessed::Value(pointer)) = (&stored, &accessed)
            && self.types.pointee(pointer.ty.ty).is_some()
        {
            result = Some(self.deref(pointer.clone(), span)?);
            accessed = self.accessed(rest.next(), function, span)?;
        }
        let mut values = Vec::new();
        let mut element = match (&stored, &result) {
            (Some(value), _) | (_, Some(value)) => Some(value.ty.ty),
            (None, None) => None,
        };
        if let Some(TemplateArgument::Type(written)) =
            name.last().arguments.as_ref().and_then(|list| list.first())
        {
            let written = self.type_name(written)?;
            if let Some(value) = stored.take() {
                let value = self.convert(value, written, "as the stored value")?;
                stored = Some(Value::rvalue(value.kind, written.ty, span));
            }
            element = Some(written.ty);
        }
        let (global, texture) = match accessed {
            Accessed::Reference(variable, texture) => {
                self.check_reference(variable, texture, function, span)?;
                (Some(self.global_of(variable)?), texture)
            }
            Accessed::Value(handle) if handle.ty.ty != CTypes::ULLONG => {
                return self.no_reference(handle.span, function);
            }
            Accessed::Value(handle) => {
                let name = if is_surface { "cudaSurfaceObject_t" } else { "cudaTextureObject_t" };
                self.require_capability(20, name, span)?;
                let meaning = "here an object has the properties of a reference";
                self.say_later(&format!("`{name}`"), meaning, span);
                values.push(self.expr(handle)?);
                // The type of the result is also that of the elements.
                let element = element.unwrap_or(CTypes::VOID);
                (None, Texture { element, dimensions: declared(shape), normalized: false, is_surface })
            }
        };
        let numbers: Vec<&Expr> = rest.collect();
        let (count, layers) = (shape.coordinates(), usize::from(shape.is_layered()));
        // A surface has a mode for places outside of it.
        let most = count + layers + usize::from(is_surface);
        if numbers.len() < count + layers || numbers.len() > most {
            let (needed, given) = (count + layers, numbers.len());
            let message = format!("`{text}` takes {needed} coordinates, but {given} are given");
            return self.error("no-match", span, message);
        }
        // The layer is the last number in CUDA C, and the first in PTX.
        let (coordinates, others) = numbers.split_at(count);
        for layer in &others[..layers] {
            let value = self.expression(layer)?;
            values.push(self.convert(value, Qual::plain(CTypes::INT), "as a layer")?);
        }
        for expr in coordinates {
            let value = self.expression(expr)?;
            values.push(self.convert(value, Qual::plain(function.coordinate), "as a coordinate")?);
        }
        let boundary = match others.get(layers) {
            Some(mode) => self.boundary(mode)?,
            None => Boundary::Trap,
        };
        let access = SurfaceAccess { surface: global, shape, boundary };
        if let Some(value) = stored {
            self.require_element(value.ty.ty, text, span)?;
            values.insert(0, self.expr(value)?);
            let store = Hir::Intrinsic(Intrinsic::SurfaceStore(access), values);
            return Ok(Value::rvalue(store, CTypes::VOID, span));
        }
        let value = if is_surface {
            let element = self.require_element(element.unwrap_or(CTypes::VOID), text, span)?;
            Value::rvalue(Hir::Intrinsic(Intrinsic::SurfaceLoad(access), values), element, span)
        } else {
            self.require_element(texture.element, text, span)?;
            self.fetched(texture, Intrinsic::Texture(global, shape), values, span)?
        };
        let Some(object) = result else { return Ok(value) };
        let value = self.convert(value, object.ty, "as the result")?;
        let (place, _) = self.target(object, span)?;
        Ok(Value::rvalue(Hir::Assign(Box::new(place), Box::new(value)), CTypes::VOID, span))
    }

    /// What an argument of a texture or surface function is.
    fn accessed(&mut self, argument: Option<&Expr>, function: &TextureFunction, span: Span) -> Res<Accessed> {
        if let Some(Expr { kind: ExprKind::Name(name), .. }) = argument {
            let (entity, _) = self.find_qualified(name)?;
            if let Entity::Variable(variable) = entity
                && let Some(texture) = self.variables[variable].texture
            {
                return Ok(Accessed::Reference(variable, texture));
            }
        }
        if let Some(expr) = argument {
            let value = self.expression(expr)?;
            let value = self.rvalue(value)?;
            if value.ty.ty == CTypes::ULLONG || self.types.pointee(value.ty.ty).is_some() {
                return Ok(Accessed::Value(value));
            }
        }
        self.no_reference(argument.map_or(span, |expr| expr.span), function)
    }

    /// An argument is neither a reference nor an object.
    fn no_reference<T>(&mut self, place: Span, function: &TextureFunction) -> Res<T> {
        let (text, kind) = (function.name, function.noun());
        let message = format!("`{text}` needs the name of a {kind} reference, or a {kind} object");
        let error = Diagnostic::error("wrong-type", place, message).help(if function.is_surface() {
            "declare `surface<void, 2> name;` at file scope"
        } else {
            "declare `texture<float, 1, cudaReadModeElementType> name;` at file scope"
        });
        self.fail(error)
    }

    fn check_reference(
        &mut self,
        variable: VariableIndex,
        texture: Texture,
        function: &TextureFunction,
        span: Span,
    ) -> Res<()> {
        let text = function.name;
        if texture.is_surface != function.is_surface() {
            let message = format!("`{text}` takes a {} reference", function.noun());
            return self.error("wrong-type", span, message);
        }
        let wanted = declared(function.shape);
        if !texture.is_surface && texture.dimensions != wanted {
            let name = self.text(self.variables[variable].name);
            let own = texture.dimensions;
            let message = if wanted <= 3 && own <= 3 {
                format!("`{text}` takes a texture of {wanted} dimensions; `{name}` has {own}")
            } else {
                format!("`{text}` takes a texture of type {wanted:#x}; `{name}` has {own:#x}")
            };
            return self.error("wrong-type", span, message);
        }
        Ok(())
    }

    /// The mode of an access to a surface, a constant of `cudaSurfaceBoundaryMode`.
    fn boundary(&mut self, mode: &Expr) -> Res<Boundary> {
        let value = self.expression(mode)?;
        match value.known() {
            Some(Constant::Int(0)) => Ok(Boundary::Zero),
            Some(Constant::Int(1)) => Ok(Boundary::Clamp),
            Some(Constant::Int(2)) => Ok(Boundary::Trap),
            _ => {
                self.error("wrong-type", mode.span, "the mode is not a constant of `cudaSurfaceBoundaryMode`")
            }
        }
    }

    /// Checks the type of the elements.
    fn require_element(&mut self, element: CType, text: &str, span: Span) -> Res<CType> {
        if element == CTypes::VOID {
            let message = format!("write the element type, as in `{text}<float>(...)`");
            return self.error("template", span, message);
        }
        let is_record = matches!(self.types.kind(element), TypeKind::Record(_));
        if !is_record && !self.types.is_arithmetic(element) {
            let shown = self.show_type(element);
            let message = format!("a texture or surface cannot have elements of type `{shown}`");
            return self.error("wrong-type", span, message);
        }
        Ok(element)
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
                self.records[id].fields.iter().map(|field| field.ty.ty).collect()
            }
        };
        let scalar = fields[0];
        let fits = self.types.int_type(scalar).is_some_and(|int| int.bits <= 32) || scalar == CTypes::FLOAT;
        if !fits || fields.len() == 3 || fields.len() > 4 {
            let shown = self.show_type(element);
            let message = format!("a texture cannot have elements of type `{shown}`");
            return self.error("wrong-type", span, message);
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
            return Ok(Value::rvalue(value.kind, to, span));
        }
        let result =
            if texture.normalized { self.vector_type(&format!("float{count}"), span)? } else { element };
        if result == four {
            return Ok(Value::rvalue(fetched.kind, four, span));
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
        Ok(Value::rvalue(value.kind, result, span))
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
}
