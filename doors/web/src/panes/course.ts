// The course: the list of lessons and exercises, a lesson, or an exercise with its tests.

import { download, el } from "../dom";
import type { Engine } from "../engine";
import { say } from "../jobs";
import { markdown, type References } from "../markdown";
import { addProgress, keep, keyOf, kept, progressFile } from "../progress";
import { DEFAULT_CHIP } from "../types";
import type {
  Course,
  DirectLaunch,
  Given,
  Grade,
  LessonPage,
  Listed,
  NamedBytes,
  Opened,
  Request,
} from "../types";
import { asked, isCommands, withDefines, type Asked } from "./command";
import { gradeView } from "./grade";
import { fileButton } from "./header";

/** A program for the editor. */
export interface ProgramOfCourse {
  file: string;
  text: string;
  /** Launch file; without one, the text is a program. */
  launch?: string;
  /** Absent parts stay as they are. */
  sets?: [string, string][];
  registers?: number | null;
  cache?: string;
  args?: string;
  chip?: string | null;
  input?: string;
  files?: NamedBytes[];
  /** The exercise of the program. */
  exercise?: Given;
}

/** What the pane uses of the page. */
export interface CourseHost {
  /** The engine for texts, and the engine for tests. */
  checker: Engine;
  runner: Engine;
  job: (name: string, task: () => Promise<void>, place?: HTMLElement) => Promise<void>;
  /** Puts a program into the editor. */
  load: (program: ProgramOfCourse) => Promise<void>;
  /** Chooses a built-in kernel. */
  kernel: (of: { kernel: string; size: number | null; chip: string }) => Promise<void>;
  /** The text of a program of the list by its path in the repository. */
  listed: (path: string) => string | undefined;
  /** Shows a tab. */
  show: (tab: string) => void;
  /** The text of the editor. */
  text: () => string;
  /** The exercise whose program is in the editor. */
  exercise: () => Given | undefined;
  /** Returns a link of the page with a program and its exercise. */
  link: (exercise: Given) => Promise<string>;
}

/** What a student does in an exercise of a kind. */
const KINDS: Record<string, string> = {
  write: "write a kernel",
  debug: "find a mistake",
  fast: "make it fast",
};

const button = (name: string, onclick: () => void, more: Record<string, string> = {}) =>
  el("button", { type: "button", onclick, ...more }, name);

/** The tab of the course. */
// A part of the page made of a picture's file: the page has the style of its colors.
const ofPage = (svg: string | undefined) =>
  svg
    ?.replace(/<style>[^]*?<\/style>\n?/, "")
    .replace("<svg ", '<svg class="figure" style="min-width:700px" ');

export class CoursePane {
  readonly element = el("div", { id: "course" });
  private course: Course = { lessons: [], exercises: [] };
  private readonly loaded: Promise<void>;
  /** The exercise that is shown. */
  private shown: { given: Given; opened: Opened } | undefined;
  private readonly other = el("div", { id: "course-other", class: "bar", hidden: true });
  private readonly result = el("div", { id: "course-grade", "aria-live": "polite" });
  private readonly checkButton = button("Check", () => void this.check(), {
    id: "course-check",
    class: "primary",
    title: "Ctrl+Shift+Enter",
  });

  constructor(private readonly host: CourseHost) {
    this.loaded = host.checker.call<Course>("course", []).then((course) => {
      this.course = course;
      if (!this.element.childElementCount) this.list();
    });
  }

  /** Replaces the contents; the focus moves to the heading if the user has asked for it. */
  private show(title: string, back: boolean, ...parts: (HTMLElement | null)[]): void {
    const heading = el("h2", { tabindex: -1 }, title);
    this.element.replaceChildren(
      ...(back ? [el("div", { class: "bar" }, this.backButton())] : []),
      heading,
      ...parts.filter((part) => part !== null),
    );
    const panel = this.element.parentElement;
    if (panel) panel.scrollTop = 0;
    if (this.asked) heading.focus({ preventScroll: true });
    this.asked = false;
  }

  /** Whether the user has asked for the next contents. */
  private asked = false;

  private backButton(): HTMLElement {
    return button("All lessons", () => this.go(() => this.list()), { id: "course-list" });
  }

