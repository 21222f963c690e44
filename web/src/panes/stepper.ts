// The stepper: a launch forward and back, with the panes of its state.

import { SourceView } from "../editor";
import { count, el, picture } from "../dom";
import { mask } from "../pictures/access";
import { color } from "../pictures/svg";
import { Cancelled, type Engine } from "../engine";
import { ptx } from "../ptx";
import type { Catalog, RegisterRow, Request, StepProgram, Stepped, StepView, StepWarp } from "../types";
import { accessView } from "./memory";

type Command = { do: string; back?: boolean; cycle?: number };

/** The numbers of a register row. */
type Format = "decimal" | "float" | "hex";

/** Formats a value, which the engine gives in hexadecimal. */
export function value(hex: string, kind: RegisterRow["kind"], format: Format): string {
  if (kind === "predicate" || format === "hex") return kind === "predicate" ? hex : `0x${hex}`;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(`0x${hex.padStart(16, "0")}`));
  if (format === "float") {
    const number = kind === "double" ? bytes.getFloat64(0) : bytes.getFloat32(4);
    return Number.isInteger(number) && Math.abs(number) < 1e7 ? String(number) : number.toPrecision(7);
  }
  return kind === "double" ? String(bytes.getBigInt64(0)) : String(bytes.getInt32(4));
}

/** The stepper of the page. */
export class StepperPane {
  readonly element = el("div");
  private program: StepProgram | undefined;
  private view: StepView | undefined;
  private focus = { sm: 0, slot: 0 };
  private points: number[] = [];
  private format: Format = "decimal";
  private busy = false;
  private stopped = false;
  private readonly message = el("span", { id: "step-message", role: "status" });
  private readonly time = el("strong", { id: "step-cycle" });
  private readonly panes = el("div", { class: "step" });
  private readonly source: SourceView;
  private readonly sourceBox = el("div", { class: "source" });
  private readonly launch = el("input", { type: "number", min: 1, value: 1, id: "step-launch" });
  private readonly toolbar = el("div", { class: "bar", role: "toolbar", "aria-label": "Movement" });
  private readonly smPick = el("select", { id: "step-sm", "aria-label": "SM" });

  constructor(private readonly engine: Engine, private readonly catalog: Catalog, private readonly wanted: () => Request) {
    this.source = new SourceView(this.sourceBox, ptx, "PTX of the launch; F9 sets a breakpoint", (line) => this.toggle(line));
    const button = (name: string, tip: string, command: Command) => el("button", { type: "button", title: tip, "data-step": `${command.do}${command.back ? "-back" : ""}`, disabled: true, onclick: () => void this.move(command) }, name);
    this.toolbar.append(
      button("◀ Instruction", "Back to the issue of the latest instruction of this warp (Shift+I)", { do: "instruction", back: true }),
      button("Instruction ▶", "Until this warp has issued an instruction (I)", { do: "instruction", back: false }),
      button("◀ Cycle", "One issue cycle back (Shift+C)", { do: "cycle", back: true }),
      button("Cycle ▶", "One issue cycle forward (C)", { do: "cycle", back: false }),
      button("◀ Issue", "The latest issue of any warp of this SM (Shift+U)", { do: "issue", back: true }),
      button("Issue ▶", "The next issue of any warp of this SM (U)", { do: "issue", back: false }),
      button("◀ Breakpoint", "Back to a breakpoint (Shift+B)", { do: "continue", back: true }),
      button("Breakpoint ▶", "Forward to a breakpoint (B)", { do: "continue", back: false }),
      el("button", { type: "button", id: "step-stop", disabled: true, onclick: () => { this.stopped = true; } }, "Stop"));
    const cycle = el("input", { type: "number", min: 0, id: "step-goto", "aria-label": "Shader cycle" });
    const go = () => { if (!Number.isNaN(cycle.valueAsNumber)) void this.move({ do: "goto", cycle: cycle.valueAsNumber }); };
    cycle.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
    this.smPick.addEventListener("change", () => { this.focus = { sm: Number(this.smPick.value), slot: 0 }; void this.move(undefined); });
    this.element.append(
      el("div", { class: "bar" },
        el("button", { type: "button", class: "primary", id: "step-start", onclick: () => void this.start() }, "Start the launch"),
        el("label", {}, el("span", {}, "Launch number"), this.launch),
        el("label", {}, el("span", {}, "SM"), this.smPick),
        el("label", {}, el("span", {}, "Go to cycle"), cycle),
        el("button", { type: "button", onclick: go }, "Go"), this.time),
      this.toolbar,
      el("div", { class: "bar" }, this.message),
      this.panes);
    this.message.textContent = "Start the launch to see every warp, lane and register, cycle by cycle, forward and back.";
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Whether a launch is open. */
  get open(): boolean { return this.program !== undefined; }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const commands: Record<string, string> = { i: "instruction", c: "cycle", u: "issue", b: "continue" };
    const name = commands[event.key.toLowerCase()];
    if (!name || !this.program) return;
    event.preventDefault();
    void this.move({ do: name, back: event.shiftKey });
  }

