// Pictures of one access of a warp: lanes to segments of memory, and lanes to banks.

import type { Access } from "../types";
import { box, line, svg, text } from "./svg";

const LANES = 32,
  STEP = 24,
  LEFT = 8,
  WIDTH = LEFT * 2 + LANES * STEP;
const PALETTE = [
  "#2f68c8",
  "#e3b505",
  "#1b7f4d",
  "#c0392b",
  "#4aa3df",
  "#7a5195",
  "#b5651d",
  "#d6a5e0",
];

const has = (mask: number, lane: number) => ((mask >>> lane) & 1) === 1;
const plural = (value: number, word: string) =>
  `${value} ${word}${value === 1 ? "" : word.endsWith("s") ? "es" : "s"}`;
const hex = (address: number) => `0x${(address >>> 0).toString(16)}`;

/** The row of lanes; inactive lanes are hollow. */
function lanes(
  mask: number,
  fill: (lane: number) => string,
  tip: (lane: number) => string,
): string {
  let body = "";
  for (let lane = 0; lane < LANES; lane++) {
    const x = LEFT + lane * STEP;
    const active = has(mask, lane);
    body += box(
      x + 1,
      22,
      STEP - 2,
      18,
      active ? fill(lane) : "none",
      active ? tip(lane) : `lane ${lane} is not active`,
      'stroke="var(--muted, #666)"',
    );
    body += text(x + STEP / 2, 16, String(lane), "middle", 'font-size="10"');
  }
  return body;
}

/** Lanes of a warp and the segments of memory that they use. */
export function lanesToSegments(access: Access): string {
  // Transactions of one segment are one box with their number: uncoalesced lanes have one each.
  const segments = new Map<number, { lanes: number; span: number; bytes: number; times: number }>();
  for (const one of access.transactions) {
    const known = segments.get(one.address);
    if (known) {
      known.lanes |= one.lanes;
      known.times += 1;
      known.bytes += one.bytes;
    } else {
      segments.set(one.address, { lanes: one.lanes, span: one.span, bytes: one.bytes, times: 1 });
    }
  }
  const sorted = [...segments].sort((a, b) => a[0] - b[0]);
  const wide = WIDTH / Math.max(sorted.length, 1);
  const of = (lane: number) => sorted.findIndex(([, segment]) => has(segment.lanes, lane));
  const fill = (lane: number) => PALETTE[Math.max(of(lane), 0) % PALETTE.length]!;
  let body = lanes(access.lanes, fill, (lane) => `lane ${lane}: ${hex(access.addresses[lane]!)}`);
  const top = 150;
  sorted.forEach(([address, segment], i) => {
    const x = i * wide,
      w = Math.min(wide - 4, 300),
      left = x + (wide - w) / 2;
    const used = PALETTE[i % PALETTE.length]!;
    const times = segment.times > 1 ? `, ${segment.times} transactions` : "";
    body += box(
      left,
      top,
      w,
      22,
      "var(--panel-2, #eee)",
      `${hex(address)}: ${segment.span} bytes${times}`,
      `stroke="${used}" stroke-width="2"`,
    );
    for (let lane = 0; lane < LANES; lane++) {
      if (!has(access.lanes, lane) || of(lane) !== i) continue;
      const offset = (access.addresses[lane]! - address) / segment.span;
      const at = left + Math.min(Math.max(offset, 0), 1) * w;
      const bytes = Math.max((access.bytes / segment.span) * w, 1);
      body +=
        box(at, top + 1, bytes, 20, used) +
        line(LEFT + lane * STEP + STEP / 2, 40, at + bytes / 2, top, used, 'stroke-opacity="0.75"');
    }
    if (wide >= 90) {
      body +=
        text(
          left + w / 2,
          top + 38,
          `${hex(address)}, ${segment.span} bytes`,
          "middle",
          'font-size="11"',
        ) +
        (segment.times > 1
          ? text(
              left + w / 2,
              top + 52,
              `${segment.times} transactions`,
              "middle",
              'font-size="11"',
            )
          : "");
    }
  });
  const few = access.transactions.length <= access.fewest;
  const moved = access.transactions.reduce((sum, one) => sum + one.bytes, 0);
  let active = 0;
  for (let lane = 0; lane < LANES; lane++) if (has(access.lanes, lane)) active++;
  const verdict =
    `${few ? "coalesced" : "not coalesced"}: ${plural(access.transactions.length, "transaction")}` +
    `${few ? "" : ` instead of ${access.fewest}`}; ${active * access.bytes} bytes requested, ${moved} transferred`;
  body += text(LEFT, top + 74, verdict, "start", 'font-weight="600"');
  return svg(WIDTH, top + 84, `Line ${access.line}: ${verdict}`, body);
}

