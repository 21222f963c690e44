//! Values in columns.

use super::super::theme::Theme;
use isa::uop::OperandKind;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use report::inspect::values::{Format, value};

/// Characters of the label in front of a line of values.
pub const LABEL: usize = 8;

/// Returns a value for a column: hexadecimal digits without `0x`.
pub fn cell(kind: OperandKind, format: Format, bits: u64) -> String {
    let text = value(kind, Some(format), bits);
    match format {
        Format::Hex => text.trim_start_matches("0x").to_owned(),
        Format::Signed | Format::Unsigned | Format::Float | Format::Binary | Format::Octal | Format::Char => {
            text
        }
    }
}

/// Returns the name of a format.
pub fn name(format: Format) -> &'static str {
    match format {
        Format::Hex => "hex",
        Format::Signed => "int",
        Format::Unsigned => "unsigned",
        Format::Float => "float",
        Format::Binary => "binary",
        Format::Octal => "octal",
        Format::Char => "char",
    }
}

/// Returns how many of these values fit on a line of `width` characters: a power of two, at most
/// 16.
pub fn per_line(cells: &[(String, Style)], width: usize) -> usize {
    let wide = cells.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(1);
    [16, 8, 4, 2].into_iter().find(|each| LABEL + each * (wide + 1) <= width).unwrap_or(1)
}

/// Returns the label in front of `each` values from a lane on: `8-15`.
pub fn lanes(theme: Theme, lane: usize, each: usize) -> Span<'static> {
    let lanes = if each == 1 { lane.to_string() } else { format!("{lane}-{}", lane + each - 1) };
    Span::styled(format!("{lanes:>7} "), theme.dim())
}

/// Returns lines of `each` values. `label` is the text in front of the values from an index on.
pub fn table(
    cells: &[(String, Style)],
    each: usize,
    label: impl Fn(usize) -> Span<'static>,
) -> Vec<Line<'static>> {
    let wide = cells.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(1);
    let line = |(i, part): (usize, &[(String, Style)])| {
        let values = part.iter().flat_map(|(text, style)| {
            let blanks = " ".repeat(1 + wide - text.chars().count());
            [Span::raw(blanks), Span::styled(text.clone(), *style)]
        });
        Line::from(std::iter::once(label(i * each)).chain(values).collect::<Vec<_>>())
    };
    cells.chunks(each).enumerate().map(line).collect()
}
