// The report of a run: verdict, short report, full report, messages.

import { download, el, picture } from "../dom";
import type { Pictures, Ran } from "../types";

/** The line above the report: the answer, or the first message of a run that failed. Only checked
 * results are good; a run whose results nothing has checked says so. */
function verdict(ran: Ran, checks: boolean): HTMLElement {
  const lines = ran.text.split("\n");
  const good = ran.code === 0;
  const unchecked = good && ran.passed !== true && !checks;
  const first = (good ? lines[0] : ran.messages[0]?.split("\n")[0]) ?? "";
  // A row of the report continues on lines that begin with blanks.
  const at = lines.findIndex((line) => line.startsWith("limited by "));
  const more = at < 0 ? 0 : lines.slice(at + 1).findIndex((line) => !line.startsWith(" "));
  const limit =
    at < 0 || !good
      ? ""
      : lines
          .slice(at, at + 1 + Math.max(more, 0))
          .map((line) => line.trim().replace(/^kernel {2,}/, "; the kernel by "))
          .join(" ")
          .replace(" ; ", "; ");
  const answer = unchecked ? "Finished; the results are not checked" : first.split(":")[0];
  const words =
    limit || unchecked ? [answer, limit].filter(Boolean).join(unchecked ? "; " : ", ") : first;
  const color = unchecked ? "unchecked" : good ? "good" : "bad";
  return el("div", { class: `verdict ${color}`, id: "verdict" }, words.replace(/^error: /, ""));
}

/** Shows a run. With `checks` it shows the findings of checkers. */
export function reportView(ran: Ran, name: string, checks = false): HTMLElement {
  const messages = ran.messages.length
    ? el("pre", { class: "error", id: "messages", tabindex: 0 }, ran.messages.join("\n"))
    : null;
  return el(
    "div",
    {},
    verdict(ran, checks),
    messages,
    ran.text
      ? el("pre", { id: "report-text", tabindex: 0, "aria-label": "Report" }, ran.text)
      : null,
    ran.json
      ? el(
          "div",
          { class: "bar" },
          el(
            "button",
            { type: "button", onclick: () => download("report.txt", ran.text) },
            "Save text",
          ),
          el(
            "button",
            {
              type: "button",
              onclick: () => download("report.json", ran.json, "application/json"),
            },
            "Save JSON",
          ),
          el("span", { class: "note" }, `The text of \`warpsim run ${name}\``),
        )
      : null,
    ran.details
      ? el(
          "details",
          {},
          el("summary", {}, "All numbers (--details)"),
          el("pre", { tabindex: 0 }, ran.details),
        )
      : null,
  );
}

/** The pictures of a run. `lanes` makes the part for the active lanes of a launch. */
export function picturesView(
  { launch, parts }: Pictures,
  lanes: (launch: number) => HTMLElement,
): HTMLElement {
  if (!parts.length)
    return el("p", {}, "A run on the functional machine has no time, and so no pictures of it.");
  const shown = parts.map(({ title, note, pictures }) =>
    el(
      "div",
      {},
      el("h2", {}, title),
      note ? el("p", { class: "note" }, note) : null,
      ...pictures.map(picture),
      title === "Divergence" ? lanes(launch) : null,
    ),
  );
  return el("div", {}, ...shown);
}
