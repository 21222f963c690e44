// Curves of the occupancy calculator.

import type { Curves, OccupancyRow } from "../types";
import { frame, linear } from "./chart";
import { escape, line, n, svg, text, words } from "./svg";

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
