//! The descriptions of a tiled product: its head comment.

use super::tiled::{Barriers, Tiled};

/// Place in the book.
pub fn book(tiled: Tiled) -> &'static str {
    let Tiled { merged, unrolled, prefetching, .. } = tiled;
    match (merged > 1, unrolled, prefetching) {
        (false, false, false) => "chapter 5 (figure 5.7)",
        (false, false, true) => "section 6.4",
        (false, true, false) => "section 6.5",
        (true, false, false) => "section 6.6",
        _ => "section 6.7 (figure 6.16)",
    }
}

/// Differences from the plain kernel, in one line.
pub fn about(tiled: Tiled) -> String {
    let Tiled { tile, merged, .. } = tiled;
    let mut text = format!("multiplies two square matrices by {tile}x{tile} tiles");
    let mut add = |what: &str| {
        text += ", ";
        text += what;
    };
    if merged > 1 {
        add(&format!("{merged} elements a thread"));
    }
    if tiled.unrolled {
        add("unrolled");
    }
    if tiled.prefetching {
        add("prefetching");
    }
    text
}

/// The same for the head of the text.
pub fn head(tiled: Tiled) -> String {
    let merged = match tiled.merged {
        1 => "one element a thread".to_owned(),
        n => format!("{n} elements a thread, {} columns apart", tiled.tile),
    };
    let inner = if tiled.unrolled { "unrolled" } else { "not unrolled" };
    let ahead = if tiled.prefetching { "prefetching" } else { "no prefetching" };
    format!("Here: {merged}; {inner}; {ahead}.")
}

/// Returns the algorithm in pseudocode.
pub fn pseudo_code(tiled: Tiled) -> String {
    let Tiled { tile, merged, unrolled, prefetching, barriers, .. } = tiled;
    // Element g of a thread is g tiles to the right.
    let (of, shift) = if merged == 1 { ("", String::new()) } else { ("[g]", format!(" + {tile} g")) };
    let each = if merged == 1 { String::new() } else { format!("      for each g in 0 .. {merged}") };
    let (first, second) = (barriers != Barriers::WithoutFirst, barriers != Barriers::WithoutSecond);
    let (left, right) =
        (|phase: &str| format!("M[row][{phase}tx]"), |phase: &str| format!("N[{phase}ty][col{shift}]"));
    let now = format!("{tile} * phase + ");
    let next = format!("{tile} * (phase + 1) + ");
    let mut lines = vec![format!("sum{of} = 0{each}")];
    if prefetching {
        lines.push(format!("m = {}, n{of} = {}{each}", left(""), right("")));
    }
    lines.push(format!("for phase in 0 .. width / {tile}:"));
    let (m, n) = if prefetching { ("m".to_owned(), format!("n{of}")) } else { (left(&now), right(&now)) };
    lines.push(format!("    Ms[ty][tx] = {m}"));
    lines.push(format!("    Ns[ty][tx{shift}] = {n}{each}"));
    if first {
        lines.push("    wait for the block                  the tiles are complete".to_owned());
    }
    if prefetching {
        lines.push(
            "    unless this is the last phase:      the words arrive while this phase is multiplied"
                .to_owned(),
        );
        lines.push(format!("        m = {}, n{of} = {}{each}", left(&next), right(&next)));
    }
    let times = if unrolled { format!("      unrolled {tile} times") } else { String::new() };
    lines.push(format!("    for k in 0 .. {tile}:{times}"));
    lines.push(format!("        sum{of} += Ms[ty][k] * Ns[k][tx{shift}]{each}"));
    if second {
        lines.push("    wait for the block                  no thread needs the tiles any more".to_owned());
    }
    lines.push(format!("P[row][col{shift}] = sum{of}{each}"));
    lines.iter().map(|line| format!("//   {line}")).collect::<Vec<_>>().join("\n")
}

/// Returns the points of interest in the report.
pub fn what_to_look_for(tiled: Tiled) -> String {
    let Tiled { tile, merged, unrolled, prefetching, barriers, .. } = tiled;
    let mut lines = Vec::new();
    match barriers {
        Barriers::Both => {}
        Barriers::WithoutFirst => {
            lines.push(
                "It is wrong: a thread may read words of the tiles before others have written them."
                    .to_owned(),
            );
        }
        Barriers::WithoutSecond => lines.push(
            "It is wrong: a thread may overwrite words of the tiles before others have read them.".to_owned(),
        ),
    }
    lines.push(if merged == 1 {
        format!("Every word is used by {tile} threads: global loads are {tile} times fewer than in matmul_naive.")
    } else {
        format!("A word of M serves {merged} elements of a thread: for these its loads fall from {} to {} a phase.", 2 * merged, 1 + merged)
    });
    lines.push(match tile {
        16 => "Both tile loads coalesce: a half-warp reads 16 adjacent words, one transaction of 64 bytes."
            .to_owned(),
        32 => "Both tile loads coalesce: a warp reads 32 adjacent words, a line of 128 bytes.".to_owned(),
        _ => "Compute capability 1.0 requires 16 words in a row: the loads of these tiles do not coalesce."
            .to_owned(),
    });
    lines.push(if unrolled {
        "No counter, no branch, almost no addresses: the inner loop consists of loads of Ms and multiply-adds."
            .to_owned()
    } else {
        format!(
            "Of the {} instructions of the inner loop (Ns is an operand) {merged} {} arithmetic.",
            5 + merged,
            if merged == 1 { "is" } else { "are" }
        )
    });
    if prefetching {
        lines.push(
            "A whole phase separates the loads from the stores that wait for them; this needs more registers."
                .to_owned(),
        );
    }
    lines.iter().map(|line| format!("//   * {line}")).collect::<Vec<_>>().join("\n")
}
