// The timeline with its controls: wheel and buttons zoom, drag and the keys move.

import { el } from "../dom";
import {
  describe,
  draw,
  geometry,
  LABELS,
  markAt,
  zoomed,
  type Mark,
  type Range,
} from "../pictures/timeline";
import type { Timeline } from "../types";

/** Makes the element of a timeline. In a long page the wheel zooms only after a click on it. */
export function timelineView(
  timeline: Timeline,
  wheel: "always" | "focused" = "always",
): HTMLElement {
  const { rows } = geometry(timeline);
  const end = Math.max(timeline.end, 1);
  let range: Range = { from: 0, to: end };
  let mark: Mark | undefined;
  const words = el(
    "p",
    { class: "note", role: "status" },
    `${wheel === "always" ? "Wheel" : "Wheel (after a click)"} or + and − zoom; drag or ← and → move; ↑ and ↓ choose a warp.`,
  );
  const canvas = el("canvas", {
    tabindex: 0,
    role: "img",
    "aria-label": `Timeline of SM ${timeline.sm}: states of ${rows.length} warps over ${timeline.end} cycles. The arrow keys move a mark, whose state is read out; plus and minus zoom.`,
  });
  const show = () => draw(canvas, timeline, range, mark);
  const change = (factor: number, center = mark?.cycle ?? (range.from + range.to) / 2) => {
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
    range.from +
    ((x - LABELS) / Math.max(canvas.clientWidth - LABELS, 1)) * (range.to - range.from);
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (wheel === "focused" && document.activeElement !== canvas) return;
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
        ((drag - event.offsetX) / Math.max(canvas.clientWidth - LABELS, 1)) *
          (range.to - range.from),
      );
      drag = event.offsetX;
    }
    const under = markAt(timeline, range, canvas.clientWidth, event.offsetX, event.offsetY);
    if (under) words.textContent = describe(timeline, under);
  });
  /** Moves the mark, and the visible part with it. */
  const move = (cycles: number, warps: number) => {
    const first = mark ?? { row: 0, cycle: (range.from + range.to) / 2 };
    mark = {
      row: Math.min(Math.max(first.row + (mark ? warps : 0), 0), Math.max(rows.length - 1, 0)),
      cycle: Math.min(Math.max(first.cycle + cycles, 0), end),
    };
    const span = range.to - range.from;
    if (cycles !== 0) shift(mark.cycle - span / 2 - range.from);
    else show();
    words.textContent = describe(timeline, mark);
  };
  canvas.addEventListener("keydown", (event) => {
    const span = range.to - range.from;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => move(-span / 16, 0),
      ArrowRight: () => move(span / 16, 0),
      ArrowUp: () => move(0, -1),
      ArrowDown: () => move(0, 1),
      "+": () => change(0.6),
      "=": () => change(0.6),
      "-": () => change(1.7),
      Home: () => move(-end, 0),
      End: () => move(end, 0),
    };
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  new ResizeObserver(show).observe(canvas);
  // The colors of the words follow the page, also on paper.
  for (const medium of ["print", "(prefers-color-scheme: dark)"])
    matchMedia(medium).addEventListener("change", show);
  const seen = [...new Set(timeline.rows.flatMap((row) => row.map((change) => change[1])))]
    .filter((state) => state >= 0)
    .sort((a, b) => a - b);
  const key = el(
    "ul",
    { class: "states", "aria-label": "Colors of the states" },
    ...seen.map((state) =>
      el(
        "li",
        {},
        el("i", { style: `background: ${timeline.colors[state]}` }),
        timeline.labels[state],
      ),
    ),
  );
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
            range = { from: 0, to: end };
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
