//! Occupancy as text: the answer, its calculation, and possible changes.

use super::answer::Answer;
use super::subject::Origin;
use super::sweep::OccupancyRow;
use super::working::Working;
use crate::args::occupancy::Over;
use crate::render::number::{count, percent, plural};
use crate::render::table::{Column, Columns, NARROW, heading_within, line};
use crate::rules::{Division, Named};
use isa::terms::{Terms, capital};
use report::mangled::plain;
use sim_core::config::CachePreference;
use sim_core::occupancy::{Limiter, Occupancy};

/// Width of a full bar in characters.
const BAR: f64 = 16.0;

/// Returns the text of all answers.
pub fn render(named: &Named, answers: &[Answer]) -> String {
    let mut out = String::new();
    for (i, answer) in answers.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out += &one(named, answer);
    }
    out
}

fn one(named: &Named, answer: &Answer) -> String {
    let mut out = String::new();
    let of = match (&answer.kernel, &answer.file) {
        (Some(kernel), Some(file)) => format!(" of `{}` ({file})\n", plain(kernel)),
        _ => " ".to_owned(),
    };
    line(&mut out, format!("Occupancy{of}on {}", named.title));
    if let (Some(result), Some(working)) = (&answer.result, &answer.working) {
        out += &summary(answer, result);
        let block = answer.terms.block;
        out += &heading_within(&format!("What one {block} takes"), NARROW);
        out += &needs(named, answer, result);
        out += &heading_within(&format!("How many {block}s each resource allows"), NARROW);
        out += &limits(answer.terms, result, working);
        out += &bare(answer);
        if !answer.changes.is_empty() {
            out += &heading_within("What would change it", NARROW);
            out += &changes(answer, result);
        }
    }
    if !answer.sweep.is_empty() {
        out += &heading_within(&sweep_title(answer), NARROW);
        out += &sweep(answer);
    }
    out
}

fn summary(answer: &Answer, result: &Occupancy) -> String {
    let mut table = Columns::new(&[label_column(answer.terms), Column::Rest]).narrow();
    let Terms { thread, block, sm, .. } = answer.terms;
    if answer.refusals.is_empty() {
        table.row(&[&format!("{block}s per {sm}"), &result.blocks.to_string()]);
        table.row(&[&format!("warps per {sm}"), &format!("{} of {}", result.warps, answer.slots.warps)]);
        table.row(&[
            &format!("{thread}s per {sm}"),
            &format!("{} of {}", count(result.threads.into()), count(answer.slots.threads.into())),
        ]);
        let share = format!("{} % (warps of warp slots)", percent(result.occupancy));
        table.row(&["occupancy", &share]);
        table.row(&["limited by", &limiters(&result.limiters, answer.terms)]);
    } else {
        for (i, refusal) in answer.refusals.iter().enumerate() {
            let why =
                refusal.message.split_once("refused: ").map_or(refusal.message.as_str(), |(_, why)| why);
            table.row(&[if i == 0 { "cannot be launched" } else { "" }, why]);
        }
    }
    format!("\n{}", table.draw())
}

fn limiters(limiters: &[Limiter], terms: &Terms) -> String {
    limiters.iter().map(|l| l.name(terms)).collect::<Vec<_>>().join(", ")
}

/// Column of the names of rows.
fn label_column(terms: &Terms) -> Column {
    Column::Words(if terms.is_opencl() { 30 } else { 22 })
}

/// Column of the names of resources.
fn slots_column(terms: &Terms) -> Column {
    Column::Words(if terms.is_opencl() { 16 } else { 14 })
}

/// Column of a number of blocks.
fn blocks_column(terms: &Terms) -> Column {
    Column::Numbers(if terms.is_opencl() { 11 } else { 6 })
}