  /** Starts the launch from its first cycle. */
  async start(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.message.textContent = "The earlier launches of the program run…";
    try {
      this.program = await this.engine.call<StepProgram>("debug", [this.wanted(), this.launch.valueAsNumber || 1]);
      this.focus = { sm: 0, slot: 0 };
      this.source.text = this.program.text;
      this.points = this.points.filter((line) => this.program!.lines.includes(line));
      this.source.breakpoints(this.points, this.program.lines);
      this.smPick.replaceChildren(...Array.from({ length: this.program.sms }, (_, sm) => el("option", { value: sm }, String(sm))));
      this.toolbar.querySelectorAll("button").forEach((one) => { one.disabled = one.id === "step-stop"; });
      this.busy = false;
      // A block is resident after the dispatcher and the crossbar: move to the first instruction.
      await this.move({ do: "issue", back: false });
    } catch (why) {
      this.program = undefined;
      this.panes.replaceChildren();
      if (!(why instanceof Cancelled)) this.message.replaceChildren(el("span", { class: "error" }, (why as Error).message));
    } finally {
      this.busy = false;
    }
  }

  /** Moves the launch; without a command shows another focus. */
  private async move(command: Command | undefined): Promise<void> {
    if (this.busy || !this.program) return;
    this.busy = true;
    this.stopped = false;
    const stop = this.toolbar.querySelector<HTMLButtonElement>("#step-stop")!;
    try {
      const given = command ? { back: false, ...command } : undefined;
      let message = "";
      for (;;) {
        const { moved, view } = await this.engine.call<Stepped>("step", [{ command: given ?? null, focus: this.focus, breakpoints: this.points }]);
        this.view = view;
        if (moved) message = moved.message;
        if (moved?.at && (given?.do === "continue" || given?.do === "issue")) {
          this.focus = { sm: moved.at[0], slot: moved.at[1] };
          const again = await this.engine.call<Stepped>("step", [{ command: null, focus: this.focus, breakpoints: this.points }]);
          this.view = again.view;
        }
        this.time.textContent = `cycle ${count(view.cycle)}`;
        if (moved?.halt !== "unfinished" || this.stopped) break;
        stop.disabled = false;
        message = "stopped";
        this.message.textContent = "The launch runs…";
      }
      this.message.textContent = message;
      this.show();
    } catch (why) {
      if (!(why instanceof Cancelled)) this.message.replaceChildren(el("span", { class: "error" }, (why as Error).message));
    } finally {
      stop.disabled = true;
      this.busy = false;
    }
  }

  private toggle(line: number): void {
    if (!this.program?.lines.includes(line)) return;
    this.points = this.points.includes(line) ? this.points.filter((one) => one !== line) : [...this.points, line];
    this.source.breakpoints(this.points, this.program.lines);
    this.message.textContent = this.points.includes(line) ? `Breakpoint at line ${line}.` : `No breakpoint at line ${line}.`;
  }

