//! `convert_T`, with saturation and rounding, and `as_T`.

use super::builtin::Call;
use super::rounding::Rounding;
use crate::hir::{self, ExprKind as Hir};
use crate::lex::Punct;
use crate::sema::Sema;
use crate::sema::types::{CType, CTypes, Qual};
use crate::sema::value::{Res, Value};
use crate::syntax::ast::Builtin;
use crate::syntax::opencl::types::{NamedType, Opaque, named};

/// What `convert_` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    to: NamedType,
    saturates: bool,
    rounding: Option<Rounding>,
}

impl Conversion {
    fn of(name: &str) -> Option<Self> {
        let (front, rounding) = Rounding::split(name.strip_prefix("convert_")?);
        let (front, saturates) = front.strip_suffix("_sat").map_or((front, false), |front| (front, true));
        Some(Self { to: number_named(front)?, saturates, rounding })
    }
}

/// The number or vector of numbers of a name.
fn number_named(text: &str) -> Option<NamedType> {
    let scalar = match text {
        "char" => Builtin::Char,
        "short" => Builtin::Short,
        "int" => Builtin::Int,
        "long" => Builtin::Long,
        "float" => Builtin::Float,
        "double" => Builtin::Double,
        _ => return named(text).filter(|named| !matches!(named, NamedType::Opaque(_))),
    };
    Some(NamedType::Scalar(scalar))
}

