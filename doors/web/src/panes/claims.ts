// The claims of the course texts: a list, and the result of one of them.

import { el, picture } from "../dom";
import type { Engine } from "../engine";
import type { Claim, ClaimDocument, ClaimRan, Progress } from "../types";

/** What the pane uses of the page. */
export interface ClaimsHost {
  engine: Engine;
  /** Runs a task with progress; errors go to `place`. */
  job: (name: string, task: () => Promise<void>, place?: HTMLElement) => Promise<void>;
  progress: (progress: Progress) => void;
}

const good = ["passed", "within band", "reported"];

/** The verdict of a claim as text with a color. */
function verdict(word: string | null): HTMLElement {
  return el("span", { class: good.includes(word ?? "") ? "good" : "error" }, word ?? "-");
}

/** Shows the result of a claim. */
function result(claim: Claim, { text, picture: bars }: ClaimRan): HTMLElement {
  return el(
    "div",
    {},
    el(
      "div",
      { class: `verdict ${good.includes(claim.verdict) ? "good" : "bad"}`, id: "claim-verdict" },
      `${claim.id}: ${claim.verdict}`,
    ),
    el("p", {}, el("strong", {}, "The text says: "), claim.claim),
    el("p", {}, el("strong", {}, "The simulator must show: "), claim.must_show),
    bars ? el("h3", {}, "Expected and simulated") : null,
    bars ? picture(bars) : null,
    el("h3", {}, `The text of \`warpsim book ${claim.id}\``),
    el("pre", { id: "claim-text", tabindex: 0, "aria-label": "Result of the claim" }, text),
  );
}

/** Fills the panel with the list of claims. */
export async function fillClaims(panel: HTMLElement, host: ClaimsHost): Promise<void> {
  const { claims } = await host.engine.call<ClaimDocument>("claims", []);
  const shown = el("div", { id: "claim-result" });
  const run = (id: string) =>
    host.job(
      `The claim ${id}`,
      async () => {
        shown.replaceChildren(el("p", { class: "note" }, `${id} runs…`));
        panel.scrollTop = 0;
        const ran = await host.engine.call<ClaimRan>("claim", [id], host.progress);
        const [claim] = (JSON.parse(ran.json) as ClaimDocument).claims;
        if (claim) shown.replaceChildren(result(claim, ran));
      },
      shown,
    );
  const rows = claims.map((claim) => {
    const row = el(
      "tr",
      {},
      el(
        "td",
        {},
        el(
          "button",
          {
            type: "button",
            id: `claim-${claim.id}`,
            class: "id",
            "aria-label": `Run ${claim.id}`,
            onclick: () => void run(claim.id),
          },
          claim.id,
        ),
      ),
      el("td", {}, claim.places.join(", ")),
      el("td", {}, `${claim.claim}: ${claim.must_show}`),
      el("td", {}, verdict(claim.recorded)),
    );
    const words = [claim.id, claim.section, claim.source, ...claim.places, claim.claim];
    return {
      row,
      section: claim.section,
      words: `${words.join(" ")} ${claim.must_show}`.toLowerCase(),
    };
  });
  // A section is a part of the table, with a heading.
  const sections = [...new Set(rows.map(({ section }) => section))].map((name) => {
    const of = rows.filter(({ section }) => section === name).map(({ row }) => row);
    const heading = el("th", { colspan: 4, scope: "rowgroup" }, name);
    return { of, body: el("tbody", {}, el("tr", {}, heading), ...of) };
  });
  const number = el("span", { class: "note", role: "status" });
  const filter = (wanted: string) => {
    const parts = wanted.toLowerCase().split(/\s+/);
    let left = 0;
    for (const { row, words } of rows) {
      row.hidden = !parts.every((part) => words.includes(part));
      if (!row.hidden) left += 1;
    }
    for (const { of, body } of sections) body.hidden = of.every((row) => row.hidden);
    number.textContent = `${left} of ${rows.length} claims`;
  };
  filter("");
  const title = (name: string) => el("th", { scope: "col" }, name);
  panel.replaceChildren(
    shown,
    el("h2", {}, "Claims of the course texts"),
    el(
      "p",
      {},
      "Statements of Kirk and Hwu's book and of lecture slides about these chips. A button runs the program of a claim, at small sizes, on the chips that the claim names.",
    ),
    el(
      "div",
      { class: "bar" },
      el(
        "label",
        {},
        el("span", {}, "Find"),
        el("input", {
          type: "search",
          id: "claim-find",
          placeholder: "ch6",
          oninput: (event: Event) => filter((event.target as HTMLInputElement).value),
        }),
      ),
      number,
    ),
    el(
      "table",
      { id: "claims" },
      el(
        "thead",
        {},
        el("tr", {}, title("Run"), title("Where"), title("Claim"), title("As last recorded")),
      ),
      ...sections.map(({ body }) => body),
    ),
  );
}
