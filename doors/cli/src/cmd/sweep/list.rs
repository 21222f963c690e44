//! Lists of values on the command line: values separated by commas, and ranges.

/// Maximum number of values of one list.
const MOST: usize = 1_000_000;

/// Returns the values of a list. It is split at commas outside brackets and quotes, surrounding
/// blanks are removed, and ranges are expanded. `8..24:8` is 8, 16, 24 (both ends are included),
/// `8..11` has step 1, and `1..64:*4` is 1, 4, 16, 64.
pub fn values(list: &str) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    for item in split(list)? {
        let item = item.trim();
        if item.is_empty() {
            return Err(format!("`{list}` has an empty value"));
        }
        match range(item) {
            Some(range) => values.extend(range?),
            None => values.push(item.to_owned()),
        }
        if values.len() > MOST {
            return Err(format!("`{list}` has more than {MOST} values"));
        }
    }
    Ok(values)
}

/// Splits a list at commas outside brackets and strings.
fn split(list: &str) -> Result<Vec<&str>, String> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let mut open = Vec::new();
    let mut chars = list.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(c) => {
                return Err(format!("`{list}` has an unmatched `{c}`"));
            }
            '"' => {
                let mut escaped = false;
                let end = chars.find(|(_, c)| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
                if end.is_none() {
                    return Err(format!("`{list}` has an unterminated string"));
                }
            }
            ',' if open.is_empty() => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if let Some(bracket) = open.pop() {
        return Err(format!("`{list}` has no closing `{bracket}`"));
    }
    parts.push(&list[start..]);
    Ok(parts)
}

/// Returns the values of `first..last`, `first..last:step` or `first..last:*factor`; `None` for any
/// other form.
fn range(item: &str) -> Option<Result<Vec<String>, String>> {
    let (first, rest) = item.split_once("..")?;
    let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let (step, times) = step.strip_prefix('*').map_or((step, false), |factor| (factor, true));
    let (first, last): (i64, i64) = (first.parse().ok()?, last.parse().ok()?);
    let step: i64 = step.parse().ok()?;
    if last < first {
        return Some(Err(format!("the range `{item}` ends below its start")));
    }
    if step < 1 || times && (step < 2 || first < 1) {
        return Some(Err(format!("the step of the range `{item}` does not increase the value")));
    }
    let next = |at: &i64| if times { at.checked_mul(step) } else { at.checked_add(step) };
    let all = std::iter::successors(Some(first), next).take_while(|at| *at <= last);
    // One more than the maximum, so that the caller detects the excess.
    Some(Ok(all.take(MOST + 1).map(|v| v.to_string()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_outside_brackets_and_quotes() {
        for (list, expected) in [
            ("8", &["8"][..]),
            ("8, 16 ,24", &["8", "16", "24"]),
            ("(1,1,1),(2,2,1)", &["(1,1,1)", "(2,2,1)"]),
            ("two_level(active: 4),lrr", &["two_level(active: 4)", "lrr"]),
            (r#""a,b","c\",d""#, &[r#""a,b""#, r#""c\",d""#]),
            ("[{1: (2,3)},4],5", &["[{1: (2,3)},4]", "5"]),
        ] {
            assert_eq!(values(list).unwrap(), expected, "{list}");
        }
    }

    #[test]
    fn ranges_have_both_ends_and_a_step_or_a_factor() {
        for (list, expected) in [
            ("8..24:8", &["8", "16", "24"][..]),
            ("8..23:8", &["8", "16"]),
            ("3..5,9", &["3", "4", "5", "9"]),
            ("1..64:*4", &["1", "4", "16", "64"]),
            ("-1..1", &["-1", "0", "1"]),
            ("9223372036854775806..9223372036854775807:2", &["9223372036854775806"]),
            ("a..b", &["a..b"]),
        ] {
            assert_eq!(values(list).unwrap(), expected, "{list}");
        }
    }

    #[test]
    fn an_invalid_list_has_a_message() {
        for (list, part) in [
            ("8,,9", "empty value"),
            ("", "empty value"),
            ("(1,2", "no closing `)`"),
            ("1)", "has an unmatched"),
            ("(1]", "has an unmatched"),
            ("\"a", "unterminated string"),
            ("9..8", "ends below its start"),
            ("1..8:0", "does not increase"),
            ("0..8:*2", "does not increase"),
            ("1..8:*1", "does not increase"),
            ("0..9223372036854775807", "more than 1000000"),
        ] {
            assert!(values(list).unwrap_err().contains(part), "{list}");
        }
    }
}
