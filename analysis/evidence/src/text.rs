//! Texts of the rows: templates whose numbers are named in braces.

use crate::finding::significant;
use serde::Deserialize;

/// A value of a row or of a result.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// One number.
    One(f64),
    /// Several numbers.
    List(Vec<f64>),
    /// A text.
    Text(String),
}

/// Fills the names in braces: `{bytes}`, or with a format after a colon. `,` groups the digits by
/// thousands, `.1` has one decimal, `s` four significant digits, `f` the digits of a
/// single-precision number, `+` shows the sign, `x` is
/// hexadecimal, `?yes|no` one of two texts for a condition, `_` separates the numbers of a list by
/// spaces only. A list without numbers is `none`. `{{` is a brace. A name without a value stays as
/// it is.
pub fn fill(template: &str, value: &dyn Fn(&str) -> Option<Value>) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out += &rest[..at];
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            out += brace;
            rest = after;
            continue;
        }
        let named = rest.split_once('}').filter(|_| brace == "{").and_then(|(inside, after)| {
            let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
            Some((written(&value(name)?, format), after))
        });
        match named {
            Some((text, after)) => {
                out += &text;
                rest = after;
            }
            None => out += brace,
        }
    }
    out + rest
}

/// Writes a number in a format of [`fill`].
fn written(value: &Value, format: &str) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::One(value) => one(*value, format),
        Value::List(values) if values.is_empty() => "none".to_owned(),
        Value::List(values) => {
            let (separator, format) = format.strip_prefix('_').map_or((", ", format), |rest| (" ", rest));
            values.iter().map(|value| one(*value, format)).collect::<Vec<_>>().join(separator)
        }
    }
}

fn one(value: f64, format: &str) -> String {
    if let Some((yes, no)) = format.strip_prefix('?').and_then(|texts| texts.split_once('|')) {
        return if value == 0.0 { no } else { yes }.to_owned();
    }
    let (grouped, format) = format.strip_prefix(',').map_or((false, format), |rest| (true, rest));
    let (sign, format) =
        format.strip_prefix('+').map_or(("", format), |rest| (if value >= 0.0 { "+" } else { "" }, rest));
    let text = match format.strip_prefix('.').and_then(|decimals| decimals.parse::<usize>().ok()) {
        Some(decimals) => format!("{value:.decimals$}"),
        None if format == "s" => significant(value),
        None if format == "f" => (value as f32).to_string(),
        None if format == "x" => format!("{:#x}", value as u64),
        None => value.to_string(),
    };
    if !grouped {
        return format!("{sign}{text}");
    }
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_in_their_formats() {
        let value = |name: &str| match name {
            "bytes" => Some(Value::One(1_605_632.0)),
            "cgma" => Some(Value::One(1.0)),
            "row" => Some(Value::List(vec![204.0, 0.5])),
            "empty" => Some(Value::List(Vec::new())),
            _ => None,
        };
        let filled =
            fill("{bytes:,} and {bytes} B, {cgma:.1}, {cgma:+.1}, {row}, {row:_}: {{x}} {unknown} {", &value);
        let others = fill("{bytes:x}, {cgma:?one|none}, {empty}", &value);
        assert_eq!(others, "0x188000, one, none");
        assert_eq!(filled, "1,605,632 and 1605632 B, 1.0, +1.0, 204, 0.5, 204 0.5: {x} {unknown} {");
    }
}
