// Picture of the active lanes: a histogram for each source line.

import type { Lanes } from "../types";
import { box, line, n, svg, text } from "./svg";

const MONO = 'font-family="var(--mono, monospace)" font-size="11"';
const WIDTH = 32;

/** Most lines of a picture. */
const MOST = 48;

/** Mean number of active lanes. */
export function mean(warps: number[]): number {
  const all = warps.reduce((sum, count) => sum + count, 0);
  return warps.reduce((sum, count, lanes) => sum + count * lanes, 0) / Math.max(all, 1);
}

/** For each source line the share of its warp instructions with 1, 2, … 32 active lanes. If there
 *  are too many lines, those with the most inactive lanes remain. */
export function laneHistogram(lanes: Lanes): string {
  const idle = (warps: number[]) =>
    warps.reduce((sum, count, active) => sum + count * (WIDTH - active), 0);
  const most = [...lanes.lines].sort((a, b) => idle(b.warps) - idle(a.warps)).slice(0, MOST);
  const rows = most.sort((a, b) => a.line - b.line);
  const [left, cell, height, top] = [340, 11, 24, 36];
  const x = (active: number) => left + (active - 1) * cell;
  const right = left + WIDTH * cell;
  let body =
    text(0, 14, "line", "start", 'font-weight="600"') +
    text(44, 14, "source", "start", 'font-weight="600"') +
    text(left, 14, "active lanes of its warp instructions", "start", 'font-weight="600"') +
    text(right + 12, 14, "mean", "start", 'font-weight="600"');
  for (const tick of [1, 8, 16, 24, 32])
    body += text(x(tick) + cell / 2, 30, String(tick), "middle", 'font-size="11"');
  rows.forEach(({ line: number, source, warps }, i) => {
    const y = top + i * height;
    const all = warps.reduce((sum, count) => sum + count, 0);
    const words = source
      .replace(/\/\/.*/, "")
      .replace(/\s+/g, " ")
      .trim();
    const short = words.length <= 44 ? words : `${words.slice(0, 43)}…`;
    body +=
      text(34, y + 16, String(number), "end") +
      text(44, y + 16, short, "start", MONO) +
      line(left, y + height - 3, right, y + height - 3, "var(--line, #c6ccd3)");
    warps.forEach((count, active) => {
      if (!count || !active) return;
      // A rare number of lanes is visible, too.
      const bar = Math.max((count / all) * (height - 6), 1.5);
      const tip = `line ${number}: ${active} active lanes in ${count.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} warp instructions`;
      const fill = active === WIDTH ? FULL : PART;
      body += box(x(active) + 1, y + height - 3 - bar, cell - 2, bar, fill, tip);
    });
    body += text(right + 12, y + 16, n(mean(warps)));
  });
  const y = top + rows.length * height + 18;
  const left_out = lanes.lines.length - rows.length;
  const note =
    `SM ${lanes.sm}, ${lanes.cycles.toLocaleString("en-US")} shader cycles.` +
    (left_out ? ` Left out: ${left_out} lines with fewer inactive lanes.` : "");
  body += text(0, y, note);
  return svg(right + 60, y + 8, "Active lanes by source line", body);
}

const FULL = "#1b7f4d";
const PART = "#b5651d";