impl Sema<'_> {
    /// Whether a name is one of a family: conversions, and accesses of vectors in memory.
    pub(super) fn is_family(name: &str) -> bool {
        Conversion::of(name).is_some()
            || name.strip_prefix("as_").is_some_and(|front| number_named(front).is_some())
            || super::memory::Access::of(name).is_some()
    }

    /// A call of a function of a family.
    pub(super) fn family_call(&mut self, call: Call, mut values: Vec<Value>) -> Res<Value> {
        if let Some(access) = super::memory::Access::of(call.name) {
            return self.vector_access(call, access, values);
        }
        let (Some(value), true) = (values.pop(), values.is_empty()) else {
            return self.no_overload(call, &values);
        };
        if let Some(conversion) = Conversion::of(call.name) {
            return self.converted(call, conversion, value);
        }
        let to = call.name.strip_prefix("as_").and_then(number_named).ok_or(crate::sema::Failed)?;
        let to = self.type_named(to, call)?;
        self.reinterpreted(call, value, to)
    }

    /// The type of a name.
    fn type_named(&mut self, named: NamedType, call: Call) -> Res<CType> {
        let (builtin, count) = match named {
            NamedType::Scalar(builtin) => (builtin, 1),
            NamedType::Vector(builtin, count) => (builtin, count),
            NamedType::Size { signed: true } => (Builtin::Int, 1),
            NamedType::Size { signed: false } => (Builtin::UnsignedInt, 1),
            NamedType::Opaque(opaque) => {
                debug_assert_ne!(opaque, Opaque::Half, "a number has no opaque type");
                return Err(crate::sema::Failed);
            }
        };
        let element = self.open_cl_arithmetic(builtin, call.span)?.ty;
        Ok(self.vector_of(element, count))
    }

    fn converted(&mut self, call: Call, conversion: Conversion, value: Value) -> Res<Value> {
        let to = self.type_named(conversion.to, call)?;
        let count = |sema: &Self, ty: CType| sema.types.vector(ty).map(|(_, count)| count);
        let fits = self.is_number(value.ty.ty) && count(self, value.ty.ty) == count(self, to);
        let element = self.element_type(to);
        if !fits || conversion.saturates && self.types.is_floating(element) {
            return self.no_overload(call, &[value]);
        }
        let from = self.element_type(value.ty.ty);
        let parts = self.vector_parts(value, false)?;
        let mut list = Vec::new();
        for part in parts.list {
            list.push(self.converted_number(call, conversion, part, from, element)?);
        }
        self.vector_from(parts.before, list, to, call.span)
    }

    fn converted_number(
        &mut self,
        call: Call,
        conversion: Conversion,
        value: Value,
        from: CType,
        to: CType,
    ) -> Res<hir::Expr> {
        let (from_float, to_float) = (self.types.is_floating(from), self.types.is_floating(to));
        let is_wide = |sema: &Self, ty: CType| sema.types.arithmetic_size(ty) == 8;
        match (from_float, to_float) {
            (true, false) => {
                // To an integer of 32 or 64 bits first, which clamps.
                let rounding = conversion.rounding.unwrap_or(Rounding::Zero).suffix();
                let signed = self.types.int_type(to).is_some_and(|int| int.signed);
                let wide = is_wide(self, to);
                let source = if is_wide(self, from) { "double" } else { "float" };
                let target = match (wide, signed) {
                    (true, true) => "ll",
                    (true, false) => "ull",
                    (false, true) => "int",
                    (false, false) => "uint",
                };
                let function = format!("__{source}2{target}_{rounding}");
                let value = self.cast_value(value, from)?;
                let value = Value::rvalue(value.kind, from, call.span);
                let made = self.header_call(&function, &[value], call)?;
                if conversion.saturates { self.saturated(call, made, to) } else { self.cast_value(made, to) }
            }
            (false, true) => {
                let Some(rounding) = conversion.rounding else { return self.cast_value(value, to) };
                let signed = self.types.int_type(from).is_some_and(|int| int.signed);
                let (wide, exact) = (is_wide(self, from), is_wide(self, to) && !is_wide(self, from));
                if exact {
                    return self.cast_value(value, to);
                }
                let (source, ty) = match (wide, signed) {
                    (true, true) => ("ll", CTypes::LLONG),
                    (true, false) => ("ull", CTypes::ULLONG),
                    (false, true) => ("int", CTypes::INT),
                    (false, false) => ("uint", CTypes::UINT),
                };
                let target = if is_wide(self, to) { "double" } else { "float" };
                let function = format!("__{source}2{target}_{}", rounding.suffix());
                let value = self.cast_value(value, ty)?;
                let made = self.header_call(&function, &[Value::rvalue(value.kind, ty, call.span)], call)?;
                self.cast_value(made, to)
            }
            (true, true) if from == CTypes::DOUBLE && to == CTypes::FLOAT => {
                let function =
                    format!("__double2float_{}", conversion.rounding.unwrap_or(Rounding::Near).suffix());
                let made = self.header_call(&function, &[value], call)?;
                self.cast_value(made, to)
            }
            (false, false) if conversion.saturates => self.saturated(call, value, to),
            _ => self.cast_value(value, to),
        }
    }

    /// An integer clamped to the range of another integer type.
    fn saturated(&mut self, call: Call, value: Value, to: CType) -> Res<hir::Expr> {
        let span = call.span;
        let value = self.rvalue(value)?;
        let (Some(from), Some(int)) = (self.types.int_type(value.ty.ty), self.types.int_type(to)) else {
            return self.cast_value(value, to);
        };
        let range = |int: hir::IntType| {
            let bits = u32::from(int.bits);
            if int.signed {
                (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
            } else {
                (0, (1i128 << bits) - 1)
            }
        };
        let ((least, most), (low, high)) = (range(int), range(from));
        // Comparisons have the promoted type of the value.
        let ty = self.types.promoted(value.ty.ty);
        let value = self.cast_value(value, ty)?;
        let mut before = Vec::new();
        let place = self.in_variable(value, ty, &mut before)?;
        let read = |sema: &mut Self| {
            let place = sema.make_place(place.clone(), Qual::plain(ty), span)?;
            Ok::<Value, crate::sema::Failed>(Value::rvalue(Hir::Load(Box::new(place)), ty, span))
        };
        let whole = read(self)?;
        let mut made = self.cast_value(whole, to)?;
        for (limit, punct, needed) in [(least, Punct::Less, low < least), (most, Punct::Greater, high > most)]
        {
            if !needed {
                continue;
            }
            let value = read(self)?;
            let test = self.binary(punct, value, Value::int(limit, ty, span), span, span)?;
            let test = self.condition(test)?;
            let limit = self.make(Hir::Int(limit), to, span)?;
            let kind = Hir::Conditional(Box::new(test), Box::new(limit), Box::new(made));
            made = self.make(kind, to, span)?;
        }
        self.after(before, made, to)
    }

    /// The same bits as another type of the same size.
    pub(super) fn reinterpreted(&mut self, call: Call, value: Value, to: CType) -> Res<Value> {
        let from = self.element_type(value.ty.ty);
        let element = self.element_type(to);
        let counted = |sema: &Self, ty: CType| sema.types.vector(ty).map_or(1, |(_, count)| u64::from(count));
        let (own, wanted) = (counted(self, value.ty.ty), counted(self, to));
        let (size, other) = (self.types.arithmetic_size(from), self.types.arithmetic_size(element));
        let stored = |count: u64, size: u64| size * if count == 3 { 4 } else { count };
        let drops = own == 4 && wanted == 3 && size == other;
        if !self.is_number(value.ty.ty) || stored(own, size) != stored(wanted, other) && !drops {
            return self.no_overload(call, &[value]);
        }
        if value.ty.ty == to {
            return self.rvalue(value);
        }
        let again = other < size;
        let parts = self.vector_parts(value, again)?;
        let mut before = parts.before;
        // The bits of each element as an unsigned integer.
        let mut words = Vec::new();
        let unsigned = self.integer_like(from, false);
        for part in parts.list {
            let word = self.bits_of(call, part, from, unsigned)?;
            words.push(if again {
                let place = self.in_variable(word, unsigned, &mut before)?;
                Value::place(place, Qual::plain(unsigned), call.span)
            } else {
                Value::rvalue(word.kind, unsigned, call.span)
            });
        }
        let target = self.integer_like(element, false);
        let mut list = Vec::new();
        for at in 0..wanted {
            let word = self.piece(call, &words, (size, other), at, target)?;
            list.push(self.number_of_bits(call, word, element)?);
        }
        self.vector_from(before, list, to, call.span)
    }

    /// Piece number `at` of some words, as an integer of type `target`; `(from, to)`: their sizes.
    fn piece(
        &mut self,
        call: Call,
        words: &[Value],
        (from, to): (u64, u64),
        at: u64,
        target: CType,
    ) -> Res<Value> {
        let span = call.span;
        let get = |at: u64| words.get(at as usize).cloned();
        if from == to {
            // The fourth element of a vector of three is undefined.
            return get(at).or_else(|| get(0)).ok_or(crate::sema::Failed);
        }
        if from > to {
            let per = from / to;
            let word = get(at / per).or_else(|| get(0)).ok_or(crate::sema::Failed)?;
            let count = Value::int(i128::from(at % per * to * 8), CTypes::INT, span);
            let word = self.binary(Punct::Shr, word, count, span, span)?;
            let word = self.cast_value(word, target)?;
            return Ok(Value::rvalue(word.kind, target, span));
        }
        let per = to / from;
        let mut sum: Option<Value> = None;
        for part in 0..per {
            let Some(word) = get(at * per + part) else { break };
            let word = self.cast_value(word, target)?;
            let count = Value::int(i128::from(part * from * 8), CTypes::INT, span);
            let word = self.binary(Punct::Shl, Value::rvalue(word.kind, target, span), count, span, span)?;
            sum = Some(match sum {
                Some(sum) => self.binary(Punct::Or, sum, word, span, span)?,
                None => word,
            });
        }
        let sum = sum.ok_or(crate::sema::Failed)?;
        let sum = self.cast_value(sum, target)?;
        Ok(Value::rvalue(sum.kind, target, span))
    }

    /// The bits of a number as an unsigned integer.
    pub(super) fn bits_of(
        &mut self,
        call: Call,
        value: Value,
        from: CType,
        unsigned: CType,
    ) -> Res<hir::Expr> {
        let value = match from {
            CTypes::FLOAT => self.header_call("__float_as_uint", &[value], call)?,
            CTypes::DOUBLE => self.header_call("__double_as_longlong", &[value], call)?,
            _ => value,
        };
        self.cast_value(value, unsigned)
    }

    /// The number with these bits.
    pub(super) fn number_of_bits(&mut self, call: Call, value: Value, to: CType) -> Res<hir::Expr> {
        let value = match to {
            CTypes::FLOAT => self.header_call("__uint_as_float", &[value], call)?,
            CTypes::DOUBLE => {
                let value = self.cast_value(value, CTypes::LLONG)?;
                let value = Value::rvalue(value.kind, CTypes::LLONG, call.span);
                self.header_call("__longlong_as_double", &[value], call)?
            }
            _ => value,
        };
        self.cast_value(value, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_conversions() {
        let of = |name: &str| Conversion::of(name).map(|one| (one.to, one.saturates, one.rounding));
        assert_eq!(of("convert_float4"), Some((NamedType::Vector(Builtin::Float, 4), false, None)));
        assert_eq!(
            of("convert_uchar16_sat_rte"),
            Some((NamedType::Vector(Builtin::UnsignedChar, 16), true, Some(Rounding::Near)))
        );
        assert_eq!(
            of("convert_int_rtz"),
            Some((NamedType::Scalar(Builtin::Int), false, Some(Rounding::Zero)))
        );
        for wrong in ["convert_half", "convert_int_rtx", "convert_int5", "convert_", "convert_int_rte_sat"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
