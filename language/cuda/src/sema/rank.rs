//! Ranks of conversions, by which overloads are selected ([over.ics.rank]).

use super::Sema;
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::{Value, ValueKind};
use crate::hir::{ExprKind, PlaceKind};
use crate::syntax::ast::Qualifiers;
use crate::syntax::opencl::types::Opaque;

/// Quality of a conversion; smaller is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Rank(pub(super) u32);

impl Rank {
    pub(super) const EXACT: Self = Self(0);
    /// Adds qualifiers, or binds `T &&` or `const T &` where another reference fits better.
    const QUALIFIED: Self = Self(1);
    const PROMOTION: Self = Self(100);
    pub(super) const CONVERSION: Self = Self(200);
    const TO_VOID: Self = Self(250);
    /// Worse than each conversion to `void *` ([over.ics.rank]).
    const POINTER_TO_BOOL: Self = Self(300);
    pub(super) const USER: Self = Self(400);
    /// An argument of `...`.
    pub(super) const ELLIPSIS: Self = Self(900);
    /// A conversion of pointers that only C has.
    pub(super) const ONLY_C: Self = Self(1000);

    /// A conversion that adds qualifiers: the more, the worse.
    fn qualified(from: Qualifiers, to: Qualifiers) -> Self {
        let added = u32::from(from.is_const != to.is_const) + u32::from(from.is_volatile != to.is_volatile);
        Self(Self::QUALIFIED.0 * added)
    }

    /// A list of elements of which the worst converts like this. It is better than a number unless
    /// the user converts an element.
    pub(super) fn of_list(worst: Self) -> Self {
        if worst < Self::USER { Self(Self::PROMOTION.0 + worst.0 / 4) } else { Self(Self::USER.0 - 20) }
    }

    /// A conversion to a base class that is so many steps away. Qualifiers count less than a step.
    pub(super) fn to_base(distance: u32) -> Self {
        Self(Self::CONVERSION.0 + 4 * distance.min(12))
    }
}

/// Which functions convert an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conversion {
    /// Those without `explicit`.
    Implicit,
    /// All, as in a cast or a condition.
    Any,
}

