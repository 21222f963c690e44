// The report of a run: verdict, short report, full report, messages.

import { download, el } from "../dom";
import {
  divergence,
  dramRows,
  loadOfPartitions,
  loadOfSms,
  occupancyBars,
  roofline,
  stallBars,
  stateBars,
} from "../pictures/report";
import { picture } from "../dom";
import type { Document, Ran, Report } from "../types";

/** Returns the launch that took longest, as the short report shows it. */
export function longest(runs: Report[]): Report | undefined {
  const cycles = (run: Report) => run.timing?.cycles ?? run.instructions.warp;
  return (
    runs.find((run) => run.verdict.kind !== "finished") ??
    runs.reduce<Report | undefined>(
      (most, run) => (most && cycles(most) >= cycles(run) ? most : run),
      undefined,
    )
  );
}

/** The line above the report: the answer, or the first message of a run that failed. */
function verdict(ran: Ran): HTMLElement {
  const lines = ran.text.split("\n");
  const good = ran.code === 0;
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
  const words = limit ? `${first.split(":")[0]}, ${limit}` : first.replace(/^error: /, "");
  return el("div", { class: `verdict ${good ? "good" : "bad"}`, id: "verdict" }, words);
}

/** Shows a run. */
export function reportView(ran: Ran, name: string): HTMLElement {
  const messages = ran.messages.length
    ? el("pre", { class: "error", id: "messages", tabindex: 0 }, ran.messages.join("\n"))
    : null;
  return el(
    "div",
    {},
    verdict(ran),
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
          el("span", { class: "note" }, `The same bytes as \`warpsim run ${name}\``),
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

/** The pictures of a report. `lanes` makes the part for the active lanes of a launch. */
export function picturesView(
  document: Document,
  lanes: (launch: number) => HTMLElement,
): HTMLElement {
  const run = longest(document.runs);
  const timing = run?.timing;
  if (!run || !timing)
    return el("p", {}, "A run on the functional machine has no time, and so no pictures of it.");
  const which = `Launch ${document.runs.indexOf(run) + 1} of ${document.runs.length}, the longest: ${run.launch.kernel}`;
  return el(
    "div",
    {},
    document.runs.length > 1 ? el("p", {}, which) : null,
    el("h2", {}, "Where the time goes, by source line"),
    el(
      "p",
      { class: "note" },
      "The bar of a line is the time that all warps spend at it; the colors are the states of the warps.",
    ),
    picture(stallBars(timing)),
    el("h2", {}, "What the warps do"),
    picture(stateBars(timing)),
    el("h2", {}, "Divergence"),
    picture(divergence(run)),
    lanes(document.runs.indexOf(run) + 1),
    el("h2", {}, "Roofline"),
    el(
      "p",
      { class: "note" },
      "A kernel on the slope is limited by DRAM traffic, under the flat part by arithmetic. The dashed line is the gap to the limit.",
    ),
    picture(roofline(run)),
    el("h2", {}, "Occupancy"),
    picture(occupancyBars(run)),
    el(
      "div",
      { class: "columns" },
      el("div", {}, el("h2", {}, "Load of the SMs"), picture(loadOfSms(timing))),
      el(
        "div",
        {},
        el("h2", {}, "Load of the memory partitions"),
        picture(loadOfPartitions(timing)),
        el("h2", {}, "DRAM row buffer"),
        picture(dramRows(timing)),
      ),
    ),
  );
}
