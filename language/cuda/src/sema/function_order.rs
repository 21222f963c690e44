//! The partial order of function templates ([temp.func.order], [temp.deduct.partial]).

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use super::Sema;
use super::deduce::Found;
use super::scope::FunctionIndex;
use super::types::{Qual, TypeKind};
use super::value::TemplateValue;
use crate::budget::Resource;
use crate::source::Span;
use crate::syntax::ast::{
    BaseType, Chunk, FunctionDecl, Parameter, Qualifiers, Specifiers, TemplateParameterKind,
    TemplateParameters,
};

/// Steps of a comparison for each parameter.
const PARAMETER_STEPS: usize = 10;

/// The type of a parameter.
#[derive(Clone, Copy)]
struct Type {
    /// The type without reference and qualifiers; `None` if it does not exist for stand-ins, as
    /// `typename T::type`: it decides nothing.
    bare: Option<Qual>,
    /// Qualifiers of what a reference refers to, and whether it is a `&&`.
    reference: Option<(Qualifiers, bool)>,
}

/// A function template whose parameters have stand-ins as values.
struct Template {
    function: FunctionIndex,
    decl: Rc<FunctionDecl>,
    parameters: Rc<TemplateParameters>,
    /// Types of the parameters of the function; of a pack one type, the last.
    types: Vec<Type>,
    has_pack: bool,
}

impl Template {
    /// The parameter that takes an argument, and whether it is a pack.
    fn place(&self, argument: usize) -> Option<(usize, bool)> {
        let last = self.types.len().checked_sub(1)?;
        let is_pack = self.has_pack && argument >= last;
        (is_pack || argument <= last).then_some((argument.min(last), is_pack))
    }

    fn reference(&self, argument: usize) -> Option<(Qualifiers, bool)> {
        self.types[self.place(argument)?.0].reference
    }
}