fn needs(named: &Named, answer: &Answer, result: &Occupancy) -> String {
    let mut table = Columns::new(&[label_column(answer.terms), Column::Rest]).narrow();
    let Terms { thread, block: word, shared: memory, sm, .. } = answer.terms;
    let [x, y, z] = answer.block.unwrap_or_default();
    let origin = match answer.block_from {
        Some(Origin::HostProgram) => "; as the kernel's host program launches it".to_owned(),
        Some(Origin::Required) => format!("; the kernel's {}", answer.terms.required),
        Some(Origin::Maximum) => "; the kernel's .maxntid".to_owned(),
        _ => String::new(),
    };
    let threads = result.needs.threads;
    let padded = u64::from(result.warps_per_block) * 32 - u64::from(threads);
    let padding = match padded {
        0 => String::new(),
        lanes => format!(" ({} of the last without a {thread})", plural(lanes, "lane")),
    };
    let warps = plural(result.warps_per_block.into(), "warp");
    let block = format!("({x},{y},{z}) = {} = {warps}{padding}{origin}", plural(threads.into(), thread));
    table.row(&[word, &block]);
    let origin = match answer.registers_from {
        Origin::Liveness => "from the live ranges of the lowered code".to_owned(),
        Origin::NotCounted => "not given (--regs), so not counted".to_owned(),
        _ => match answer.registers_by_liveness {
            Some(registers) => format!("given; by liveness {registers}"),
            None => "given".to_owned(),
        },
    };
    table.row(&[&format!("registers per {thread}"), &format!("{} ({origin})", answer.registers)]);
    let mut parts = vec![format!("{} declared", count(answer.static_shared.into()))];
    if answer.dynamic_shared > 0 {
        parts.push(format!("{} dynamic", count(answer.dynamic_shared.into())));
    }
    let on_1x = named.set.usual.params_in_shared;
    if answer.launched || !on_1x {
        let state = if on_1x { "launch state" } else { "reserved by the system" };
        let added = [(answer.launch_state, state), (answer.params_in_shared, "parameters")];
        let added = added.into_iter().filter(|(bytes, _)| *bytes > 0);
        parts.extend(added.map(|(bytes, what)| format!("{} {what}", count(bytes.into()))));
    }
    let shared = if parts.len() == 1 {
        format!("{} bytes", count(result.needs.shared_bytes.into()))
    } else {
        format!("{} = {} bytes", parts.join(" + "), count(result.needs.shared_bytes.into()))
    };
    table.row(&[memory, &shared]);
    if let Some(division) = division(named, answer) {
        table.row(&[&format!("{memory} per {sm}"), &division]);
    }
    table.draw()
}

/// Returns the division of an SM's memory for the launch, if a preference was given.
fn division(named: &Named, answer: &Answer) -> Option<String> {
    let usual = answer.sm_shared_bytes == named.set.usual.sm.shared_bytes;
    let block = answer.terms.block;
    let why = match named.division? {
        Division::Bytes(bytes) if bytes == answer.sm_shared_bytes => " (--shared-config)".to_owned(),
        Division::Bytes(bytes) => format!(": the {block} does not fit into {}", count(bytes.into())),
        Division::Cache(_, false) => ": this chip has no choice".to_owned(),
        Division::Cache(CachePreference::L1, _) if usual => {
            format!(": the {block} does not fit beside the larger L1")
        }
        Division::Cache(CachePreference::L1, _) => " (prefer-l1)".to_owned(),
        Division::Cache(CachePreference::Shared, _) => " (prefer-shared)".to_owned(),
        Division::Cache(CachePreference::None, _) => " (prefer-none)".to_owned(),
    };
    Some(format!("{} bytes{why}", count(answer.sm_shared_bytes.into())))
}

fn limits(terms: &Terms, result: &Occupancy, working: &Working) -> String {
    let Terms { block, shared, .. } = terms;
    let (blocks, block_slots) = (format!("{block}s"), format!("{block} slots"));
    let columns = [slots_column(terms), blocks_column(terms), Column::Words(6), Column::Rest];
    let mut table = Columns::new(&columns).narrow().titles(&["", &blocks, "", "because"]);
    let limits = &result.limits;
    for (name, blocks, limiter, words) in [
        ("warp slots", limits.warps, Limiter::Warps, &working.warps),
        (&*block_slots, limits.block_slots, Limiter::BlockSlots, &working.block_slots),
        ("registers", limits.registers, Limiter::Registers, &working.registers),
        (shared, limits.shared, Limiter::Shared, &working.shared),
    ] {
        let mark = if result.limiters.contains(&limiter) { "limits" } else { "" };
        table.row(&[name, &blocks.to_string(), mark, words]);
    }
    if let (Some(blocks), Some(words)) = (limits.barriers, &working.barriers) {
        let mark = if result.limiters.contains(&Limiter::Barriers) { "limits" } else { "" };
        table.row(&["barriers", &blocks.to_string(), mark, words]);
    }
    table.draw()
}

/// Returns the second result: without the shared memory that a launch adds, or with it.
fn bare(answer: &Answer) -> String {
    let Some(other) = &answer.other else { return String::new() };
    let Terms { block, shared, .. } = answer.terms;
    let which = if answer.launched {
        "Bare, without what a launch adds:".to_owned()
    } else {
        let state = answer.launch_state;
        format!("A launched kernel adds {state} bytes of launch state, and its parameters (--params):")
    };
    let bytes = count(other.needs.shared_bytes.into());
    let words = match other.refusals.first() {
        // The reasons of a rejection have already been printed.
        Some(_) if !answer.refusals.is_empty() => return String::new(),
        Some(refusal) => format!("with {bytes} bytes it cannot be launched, {refusal}."),
        None => format!(
            "with {bytes} bytes {shared} allows {}; {} in all, {} %.",
            plural(other.limits.shared.into(), block),
            plural(other.blocks.into(), block),
            percent(other.occupancy)
        ),
    };
    let mut table = Columns::new(&[Column::Rest]).narrow();
    table.row(&[&format!("{which} {words}")]);
    format!("\n{}", table.draw())
}

