// The page of the lab: input at the left, results at the right.

import { Tabs, byId, download, el } from "./dom";
import { Engine } from "./engine";
import { Editor } from "./editor";
import { comparePane } from "./panes/compare";
import { CoursePane, type ProgramOfCourse } from "./panes/course";
import { ChipPane, isChip } from "./panes/chip";
import { fillClaims } from "./panes/claims";
import { FilesPane } from "./panes/files";
import { fillHeader } from "./panes/header";
import { lanesPane } from "./panes/lanes";
import { LoweredPane } from "./panes/lowered";
import { fillChips, fillKernels } from "./panes/pickers";
import { picturesView, reportView } from "./panes/report";
import { optionsView, settingsView } from "./panes/settings";
import { StepperPane } from "./panes/stepper";
import { fillPanels } from "./panes/tools";
import { problemList } from "./panes/problems";
import { cudaC, ptx, ron } from "./ptx";
import { Jobs, say } from "./jobs";
import { isProgress, kept, keyOf } from "./progress";
import {
  chipRequest,
  hasMain,
  initial,
  isCudaC,
  isProgram,
  language,
  pack,
  read,
  request,
  title,
  write,
  type Choices,
} from "./store";
import type {
  Catalog,
  Checked,
  Completion,
  Given,
  KernelEntry,
  ProgramEntry,
  Ran,
  Request,
  Setting,
} from "./types";

// Typing, runs and the stepper do not wait for each other.
export const [checker, runner, debug] = [new Engine(), new Engine(), new Engine()];
/** File name of PTX that the user types. */
const OWN = "kernel.ptx";

/** Tabs at the left and at the right: name and title. */
const INPUTS = [
  ["ptx", "Code"],
  ["files", "Files"],
  ["launch", "Launch"],
  ["settings", "Chip settings"],
  ["chipfile", "Chip file"],
] as const;
const RESULTS = [
  ["report", "Report"],
  ["lowered", "PTX"],
  ["pictures", "Pictures"],
  ["timeline", "Timeline"],
  ["memory", "Memory"],
  ["stepper", "Stepper"],
  ["checkers", "Checkers"],
  ["compare", "Compare"],
  ["claims", "Claims"],
  ["course", "Course"],
] as const;

/** The page. */
export class Page {
  private settings: Setting[] = [];
  private lastRun: { ran: Ran; name: string } | undefined;
  private readonly loaded: Promise<void>;
  private typed: ReturnType<typeof setTimeout> | undefined;
  /** The request for the names that the editor completes; empty without completion. */
  private completed = "";
  private readonly kernelPick = el("select", { id: "kernel" });
  private readonly sizeInput = el("input", { type: "number", min: 1, id: "size" });
  private readonly chipPick = el("select", { id: "chip" });
  private readonly jobs = new Jobs(runner);
  private readonly ptxEditor: Editor;
  private readonly launchEditor: Editor;
  private readonly problems = el("div", {
    class: "problems",
    hidden: true,
    role: "region",
    "aria-label": "Diagnostics",
  });
  private readonly about = el("div", { class: "bar" });
  private readonly argsInput = el("input", {
    id: "arguments",
    spellcheck: "false",
    autocomplete: "off",
    title: "Words as in a shell, given to main",
  });
  private readonly argsBar = el(
    "div",
    { class: "bar arguments" },
    el("label", {}, el("span", {}, "Arguments"), this.argsInput),
  );
  private readonly panels = Object.fromEntries(
    [...INPUTS, ...RESULTS].map(([name]) => {
      const tight = ["ptx", "launch", "chipfile", "lowered"].includes(name);
      return [name, el("div", { class: tight ? "panel tight" : "panel" })];
    }),
  ) as unknown as Record<(typeof INPUTS)[number][0] | (typeof RESULTS)[number][0], HTMLElement>;
  private readonly results: Tabs;
  /** The program of a lesson or of the list in the editor, before the user has changed it. */
  private given: { name: string; text: string } | undefined;
  /** The name of the tab of results that is shown. */
  private result = "report";
  private readonly inputs: Tabs;
  private readonly chip: ChipPane;
  private readonly files: FilesPane;
  private readonly lowered: LoweredPane;
  private readonly compare: ReturnType<typeof comparePane>;
  private readonly course: CoursePane;
  /** What starts when a tab opens, and the request with which it started last. */
  private readonly starts: Record<string, () => Promise<void>>;
  private readonly started: Record<string, string> = {};

