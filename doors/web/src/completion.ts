// Completion of names in the editor of CUDA C: the names of the engine, and those of the text.

import {
  acceptCompletion,
  autocompletion,
  completionStatus,
  type Completion as Option,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { Completion } from "./types";

/** A name, also one of a member: `threadIdx.x`. */
const NAME = /[A-Za-z_]\w*(?:\.\w*)?/;

/** Returns the names in the text, without the one at the cursor. */
function ownNames(state: EditorState, cursor: number): Set<string> {
  const names = new Set<string>();
  syntaxTree(state).iterate({
    enter({ name, from, to }) {
      if (/^(variable|def)/.test(name) && (cursor < from || cursor > to))
        names.add(state.sliceDoc(from, to));
    },
  });
  return names;
}

/** What an editor completes. */
interface Known {
  options: Option[];
  names: Set<string>;
}

/** Sets the names that an editor completes; without names it completes nothing. */
export const setNames = StateEffect.define<Completion[]>();

const known = StateField.define<Known | null>({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setNames)) value = effect.value.length ? knownOf(effect.value) : null;
    return value;
  },
});

function knownOf(names: Completion[]): Known {
  const options = names.map((one): Option => ({
    label: one.name,
    type: one.kind,
    detail: [one.parameters, one.place && `${one.place} code`].filter((part) => part).join(" "),
  }));
  return { options, names: new Set(names.map((one) => one.name)) };
}

function source(context: CompletionContext): CompletionResult | null {
  const names = context.state.field(known);
  if (!names) return null;
  const typed = context.matchBefore(NAME);
  const inside = syntaxTree(context.state).resolveInner(context.pos, -1).name;
  if (/comment|string|meta/.test(inside)) return null;
  if (!context.explicit && (!typed || typed.text.length < 2)) return null;
  const own = [...ownNames(context.state, context.pos)]
    .filter((name) => !names.names.has(name))
    .map((label): Option => ({ label, type: "variable", boost: 1 }));
  return {
    from: typed?.from ?? context.pos,
    options: [...own, ...names.options],
    validFor: /^[\w.]*$/,
  };
}

/**
 * Completes names while they are typed, and after Ctrl+Space. It stays in the editor: a completion
 * that waits for its time (`@codemirror/autocomplete` 6.20.4) fails in an editor without it.
 */
export const completion: Extension = [
  known,
  autocompletion({ override: [source], icons: false, maxRenderedOptions: 60 }),
  // Tab belongs to the browser, so that the keyboard can leave the editor, except while the list
  // is open.
  keymap.of([
    {
      key: "Tab",
      run: (view) => {
        if (completionStatus(view.state) !== "active") return false;
        acceptCompletion(view);
        return true;
      },
    },
  ]),
];
