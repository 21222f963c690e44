// The script of the pages that the program writes: replaces the pictures of timelines by timelines
// that can be zoomed.

import { timelineView } from "../panes/timeline";
import type { Timeline } from "../types";

for (const place of document.querySelectorAll<HTMLElement>(".timeline")) {
  const data = JSON.parse(place.querySelector("script")?.textContent ?? "null") as Timeline;
  place.replaceChildren(timelineView(data, "focused"));
}
