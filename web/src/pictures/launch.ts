// Pictures of a launch beyond its report: active lanes by source line, and occupancy curves.

import type { Curves, LineLanes, OccupancyRow, Report } from "../types";
import { frame, linear } from "./chart";
import { MONO, shorten } from "./report";
import { box, escape, line, n, svg, text, words } from "./svg";

const LANES = 32;

/** Mean number of active lanes of a line. */
function mean(row: LineLanes): number {
  const all = row.counts.reduce((sum, [, times]) => sum + times, 0);
  return row.counts.reduce((sum, [lanes, times]) => sum + lanes * times, 0) / Math.max(all, 1);
}

/** A histogram of the active lanes for each source line; at most `most` lines. */
export function laneHistograms(lanes: LineLanes[], report: Report, most = 60): string {
  const title = "Active lanes of the warp instructions, by source line";
  const partial = lanes.filter((row) => mean(row) < LANES);
  if (lanes.length > 0 && partial.length === 0) {
    const note = `All ${LANES} lanes are active in every instruction of the ${lanes.length} executed lines.`;
    return svg(760, 24, title, text(0, 16, note));
  }
  const source = new Map(report.timing?.lines.map((row) => [row.line, row.source]));
  const few = [...lanes].sort((a, b) => mean(a) - mean(b) || a.line - b.line).slice(0, most);
  const rows = few.sort((a, b) => a.line - b.line);
  const [left, cell, height, top] = [390, 6, 26, 34];
  const right = left + LANES * cell;
  let body =
    text(0, 14, "line", "start", 'font-weight="600"') +
    text(44, 14, "source", "start", 'font-weight="600"') +
    text(left + (right - left) / 2, 14, "active lanes", "middle", 'font-weight="600"') +
    text(right + 72, 14, "mean", "end", 'font-weight="600"') +
    text(right + 204, 14, "warp instructions", "end", 'font-weight="600"');
  for (const tick of [1, 8, 16, 24, 32])
    body += text(left + (tick - 0.5) * cell, 28, String(tick), "middle", 'font-size="10"');
  rows.forEach((row, i) => {
    const bottom = top + (i + 1) * height - 3;
    const all = row.counts.reduce((sum, [, times]) => sum + times, 0);
    body +=
      text(34, bottom - 6, String(row.line), "end") +
      text(
        44,
        bottom - 6,
        shorten((source.get(row.line) ?? "").replace(/\/\/.*/, ""), 50),
        "start",
        MONO,
      ) +
      line(left, bottom, right, bottom, "var(--line, #ccc)");
    for (const [count, times] of row.counts) {
      const size = Math.max((times / all) * (height - 5), 1);
      const tip = `${count} active ${count === 1 ? "lane" : "lanes"}: ${times.toLocaleString("en-US")} times (${n((times / all) * 100)} %)`;
      body += box(
        left + (Math.max(count, 1) - 1) * cell,
        bottom - size,
        cell - 1,
        size,
        "#7a5195",
        tip,
      );
    }
    body +=
      text(right + 72, bottom - 6, `${n(mean(row))} of ${LANES}`, "end") +
      text(right + 204, bottom - 6, all.toLocaleString("en-US"), "end");
  });
  const bottom = top + rows.length * height + 18;
  const note =
    rows.length < lanes.length
      ? `The ${rows.length} lines with the fewest active lanes, of ${lanes.length}.`
      : "";
  return svg(800, bottom + 6, title, body + (note ? text(0, bottom, note) : ""));
}

/** Occupancy over one number; the marked value is `here`. */
function curve(
  title: string,
  unit: string,
  rows: OccupancyRow[],
  here: number | null,
  at: number,
): string {
  const [left, right, top, bottom] = [64, 314, 30, 190];
  const last = Math.max(...rows.map((row) => row.to), 1);
  const x = linear(0, last, left, right, 4);
  const y = linear(0, 1, bottom, top, 4);
  const percent = { ...y, ticks: [0, 0.25, 0.5, 0.75, 1] };
  let body = text(left, 16, title, "start", 'font-weight="600"');
  // Ticks in percent.
  body += frame(x, { ...percent, ticks: [] }, unit, "occupancy");
  for (const tick of percent.ticks)
    body +=
      line(left, y.at(tick), right, y.at(tick), "var(--line, #ccc)") +
      text(left - 6, y.at(tick) + 4, `${tick * 100} %`, "end");
  let path = "";
  for (const row of rows) {
    // A value stands for the step up to the next one.
    const end = row.to === row.from ? x.at(row.from) : x.at(row.to);
    path += `${path ? "L" : "M"}${n(x.at(row.from))} ${n(y.at(row.occupancy))}L${n(end)} ${n(y.at(row.occupancy))}`;
  }
  body += `<path d="${path}" fill="none" stroke="var(--accent, #1f4e9c)" stroke-width="2"/>`;
  for (const row of rows) {
    const range = row.to === row.from ? `${row.from}` : `${row.from} to ${row.to}`;
    const limit = row.limiters.map(words).join(", ");
    const tip =
      row.refusal ?? `${n(row.occupancy * 100)} %, ${row.blocks} blocks, limited by ${limit}`;
    const [from, to] = [x.at(row.from), x.at(row.to)];
    body += `<rect x="${n(from - 3)}" y="${top}" width="${n(to - from + 6)}" height="${bottom - top}" fill="transparent"><title>${escape(`${range} ${unit}: ${tip}`)}</title></rect>`;
    if (row.from === row.to)
      body += `<circle cx="${n(from)}" cy="${n(y.at(row.occupancy))}" r="2.5" fill="var(--accent, #1f4e9c)"/>`;
  }
  if (here !== null) {
    const px = x.at(here);
    body +=
      line(px, bottom, px, y.at(at), "var(--bad, #a8261b)", 'stroke-dasharray="3 3"') +
      `<circle cx="${n(px)}" cy="${n(y.at(at))}" r="5.5" fill="var(--bad, #a8261b)"/>` +
      text(right + 8, 16, `${here.toLocaleString("en-US")}: ${n(at * 100)} %`, "end");
  }
  return svg(326, 236, `${title}${here === null ? "" : `; here ${here}: ${n(at * 100)} %`}`, body);
}

/** Three pictures: occupancy by block size, by registers and by shared memory. */
export function occupancyCurves(curves: Curves): string[] {
  const at = curves.here?.occupancy ?? 0;
  const mark = (value: number | null) => (curves.here ? value : null);
  return [
    curve("By block size", "threads per block", curves.by_block, mark(curves.block), at),
    curve("By registers", "registers per thread", curves.by_registers, mark(curves.registers), at),
    curve(
      "By shared memory",
      "bytes of shared memory per block",
      curves.by_shared,
      mark(curves.shared),
      at,
    ),
  ];
}
