// The PTX and the micro-ops of the program, beside its lines of CUDA C.

import { el } from "../dom";
import { SourceView } from "../editor";
import { Cancelled, type Engine } from "../engine";
import { ptx } from "../ptx";
import type { Lowered, Request } from "../types";

/** What the pane uses of the page. */
export interface LoweredHost {
  engine: Engine;
  request: () => Request;
  /** Marks a line of the editor. */
  mark: (line: number) => void;
  /** Returns the text of a line of the editor. */
  text: (line: number) => string;
}

/** A row of the view: a line of PTX, or a micro-op. */
interface Row {
  text: string;
  line: number;
  isMicroOp: boolean;
}

/** The tab of PTX and micro-ops. */
export class LoweredPane {
  readonly element = el("div", { class: "tight fill" });
  private rows: Row[] = [];
  private lowered: Lowered | undefined;
  private line = 0;
  private readonly about = el("span", { id: "lowered-line", role: "status" });
  private readonly place = el("div", { class: "editor" });
  private readonly message = el("pre", { class: "error", tabindex: 0, hidden: true });
  private readonly ops = el("input", { type: "checkbox", checked: true, id: "micro-ops" });
  private readonly view: SourceView;

  constructor(private readonly host: LoweredHost) {
    this.view = new SourceView(this.place, ptx, "PTX and micro-ops", {
      moved: (row) => this.select(this.rows[row - 1]?.line ?? 0, true),
      numbered: (row) => String(this.rows[row - 1]?.line || ""),
    });
    this.ops.addEventListener("change", () => this.show());
    this.element.append(
      el("div", { class: "bar" }, el("label", {}, this.ops, "Micro-ops"), this.about),
      this.message,
      this.place,
    );
  }

  /** Compiles the text and shows its PTX. A text with errors leaves the last one. */
  async start(): Promise<void> {
    try {
      this.lowered = await this.host.engine.call<Lowered>("lowered", [this.host.request()]);
      this.message.hidden = true;
      this.show();
    } catch (why) {
      if (why instanceof Cancelled) return;
      this.message.hidden = false;
      this.message.textContent = (why as Error).message;
    }
  }

  private show(): void {
    this.rows = [];
    for (const { text, line, micro_ops } of this.lowered?.lines ?? []) {
      this.rows.push({ text, line, isMicroOp: false });
      if (!this.ops.checked) continue;
      for (const { pc, text, class: unit, registers } of micro_ops) {
        const left = `      ${String(pc).padStart(4)}  ${text}`;
        const live = `${registers} live ${registers === 1 ? "register" : "registers"}`;
        this.rows.push({ text: `${left.padEnd(48)} // ${unit}, ${live}`, line, isMicroOp: true });
      }
    }
    this.view.show(this.rows.map((row) => row.text).join("\n"));
    this.select(this.line);
  }

  /** Marks what comes from a line of the editor. A choice in this pane marks the line there. */
  select(line: number, chosenHere = false): void {
    this.line = line;
    const from = (row: Row) => line > 0 && row.line === line;
    const numbers = this.rows.flatMap((row, at) => (from(row) ? [at + 1] : []));
    this.view.current(chosenHere ? [] : numbers, chosenHere ? numbers : []);
    if (chosenHere) this.host.mark(line);
    const count = (isMicroOp: boolean, name: string) => {
      const is = (row: Row) =>
        from(row) && row.isMicroOp === isMicroOp && !row.text.trim().startsWith("//");
      const found = this.rows.filter(is).length;
      return `${found} ${name}${found === 1 ? "" : "s"}`;
    };
    const ops = this.ops.checked ? `, ${count(true, "micro-op")}` : "";
    this.about.textContent = numbers.length
      ? `line ${line}: ${this.host.text(line).trim()} (${count(false, "PTX instruction")}${ops})`
      : line > 0
        ? `line ${line}: no instructions`
        : "Choose a line in the program or here: the other side marks what belongs to it.";
  }
}