  /** Shows what the user has asked for. */
  private go(shows: () => void | Promise<void>): void {
    this.asked = true;
    void shows();
  }

  /** Shows the lessons and exercises with the results. */
  list(): void {
    this.shown = undefined;
    const { lessons, exercises } = this.course;
    const results = kept();
    const of = (number: number) => exercises.filter(({ lesson }) => lesson === number);
    const head = (name: string) => el("th", { scope: "col" }, name);
    const bodies = lessons.map(({ number, title }) =>
      el(
        "tbody",
        {},
        el(
          "tr",
          {},
          el(
            "th",
            { colspan: 4, scope: "rowgroup" },
            button(`${number}. ${title}`, () => this.go(() => this.lesson(number)), {
              id: `lesson-${number}`,
              class: "link",
              "aria-label": `Lesson ${number}: ${title}`,
            }),
          ),
        ),
        ...of(number).map((one) => this.row(one, { name: one.name, files: {} })),
      ),
    );
    const handouts = Object.entries(results).filter(([, { files }]) => files);
    const done = exercises.filter(({ name, points }) => results[name]?.best === points).length;
    this.show(
      "Course",
      false,
      el(
        "p",
        {},
        "Fourteen lessons about the first CUDA GPUs, with exercises. Choose a lesson to read it, or an exercise to solve it: its program opens in the editor, and the button Check runs its open tests.",
      ),
      el(
        "p",
        { class: "note", id: "course-done" },
        `${done} of ${exercises.length} exercises have all open points. Programs and results are kept in this browser.`,
      ),
      el(
        "div",
        { class: "bar" },
        button("Save progress", () => download("course.json", progressFile(), "application/json"), {
          id: "course-save",
        }),
        ...fileButton("course-load", "Load progress", ".json", (file) => void this.add(file)),
        ...fileButton(
          "course-handout",
          "Open hand-out",
          ".ron,.md,.cu,.cl",
          () => {},
          (files) => void this.openFiles(files),
        ),
      ),
      handouts.length
        ? el(
            "table",
            { id: "course-handouts" },
            el("caption", {}, "Hand-outs that you have opened"),
            el(
              "tbody",
              {},
              ...handouts.map(([key, one]) => {
                const name = key.replace(/@.*$/, "");
                const given = { name, files: one.files! };
                const best = one.best === undefined ? "-" : `${one.best} of ${one.of} open`;
                return el(
                  "tr",
                  {},
                  el(
                    "td",
                    {},
                    button(name, () => this.go(() => this.open(given)), { class: "link" }),
                  ),
                  el("td", {}, best),
                );
              }),
            ),
          )
        : null,
      el(
        "table",
        { id: "course-table" },
        el(
          "thead",
          {},
          el("tr", {}, head("Exercise"), head("Level, task"), head("Points"), head("Best result")),
        ),
        ...bodies,
      ),
    );
  }

  /** A row of the list. */
  private row(one: Listed, given: Given): HTMLElement {
    const best = kept()[keyOf(given)]?.best;
    const full = best === one.points;
    return el(
      "tr",
      {},
      el(
        "td",
        {},
        button(one.title, () => this.go(() => this.open(given)), {
          id: `exercise-${one.name}`,
          class: "link",
        }),
        " ",
        el("span", { class: "note" }, one.name),
      ),
      el("td", {}, `${one.level}, ${KINDS[one.kind] ?? one.kind}`),
      el("td", {}, `${one.points + one.closed}`),
      el(
        "td",
        { class: full ? "good" : "" },
        best === undefined ? "-" : `${best} of ${one.points} open`,
      ),
    );
  }

