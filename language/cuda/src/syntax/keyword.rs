//! Keywords. Their symbols come first in the interner, so that a symbol is a keyword by its number.

use crate::lex::{Interner, Punct, Symbol, Token, TokenKind};

macro_rules! keywords {
    ($($name:ident $text:literal)*) => {
        /// A keyword.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Keyword { $(#[doc = concat!("`", $text, "`.")] $name,)* }

        const ALL: &[(Keyword, &str)] = &[$((Keyword::$name, $text),)*];
    };
}

/// The operators of C++ that are words.
const OPERATORS: [(&str, Punct); 11] = [
    ("and", Punct::AndAnd),
    ("or", Punct::OrOr),
    ("not", Punct::Not),
    ("xor", Punct::Xor),
    ("bitand", Punct::And),
    ("bitor", Punct::Or),
    ("compl", Punct::Tilde),
    ("and_eq", Punct::AndAssign),
    ("or_eq", Punct::OrAssign),
    ("xor_eq", Punct::XorAssign),
    ("not_eq", Punct::NotEq),
];

/// Replaces the operators of C++ that are words, such as `and`.
pub fn replace_operators(tokens: &mut [Token], names: &Interner) {
    let known = OPERATORS.map(|(text, punct)| (names.find(text), punct));
    if known.iter().all(|(symbol, _)| symbol.is_none()) {
        return;
    }
    for token in tokens {
        let Some(name) = token.name() else { continue };
        if let Some((_, punct)) = known.iter().find(|(symbol, _)| *symbol == Some(name)) {
            token.kind = TokenKind::Punct(*punct);
        }
    }
}

// Spellings of one keyword follow each other; `canonical` maps them to the first.
keywords! {
    Void "void" Bool "bool" Bool2 "_Bool" Char "char" Short "short" Int "int" Long "long" Float "float"
    Double "double" Signed "signed" Signed2 "__signed__" Unsigned "unsigned" Auto "auto" Const "const"
    Const2 "__const" Const3 "__const__" Volatile "volatile" Volatile2 "__volatile__" Volatile3 "__volatile"
    Restrict "restrict" Restrict2 "__restrict__" Restrict3 "__restrict" Static "static" Extern "extern" Register "register"
    Inline "inline" Inline2 "__inline__" Inline3 "__inline" Typedef "typedef" Constexpr "constexpr"
    Struct "struct" Union "union" Class "class" Enum "enum" Namespace "namespace" Using "using"
    Template "template" Typename "typename" Operator "operator" This "this" True "true" False "false"
    Nullptr "nullptr" Sizeof "sizeof" Alignof "alignof" Alignof2 "__alignof__" Alignof3 "__alignof"
    Alignof4 "_Alignof" Alignas "alignas" Alignas2 "_Alignas"
    StaticCast "static_cast" ConstCast "const_cast" ReinterpretCast "reinterpret_cast"
    DynamicCast "dynamic_cast" Decltype "decltype" Decltype2 "__typeof__" StaticAssert "static_assert"
    StaticAssert2 "_Static_assert" Public "public"
    Private "private" Protected "protected" Virtual "virtual" Friend "friend" Explicit "explicit"
    Mutable "mutable" New "new" Delete "delete" Throw "throw" Try "try" Catch "catch" Typeid "typeid"
    If "if" Else "else" While "while" Do "do" For "for" Switch "switch" Case "case" Default "default"
    Break "break" Continue "continue" Goto "goto" Return "return" Asm "asm" Asm2 "__asm__" Asm3 "__asm"
    Global "__global__" Device "__device__" Host "__host__" Constant "__constant__" Shared "__shared__"
    Managed "__managed__" GridConstant "__grid_constant__" Noinline "__noinline__" Forceinline "__forceinline__"
    LaunchBounds "__launch_bounds__" Align "__align__" Attribute "__attribute__" Declspec "__declspec"
    Noexcept "noexcept" ThreadLocal "thread_local" ThreadLocal2 "__thread" Extension "__extension__"
    Generic "_Generic" Intrinsic "__intrinsic__" VectorType "__vector_type__"
    ClKernel "__kernel" ClGlobal "__global" ClLocal "__local" ClConstant "__constant" ClPrivate "__private"
    ClReadOnly "__read_only" ClWriteOnly "__write_only"
}

