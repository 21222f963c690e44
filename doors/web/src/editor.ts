// Editors of programs and of launch files, and texts that cannot be changed.

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
import { completion, setNames } from "./completion";
import { colors } from "./ptx";
import type { Completion, Marked } from "./types";

const base: Extension = [
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

/** Returns the line of the cursor. */
const cursorLine = ({ doc, selection }: EditorState) => doc.lineAt(selection.main.head).number;

/** Calls a function when the user moves the cursor to another line. */
function onMove(moved: (line: number) => void): Extension {
  return EditorView.updateListener.of(({ state, startState, selectionSet, transactions }) => {
    const line = cursorLine(state);
    const byUser = transactions.some((one) => one.isUserEvent("select") || one.docChanged);
    if (selectionSet && byUser && line !== cursorLine(startState)) moved(line);
  });
}

/** An editor of a text. `changed` is called after each change by the user. */
export class Editor {
  readonly view: EditorView;
  private quiet = false;
  private readonly language = new Compartment();

  constructor(
    parent: HTMLElement,
    language: StreamLanguage<unknown>,
    label: string,
    changed: (text: string) => void,
    moved: (line: number) => void = () => {},
  ) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          base,
          marked,
          this.language.of(language),
          completion,
          onMove(moved),
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
    // The list of diagnostics below makes the editor smaller while the user types.
    new ResizeObserver(() => {
      if (!this.view.hasFocus) return;
      this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main) });
    }).observe(parent);
  }

  /** Changes the language of the text. */
  speak(language: StreamLanguage<unknown>): void {
    this.view.dispatch({ effects: this.language.reconfigure(language) });
  }

  /** Completes these names; without names nothing is completed. */
  complete(names: Completion[]): void {
    this.view.dispatch({ effects: setNames.of(names) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Returns the text of a line. */
  lineText(line: number): string {
    const { doc } = this.view.state;
    return line >= 1 && line <= doc.lines ? doc.line(line).text : "";
  }

  /** Marks a line and shows it; 0 marks none. */
  current(line: number): void {
    show(this.view, [line], []);
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

const setCurrent = StateEffect.define<{ lines: number[]; others: number[] }>();
const setPoints = StateEffect.define<{ points: number[]; possible: number[] }>();

const marked = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setCurrent)) continue;
      const { lines, others } = effect.value;
      const { doc } = transaction.state;
      const at = (all: number[], name: string) =>
        all
          .filter((one) => one >= 1 && one <= doc.lines)
          .map((one) => Decoration.line({ class: name }).range(doc.line(one).from));
      const rest = others.filter((one) => !lines.includes(one));
      return Decoration.set([...at(rest, "line-other"), ...at(lines, "line-current")], true);
    }
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Lines above and below a marked line that are shown, in pixels. */
const MARGIN = 60;

/** Marks lines, and scrolls to the first of them: in the text only, because the page keeps what the
 * user looks at. */
function show(view: EditorView, lines: number[], others: number[]): void {
  view.dispatch({ effects: setCurrent.of({ lines, others }) });
  const { doc } = view.state;
  const first = lines.find((one) => one >= 1 && one <= doc.lines);
  if (!first) return;
  const { top, bottom } = view.lineBlockAt(doc.line(first).from);
  const { scrollTop, clientHeight } = view.scrollDOM;
  // Of several lines, as many as possible are shown.
  if (lines.length > 1 || top < scrollTop + MARGIN) view.scrollDOM.scrollTop = top - MARGIN;
  else if (bottom > scrollTop + clientHeight - MARGIN)
    view.scrollDOM.scrollTop = bottom + MARGIN - clientHeight;
}

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

/** What a text that cannot be changed has besides its lines. */
export interface Extras {
  /** Sets or removes a breakpoint; without it there are none. */
  toggled?: (line: number) => void;
  /** Called when the user moves the cursor to another line. */
  moved?: (line: number) => void;
  /** Returns the number that is shown at a line. */
  numbered?: (line: number) => string;
}

/** A text that cannot be changed, with marked lines and breakpoints. */
export class SourceView {
  private readonly view: EditorView;
  private readonly language = new Compartment();

  constructor(
    parent: HTMLElement,
    language: StreamLanguage<unknown>,
    label: string,
    { toggled, moved, numbered }: Extras,
  ) {
    const breakpoints = (toggle: (line: number) => void): Extension => [
      points,
      gutter({
        class: "breakpoints",
        markers: (view) => view.state.field(points),
        domEventHandlers: {
          mousedown(view, block) {
            toggle(view.state.doc.lineAt(block.from).number);
            return true;
          },
        },
      }),
      keymap.of([
        {
          key: "F9",
          run: (view) => {
            toggle(cursorLine(view.state));
            return true;
          },
        },
      ]),
    ];
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          marked,
          toggled ? breakpoints(toggled) : [],
          lineNumbers(numbered ? { formatNumber: numbered } : {}),
          base,
          this.language.of(language),
          moved ? [onMove(moved), highlightActiveLine()] : [],
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-readonly": "true",
            tabindex: "0",
          }),
          keymap.of(defaultKeymap),
        ],
      }),
    });
  }

  /** Shows a text, in another language if it is given. */
  show(text: string, language?: StreamLanguage<unknown>): void {
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      effects: language ? this.language.reconfigure(language) : [],
    });
  }

  /** Marks lines and shows the first of them, and marks other lines less. */
  current(lines: number[], others: number[] = []): void {
    show(this.view, lines, others);
  }

  /** Moves the focus to the text. */
  focus(): void {
    this.view.focus();
  }

  /** Shows breakpoints at the lines where they are possible. */
  breakpoints(set: number[], possible: number[]): void {
    this.view.dispatch({ effects: setPoints.of({ points: set, possible }) });
  }
}