  private show(): void {
    const { view, program } = this;
    if (!view || !program) return;
    this.time.textContent = `cycle ${count(view.cycle)}${view.ended ? " (ended)" : ""}`;
    this.smPick.value = String(this.focus.sm);
    const warp = view.warp;
    const pane = (title: string, body: HTMLElement | string, wide = false, flush = false) =>
      el("section", { class: wide ? "pane wide" : "pane", "aria-label": title }, el("h3", {}, title), el("div", { class: flush ? "body flush" : "body", tabindex: 0 }, body));
    const none = "No warp is resident in this slot.";
    this.panes.replaceChildren(
      el("section", { class: "pane wide", "aria-label": "PTX" }, el("h3", {}, `PTX: next instruction of warp ${this.focus.slot}`), this.sourceBox),
      pane(`Warps of SM ${this.focus.sm}`, this.warps(view), true, true),
      pane("SIMT stack", warp ? this.stack(warp) : none),
      pane("Last 128 issue cycles", this.cells(view)),
      pane("Registers", warp ? this.registers(warp) : none, true),
      pane("Last memory access of the warp", warp?.access ? accessView(warp.access) : "The warp has not accessed memory.", true),
      pane(`Shared memory of the block by bank`, warp ? this.shared(warp) : none, true),
      pane("Memory side of the SM", this.queue(view)),
      pane("Barriers and blocks", this.blocks(view)));
    const others = view.warps.filter((row) => row.slot !== this.focus.slot).map((row) => row.line);
    this.source.current(warp?.line ?? 0, [...new Set(others)]);
  }

  private warps(view: StepView): HTMLElement {
    const rows = view.warps.map((row) => el("tr", { class: row.slot === this.focus.slot ? "focus" : "pick", onclick: () => this.pick(row.slot) },
      el("td", { class: "number" }, el("button", { type: "button", "aria-label": `Show warp ${row.slot}`, "aria-pressed": String(row.slot === this.focus.slot), onclick: (event: Event) => { event.stopPropagation(); this.pick(row.slot); } }, String(row.slot))),
      el("td", {}, `${row.block}:${row.index}`), el("td", { class: "number" }, String(row.line)),
      el("td", {}, picture(mask(row.active, row.live))),
      el("td", { title: row.why }, row.state || "not started", row.why ? el("div", { class: "note" }, row.why) : null)));
    return el("table", {}, el("thead", {}, el("tr", {}, ...["warp", "block:warp", "line", "lanes 0 to 31", "state in the last issue cycle"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, ...rows));
  }

  private pick(slot: number): void {
    this.focus = { ...this.focus, slot };
    void this.move(undefined);
  }

  private stack(warp: StepWarp): HTMLElement {
    const rows = [...warp.stack].reverse().map((entry, i) => el("tr", {},
      el("td", {}, i === 0 ? "runs" : "waits"), el("td", { class: "number" }, String(entry.line)),
      el("td", { class: "number" }, entry.until === null ? "exit" : String(entry.until)), el("td", {}, picture(mask(entry.mask, entry.mask)))));
    return el("table", {}, el("thead", {}, el("tr", {}, ...["", "line", "until line", "lanes"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, ...rows));
  }

  private cells(view: StepView): HTMLElement {
    const height = 12, width = 4;
    let body = "";
    view.timeline.rows.forEach(([slot, cells], i) => {
      body += `<text x="0" y="${i * height + 10}" fill="var(--text)" font-size="10">${slot}</text>`;
      cells.forEach(([state, issues, line], x) => {
        if (state < 0) return;
        const entry = this.catalog.states[state];
        body += `<rect x="${20 + x * width}" y="${i * height + 1}" width="${width - 0.5}" height="${height - 2}" fill="${color(entry?.key ?? "")}"><title>cycle ${view.timeline.from + x * view.timeline.period}: ${entry?.label}, line ${line}${issues ? ", issues" : ""}</title></rect>`;
      });
    });
    const cycles = Math.max(...view.timeline.rows.map(([, cells]) => cells.length), 1);
    return picture(`<svg xmlns="http://www.w3.org/2000/svg" width="${24 + cycles * width}" height="${view.timeline.rows.length * height + 2}" role="img" aria-label="States of the warps in the last issue cycles">${body}</svg>`);
  }

  private registers(warp: StepWarp): HTMLElement {
    const pick = el("select", { "aria-label": "Format of the values", onchange: (event: Event) => { this.format = (event.target as HTMLSelectElement).value as Format; this.show(); } },
      ...(["decimal", "float", "hex"] as Format[]).map((one) => el("option", { value: one, selected: one === this.format }, one)));
    const lanes = Array.from({ length: 32 }, (_, lane) => el("th", { scope: "col", class: "number" }, String(lane)));
    const rows = warp.registers.map((row) => el("tr", {},
      el("th", { scope: "row", class: row.changed ? "changed" : "" }, row.name ?? `(${row.row})`),
      el("td", { class: "number" }, String(row.line)), el("td", {}, row.busy ? `${row.busy === "pending" ? "load pending" : `from cycle ${row.busy}`}${row.needed ? ", needed" : ""}` : ""),
      ...row.values.map((one) => el("td", { class: "number mono" }, value(one, row.kind, this.format)))));
    return el("div", {}, el("div", { class: "bar" }, el("label", {}, el("span", {}, "Values as"), pick), el("span", { class: "note" }, "Marked: written in the last issue cycle.")),
      el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "register"), el("th", { scope: "col" }, "line"), el("th", { scope: "col" }, "busy"), ...lanes)), el("tbody", {}, ...rows)));
  }

