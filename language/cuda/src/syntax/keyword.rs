//! Keywords. Their symbols come first in the interner, so that a symbol is a keyword by its number.

use crate::lex::{Interner, Symbol};

macro_rules! keywords {
    ($($name:ident $text:literal)*) => {
        /// A keyword.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Keyword { $(#[doc = concat!("`", $text, "`.")] $name,)* }

        const ALL: &[(Keyword, &str)] = &[$((Keyword::$name, $text),)*];
    };
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
    Nullptr "nullptr" Sizeof "sizeof" Alignof "alignof" Alignof2 "__alignof__" Alignof3 "__alignof" Alignas "alignas"
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
    Noexcept "noexcept" ThreadLocal "thread_local" Extension "__extension__"
    Intrinsic "__intrinsic__" VectorType "__vector_type__"
}

impl Keyword {
    /// Adds the keywords to an empty interner.
    pub fn register(names: &mut Interner) {
        for (at, (_, text)) in ALL.iter().enumerate() {
            assert_eq!(names.intern(text), Symbol(at as u32), "the interner was empty");
        }
    }

    /// The keywords of programs; the headers of the compiler have two others.
    pub fn all() -> impl Iterator<Item = &'static str> {
        let is_own = |keyword: Self| matches!(keyword, Self::Intrinsic | Self::VectorType);
        ALL.iter().filter(move |(keyword, _)| !is_own(*keyword)).map(|(_, text)| *text)
    }

    /// The keyword of a symbol; other spellings of a keyword give its first.
    pub fn of(symbol: Symbol) -> Option<Self> {
        use Keyword as K;
        let (keyword, _) = *ALL.get(symbol.0 as usize)?;
        Some(match keyword {
            K::Bool2 => K::Bool,
            K::Signed2 => K::Signed,
            K::Const2 | K::Const3 => K::Const,
            K::Volatile2 | K::Volatile3 => K::Volatile,
            K::Restrict2 | K::Restrict3 => K::Restrict,
            K::Inline2 | K::Inline3 => K::Inline,
            K::Alignof2 | K::Alignof3 => K::Alignof,
            K::Decltype2 => K::Decltype,
            K::StaticAssert2 => K::StaticAssert,
            K::Asm2 | K::Asm3 => K::Asm,
            other => other,
        })
    }
}