fn changes(answer: &Answer, result: &Occupancy) -> String {
    let Terms { thread, block, shared, .. } = answer.terms;
    let words = Column::Words(if answer.terms.is_opencl() { 49 } else { 54 });
    let columns = [words, blocks_column(answer.terms), Column::Numbers(5), Column::Numbers(8)];
    let blocks = format!("{block}s");
    let mut table = Columns::new(&columns).narrow().titles(&["", &blocks, "warps", "%"]);
    let declared = answer.static_shared.saturating_add(answer.dynamic_shared);
    for row in &answer.changes {
        let what = match row.over {
            Over::Registers => {
                format!("{} instead of {}", plural(row.from.into(), "register"), answer.registers)
            }
            Over::Shared => {
                let bytes = plural(row.from.into(), "byte");
                format!("{bytes} of {shared} instead of {}", count(declared.into()))
            }
            Over::Block => {
                let warps = row.from.div_ceil(32);
                let why = match warps.checked_sub(result.warps_per_block) {
                    Some(_) => "one warp more",
                    None if warps + 1 == result.warps_per_block => "one warp less",
                    None => "the most allowed",
                };
                format!("{} per {block}: {why}", plural(row.from.into(), thread))
            }
        };
        match &row.refusal {
            None => {
                let cells = [&what, &row.blocks.to_string(), &row.warps.to_string(), &percent(row.occupancy)];
                table.row(&cells.map(String::as_str));
            }
            Some(_) => table.row(&[&format!("{what}: no launch"), "0", "0", "0.0"]),
        }
    }
    table.draw()
}

fn sweep_title(answer: &Answer) -> String {
    let Terms { thread, block: word, shared: memory, .. } = answer.terms;
    let short = memory.trim_end_matches(" memory");
    let block = answer.block.map_or(0, |[x, y, z]| u64::from(x) * u64::from(y) * u64::from(z));
    let registers = match answer.registers_from {
        Origin::NotCounted => "registers not counted".to_owned(),
        _ => plural(answer.registers.into(), "register"),
    };
    let shared = count(u64::from(answer.static_shared) + u64::from(answer.dynamic_shared));
    match answer.sweep.first().map(|row| row.over) {
        Some(Over::Registers) => {
            format!("Registers per {thread} ({word}s of {block}, {shared} bytes {short})")
        }
        Some(Over::Shared) => format!("Bytes of {memory} ({word}s of {block}, {registers})"),
        Some(Over::Block) | None => {
            format!("{}s per {word} ({registers}, {shared} bytes {short})", capital(thread))
        }
    }
}

fn sweep(answer: &Answer) -> String {
    let columns = [
        Column::Words(17),
        blocks_column(answer.terms),
        Column::Numbers(5),
        Column::Numbers(6),
        Column::Words(BAR as u16 + 1),
        Column::Rest,
    ];
    let blocks = format!("{}s", answer.terms.block);
    let titles = ["", &blocks, "warps", "%", "", "limited by"];
    let mut table = Columns::new(&columns).narrow().titles(&titles);
    let mut marked = false;
    for row in &answer.sweep {
        let mut value = if row.from == row.to {
            count(row.from.into())
        } else {
            format!("{} to {}", count(row.from.into()), count(row.to.into()))
        };
        if asked(answer, row).is_some_and(|asked| (row.from..=row.to).contains(&asked)) {
            value += " *";
            marked = true;
        }
        let bar = "#".repeat((row.occupancy * BAR).round() as usize);
        let why = if row.refusal.is_some() {
            "cannot be launched".to_owned()
        } else {
            row.limiters.iter().map(|l| short(*l, answer.terms)).collect::<Vec<_>>().join(", ")
        };
        let (blocks, warps) = (row.blocks.to_string(), row.warps.to_string());
        table.row(&[&value, &blocks, &warps, &percent(row.occupancy), &bar, &why]);
    }
    table.draw() + if marked { "  * as asked\n" } else { "" }
}

/// Returns the current value of the quantity that a row varies.
fn asked(answer: &Answer, row: &OccupancyRow) -> Option<u32> {
    let result = answer.result.as_ref()?;
    match row.over {
        Over::Registers => Some(answer.registers),
        Over::Shared => Some(answer.static_shared.saturating_add(answer.dynamic_shared)),
        Over::Block => Some(result.needs.threads),
    }
}

fn short(limiter: Limiter, terms: &Terms) -> &'static str {
    match limiter {
        Limiter::Warps => "warps",
        Limiter::BlockSlots if terms.is_opencl() => "groups",
        Limiter::BlockSlots => "blocks",
        Limiter::Registers => "regs",
        Limiter::Shared => terms.shared.trim_end_matches(" memory"),
        Limiter::Barriers => "barriers",
    }
}
