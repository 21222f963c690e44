//! `occupancy --html`: the answers with their curves as one page.

use super::answer::Answer;
use super::text;
use crate::provenance::PROGRAM;
use crate::rules::Named;
use figures::embedded;
use figures::occupancy::{Curve, scene};
use isa::terms::Terms;
use report::mangled::plain;
use report::page::Page;

/// Returns the page.
pub fn page(named: &Named, answers: &[Answer], curves: &[Vec<Curve>]) -> String {
    let mut page = Page::new(&format!("Occupancy on {}", named.title));
    let refused = answers.iter().any(|answer| !answer.refusals.is_empty());
    page.answer(!refused, &answers.iter().map(summary).collect::<Vec<_>>().join("; "));
    for (number, (answer, curves)) in answers.iter().zip(curves).enumerate() {
        page.section(&format!("kernel-{number}"), &name(answer));
        page.text("Answer", &text::render(named, std::slice::from_ref(answer)));
        page.note(
            "Each curve varies one number and keeps the others. The marked point is this kernel. A value \
             with which the kernel cannot be launched has occupancy 0.",
        );
        let title = format!("Occupancy of {} on {}", name(answer), named.title);
        page.picture(&title, &embedded(&scene(&title, &[], curves)));
    }
    page.finish(PROGRAM)
}

fn name(answer: &Answer) -> String {
    match &answer.kernel {
        Some(kernel) => plain(kernel).to_owned(),
        None => "a kernel".to_owned(),
    }
}

fn summary(answer: &Answer) -> String {
    let kernel = answer.kernel.as_ref().map_or_else(String::new, |kernel| format!("{}: ", plain(kernel)));
    let Terms { block, sm, .. } = answer.terms;
    match (&answer.result, answer.refusals.first()) {
        (_, Some(refusal)) => format!("{kernel}{}", refusal.message),
        (Some(result), None) => format!(
            "{kernel}{} {block}s and {} of {} warps per {sm}, occupancy {} %",
            result.blocks,
            result.warps,
            answer.slots.warps,
            crate::render::number::percent(result.occupancy)
        ),
        (None, None) => format!("{kernel}the {block} size is open"),
    }
}