impl Sema<'_> {
    /// Compares two templates in a call of `count` arguments: the greater one is more specialized,
    /// equal ones take the same. `None` if neither takes all that the other one takes.
    pub(super) fn function_order(
        &mut self,
        one: FunctionIndex,
        other: FunctionIndex,
        count: usize,
        span: Span,
    ) -> Option<Ordering> {
        if let Some(known) = self.orders.get(&(one, other, count)) {
            return *known;
        }
        let first = self.with_stand_ins(one, span)?;
        let second = self.with_stand_ins(other, span)?;
        // A pack repeats itself behind the parameters.
        let compared = count.min(first.types.len().max(second.types.len()));
        self.spend(Resource::Steps, PARAMETER_STEPS * (compared + 1), span).ok()?;
        let order = match (
            self.is_as_special(&first, &second, compared, span),
            self.is_as_special(&second, &first, compared, span),
        ) {
            (false, false) => by_arguments_of_templates(&first, &second),
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            (true, true) => {
                let adds_pack = |one: &Template, other: &Template| {
                    one.has_pack && !other.has_pack && one.types.len() > other.types.len()
                };
                Some(adds_pack(&second, &first).cmp(&adds_pack(&first, &second)))
            }
        };
        self.orders.insert((one, other, count), order);
        self.orders.insert((other, one, count), order.map(Ordering::reverse));
        order
    }

    /// The most specialized of several templates that have the same type with these arguments.
    pub(super) fn most_specialized(
        &mut self,
        fitting: &[(FunctionIndex, Vec<TemplateValue>)],
        span: Span,
    ) -> Option<usize> {
        best_of(fitting.len(), |one, other| {
            let (one, other) = (fitting[one].0, fitting[other].0);
            self.function_order(one, other, usize::MAX, span) == Some(Ordering::Greater)
        })
    }

    /// Whether a template is at least as specialized as another one.
    fn is_as_special(&mut self, one: &Template, other: &Template, count: usize, span: Span) -> bool {
        self.takes(other, one, 0..count, span)
            && (0..count).all(|at| {
                !refers_less(one.reference(at), other.reference(at))
                    || !self.takes(one, other, at..at + 1, span)
            })
    }

    fn with_stand_ins(&mut self, function: FunctionIndex, span: Span) -> Option<Template> {
        let info = &self.functions[function];
        let (decl, parameters) = (info.decl.clone(), info.template.clone()?);
        let values: Vec<TemplateValue> = parameters.list.iter().map(|one| self.stand_in(one, span)).collect();
        let types = self.parameter_types(function, &decl, &parameters, &values);
        let has_pack = types.len().checked_sub(1).is_some_and(|last| written(&decl)[last].pack.is_some());
        Some(Template { function, decl, parameters, types, has_pack })
    }

    /// The types of the parameters of a function template with these values, to its first pack.
    fn parameter_types(
        &mut self,
        function: FunctionIndex,
        decl: &FunctionDecl,
        template: &TemplateParameters,
        values: &[TemplateValue],
    ) -> Vec<Type> {
        let all = written(decl);
        let single = all.iter().position(|one| one.pack.is_some()).map_or(all.len(), |at| at + 1);
        let scope = self.bind(self.functions[function].scope, template, values);
        let mark = self.out.mark();
        let types = self.in_scope(scope, |sema| {
            let types = all[..single].iter().map(|parameter| {
                let ty = match &parameter.pack {
                    None => sema.parameter_type(parameter),
                    Some(packs) => sema.in_element(packs, 0, |sema| sema.parameter_type(parameter)),
                };
                sema.without_reference(ty.ok())
            });
            types.collect()
        });
        self.out.truncate(mark);
        types
    }

    fn without_reference(&mut self, ty: Option<Qual>) -> Type {
        let Some(ty) = ty else { return Type { bare: None, reference: None } };
        let (to, is_rvalue) = match *self.types.kind(ty.ty) {
            TypeKind::Reference(to) => (to, Some(false)),
            TypeKind::RvalueReference(to) => (to, Some(true)),
            _ => (ty, None),
        };
        let (bare, element) = self.without_qualifiers(to);
        Type { bare: Some(bare), reference: is_rvalue.map(|is_rvalue| (element, is_rvalue)) }
    }

    /// A type without qualifiers, and these; the qualifiers of an array are those of its elements.
    fn without_qualifiers(&mut self, ty: Qual) -> (Qual, Qualifiers) {
        let TypeKind::Array(element, length) = *self.types.kind(ty.ty) else {
            return (ty.unqualified(), ty.quals);
        };
        let (element, quals) = self.without_qualifiers(element.with(ty.quals));
        (Qual::plain(self.types.intern(TypeKind::Array(element, length))), quals)
    }

    /// Whether a template takes what another one takes, in a range of the arguments.
    fn takes(&mut self, to: &Template, from: &Template, range: Range<usize>, span: Span) -> bool {
        let scope = self.functions[to.function].scope;
        let outer = std::mem::replace(&mut self.deduces_exactly, true);
        let mark = self.out.mark();
        let found = self.in_scope(scope, |sema| sema.deduce_from_template(to, from, range.clone()));
        self.out.truncate(mark);
        self.deduces_exactly = outer;
        let Some(found) = found else { return false };
        // What deduces nothing must be the same with the values that were found.
        let list = to.parameters.list.iter();
        let values: Vec<TemplateValue> = list
            .map(|one| {
                let known = one.name.and_then(|name| found.get(&name.symbol).copied());
                known.unwrap_or_else(|| self.stand_in(one, span))
            })
            .collect();
        let types = self.parameter_types(to.function, &to.decl, &to.parameters, &values);
        range.into_iter().all(|at| match (to.place(at), from.place(at)) {
            (Some((place, false)), Some((given, _))) => match (types[place].bare, from.types[given].bare) {
                (Some(one), Some(other)) => one == other,
                _ => true,
            },
            _ => true,
        })
    }

    /// The values of a template's parameters for which it takes what another one takes, except
    /// those of packs.
    fn deduce_from_template(&mut self, to: &Template, from: &Template, range: Range<usize>) -> Option<Found> {
        let mut found = Found::default();
        for at in range {
            let ((place, takes_more), (given, gives_more)) = (to.place(at)?, from.place(at)?);
            if gives_more && !takes_more {
                return None;
            }
            let Some(given) = from.types[given].bare else { continue };
            let parameter = &written(&to.decl)[place];
            if !self.deduce_bare(&to.parameters, parameter, given, &mut found) {
                return None;
            }
            // Each element of a pack has separate values.
            for pack in parameter.pack.iter().flat_map(|packs| packs.iter()) {
                found.remove(pack);
            }
        }
        Some(found)
    }

    /// Deduces from a type without reference and qualifiers.
    fn deduce_bare(
        &mut self,
        template: &TemplateParameters,
        parameter: &Parameter,
        given: Qual,
        found: &mut Found,
    ) -> bool {
        let mut chunks = &parameter.declarator.chunks[..];
        let mut given = given;
        match chunks.first() {
            Some(Chunk::Reference | Chunk::RvalueReference) => chunks = &chunks[1..],
            Some(Chunk::Array(_)) => {
                let Some(to) = self.types.pointee(given.ty) else { return false };
                return self.deduce(template, &parameter.specifiers, &chunks[1..], to, found);
            }
            Some(Chunk::Function(_)) => {
                let Some(to) = self.types.pointee(given.ty) else { return false };
                given = to;
            }
            _ => {}
        }
        let plain = |chunk: &Chunk| match chunk {
            Chunk::Pointer(_) => Chunk::Pointer(Qualifiers::default()),
            Chunk::MemberPointer(name, _) => Chunk::MemberPointer(name.clone(), Qualifiers::default()),
            other => other.clone(),
        };
        let is_bare = chunks.iter().all(|chunk| matches!(chunk, Chunk::Array(_)));
        let chunks: Vec<Chunk> = match chunks.split_first() {
            Some((first, rest)) => std::iter::once(plain(first)).chain(rest.iter().cloned()).collect(),
            None => Vec::new(),
        };
        let quals = if is_bare { Qualifiers::default() } else { parameter.specifiers.qualifiers };
        let specifiers = Specifiers { qualifiers: quals, ..Specifiers::clone(&parameter.specifiers) };
        self.deduce(template, &specifiers, &chunks, given, found)
    }
}