impl Keyword {
    /// Adds the keywords to an empty interner. The keywords of OpenCL C are no keywords of other
    /// programs: their texts do not lead to them.
    pub fn register(names: &mut Interner) {
        for (at, (keyword, text)) in ALL.iter().enumerate() {
            let symbol = if keyword.is_open_cl() { names.add(text) } else { names.intern(text) };
            assert_eq!(symbol, Symbol(at as u32), "the interner was empty");
        }
    }

    /// The keywords of CUDA C; the headers of the compiler have two others, and C has `_Generic`.
    pub fn all() -> impl Iterator<Item = &'static str> {
        let is_own = |keyword: Self| matches!(keyword, Self::Intrinsic | Self::VectorType | Self::Generic);
        let is_cuda = move |keyword: Self| !is_own(keyword) && !keyword.is_open_cl();
        ALL.iter().filter(move |(keyword, _)| is_cuda(*keyword)).map(|(_, text)| *text)
    }

    /// The symbol of the keyword.
    pub fn symbol(self) -> Symbol {
        Symbol(self as u32)
    }

    /// The text of the keyword.
    pub fn text(self) -> &'static str {
        ALL[self as usize].1
    }

    /// Whether only OpenCL C has it.
    pub fn is_open_cl(self) -> bool {
        self as u32 >= Self::ClKernel as u32
    }

    /// Whether C has it, too; the others are names in C and OpenCL C.
    pub fn is_c(self) -> bool {
        matches!(
            self,
            Self::Void
                | Self::Bool
                | Self::Bool2
                | Self::Char
                | Self::Short
                | Self::Int
                | Self::Long
                | Self::Float
                | Self::Double
                | Self::Signed
                | Self::Signed2
                | Self::Generic
                | Self::Unsigned
                | Self::Const
                | Self::Const2
                | Self::Const3
                | Self::Volatile
                | Self::Volatile2
                | Self::Volatile3
                | Self::Extension
                | Self::StaticAssert2
                | Self::Restrict
                | Self::Restrict2
                | Self::Restrict3
                | Self::Static
                | Self::Extern
                | Self::Register
                | Self::Inline
                | Self::Inline2
                | Self::Inline3
                | Self::Typedef
                | Self::Struct
                | Self::Union
                | Self::Enum
                | Self::True
                | Self::False
                | Self::Sizeof
                | Self::Alignof2
                | Self::Alignof3
                | Self::Alignof4
                | Self::Alignas2
                | Self::If
                | Self::Else
                | Self::While
                | Self::Do
                | Self::For
                | Self::Switch
                | Self::Case
                | Self::Default
                | Self::Break
                | Self::Continue
                | Self::Goto
                | Self::Return
                | Self::Asm
                | Self::Asm2
                | Self::Asm3
                | Self::Attribute
                | Self::Decltype2
        )
    }

    /// The keyword of OpenCL C with a text, also without its underscores.
    pub fn of_open_cl(text: &str) -> Option<Self> {
        let has = |known: &str| known == text || known.trim_start_matches('_') == text;
        ALL.iter().find(|(keyword, known)| keyword.is_open_cl() && has(known)).map(|(keyword, _)| *keyword)
    }

    /// The keyword of a symbol as it is spelled.
    pub fn spelled(symbol: Symbol) -> Option<Self> {
        ALL.get(symbol.0 as usize).map(|(keyword, _)| *keyword)
    }

    /// The keyword of a symbol; other spellings of a keyword give its first.
    pub fn of(symbol: Symbol) -> Option<Self> {
        use Keyword as K;
        let keyword = Self::spelled(symbol)?;
        Some(match keyword {
            K::Bool2 => K::Bool,
            K::Signed2 => K::Signed,
            K::Const2 | K::Const3 => K::Const,
            K::Volatile2 | K::Volatile3 => K::Volatile,
            K::Restrict2 | K::Restrict3 => K::Restrict,
            K::Inline2 | K::Inline3 => K::Inline,
            K::ThreadLocal2 => K::ThreadLocal,
            K::Alignof2 | K::Alignof3 | K::Alignof4 => K::Alignof,
            K::Alignas2 => K::Alignas,
            K::Decltype2 => K::Decltype,
            K::StaticAssert2 => K::StaticAssert,
            K::Asm2 | K::Asm3 => K::Asm,
            other => other,
        })
    }
}
