//! `ctype.h`.

use super::Table;

/// Defines functions of one character.
macro_rules! characters {
    ($($name:literal |$byte:ident| $value:expr;)*) => {
        pub(super) const TABLE: Table = &[$(($name, |call| {
            let wide = call.int(0);
            let Ok($byte) = u8::try_from(wide) else { return Ok(if $name.starts_with("to") { call.word(0) } else { 0 }) };
            Ok(u64::from($value))
        })),*];
    };
}

characters! {
    "isalpha" |byte| byte.is_ascii_alphabetic();
    "isdigit" |byte| byte.is_ascii_digit();
    "isalnum" |byte| byte.is_ascii_alphanumeric();
    "isspace" |byte| byte.is_ascii_whitespace() || byte == 11;
    "isupper" |byte| byte.is_ascii_uppercase();
    "islower" |byte| byte.is_ascii_lowercase();
    "ispunct" |byte| byte.is_ascii_punctuation();
    "isprint" |byte| byte == b' ' || byte.is_ascii_graphic();
    "isxdigit" |byte| byte.is_ascii_hexdigit();
    "isblank" |byte| byte == b' ' || byte == b'\t';
    "iscntrl" |byte| byte.is_ascii_control();
    "isgraph" |byte| byte.is_ascii_graphic();
    "toupper" |byte| byte.to_ascii_uppercase();
    "tolower" |byte| byte.to_ascii_lowercase();
}
