//! Built-in functions and macros of GNU's compilers: `__builtin_popcount(x)`,
//! `__sync_fetch_and_add(p, 1)`, `__linux__`.

use crate::lex::{Interner, Token, TokenKind};

/// Macros of the system and the host compiler for which nvcc compiles, by which programs choose
/// their headers and attributes. The processor has no name: programs use it to select assembly.
pub(crate) const MACROS: &str = include_str!("headers/gnu_macros.cuh");

/// How the names of the functions start.
const PREFIX: &str = "__builtin_";

/// How the names of the atomic functions start.
const ATOMIC: &str = "__sync_";

/// The functions that have another definition than the function of the library with the rest of
/// the name. Only programs that use such a name have it.
pub(crate) const TEXT: (&str, &str) = ("<gnu>", include_str!("headers/gnu.cuh"));

/// The functions of the C library that a program may call by its built-in name.
const OF_LIBRARY: &str = "memcpy memset memmove memcmp strlen strcmp strncmp strcpy strncpy strcat strchr strrchr \
    strstr malloc calloc realloc free alloca abort exit printf fprintf sprintf snprintf puts putchar abs labs llabs \
    sqrt sqrtf fabs fabsf floor floorf ceil ceilf pow powf exp expf log logf log2 log2f sin sinf cos cosf tan tanf \
    atan2 atan2f fmod fmodf fmax fmaxf fmin fminf fma fmaf round roundf trunc truncf rint rintf copysign copysignf";

/// Replaces the names of functions of the C library. Returns whether the program names a built-in
/// function that [`TEXT`] defines.
pub(crate) fn replace(tokens: &mut [Token], names: &mut Interner) -> bool {
    let mut needs_text = false;
    for token in tokens {
        let TokenKind::Name(symbol) = token.kind else { continue };
        let text = names.text(symbol);
        needs_text |= text.starts_with(ATOMIC);
        let Some(rest) = text.strip_prefix(PREFIX) else { continue };
        if OF_LIBRARY.split_whitespace().any(|name| name == rest) {
            let rest = if rest == "alloca" { "__ws_alloca".to_owned() } else { rest.to_owned() };
            token.kind = TokenKind::Name(names.intern(&rest));
        } else {
            needs_text = true;
        }
    }
    needs_text
}
