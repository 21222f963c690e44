//! Functions of the hardware: the names that headers give to `__intrinsic__`.

use super::Sema;
use super::entity::Spelling;
use super::scope::Entity;
use super::texture::TextureFunction;
use super::types::{CTypes, Qual, TypeKind};
use super::value::{Res, Value};
use crate::diagnostics::{CAPABILITY, Diagnostic};
use crate::hir::{
    self, AtomicOp, BarrierReduction, Boundary, ExprKind as Hir, Intrinsic, PlaceKind, Special, Storage,
    SurfaceAccess, TextureShape, VoteOp,
};
use crate::lex::Symbol;
use crate::source::Span;
use crate::ssa::{Intrin, Shuffle};
use crate::syntax::ast::{Expr, ExprKind, Name, QualifiedName};

/// Operations with effects, or of special registers: name in headers, lowest capabilities (for
/// words, for 64 bits, for floats), and operation. Arithmetic has the rows of `ssa::intrin`.
const EFFECTS: &[(&str, [u32; 3], Intrinsic)] = &[
    ("atomic_add", [11, 12, 20], Intrinsic::Atomic(AtomicOp::Add)),
    ("atomic_exch", [11, 12, 11], Intrinsic::Atomic(AtomicOp::Exchange)),
    ("atomic_min", [11, 11, 20], Intrinsic::Atomic(AtomicOp::Min)),
    ("atomic_max", [11, 11, 20], Intrinsic::Atomic(AtomicOp::Max)),
    ("atomic_inc", [11, 11, 20], Intrinsic::Atomic(AtomicOp::Increment)),
    ("atomic_dec", [11, 11, 20], Intrinsic::Atomic(AtomicOp::Decrement)),
    ("atomic_cas", [11, 12, 20], Intrinsic::Atomic(AtomicOp::CompareAndSwap)),
    ("atomic_and", [11, 11, 20], Intrinsic::Atomic(AtomicOp::And)),
    ("atomic_or", [11, 11, 20], Intrinsic::Atomic(AtomicOp::Or)),
    ("atomic_xor", [11, 11, 20], Intrinsic::Atomic(AtomicOp::Xor)),
    ("barrier", [10; 3], Intrinsic::Barrier),
    ("barrier_count", [20; 3], Intrinsic::BarrierReduce(BarrierReduction::Count)),
    ("barrier_and", [20; 3], Intrinsic::BarrierReduce(BarrierReduction::And)),
    ("barrier_or", [20; 3], Intrinsic::BarrierReduce(BarrierReduction::Or)),
    ("fence_block", [10; 3], Intrinsic::FenceBlock),
    ("fence_device", [10; 3], Intrinsic::FenceDevice),
    ("fence_system", [20; 3], Intrinsic::FenceSystem),
    ("all", [12; 3], Intrinsic::Vote(VoteOp::All)),
    ("any", [12; 3], Intrinsic::Vote(VoteOp::Any)),
    ("ballot", [20; 3], Intrinsic::Vote(VoteOp::Ballot)),
    // Declared if the chip has the feature.
    ("shuffle_idx", [20; 3], Intrinsic::Shuffle(Shuffle::Index)),
    ("shuffle_up", [20; 3], Intrinsic::Shuffle(Shuffle::Up)),
    ("shuffle_down", [20; 3], Intrinsic::Shuffle(Shuffle::Down)),
    ("shuffle_xor", [20; 3], Intrinsic::Shuffle(Shuffle::Xor)),
    ("clock", [10; 3], Intrinsic::Special(Special::Clock)),
    ("clock64", [10; 3], Intrinsic::Special(Special::Clock64)),
    ("malloc", [20; 3], Intrinsic::Malloc),
    ("free", [20; 3], Intrinsic::Free),
    ("trap", [10; 3], Intrinsic::Trap),
    ("brkpt", [10; 3], Intrinsic::Breakpoint),
    ("pmevent", [10; 3], Intrinsic::ProfilerTrigger),
    // Of images that are written (OpenCL C).
    ("suq.channel_data_type", [10; 3], Intrinsic::ImageQuery("suq.channel_data_type")),
    ("suq.channel_order", [10; 3], Intrinsic::ImageQuery("suq.channel_order")),
    ("sust.2d", [10; 3], Intrinsic::SurfaceStore(IMAGE_STORE)),
];

/// A store to an image at a byte and a row. OpenCL leaves a store outside undefined.
const IMAGE_STORE: SurfaceAccess =
    SurfaceAccess { surface: None, shape: TextureShape::TwoD, boundary: Boundary::Trap };

