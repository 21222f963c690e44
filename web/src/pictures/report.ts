// Pictures of a report: stalls by source line, roofline, occupancy, SMs and partitions, DRAM rows.

import type { Report, Timing } from "../types";
import { box, color, line, n, svg, text, words } from "./svg";

/** Attributes of source text. */
export const MONO = 'font-family="var(--mono, monospace)" font-size="11"';

/** Stall bars beside the source lines with the most warp time, by time or in the order of the source. */
export function stallBars(timing: Timing, most = 24, order: "time" | "source" = "time"): string {
  const rows = timing.lines.slice(0, most);
  if (order === "source") rows.sort((a, b) => a.line - b.line);
  const source = 430,
    bars = 360,
    height = 20;
  const longest = Math.max(...rows.map((row) => row.share), 1e-9);
  const seen = new Set<string>();
  let body =
    text(0, 14, "line", "start", 'font-weight="600"') +
    text(44, 14, "source", "start", 'font-weight="600"') +
    text(
      source + 56,
      14,
      "share of the time of all warps, by what they did",
      "start",
      'font-weight="600"',
    );
  rows.forEach((row, i) => {
    const y = 24 + i * height;
    body +=
      text(34, y + 14, String(row.line), "end") +
      text(44, y + 14, shorten(row.source.replace(/\/\/.*/, ""), 58), "start", MONO) +
      text(source + 50, y + 14, `${n(row.share * 100)} %`, "end");
    let x = source + 56;
    for (const [state, cycles] of row.states) {
      const w = (cycles / Math.max(row.warp_cycles, 1)) * (row.share / longest) * bars;
      body += box(
        x,
        y + 3,
        w,
        height - 6,
        color(state),
        `line ${row.line}: ${words(state)}, ${cycles.toLocaleString("en-US")} issue cycles of warps`,
      );
      x += w;
      seen.add(state);
    }
  });
  const { body: key, height: keyHeight } = legend([...seen], 24 + rows.length * height + 10, 860);
  return svg(
    860,
    24 + rows.length * height + 10 + keyHeight,
    "Time of warps by source line and state",
    body + key,
  );
}

/** Boxes with the names of states; wraps at `width`. */
export function legend(
  keys: string[],
  top: number,
  width: number,
): { body: string; height: number } {
  let x = 0,
    y = top,
    body = "";
  for (const key of keys) {
    const w = 30 + words(key).length * 7.4;
    if (x + w > width) [x, y] = [0, y + 20];
    body += box(x, y, 12, 12, color(key)) + text(x + 17, y + 11, words(key));
    x += w;
  }
  return { body, height: y - top + 22 };
}

/** Returns the legend of these states as a picture of its own. */
export function stateLegend(keys: string[]): string {
  const { body, height } = legend(keys, 2, 760);
  return svg(760, height + 2, "Colors of the states", body);
}

/** Returns a text on one line with at most `most` characters. */
export function shorten(words: string, most: number): string {
  const single = words.replace(/\s+/g, " ").trim();
  return single.length <= most ? single : `${single.slice(0, most - 1)}…`;
}

/** Bars of the states of all warps. */
export function stateBars(timing: Timing): string {
  const all = timing.warps.states,
    resident = Math.max(timing.warps.resident, 1);
  const height = 22;
  const body = all
    .map(([state, cycles], i) => {
      const share = cycles / resident,
        y = i * height;
      return (
        text(170, y + 15, words(state), "end") +
        box(178, y + 4, share * 380, height - 8, color(state), words(state)) +
        text(184 + share * 380, y + 15, `${n(share * 100)} %`)
      );
    })
    .join("");
  return svg(640, all.length * height + 4, "Time of warps by state", body);
}

