// The state of a launch in the stepper: facts as tables, and the drawings of its other parts.

import { el, picture } from "../dom";
import type { Fact, StateEntry, StepView } from "../types";

/** Formats of values. */
export const FORMATS = ["signed", "unsigned", "float", "hex", "binary"];

/** What the panes show, and what they call. */
export interface Context {
  /** Format of values. */
  format: string;
  /** Shows another warp. */
  pick: (slot: number) => void;
  /** Shows values in another format. */
  show: (format: string) => void;
}

const LANES = 32;

/** Active lanes of a mask as a row of small boxes. */
function mask(bits: number, live: number): string {
  const has = (of: number, lane: number) => ((of >>> lane) & 1) === 1;
  let body = "";
  let active = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (has(bits, lane)) active++;
    const dead = has(live, lane) ? "var(--panel-2)" : "none";
    const fill = has(bits, lane) ? "var(--accent)" : dead;
    body += `<rect x="${lane * 5}" y="1" width="4" height="10" fill="${fill}" stroke="var(--muted)" stroke-width="0.5"/>`;
  }
  const words = `${active} active lanes, mask ${(bits >>> 0).toString(16).padStart(8, "0")}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LANES * 5}" height="12" role="img" aria-label="${words}"><title>${words}</title>${body}</svg>`;
}

/** The value of a fact. */
function shown(fact: Fact): Node | string {
  const value = fact.value;
  if (value === "none") return "";
  if ("lanes" in value) return picture(mask(value.lanes.active, value.lanes.live));
  if ("state" in value) return value.state[1];
  if ("address" in value) return `0x${value.address.toString(16).padStart(8, "0")}`;
  if ("count" in value) return value.count.toLocaleString("en-US");
  if ("number" in value) return String(value.number);
  return "line" in value ? value.line : value.words;
}

const isNumber = ({ value }: Fact) =>
  value !== "none" && ("number" in value || "count" in value || "line" in value);
const isRow = (fact: Fact) => fact.value === "none" && fact.children.length > 0;

/** A row of a table. A row about another warp shows that warp after a click. */
function row(fact: Fact, at: Context): HTMLElement {
  const warp = fact.place && "warp" in fact.place ? fact.place.warp : undefined;
  const cells = fact.children.map((cell, i) => {
    let value: Node | string = shown(cell);
    if (warp && i === 0)
      value = el(
        "button",
        {
          type: "button",
          "aria-label": `Show warp ${warp.slot}`,
          "aria-pressed": String(fact.marked),
          onclick: (event: Event) => {
            event.stopPropagation();
            at.pick(warp.slot);
          },
        },
        value,
      );
    const notes = cell.children.map((note) => el("div", { class: "note" }, shown(note)));
    return el("td", { class: isNumber(cell) ? "number" : "" }, value, ...notes);
  });
  const more = warp
    ? { class: fact.marked ? "focus" : "pick", onclick: () => at.pick(warp.slot) }
    : { class: fact.marked ? "focus" : "" };
  return el("tr", more, ...cells);
}

/** A fact with its children: a heading, tables of rows, and lists. */
export function facts(fact: Fact, at: Context, isOuter = true): HTMLElement {
  const parts: (HTMLElement | null)[] = [];
  const heading = shown(fact);
  if (heading) parts.push(el(isOuter ? "p" : "h4", { class: "note" }, heading));
  const rows = fact.children.filter(isRow);
  if (rows[0])
    parts.push(
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el("tr", {}, ...rows[0].children.map((cell) => el("th", { scope: "col" }, cell.name))),
        ),
        el("tbody", {}, ...rows.map((one) => row(one, at))),
      ),
    );
  for (const child of fact.children.filter((one) => !isRow(one)))
    parts.push(
      child.children.length
        ? facts(child, at, false)
        : el("p", {}, child.name ? `${child.name}: ` : "", shown(child)),
    );
  return el("div", {}, ...parts);
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
      body += `<rect x="${20 + x * width}" y="${i * height + 1}" width="${width - 0.5}" height="${height - 2}" fill="${entry?.color ?? "#888"}"><title>cycle ${view.timeline.from + x * view.timeline.period}: ${entry?.label}, line ${line}${issues ? ", issues" : ""}</title></rect>`;
    });
  });
  const cycles = Math.max(...view.timeline.rows.map(([, cells]) => cells.length), 1);
  return picture(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${24 + cycles * width}" height="${view.timeline.rows.length * height + 2}" role="img" aria-label="States of the warps in the last issue cycles">${body}</svg>`,
  );
}

/** The variables of CUDA C that the line sees, with the values of all lanes. */
export function variableTable(view: StepView): HTMLElement {
  const all = view.variables ?? [];
  if (!all.length) return el("p", {}, "No variable is declared here.");
  const lanes = Array.from({ length: 32 }, (_, lane) =>
    el("th", { scope: "col", class: "number" }, String(lane)),
  );
  const rows = all.map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, row.name),
      el("td", {}, row.c_type),
      ...(row.values.length
        ? row.values.map((one) => el("td", { class: "number mono" }, one))
        : [el("td", { colspan: 32 }, row.note)]),
      el("td", {}, row.values.length ? row.note : ""),
    ),
  );
  const titles = ["variable", "type"].map((name) => el("th", { scope: "col" }, name));
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...titles, ...lanes, el("th", { scope: "col" }, "note"))),
    el("tbody", {}, ...rows),
  );
}

/** The registers that the warp has written, with the values of all lanes. */
export function registerTable(view: StepView, at: Context): HTMLElement {
  const pick = el(
    "select",
    {
      "aria-label": "Format of the values",
      onchange: (event: Event) => at.show((event.target as HTMLSelectElement).value),
    },
    ...FORMATS.map((one) => el("option", { value: one, selected: one === at.format }, one)),
  );
  const lanes = Array.from({ length: 32 }, (_, lane) =>
    el("th", { scope: "col", class: "number" }, String(lane)),
  );
  const rows = view.registers.map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: row.changed ? "changed" : "" }, row.name),
      el("td", { class: "number" }, String(row.line)),
      el("td", {}, row.busy),
      ...row.values.map((one) => el("td", { class: "number mono" }, one)),
    ),
  );
  const titles = ["register", "line", "busy"].map((name) => el("th", { scope: "col" }, name));
  return el(
    "div",
    {},
    el(
      "div",
      { class: "bar" },
      el("label", {}, el("span", {}, "Values as"), pick),
      el("span", { class: "note" }, "Marked: written in the last issue cycle."),
    ),
    el("table", {}, el("thead", {}, el("tr", {}, ...titles, ...lanes)), el("tbody", {}, ...rows)),
  );
}

/** The shared memory of the block: one column for each bank. */
export function sharedMemory(view: StepView, banks: number): HTMLElement {
  if (!view.shared.length) return el("p", {}, "The kernel has no shared memory.");
  const shown = view.shared.slice(0, banks * 128);
  const rows: HTMLElement[] = [];
  for (let at = 0; at < shown.length; at += banks) {
    rows.push(
      el(
        "tr",
        {},
        el("th", { scope: "row", class: "mono" }, `0x${(at * 4).toString(16)}`),
        ...shown.slice(at, at + banks).map((word) => el("td", { class: "number mono" }, word)),
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
