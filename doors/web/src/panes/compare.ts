// Two runs side by side, and what differs between them.

import { el, picture } from "../dom";
import type { Engine } from "../engine";
import type { Compared, Ran } from "../types";

interface Kept {
  ran: Ran;
  name: string;
}

/** Makes the pane. `last` returns the latest run; `job` runs a task with progress. */
export function comparePane(
  engine: Engine,
  last: () => Kept | undefined,
  job: (task: () => Promise<void>) => Promise<void>,
): { element: HTMLElement; update: () => void } {
  const kept: { a?: Kept; b?: Kept } = {};
  const shown = el("div", { id: "compared" });
  const names = el("div", { id: "compare-names" });
  const keep = (side: "a" | "b") => () => {
    const run = last();
    if (run?.ran.json) kept[side] = run;
    update();
  };
  const buttonA = el(
    "button",
    { type: "button", id: "keep-a", onclick: keep("a") },
    "Keep the last run as A",
  );
  const buttonB = el(
    "button",
    { type: "button", id: "keep-b", onclick: keep("b") },
    "Keep the last run as B",
  );
  const go = el(
    "button",
    { type: "button", class: "primary", id: "compare", onclick: () => void job(compare) },
    "Compare",
  );

  async function compare(): Promise<void> {
    const { a, b } = kept;
    if (!a || !b) return;
    const compared = await engine.call<Compared>("compare", [
      a.name,
      a.ran.json,
      b.name,
      b.ran.json,
    ]);
    if (compared.error) {
      shown.replaceChildren(el("pre", { class: "error", tabindex: 0 }, compared.error));
      return;
    }
    const [both, ...sides] = compared.pictures;
    const side = (letter: string, run: Kept, pictures: string[]) =>
      el(
        "section",
        { "aria-label": `Run ${letter}` },
        el("h2", {}, `${letter}: ${run.name}`),
        ...pictures.map(picture),
      );
    shown.replaceChildren(
      el("pre", { id: "compare-text", tabindex: 0, "aria-label": "Comparison" }, compared.text),
      ...both.map(picture),
      el("div", { class: "columns" }, side("A", a, sides[0]), side("B", b, sides[1])),
    );
  }

  function update(): void {
    const run = last();
    buttonA.disabled = buttonB.disabled = !run?.ran.json;
    go.disabled = !kept.a || !kept.b;
    const row = (name: string, one: Kept | undefined) =>
      el("div", {}, el("strong", {}, `${name}: `), one?.name ?? "none");
    names.replaceChildren(row("Last run", run), row("A", kept.a), row("B", kept.b));
  }
  update();
  return {
    element: el("div", {}, el("div", { class: "bar" }, buttonA, buttonB, go), names, shown),
    update,
  };
}