/// The operation of a name in a header, with its lowest capability for a result.
fn by_name(name: &str, bytes: u64, is_float: bool) -> Option<(Intrinsic, u32)> {
    if let Some(number) = name.strip_prefix("envreg").and_then(|number| number.parse().ok()) {
        return Some((Intrinsic::Special(Special::Environment(number)), 10));
    }
    let Some((_, [word, wide, float], made)) = EFFECTS.iter().find(|(known, ..)| *known == name) else {
        return Some((Intrinsic::Math(Intrin::named(name)?), 10));
    };
    let needs = if is_float {
        float
    } else if bytes == 8 {
        wide
    } else {
        word
    };
    Some((made.clone(), *needs))
}

impl Sema<'_> {
    /// A call of a function that a header declares with `__intrinsic__`.
    pub(super) fn intrinsic_call(
        &mut self,
        intrinsic: Symbol,
        name: &str,
        result: Qual,
        values: Vec<hir::Expr>,
        span: Span,
    ) -> Res<Value> {
        let text = self.text(intrinsic).trim_matches('"').to_owned();
        // `zero` is what functions without an effect return.
        if text == "nop" {
            let kind = if result.ty == CTypes::VOID {
                Hir::Cast(Box::new(hir::Expr::int(0, span)))
            } else {
                Hir::Int(0)
            };
            return Ok(Value::rvalue(kind, result.ty, span));
        }
        if let Some(library) = text.strip_prefix("c:") {
            let kind = Hir::Intrinsic(Intrinsic::Library(library.to_owned()), values);
            return Ok(Value::rvalue(kind, result.ty, span));
        }
        let bytes = if result.ty == CTypes::VOID { 0 } else { self.types.arithmetic_size(result.ty) };
        let Some((made, needs)) = by_name(&text, bytes, self.types.is_floating(result.ty)) else {
            return self.error("unsupported", span, format!("`{name}` is not supported"));
        };
        if self.function.is_none() {
            return self.error("not-constant", span, format!("`{name}` is not a constant"));
        }
        self.require_capability(needs, name, span)?;
        if let Intrinsic::Atomic(_) = made {
            self.check_atomic(name, &values, bytes, span)?;
        }
        Ok(Value::rvalue(Hir::Intrinsic(made, values), result.ty, span))
    }

    /// Refuses what the target does not have.
    pub(super) fn require_capability(&mut self, needs: u32, name: &str, span: Span) -> Res<()> {
        if self.target.capability >= needs {
            return Ok(());
        }
        let target = self.target.name();
        let error =
            Diagnostic::error(CAPABILITY, span, format!("`{name}` needs sm_{needs}; the target is {target}"))
                .help(format!(
                    "compile for a chip of compute capability {}.{} or later",
                    needs / 10,
                    needs % 10
                ));
        self.fail(error)
    }

    /// Atomic operations on shared memory exist from `sm_12` on, those of 64 bits from `sm_20` on.
    fn check_atomic(&mut self, name: &str, values: &[hir::Expr], bytes: u64, span: Span) -> Res<()> {
        let Some(address) = values.first() else { return Ok(()) };
        let shared = shared_root(address)
            .is_some_and(|id| matches!(self.globals[id].storage, Storage::Shared | Storage::SharedDynamic));
        if !shared {
            return Ok(());
        }
        let needs = if bytes == 8 { 20 } else { 12 };
        self.require_capability(needs, &format!("{name} on shared memory"), span)
    }

    /// A call of a function that no header can declare.
    pub(super) fn special_call(
        &mut self,
        name: &QualifiedName,
        plain: Name,
        list: &[Expr],
        span: Span,
    ) -> Res<Option<Value>> {
        if self.rules.is_open_cl
            && let Some(value) = self.open_cl_call(plain, list, span)?
        {
            return Ok(Some(value));
        }
        let text = self.text(plain.symbol).to_owned();
        if self.rules.is_open_cl {
            let special = self.rules.special_functions.iter().find(|(own, _)| *own == text);
            return special.map(|(_, call)| call(self, list, span)).transpose();
        }
        if let Some(function) = TextureFunction::of(&text) {
            let own = match self.find(plain.symbol) {
                Some((Entity::Functions(list), _)) => {
                    list.iter().any(|one| !self.is_builtin(self.functions[*one].span))
                }
                _ => false,
            };
            if own {
                return Ok(None);
            }
            return self.texture_call(function, name, list, span).map(Some);
        }
        if matches!(text.as_str(), "tex1DLod" | "tex2DLod" | "tex3DLod") {
            return self.unsupported(span, &format!("texture function `{text}`"));
        }
        if matches!(text.as_str(), "__syncwarp" | "__all_sync" | "__any_sync" | "__ballot_sync" | "__ldg") {
            self.say_later(
                &format!("`{text}`"),
                "in a warp that runs in lockstep it has the same meaning",
                span,
            );
        }
        if self.rules.has_library
            && text.starts_with("__")
            && let Some(answer) = self.trait_value(&text, list, span)
        {
            return answer.map(Some);
        }
        let special = self.rules.special_functions.iter().find(|(own, _)| *own == text);
        special.map(|(_, call)| call(self, list, span)).transpose()
    }

    /// `va_start`: the address of the arguments of `...`.
    pub(super) fn variadic_arguments(&mut self, span: Span) -> Res<Value> {
        let Some(list) = self.function.as_ref().and_then(|function| function.variadic) else {
            return self.error("wrong-type", span, "`va_start` needs a function with `...`");
        };
        let ty = Qual::plain(self.types.pointer(Qual::plain(CTypes::ULLONG)));
        Ok(self.read_local(list, ty, span))
    }

    /// The argument of a call that stands for the arguments of `...`: the address of an array with
    /// eight bytes for each of them.
    pub(super) fn variadic_list(&mut self, list: Vec<hir::Expr>, span: Span) -> Res<hir::Expr> {
        let word = Qual::plain(CTypes::ULLONG);
        let pointer = self.types.pointer(word);
        if list.is_empty() {
            return self.make(Hir::Int(0), pointer, span);
        }
        let ty = Qual::plain(self.types.intern(TypeKind::Array(word, Some(list.len() as u64))));
        let (array, mut parts) = self.temporary(ty, span)?;
        for (at, value) in list.into_iter().enumerate() {
            let element = self.element(&array, at as u64)?;
            match self.hir.get(value.ty) {
                hir::Type::F64 => {
                    let address = self.address(element)?;
                    let to = self.types.pointer(Qual::plain(CTypes::DOUBLE));
                    let address = self.cast(address, to)?;
                    let place = Value::deref(address, Qual::plain(CTypes::DOUBLE), span);
                    self.store(place, value, &mut parts)?;
                }
                hir::Type::Struct(_) | hir::Type::Array(..) => {
                    return self.unsupported(span, "a structure as an argument of `...`");
                }
                _ => {
                    let value = self.cast(value, CTypes::ULLONG)?;
                    self.store(element, value, &mut parts)?;
                }
            }
        }
        let address = self.address(array)?;
        let address = self.cast(address, pointer)?;
        self.after(parts, address, pointer)
    }

    /// `__is_plain(T)` in headers of the compiler: whether objects of a type are bytes.
    pub(super) fn is_plain(&mut self, list: &[Expr], span: Span) -> Res<Value> {
        let [Expr { kind: ExprKind::Name(name), .. }] = list else {
            return self.error("no-match", span, "`__is_plain` takes a type");
        };
        let ty = self.named_type(name)?.ty;
        self.require_complete(ty, span)?;
        let plain = !self.classes().is_destroyed(ty)
            && !self.classes().copies(ty)
            && !self.classes().needs_construction(ty);
        Ok(Value::int(i128::from(plain), CTypes::BOOL, span))
    }

    /// `printf`: the format and promoted values.
    pub(super) fn printf(&mut self, list: &[Expr], span: Span) -> Res<Value> {
        self.require_capability(20, "printf", span)?;
        let Some((format, rest)) = list.split_first() else {
            return self.error("no-match", span, "`printf` needs a format");
        };
        let value = self.expression(format)?;
        let text = Qual::plain(self.types.pointer(Qual::constant(CTypes::CHAR)));
        let mut values = vec![self.convert(value, text, "for the format of `printf`")?];
        for expr in rest {
            let value = self.expression(expr)?;
            if self.types.record(value.ty.ty).is_some() || value.ty.ty == CTypes::VOID {
                let shown = self.show(value.ty);
                return self.error("wrong-type", expr.span, format!("`printf` cannot print a `{shown}`"));
            }
            values.push(self.promoted_argument(value)?);
        }
        if let ExprKind::Text(bytes) = &format.kind {
            self.check_format(bytes, &values, format.span);
        }
        if values.len() > 33 {
            return self.error("limit", span, "`printf` takes at most 32 values");
        }
        Ok(Value::rvalue(Hir::Intrinsic(Intrinsic::Printf, values), CTypes::INT, span))
    }

    /// Warns about a text behind `%` that the device prints as it is.
    fn no_conversion(&mut self, format: &[u8], span: Span) {
        let length = format.iter().skip(1).position(u8::is_ascii_alphabetic).map_or(1, |at| at + 2);
        let length = match format.get(length - 1..) {
            // The type follows the size.
            Some([b'h', b'h', ..]) => length + 2,
            Some([b'z' | b'j' | b't' | b'q' | b'L' | b'h' | b'l', ..]) => length + 1,
            _ => length,
        };
        let shown = String::from_utf8_lossy(&format[..length.min(format.len())]).into_owned();
        let message =
            format!("`printf` in kernels has no conversion `{shown}`: the text is printed as it is");
        let warning = Diagnostic::warning("format", span, message).help(
            "a conversion is `%`, flags, a width (a number or `*`), a precision (a number), `h`, `l` or `ll`, \
             and one of d i o u x X c s p e E f F g G a A",
        );
        self.out.push(warning);
    }

    /// Warns about values that do not fit the format of `printf`.
    pub(super) fn check_format(&mut self, format: &[u8], values: &[hir::Expr], span: Span) {
        let mut next = 1;
        let mut at = 0;
        while at < format.len() {
            if format[at] != b'%' {
                at += 1;
                continue;
            }
            let first = at;
            at += 1;
            let (mut long, mut short, mut stars, mut point, mut conversion) = (0, 0, 0, false, 0u8);
            while let Some(&byte) = format.get(at) {
                at += 1;
                match byte {
                    b'l' => long += 1,
                    b'h' if short == 0 => short += 1,
                    b'*' if !point => stars += 1,
                    b'.' => point = true,
                    b'0'..=b'9' | b'-' | b'+' | b' ' | b'#' => {}
                    _ => {
                        conversion = byte;
                        break;
                    }
                }
            }
            if conversion == b'%' {
                continue;
            }
            if !b"diouxXcspeEfFgGaA".contains(&conversion) {
                self.no_conversion(&format[first..], span);
                return;
            }
            next += stars;
            let Some(value) = values.get(next) else {
                let message = "the format has more conversions than there are values";
                let warning = Diagnostic::warning("format", span, message);
                self.out.push(warning);
                return;
            };
            next += 1;
            let ty = self.hir.get(value.ty);
            let expected = match (conversion, ty) {
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', hir::Type::F64) => Some("an integer"),
                (
                    b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a',
                    hir::Type::Int(_) | hir::Type::Pointer(..),
                ) => Some("a `double`"),
                (b's', hir::Type::Int(_) | hir::Type::F64) => Some("a string"),
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', hir::Type::Int(int))
                    if int.bits == 64 && long == 0 =>
                {
                    Some("an `int`; write `%ld` or `%lld` for 64 bits")
                }
                (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', hir::Type::Int(int))
                    if int.bits < 64 && long > 0 =>
                {
                    Some("a 64-bit integer")
                }
                _ => None,
            };
            if let Some(expected) = expected {
                let message = format!("conversion `%{}` expects {expected}", conversion as char);
                let warning = Diagnostic::warning("format", value.span, message).at(span, "format");
                self.out.push(warning);
            }
        }
        if next < values.len() {
            self.out.push(Diagnostic::warning(
                "format",
                values[next].span,
                "the format does not print this value",
            ));
        }
    }

    /// `assert(e)`: the macro of the header passes the condition and its text.
    pub(super) fn assertion(&mut self, list: &[Expr], span: Span) -> Res<Value> {
        self.require_capability(20, "assert", span)?;
        let [condition, text] = list else {
            return self.error("no-match", span, "`assert` takes one condition");
        };
        let value = self.expression(condition)?;
        let test = self.condition(value)?;
        let location = self.sources.location(span);
        let file = location.map_or(String::new(), |location| self.sources.file(location.file).name.clone());
        let function = self.own_signature(Spelling::Nvcc).unwrap_or_default();
        let message = if let ExprKind::Text(bytes) = &text.kind { bytes.to_vec() } else { Vec::new() };
        let address = |sema: &mut Self, text: &[u8]| {
            let expr =
                Expr { kind: ExprKind::Text(std::rc::Rc::new(text.to_vec())), span, depth: 1, chain: 0 };
            let value = sema.expression(&expr)?;
            sema.expr(value)
        };
        let message = address(self, &message)?;
        let file = address(self, file.as_bytes())?;
        let function = address(self, function.as_bytes())?;
        let line = i128::from(location.map_or(0, |location| location.line));
        let line = hir::Expr { kind: Hir::Int(line), ty: hir::Types::U32, span };
        let fail = Hir::Intrinsic(Intrinsic::AssertFail, vec![message, file, line, function]);
        let fail = self.make(fail, CTypes::VOID, span)?;
        let nothing = self.make(Hir::Cast(Box::new(hir::Expr::int(0, span))), CTypes::VOID, span)?;
        let kind = Hir::Conditional(Box::new(test), Box::new(nothing), Box::new(fail));
        Ok(Value::rvalue(kind, CTypes::VOID, span))
    }
}

/// The variable of the program that an address points into, where that is written in place.
fn shared_root(address: &hir::Expr) -> Option<hir::GlobalId> {
    match &address.kind {
        Hir::AddressOf(place) => match &place.kind {
            PlaceKind::Deref(inner) => shared_root(inner),
            kind => super::assign::root_global(kind),
        },
        Hir::PointerAdd(pointer, _) => shared_root(pointer),
        Hir::Cast(inner) => shared_root(inner),
        _ => None,
    }
}