fn written(decl: &FunctionDecl) -> &[Parameter] {
    decl.declarator.function().map_or(&[][..], |function| &function.parameters)
}

/// Whether of two references that take the same type the first one is `&&` and the other one `&`,
/// or the other one has more qualifiers ([temp.deduct.partial]/9).
fn refers_less(one: Option<(Qualifiers, bool)>, other: Option<(Qualifiers, bool)>) -> bool {
    let (Some((one, is_rvalue)), Some((other, other_is_rvalue))) = (one, other) else { return false };
    if is_rvalue != other_is_rvalue {
        return is_rvalue;
    }
    let all = |quals: Qualifiers| [quals.is_const, quals.is_volatile];
    all(one) != all(other) && all(one).iter().zip(all(other)).all(|(one, other)| !one || other)
}

/// Orders templates that neither takes what the other one takes, such as `f(C<T>)` and `f(C<T, A>)`
/// with template parameters `C`: the one that writes more arguments is more specialized. The
/// standard does not say so, but GCC selects it, and Clang refuses the other one.
fn by_arguments_of_templates(one: &Template, other: &Template) -> Option<Ordering> {
    let count = |template: &Template| -> usize {
        let parameters = written(&template.decl).iter();
        let lists = parameters.filter_map(|parameter| match &parameter.specifiers.base {
            BaseType::Named(name) => {
                let [last] = name.segments.as_slice() else { return None };
                let is_own = template.parameters.list.iter().any(|one| {
                    matches!(one.kind, TemplateParameterKind::Template(..))
                        && one.name.is_some_and(|own| own.symbol == last.name.symbol)
                });
                last.arguments.as_ref().filter(|_| is_own).map(Vec::len)
            }
            _ => None,
        });
        lists.sum()
    };
    let (one, other) = (count(one), count(other));
    (one > 0 && other > 0 && one != other).then(|| one.cmp(&other))
}

/// The one of several functions that is better than each other one.
pub(super) fn best_of(count: usize, mut is_better: impl FnMut(usize, usize) -> bool) -> Option<usize> {
    let best = (0..count).reduce(|best, at| if is_better(at, best) { at } else { best })?;
    (0..count).all(|at| at == best || is_better(best, at)).then_some(best)
}