impl Sema<'_> {
    /// Whether a value is a null pointer constant ([conv.ptr]/1).
    pub(super) fn is_null(&self, value: &Value) -> bool {
        match self.types.kind(value.ty.ty) {
            TypeKind::Nullptr => true,
            _ => {
                self.types.is_integral(value.ty.ty)
                    && matches!(value.kind, ValueKind::Rvalue(ExprKind::Int(0)))
            }
        }
    }

    /// How well a value converts to a type implicitly; `None` if it does not.
    pub(super) fn rank(&mut self, value: &Value, to: Qual) -> Option<Rank> {
        if let Some(referent) = self.types.referent(to.ty) {
            return self.rank_reference(value, referent, to.ty);
        }
        if let Some(id) = self.types.record(to.ty) {
            if let Some(from) = self.types.record(value.ty.ty) {
                let rank = self.classes().rank_base(from, id);
                if rank.is_some() {
                    return rank;
                }
            }
            if self.conversion_operator(value, to.ty, Conversion::Implicit).is_some() {
                return Some(Rank::USER);
            }
            return self.converting_constructor(value, id).map(|_| Rank::USER);
        }
        if self.types.vector(to.ty).is_some() {
            let rank = if value.ty.ty == to.ty { Rank::EXACT } else { Rank::CONVERSION };
            return Some(rank).filter(|_| value.ty.ty == to.ty || self.types.is_arithmetic(value.ty.ty));
        }
        if let Some(from) = self.types.record(value.ty.ty) {
            if self.classes().becomes_pointer(from, to.ty) {
                return Some(Rank::USER);
            }
            // What follows the conversion of the user decides ([over.ics.rank]/3).
            let (_, further) = self.conversion_operator(value, to.ty, Conversion::Implicit)?;
            return Some(Rank(Rank::USER.0 + further.0));
        }
        self.rank_scalar(value, to.ty)
    }

    /// How well a reference binds to a value ([over.ics.ref]): `T &&` takes a value that may be
    /// moved from, before `const T &`; `T &` takes an object.
    pub(super) fn rank_reference(&mut self, value: &Value, referent: Qual, reference: CType) -> Option<Rank> {
        let is_lvalue_reference = matches!(self.types.kind(reference), TypeKind::Reference(_));
        let is_place = Self::names_object(value);
        let is_array = self.types.is_array_with_const(value.ty.ty, referent.ty);
        let to_base = match (self.types.record(value.ty.ty), self.types.record(referent.ty)) {
            (Some(from), Some(base)) => self.classes().rank_base(from, base),
            _ => (value.ty.ty == referent.ty || is_array).then_some(Rank::EXACT),
        };
        let related = to_base.is_some();
        let derived = to_base.map_or(0, |rank| rank.0);
        let expires = value.ty.quals.is_expiring;
        let is_const = |sema: &Self, ty: Qual| {
            ty.quals.is_const || sema.types.array(ty.ty).is_some_and(|(element, _)| element.quals.is_const)
        };
        let keeps = (is_const(self, referent) || !value.ty.quals.is_const)
            && (referent.quals.is_volatile || !value.ty.quals.is_volatile);
        if related && is_place && expires && keeps && (!is_lvalue_reference || referent.quals.is_const) {
            return Some(Rank(derived + u32::from(is_lvalue_reference)));
        }
        if related && is_place && is_lvalue_reference && keeps && !expires {
            let added = if self.types.array(referent.ty).is_some() && value.ty.ty != referent.ty {
                Rank::QUALIFIED
            } else {
                Rank::qualified(value.ty.quals, referent.quals)
            };
            return Some(Rank(derived + added.0));
        }
        let to_pointer =
            self.types.is_pointer(referent.ty) && (!is_lvalue_reference || referent.quals.is_const);
        if let (ValueKind::Functions(_), false) = (&value.kind, to_pointer) {
            return matches!(self.types.kind(referent.ty), TypeKind::Function(_)).then_some(Rank::EXACT);
        }
        if self.types.record(value.ty.ty).is_some()
            && !related
            && let Some((_, rank)) = self.conversion_operator(value, reference, Conversion::Implicit)
        {
            return Some(Rank(Rank::USER.0 + rank.0));
        }
        // A temporary binds to `const T &` and `T &&`.
        if is_lvalue_reference && !referent.quals.is_const {
            return None;
        }
        if related && !is_lvalue_reference && is_place {
            return None;
        }
        let rank = self.rank(value, referent.unqualified())?;
        Some(Rank(rank.0 + if is_lvalue_reference { Rank::QUALIFIED.0 } else { 0 }))
    }

    /// How well a value converts to a number or pointer by a standard conversion ([over.ics.scs]).
    pub(super) fn rank_scalar(&mut self, value: &Value, to: CType) -> Option<Rank> {
        let from = value.ty.ty;
        if from == to {
            return Some(Rank::EXACT);
        }
        if self.types.member_pointer(to).is_some() {
            return self.rank_member_pointer(value, to);
        }
        let to_pointee = self.types.pointee(to);
        if let ValueKind::Functions(set) = &value.kind {
            let pointee = to_pointee?;
            return match self.types.kind(pointee.ty) {
                TypeKind::Function(_) => {
                    let candidates = set.functions.clone();
                    let written = set.arguments.clone().unwrap_or_default();
                    self.function_of_type(&candidates, &written, pointee.ty).map(|_| Rank::EXACT)
                }
                _ => None,
            };
        }
        if self.types.opaque(from) == Some(Opaque::Event) {
            return (to == CTypes::UINT).then_some(Rank::CONVERSION);
        }
        if self.types.is_arithmetic(to) {
            if self.types.is_arithmetic(from) {
                let promoted = self.promotion(value) == to && from != to
                    || from == CTypes::FLOAT && to == CTypes::DOUBLE;
                return Some(if promoted { Rank::PROMOTION } else { Rank::CONVERSION })
                    .filter(|_| !self.types.is_enum(to) || self.rules.is_c);
            }
            let pointer = self.types.is_pointer(from)
                || self.types.member_pointer(from).is_some()
                || self.types.array(from).is_some();
            if pointer && to != CTypes::BOOL && self.mixes_pointers() && self.types.is_integral(to) {
                return Some(Rank::ONLY_C);
            }
            return (to == CTypes::BOOL && pointer).then_some(Rank::POINTER_TO_BOOL);
        }
        if let Some(opaque) = self.types.opaque(to) {
            let fits = match opaque {
                Opaque::Sampler => value.known().is_some(),
                // Events are numbers in the headers.
                Opaque::Event => true,
                _ => false,
            };
            return (fits && self.types.is_integral(from)).then_some(Rank::CONVERSION);
        }
        let to_pointee = to_pointee?;
        if self.is_null(value) {
            return Some(Rank::CONVERSION);
        }
        if self.types.is_integral(from) && self.mixes_pointers() {
            return Some(Rank::ONLY_C);
        }
        let from_pointee = match self.types.array(from) {
            Some((element, _)) => element.with(value.ty.quals),
            None => self.types.pointee(from)?,
        };
        let spaces = [from_pointee, to_pointee].map(|to| to.quals.space.or_private());
        if self.rules.is_open_cl && spaces[0] != spaces[1] {
            return None;
        }
        let loses = from_pointee.quals.is_const && !to_pointee.quals.is_const
            || from_pointee.quals.is_volatile && !to_pointee.quals.is_volatile;
        if loses {
            // As compilers of C++98 do: `char *text = "…"`.
            let to_text = to_pointee.ty == CTypes::CHAR && !to_pointee.quals.is_volatile;
            if to_text && self.is_text(value) {
                return Some(Rank(Rank::TO_VOID.0 + 1));
            }
            return self.mixes_pointers().then_some(Rank::ONLY_C);
        }
        let added = Rank::qualified(from_pointee.quals, to_pointee.quals);
        if from_pointee.ty == to_pointee.ty {
            return Some(added);
        }
        if to_pointee.ty == CTypes::VOID {
            return Some(Rank(Rank::TO_VOID.0 + added.0));
        }
        // `T **` to `T *const *`, and qualifiers that differ at a deeper level only.
        if self.types.same_but_qualifiers(from_pointee.ty, to_pointee.ty) {
            return Some(Rank::QUALIFIED);
        }
        // C converts pointers to other types; `convert` warns about it.
        if self.rules.is_c && !self.types.is_pointer(from_pointee.ty) {
            return Some(Rank::ONLY_C);
        }
        match (self.types.record(from_pointee.ty), self.types.record(to_pointee.ty)) {
            (Some(one), Some(base)) => self.classes().rank_base(one, base).map(|rank| Rank(rank.0 + added.0)),
            _ => None,
        }
    }

    /// Whether a pointer may lose `const` and `volatile`, and become an integer or come from one,
    /// with a warning, as in C.
    pub(super) fn mixes_pointers(&self) -> bool {
        self.rules.is_c && !self.rules.is_open_cl
    }

    /// Whether a value is a string literal.
    pub(super) fn is_text(&self, value: &Value) -> bool {
        let ValueKind::Place(PlaceKind::Global(global), _) = &value.kind else { return false };
        self.strings.values().any(|known| known == global)
    }
}