/** The roofline of the chip with the point of the kernel; both axes are logarithmic. */
export function roofline(report: Report): string {
  const { timing, chip } = report;
  const title = `Roofline of ${chip.board}`;
  if (!timing || report.instructions.flops === 0) {
    return svg(
      560,
      40,
      title,
      text(0, 20, "The kernel has no floating-point operations: the roofline does not apply."),
    );
  }
  const bytes = timing.dram.read_bytes + timing.dram.write_bytes;
  const intensity = report.instructions.flops / Math.max(bytes, 1);
  const [left, right, top, bottom] = [62, 540, 16, 270];
  const ridge = chip.peak_gflops / chip.peak_gbps;
  const low = Math.min(0.05, intensity / 2),
    high = Math.max(64, intensity * 2, ridge * 4);
  const floor = Math.min(timing.gflops / 4, chip.peak_gbps * low, 1);
  const ceiling = chip.peak_gflops * 2;
  const scale = (value: number, from: number, to: number, a: number, b: number) =>
    a + ((Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))) * (b - a);
  const x = (value: number) => scale(value, low, high, left, right);
  const y = (value: number) => scale(Math.max(value, floor), floor, ceiling, bottom, top);
  let body = line(left, bottom, right, bottom) + line(left, top, left, bottom);
  for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power++) {
    body +=
      line(x(10 ** power), bottom, x(10 ** power), bottom + 4) +
      text(x(10 ** power), bottom + 17, String(10 ** power), "middle");
  }
  for (let power = Math.ceil(Math.log10(floor)); 10 ** power <= ceiling; power++) {
    body +=
      line(left - 4, y(10 ** power), left, y(10 ** power)) +
      text(left - 8, y(10 ** power) + 4, String(10 ** power), "end");
  }
  const roof = `${x(low)},${y(chip.peak_gbps * low)} ${x(ridge)},${y(chip.peak_gflops)} ${x(high)},${y(chip.peak_gflops)}`;
  body += `<polyline points="${roof}" fill="none" stroke="var(--accent, #1f4e9c)" stroke-width="2.5"/>`;
  const px = x(intensity),
    py = y(timing.gflops);
  body += line(
    px,
    py,
    px,
    y(Math.min(chip.peak_gflops, chip.peak_gbps * intensity)),
    "var(--muted, #666)",
    'stroke-dasharray="3 3"',
  );
  body += `<circle cx="${n(px)}" cy="${n(py)}" r="6" fill="var(--bad, #c0392b)"><title>${n(intensity)} flop per byte, ${n(timing.gflops)} GFLOP/s</title></circle>`;
  // Right of the point there is no roof below it.
  body +=
    text(px + 11, py + 1, report.launch.kernel, "start", 'font-weight="600"') +
    text(px + 11, py + 16, `${n(timing.gflops)} GFLOP/s, ${n(intensity)} operations per byte`);
  const middle = Math.sqrt(low * ridge);
  body +=
    text(right, y(chip.peak_gflops) - 6, `peak ${n(chip.peak_gflops)} GFLOP/s`, "end") +
    text(x(middle) - 8, y(chip.peak_gbps * middle) - 6, `peak ${n(chip.peak_gbps)} GB/s`, "end");
  body += text(
    (left + right) / 2,
    bottom + 36,
    "arithmetic intensity: floating-point operations per byte of DRAM traffic",
    "middle",
  );
  body += `<text transform="translate(14 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle" fill="var(--text, #1a1a1a)">GFLOP/s</text>`;
  return svg(760, 312, title, body);
}

/** Bars of numbers with labels. */
function bars(title: string, rows: [string, number, string][], fill: string, note = ""): string {
  const height = 18,
    most = Math.max(...rows.map(([, value]) => value), 1);
  const body = rows
    .map(
      ([name, value, tip], i) =>
        text(132, i * height + 13, name, "end") +
        box(140, i * height + 3, (value / most) * 300, height - 6, fill, tip) +
        text(450, i * height + 13, tip),
    )
    .join("");
  // Notes have a line for each sentence.
  const notes = note ? note.split("\n") : [];
  const below = notes.map((words, i) => text(0, rows.length * height + 16 + i * 16, words));
  const bottom = rows.length * height + 4 + (notes.length ? 4 + notes.length * 16 : 0);
  return svg(640, bottom, title, body + below.join(""));
}

