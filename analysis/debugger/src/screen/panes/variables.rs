//! Variables of CUDA C that the line of the warp in focus sees, each in its type. Equal values take
//! one line.

use super::super::text::{bits, fit, mask, spread};
use super::Scene;
use super::cells::{lanes as label, per_line, table};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use report::inspect::variables::{Shown, Sight, never};
use sim_core::debug::WarpView;

/// The lines of all variables; `None` if the program has no CUDA C.
pub fn lines(scene: &Scene<'_, '_>, warp: &WarpView, width: usize) -> Option<Vec<Line<'static>>> {
    let sight = Sight::new(scene.session, scene.words, warp);
    if !sight.has_variables() {
        return None;
    }
    let mut lines = Vec::new();
    for name in sight.names() {
        match sight.evaluate(name, None, &mut never) {
            Some(Ok(all)) => all.iter().for_each(|one| lines.extend(of_variable(scene, one, width))),
            Some(Err(why)) => {
                lines.push(Line::styled(fit(&format!(" {name}: {why}"), width), scene.theme.dim()));
            }
            None => {}
        }
    }
    Some(lines)
}

fn of_variable(scene: &Scene<'_, '_>, one: &Shown, width: usize) -> Vec<Line<'static>> {
    let lanes = (0..32).filter(|lane| one.lanes[*lane].is_some()).fold(0_u32, |mask, lane| mask | 1 << lane);
    let text = |lane: usize| one.plain(one.lanes[lane]);
    let first = lanes.trailing_zeros() as usize % 32;
    let is_equal = bits(lanes).all(|lane| one.lanes[lane as usize] == one.lanes[first]);
    let all = if lanes == u32::MAX { "all lanes".to_owned() } else { format!("[{}]", mask(lanes, 0)) };
    let head = match is_equal {
        true if lanes == 0 => format!(" {} = -", one.name),
        true => format!(" {} = {} in {all}", one.name, text(first)),
        false => format!(" {}", one.name),
    };
    let head = spread(&head, &one.c_type, width);
    let (head, ty) = head.split_at(head.len() - one.c_type.len());
    let mut lines =
        vec![Line::from(vec![Span::raw(head.to_owned()), Span::styled(ty.to_owned(), scene.theme.dim())])];
    if !is_equal {
        let of_lane = |lane: usize| {
            let is_focus = lane == scene.focus.lane as usize;
            (text(lane), if is_focus { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() })
        };
        let cells: Vec<(String, Style)> = (0..32).map(of_lane).collect();
        let each = per_line(&cells, width);
        lines.extend(table(&cells, each, |lane| label(scene.theme, lane, each)));
    }
    let notes =
        one.notes.iter().map(|note| Line::styled(fit(&format!("   {note}"), width), scene.theme.dim()));
    lines.extend(notes);
    lines
}
