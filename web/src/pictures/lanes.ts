// Picture of the active lanes: a histogram for each source line.

import type { Lanes } from "../types";
import { box, line, n, svg, text } from "./svg";

const MONO = 'font-family="var(--mono, monospace)" font-size="11"';
const WIDTH = 32;

/** Most lines of a picture. */
const MOST = 40;

type Counts = [number, number][];

const total = (counts: Counts) => counts.reduce((sum, [, times]) => sum + times, 0);

/** Mean number of active lanes. */
function mean(counts: Counts): number {
  const lanes = counts.reduce((sum, [active, times]) => sum + active * times, 0);
  return lanes / Math.max(total(counts), 1);
}

/** For each source line with inactive lanes, how often its warp instructions had 1, 2, … 32 active
 *  lanes. The bars of a line are relative to its most frequent number. If there are too many such
 *  lines, those with the most inactive lanes remain. */
export function laneHistogram(lanes: Lanes): string {
  const idle = (counts: Counts) =>
    counts.reduce((sum, [active, times]) => sum + times * (WIDTH - active), 0);
  const partial = lanes.lines.filter((row) => idle(row.counts) > 0);
  const rows = [...partial]
    .sort((a, b) => idle(b.counts) - idle(a.counts))
    .slice(0, MOST)
    .sort((a, b) => a.line - b.line);
  const [left, cell, height] = [340, 11, 26];
  const top = rows.length ? 40 : 6;
  const x = (active: number) => left + (active - 1) * cell;
  const right = left + WIDTH * cell;
  let body = "";
  if (rows.length) {
    body +=
      text(0, 14, "line", "start", 'font-weight="600"') +
      text(44, 14, "source", "start", 'font-weight="600"') +
      text(left, 14, "active lanes of its warp instructions", "start", 'font-weight="600"') +
      text(right + 12, 14, "mean", "start", 'font-weight="600"');
    for (const tick of [1, 8, 16, 24, 32])
      body += text(x(tick) + cell / 2, 31, String(tick), "middle", 'font-size="11"');
  }
  rows.forEach(({ line: number, source, counts }, i) => {
    const bottom = top + i * height + height - 3;
    const [all, most] = [total(counts), Math.max(...counts.map(([, times]) => times))];
    const words = source
      .replace(/\/\/.*/, "")
      .replace(/\s+/g, " ")
      .trim();
    const short = words.length <= 44 ? words : `${words.slice(0, 43)}…`;
    body +=
      text(34, bottom - 4, String(number), "end") +
      text(44, bottom - 4, short, "start", MONO) +
      line(left, bottom, right, bottom, "var(--line, #c6ccd3)");
    for (const [active, count] of counts) {
      if (!active) continue;
      // A rare number of lanes is visible, too.
      const bar = Math.max((count / most) * (height - 7), 2);
      const tip = `line ${number}: ${active} active lanes in ${count.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} warp instructions`;
      const fill = active === WIDTH ? FULL : PART;
      body += box(x(active) + 1, bottom - bar, cell - 2, bar, fill, tip);
    }
    body += text(right + 12, bottom - 4, n(mean(counts)));
  });
  const full = lanes.lines.length - partial.length;
  const notes = [
    full
      ? `${full} ${rows.length ? "other " : ""}${full === 1 ? "line" : "lines"}: 32 active lanes in all instructions.`
      : "",
    partial.length > rows.length
      ? `Left out: ${partial.length - rows.length} lines with fewer inactive lanes.`
      : "",
    `Counted on SM ${lanes.sm} for ${lanes.cycles.toLocaleString("en-US")} shader cycles.`,
  ].filter((note) => note);
  const under = top + rows.length * height + 16;
  body += notes.map((note, i) => text(0, under + i * 18, note)).join("");
  return svg(right + 60, under + notes.length * 18, "Active lanes by source line", body);
}

const FULL = "#1b7f4d";
const PART = "#b5651d";
