// The state of a launch in the stepper: each function makes one pane.

import { count, el, picture } from "../dom";
import { mask } from "../pictures/access";
import { color } from "../pictures/svg";
import type { RegisterRow, StateEntry, StepView, StepWarp } from "../types";

/** The numbers of a register row. */
export type Format = "decimal" | "float" | "hex";

/** Formats a value, which the engine gives in hexadecimal. */
export function value(hex: string, kind: RegisterRow["kind"], format: Format): string {
  if (kind === "predicate" || format === "hex") return kind === "predicate" ? hex : `0x${hex}`;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(`0x${hex.padStart(16, "0")}`));
  if (format === "float") {
    const number = kind === "double" ? bytes.getFloat64(0) : bytes.getFloat32(4);
    return Number.isInteger(number) && Math.abs(number) < 1e7
      ? String(number)
      : number.toPrecision(7);
  }
  return kind === "double" ? String(bytes.getBigInt64(0)) : String(bytes.getInt32(4));
}

/** What the panes show, and what they call. */
export interface Context {
  /** Warp slot in focus. */
  slot: number;
  /** Format of values. */
  format: Format;
  /** Shows another warp. */
  pick: (slot: number) => void;
  /** Shows values in another format. */
  show: (format: Format) => void;
}

/** The warps of the SM in focus; a click chooses one. */
export function warpTable(view: StepView, at: Context): HTMLElement {
  const rows = view.warps.map((row) =>
    el(
      "tr",
      {
        class: row.slot === at.slot ? "focus" : "pick",
        onclick: () => at.pick(row.slot),
      },
      el(
        "td",
        { class: "number" },
        el(
          "button",
          {
            type: "button",
            "aria-label": `Show warp ${row.slot}`,
            "aria-pressed": String(row.slot === at.slot),
            onclick: (event: Event) => {
              event.stopPropagation();
              at.pick(row.slot);
            },
          },
          String(row.slot),
        ),
      ),
      el("td", {}, `${row.block}:${row.index}`),
      el("td", { class: "number" }, String(row.line)),
      el("td", {}, picture(mask(row.active, row.live))),
      el(
        "td",
        { title: row.why },
        row.state || "not started",
        row.why ? el("div", { class: "note" }, row.why) : null,
      ),
    ),
  );
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...["warp", "block:warp", "line", "lanes 0 to 31", "state in the last issue cycle"].map(
          (name) => el("th", { scope: "col" }, name),
        ),
      ),
    ),
    el("tbody", {}, ...rows),
  );
}

/** The reconvergence stack, the running entry first. */
export function stackTable(warp: StepWarp): HTMLElement {
  const rows = [...warp.stack]
    .reverse()
    .map((entry, i) =>
      el(
        "tr",
        {},
        el("td", {}, i === 0 ? "runs" : "waits"),
        el("td", { class: "number" }, String(entry.line)),
        el("td", { class: "number" }, entry.until === null ? "exit" : String(entry.until)),
        el("td", {}, picture(mask(entry.mask, entry.mask))),
      ),
    );
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...["", "line", "until line", "lanes"].map((name) => el("th", { scope: "col" }, name)),
      ),
    ),
    el("tbody", {}, ...rows),
  );
}

/** The states of the warps in the last issue cycles. */
export function recentCycles(view: StepView, states: StateEntry[]): HTMLElement {
  const height = 12,
    width = 4;
  let body = "";
  view.timeline.rows.forEach(([slot, cells], i) => {
    body += `<text x="0" y="${i * height + 10}" fill="var(--text)" font-size="10">${slot}</text>`;
    cells.forEach(([state, issues, line], x) => {
      if (state < 0) return;
      const entry = states[state];
      body += `<rect x="${20 + x * width}" y="${i * height + 1}" width="${width - 0.5}" height="${height - 2}" fill="${color(entry?.key ?? "")}"><title>cycle ${view.timeline.from + x * view.timeline.period}: ${entry?.label}, line ${line}${issues ? ", issues" : ""}</title></rect>`;
    });
  });
  const cycles = Math.max(...view.timeline.rows.map(([, cells]) => cells.length), 1);
  return picture(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${24 + cycles * width}" height="${view.timeline.rows.length * height + 2}" role="img" aria-label="States of the warps in the last issue cycles">${body}</svg>`,
  );
}

