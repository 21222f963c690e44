// The active lanes by source line: counted in a second run of the launch.

import { el, picture } from "../dom";
import type { Engine } from "../engine";
import type { Request } from "../types";

/** Shader cycles in which lanes are counted. */
const CYCLES = 200_000;

/** Returns a button that counts the active lanes of a launch, and the place of its picture. */
export function lanesPane(
  engine: Engine,
  request: Request,
  launch: number,
  job: (name: string, task: () => Promise<void>, place?: HTMLElement) => Promise<void>,
): HTMLElement {
  const drawn = el("div", { id: "lanes" });
  const count = () =>
    job(
      "The count of active lanes",
      async () => {
        const lanes = await engine.call<string | null>("lanes", [request, launch, 0, CYCLES]);
        drawn.replaceChildren(
          lanes ? picture(lanes) : el("p", {}, "SM 0 executed no instruction of this launch."),
        );
      },
      drawn,
    );
  return el(
    "div",
    {},
    el(
      "div",
      { class: "bar" },
      el(
        "button",
        { type: "button", id: "count-lanes", onclick: () => void count() },
        "Count the active lanes by line",
      ),
      el("span", { class: "note" }, "Runs the launch again and looks at each instruction of SM 0."),
    ),
    drawn,
  );
}
