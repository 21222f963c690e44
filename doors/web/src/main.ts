// Starts the page.

import { byId, el } from "./dom";
import { say } from "./jobs";
import { Page, checker } from "./page";
import { initial, unpack, type Choices } from "./store";
import type { Catalog } from "./types";

/** Sets the colors; without a choice those of the system. */
function theme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  root.dataset["theme"] = dark.matches ? "dark" : "light";
  dark.addEventListener("change", () => {
    root.dataset["theme"] = dark.matches ? "dark" : "light";
  });
}

async function begin(): Promise<void> {
  theme();
  const main = byId("main"),
    header = byId("header");
  main.append(el("p", {}, "The engine starts…"));
  const catalog = await checker.call<Catalog>("catalog", []);
  let choices: Choices = structuredClone(initial);
  let problem = "";
  const fragment = location.hash.match(/^#s=(.+)$/)?.[1];
  const place = location.hash.match(/^#(?:exercise|lesson)=.+$/) !== null;
  const first = catalog.programs[0];
  if (fragment) {
    try {
      choices = await unpack(fragment);
    } catch (why) {
      problem = `The link cannot be read: ${(why as Error).message}`;
    }
  } else if (place) {
    // The tab of the course brings the program of an exercise.
    choices = { ...choices, kernel: "", ptxName: "program.cu", ptx: first?.text ?? "" };
  } else if (first) {
    choices = { ...choices, kernel: "", ptxName: first.name, ptx: first.text };
  }
  const page = new Page(catalog, choices, header, main);
  // The page opens with the result of its first program; a link may name a long run.
  if (place) void page.openPlace();
  else if (choices.exercise) void page.openExercise();
  else if (!fragment) void page.start();
  if (problem) say(problem);
}

begin().catch((why: Error) => {
  byId("main").replaceChildren(el("p", { class: "error" }, `The lab cannot start: ${why.message}`));
});
