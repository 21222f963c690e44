// The header: pickers, the buttons of a run, files and links.

import { el } from "../dom";

/** The elements of the page that the header shows, and its actions. */
export interface HeaderParts {
  kernel: HTMLElement;
  size: HTMLElement;
  chip: HTMLElement;
  jobs: HTMLElement[];
  open: (files: File[]) => void;
  save: () => void;
  share: () => void;
}

/** Returns a button that asks for a file, and its hidden input. With `openAll` the user can choose
 * several files. */
export function fileButton(
  id: string,
  name: string,
  accept: string,
  open: (file: File) => void,
  openAll?: (files: File[]) => void,
): HTMLElement[] {
  const file = el("input", {
    type: "file",
    accept,
    hidden: true,
    multiple: openAll !== undefined,
    "aria-label": "File",
    onchange: () => {
      const [one, ...others] = file.files ?? [];
      if (one && openAll) openAll([one, ...others]);
      else if (one) open(one);
      file.value = "";
    },
  });
  return [file, el("button", { type: "button", id, onclick: () => file.click() }, name)];
}

/** Fills the header. */
export function fillHeader(header: HTMLElement, parts: HeaderParts): void {
  const button = (id: string, name: string, onclick: () => void) =>
    el("button", { type: "button", id, onclick }, name);
  const root = document.documentElement;
  const [run, cancel, ...progress] = parts.jobs;
  // The page has the same elements in its text, so that nothing moves when the engine is ready.
  header.replaceChildren(
    el("h1", {}, "warpsim lab"),
    el("label", {}, el("span", {}, "Program"), parts.kernel),
    el("label", { id: "size-label" }, el("span", {}, "Size"), parts.size),
    el("label", {}, el("span", {}, "Chip"), parts.chip),
    ...[run, cancel].filter((one) => one !== undefined),
    el("span", { class: "spring" }, ...progress),
    ...fileButton("open", "Open", ".cu,.c,.cl,.ptx,.ron,.json,.md", () => {}, parts.open),
    button("save", "Save", parts.save),
    button("share", "Share link", parts.share),
    el(
      "button",
      {
        type: "button",
        id: "theme",
        "aria-label": "Change between light and dark",
        onclick: () => {
          root.dataset["theme"] = root.dataset["theme"] === "dark" ? "light" : "dark";
        },
      },
      "◐",
    ),
  );
}
