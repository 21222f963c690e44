// One access of each memory instruction, drawn: lanes to segments and to banks.

import { el, picture } from "../dom";
import { lanesToBanks, lanesToSegments } from "../pictures/access";
import type { Access } from "../types";

/** Shows one access. */
export function accessView(access: Access): HTMLElement {
  const parts: HTMLElement[] = [];
  if (access.transactions.length) parts.push(picture(lanesToSegments(access)));
  if (access.banks) parts.push(picture(lanesToBanks(access)));
  if (!parts.length)
    parts.push(
      el("p", { class: "note" }, `${access.space} memory: it has neither segments nor banks.`),
    );
  return el(
    "div",
    {},
    el(
      "p",
      {},
      el("strong", {}, `Line ${access.line}: `),
      el("code", { class: "mono" }, access.text),
      ` — ${access.space} ${access.kind} of ${access.bytes} ${access.bytes === 1 ? "byte" : "bytes"} by each lane${access.warp ? `, warp ${access.warp}` : ""}, cycle ${access.cycle.toLocaleString("en-US")}`,
    ),
    ...parts,
  );
}

/** Shows all accesses. */
export function accessesView(all: Access[]): HTMLElement {
  const drawn = all.filter((access) => access.transactions.length || access.banks);
  if (!drawn.length)
    return el(
      "p",
      {},
      "The first block of the launch accesses neither global, local nor shared memory.",
    );
  return el(
    "div",
    {},
    el(
      "p",
      { class: "note" },
      "Each picture is one access of the first block of SM 0 in the first launch: of warp 0, if it executes the line, and its second execution, if there is one.",
    ),
    ...drawn.map(accessView),
  );
}
