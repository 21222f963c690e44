//! Tokens and interned names.

use rustc_hash::FxHashMap;

use crate::source::Span;

/// An interned text: a name, a number, or a literal as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// The texts of all symbols.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    index: FxHashMap<Box<str>, Symbol>,
    texts: Vec<Box<str>>,
}

impl Interner {
    /// Returns the symbol of `text`.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.index.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(text.into());
        self.index.insert(text.into(), symbol);
        symbol
    }

    /// Adds a symbol that its text does not lead to.
    pub fn add(&mut self, text: &str) -> Symbol {
        self.texts.push(text.into());
        Symbol(self.texts.len() as u32 - 1)
    }

    /// Returns the symbol of `text` if some token has this text.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.index.get(text).copied()
    }

    /// Returns the text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}

macro_rules! puncts {
    ($($name:ident $text:literal)*) => {
        /// Punctuation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Punct { $(#[doc = concat!("`", $text, "`.")] $name,)* }

        impl Punct {
            /// All, the longest first among those with a common start.
            pub const ALL: &[Punct] = &[$(Punct::$name,)*];

            /// The text.
            pub const fn text(self) -> &'static str {
                match self { $(Punct::$name => $text,)* }
            }
        }
    };
}

puncts! {
    Ellipsis "..." Spaceship "<=>" ShlAssign "<<=" ShrAssign ">>=" ArrowStar "->*"
    HashHash "##" Arrow "->" Increment "++" Decrement "--" Shl "<<" Shr ">>" Le "<=" Ge ">=" EqEq "=="
    NotEq "!=" AndAnd "&&" OrOr "||" MulAssign "*=" DivAssign "/=" RemAssign "%=" AddAssign "+="
    SubAssign "-=" AndAssign "&=" XorAssign "^=" OrAssign "|=" ColonColon "::" DotStar ".*"
    LeftParen "(" RightParen ")" LeftBracket "[" RightBracket "]" LeftBrace "{" RightBrace "}" Dot "."
    And "&" Star "*" Plus "+" Minus "-" Tilde "~" Not "!" Slash "/" Percent "%" Less "<" Greater ">"
    Xor "^" Or "|" Question "?" Colon ":" Semicolon ";" Assign "=" Comma "," Hash "#"
}

/// Most punctuations with the same first byte.
const SAME_FIRST: usize = 5;

/// The places in [`Punct::ALL`] of the punctuations that begin with each byte, in order.
const BY_FIRST: [[Option<u8>; SAME_FIRST]; 128] = {
    let mut all = [[None; SAME_FIRST]; 128];
    let mut place = 0;
    while place < Punct::ALL.len() {
        let first = Punct::ALL[place].text().as_bytes()[0] as usize;
        let mut free = 0;
        while all[first][free].is_some() {
            free += 1;
        }
        all[first][free] = Some(place as u8);
        place += 1;
    }
    all
};

impl Punct {
    /// The longest punctuation at the start of a text.
    pub fn at_start(text: &[u8]) -> Option<Self> {
        let places = BY_FIRST.get(usize::from(*text.first()?))?;
        let mut fitting = places.iter().map_while(|place| Some(Self::ALL[usize::from((*place)?)]));
        fitting.find(|punct| text.starts_with(punct.text().as_bytes()))
    }

    /// Binding strength of a binary operator, in expressions and in `#if`; higher binds tighter.
    pub fn precedence(self) -> Option<u8> {
        Some(match self {
            Self::OrOr => 1,
            Self::AndAnd => 2,
            Self::Or => 3,
            Self::Xor => 4,
            Self::And => 5,
            Self::EqEq | Self::NotEq => 6,
            Self::Less | Self::Greater | Self::Le | Self::Ge => 7,
            Self::Spaceship => 8,
            Self::Shl | Self::Shr => 9,
            Self::Plus | Self::Minus => 10,
            Self::Star | Self::Slash | Self::Percent => 11,
            Self::DotStar | Self::ArrowStar => 12,
            _ => return None,
        })
    }
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// A name or keyword.
    Name(Symbol),
    /// A number as it is written.
    Number(Symbol),
    /// A string literal as it is written, with its quotes and prefix.
    Text(Symbol),
    /// A character constant as it is written, with its quotes.
    Char(Symbol),
    /// Punctuation.
    Punct(Punct),
    /// A character that starts no token.
    Unknown(char),
    /// `#pragma unroll`; the factor or 0.
    Unroll(u32),
    /// `#pragma pack`: the largest alignment of members from here on, or 0 for the natural one.
    Pack(u32),
    /// Marks an empty macro argument beside `##`; never leaves the preprocessor.
    Placemarker,
    /// End of the file.
    End,
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
    /// Whether it is the first of its line.
    pub line_start: bool,
    /// Whether white space precedes it.
    pub space: bool,
    /// A macro name that must not be expanded again.
    pub painted: bool,
}

impl Token {
    /// Whether the token is this punctuation.
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == TokenKind::Punct(punct)
    }

    /// The name, if the token is one.
    pub fn name(&self) -> Option<Symbol> {
        if let TokenKind::Name(symbol) = self.kind { Some(symbol) } else { None }
    }
}
