// The page of the lab.

import { Tabs, byId, count, download, el } from "./dom";
import { Cancelled, Engine } from "./engine";
import { Editor } from "./editor";
import { comparePane } from "./panes/compare";
import { accessesView } from "./panes/memory";
import { picturesView, reportView } from "./panes/report";
import { optionsView, settingsView } from "./panes/settings";
import { StepperPane } from "./panes/stepper";
import { timelineView } from "./panes/timeline";
import { problemList } from "./panes/problems";
import { ptx, ron } from "./ptx";
import { initial, pack, read, request, title, unpack, write, type Choices } from "./store";
import type { Access, Catalog, Checked, Document, KernelEntry, Ran, Request, Setting, Timeline } from "./types";

// Typing, runs and the stepper do not wait for each other.
const [checker, runner, debug] = [new Engine(), new Engine(), new Engine()];
const status = byId("status");

function say(text: string): void {
  status.textContent = text;
  if (text) setTimeout(() => { if (status.textContent === text) status.textContent = ""; }, 5000);
}

/** Sets the colors; without a choice those of the system. */
function theme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  root.dataset["theme"] = dark.matches ? "dark" : "light";
  dark.addEventListener("change", () => { root.dataset["theme"] = dark.matches ? "dark" : "light"; });
}

async function begin(): Promise<void> {
  theme();
  const main = byId("main"), header = byId("header");
  main.append(el("p", {}, "The engine starts…"));
  const catalog = await checker.call<Catalog>("catalog", []);
  let choices: Choices = structuredClone(initial);
  let problem = "";
  const fragment = location.hash.match(/^#s=(.+)$/)?.[1];
  if (fragment) {
    try {
      choices = await unpack(fragment);
    } catch (why) {
      problem = `The link cannot be read: ${(why as Error).message}`;
    }
  }
  new Page(catalog, choices, header, main);
  if (problem) say(problem);
}

class Page {
  private settings: Setting[] = [];
  private lastRun: { ran: Ran; name: string } | undefined;
  private typed: ReturnType<typeof setTimeout> | undefined;
  private readonly kernelPick = el("select", { id: "kernel" });
  private readonly sizeInput = el("input", { type: "number", min: 1, id: "size" });
  private readonly chipPick = el("select", { id: "chip" });
  private readonly runButton = el("button", { type: "button", class: "primary", id: "run", title: "Ctrl+Enter" }, "Run");
  private readonly cancelButton = el("button", { type: "button", id: "cancel", disabled: true }, "Cancel");
  private readonly bar = el("progress", { "aria-label": "Blocks that have ended", max: 1, value: 0, hidden: true });
  private readonly progressText = el("span", { class: "note", id: "progress" });
  private readonly ptxEditor: Editor;
  private readonly launchEditor: Editor;
  private readonly problems = el("div", { class: "problems", hidden: true, role: "region", "aria-label": "Diagnostics" });
  private readonly about = el("div", { class: "bar" });
  private readonly panels = {
    report: el("div", { class: "panel" }), pictures: el("div", { class: "panel" }), memory: el("div", { class: "panel" }),
    timeline: el("div", { class: "panel" }), stepper: el("div", { class: "panel" }), checkers: el("div", { class: "panel" }),
    compare: el("div", { class: "panel" }), settings: el("div", { class: "panel" }), launch: el("div", { class: "panel tight" }), ptx: el("div", { class: "panel tight" }),
  };
  private readonly results: Tabs;
  private readonly inputs: Tabs;
  private readonly compare: ReturnType<typeof comparePane>;

  constructor(private readonly catalog: Catalog, private choices: Choices, header: HTMLElement, main: HTMLElement) {
    this.inputs = new Tabs("Input");
    this.results = new Tabs("Results");
    main.replaceChildren(
      el("section", { class: "column", "aria-label": "Input" }, this.inputs.list, this.panels.ptx, this.panels.launch, this.panels.settings),
      el("section", { class: "column", "aria-label": "Results" }, this.results.list, this.panels.report, this.panels.pictures, this.panels.timeline, this.panels.memory, this.panels.stepper, this.panels.checkers, this.panels.compare));
    this.inputs.add("ptx", "PTX", this.panels.ptx);
    this.inputs.add("launch", "Launch", this.panels.launch);
    this.inputs.add("settings", "Chip settings", this.panels.settings);
    this.results.add("report", "Report", this.panels.report);
    this.results.add("pictures", "Pictures", this.panels.pictures);
    this.results.add("timeline", "Timeline", this.panels.timeline);
    this.results.add("memory", "Memory", this.panels.memory);
    this.results.add("stepper", "Stepper", this.panels.stepper);
    this.results.add("checkers", "Checkers", this.panels.checkers);
    this.results.add("compare", "Compare", this.panels.compare);

    const editor = el("div", { class: "editor" }), launch = el("div", { class: "editor" });
    this.panels.ptx.append(this.about, editor, this.problems);
    this.ptxEditor = new Editor(editor, ptx, "PTX", (text) => this.edited(text));
    this.launchEditor = new Editor(launch, ron, "Launch file", (text) => { this.choices.launch = text; this.later(); });
    this.panels.launch.append(
      el("div", { class: "bar", id: "launch-bar" },
        el("button", { type: "button", id: "new-launch", onclick: () => void this.newLaunch() }, "New launch file"),
        el("span", { class: "note" }, "Grid, block, parameters, buffers and expected results of the PTX.")),
      launch);

    const stepper = new StepperPane(debug, catalog, () => this.request());
    this.panels.stepper.append(stepper.element);
    this.compare = comparePane(runner, () => this.lastRun, (wanted) => this.job("The comparison", () => wanted()));
    this.panels.compare.append(this.compare.element);
    this.emptyPanels();
    this.header(header);
    addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void this.run();
      }
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.openFile(file);
    });
    this.panels.settings.addEventListener("rebuild", () => this.showSettings());
    void this.load();
  }

  private emptyPanels(): void {
    const hint = (text: string) => el("p", { class: "note" }, text);
    this.panels.report.replaceChildren(
      el("h2", {}, "Where does the time of a kernel go?"),
      el("p", {}, "Choose a kernel and a chip, then press Run (Ctrl+Enter). Or type your own PTX: errors are marked while you type."),
      el("p", {}, "Start with the matrix product: run matmul-naive, keep it as A in the tab Compare, run matmul-tiled, and compare."));
    this.panels.pictures.replaceChildren(hint("The pictures appear after a run."));
    const button = (id: string, name: string, action: () => Promise<void>) => el("button", { type: "button", id, onclick: () => void action() }, name);
    const sm = el("input", { type: "number", min: 0, value: 0, id: "timeline-sm" });
    const cycles = el("input", { type: "number", min: 100, value: 100_000, step: 1000, id: "timeline-cycles" });
    const shown = el("div"), drawn = el("div"), found = el("div", { id: "check-result" });
    this.panels.timeline.replaceChildren(el("div", { class: "bar" },
      el("label", {}, el("span", {}, "SM"), sm), el("label", {}, el("span", {}, "Shader cycles"), cycles),
      button("record", "Record", () => this.job("The recording", async () => {
        const timeline = await runner.call<Timeline>("timeline", [this.request(), 1, sm.valueAsNumber || 0, cycles.valueAsNumber || 100_000]);
        shown.replaceChildren(timelineView(timeline, this.catalog));
      }, shown))), shown);
    this.panels.memory.replaceChildren(el("div", { class: "bar" }, button("draw-accesses", "Draw the memory accesses", () => this.job("The drawing", async () => {
      drawn.replaceChildren(accessesView(await runner.call<Access[]>("accesses", [this.request()])));
    }, drawn)), el("span", { class: "note" }, "Lanes to segments of global memory, and to banks of shared memory.")), drawn);
    const names: [string, string][] = [["race", "races"], ["memory", "memory accesses"], ["init", "uninitialized values"], ["sync", "barriers"]];
    const boxes = names.map(([name, label]) => ({ name, box: el("input", { type: "checkbox", checked: name === "race", id: `check-${name}` }), label }));
    this.panels.checkers.replaceChildren(el("div", { class: "bar" },
      ...boxes.map(({ box, label }) => el("label", {}, box, label)),
      button("check", "Check", () => this.job("The check", async () => {
        const checks = boxes.filter(({ box }) => box.checked).map(({ name }) => name) as NonNullable<Request["checks"]>;
        if (!checks.length) { found.replaceChildren(el("p", {}, "Choose at least one checker.")); return; }
        const ran = await runner.call<Ran>("run", [this.request({ checks })]);
        found.replaceChildren(reportView(ran, `… --check ${checks.join(",")}`));
      }, found))),
      el("p", { class: "note" }, "Checkers run the kernel on the functional machine and look at every access. Try dot-product-printed: the book prints it with a race."), found);
  }

  private header(header: HTMLElement): void {
    const families = new Map<string, KernelEntry[]>();
    for (const kernel of this.catalog.kernels) families.set(kernel.family ?? "", [...(families.get(kernel.family ?? "") ?? []), kernel]);
    const option = (kernel: KernelEntry) => el("option", { value: kernel.name, title: kernel.about }, kernel.name);
    this.kernelPick.append(el("option", { value: "" }, "your own PTX"));
    for (const [family, kernels] of families) {
      if (!family || kernels.length === 1) this.kernelPick.append(...kernels.map(option));
      else this.kernelPick.append(el("optgroup", { label: family }, ...kernels.map(option)));
    }
    this.chipPick.append(...this.catalog.chips.map((chip) => el("option", { value: chip.name }, `${chip.name}: ${chip.board}`)));
    this.kernelPick.addEventListener("change", () => void this.choose(this.kernelPick.value));
    this.sizeInput.addEventListener("change", () => { const given = this.sizeInput.valueAsNumber; this.choices.size = Number.isNaN(given) ? null : given; });
    this.chipPick.addEventListener("change", () => { this.choices.chip = this.chipPick.value; this.choices.sets = []; void this.loadSettings(); this.later(); });
    this.runButton.addEventListener("click", () => void this.run());
    this.cancelButton.addEventListener("click", () => runner.cancel());
    const file = el("input", { type: "file", accept: ".ptx,.ron,.json", hidden: true, "aria-label": "File", onchange: () => { const one = file.files?.[0]; if (one) void this.openFile(one); file.value = ""; } });
    header.append(el("h1", {}, "warpsim lab"),
      el("label", {}, el("span", {}, "Kernel"), this.kernelPick), el("label", { id: "size-label" }, el("span", {}, "Size"), this.sizeInput),
      el("label", {}, el("span", {}, "Chip"), this.chipPick), this.runButton, this.cancelButton, this.bar, this.progressText,
      el("span", { class: "spring" }), file,
      el("button", { type: "button", id: "open", onclick: () => file.click() }, "Open"),
      el("button", { type: "button", id: "save", onclick: () => download("lab.json", write(this.choices, 2), "application/json") }, "Save"),
      el("button", { type: "button", id: "share", onclick: () => void this.share() }, "Share link"),
      el("button", { type: "button", id: "theme", "aria-label": "Change between light and dark", onclick: () => {
        const root = document.documentElement;
        root.dataset["theme"] = root.dataset["theme"] === "dark" ? "light" : "dark";
      } }, "◐"));
  }

  private request(more: Partial<Request> = {}): Request { return request(this.choices, more); }

  /** Shows the choices. */
  private async load(): Promise<void> {
    this.chipPick.value = this.choices.chip;
    this.kernelPick.value = this.choices.kernel;
    const entry = this.entry();
    byId("size-label").hidden = !entry;
    this.sizeInput.value = this.choices.size === null ? "" : String(this.choices.size);
    if (entry) {
      this.sizeInput.placeholder = String(entry.default_size);
      this.sizeInput.title = entry.size_meaning;
      this.choices.ptx = await checker.call<string>("kernel", [entry.name]);
      this.about.replaceChildren(el("span", {}, `${entry.about} (${entry.book}).`), el("span", { class: "note" }, `Size: ${entry.size_meaning}. Its host program launches it; edit the text to make it your own.`));
    } else {
      this.about.replaceChildren(el("span", {}, "Your own PTX, launched as the tab Launch describes."));
    }
    this.ptxEditor.text = this.choices.ptx;
    this.launchEditor.text = entry ? "// The host program of the built-in kernel launches it.\n// Edit the PTX to make it your own: then the launch is described here.\n" : this.choices.launch;
    byId<HTMLButtonElement>("new-launch").disabled = entry !== undefined;
    await Promise.all([this.loadSettings(), this.check()]);
  }

  private entry(): KernelEntry | undefined { return this.catalog.kernels.find((kernel) => kernel.name === this.choices.kernel); }

  private async choose(name: string): Promise<void> {
    if (name === "") {
      await this.makeOwn();
    } else {
      this.choices.kernel = name;
      this.choices.size = null;
    }
    await this.load();
  }

  /** Turns the built-in kernel into the user's PTX, with a launch file. */
  private async makeOwn(): Promise<void> {
    const entry = this.entry();
    if (!entry) return;
    this.choices.kernel = "";
    this.choices.ptxName = entry.file;
    this.choices.launch = entry.launch ?? "";
    if (!this.choices.launch) {
      try {
        this.choices.launch = await checker.call<string>("launchFor", [entry.file, await checker.call<string>("kernel", [entry.name])]);
      } catch { /* The tab Launch is empty; New launch file makes one later. */ }
    }
  }

  private edited(text: string): void {
    const builtin = this.choices.kernel !== "";
    this.choices.ptx = text;
    if (builtin) {
      void this.makeOwn().then(() => {
        this.kernelPick.value = "";
        byId("size-label").hidden = true;
        byId<HTMLButtonElement>("new-launch").disabled = false;
        this.launchEditor.text = this.choices.launch;
        this.about.replaceChildren(el("span", {}, "Your own PTX, launched as the tab Launch describes."));
        this.later();
      });
    }
    this.later();
  }

  /** Checks the text a moment after the last key. */
  private later(): void {
    clearTimeout(this.typed);
    this.typed = setTimeout(() => void this.check(), 150);
  }

  private async check(): Promise<void> {
    const own = this.choices.kernel === "";
    const text = this.choices.ptx;
    const wanted: Request = { ptx: { name: own ? this.choices.ptxName : (this.entry()?.file ?? "kernel.ptx"), text }, chip: this.choices.chip, sets: this.choices.sets };
    if (own && this.choices.launch) wanted.launch = { name: "launch.ron", text: this.choices.launch };
    const checked = await checker.call<Checked>("check", [wanted]);
    if (text !== this.choices.ptx) return;
    this.ptxEditor.mark(checked.diagnostics);
    problemList(this.problems, checked, (line) => this.ptxEditor.goTo(line));
  }

  private async newLaunch(): Promise<void> {
    try {
      this.choices.launch = await checker.call<string>("launchFor", [this.choices.ptxName, this.choices.ptx]);
      this.launchEditor.text = this.choices.launch;
      this.later();
    } catch {
      say("Correct the errors in the PTX first.");
    }
  }

  private async loadSettings(): Promise<void> {
    this.settings = await checker.call<Setting[]>("settings", [this.choices.chip]);
    this.showSettings();
  }

  private showSettings(): void {
    this.panels.settings.replaceChildren(optionsView(this.choices, () => this.later()), settingsView(this.settings, this.choices, () => this.later()));
  }

  /** Runs a task of the engine with progress; errors go to `place`. */
  private async job(name: string, task: () => Promise<void>, place?: HTMLElement): Promise<void> {
    if (this.runButton.disabled) { say("Another run is in progress."); return; }
    this.runButton.disabled = true;
    this.cancelButton.disabled = false;
    this.progressText.textContent = "runs…";
    try {
      await task();
      this.progressText.textContent = "";
    } catch (why) {
      this.progressText.textContent = "";
      if (why instanceof Cancelled) say(`${name} was cancelled.`);
      else if (place) place.replaceChildren(el("pre", { class: "error", tabindex: 0 }, (why as Error).message));
      else say((why as Error).message);
    } finally {
      this.runButton.disabled = false;
      this.cancelButton.disabled = true;
      this.bar.hidden = true;
    }
  }

  private async run(): Promise<void> {
    const name = title(this.choices);
    await this.job("The run", async () => {
      const started = performance.now();
      const ran = await runner.call<Ran>("run", [this.request()], (progress) => {
        this.bar.hidden = false;
        this.bar.value = progress.retired / Math.max(progress.blocks, 1);
        this.progressText.textContent = `${count(progress.retired)} of ${count(progress.blocks)} blocks, ${count(progress.instructions)} warp instructions`;
      });
      this.lastRun = { ran, name };
      this.panels.report.replaceChildren(reportView(ran, name));
      if (ran.json) this.panels.pictures.replaceChildren(picturesView(JSON.parse(ran.json) as Document));
      this.compare.update();
      this.results.show("report");
      say(`Finished in ${((performance.now() - started) / 1000).toFixed(2)} s.`);
    }, this.panels.report);
  }

  private async share(): Promise<void> {
    const link = `${location.href.split("#")[0]}#s=${await pack(this.choices)}`;
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      say("The link is in the clipboard and in the address bar.");
    } catch {
      say("The link is in the address bar.");
    }
  }

  private async openFile(file: File): Promise<void> {
    const text = await file.text();
    try {
      if (file.name.endsWith(".ptx")) {
        this.choices = { ...this.choices, kernel: "", ptxName: file.name, ptx: text };
        try {
          this.choices.launch = await checker.call<string>("launchFor", [file.name, text]);
        } catch {
          this.choices.launch = "";
        }
      } else if (file.name.endsWith(".ron")) {
        this.choices = { ...this.choices, launch: text };
      } else {
        this.choices = read(text);
      }
      await this.load();
    } catch (why) {
      say(`${file.name}: ${(why as Error).message}`);
    }
  }
}

begin().catch((why: Error) => {
  byId("main").replaceChildren(el("p", { class: "error" }, `The lab cannot start: ${why.message}`));
});
