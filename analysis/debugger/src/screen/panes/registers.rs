//! Registers and predicates of the warp in focus, the latest written first, after the variables of
//! CUDA C. Equal values, and values that grow with the lane number, take one line.

use super::super::text::{bits, mask, spread};
use super::cells::{LABEL, cell, lanes, name, per_line, table};
use super::{Content, Scene, View, variables};
use isa::uop::OperandKind;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use report::inspect::registers::written;
use report::inspect::values::Format;
use sim_core::debug::Register;

/// The content of the pane.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    let Some(warp) = scene.warp else { return Content::nothing("No warp is resident in this slot.") };
    let all = written(scene.session, warp.sm, warp.slot);
    let of_cuda_c = variables::lines(scene, warp, view.width);
    if all.is_empty() && of_cuda_c.is_none() {
        return Content::nothing("The warp has written no register.");
    }
    let has_variables = of_cuda_c.is_some();
    let mut lines = of_cuda_c.unwrap_or_default();
    if has_variables {
        lines.push(Line::styled(" Registers, latest first:", scene.theme.dim()));
    }
    for one in &all {
        let changed = scene.before.changed((warp.sm, warp.slot, warp.block), one);
        // The row of a pending load holds an earlier value.
        let summary = if matches!(one.busy, Some((None, _))) {
            Some("pending in memory".to_owned())
        } else {
            summary(&one.register, &one.values, scene.format)
        };
        lines.extend(of_register(scene, &one.register, (&one.values, summary), changed, view.width));
    }
    let format = name(scene.format);
    let title = if has_variables {
        format!("of warp {}, and registers, {format} (f: format), * changed", warp.slot)
    } else {
        format!("of warp {}, {format} (f: format), latest first, * changed", warp.slot)
    };
    Content::scrolled(title, lines, view)
}

fn of_register(
    scene: &Scene<'_, '_>,
    register: &Register,
    (row, summary): (&[u64; 32], Option<String>),
    changed: u32,
    width: usize,
) -> Vec<Line<'static>> {
    let theme = scene.theme;
    let mark = if changed == 0 { ' ' } else { '*' };
    let ptx = register.name.as_deref().unwrap_or("");
    let writer = format!("line {}", scene.words.place(register.pc));
    let style = if changed == 0 { Style::new() } else { theme.changed() };
    let head = match &summary {
        Some(summary) => format!("{mark}{ptx:<LABEL$} = {summary}"),
        None => format!("{mark}{ptx}"),
    };
    let head = spread(&head, &writer, width);
    let (head, writer) = head.split_at(head.len() - writer.len());
    let mut lines = vec![Line::from(vec![
        Span::styled(head.to_owned(), style),
        Span::styled(writer.to_owned(), theme.dim()),
    ])];
    if summary.is_none() {
        let of_lane = |lane: usize| {
            let text = match register.lanes >> lane & 1 {
                1 => cell(register.kind, scene.format, row[lane]),
                _ => "-".to_owned(),
            };
            let style = if changed >> lane & 1 == 1 { theme.changed() } else { Style::new() };
            let here = lane == scene.focus.lane as usize;
            (text, if here { style.add_modifier(Modifier::REVERSED) } else { style })
        };
        let cells: Vec<(String, Style)> = (0..32).map(of_lane).collect();
        let each = per_line(&cells, width);
        lines.extend(table(&cells, each, |lane| lanes(theme, lane, each)));
    }
    lines
}

/// The values of all lanes in one line, if they have a simple form.
fn summary(register: &Register, row: &[u64; 32], format: Format) -> Option<String> {
    let lanes = register.lanes;
    let all = if lanes == u32::MAX { "all lanes".to_owned() } else { format!("[{}]", mask(lanes, 0)) };
    if register.kind == OperandKind::P {
        let set = (0..32).filter(|lane| row[*lane as usize] != 0).fold(0, |mask, lane| mask | 1 << lane);
        return Some(format!("[{}] (# true)", mask(set & lanes, lanes)));
    }
    let first = lanes.trailing_zeros() as usize;
    let written = || bits(lanes).map(|lane| lane as usize);
    if written().all(|lane| row[lane] == row[first]) {
        return Some(format!("{} in {all}", cell(register.kind, format, row[first])));
    }
    let is_narrow = register.kind == OperandKind::W;
    let integer = matches!(format, Format::Hex | Format::Signed | Format::Unsigned);
    if !(is_narrow && integer && lanes & 3 == 3) {
        return None;
    }
    let (base, step) = (row[0] as u32, (row[1] as u32).wrapping_sub(row[0] as u32));
    let grows = written().all(|lane| row[lane] as u32 == base.wrapping_add(step.wrapping_mul(lane as u32)));
    let base = cell(register.kind, format, row[0]);
    grows.then(|| format!("{base} + {} * lane in {all}", step as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(lanes: u32) -> Register {
        Register { name: Some("%r1".to_owned()), kind: OperandKind::W, row: 0, cycle: 0, pc: 0, lanes }
    }

    #[test]
    fn simple_rows_take_one_line() {
        let equal = [7; 32];
        assert_eq!(summary(&register(u32::MAX), &equal, Format::Signed).as_deref(), Some("7 in all lanes"));
        let growing: [u64; 32] = std::array::from_fn(|lane| 16 + 4 * lane as u64);
        let text = summary(&register(u32::MAX), &growing, Format::Hex);
        assert_eq!(text.as_deref(), Some("00000010 + 4 * lane in all lanes"));
        // A float is no integer, and lanes 0 and 1 give the step.
        assert_eq!(summary(&register(u32::MAX), &growing, Format::Float), None);
        assert_eq!(summary(&register(0b110), &growing, Format::Hex), None);
        let mut other = growing;
        other[31] = 0;
        assert_eq!(summary(&register(u32::MAX), &other, Format::Hex), None);
        assert!(summary(&register(u32::MAX >> 1), &other, Format::Hex).is_some(), "lane 31 is not written");
    }
}
