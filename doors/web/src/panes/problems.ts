// The list of diagnostics below the editor, and the properties of the kernels.

import { el } from "../dom";
import type { Checked, Marked } from "../types";

/** Returns a list of diagnostics; `go` shows a line of the editor. */
export function problemItems(all: Marked[], id: string, go: (line: number) => void): HTMLElement {
  const item = (one: Marked) =>
    el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          class: one.severity === "error" ? "error" : "",
          onclick: () => go(one.line),
        },
        `${one.severity}[${one.code}] line ${one.line}: ${one.message}${one.label ? ` (${one.label})` : ""}`,
      ),
    );
  return el("ul", { id }, ...all.slice(0, 50).map(item));
}

/** Fills the list; `go` shows a line of the editor. */
export function problemList(
  place: HTMLElement,
  checked: Checked,
  go: (line: number) => void,
): void {
  const kernels = checked.kernels.map((kernel) =>
    el(
      "p",
      { class: "note" },
      `${kernel.name}(${kernel.params.join(", ")}): ${kernel.registers} registers, ${kernel.shared_bytes} bytes of shared memory, ${kernel.instructions} micro-ops`,
    ),
  );
  const launch = checked.launch ? el("pre", { class: "error", tabindex: 0 }, checked.launch) : null;
  place.hidden = false;
  place.tabIndex = 0;
  place.replaceChildren(
    ...(checked.diagnostics.length ? [problemItems(checked.diagnostics, "problems", go)] : []),
    ...(launch ? [launch] : []),
    ...kernels,
  );
}