  /** Shows a lesson. */
  async lesson(number: number): Promise<void> {
    await this.loaded;
    const entry = this.course.lessons.find((one) => one.number === number);
    const page = await this.host.checker.call<LessonPage | null>("lesson", [number]);
    if (!entry || !page) {
      say(`There is no lesson ${number}.`);
      return;
    }
    this.shown = undefined;
    const ready = (name: string, note: string) =>
      say(`${name} is ready: press Run${note ? `, ${note}` : ""}.`);
    const load = (path: string) => {
      const text = page.programs[path];
      const file = path.split("/").at(-1)!;
      if (text === undefined) return;
      void this.host.load({ file, text, args: "", input: "" }).then(() => ready(file, ""));
    };
    const to: References = {
      picture: (path) => ofPage(page.pictures[path]),
      link: (path) => {
        const exercise = /exercises\/([\w-]+)\/README\.md$/.exec(path)?.[1];
        const given = { name: exercise ?? "", files: {} };
        if (exercise) return button("", () => this.go(() => this.open(given)), { class: "link" });
        const lesson = this.course.lessons.find(({ file }) => file === path);
        if (lesson)
          return button("", () => this.go(() => this.lesson(lesson.number)), { class: "link" });
        if (page.programs[path] !== undefined)
          return button("", () => load(path), { class: "link", title: "Open in the editor" });
        return undefined;
      },
      below: (language, code) => {
        if (language !== "sh" && !isCommands(code)) return undefined;
        const made = asked(code).map((one) => this.answer(one, page, ready));
        return made.length ? el("div", { class: "loads" }, ...made) : undefined;
      },
    };
    const [, ...rest] = markdown(page.text, to);
    const exercises = this.course.exercises.filter((one) => one.lesson === number);
    const next = this.course.lessons.find((one) => one.number === number + 1);
    this.show(
      `Lesson ${number}: ${entry.title}`,
      true,
      el("div", { class: "prose" }, ...rest),
      exercises.length ? el("h3", {}, "Exercises of this lesson") : null,
      exercises.length
        ? el(
            "table",
            {},
            el(
              "tbody",
              {},
              ...exercises.map((one) => this.row(one, { name: one.name, files: {} })),
            ),
          )
        : null,
      el(
        "div",
        { class: "bar" },
        this.backButton(),
        next
          ? button(`Next lesson: ${next.title}`, () => this.go(() => this.lesson(next.number)))
          : null,
      ),
    );
  }

