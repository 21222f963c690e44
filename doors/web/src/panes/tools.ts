// The panels of the results before a run, with the tools that start by a button: the recording of
// a timeline, the drawing of accesses, and the checkers.

import { el, picture } from "../dom";
import type { Engine } from "../engine";
import type { Catalog, Ran, Request, Timeline } from "../types";
import { reportView } from "./report";
import { timelineView } from "./timeline";

/** What the tools use of the page. */
export interface Tools {
  catalog: Catalog;
  engine: Engine;
  /** Returns the request of the user's choices. */
  request: (more?: Partial<Request>) => Request;
  /** Runs a task with progress; errors go to `place`. */
  job: (name: string, task: () => Promise<void>, place?: HTMLElement) => Promise<void>;
}

/** Fills the panels. Returns the function that records the timeline of the chosen launch. */
export function fillPanels(
  panels: Record<"report" | "pictures" | "timeline" | "memory" | "checkers", HTMLElement>,
  tools: Tools,
): () => Promise<void> {
  const hint = (text: string) => el("p", { class: "note" }, text);
  panels.report.replaceChildren(
    el("h2", {}, "Where does the time of a kernel go?"),
    el(
      "p",
      {},
      "Choose a program or a kernel, and a chip; then press Run (Ctrl+Enter). Or type your own CUDA C or PTX: errors are marked while you type.",
    ),
    el(
      "p",
      {},
      "Start with the matrix product. Choose matmul-naive, enter the size 64 and run it: the line above the report says what limits the kernel. The tab Pictures shows the source lines with the most time, and Memory draws their accesses.",
    ),
    el(
      "p",
      {},
      "Then keep the run as A in the tab Compare, run matmul-tiled, keep it as B, and compare.",
    ),
  );
  panels.pictures.replaceChildren(hint("The pictures appear after a run."));
  const button = (id: string, name: string, action: () => Promise<void>) =>
    el("button", { type: "button", id, onclick: () => void action() }, name);
  const sm = el("input", { type: "number", min: 0, value: 0, id: "timeline-sm" });
  const cycles = el("input", {
    type: "number",
    min: 100,
    value: 100_000,
    step: 1000,
    id: "timeline-cycles",
  });
  const shown = el("div"),
    drawn = el("div"),
    found = el("div", { id: "check-result" });
  const record = () =>
    tools.job(
      "The recording",
      async () => {
        const timeline = await tools.engine.call<Timeline>("timeline", [
          tools.request(),
          1,
          sm.valueAsNumber || 0,
          cycles.valueAsNumber || 100_000,
        ]);
        shown.replaceChildren(timelineView(timeline));
      },
      shown,
    );
  panels.timeline.replaceChildren(
    el(
      "div",
      { class: "bar" },
      el("label", {}, el("span", {}, "SM"), sm),
      el("label", {}, el("span", {}, "Shader cycles"), cycles),
      button("record", "Record again", record),
    ),
    shown,
  );
  panels.memory.replaceChildren(
    el(
      "div",
      { class: "bar" },
      button("draw-accesses", "Draw the memory accesses", () =>
        tools.job(
          "The drawing",
          async () => {
            const all = await tools.engine.call<string[]>("accesses", [tools.request()]);
            const note = all.length
              ? "Each picture is one access of the first block of SM 0 in the first launch: of warp 0, if it executes the line, and its second execution, if there is one."
              : "The first block of the launch accesses neither global, local nor shared memory.";
            drawn.replaceChildren(el("p", { class: "note" }, note), ...all.map(picture));
          },
          drawn,
        ),
      ),
      el(
        "span",
        { class: "note" },
        "Lanes to segments of global memory, and to banks of shared memory.",
      ),
    ),
    drawn,
  );
  const names: [string, string][] = [
    ["race", "races"],
    ["memory", "memory accesses"],
    ["init", "uninitialized values"],
    ["sync", "barriers"],
  ];
  const boxes = names.map(([name, label]) => ({
    name,
    box: el("input", { type: "checkbox", checked: name === "race", id: `check-${name}` }),
    label,
  }));
  panels.checkers.replaceChildren(
    el(
      "div",
      { class: "bar" },
      ...boxes.map(({ box, label }) => el("label", {}, box, label)),
      button("check", "Check", () =>
        tools.job(
          "The check",
          async () => {
            const checks = boxes
              .filter(({ box }) => box.checked)
              .map(({ name }) => name) as NonNullable<Request["checks"]>;
            if (!checks.length) {
              found.replaceChildren(el("p", {}, "Choose at least one checker."));
              return;
            }
            const ran = await tools.engine.call<Ran>("run", [tools.request({ checks })]);
            found.replaceChildren(reportView(ran, `… --check ${checks.join(",")}`, true));
          },
          found,
        ),
      ),
    ),
    el(
      "p",
      { class: "note" },
      "Checkers run the kernel on the functional machine and look at every access. Try dot-product-printed: the book prints it with a race.",
    ),
    found,
  );
  return record;
}
