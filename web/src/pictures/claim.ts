// Picture of a claim: the numbers that it states and the simulated ones.

import type { Finding } from "../types";
import { shorten } from "./report";
import { box, svg, text } from "./svg";

const CLAIM = "#a9b4c2";
const SIMULATED = "#2f68c8";
const BAD = "var(--bad, #a8261b)";

const NUMBER = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?$/;

/** The numbers of a value such as `94.2 ±15 %`, `7 us` or `8, 16, 24`; none if it has other words. */
function numbers(words: string): number[] {
  const parts = words.replace(/ ±.*$/, "").split(/, +/);
  const found = parts.map((part) => part.match(/^(\S+)(?: [^\s\d]\S*)?$/)?.[1] ?? "");
  return found.every((one) => NUMBER.test(one))
    ? found.map((one) => Number(one.replaceAll(",", "")))
    : [];
}

/** A number of a finding: what the claim states, and what is simulated. */
interface Row {
  name: string;
  unit: string;
  bars: { value: number; words: string; fill: string }[];
}

function rows(finding: Finding): Row[] {
  const [stated, simulated] = [numbers(finding.expected), numbers(finding.simulated)];
  // A value that is only reported has no number in the claim.
  const reported = finding.verdict === "reported" && stated.length === 0;
  if (!reported && stated.length !== simulated.length) return [];
  const bad = finding.verdict === "FAILED" || finding.verdict === "OUTSIDE BAND";
  // The unit follows the last comma or colon.
  const unit = finding.what.split(/, |: /).pop()!;
  const bar = (all: number[], i: number, whole: string, fill: string) => {
    const value = all[i];
    if (value === undefined) return [];
    return [{ value, words: all.length === 1 ? whole : value.toLocaleString("en-US"), fill }];
  };
  return simulated.map((_, i) => ({
    name: i === 0 ? finding.what : "",
    unit,
    bars: [
      ...bar(stated, i, finding.expected, CLAIM),
      ...bar(simulated, i, finding.simulated, bad ? BAD : SIMULATED),
    ],
  }));
}

/** The numbers of a claim as bars, those of one unit with one scale; empty if it has none. At most
 *  `most` numbers. */
export function claimBars(findings: Finding[], most = 40): string {
  const all = findings.flatMap(rows);
  const shown = all.slice(0, most);
  if (shown.length === 0) return "";
  const largest = new Map<string, number>();
  for (const { unit, bars } of shown)
    for (const { value } of bars)
      largest.set(unit, Math.max(largest.get(unit) ?? Number.MIN_VALUE, value));
  const [left, wide] = [330, 300];
  const legend: [string, string][] = [
    ["claim", CLAIM],
    ["simulated", SIMULATED],
    ["simulated, not as claimed", BAD],
  ];
  const used = new Set(shown.flatMap(({ bars }) => bars.map(({ fill }) => fill)));
  let body = legend
    .filter(([, fill]) => used.has(fill))
    .map(
      ([name, fill], i) => box(left + 90 * i, 2, 12, 12, fill) + text(left + 17 + 90 * i, 13, name),
    )
    .join("");
  let y = 26;
  for (const { name, unit, bars } of shown) {
    const scale = wide / largest.get(unit)!;
    body += text(left - 8, y + 7 * bars.length + 5, shorten(name, 50), "end");
    for (const { value, words, fill } of bars) {
      const end = left + value * scale;
      body +=
        box(left, y + 3, Math.max(value * scale, 1), 12, fill, words) +
        text(end + 6, y + 13, words, "start", 'font-size="11"');
      y += 14;
    }
    y += 8;
  }
  const more =
    all.length > most ? text(0, y + 14, `The first ${most} of ${all.length} numbers.`) : "";
  return svg(860, y + 22, "Values of the claim and of the simulation", body + more);
}
