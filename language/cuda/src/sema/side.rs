//! The differences between the halves of a program: one row of rules for each.
//!
//! The analysis asks for a rule, never for the half. A further half fills one more [`SideRules`].

use super::Sema;
use super::value::{Res, Value};
use crate::diagnostics::{self, Diagnostic};
use crate::hir::{FunctionKind, Storage};
use crate::source::Span;
use crate::syntax::ast::Expr;
use crate::target::Side;

/// A function that no header can declare.
pub(super) type SpecialFunction = fn(&mut Sema, &[Expr], Span) -> Res<Value>;

/// The rules of one half of a program.
#[expect(clippy::struct_excessive_bools, reason = "independent rules")]
pub(super) struct SideRules {
    /// Whether kernels and the values of variables in device memory are part of this half. The
    /// other half names them: a kernel by its symbol, a texture by a variable that stands for it.
    pub has_device_code: bool,
    /// Kind of the functions that are not kernels.
    pub function_kind: FunctionKind,
    /// Whether only functions with `__device__` or `__global__` certainly belong to this half.
    /// Errors in other functions count if code calls them.
    pub needs_marks: bool,
    /// Memory of string literals and of static variables of functions.
    pub memory: Storage,
    /// Memory of variables without a memory qualifier; code cannot use them without it.
    pub plain_variables: Option<Storage>,
    /// Where a global reference would be, in messages.
    pub place_of_reference: &'static str,
    /// Whether the library of C and C++ exists: its functions are declared without a body.
    pub has_library: bool,
    /// Whether `?:` promotes bit fields, as the standard says ([expr.cond]); g++ does not.
    pub promotes_bit_fields: bool,
    /// Whether the members of a class may name classes that are completed after it.
    pub completes_later: bool,
    /// Whether a failure always has a message: messages about declarations that no code has used so
    /// far are kept for it.
    pub explains_failures: bool,
    /// Whether the conversions and types of C hold: pointers become pointers to other types,
    /// numbers become enumerations, and a character is an `int`.
    pub is_c: bool,
    /// Whether the rules of OpenCL C hold: pointer types name memories, vectors have operators,
    /// and shifts use the lowest bits of the count.
    pub is_open_cl: bool,
    /// The functions that no header can declare.
    pub special_functions: &'static [(&'static str, SpecialFunction)],
    /// The error for a construct that is not supported.
    pub unsupported: fn(Span, &str) -> Diagnostic,
    /// The error for a call of a function of the other half: its name, its place, and the call.
    pub foreign_call: fn(&Sema, &str, Span, Span) -> Diagnostic,
}

/// Kernels and device functions.
const DEVICE: SideRules = SideRules {
    has_device_code: true,
    function_kind: FunctionKind::Device,
    needs_marks: true,
    memory: Storage::Device,
    plain_variables: None,
    place_of_reference: "in device memory",
    has_library: false,
    promotes_bit_fields: true,
    completes_later: false,
    explains_failures: false,
    is_c: false,
    is_open_cl: false,
    special_functions: &[
        ("printf", |sema, list, span| sema.printf(list, span)),
        ("__warpsim_assert", |sema, list, span| sema.assertion(list, span)),
    ],
    unsupported: |span, construct| diagnostics::unsupported(span, construct),
    foreign_call: |sema, name, declared, span| {
        let function = sema.function.as_ref().filter(|function| !function.name.is_empty());
        let caller = function.map_or("device code".to_owned(), |function| {
            let kind = if function.is_kernel { "kernel" } else { "device function" };
            format!("{kind} `{}`", function.name)
        });
        Diagnostic::error("host-call", span, format!("{caller} cannot call host function `{name}`"))
            .label("called here")
            .at(declared, "declared here without `__device__`")
            .help("declare it `__device__`, or `__host__ __device__` if host code calls it too")
    },
};

/// Host functions.
const HOST: SideRules = SideRules {
    has_device_code: false,
    function_kind: FunctionKind::Host,
    needs_marks: false,
    memory: Storage::Host,
    plain_variables: Some(Storage::Host),
    place_of_reference: "outside of functions",
    has_library: true,
    promotes_bit_fields: false,
    completes_later: true,
    explains_failures: true,
    is_c: false,
    is_open_cl: false,
    special_functions: &[
        ("__ws_alloca", |sema, list, span| sema.stacked(list, span)),
        ("__ws_arguments", |sema, _, span| sema.variadic_arguments(span)),
        ("__is_plain", |sema, list, span| sema.is_plain(list, span)),
        ("__underlying", |sema, list, span| sema.underlying(list, span)),
    ],
    unsupported: |span, construct| diagnostics::unsupported_in_host(span, construct),
    foreign_call: |_, name, declared, span| {
        let message = format!("host code cannot call device function `{name}`");
        Diagnostic::error("device-call", span, message)
            .label("called here")
            .at(declared, "declared here without `__host__`")
            .help("declare it `__host__ __device__`, or call it from a kernel")
    },
};

/// A program in C.
const C: SideRules = SideRules { is_c: true, ..HOST };

/// A program in OpenCL C.
const OPEN_CL: SideRules = SideRules {
    needs_marks: false,
    memory: Storage::Constant,
    plain_variables: Some(Storage::Constant),
    place_of_reference: "in OpenCL C",
    is_c: true,
    is_open_cl: true,
    special_functions: &[("printf", |sema, list, span| sema.open_cl_printf(list, span))],
    unsupported: |span, construct| diagnostics::not_open_cl(span, construct),
    ..DEVICE
};

impl SideRules {
    /// The rules of a half.
    pub fn of(side: Side) -> &'static Self {
        match side {
            Side::Device => &DEVICE,
            Side::Host => &HOST,
            Side::C => &C,
            Side::OpenCl => &OPEN_CL,
        }
    }
}
