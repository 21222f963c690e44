// The timeline of the warps of an SM on a canvas: one row for each warp slot, a color for each
// state. It draws from a document of the engine and knows nothing of the page.

import type { Timeline } from "../types";

/** Width of the names of the warps, in pixels. */
export const LABELS = 52;
const AXIS = 22;

/** The visible cycles. */
export interface Range {
  from: number;
  to: number;
}

/** A marked point: a row of the drawing and a shader cycle. */
export interface Mark {
  row: number;
  cycle: number;
}

/** Geometry of a drawn timeline. */
export interface Geometry {
  rows: number[];
  height: number;
  rowHeight: number;
}

/** Returns the rows with warps and their height. */
export function geometry(timeline: Timeline): Geometry {
  const rows = timeline.rows.flatMap((row, slot) => (row.length > 0 ? [slot] : []));
  const rowHeight = rows.length > 24 ? 10 : 16;
  return { rows, rowHeight, height: rows.length * rowHeight + AXIS };
}

/** Index of the last change at or before a cycle, or -1. */
function at(row: [number, number, number][], cycle: number): number {
  let low = 0,
    high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle]![0] <= cycle) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Draws the cycles of `range` and a mark. */
export function draw(
  canvas: HTMLCanvasElement,
  timeline: Timeline,
  range: Range,
  mark?: Mark,
): void {
  const { rows, rowHeight, height } = geometry(timeline);
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(ratio, ratio);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const ink = style.getPropertyValue("--text") || "#000";
  const muted = style.getPropertyValue("--line") || "#999";
  const plot = width - LABELS,
    scale = plot / Math.max(range.to - range.from, 1);
  context.font = "11px system-ui, sans-serif";
  rows.forEach((slot, i) => {
    const row = timeline.rows[slot]!,
      top = i * rowHeight;
    context.fillStyle = ink;
    if (rowHeight >= 14 || i % 4 === 0)
      context.fillText(`warp ${slot}`, 2, top + Math.min(rowHeight - 3, 12));
    let index = Math.max(at(row, range.from), 0);
    // Every pixel has the state at its first cycle, and a mark if an instruction issues in it.
    let x = Math.max(0, (row[index]?.[0] ?? 0) - range.from) * scale;
    while (index < row.length && row[index]![0] < range.to) {
      const state = row[index]![1];
      const end = Math.min(((row[index + 1]?.[0] ?? timeline.end) - range.from) * scale, plot);
      const next = index + 1;
      if (state >= 0) {
        context.fillStyle = timeline.colors[state] ?? "#888";
        context.fillRect(LABELS + x, top + 1, Math.max(end - x, 0.6), rowHeight - 2);
      }
      // Changes within the same half pixel are skipped, so that a whole launch draws quickly.
      index = next;
      if (scale < 0.1) index = Math.max(next, at(row, range.from + (end + 0.5) / scale));
      x = Math.max(0, (row[index]?.[0] ?? 0) - range.from) * scale;
    }
  });
  if (mark) {
    const x = LABELS + (mark.cycle - range.from) * scale;
    context.strokeStyle = ink;
    context.lineWidth = 1.5;
    context.strokeRect(LABELS, mark.row * rowHeight + 0.5, plot - 1, rowHeight - 1);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height - AXIS);
    context.stroke();
    context.lineWidth = 1;
  }
  context.strokeStyle = muted;
  context.fillStyle = ink;
  const step = niceStep((range.to - range.from) / Math.max(plot / 110, 1));
  for (let cycle = Math.ceil(range.from / step) * step; cycle <= range.to; cycle += step) {
    const x = LABELS + (cycle - range.from) * scale;
    context.beginPath();
    context.moveTo(x, height - AXIS);
    context.lineTo(x, height - AXIS + 5);
    context.stroke();
    const words = cycle.toLocaleString("en-US");
    const w = context.measureText(words).width;
    context.fillText(words, Math.min(Math.max(x - w / 2, LABELS), width - w - 1), height - 5);
  }
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? power * 10;
}

/** The mark under a point of the canvas; undefined beside the warps. */
export function markAt(
  timeline: Timeline,
  range: Range,
  width: number,
  x: number,
  y: number,
): Mark | undefined {
  const { rows, rowHeight } = geometry(timeline);
  const row = Math.floor(y / rowHeight);
  if (rows[row] === undefined || x < LABELS) return undefined;
  const cycle = range.from + ((x - LABELS) / (width - LABELS)) * (range.to - range.from);
  return { row, cycle };
}

/** Describes the state at a mark. */
export function describe(timeline: Timeline, mark: Mark): string {
  const slot = geometry(timeline).rows[mark.row];
  if (slot === undefined) return "";
  const row = timeline.rows[slot]!;
  const found = row[at(row, mark.cycle)];
  if (!found || found[1] < 0)
    return `warp ${slot}, cycle ${Math.round(mark.cycle).toLocaleString("en-US")}: no warp is resident`;
  return `warp ${slot}, since cycle ${found[0].toLocaleString("en-US")}: ${timeline.labels[found[1]]}, line ${found[2]}`;
}

/** Returns the range after a change of scale around a point, or a shift, within the timeline. */
export function zoomed(timeline: Timeline, range: Range, factor: number, center: number): Range {
  const span = Math.min(
    Math.max((range.to - range.from) * factor, timeline.period * 8),
    Math.max(timeline.end, 1),
  );
  const share = (center - range.from) / Math.max(range.to - range.from, 1);
  const from = Math.min(Math.max(center - share * span, 0), Math.max(timeline.end - span, 0));
  return { from, to: from + span };
}
