//! Keywords: which names of a program in C or OpenCL C are keywords.

use crate::lex::{Interner, Symbol, Token, TokenKind};
use crate::syntax::Keyword;
use rustc_hash::FxHashMap;

/// Gives the tokens of headers and of the program (`is_own`) their keywords: `kernel` is one in a
/// program in OpenCL C, and `template` is a name.
pub fn adapt(
    tokens: &mut [Token],
    is_open_cl: bool,
    names: &mut Interner,
    is_own: impl Fn(usize, &Token) -> bool,
) {
    let mut known = FxHashMap::default();
    for (at, token) in tokens.iter_mut().enumerate() {
        let TokenKind::Name(symbol) = token.kind else { continue };
        let is_own = is_own(at, token);
        let meant =
            *known.entry((symbol, is_own)).or_insert_with(|| meaning(symbol, is_own, is_open_cl, names));
        token.kind = TokenKind::Name(meant);
    }
}

fn meaning(symbol: Symbol, is_own: bool, is_open_cl: bool, names: &mut Interner) -> Symbol {
    let text = names.text(symbol);
    if let Some(keyword) =
        Keyword::of_open_cl(text).filter(|_| is_open_cl && (is_own || text.starts_with("__")))
    {
        return keyword.symbol();
    }
    match Keyword::spelled(symbol) {
        Some(keyword) if is_own && !keyword.is_c() => {
            let text = names.text(symbol).to_owned();
            names.add(&text)
        }
        _ => symbol,
    }
}