/** The registers that the warp has written, with the values of all lanes. */
export function registerTable(warp: StepWarp, at: Context): HTMLElement {
  const pick = el(
    "select",
    {
      "aria-label": "Format of the values",
      onchange: (event: Event) => at.show((event.target as HTMLSelectElement).value as Format),
    },
    ...(["decimal", "float", "hex"] as Format[]).map((one) =>
      el("option", { value: one, selected: one === at.format }, one),
    ),
  );
  const lanes = Array.from({ length: 32 }, (_, lane) =>
    el("th", { scope: "col", class: "number" }, String(lane)),
  );
  const rows = warp.registers.map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: row.changed ? "changed" : "" }, row.name ?? `(${row.row})`),
      el("td", { class: "number" }, String(row.line)),
      el(
        "td",
        {},
        row.busy
          ? `${row.busy === "pending" ? "load pending" : `from cycle ${row.busy}`}${row.needed ? ", needed" : ""}`
          : "",
      ),
      ...row.values.map((one) =>
        el("td", { class: "number mono" }, value(one, row.kind, at.format)),
      ),
    ),
  );
  return el(
    "div",
    {},
    el(
      "div",
      { class: "bar" },
      el("label", {}, el("span", {}, "Values as"), pick),
      el("span", { class: "note" }, "Marked: written in the last issue cycle."),
    ),
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "register"),
          el("th", { scope: "col" }, "line"),
          el("th", { scope: "col" }, "busy"),
          ...lanes,
        ),
      ),
      el("tbody", {}, ...rows),
    ),
  );
}

/** The shared memory of the block: one column for each bank. */
export function sharedMemory(warp: StepWarp, banks: number, format: Format): HTMLElement {
  if (!warp.shared.length) return el("p", {}, "The kernel has no shared memory.");
  const shown = warp.shared.slice(0, banks * 128);
  const rows: HTMLElement[] = [];
  for (let at = 0; at < shown.length; at += banks) {
    rows.push(
      el(
        "tr",
        {},
        el("th", { scope: "row", class: "mono" }, `0x${(at * 4).toString(16)}`),
        ...shown
          .slice(at, at + banks)
          .map((word) => el("td", { class: "number mono" }, value(word, "word", format))),
      ),
    );
  }
  const head = Array.from({ length: banks }, (_, bank) =>
    el("th", { scope: "col", class: "number" }, String(bank)),
  );
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "address"), ...head)),
    el("tbody", {}, ...rows),
  );
}

/** The load/store queue and the pending loads of the SM. */
export function memorySide(view: StepView): HTMLElement {
  const list = (title: string, rows: [number, number, number][], third: string) =>
    el(
      "div",
      {},
      el("h3", {}, title),
      rows.length
        ? el(
            "table",
            {},
            el(
              "thead",
              {},
              el(
                "tr",
                {},
                ...["warp", "line", third].map((name) =>
                  el("th", { scope: "col", class: "number" }, name),
                ),
              ),
            ),
            el(
              "tbody",
              {},
              ...rows
                .slice(0, 32)
                .map((row) =>
                  el("tr", {}, ...row.map((cell) => el("td", { class: "number" }, String(cell)))),
                ),
            ),
          )
        : el("p", { class: "note" }, "none"),
    );
  return el(
    "div",
    {},
    list(
      `Load/store queue: ${view.queue.entries.length} of ${view.queue.capacity} entries`,
      view.queue.entries,
      "messages left",
    ),
    list("Pending loads", view.queue.loads, "replies left"),
  );
}

/** The barriers of the block, and the resident blocks. */
export function barriersAndBlocks(view: StepView): HTMLElement {
  const barriers = view.warp?.barriers ?? [];
  const texts = barriers.map((one) =>
    el(
      "p",
      {},
      `Barrier ${one.id}: ${one.count} of ${one.required} warps have arrived; missing: ${one.missing.map(([slot, line]) => `warp ${slot} at line ${line}`).join(", ") || "none"}.`,
    ),
  );
  const blocks = view.blocks.map((block) => `block ${block.index} on SM ${block.sm}`);
  return el(
    "div",
    {},
    ...(texts.length
      ? texts
      : [el("p", { class: "note" }, "No warp of this block has arrived at a barrier.")]),
    el(
      "p",
      {},
      `${count(view.retired)} blocks have retired. Resident: ${blocks.slice(0, 40).join(", ")}${blocks.length > 40 ? ` and ${blocks.length - 40} more` : ""}.`,
    ),
  );
}