  private shared(warp: StepWarp): HTMLElement {
    if (!warp.shared.length) return el("p", {}, "The kernel has no shared memory.");
    const banks = this.program!.banks, shown = warp.shared.slice(0, banks * 128);
    const rows: HTMLElement[] = [];
    for (let at = 0; at < shown.length; at += banks) {
      rows.push(el("tr", {}, el("th", { scope: "row", class: "mono" }, `0x${(at * 4).toString(16)}`),
        ...shown.slice(at, at + banks).map((word) => el("td", { class: "number mono" }, value(word, "word", this.format)))));
    }
    const head = Array.from({ length: banks }, (_, bank) => el("th", { scope: "col", class: "number" }, String(bank)));
    return el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "address"), ...head)), el("tbody", {}, ...rows));
  }

  private queue(view: StepView): HTMLElement {
    const list = (title: string, rows: [number, number, number][], third: string) => el("div", {}, el("h3", {}, title),
      rows.length ? el("table", {}, el("thead", {}, el("tr", {}, ...["warp", "line", third].map((name) => el("th", { scope: "col", class: "number" }, name)))),
        el("tbody", {}, ...rows.slice(0, 32).map((row) => el("tr", {}, ...row.map((cell) => el("td", { class: "number" }, String(cell))))))) : el("p", { class: "note" }, "none"));
    return el("div", {}, list(`Load/store queue: ${view.queue.entries.length} of ${view.queue.capacity} entries`, view.queue.entries, "messages left"), list("Pending loads", view.queue.loads, "replies left"));
  }

  private blocks(view: StepView): HTMLElement {
    const barriers = view.warp?.barriers ?? [];
    const texts = barriers.map((one) => el("p", {}, `Barrier ${one.id}: ${one.count} of ${one.required} warps have arrived; missing: ${one.missing.map(([slot, line]) => `warp ${slot} at line ${line}`).join(", ") || "none"}.`));
    const blocks = view.blocks.map((block) => `block ${block.index} on SM ${block.sm}`);
    return el("div", {}, ...(texts.length ? texts : [el("p", { class: "note" }, "No warp of this block has arrived at a barrier.")]),
      el("p", {}, `${count(view.retired)} blocks have retired. Resident: ${blocks.slice(0, 40).join(", ")}${blocks.length > 40 ? ` and ${blocks.length - 40} more` : ""}.`));
  }
}