  /** Returns the button for what a line of a lesson asks for, or says that the page cannot do it. */
  private answer(
    one: Asked,
    page: LessonPage,
    ready: (name: string, note: string) => void,
  ): HTMLElement {
    const none = () =>
      el("span", { class: "note" }, "This command is only for the program warpsim.");
    if (one.kind === "none") return none();
    if (one.kind === "settings")
      return button("Show the chip settings", () => this.host.show("settings"), { class: "load" });
    if (one.kind === "exercise") {
      const given = { name: one.name, files: {} };
      const open = () => this.go(() => this.open(given));
      return button(`Open the exercise ${one.name}`, open, { class: "load" });
    }
    const { command } = one;
    const { sets, registers, cache, args, defines, direct, note } = command;
    const chip = command.chip ?? DEFAULT_CHIP;
    const after = (name: string) => {
      ready(name, note);
      if (command.tab === "settings") this.host.show("settings");
    };
    if (command.kernel) {
      const { kernel, size } = command;
      const choose = () => void this.host.kernel({ kernel, size, chip }).then(() => after(kernel));
      return button(`Choose ${kernel}${size ? `, size ${size}` : ""}`, choose, { class: "load" });
    }
    const path = command.file.replace(/^course\/lessons\//, "");
    const launch = page.launches[path];
    const text = launch?.program ?? page.programs[path] ?? this.host.listed(path);
    if (text === undefined) return none();
    const file = launch?.file ?? path.split("/").at(-1)!;
    const program: ProgramOfCourse = {
      file,
      text: withDefines(text, defines),
      ...(launch ? { launch: launch.text } : {}),
      ...{ args, input: "", chip, sets, registers, cache },
    };
    const shown = path.split("/").at(-1)!;
    const more = [...sets.map((set) => set.join("=")), ...defines, ...(args ? [args] : [])];
    if (command.chip) more.unshift(command.chip);
    if (registers !== null) more.push(`${registers} registers`);
    if (cache) more.push(cache);
    if (direct)
      more.push(
        ...[direct.global ?? direct.grid, ...(direct.arguments ?? [])].filter(
          (one) => one !== undefined,
        ),
      );
    const name = more.length ? `Load ${shown} (${more.join(", ")})` : `Load ${shown}`;
    const start = async () => {
      if (direct) program.launch = await this.launchOf(program, direct);
      await this.host.load(program);
      after(shown);
    };
    const failed = (why: Error) => say(why.message);
    return button(name, () => void start().catch(failed), { class: "load" });
  }

  /** Opens an exercise. A `text` replaces the kept program in the editor. */
  async open(given: Given, text = ""): Promise<void> {
    await this.loaded;
    let opened: Opened;
    try {
      opened = await this.host.checker.call<Opened>("exercise", [given]);
    } catch (why) {
      this.show(
        "The exercise cannot be opened",
        true,
        el("pre", { class: "error", tabindex: 0 }, (why as Error).message),
      );
      return;
    }
    given = { ...given, name: opened.listed.name };
    const key = keyOf(given);
    if (Object.keys(given.files).length) keep(key, (of) => ({ ...of, files: given.files }));
    this.shown = { given, opened };
    this.result.replaceChildren();
    // A link with a program has its arguments and its chip, too.
    if (text) await this.host.load({ file: opened.file, text, exercise: given });
    else await this.load(kept()[key]?.text ?? opened.start);
    const { listed } = opened;
    const to: References = {
      below: (_, code) => {
        const found = asked(code)[0];
        if (found?.kind !== "load" || found.command.file !== opened.file) return undefined;
        const { args, chip, direct } = found.command;
        const use = () => this.use({ args, ...(chip ? { chip } : {}) }, direct);
        return button(
          "Use these arguments",
          () => void use().catch((why: Error) => say(why.message)),
          { class: "load" },
        );
      },
    };
    const [, ...statement] = markdown(opened.statement, to, 2);
    const { lesson } = listed;
    this.show(
      listed.title,
      true,
      el("p", { class: "note", id: "course-about" }),
      el(
        "div",
        { class: "bar" },
        this.checkButton,
        button("Starting program", () => void this.restore(), { id: "course-start" }),
        button(`Export ${opened.file}`, () => this.export(), { id: "course-export" }),
        button("Link to this exercise", () => void this.link(), { id: "course-link" }),
        lesson && given.files["exercise.ron"] === undefined
          ? button(`Lesson ${lesson}`, () => this.go(() => this.lesson(lesson)))
          : null,
      ),
      this.other,
      this.result,
      el(
        "div",
        { class: "prose" },
        ...statement,
        el(
          "p",
          { class: "note" },
          "In this page, the button Check is the command `warpsim lab check`, and Run with the field Arguments is `warpsim run`.",
        ),
      ),
    );
    this.update();
  }

  /** Says how good the best result is, and whether the editor has another program. */
  update(): void {
    if (!this.shown) return;
    const { given, opened } = this.shown;
    const { listed } = opened;
    const best = kept()[keyOf(given)]?.best;
    const about = this.element.querySelector("#course-about");
    const result = best === undefined ? "none" : `${best} of ${listed.points} open points`;
    if (about)
      about.textContent = `${listed.level}, ${KINDS[listed.kind] ?? listed.kind}; ${listed.points + listed.closed} points, ${listed.points} of them open. Best result: ${result}.`;
    const inEditor = this.host.exercise();
    const is = inEditor !== undefined && keyOf(inEditor) === keyOf(given);
    this.checkButton.disabled = !is;
    this.other.hidden = is;
    this.other.replaceChildren(
      el("span", {}, "The editor has another program."),
      button("Show my program", () => void this.load(kept()[keyOf(given)]?.text ?? opened.start), {
        id: "course-mine",
      }),
    );
  }

  /** Puts a program of the exercise into the editor. */
  private async load(text: string): Promise<void> {
    if (!this.shown) return;
    const { given, opened } = this.shown;
    await this.host.load({
      file: opened.file,
      text,
      args: opened.arguments,
      input: opened.input,
      files: opened.files,
      chip: opened.chip,
      exercise: given,
    });
    this.update();
  }

  /** Changes arguments and chip, and keeps the program. */
  private async use(more: { args: string; chip?: string }, direct?: DirectLaunch): Promise<void> {
    if (!this.shown) return;
    const { given, opened } = this.shown;
    const { file, start } = opened;
    const text = this.other.hidden ? this.host.text() : (kept()[keyOf(given)]?.text ?? start);
    const program: ProgramOfCourse = { file, text, exercise: given, ...more };
    if (direct) program.launch = await this.launchOf(program, direct);
    await this.host.load(program);
    this.update();
    say("Press Run.");
  }

  /** Returns the launch file of the options of a command. */
  private launchOf(of: ProgramOfCourse, direct: DirectLaunch): Promise<string> {
    const { file, text, chip, sets } = of;
    const wanted: Request = {
      ptx: { name: file, text },
      chip: chip ?? DEFAULT_CHIP,
      sets: sets ?? [],
    };
    return this.host.checker.call<string>("launchFor", [wanted, direct]);
  }

  /** Keeps the program that the user types. */
  typed(text: string): void {
    const given = this.host.exercise();
    if (!given) return;
    const good = keep(keyOf(given), (of) => ({ ...of, text, at: Date.now() }));
    if (!good) say("The browser does not keep programs: export yours before you close the page.");
  }

  private async restore(): Promise<void> {
    if (!this.shown) return;
    const { given, opened } = this.shown;
    const own = kept()[keyOf(given)]?.text;
    keep(keyOf(given), ({ text: _, ...of }) => ({ ...of, at: Date.now() }));
    await this.load(opened.start);
    if (own === undefined || own === opened.start) return;
    this.other.hidden = false;
    this.other.replaceChildren(
      el("span", {}, "The editor has the starting program."),
      button(
        "Bring my program back",
        () => {
          keep(keyOf(given), (of) => ({ ...of, text: own, at: Date.now() }));
          void this.load(own);
        },
        { id: "course-undo" },
      ),
    );
  }

  private export(): void {
    if (!this.shown) return;
    const { given, opened } = this.shown;
    const own = this.checkButton.disabled ? kept()[keyOf(given)]?.text : this.host.text();
    download(opened.file, own ?? opened.start);
  }

  private async link(): Promise<void> {
    if (!this.shown) return;
    const link = await this.host.link(this.shown.given);
    try {
      await navigator.clipboard.writeText(link);
      say("The link is in the clipboard and in the address bar.");
    } catch {
      say("The link is in the address bar.");
    }
  }

  /** Runs the open tests on the program in the editor. */
  async check(): Promise<void> {
    if (!this.shown || this.checkButton.disabled) return;
    const { given } = this.shown;
    const text = this.host.text();
    await this.host.job(
      "The check",
      async () => {
        this.result.replaceChildren(el("p", { class: "note" }, "The open tests run…"));
        try {
          const grade = await this.host.runner.call<Grade>("grade", [given, text]);
          keep(keyOf(given), (of) => {
            const better = of.best === undefined || of.of !== grade.of || grade.points > of.best;
            return better ? { ...of, best: grade.points, of: grade.of } : of;
          });
          // The user may have opened another exercise.
          if (this.shown?.given === given) this.result.replaceChildren(gradeView(grade));
        } catch (why) {
          this.result.replaceChildren();
          throw why;
        }
      },
      this.result,
    );
    this.update();
  }

  /** Whether files are those of a hand-out. */
  static isHandout(files: File[]): boolean {
    return files.some(({ name }) => name === "exercise.ron");
  }

  /** Opens the files of a hand-out. */
  async openFiles(all: File[]): Promise<void> {
    if (!CoursePane.isHandout(all)) {
      say(
        "A hand-out has the file exercise.ron: choose it together with README.md and the program.",
      );
      return;
    }
    const files: Record<string, string> = {};
    for (const file of all) files[file.name] = await file.text();
    const name = all.find((one) => /\.(cu|cl)$/.test(one.name))?.name.replace(/\.(cu|cl)$/, "");
    this.asked = true;
    await this.open({ name: name ?? "exercise", files });
    if (this.shown && !this.shown.opened.start)
      say("The hand-out has no program: choose exercise.ron, README.md and the program together.");
  }

  /** Adds the progress of a file. */
  async add(file: File): Promise<void> {
    try {
      addProgress(await file.text());
      this.list();
      say("The progress is added.");
    } catch (why) {
      say(`${file.name}: ${(why as Error).message}`);
    }
  }
}
