//! Lines of comma-separated values (RFC 4180, with a line feed at line ends).

/// Returns a line with these values. A value with a comma, a quote or a line end is in quotes.
pub fn line<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let mut line = String::new();
    for (i, value) in values.enumerate() {
        if i > 0 {
            line.push(',');
        }
        if value.contains([',', '"', '\n', '\r']) {
            line.push('"');
            line.push_str(&value.replace('"', "\"\""));
            line.push('"');
        } else {
            line.push_str(value);
        }
    }
    line.push('\n');
    line
}
