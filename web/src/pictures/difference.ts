// Pictures of two runs: the difference of their times by issue slot outcome and by source line.

import type { LineTimes, OutcomeTimes, Times } from "../types";
import { MONO, shorten } from "./report";
import { box, line, n, svg, text } from "./svg";

const LESS = "#1b7f4d",
  MORE = "#c0392b";

interface Row extends Times {
  name: string;
  mono?: boolean;
}

/** Bars to the left for less time in B, to the right for more. */
function diverging(title: string, rows: Row[], label: number): string {
  const [height, top, width, room] = [22, 30, 900, 84];
  const least = Math.min(0, ...rows.map((row) => row.difference_us));
  const most = Math.max(0, ...rows.map((row) => row.difference_us));
  const from = label + 170 + room,
    to = width - room;
  const scale = (to - from) / Math.max(most - least, 1e-12);
  const zero = from - least * scale;
  let body =
    text(label + 70, 14, "A us", "end", 'font-weight="600"') +
    text(label + 150, 14, "B us", "end", 'font-weight="600"') +
    text(zero, 14, "B − A us", "middle", 'font-weight="600"');
  const bottom = top + rows.length * height;
  const digits = (value: number) =>
    // Also for −0, which has a sign.
    (value || 0).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  rows.forEach((row, i) => {
    const y = top + i * height,
      by = row.difference_us * scale;
    const shown = `${by < 0 ? "−" : "+"}${digits(Math.abs(row.difference_us))}`;
    body +=
      text(0, y + 15, row.name, "start", row.mono ? MONO : "") +
      text(label + 70, y + 15, digits(row.a_us), "end") +
      text(label + 150, y + 15, digits(row.b_us), "end") +
      box(Math.min(zero, zero + by), y + 4, Math.abs(by), height - 8, by < 0 ? LESS : MORE, shown) +
      text(zero + by + (by < 0 ? -5 : 5), y + 15, shown, by < 0 ? "end" : "start");
  });
  body += line(zero, top, zero, bottom);
  body +=
    box(0, bottom + 10, 12, 12, LESS) +
    text(17, bottom + 21, "B takes less time") +
    box(150, bottom + 10, 12, 12, MORE) +
    text(167, bottom + 21, "B takes more time");
  return svg(width, bottom + 30, title, body);
}

/** The difference by issue slot outcome; parts that do not differ are left out. */
export function outcomeBars(outcomes: OutcomeTimes[]): string {
  const title = "Difference of the time by issue slot outcome";
  const largest = Math.max(...outcomes.map((row) => Math.abs(row.difference_us)), 0);
  const rows = outcomes.filter((row) => Math.abs(row.difference_us) > largest * 0.002);
  if (rows.length === 0) return svg(560, 24, title, text(0, 16, "No issue slot outcome differs."));
  return diverging(
    title,
    rows.map((row) => ({ ...row, name: row.label })),
    230,
  );
}

/** The difference by source line; at most `most` lines. */
export function lineBars(lines: LineTimes[], most = 24): string {
  const title = "Difference of the time by source line";
  const changed = lines.filter((row) => n(row.difference_us) !== "0");
  if (changed.length === 0) return svg(560, 24, title, text(0, 16, "No source line differs."));
  const of = { both: "", a: "A ", b: "B " };
  const name = (row: LineTimes) =>
    `${of[row.of]}${String(row.line).padStart(4)}  ${shorten(row.source, 42)}`;
  const rows = changed.slice(0, most).map((row) => ({ ...row, name: name(row), mono: true }));
  return diverging(title, rows, 350);
}
