//! The memory side of the warp in focus: its last access, drawn as lanes and segments or banks, its
//! scoreboard, and the load/store queue of the SM.

use super::super::text::{bits, fit, mask};
use super::{Content, Scene, View};
use ratatui::style::Style;
use ratatui::text::Line;
use report::inspect::Subject;
use report::render::number::{count, plural};
use sim_core::debug::{AccessView, BankView, Transaction, WarpView};
use sim_core::host::Mode;
use std::collections::BTreeSet;

/// The content of the pane.
pub fn content(scene: &Scene<'_, '_>, view: View) -> Content {
    let Some(warp) = scene.warp else { return Content::nothing("No warp is resident in this slot.") };
    let mut lines = Vec::new();
    last(scene, warp, &mut lines);
    let title = format!("of warp {}: last access, scoreboard, load/store queue", warp.slot);
    let line = |(text, style): (String, Style)| Line::styled(fit(&text, view.width - 1), style);
    let mut lines: Vec<Line<'static>> = lines.into_iter().map(line).collect();
    if scene.session.mode() == Mode::Timed {
        lines.extend(scene.facts(Subject::Scoreboard, view.width));
        lines.extend(scene.facts(Subject::Queue, view.width));
    }
    Content::scrolled(title, lines, view)
}

type Lines = Vec<(String, Style)>;

/// The last access.
fn last(scene: &Scene<'_, '_>, warp: &WarpView, lines: &mut Lines) {
    let (plain, dim) = (Style::new(), scene.theme.dim());
    let Some(access) = scene.session.last_access(warp.sm, warp.slot) else {
        return lines.push((" The warp has accessed no memory.".to_owned(), plain));
    };
    let text = scene.words.text(access.pc);
    let line = scene.words.place(access.pc);
    let when = match scene.session.mode() {
        Mode::Timed => format!("issued at {}", count(access.cycle)),
        Mode::Functional => format!("warp instruction {}", count(access.cycle)),
    };
    let head = format!(" line {line}, {when}: {text}");
    lines.push((head, scene.theme.focus()));
    if !access.transactions.is_empty() {
        let verdict = if access.is_uncoalesced() {
            format!("uncoalesced; {} at best", access.fewest)
        } else {
            "coalesced".to_owned()
        };
        let text = format!(
            " {} ({verdict}): {} bytes requested, {} moved",
            plural(access.transactions.len() as u64, "transaction"),
            count(access.requested().into()),
            count(access.transferred().into()),
        );
        lines.push((text, plain));
        let heading = "segment   n words: # used, . moved";
        lines.push((format!(" {:<32} {heading}", "lanes 0 to 31"), dim));
        let same = |a: &Transaction, b: &Transaction| (a.address, a.bytes) == (b.address, b.bytes);
        let groups = access.transactions.chunk_by(same);
        lines.extend(groups.map(|group| (transactions(&access, group), plain)));
    }
    if let Some(banks) = &access.banks {
        of_banks(&access, banks, scene, lines);
    }
}

/// Transactions of one segment in a row: their lanes, the segment, their number, and the words of
/// the segment.
fn transactions(access: &AccessView, group: &[Transaction]) -> String {
    let Some(one) = group.first() else { return String::new() };
    let all = group.iter().fold(0, |lanes, one| lanes | one.lanes);
    // A sector has eight words. Without sectors all words are transferred.
    let is_moved = |word: u32| one.sectors == 0 || one.sectors >> (word / 8) & 1 == 1;
    let mut words: Vec<char> = (0..one.span / 4).map(|word| if is_moved(word) { '.' } else { ' ' }).collect();
    for lane in bits(all) {
        let first = access.addresses[lane as usize].wrapping_sub(one.address) / 4;
        for word in first..first + access.bytes.div_ceil(4) {
            if let Some(word) = words.get_mut(word as usize) {
                *word = '#';
            }
        }
    }
    let words: String = words.into_iter().collect();
    let lanes = mask(all, access.lanes);
    format!(" {lanes} {:08x} {:>2} {words}", one.address, group.len())
}

/// The passes over the banks: for each group of lanes the number of words in each bank.
fn of_banks(access: &AccessView, banks: &BankView, scene: &Scene<'_, '_>, lines: &mut Lines) {
    let conflict = if banks.has_conflict() {
        format!("{} without bank conflicts", banks.fewest)
    } else {
        "no bank conflict".to_owned()
    };
    let word = if banks.passes == 1 { "pass" } else { "passes" };
    lines.push((format!(" {} {word} over the banks: {conflict}", banks.passes), Style::new()));
    let number: String = (0..banks.banks).map(|bank| char::from(b'0' + (bank % 10) as u8)).collect();
    lines.push((format!(" {:<12} {number}  different words", "bank"), scene.theme.dim()));
    for first in (0..32).step_by(banks.group.max(1) as usize) {
        let group = first..first + banks.group;
        let lanes: Vec<u32> = bits(banks.lanes).filter(|lane| group.contains(lane)).collect();
        if lanes.is_empty() {
            continue;
        }
        let words = |bank: u32| {
            let of_bank = lanes.iter().filter(|lane| banks.of_lane[**lane as usize] == bank);
            let words: BTreeSet<u32> = of_bank.map(|lane| access.addresses[*lane as usize] / 4).collect();
            words.len() as u32
        };
        let all: Vec<u32> = (0..banks.banks).map(words).collect();
        let digit = |words: &u32| match words {
            0 => '.',
            words => char::from_digit(*words, 10).unwrap_or('+'),
        };
        let drawn: String = all.iter().map(digit).collect();
        let most = all.iter().max().map_or(0, |most| *most);
        let name = format!("lanes {first}-{}", group.end - 1);
        lines.push((format!(" {name:<12} {drawn}  at most {most} in a bank"), Style::new()));
    }
}
