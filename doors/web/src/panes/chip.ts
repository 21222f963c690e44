// The chip file: the text of the chip, its diagnostics, and chips of one's own.

import { download, el } from "../dom";
import { Editor } from "../editor";
import type { Engine } from "../engine";
import { say } from "../jobs";
import { ron } from "../ptx";
import { chipRequest, type Choices } from "../store";
import type { CheckedChip } from "../types";
import { fileButton } from "./header";
import { problemItems } from "./problems";

/** What the pane uses of the page. */
export interface ChipHost {
  engine: Engine;
  choices: () => Choices;
  /** Called after the choice of another chip, and after each change of its text. */
  changed: (other: boolean) => void;
  open: (file: File) => void;
}

/** Whether a RON text is a chip file; the other RON files are launch files. */
export function isChip(text: string): boolean {
  return /^\s*(base|clocks|capability)\s*:/m.test(text);
}

/** The tab of the chip file. */
export class ChipPane {
  readonly element = el("div", { class: "tight fill" });
  private readonly editor: Editor;
  private readonly about = el("span", { class: "note", id: "chip-about" });
  private readonly problems = el("div", {
    class: "problems",
    hidden: true,
    tabindex: 0,
    role: "region",
    "aria-label": "Diagnostics of the chip file",
  });
  private typed: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ChipHost) {
    const place = el("div", { class: "editor" });
    this.element.append(
      el(
        "div",
        { class: "bar" },
        el(
          "button",
          { type: "button", id: "new-chip", onclick: () => void this.create() },
          "New chip",
        ),
        ...fileButton("open-chip", "Open chip", ".ron", host.open),
        el(
          "button",
          {
            type: "button",
            id: "save-chip",
            onclick: () => download(host.choices().chipName, this.editor.text),
          },
          "Save chip",
        ),
        this.about,
      ),
      place,
      this.problems,
    );
    this.editor = new Editor(place, ron, "Chip file", (text) => this.edited(text));
  }

  /** Makes a chip that is based on the built-in chip of the choices, with its settings. */
  async create(): Promise<void> {
    const choices = this.host.choices();
    const base = choices.chip || choices.base;
    try {
      const wanted = { chip: base, sets: choices.chip ? choices.sets : [] };
      choices.chipFile = await this.host.engine.call<string>("newChip", [wanted]);
    } catch (why) {
      say((why as Error).message);
      return;
    }
    Object.assign(choices, { chip: "", base, chipName: "mine.ron", sets: [] });
    this.host.changed(true);
  }

  /** Shows the chip of the choices. */
  async load(): Promise<void> {
    const choices = this.host.choices();
    const own = choices.chip === "";
    this.about.textContent = own
      ? "Your own chip: it is in links and saved files."
      : "The built-in chip. New chip makes a short file based on it.";
    this.editor.text = own
      ? choices.chipFile
      : await this.host.engine.call<string>("chipText", [choices.chip]);
    await this.check();
  }

  private edited(text: string): void {
    const choices = this.host.choices();
    const other = choices.chip !== "";
    if (other) Object.assign(choices, { chip: "", base: choices.chip, chipName: "mine.ron" });
    choices.chipFile = text;
    clearTimeout(this.typed);
    // A moment after the last key.
    this.typed = setTimeout(() => this.host.changed(other), 150);
  }

  /** Checks the text of the user's chip. */
  async check(): Promise<void> {
    const choices = this.host.choices();
    const text = choices.chipFile;
    this.problems.hidden = choices.chip !== "";
    if (choices.chip !== "") {
      this.editor.mark([]);
      return;
    }
    const wanted = { ...chipRequest(choices), sets: choices.sets };
    const checked = await this.host.engine.call<CheckedChip>("checkChip", [wanted]);
    if (text !== choices.chipFile) return;
    this.editor.mark(checked.diagnostics);
    // A message about another text, such as a setting, has no place in this one.
    const others = checked.diagnostics.length === 0 && checked.drawn;
    const good = checked.name ? `Valid: ${checked.name}` : "";
    this.problems.replaceChildren(
      problemItems(checked.diagnostics, "chip-problems", (line) => this.editor.goTo(line)),
      others ? el("pre", { class: "error", tabindex: 0 }, checked.drawn) : "",
      good ? el("p", { class: "note", id: "chip-valid" }, good) : "",
    );
  }
}