/** Lanes of a warp and the banks of shared memory that they use, group by group. */
export function lanesToBanks(access: Access): string {
  const view = access.banks;
  if (!view) return "";
  const wide = (LANES * STEP) / view.banks;
  let body = "",
    top = 0;
  for (let first = 0; first < LANES; first += view.group) {
    const users = Array.from({ length: view.banks }, () => [] as number[]);
    for (let lane = first; lane < first + view.group; lane++) {
      if (has(view.lanes, lane)) users[view.of_lane[lane]!]!.push(lane);
    }
    if (users.every((list) => list.length === 0)) continue;
    const crowded = (lane: number) => distinct(users[view.of_lane[lane]!]!, access) > 1;
    const group = lanes(
      view.lanes,
      (lane) => (crowded(lane) ? "#c0392b" : "#1b7f4d"),
      (lane) => `lane ${lane}: bank ${view.of_lane[lane]}`,
    );
    let part = view.group === LANES ? group : "";
    if (view.group !== LANES) {
      for (let lane = first; lane < first + view.group; lane++) {
        const x = LEFT + (lane - first) * STEP * (LANES / view.group);
        const active = has(view.lanes, lane);
        part +=
          box(
            x + 1,
            22,
            STEP * (LANES / view.group) - 2,
            18,
            active ? (crowded(lane) ? "#c0392b" : "#1b7f4d") : "none",
            `lane ${lane}`,
            'stroke="var(--muted, #666)"',
          ) +
          text(x + (STEP * (LANES / view.group)) / 2, 16, String(lane), "middle", 'font-size="10"');
      }
    }
    const center = (lane: number) =>
      view.group === LANES
        ? LEFT + lane * STEP + STEP / 2
        : LEFT + (lane - first + 0.5) * STEP * (LANES / view.group);
    users.forEach((list, bank) => {
      const x = LEFT + bank * wide;
      const conflict = distinct(list, access) > 1;
      part +=
        box(
          x + 1,
          100,
          wide - 2,
          18,
          list.length === 0 ? "none" : conflict ? "#c0392b" : "#1b7f4d",
          `bank ${bank}: ${list.length === 0 ? "not used" : `lanes ${list.join(", ")}`}`,
          'stroke="var(--muted, #666)"',
        ) + text(x + wide / 2, 132, String(bank), "middle", 'font-size="10"');
      for (const lane of list)
        part += line(
          center(lane),
          40,
          x + wide / 2,
          100,
          conflict ? "#c0392b" : "#1b7f4d",
          'stroke-opacity="0.8"',
        );
    });
    body += `<g transform="translate(0 ${top})">${part}</g>`;
    top += 146;
  }
  const conflict = view.passes > view.fewest;
  const verdict = conflict
    ? `bank conflict: ${plural(view.passes, "pass")} instead of ${view.fewest}; red banks serve several words`
    : `no bank conflict: ${plural(view.passes, "pass")}`;
  body += text(LEFT, top + 14, verdict, "start", 'font-weight="600"');
  return svg(WIDTH, top + 24, `Line ${access.line}: ${verdict}`, body);
}

/** Number of different words of the lanes: lanes that read one word share it. */
function distinct(list: number[], access: Access): number {
  return new Set(list.map((lane) => access.addresses[lane]! >>> 2)).size;
}

/** Active lanes of a mask as a row of small boxes. */
export function mask(bits: number, live: number): string {
  let body = "";
  for (let lane = 0; lane < LANES; lane++) {
    const fill = has(bits, lane)
      ? "var(--accent, #1f4e9c)"
      : has(live, lane)
        ? "var(--panel-2, #ddd)"
        : "none";
    body += box(lane * 5, 1, 4, 10, fill, "", 'stroke="var(--muted, #777)" stroke-width="0.5"');
  }
  let active = 0;
  for (let lane = 0; lane < LANES; lane++) if (has(bits, lane)) active++;
  return svg(
    LANES * 5,
    12,
    `${active} active lanes, mask ${(bits >>> 0).toString(16).padStart(8, "0")}`,
    body,
  );
}
