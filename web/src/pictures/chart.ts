// Axes, grids and markers of charts.

import { escape, line, n, text } from "./svg";

/** An axis: values, their places in pixels, and its ticks. */
export interface Axis {
  at: (value: number) => number;
  ticks: number[];
  from: number;
  to: number;
}

/** A linear axis from `low` to `high` between two places in pixels, with about `count` ticks. */
export function linear(low: number, high: number, from: number, to: number, count = 5): Axis {
  if (!(high > low)) high = low + 1;
  const step = nice((high - low) / count);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9) + 1e-12; i++)
    ticks.push(Number((i * step).toPrecision(12)));
  return { at: (value) => from + ((value - low) / (high - low)) * (to - from), ticks, from, to };
}

/** A logarithmic axis with a tick at each power of ten. */
export function logarithmic(low: number, high: number, from: number, to: number): Axis {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const end = Math.max(last, first + 1);
  const ticks = Array.from({ length: end - first + 1 }, (_, i) => 10 ** (first + i));
  const at = (value: number) => from + ((Math.log10(value) - first) / (end - first)) * (to - from);
  return { at, ticks, from, to };
}

/** The smallest of 1, 2, 5 times a power of ten that is not below `least`. */
export function nice(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999) ?? 1;
}

/** A number of an axis or a label. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${n(value / 1e6)} M`;
  if (size !== 0 && size < 0.01) return value.toPrecision(2);
  return Number(value.toPrecision(4)).toLocaleString("en-US");
}

/** The grid, the ticks and the titles of two axes. `names` are those of the ticks of x. */
export function frame(x: Axis, y: Axis, xTitle: string, yTitle: string, names?: string[]): string {
  const [left, right, bottom, top] = [x.from, x.to, y.from, y.to];
  const grid = "var(--line, #ccc)";
  let body = "";
  for (const tick of y.ticks) {
    const at = y.at(tick);
    body += line(left, at, right, at, grid) + text(left - 6, at + 4, short(tick), "end");
  }
  for (const tick of x.ticks) {
    const at = x.at(tick);
    const name = names ? (names[tick] ?? "") : short(tick);
    body += line(at, bottom, at, bottom + 5) + text(at, bottom + 18, name, "middle");
  }
  body += line(left, bottom, right, bottom) + line(left, top, left, bottom);
  body += text((left + right) / 2, bottom + 37, xTitle, "middle");
  const middle = (top + bottom) / 2;
  return (
    body +
    `<text transform="translate(13 ${n(middle)}) rotate(-90)" text-anchor="middle" fill="var(--text, #1a1a1a)">${escape(yTitle)}</text>`
  );
}

/** Colors of lines and points; they differ in lightness, and every series has its own marker too. */
export const COLORS = ["#2f68c8", "#c0392b", "#1b7f4d", "#b5651d", "#7a5195", "#4aa3df", "#888888"];

/** The color of series number `i`. */
export const shade = (i: number) => COLORS[i % COLORS.length]!;

const SHAPES = [
  "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z",
  "M-4.5 -4.5H4.5V4.5H-4.5Z",
  "M0 -5.5L5.5 4.5H-5.5Z",
  "M0 -6L6 0L0 6L-6 0Z",
  "M0 5.5L5.5 -4.5H-5.5Z",
];

/** The marker of series number `i`, with a tooltip. */
export function marker(i: number, x: number, y: number, tip: string, hollow = false): string {
  const fill = hollow ? "var(--panel, #fff)" : shade(i);
  return (
    `<path transform="translate(${n(x)} ${n(y)})" d="${SHAPES[i % SHAPES.length]}" fill="${fill}"` +
    ` stroke="${shade(i)}" stroke-width="1.5">${tip ? `<title>${tip}</title>` : ""}</path>`
  );
}
