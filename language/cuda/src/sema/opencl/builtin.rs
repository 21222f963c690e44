//! Calls of built-in functions: the rows of `crate::opencl::rows`.

use super::vector::Parts;
use crate::diagnostics::Diagnostic;
use crate::hir::{self, ExprKind as Hir};
use crate::lex::Punct;
use crate::opencl::rows::{self, Meaning, On, Other};
use crate::sema::Sema;
use crate::sema::overload::Argument;
use crate::sema::scope::{Constant, Entity, Scopes};
use crate::sema::types::{CType, CTypes, Qual};
use crate::sema::value::{FunctionSet, Res, Value, ValueKind};
use crate::source::Span;
use crate::syntax::ast::{Expr, Name};

/// A call of a built-in function.
#[derive(Clone, Copy)]
pub(super) struct Call<'c> {
    /// Name of the function.
    pub name: &'c str,
    /// All of it.
    pub span: Span,
}

/// The type of the elements of an image by the letter of a function.
fn texel(letter: char) -> CType {
    match letter {
        'f' => CTypes::FLOAT,
        'i' => CTypes::INT,
        _ => CTypes::UINT,
    }
}

impl Sema<'_> {
    /// A call of a function by its name, if it is a built-in function.
    pub(in crate::sema) fn open_cl_call(
        &mut self,
        name: Name,
        list: &[Expr],
        span: Span,
    ) -> Res<Option<Value>> {
        if self.is_builtin(name.span) || self.find(name.symbol).is_some() {
            return Ok(None);
        }
        let text = self.text(name.symbol).to_owned();
        let call = Call { name: &text, span };
        let row = rows::find(&text);
        if let Some(Meaning::Other(Other::VecStep)) = row.map(|row| row.meaning) {
            return self.vec_step(list, call).map(Some);
        }
        if row.is_none() && !Self::is_family(&text) {
            return Ok(None);
        }
        let mut values = Vec::new();
        for argument in self.arguments(list)? {
            match argument {
                Argument::Value(value) => values.push(value),
                Argument::List(list) => {
                    return self.error("wrong-type", list.span, "an initializer list is not a value here");
                }
            }
        }
        let Some(row) = row else { return self.family_call(call, values).map(Some) };
        match row.meaning {
            Meaning::Each(on, result, parameters, function) => {
                self.each(call, (on, result, parameters, function), &values).map(Some)
            }
            Meaning::All(on, function) => self.all_elements_call(call, on, function, values).map(Some),
            Meaning::Plain(function) => self.header_call(function, &values, call).map(Some),
            Meaning::OfAxis(function) => {
                let axis = match values.as_slice() {
                    [one] => one.known().and_then(|known| match known {
                        Constant::Int(axis) => ["_x", "_y", "_z"].get(usize::try_from(axis).ok()?),
                        Constant::Float(_) => None,
                    }),
                    _ => None,
                };
                match axis {
                    Some(axis) => self.header_call(&format!("{function}{axis}"), &[], call).map(Some),
                    None => self.header_call(function, &values, call).map(Some),
                }
            }
            Meaning::Other(other) => self.other_call(call, other, &values).map(Some),
        }
    }

    fn other_call(&mut self, call: Call, other: Other, values: &[Value]) -> Res<Value> {
        match (other, values) {
            (Other::Select, [one, two, test]) => {
                self.select_call(call, one.clone(), two.clone(), test.clone())
            }
            (Other::Cross, [one, two]) => self.cross(call, one.clone(), two.clone()),
            (Other::Normalize(fast), [one]) => self.normalized(call, one.clone(), fast),
            (Other::Any(all), [one]) => self.any(call, one.clone(), all),
            (Other::Shuffle(1), [of, mask]) => self.shuffle(call, vec![of.clone()], mask.clone()),
            (Other::Shuffle(_), [one, two, mask]) => {
                self.shuffle(call, vec![one.clone(), two.clone()], mask.clone())
            }
            (Other::ReadImage(letter), _) => self.read_image(call, texel(letter), values),
            (Other::WriteImage(letter), _) => self.write_image(call, texel(letter), values),
            (Other::ImageQuery(query), _) => self.image_query(call, query, values),
            _ => self.no_overload(call, values),
        }
    }

    /// The error for arguments that a function does not take.
    pub(super) fn no_overload<T>(&mut self, call: Call, values: &[Value]) -> Res<T> {
        let shown: Vec<String> = values.iter().map(|value| format!("`{}`", self.show(value.ty))).collect();
        let given = if shown.is_empty() { "no arguments".to_owned() } else { shown.join(", ") };
        let message = format!("`{}` does not take {given}", call.name);
        self.error("no-match", call.span, message)
    }

    /// Calls a function of the headers.
    pub(super) fn header_call(&mut self, function: &str, values: &[Value], call: Call) -> Res<Value> {
        let found = self.names.find(function).and_then(|symbol| {
            let entity = self.scopes.own(Scopes::FILE, symbol)?;
            Some((symbol, entity.clone()))
        });
        let Some((symbol, Entity::Functions(functions))) = found else {
            return self.error("unsupported", call.span, format!("`{}` is not supported", call.name));
        };
        let set = FunctionSet {
            functions: functions.clone(),
            arguments: None,
            object: None,
            is_named: false,
            name: symbol,
        };
        let arguments: Vec<Argument> = values.iter().cloned().map(Argument::Value).collect();
        let Some(selected) = self.select(&set.functions, None, None, &arguments, call.span)? else {
            return self.no_overload(call, values);
        };
        self.call_selected(&selected, None, arguments, call.span)
    }

    /// Whether a function exists for elements of a type.
    fn exists_on(&self, on: On, element: CType) -> bool {
        let size = self.types.arithmetic_size(element);
        match on {
            On::Floats => self.types.is_floating(element),
            On::Single => element == CTypes::FLOAT,
            On::Integers => self.types.is_integral(element) && element != CTypes::BOOL,
            On::Words => element == CTypes::INT || element == CTypes::UINT,
            On::Narrow => self.types.is_integral(element) && size <= 4 && element != CTypes::BOOL,
            On::Numbers => element != CTypes::BOOL,
        }
    }

    /// The elements of the generic type: of the vector arguments, or of the numbers if there are
    /// none.
    fn generic_type(&mut self, on: On, parameters: &str, values: &[Value]) -> Option<CType> {
        let generic = || parameters.chars().zip(values).filter(|(letter, _)| matches!(letter, 'g' | 's'));
        let vector = generic().find(|(_, value)| self.types.vector(value.ty.ty).is_some());
        let mut ty = if let Some((_, value)) = vector {
            value.ty.ty
        } else {
            {
                let mut all = generic().map(|(_, value)| value.ty.ty);
                let first = all.next()?;
                let rest: Vec<CType> = all.collect();
                let same = rest.iter().all(|ty| *ty == first);
                let numbers =
                    self.types.is_arithmetic(first) && rest.iter().all(|ty| self.types.is_arithmetic(*ty));
                if !numbers {
                    return None;
                }
                if same {
                    first
                } else {
                    rest.into_iter().fold(first, |ty, other| self.types.common(ty, other))
                }
            }
        };
        if self.types.is_enum(ty) || ty == CTypes::BOOL {
            ty = CTypes::INT;
        }
        let element = self.element_type(ty);
        if self.types.vector(ty).is_none()
            && self.types.is_integral(element)
            && matches!(on, On::Floats | On::Single)
        {
            ty = CTypes::FLOAT;
        }
        let element = self.element_type(ty);
        self.exists_on(on, element).then_some(ty)
    }

    /// The type of a letter, for a generic type.
    fn type_of_letter(&mut self, letter: char, generic: CType) -> CType {
        let element = self.element_type(generic);
        let made = match letter {
            'i' | 'n' | 'q' => CTypes::INT,
            'r' if self.types.vector(generic).is_none() => CTypes::INT,
            'l' | 'r' => self.integer_like(element, true),
            'u' | 'v' => self.integer_like(element, false),
            'w' => match (
                self.types.arithmetic_size(element),
                self.types.int_type(element).is_some_and(|int| int.signed),
            ) {
                (1, true) => CTypes::SHORT,
                (1, false) => CTypes::USHORT,
                (2, true) => CTypes::INT,
                (2, false) => CTypes::UINT,
                (_, true) => CTypes::LONG,
                (_, false) => CTypes::ULONG,
            },
            _ => return generic,
        };
        self.with_elements(generic, made)
    }

    /// A function of numbers, for each element.
    fn each(&mut self, call: Call, row: (On, char, &str, &str), values: &[Value]) -> Res<Value> {
        let (on, result, parameters, function) = row;
        if values.len() != parameters.len() {
            return self.no_overload(call, values);
        }
        // `nan` has no generic argument: its result has the size of the argument.
        let generic = if function == "__cl_nan" {
            self.nan_type(&values[0])
        } else {
            self.generic_type(on, parameters, values)
        };
        let Some(generic) = generic else { return self.no_overload(call, values) };
        let count = self.types.vector(generic).map_or(1, |(_, count)| count);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut columns: Vec<Vec<Value>> = Vec::new();
        for (letter, value) in parameters.chars().zip(values) {
            if matches!(letter, 'p' | 'q') {
                columns.push(self.out_parameter(call, letter, generic, value, (&mut before, &mut after))?);
                continue;
            }
            let ty = self.type_of_letter(letter, generic);
            let is_vector = self.types.vector(value.ty.ty).is_some();
            let widens = matches!(letter, 's' | 'n') && !is_vector;
            if value.ty.ty != ty
                && (is_vector || !self.types.is_arithmetic(value.ty.ty) || count > 1 && !widens)
            {
                return self.no_overload(call, values);
            }
            let element = self.element_type(ty);
            let value = if is_vector {
                value.clone()
            } else {
                let made = self.cast_value(value.clone(), element)?;
                Value::rvalue(made.kind, element, value.span)
            };
            let again = !is_vector && count > 1;
            let Parts { before: first, list } = self.vector_parts(value, again)?;
            before.extend(first);
            columns.push(list);
        }
        let ty = self.type_of_letter(result, generic);
        let mut list = Vec::new();
        for at in 0..usize::from(count) {
            let arguments: Vec<Value> =
                columns.iter().map(|column| column[at % column.len()].clone()).collect();
            let made = self.header_call(function, &arguments, call)?;
            let element = self.element_type(ty);
            list.push(if result == 'r' && count > 1 {
                self.all_ones(made, element)?
            } else {
                self.cast_value(made, element)?
            });
        }
        if after.is_empty() {
            return self.vector_from(before, list, ty, call.span);
        }
        // The results in memory are stored after the calls.
        let value = self.vector_from(before, list, ty, call.span)?;
        let value = self.expr(value)?;
        let mut all = Vec::new();
        let kept = self.in_variable(value, ty, &mut all)?;
        all.extend(after);
        let kept = self.make_place(kept, Qual::plain(ty), call.span)?;
        let kept = self.make(Hir::Load(Box::new(kept)), ty, call.span)?;
        let value = self.after(all, kept, ty)?;
        Ok(Value::rvalue(value.kind, ty, call.span))
    }

    fn nan_type(&mut self, value: &Value) -> Option<CType> {
        let element = match self.element_type(value.ty.ty) {
            CTypes::UINT => CTypes::FLOAT,
            CTypes::ULONG => CTypes::DOUBLE,
            _ => return None,
        };
        Some(self.with_elements(value.ty.ty, element))
    }

    /// The addresses of the elements of a result in memory. They are variables of the function;
    /// `after` stores them behind the pointer.
    fn out_parameter(
        &mut self,
        call: Call,
        letter: char,
        generic: CType,
        pointer: &Value,
        (before, after): (&mut Vec<hir::Expr>, &mut Vec<hir::Expr>),
    ) -> Res<Vec<Value>> {
        let ty = self.type_of_letter(letter, generic);
        let pointer = self.rvalue(pointer.clone())?;
        let to = self.types.pointee(pointer.ty.ty).filter(|to| to.ty == ty && !to.quals.is_const);
        let Some(to) = to else { return self.no_overload(call, &[pointer]) };
        let (place, span) = (pointer.ty.ty, pointer.span);
        let address = self.expr(pointer)?;
        let address = self.in_variable(address, place, before)?;
        let (element, count) = self.types.vector(ty).unwrap_or((ty, 1));
        let mut columns = Vec::new();
        let mut values = Vec::new();
        for _ in 0..count {
            let (object, _) = self.temporary(Qual::plain(element), span)?;
            let own = self.types.pointer(Qual::plain(element));
            let kind = self.address(object.clone())?;
            columns.push(Value::rvalue(kind.kind, own, span));
            values.push(self.expr(object)?);
        }
        let value = self.vector_from(Vec::new(), values, ty, span)?;
        let value = self.expr(value)?;
        let address = self.make_place(address, Qual::plain(place), span)?;
        let address = self.make(Hir::Load(Box::new(address)), place, span)?;
        self.store(Value::deref(address, to, span), value, after)?;
        Ok(columns)
    }

    /// A number from all elements of all arguments.
    fn all_elements_call(&mut self, call: Call, on: On, function: &str, values: Vec<Value>) -> Res<Value> {
        let parameters = "g".repeat(values.len());
        let expected = if matches!(call.name, "length" | "fast_length") { 1 } else { 2 };
        let generic = self.generic_type(on, &parameters, &values);
        let Some(generic) = generic.filter(|_| values.len() == expected) else {
            return self.no_overload(call, &values);
        };
        let (element, count) = self.types.vector(generic).unwrap_or((generic, 1));
        if count > 4 || values.iter().any(|value| self.types.vector(value.ty.ty).is_some() != (count > 1)) {
            return self.no_overload(call, &values);
        }
        let (mut before, mut arguments) = (Vec::new(), Vec::new());
        for value in values {
            if count > 1 && value.ty.ty != generic {
                return self.no_overload(call, &[value]);
            }
            let parts = self.vector_parts(value, false)?;
            before.extend(parts.before);
            for part in parts.list {
                let made = self.cast_value(part, element)?;
                arguments.push(Value::rvalue(made.kind, element, call.span));
            }
        }
        let function = format!("{function}{count}");
        let made = self.header_call(&function, &arguments, call)?;
        let made = self.expr(made)?;
        self.vector_from(before, vec![made], element, call.span)
    }

    /// `select(a, b, c)`: `c ? b : a` of numbers; of vectors, the highest bits of `c` select.
    fn select_call(&mut self, call: Call, one: Value, two: Value, test: Value) -> Res<Value> {
        let (ty, condition) = (one.ty.ty, self.element_type(test.ty.ty));
        let element = self.element_type(ty);
        let same = self.types.vector(ty).map(|(_, count)| count)
            == self.types.vector(test.ty.ty).map(|(_, count)| count);
        let fits = same
            && self.types.is_integral(condition)
            && (ty == two.ty.ty || self.types.vector(ty).is_none())
            && self.types.is_arithmetic(element)
            && (self.types.arithmetic_size(condition) == self.types.arithmetic_size(element)
                || self.types.vector(ty).is_none());
        if !fits {
            return self.no_overload(call, &[one, two, test]);
        }
        if self.types.vector(ty).is_some() {
            return self.vector_conditional(test, two, one, call.span);
        }
        let ty = if ty == two.ty.ty { ty } else { self.types.common(ty, two.ty.ty) };
        let test = self.condition(test)?;
        let (one, two) = (self.cast_value(one, ty)?, self.cast_value(two, ty)?);
        let kind = Hir::Conditional(Box::new(test), Box::new(two), Box::new(one));
        Ok(Value::rvalue(kind, ty, call.span))
    }

    fn cross(&mut self, call: Call, one: Value, two: Value) -> Res<Value> {
        let (ty, span) = (one.ty.ty, call.span);
        let fits = self
            .types
            .vector(ty)
            .is_some_and(|(element, count)| self.types.is_floating(element) && matches!(count, 3 | 4));
        if !fits || two.ty.ty != ty {
            return self.no_overload(call, &[one, two]);
        }
        let element = self.element_type(ty);
        let (one, two) = (self.vector_parts(one, true)?, self.vector_parts(two, true)?);
        let mut before = one.before;
        before.extend(two.before);
        let mut list = Vec::new();
        for (a, b) in [(1, 2), (2, 0), (0, 1)] {
            let mut products = Vec::new();
            for (x, y) in [(a, b), (b, a)] {
                products.push(self.binary(
                    Punct::Star,
                    one.list[x].clone(),
                    two.list[y].clone(),
                    span,
                    span,
                )?);
            }
            let [first, second] = <[Value; 2]>::try_from(products).map_err(|_| crate::sema::Failed)?;
            let value = self.binary(Punct::Minus, first, second, span, span)?;
            list.push(self.expr(value)?);
        }
        if one.list.len() == 4 {
            list.push(self.make(Hir::Float(0.0), element, span)?);
        }
        self.vector_from(before, list, ty, span)
    }

    fn normalized(&mut self, call: Call, value: Value, fast: bool) -> Res<Value> {
        let on = if fast { On::Single } else { On::Floats };
        let Some(ty) = self.generic_type(on, "g", std::slice::from_ref(&value)) else {
            return self.no_overload(call, &[value]);
        };
        let (element, count) = self.types.vector(ty).unwrap_or((ty, 1));
        if count > 4 {
            return self.no_overload(call, &[value]);
        }
        let parts = self.vector_parts(value, true)?;
        let mut list = Vec::new();
        for at in 0..usize::from(count) {
            // The first argument is the element; its length is that of all of them.
            let mut arguments = vec![parts.list[at].clone()];
            arguments.extend(parts.list.iter().cloned());
            let function = format!("__cl_{}normalize{count}", if fast { "fast_" } else { "" });
            let made = self.header_call(&function, &arguments, call)?;
            list.push(self.cast_value(made, element)?);
        }
        self.vector_from(parts.before, list, ty, call.span)
    }

    /// `any` and `all`: of the highest bits of integers.
    fn any(&mut self, call: Call, value: Value, all: bool) -> Res<Value> {
        let element = self.element_type(value.ty.ty);
        let is_signed = self.types.int_type(element).is_some_and(|int| int.signed);
        if !is_signed {
            return self.no_overload(call, &[value]);
        }
        let (span, parts) = (call.span, self.vector_parts(value, false)?);
        let mut list = parts.list.into_iter();
        let first = list.next().ok_or(crate::sema::Failed)?;
        let punct = if all { Punct::And } else { Punct::Or };
        let joined = list.try_fold(first, |sum, next| self.binary(punct, sum, next, span, span))?;
        let joined = self.cast_value(joined, element)?;
        let zero = Value::int(0, CTypes::INT, span);
        let test = self.binary(Punct::Less, Value::rvalue(joined.kind, element, span), zero, span, span)?;
        let test = self.cast_value(test, CTypes::INT)?;
        self.vector_from(parts.before, vec![test], CTypes::INT, span)
    }

    /// `shuffle`: elements of one or two vectors by the numbers of a mask.
    fn shuffle(&mut self, call: Call, of: Vec<Value>, mask: Value) -> Res<Value> {
        let vector = of.first().and_then(|one| self.types.vector(one.ty.ty));
        let masks = self.types.vector(mask.ty.ty);
        let same = of.windows(2).all(|two| two[0].ty.ty == two[1].ty.ty);
        let (Some((element, count)), Some((number, wanted))) = (vector, masks.filter(|_| same)) else {
            let mut all = of;
            all.push(mask);
            return self.no_overload(call, &all);
        };
        let fits = number == self.integer_like(element, false) && count != 3 && wanted != 3;
        if !fits {
            let mut all = of;
            all.push(mask);
            return self.no_overload(call, &all);
        }
        let span = call.span;
        let (mut before, mut all) = (Vec::new(), Vec::new());
        for one in of {
            let parts = self.vector_parts(one, true)?;
            before.extend(parts.before);
            all.extend(parts.list);
        }
        let masks = self.vector_parts(mask, true)?;
        before.extend(masks.before);
        let mut list = Vec::new();
        for mask in masks.list {
            let most = Value::int(all.len() as i128 - 1, CTypes::INT, span);
            let mask = self.binary(Punct::And, mask, most, span, span)?;
            let mut chosen = self.expr(all[0].clone())?;
            for (at, one) in all.iter().enumerate().skip(1) {
                let at = Value::int(at as i128, CTypes::INT, span);
                let test = self.binary(Punct::EqEq, mask.clone(), at, span, span)?;
                let test = self.condition(test)?;
                let one = self.expr(one.clone())?;
                let kind = Hir::Conditional(Box::new(test), Box::new(one), Box::new(chosen));
                chosen = self.make(kind, element, span)?;
            }
            list.push(chosen);
        }
        let ty = self.vector_of(element, wanted);
        self.vector_from(before, list, ty, span)
    }

    /// `vec_step` of a value.
    fn vec_step(&mut self, list: &[Expr], call: Call) -> Res<Value> {
        let [one] = list else {
            return self.error("no-match", call.span, "`vec_step` takes a type or a value");
        };
        let ty = self.unevaluated(one)?.ty;
        Ok(self.steps_of(ty, call.span))
    }

    /// Number of elements of a type in memory.
    pub(in crate::sema) fn steps_of(&self, ty: Qual, span: Span) -> Value {
        let count = self.types.vector(ty.ty).map_or(1, |(_, count)| if count == 3 { 4 } else { count });
        Value::int(i128::from(count), CTypes::INT, span)
    }

    /// The error for a function whose argument must be a pointer into a memory.
    pub(super) fn wrong_pointer<T>(&mut self, call: Call, value: &Value, wanted: &str) -> Res<T> {
        let shown = self.show(value.ty);
        let message = format!("`{}` takes {wanted}, not a `{shown}`", call.name);
        self.fail(Diagnostic::error("wrong-type", value.span, message))
    }

    /// Whether a value is a place that can be named without effects.
    pub(super) fn pointer_of(&mut self, value: Value) -> Res<Value> {
        match value.kind {
            ValueKind::Functions(_) => Err(crate::sema::Failed),
            _ => self.rvalue(value),
        }
    }
}