/** Load of the SMs: warp instructions. */
export function loadOfSms(timing: Timing): string {
  const rows = timing.sms.map((sm): [string, number, string] => [
    `SM ${sm.sm}`,
    sm.instructions,
    `${sm.instructions.toLocaleString("en-US")} (${sm.blocks} ${sm.blocks === 1 ? "block" : "blocks"})`,
  ]);
  return bars("Warp instructions by SM", rows, "var(--accent, #1f4e9c)");
}

/** Load of the memory partitions: bytes of their DRAM. */
export function loadOfPartitions(timing: Timing): string {
  const rows = timing.dram.partition_bytes.map((bytes, i): [string, number, string] => [
    `partition ${i}`,
    bytes,
    `${bytes.toLocaleString("en-US")} bytes`,
  ]);
  return bars("DRAM bytes by memory partition", rows, "#4aa3df");
}

/** Row buffer of the DRAM: hits, misses, conflicts. */
export function dramRows(timing: Timing): string {
  const { row_hits: hits, row_misses: misses, row_conflicts: conflicts } = timing.dram;
  const all = hits + misses + conflicts;
  const row = (name: string, value: number): [string, number, string] => [
    name,
    value,
    `${value.toLocaleString("en-US")} (${n((value / Math.max(all, 1)) * 100)} %)`,
  ];
  return bars(
    "DRAM accesses by state of the row buffer",
    [row("hit", hits), row("miss", misses), row("conflict", conflicts)],
    "#f2a65a",
    "hit: the row is open; miss: no row is open;\nconflict: another row is open and must be closed first",
  );
}

/** What limits the number of resident blocks of an SM. */
export function occupancyBars(report: Report): string {
  const { occupancy } = report.launch;
  const rows = Object.entries(occupancy.limits).map(([name, blocks]): [string, number, string] => {
    const limits =
      occupancy.limiters.includes(name) ||
      (name === "warps" && occupancy.limiters.includes("warps"));
    return [
      words(name),
      Math.min(blocks, 16),
      `${blocks} ${blocks === 1 ? "block" : "blocks"}${limits && blocks === occupancy.blocks ? " — the limit" : ""}`,
    ];
  });
  return bars(
    "Resident blocks of an SM allowed by each resource",
    rows,
    "#1b7f4d",
    `${occupancy.blocks} blocks of ${occupancy.warps / Math.max(occupancy.blocks, 1)} warps: occupancy ${n(occupancy.occupancy * 100)} %`,
  );
}

/** Divergent branches by source line, and the share of lanes that were active. */
export function divergence(report: Report): string {
  const { divergent_lines: lines, warp_execution_efficiency: active } = report.control;
  const title = "Divergent branches by source line";
  const note = `Lanes active in an instruction, on average: ${n(active * 100)} % (${n(active * 32)} of 32)`;
  if (lines.length === 0) {
    return svg(760, 40, title, text(0, 14, "No branch diverges.") + text(0, 32, note));
  }
  const height = 20;
  const body = lines.slice(0, 12).map((row, i) => {
    const y = i * height;
    const share = row.divergent / Math.max(row.executed, 1);
    const tip = `${row.divergent.toLocaleString("en-US")} of ${row.executed.toLocaleString("en-US")} diverge`;
    return (
      text(34, y + 14, String(row.line), "end") +
      text(44, y + 14, shorten(row.source, 40), "start", MONO) +
      box(330, y + 4, 220, height - 8, "var(--panel-2, #ddd)", tip) +
      box(330, y + 4, share * 220, height - 8, "#7a5195", tip) +
      text(558, y + 14, tip)
    );
  });
  const bottom = Math.min(lines.length, 12) * height + 18;
  return svg(760, bottom + 8, title, body.join("") + text(0, bottom, note));
}
