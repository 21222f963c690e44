// Picture of a claim: expected and simulated numbers of its findings.

import type { Finding } from "../types";
import { box, svg, text } from "./svg";

/** The numbers of a value such as `94.2 ±15 %` or `8, 16, 24`; none if it is not only numbers. */
export function numbers(value: string): number[] {
  const plain = value.replace(/ ±.*$/, "").trim();
  const parts = plain.split(/,\s+/).map((part) => (/^-?[\d.]+(e-?\d+)?$/.test(part) ? +part : NaN));
  return parts.every((part) => Number.isFinite(part) && part >= 0) ? parts : [];
}

/** Most pairs of bars in a picture: those of more findings are left out, which the picture says. */
const MOST = 40;

/** Pairs of bars of the findings that are numbers, each finding with its own scale; empty if no
 *  finding is a number. */
export function findingBars(findings: Finding[]): string {
  const rows: { name: string; expected: number; simulated: number; most: number; bad: boolean }[] =
    [];
  for (const { what, expected, simulated, verdict } of findings) {
    const [wanted, found] = [numbers(expected), numbers(simulated)];
    if (!wanted.length || wanted.length !== found.length) continue;
    const most = Math.max(...wanted, ...found, Number.MIN_VALUE);
    wanted.forEach((number, i) =>
      rows.push({
        name: i === 0 ? what : "",
        expected: number,
        simulated: found[i]!,
        most,
        bad: verdict === "FAILED" || verdict === "OUTSIDE BAND",
      }),
    );
  }
  if (!rows.length) return "";
  const shown = rows.slice(0, MOST);
  const [left, wide] = [330, 240];
  let y = 24;
  let body =
    box(left, 4, 12, 12, EXPECTED) +
    text(left + 17, 14, "expected") +
    box(left + 90, 4, 12, 12, SIMULATED) +
    text(left + 107, 14, "simulated") +
    box(left + 190, 4, 12, 12, BAD) +
    text(left + 207, 14, "simulated, not as expected");
  for (const { name, expected, simulated, most, bad } of shown) {
    if (name) y += 5;
    const bar = (value: number, at: number, fill: string, what: string) =>
      box(left, at, (value / most) * wide, 8, fill, `${what}: ${value}`);
    body +=
      text(left - 8, y + 13, cut(name, 52), "end") +
      bar(expected, y, EXPECTED, "expected") +
      bar(simulated, y + 9, bad ? BAD : SIMULATED, "simulated") +
      text(left + wide + 8, y + 13, `${write(expected)} → ${write(simulated)}`);
    y += 22;
  }
  y += 16;
  const more = rows.length > MOST ? ` The first ${MOST} of ${rows.length} numbers.` : "";
  body += text(0, y, `Each finding has its own scale.${more}`);
  return svg(760, y + 8, "Expected and simulated numbers of the claim", body);
}

const EXPECTED = "#9aa4b0";
const SIMULATED = "var(--accent, #1f4e9c)";
const BAD = "var(--bad, #a8261b)";

function write(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 6 });
}

function cut(words: string, most: number): string {
  return words.length <= most ? words : `${words.slice(0, most - 1)}…`;
}
