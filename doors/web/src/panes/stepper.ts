// The stepper: a launch forward and back, with the panes of its state.

import { SourceView } from "../editor";
import { count, el, picture } from "../dom";
import { Cancelled, type Engine } from "../engine";
import { cudaC, ptx } from "../ptx";
import type { Catalog, Request, StepProgram, StepView, Stepped } from "../types";
import { facts, recentCycles, registerTable, sharedMemory, variableTable } from "./state";

type Command = { do: string; back?: boolean; cycle?: number };

/** The stepper of the page. */
export class StepperPane {
  readonly element = el("div");
  private program: StepProgram | undefined;
  private view: StepView | undefined;
  private focus = { sm: 0, slot: 0 };
  private points: number[] = [];
  private format = "signed";
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

  constructor(
    private readonly engine: Engine,
    private readonly catalog: Catalog,
    private readonly wanted: () => Request,
  ) {
    this.source = new SourceView(this.sourceBox, ptx, "Code of the launch; F9 sets a breakpoint", {
      toggled: (line) => this.toggle(line),
    });
    const button = (name: string, tip: string, command: Command) =>
      el(
        "button",
        {
          type: "button",
          title: tip,
          "data-step": `${command.do}${command.back ? "-back" : ""}`,
          disabled: true,
          onclick: () => void this.move(command),
        },
        name,
      );
    this.toolbar.append(
      button("◀ Line", "Back to the first instruction of the latest line of this warp (Shift+L)", {
        do: "line",
        back: true,
      }),
      button("Line ▶", "Until this warp has executed its line of CUDA C (L)", {
        do: "line",
        back: false,
      }),
      button(
        "◀ Instruction",
        "Back to the issue of the latest instruction of this warp (Shift+I)",
        { do: "instruction", back: true },
      ),
      button("Instruction ▶", "Until this warp has issued an instruction (I)", {
        do: "instruction",
        back: false,
      }),
      button("◀ Cycle", "One issue cycle back (Shift+C)", { do: "cycle", back: true }),
      button("Cycle ▶", "One issue cycle forward (C)", { do: "cycle", back: false }),
      button("◀ Issue", "The latest issue of any warp of this SM (Shift+U)", {
        do: "issue",
        back: true,
      }),
      button("Issue ▶", "The next issue of any warp of this SM (U)", { do: "issue", back: false }),
      button("◀ Breakpoint", "Back to a breakpoint (Shift+B)", { do: "continue", back: true }),
      button("Breakpoint ▶", "Forward to a breakpoint (B)", { do: "continue", back: false }),
      el(
        "button",
        {
          type: "button",
          id: "step-stop",
          disabled: true,
          onclick: () => {
            this.stopped = true;
          },
        },
        "Stop",
      ),
    );
    const cycle = el("input", {
      type: "number",
      min: 0,
      id: "step-goto",
      "aria-label": "Shader cycle",
    });
    const go = () => {
      if (!Number.isNaN(cycle.valueAsNumber))
        void this.move({ do: "goto", cycle: cycle.valueAsNumber });
    };
    cycle.addEventListener("keydown", (event) => {
      if (event.key === "Enter") go();
    });
    this.smPick.addEventListener("change", () => {
      this.focus = { sm: Number(this.smPick.value), slot: 0 };
      void this.move(undefined);
    });
    this.element.append(
      el(
        "div",
        { class: "bar" },
        el(
          "button",
          { type: "button", class: "primary", id: "step-start", onclick: () => void this.start() },
          "Start again",
        ),
        el("label", {}, el("span", {}, "Launch number"), this.launch),
        el("label", {}, el("span", {}, "SM"), this.smPick),
        el("label", {}, el("span", {}, "Go to cycle"), cycle),
        el("button", { type: "button", onclick: go }, "Go"),
        this.time,
      ),
      this.toolbar,
      el("div", { class: "bar" }, this.message),
      this.panes,
    );
    this.message.textContent = "Every warp, lane and register, cycle by cycle, forward and back.";
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Whether a launch is open. */
  get open(): boolean {
    return this.program !== undefined;
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (
      ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const commands: Record<string, string> = {
      l: "line",
      i: "instruction",
      c: "cycle",
      u: "issue",
      b: "continue",
    };
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
      this.program = await this.engine.call<StepProgram>("debug", [
        this.wanted(),
        this.launch.valueAsNumber || 1,
      ]);
      this.focus = { sm: 0, slot: 0 };
      this.source.show(this.program.text, this.program.is_cuda_c ? cudaC : ptx);
      this.points = this.points.filter((line) => this.program!.lines.includes(line));
      this.source.breakpoints(this.points, this.program.lines);
      this.smPick.replaceChildren(
        ...Array.from({ length: this.program.sms }, (_, sm) =>
          el("option", { value: sm }, String(sm)),
        ),
      );
      this.toolbar.querySelectorAll("button").forEach((one) => {
        one.disabled = one.id === "step-stop";
        // Each instruction of PTX has its own line.
        one.hidden = !this.program!.is_cuda_c && /^line/.test(one.dataset["step"] ?? "");
      });
      this.busy = false;
      // A block is resident after the dispatcher and the crossbar: move to the first instruction.
      await this.move({ do: "issue", back: false });
    } catch (why) {
      this.program = undefined;
      this.panes.replaceChildren();
      if (!(why instanceof Cancelled))
        this.message.replaceChildren(el("span", { class: "error" }, (why as Error).message));
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
        const { moved, view } = await this.engine.call<Stepped>("step", [
          this.request(given ?? null),
        ]);
        this.view = view;
        if (moved) message = moved.message;
        if (moved?.at && (given?.do === "continue" || given?.do === "issue")) {
          this.focus = { sm: moved.at[0], slot: moved.at[1] };
          const again = await this.engine.call<Stepped>("step", [this.request(null)]);
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
      if (!(why instanceof Cancelled))
        this.message.replaceChildren(el("span", { class: "error" }, (why as Error).message));
    } finally {
      stop.disabled = true;
      this.busy = false;
    }
  }

  private request(command: Command | null): object {
    return { command, focus: this.focus, breakpoints: this.points, format: this.format };
  }

  private toggle(line: number): void {
    if (!this.program?.lines.includes(line)) return;
    this.points = this.points.includes(line)
      ? this.points.filter((one) => one !== line)
      : [...this.points, line];
    this.source.breakpoints(this.points, this.program.lines);
    this.message.textContent = this.points.includes(line)
      ? `Breakpoint at line ${line}.`
      : `No breakpoint at line ${line}.`;
  }

  private show(): void {
    const { view, program } = this;
    if (!view || !program) return;
    this.time.textContent = `cycle ${count(view.cycle)}${view.ended ? " (ended)" : ""}`;
    this.smPick.value = String(this.focus.sm);
    const context = {
      format: this.format,
      pick: (slot: number) => this.pick(slot),
      show: (format: string) => {
        this.format = format;
        void this.move(undefined);
      },
    };
    const pane = (title: string, body: HTMLElement | string, wide = false, flush = false) =>
      el(
        "section",
        { class: wide ? "pane wide" : "pane", "aria-label": title },
        el("h3", {}, title),
        el("div", { class: flush ? "body flush" : "body", tabindex: 0 }, body),
      );
    const restore = this.places();
    this.panes.replaceChildren(
      el(
        "section",
        { class: "pane wide", "aria-label": program.is_cuda_c ? "CUDA C" : "PTX" },
        el(
          "h3",
          {},
          `${program.is_cuda_c ? "CUDA C" : "PTX"}: next instruction of warp ${this.focus.slot}`,
        ),
        this.sourceBox,
      ),
      ...(view.variables ? [pane("Variables of the warp", variableTable(view), true)] : []),
      pane(`Warps of SM ${this.focus.sm}`, facts(view.warps, context), true, true),
      pane("SIMT stack", facts(view.stack, context)),
      pane("Last 128 issue cycles", recentCycles(view, this.catalog.states)),
      pane("Registers", registerTable(view, context), true),
      pane(
        "Last memory access of the warp",
        view.access
          ? picture(view.access)
          : view.access === ""
            ? "The access has neither segments nor banks."
            : "The warp has not accessed memory.",
        true,
      ),
      pane(`Shared memory of the block by bank`, sharedMemory(view, program.banks), true),
      pane("Memory side of the SM", facts(view.queue, context)),
      pane("Barriers of the block", facts(view.barriers, context)),
      pane("Resident blocks", facts(view.blocks, context)),
    );
    this.source.current([view.line], view.others);
    restore();
  }

  /** Remembers the focus and how far the panes are scrolled, for the next panes. */
  private places(): () => void {
    const bodies = () => [...this.panes.querySelectorAll<HTMLElement>(".body")];
    const name = (body: Element) => body.closest("section")?.getAttribute("aria-label");
    const active = document.activeElement;
    const isSource = this.sourceBox.contains(active);
    const focused = active && this.panes.contains(active) && !isSource ? name(active) : undefined;
    const old = bodies().map((body) => [name(body), body.scrollLeft, body.scrollTop] as const);
    return () => {
      for (const body of bodies()) {
        const [, left, top] = old.find(([of]) => of === name(body)) ?? [];
        body.scrollTo(left ?? 0, top ?? 0);
        if (focused && focused === name(body)) body.focus({ preventScroll: true });
      }
      if (isSource) this.source.focus();
    };
  }

  private pick(slot: number): void {
    this.focus = { ...this.focus, slot };
    void this.move(undefined);
  }
}