  constructor(
    private readonly catalog: Catalog,
    private choices: Choices,
    header: HTMLElement,
    main: HTMLElement,
  ) {
    this.inputs = new Tabs("Input");
    this.results = new Tabs("Results", (name) => this.opened(name));
    main.replaceChildren(
      el(
        "section",
        { class: "column", "aria-label": "Input" },
        this.inputs.list,
        ...INPUTS.map(([name]) => this.panels[name]),
      ),
      el(
        "section",
        { class: "column", "aria-label": "Results" },
        this.results.list,
        ...RESULTS.map(([name]) => this.panels[name]),
      ),
    );
    for (const [name, label] of INPUTS) this.inputs.add(name, label, this.panels[name]);
    for (const [name, label] of RESULTS) this.results.add(name, label, this.panels[name]);

    const editor = el("div", { class: "editor" }),
      launch = el("div", { class: "editor" });
    this.panels.ptx.append(this.about, this.argsBar, editor, this.problems);
    this.argsInput.addEventListener("input", () => {
      this.choices.args = this.argsInput.value;
    });
    this.ptxEditor = new Editor(
      editor,
      ptx,
      "Code",
      (text) => this.edited(text),
      (line) => this.lineChosen(line),
    );
    this.lowered = new LoweredPane({
      engine: checker,
      request: () => this.request(),
      mark: (line) => this.ptxEditor.current(line),
      text: (line) => this.ptxEditor.lineText(line),
    });
    this.panels.lowered.append(this.lowered.element);
    this.files = new FilesPane((input) => {
      this.choices.input = input;
    }, catalog.files_limit);
    this.panels.files.append(this.files.element);
    this.launchEditor = new Editor(launch, ron, "Launch file", (text) => {
      this.choices.launch = text;
      this.later();
    });
    this.chip = new ChipPane({
      engine: checker,
      choices: () => this.choices,
      changed: (other) => void this.chipChanged(other),
      open: (file) => void this.openFile(file),
    });
    this.panels.chipfile.append(this.chip.element);
    this.panels.launch.append(
      el(
        "div",
        { class: "bar", id: "launch-bar" },
        el(
          "button",
          { type: "button", id: "new-launch", onclick: () => void this.newLaunch() },
          "New launch file",
        ),
        el(
          "span",
          { class: "note" },
          "Grid, block, parameters, buffers and expected results of a kernel.",
        ),
      ),
      launch,
    );

    const stepper = new StepperPane(debug, catalog, () => this.request());
    this.panels.stepper.append(stepper.element);
    this.compare = comparePane(
      runner,
      () => this.lastRun,
      (wanted) => this.jobs.run("The comparison", () => wanted()),
    );
    this.panels.compare.append(this.compare.element);
    const record = fillPanels(this.panels, {
      catalog,
      engine: runner,
      request: (more) => this.request(more),
      job: (name, task, place) => this.jobs.run(name, task, place),
    });
    this.starts = {
      stepper: () => stepper.start(),
      timeline: record,
      lowered: () => this.lowered.start(),
    };
    void fillClaims(this.panels.claims, {
      engine: runner,
      job: (name, task, place) => this.jobs.run(name, task, place),
      progress: (progress) => this.jobs.show(progress),
    });
    this.course = new CoursePane({
      checker,
      runner,
      job: (name, task, place) => this.jobs.run(name, task, place),
      load: (program) => this.loadProgram(program),
      kernel: ({ kernel, size, chip }) => this.chooseKernel(kernel, size, chip),
      listed: (path) =>
        catalog.programs.find(({ name }) => /^examples\/\w+\/(.*)/.exec(path)?.[1] === name)?.text,
      show: (tab) => {
        this.inputs.show(tab);
        this.results.show(tab);
      },
      text: () => this.choices.ptx,
      exercise: () => this.exercise(),
      link: (exercise) => this.exerciseLink(exercise),
    });
    this.panels.course.append(this.course.element);
    this.header(header);
    addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void (event.shiftKey ? this.course.check() : this.run());
      }
    });
    addEventListener("hashchange", () => void this.openPlace());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (!files.length) return;
      event.preventDefault();
      void this.openFiles(files);
    });
    this.panels.settings.addEventListener("rebuild", () => this.showSettings());
    this.loaded = this.load();
  }

  /** Runs what the page opens with. */
  async start(): Promise<void> {
    await this.loaded;
    await this.run(false);
    this.panels.report.append(
      el(
        "p",
        { class: "note" },
        "Change the program and press Run (Ctrl+Enter): errors are marked while you type. Pictures shows the lines with the most time, PTX what the compiler makes of each line, and Stepper steps a launch by lines, with its variables.",
      ),
      el(
        "p",
        { class: "note" },
        "Kernels in PTX are in the same list: choose matmul-naive, enter the size 64 and run it. Keep the run as A in the tab Compare, run matmul-tiled, keep it as B, and compare.",
      ),
      el("p", { class: "note" }, "Course has lessons and exercises with tests."),
    );
  }

  /** Opens the lesson or the exercise that the address names. */
  async openPlace(): Promise<void> {
    const [, what, coded] = /^#(exercise|lesson)=(.+)$/.exec(location.hash) ?? [];
    if (!what || !coded) return;
    await this.loaded;
    let name = coded;
    try {
      name = decodeURIComponent(coded);
    } catch {
      // The name is unknown, which the tab says.
    }
    this.results.show("course");
    if (what === "lesson") await this.course.lesson(Number(name));
    else await this.course.open({ name, files: kept()[name]?.files ?? {} });
    // In a narrow window, the results are below the input.
    this.panels.course.parentElement?.scrollIntoView({ block: "start" });
  }

  /** Opens the exercise of a link with a program, or without one. */
  async openExercise(): Promise<void> {
    await this.loaded;
    const { exercise: name, handout: files, ptx } = this.choices;
    this.results.show("course");
    await this.course.open({ name, files }, ptx);
  }

  /** The exercise whose program is in the editor. */
  private exercise(): Given | undefined {
    const { exercise: name, handout: files } = this.choices;
    return name ? { name, files } : undefined;
  }

  /** Ends the exercise: the editor gets another program. */
  private leaveExercise(): void {
    if (!this.choices.exercise) return;
    this.choices = { ...this.choices, exercise: "", handout: {} };
    if (location.hash.startsWith("#exercise=")) history.replaceState(null, "", "#");
  }

  /** Puts a program of the course into the editor. */
  private async loadProgram(program: ProgramOfCourse): Promise<void> {
    const { file, text, args, chip, input, exercise, sets, registers, cache } = program;
    this.leaveExercise();
    const hasLaunch = file.endsWith(".cl") && !exercise;
    const made = hasLaunch && !program.launch ? this.launchFor(file, text).catch(() => "") : "";
    const own = { kernel: "", ptxName: file, ptx: text, launch: program.launch ?? (await made) };
    this.given = exercise ? undefined : { name: file, text };
    this.choices = {
      ...this.choices,
      ...own,
      ...(args === undefined ? {} : { args }),
      ...(input === undefined ? {} : { input }),
      ...(chip && chip !== this.choices.chip ? { chip, sets: [] } : {}),
      ...(sets === undefined ? {} : { sets }),
      ...(registers === undefined ? {} : { registers }),
      ...(cache === undefined ? {} : { cache: cache as Choices["cache"] }),
      ...(exercise ? { exercise: exercise.name, handout: exercise.files } : {}),
    };
    for (const one of program.files ?? []) this.files.put(one);
    if (exercise) {
      // Reloading the page opens the exercise again.
      history.replaceState(null, "", `#exercise=${encodeURIComponent(keyOf(exercise))}`);
    }
    await this.load();
    this.inputs.show("ptx");
  }

  /** Chooses a built-in kernel, a size and a chip, without other settings. */
  private async chooseKernel(kernel: string, size: number | null, chip: string): Promise<void> {
    this.leaveExercise();
    const { sets, registers, cache } = initial;
    this.choices = { ...this.choices, kernel, size, chip, sets, registers, cache };
    await this.load();
    this.inputs.show("ptx");
  }

  /** Returns a link to an exercise: a hand-out is a part of its link. */
  private async exerciseLink(given: Given): Promise<string> {
    const { name, files } = given;
    const packed = Object.keys(files).length
      ? `s=${await pack({ ...initial, kernel: "", exercise: name, handout: files })}`
      : `exercise=${name}`;
    const link = `${location.href.split("#")[0]}#${packed}`;
    history.replaceState(null, "", link);
    return link;
  }

  private header(header: HTMLElement): void {
    fillKernels(this.kernelPick, this.catalog);
    fillChips(this.chipPick, this.catalog);
    this.kernelPick.addEventListener("change", () => void this.choose(this.kernelPick.value));
    this.sizeInput.addEventListener("change", () => {
      const given = this.sizeInput.valueAsNumber;
      this.choices.size = Number.isNaN(given) ? null : given;
    });
    this.chipPick.addEventListener("change", () => {
      const { choices } = this;
      if (choices.chip) choices.base = choices.chip;
      choices.chip = this.chipPick.value;
      choices.sets = [];
      if (choices.chip || choices.chipFile) void this.chipChanged(true);
      else void this.chip.create().then(() => this.inputs.show("chipfile"));
    });
    this.jobs.start.addEventListener("click", () => void this.run());
    fillHeader(header, {
      kernel: this.kernelPick,
      size: this.sizeInput,
      chip: this.chipPick,
      jobs: this.jobs.elements,
      open: (files) => void this.openFiles(files),
      save: () => download("lab.json", write(this.choices, 2), "application/json"),
      share: () => void this.share(),
    });
  }

  private request(more: Partial<Request> = {}): Request {
    const files = isProgram(this.choices) ? { files: this.files.added } : {};
    return request(this.choices, { ...files, ...more });
  }

  /** Marks what the compiler makes of a line. */
  private lineChosen(line: number): void {
    this.ptxEditor.current(0);
    this.lowered.select(line);
  }

  /** Shows the choices. */
  private async load(): Promise<void> {
    this.chipPick.value = this.choices.chip;
    const program = this.program();
    this.kernelPick.value = program ? program.name : this.choices.kernel;
    const entry = this.entry();
    this.showSize(entry !== undefined);
    this.sizeInput.value = this.choices.size === null ? "" : String(this.choices.size);
    if (entry) {
      this.sizeInput.placeholder = String(entry.default_size);
      this.sizeInput.title = entry.size_meaning;
      this.choices.ptx = await checker.call<string>("kernel", [entry.name]);
      this.about.replaceChildren(
        el("span", {}, `${entry.about} (${entry.book}).`),
        el(
          "span",
          { class: "note" },
          `Size: ${entry.size_meaning}. Its host program launches it; edit the text to make it your own.`,
        ),
      );
    } else {
      this.ownText(program);
    }
    this.ptxEditor.speak(isCudaC(this.choices) ? cudaC : ptx);
    this.ptxEditor.text = this.choices.ptx;
    this.files.text = this.choices.input;
    this.argsInput.value = this.choices.args;
    this.showLaunch();
    this.course.update();
    await Promise.all([this.loadSettings(), this.chip.load(), this.check()]);
    void this.complete();
  }

  /** Shows the field for the size, or leaves its place empty: the header keeps its layout. */
  private showSize(shown: boolean): void {
    byId("size-label").classList.toggle("absent", !shown);
  }

  /** Says what runs: `program` is the unchanged program of the list. */
  private ownText(program?: ProgramEntry): void {
    const runs = isProgram(this.choices);
    const { exercise } = this.choices;
    const own = `Your own ${language(this.choices)}`;
    this.about.replaceChildren(
      el("span", {}, exercise ? `Exercise ${exercise}` : program ? program.about : own),
      el(
        "span",
        { class: "note" },
        runs ? "Host code and kernels run; edit both." : "The tab Launch describes the launch.",
      ),
    );
  }

  private showLaunch(): void {
    const entry = this.entry();
    const runs = isProgram(this.choices);
    this.argsBar.hidden = !runs;
    this.launchEditor.text = entry
      ? "// The host program of the built-in kernel launches it.\n// Edit the PTX to make it your own: then the launch is described here.\n"
      : runs
        ? "// The host code of the program launches its kernels.\n"
        : this.choices.launch;
    byId<HTMLButtonElement>("new-launch").disabled = entry !== undefined || runs;
  }

  /** Completes the names of CUDA C that the chip has. */
  private async complete(): Promise<void> {
    const wanted = { ...chipRequest(this.choices), sets: this.choices.sets };
    const key = isCudaC(this.choices) ? JSON.stringify(wanted) : "";
    if (this.completed === key) return;
    this.completed = key;
    try {
      const names = key ? await checker.call<Completion[]>("names", [wanted]) : [];
      this.ptxEditor.complete(names);
    } catch {
      // The chip file has errors, which its tab shows; the names are those of the last valid one.
    }
  }

  /** Shows another chip, or the changed text of the user's chip. */
  private async chipChanged(other: boolean): Promise<void> {
    this.chipPick.value = this.choices.chip;
    await Promise.all([this.loadSettings(), other ? this.chip.load() : this.chip.check()]);
    void this.complete();
    this.later();
  }

  /** Starts the stepper or the recording of its tab, unless it shows the chosen launch already. */
  private opened(name: string): void {
    this.result = name;
    const start = this.starts[name];
    const wanted = JSON.stringify(this.request());
    if (!start || this.started[name] === wanted || (name === "timeline" && this.jobs.busy)) return;
    this.started[name] = wanted;
    void start();
  }

  private entry(): KernelEntry | undefined {
    return this.catalog.kernels.find((kernel) => kernel.name === this.choices.kernel);
  }

  /** The program of the list whose text is unchanged. */
  private program(): ProgramEntry | undefined {
    return this.catalog.programs.find(
      (one) => isCudaC(this.choices) && this.choices.ptx === one.text,
    );
  }

  private async choose(name: string): Promise<void> {
    if (name) this.leaveExercise();
    const program = this.catalog.programs.find((one) => one.name === name);
    if (program) {
      const ptxName = program.name;
      const { text, launch } = program;
      const own = { kernel: "", ptxName, ptx: text, launch, args: "" };
      this.choices = { ...this.choices, ...own };
    } else if (name === "") {
      await this.makeOwn();
    } else {
      // Kernels with the same meaning of the size are compared at the same size.
      const meaning = this.entry()?.size_meaning;
      this.choices.kernel = name;
      if (this.entry()?.size_meaning !== meaning) this.choices.size = null;
    }
    await this.load();
  }

  /** Turns the built-in kernel into the user's PTX, with a launch file. */
  private async makeOwn(): Promise<void> {
    const entry = this.entry();
    if (!entry) return;
    this.choices.kernel = "";
    this.choices.ptxName = OWN;
    this.choices.launch = entry.launch ?? "";
    if (!this.choices.launch) {
      const text = await checker.call<string>("kernel", [entry.name]);
      // After an error the tab Launch is empty; New launch file makes one later.
      this.choices.launch = await this.launchFor(OWN, text).catch(() => "");
    }
  }

  /** Names the typed text: a changed program has its own name, and the name of the program again
   * when it is as before. `program` is the unchanged program of the list. */
  private nameTyped(program?: ProgramEntry): void {
    const { choices, given } = this;
    if (choices.exercise || !isCudaC(choices)) return;
    const listed = this.catalog.programs.some(({ name }) => name === choices.ptxName);
    if (program) choices.ptxName = program.name;
    else if (given?.text === choices.ptx) choices.ptxName = given.name;
    else if (listed || given?.name === choices.ptxName)
      choices.ptxName = choices.ptxName.replace(/^.*\./, "program.");
  }

  private edited(text: string): void {
    const builtin = this.choices.kernel !== "";
    this.choices.ptx = text;
    this.course.typed(text);
    if (builtin) {
      void this.makeOwn().then(() => {
        this.kernelPick.value = "";
        this.showSize(false);
        byId<HTMLButtonElement>("new-launch").disabled = false;
        this.launchEditor.text = this.choices.launch;
        this.ownText();
        this.later();
      });
    } else {
      const program = this.program();
      this.nameTyped(program);
      this.kernelPick.value = program ? program.name : "";
      this.ownText(program);
      this.showLaunch();
    }
    this.later();
  }

  // Checks the text a moment after the last key.
  private later(): void {
    clearTimeout(this.typed);
    this.typed = setTimeout(() => void this.check(), 150);
  }

  private async check(): Promise<void> {
    const own = this.choices.kernel === "";
    const text = this.choices.ptx;
    const wanted: Request = {
      ...chipRequest(this.choices),
      sets: this.choices.sets,
      ptx: { name: own ? this.choices.ptxName : (this.entry()?.file ?? OWN), text },
    };
    // Without a launch file, CUDA C is a program.
    if (own && !isProgram(this.choices) && (this.choices.launch || isCudaC(this.choices)))
      wanted.launch = { name: "launch.ron", text: this.choices.launch };
    const checked = await checker.call<Checked>("check", [wanted]);
    if (text !== this.choices.ptx) return;
    this.ptxEditor.mark(checked.diagnostics);
    problemList(this.problems, checked, (line) => this.ptxEditor.goTo(line));
    if (this.result === "lowered") this.opened("lowered");
  }

  /** Returns a new launch file for a text. */
  private launchFor(name: string, text: string): Promise<string> {
    const wanted = { ...chipRequest(this.choices), sets: this.choices.sets, ptx: { name, text } };
    return checker.call<string>("launchFor", [wanted, null]);
  }

  private async newLaunch(): Promise<void> {
    try {
      this.choices.launch = await this.launchFor(this.choices.ptxName, this.choices.ptx);
      this.launchEditor.text = this.choices.launch;
      this.later();
    } catch {
      say(`Correct the errors in the ${language(this.choices)} first.`);
    }
  }

  private async loadSettings(): Promise<void> {
    try {
      this.settings = await checker.call<Setting[]>("settings", [chipRequest(this.choices)]);
    } catch {
      // The tab Chip file shows the errors of the text; the settings are those of the last valid one.
      return;
    }
    this.showSettings();
  }

  private showSettings(): void {
    this.panels.settings.replaceChildren(
      optionsView(this.choices, () => this.later()),
      settingsView(this.settings, this.choices, () => this.later()),
    );
  }

  /** Runs the choices. A run that the user starts shows its report. */
  private async run(shows = true): Promise<void> {
    const [name, request] = [title(this.choices), this.request()];
    await this.jobs.run(
      "The run",
      async () => {
        const started = performance.now();
        const ran = await runner.call<Ran>("run", [request], (progress) =>
          this.jobs.show(progress),
        );
        this.lastRun = { ran, name };
        this.panels.report.replaceChildren(reportView(ran, name));
        this.panels.pictures.replaceChildren(
          ran.json
            ? picturesView(ran.pictures, (launch) =>
                lanesPane(runner, request, launch, (...task) => this.jobs.run(...task)),
              )
            : el("p", { class: "note" }, "The run has no report, and so no pictures."),
        );
        this.files.wrote(ran.files);
        if (ran.files.length) this.panels.report.append(this.writtenNote(ran));
        this.compare.update();
        if (shows) this.results.show("report");
        say(`Finished in ${((performance.now() - started) / 1000).toFixed(2)} s.`);
      },
      this.panels.report,
    );
  }

  /** Says which files a run has written. */
  private writtenNote({ files }: Ran): HTMLElement {
    const names = files.map(({ name }) => name).join(", ");
    return el(
      "div",
      { class: "bar" },
      el(
        "button",
        { type: "button", id: "show-files", onclick: () => this.inputs.show("files") },
        "Show files",
      ),
      el("span", { class: "note" }, `The program has written ${names}.`),
    );
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

  private async openFiles(files: File[]): Promise<void> {
    if (CoursePane.isHandout(files)) {
      this.results.show("course");
      await this.course.openFiles(files);
      return;
    }
    for (const file of files) await this.openFile(file);
  }

  private async openFile(file: File): Promise<void> {
    // A host program in C reads its kernels from files.
    const isRead = file.name.endsWith(".cl") && language(this.choices) === "C";
    if (isRead || !/\.(cuh?|c|cl|ptx|ron|json)$/.test(file.name)) {
      await this.files.add(file);
      this.inputs.show("files");
      return;
    }
    const text = await file.text();
    if (isProgress(text)) {
      this.results.show("course");
      await this.course.add(file);
      return;
    }
    // A file with the name of the exercise is the student's program.
    const isOwn = this.choices.exercise !== "" && file.name === this.choices.ptxName;
    if (!isOwn && !file.name.endsWith(".ron")) this.leaveExercise();
    try {
      if (isOwn) {
        this.choices.ptx = text;
        this.course.typed(text);
      } else if (/\.(cuh?|c)$/.test(file.name)) {
        // A program with its host code has no launch file.
        const keeps = isCudaC(this.choices) && !hasMain(text);
        const launch = keeps ? this.choices.launch : "";
        this.choices = { ...this.choices, kernel: "", ptxName: file.name, ptx: text, launch };
      } else if (/\.(ptx|cl)$/.test(file.name)) {
        const launch = await this.launchFor(file.name, text).catch(() => "");
        this.choices = { ...this.choices, kernel: "", ptxName: file.name, ptx: text, launch };
      } else if (file.name.endsWith(".ron")) {
        const chip = { chip: "", chipName: file.name, chipFile: text, sets: [] };
        this.choices = { ...this.choices, ...(isChip(text) ? chip : { launch: text }) };
      } else {
        this.choices = read(text);
      }
      if (this.choices.exercise && !isOwn) await this.openExercise();
      else await this.load();
    } catch (why) {
      say(`${file.name}: ${(why as Error).message}`);
    }
  }
}
