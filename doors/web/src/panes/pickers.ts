// The lists of kernels and chips.

import { el } from "../dom";
import type { Catalog, KernelEntry, ProgramEntry } from "../types";

/** Fills the list of programs and kernels: the variants of a family are a group. */
export function fillKernels(pick: HTMLSelectElement, catalog: Catalog): void {
  const families = new Map<string, KernelEntry[]>();
  for (const kernel of catalog.kernels)
    families.set(kernel.family ?? "", [...(families.get(kernel.family ?? "") ?? []), kernel]);
  const option = (kernel: KernelEntry) =>
    el("option", { value: kernel.name, title: kernel.about }, kernel.name);
  const program = (one: ProgramEntry) =>
    el("option", { value: one.name, title: one.about }, one.name);
  const isCuda = (one: ProgramEntry) => one.name.endsWith(".cu");
  const cuda = catalog.programs.filter(isCuda);
  const openCl = catalog.programs.filter((one) => !isCuda(one));
  pick.append(
    el("option", { value: "" }, "your own text"),
    el("optgroup", { label: "Programs in CUDA C" }, ...cuda.map(program)),
    el("optgroup", { label: "OpenCL" }, ...openCl.map(program)),
  );
  for (const [family, kernels] of families) {
    if (!family || kernels.length === 1) pick.append(...kernels.map(option));
    else pick.append(el("optgroup", { label: family }, ...kernels.map(option)));
  }
}

/** Fills the list of chips. */
export function fillChips(pick: HTMLSelectElement, catalog: Catalog): void {
  pick.append(
    el("option", { value: "" }, "your own chip"),
    ...catalog.chips.map((chip) =>
      el("option", { value: chip.name }, `${chip.name}: ${chip.board}`),
    ),
  );
}
