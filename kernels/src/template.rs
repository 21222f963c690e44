//! Templates of PTX texts, and CUDA C texts with macros.

/// Replaces each `@name@` in `template` by its value, in which names are replaced likewise. Other
/// text between two `@` stays.
pub fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('@') {
        text += before;
        let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        let named = after.split_once('@').and_then(|(name, after)| Some((value(name)?, after)));
        rest = if let Some((value, after)) = named {
            text += &fill(value, values);
            after
        } else {
            text.push('@');
            after
        };
    }
    text + rest
}

/// Puts definitions of macros before a text in CUDA C: those choose the variant of a family.
pub fn define(values: &[(&str, String)], text: &str) -> String {
    let line = |(name, value): &(&str, String)| ["#define ", name, " ", value, "\n"].concat();
    values.iter().map(line).collect::<String>() + "\n" + text
}
