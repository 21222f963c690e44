// Editors of PTX and of launch files, and the source view of the stepper.

import { defaultKeymap, history, historyKeymap, toggleComment } from "@codemirror/commands";
import type { StreamLanguage } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import {
  Compartment,
  EditorState,
  RangeSet,
  StateEffect,
  StateField,
  type Extension,
} from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
  drawSelection,
  gutter,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { colors } from "./ptx";
import type { Marked } from "./types";

const base: Extension = [
  lineNumbers(),
  drawSelection(),
  colors,
  EditorView.theme({
    "&": {
      height: "100%",
      fontSize: "13px",
      backgroundColor: "var(--panel)",
      color: "var(--text)",
    },
    ".cm-scroller": { fontFamily: "var(--mono)", overflow: "auto" },
    ".cm-gutters": {
      backgroundColor: "var(--panel-2)",
      color: "var(--muted)",
      borderRight: "1px solid var(--line)",
    },
    ".cm-content": { caretColor: "var(--text)" },
    ".cm-cursor": { borderLeftColor: "var(--text)" },
    ".cm-activeLine": { backgroundColor: "var(--hover)" },
    "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
      backgroundColor: "var(--selection)",
    },
    ".cm-tooltip": {
      backgroundColor: "var(--panel)",
      color: "var(--text)",
      border: "1px solid var(--line)",
      maxWidth: "60ch",
      whiteSpace: "pre-wrap",
    },
  }),
];

/** An editor of a text. Its function is called after each change by the user. */
export class Editor {
  readonly view: EditorView;
  private quiet = false;
  private readonly language = new Compartment();

  constructor(
    parent: HTMLElement,
    language: StreamLanguage<unknown>,
    label: string,
    changed: (text: string) => void,
  ) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          base,
          this.language.of(language),
          history(),
          lintGutter(),
          highlightActiveLine(),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          // Tab is left to the browser, so that the keyboard can leave the editor.
          keymap.of([
            { key: "Mod-/", run: toggleComment },
            ...defaultKeymap,
            ...historyKeymap,
            ...lintKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !this.quiet) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  /** Changes the language of the text. */
  speak(language: StreamLanguage<unknown>): void {
    this.view.dispatch({ effects: this.language.reconfigure(language) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the text without a call of the function for changes. */
  set text(text: string) {
    if (text === this.text) return;
    this.quiet = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.quiet = false;
  }

  /** Marks diagnostics in the text. */
  mark(all: Marked[]): void {
    const length = this.view.state.doc.length;
    const shown = all.map((one): Diagnostic => ({
      from: Math.min(one.from, length),
      to: Math.min(Math.max(one.to, one.from), length),
      severity: one.severity === "note" ? "info" : one.severity,
      message: [`${one.code}: ${one.message}`, one.label, ...one.more]
        .filter((line) => line)
        .join("\n"),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  /** Moves the cursor to a line and shows it. */
  goTo(line: number): void {
    const at = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines)).from;
    this.view.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: "center" }),
    });
    this.view.focus();
  }
}

class Breakpoint extends GutterMarker {
  override toDOM(): Node {
    return document.createTextNode("●");
  }
}
class NoBreakpoint extends GutterMarker {
  override toDOM(): Node {
    return document.createTextNode("○");
  }
}
const breakpoint = new Breakpoint();
const noBreakpoint = new NoBreakpoint();

const setCurrent = StateEffect.define<{ line: number; others: number[] }>();
const setPoints = StateEffect.define<{ points: number[]; possible: number[] }>();

const marked = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setCurrent)) continue;
      const { line, others } = effect.value;
      const { doc } = transaction.state;
      const at = (number: number, name: string) =>
        Decoration.line({ class: name }).range(doc.line(number).from);
      const lines = others
        .filter((one) => one !== line && one >= 1 && one <= doc.lines)
        .map((one) => at(one, "line-other"));
      if (line >= 1 && line <= doc.lines) lines.push(at(line, "line-current"));
      return Decoration.set(lines, true);
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const points = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setPoints)) continue;
      const { doc } = transaction.state;
      const all = effect.value.possible.filter((line) => line >= 1 && line <= doc.lines);
      const mark = (line: number) =>
        (effect.value.points.includes(line) ? breakpoint : noBreakpoint).range(doc.line(line).from);
      return RangeSet.of(all.map(mark), true);
    }
    return value;
  },
});

/** A text that cannot be changed, with a marked line and breakpoints. */
export class SourceView {
  private readonly view: EditorView;

  constructor(
    parent: HTMLElement,
    language: StreamLanguage<unknown>,
    label: string,
    toggled: (line: number) => void,
  ) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          marked,
          points,
          gutter({
            class: "breakpoints",
            markers: (view) => view.state.field(points),
            domEventHandlers: {
              mousedown(view, block) {
                toggled(view.state.doc.lineAt(block.from).number);
                return true;
              },
            },
          }),
          base,
          language,
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-readonly": "true",
            tabindex: "0",
          }),
          keymap.of([
            {
              key: "F9",
              run: (view) => {
                toggled(view.state.doc.lineAt(view.state.selection.main.head).number);
                return true;
              },
            },
            ...defaultKeymap,
          ]),
        ],
      }),
    });
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Marks the line of the warp in focus and the lines of other warps. */
  current(line: number, others: number[]): void {
    const { doc } = this.view.state;
    const effects: StateEffect<unknown>[] = [setCurrent.of({ line, others })];
    if (line >= 1 && line <= doc.lines) {
      effects.push(EditorView.scrollIntoView(doc.line(line).from, { y: "nearest", yMargin: 60 }));
    }
    this.view.dispatch({ effects });
  }

  /** Shows breakpoints at the lines where they are possible. */
  breakpoints(set: number[], possible: number[]): void {
    this.view.dispatch({ effects: setPoints.of({ points: set, possible }) });
  }
}
