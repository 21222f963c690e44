// The timeline with its controls: wheel and buttons zoom, drag and arrow keys move.

import { el, picture } from "../dom";
import { describe, draw, zoomed, type Range } from "../pictures/timeline";
import { stateLegend as legend } from "../pictures/report";
import type { Catalog, Timeline } from "../types";

/** Makes the element of a timeline. */
export function timelineView(timeline: Timeline, catalog: Catalog): HTMLElement {
  const keys = catalog.states.map((state) => state.key);
  let range: Range = { from: 0, to: Math.max(timeline.end, 1) };
  const words = el(
    "p",
    { class: "note", role: "status" },
    "Wheel or + and − zoom, drag or the arrow keys move.",
  );
  const canvas = el("canvas", {
    tabindex: 0,
    role: "img",
    "aria-label": `Timeline of SM ${timeline.sm}: states of ${timeline.rows.filter((row) => row.length).length} warps over ${timeline.end} cycles`,
  });
  const show = () => draw(canvas, timeline, range, keys);
  const change = (factor: number, center = (range.from + range.to) / 2) => {
    range = zoomed(timeline, range, factor, center);
    show();
  };
  const shift = (by: number) => {
    const span = range.to - range.from;
    const from = Math.min(Math.max(range.from + by, 0), Math.max(timeline.end - span, 0));
    range = { from, to: from + span };
    show();
  };
  const cycleAt = (x: number) =>
    range.from + ((x - 52) / Math.max(canvas.clientWidth - 52, 1)) * (range.to - range.from);
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      change(event.deltaY > 0 ? 1.25 : 0.8, cycleAt(event.offsetX));
    },
    { passive: false },
  );
  let drag: number | undefined;
  canvas.addEventListener("pointerdown", (event) => {
    drag = event.offsetX;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => {
    drag = undefined;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag !== undefined) {
      shift(
        ((drag - event.offsetX) / Math.max(canvas.clientWidth - 52, 1)) * (range.to - range.from),
      );
      drag = event.offsetX;
    }
    const found = describe(timeline, range, canvas.clientWidth, event.offsetX, event.offsetY);
    if (found) words.textContent = found;
  });
  canvas.addEventListener("keydown", (event) => {
    const span = range.to - range.from;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => shift(-span / 8),
      ArrowRight: () => shift(span / 8),
      "+": () => change(0.6),
      "=": () => change(0.6),
      "-": () => change(1.7),
      Home: () => shift(-timeline.end),
      End: () => shift(timeline.end),
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  new ResizeObserver(show).observe(canvas);
  const seen = [...new Set(timeline.rows.flatMap((row) => row.map((change) => change[1])))]
    .filter((state) => state >= 0)
    .sort((a, b) => a - b);
  const key = picture(legend(seen.map((state) => keys[state] ?? "")));
  const cut = timeline.cut ? " Later cycles are not recorded." : "";
  return el(
    "div",
    {},
    el(
      "div",
      { class: "bar" },
      el("button", { type: "button", "aria-label": "Zoom in", onclick: () => change(0.6) }, "+"),
      el("button", { type: "button", "aria-label": "Zoom out", onclick: () => change(1.7) }, "−"),
      el(
        "button",
        {
          type: "button",
          onclick: () => {
            range = { from: 0, to: Math.max(timeline.end, 1) };
            show();
          },
        },
        "Whole launch",
      ),
      el(
        "span",
        { class: "note" },
        `SM ${timeline.sm}, ${timeline.kernel}, ${timeline.end.toLocaleString("en-US")} shader cycles.${cut}`,
      ),
    ),
    canvas,
    words,
    key,
  );
}
