// The grade of a program: points by row, and what is known about each failure.

import { el, picture } from "../dom";
import { inline } from "../markdown";
import type { Grade, GradeRow } from "../types";

/** Says how many points a program has. */
const points = ({ points, of }: { points: number; of: number }) => `${points} of ${of}`;

/** What is known about a failed row. */
function failure(row: GradeRow): HTMLElement {
  return el(
    "section",
    { "aria-label": row.name, class: "failure" },
    el("h4", {}, row.name),
    el("p", {}, ...codes(row.why ?? "")),
    row.hint ? el("p", { class: "hint" }, el("strong", {}, "Hint: "), ...inline(row.hint)) : null,
    ...row.parts.flatMap((part) =>
      part.kind === "text"
        ? [
            el("h5", {}, part.title),
            el("pre", { tabindex: 0, "aria-label": part.title }, part.text),
          ]
        : [el("h5", {}, part.title), picture(part.svg)],
    ),
  );
}

/** A message: parts in backquotes are code, and other marks are text. */
function codes(text: string): (Node | string)[] {
  return text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

/** Shows a grade. */
export function gradeView(grade: Grade): HTMLElement {
  const done = !grade.problem && grade.rows.every((row) => row.why === null);
  const row = (one: GradeRow) =>
    el(
      "tr",
      {},
      el(
        "td",
        { class: one.why === null ? "good" : "bad" },
        one.why === null ? "passed" : "failed",
      ),
      el("td", {}, el("code", {}, one.name)),
      el("td", { class: "number" }, points(one)),
      el("td", { class: "reason" }, ...codes(one.why ?? "")),
    );
  const head = (name: string, more = {}) => el("th", { scope: "col", ...more }, name);
  // A program that does not run has one reason.
  const failed = grade.problem ? [] : grade.rows.filter(({ why }) => why !== null);
  const known = failed.filter(({ hint, parts }) => hint !== null || parts.length > 0);
  return el(
    "div",
    {},
    el(
      "div",
      { class: `verdict ${done ? "good" : "bad"}`, id: "grade-verdict" },
      `${points(grade)} open points`,
    ),
    grade.closed
      ? el(
          "p",
          { class: "note" },
          `${grade.closed} more points are for tests that only the teacher has.`,
        )
      : null,
    ...grade.notes.map((note) => el("p", { class: "note" }, note)),
    grade.problem
      ? el("pre", { class: "error", tabindex: 0, "aria-label": "Messages" }, grade.problem)
      : el(
          "table",
          { id: "grade-rows" },
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              head("Result"),
              head("Row"),
              head("Points", { class: "number" }),
              head("Reason", { class: "reason" }),
            ),
          ),
          el("tbody", {}, ...grade.rows.map(row)),
        ),
    ...known.map(failure),
  );
}
