// Pictures of a validation and of a sweep.

import type { Measurement, SweepPlot } from "../types";
import { frame, linear, logarithmic, marker, shade, short } from "./chart";
import { shorten } from "./report";
import { box, escape, line, n, svg, text } from "./svg";

/** Simulated over published values, both on logarithmic axes. */
export function scatter(rows: Measurement[]): string {
  const title = "Simulated over published values";
  const points = rows.filter((row) => row.y !== null && row.x > 0 && row.y > 0);
  if (points.length === 0) return svg(560, 24, title, text(0, 16, "No row has a value."));
  const all = points.flatMap((row) => [row.x, row.y!]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = logarithmic(low, high, 70, 560);
  const y = logarithmic(low, high, 440, 20);
  let body = frame(
    x,
    y,
    "published, in the common unit of the quantity",
    "simulated, in the same unit",
  );
  body += line(x.from, y.from, x.to, y.to, "var(--muted, #666)", 'stroke-dasharray="5 4"');
  const chips = [...new Set(points.map((row) => row.chip))];
  for (const row of points) {
    const tip = `${row.id}, ${row.kernel}: published ${short(row.published)} ${row.unit}, simulated ${short(row.simulated ?? 0)} (${n(row.error_percent ?? 0)} %)`;
    body += marker(
      chips.indexOf(row.chip),
      x.at(row.x),
      y.at(row.y!),
      escape(tip),
      row.state !== "predicted",
    );
  }
  chips.forEach(
    (chip, i) => (body += marker(i, 590, 36 + i * 22, "") + text(602, 40 + i * 22, chip)),
  );
  body += text(584, 50 + chips.length * 22, "filled: predicted;", "start", 'font-size="11"');
  body += text(584, 65 + chips.length * 22, "hollow: calibrated or set", "start", 'font-size="11"');
  return svg(760, 484, title, body);
}

/** Errors of the predicted rows, or of all if there are none, largest first; at most `most`. */
export function errorBars(rows: Measurement[], most = 40): string {
  const predicted = rows.filter((row) => row.state === "predicted");
  const title = predicted.length > 0 ? "Errors of the predicted rows" : "Errors of all rows";
  const size = (row: Measurement) => Math.abs(row.error_percent ?? 0);
  const chosen = predicted.length > 0 ? predicted : rows;
  const all = chosen.filter((row) => row.error_percent !== null);
  if (all.length === 0) return svg(560, 24, title, text(0, 16, "No row has a value."));
  const shown = [...all].sort((a, b) => size(b) - size(a)).slice(0, most);
  const reach = Math.max(...shown.map(size), ...shown.map((row) => row.target_percent)) * 1.05;
  const [left, right, height, top] = [330, 800, 20, 26];
  const x = linear(-reach, reach, left, right, 8);
  const bottom = top + shown.length * height;
  let body = "";
  for (const tick of x.ticks)
    body +=
      line(x.at(tick), top, x.at(tick), bottom, "var(--line, #ccc)") +
      text(x.at(tick), 16, `${n(tick)} %`, "middle");
  shown.forEach((row, i) => {
    const y = top + i * height,
      error = row.error_percent!,
      aim = row.target_percent;
    const inside = Math.abs(error) <= aim + 1e-9;
    const tip = `${row.id}: ${n(error)} %, aim ${n(aim)} %`;
    body +=
      text(0, y + 14, row.id) +
      text(52, y + 14, shorten(row.kernel, 32), "start", 'font-size="11"') +
      text(left - 8, y + 14, row.chip, "end", 'font-size="11"') +
      box(
        x.at(-aim),
        y + 2,
        x.at(aim) - x.at(-aim),
        height - 4,
        "var(--panel-2, #eee)",
        tip,
        'stroke="var(--muted, #666)" stroke-dasharray="2 2"',
      ) +
      box(
        Math.min(x.at(0), x.at(error)),
        y + 6,
        Math.abs(x.at(error) - x.at(0)),
        height - 12,
        inside ? "#1b7f4d" : "#c0392b",
        tip,
      ) +
      text(right + 6, y + 14, `${error > 0 ? "+" : "−"}${n(Math.abs(error))} %`);
  });
  body += line(x.at(0), top, x.at(0), bottom);
  const more = all.length > shown.length ? ` The ${shown.length} largest of ${all.length}.` : "";
  body += text(0, bottom + 20, `Gray: the aim of the row. Green: within it. Red: outside.${more}`);
  return svg(880, bottom + 28, title, body);
}

/** Lines of a sweep. */
export function sweepPlot(plot: SweepPlot): string {
  const points = plot.series.flatMap((one) => one.points);
  if (points.length === 0)
    return svg(560, 24, plot.title, text(0, 16, "No point of the sweep has a value."));
  const xs = points.map(([x]) => x),
    ys = points.map(([, y]) => y);
  const named = plot.names.length > 0;
  const [left, right, top, bottom] = [78, 560, 34, 330];
  const pad = named ? 0.5 : (Math.max(...xs) - Math.min(...xs)) * 0.04;
  const x = linear(Math.min(...xs) - pad, Math.max(...xs) + pad, left, right, 6);
  if (named) x.ticks = plot.names.map((_, i) => i);
  const y = linear(Math.min(0, ...ys), Math.max(...ys) * 1.05, bottom, top, 5);
  let body = text(left, 16, plot.title, "start", 'font-weight="600"');
  body += frame(
    x,
    y,
    plot.x,
    plot.y,
    named ? plot.names.map((name) => shorten(name, 14)) : undefined,
  );
  const dashes = ["", "7 4", "2 3", "9 3 2 3", "5 5"];
  plot.series.forEach((one, i) => {
    const path = one.points
      .map(([px, py], k) => `${k ? "L" : "M"}${n(x.at(px))} ${n(y.at(py))}`)
      .join("");
    body += `<path d="${path}" fill="none" stroke="${shade(i)}" stroke-width="2" stroke-dasharray="${dashes[i % dashes.length]}"/>`;
    for (const [px, py] of one.points) {
      const at = named ? (plot.names[px] ?? "") : short(px);
      body += marker(i, x.at(px), y.at(py), escape(`${one.name} at ${at}: ${short(py)}`));
    }
    // Equal lines hide each other, so the key names them.
    const same = plot.series.find(
      (other, k) => k < i && String(other.points) === String(one.points),
    );
    const name = same ? `${one.name}, equal to ${same.name}` : one.name;
    if (plot.series.length > 1)
      body += marker(i, 586, 44 + i * 20, "") + text(598, 48 + i * 20, shorten(name, 44));
  });
  const height = Math.max(384, plot.series.length > 1 ? 60 + plot.series.length * 20 : 0);
  return svg(900, height, plot.title, body);
}
