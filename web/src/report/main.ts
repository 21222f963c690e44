// The script of the pages that the program writes: fills the drawings from the data in the page.

import { el, picture } from "../dom";
import { accessView } from "../panes/memory";
import { timelineView } from "../panes/timeline";
import { claimBars } from "../pictures/claim";
import { lineBars, outcomeBars } from "../pictures/difference";
import { laneHistogram } from "../pictures/lanes";
import { occupancyCurves } from "../pictures/occupancy";
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
import { errorBars, scatter, sweepPlot } from "../pictures/results";
import type {
  Access,
  Curves,
  Finding,
  Lanes,
  LineTimes,
  Measurement,
  OutcomeTimes,
  Report,
  SweepPlot,
  Timeline,
} from "../types";

type Drawn = Node[];
const one = (svg: string): Drawn => (svg ? [picture(svg)] : []);

/** The drawings by name, each from its part of the data. report/src/page/drawing.rs has the list. */
const drawings = {
  stalls: (of: Report) => one(stallBars(of.timing!, 60, "source")),
  states: (of: Report) => one(stateBars(of.timing!)),
  timeline: (of: Timeline) => [timelineView(of, "focused")],
  accesses: (of: Access[]) => of.map(accessView),
  lanes: (of: Lanes) => one(laneHistogram(of)),
  divergence: (of: Report) => one(divergence(of)),
  roofline: (of: Report) => one(roofline(of)),
  residency: (of: Report) => one(occupancyBars(of)),
  occupancy: (of: Curves) => [el("div", { class: "curves" }, ...occupancyCurves(of).map(picture))],
  sms: (of: Report) => one(loadOfSms(of.timing!)),
  partitions: (of: Report) => one(loadOfPartitions(of.timing!)),
  rows: (of: Report) => one(dramRows(of.timing!)),
  outcomes: (of: OutcomeTimes[]) => one(outcomeBars(of)),
  lines: (of: LineTimes[]) => one(lineBars(of)),
  claim: (of: Finding[]) => one(claimBars(of)),
  scatter: (of: Measurement[]) => one(scatter(of)),
  errors: (of: Measurement[]) => one(errorBars(of)),
  plot: (of: SweepPlot) => one(sweepPlot(of)),
} satisfies Record<string, (of: never) => Drawn>;

/** The part of the data at a path of names separated by dots. */
function part(data: unknown, path: string): unknown {
  const step = (at: unknown, name: string) => (at as Record<string, unknown>)[name];
  return path === "" ? data : path.split(".").reduce(step, data);
}

const data: unknown = JSON.parse(document.getElementById("data")?.textContent ?? "null");
for (const place of document.querySelectorAll<HTMLElement>(".drawing")) {
  const draw = drawings[place.dataset.draw as keyof typeof drawings] as (of: unknown) => Drawn;
  place.append(...draw(part(data, place.dataset.of ?? "")));
}
