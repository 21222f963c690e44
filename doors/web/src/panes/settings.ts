// The settings of the chip, from the table of fields of the engine, and the options of a run.

import { el } from "../dom";
import type { Choices } from "../store";
import type { Setting } from "../types";

/** Shows the settings; `changed` is called after each change of `choices`. */
export function settingsView(all: Setting[], choices: Choices, changed: () => void): HTMLElement {
  const value = (path: string) => choices.sets.find(([one]) => one === path)?.[1];
  const set = (path: string, given: string, original: string) => {
    choices.sets = choices.sets.filter(([one]) => one !== path);
    if (given.trim() !== "" && given !== original) choices.sets.push([path, given]);
    changed();
  };
  const input = (setting: Setting, name: HTMLElement): HTMLElement => {
    const current = value(setting.path) ?? setting.value;
    const id = `set-${setting.path.replace(/\W/g, "-")}`;
    name.setAttribute("for", id);
    const update = (given: string) => {
      set(setting.path, given, setting.value);
      name.classList.toggle("changed", value(setting.path) !== undefined);
    };
    const onchange = (event: Event) => update((event.target as HTMLInputElement).value);
    const options =
      setting.kind === "flag" ? ["true", "false"] : setting.kind === "word" ? setting.words : [];
    if (options.length) {
      const known = options.includes(current) ? options : [current, ...options];
      return el(
        "select",
        { id, onchange },
        ...known.map((word) => el("option", { value: word, selected: word === current }, word)),
      );
    }
    const numeric = setting.kind === "integer" || setting.kind === "number";
    return el("input", {
      id,
      onchange,
      value: current,
      type: numeric ? "number" : "text",
      min: setting.min,
      max: setting.max,
      step: setting.kind === "integer" ? 1 : "any",
      placeholder: "not set",
    });
  };
  const list = el("div", { class: "settings" });
  for (const setting of all) {
    // The identity of a chip is not a setting of an experiment.
    if (["name", "board", "capability", "simulated"].includes(setting.path)) continue;
    const unit = setting.unit ? ` (${setting.unit})` : "";
    const name = el(
      "label",
      { class: value(setting.path) === undefined ? "" : "changed" },
      el("code", { class: "mono" }, setting.path),
      unit,
    );
    const row = [name, input(setting, name), el("div", { class: "about" }, setting.about)];
    row.forEach((part) => {
      part.dataset["path"] = `${setting.path} ${setting.about}`.toLowerCase();
    });
    list.append(...row);
  }
  const filter = (event: Event) => {
    const wanted = (event.target as HTMLInputElement).value.toLowerCase();
    for (const part of list.children)
      (part as HTMLElement).hidden = !((part as HTMLElement).dataset["path"] ?? "").includes(
        wanted,
      );
  };
  return el(
    "div",
    {},
    el(
      "div",
      { class: "bar" },
      el(
        "label",
        {},
        el("span", {}, "Find"),
        el("input", { type: "search", placeholder: "sm.max_warps", oninput: filter }),
      ),
      el(
        "button",
        {
          type: "button",
          onclick: () => {
            choices.sets = [];
            changed();
            rebuild();
          },
        },
        "Reset all",
      ),
    ),
    list,
  );

  function rebuild(): void {
    list.closest(".panel")?.dispatchEvent(new CustomEvent("rebuild"));
  }
}

/** The options of a run that are not settings of the chip. */
export function optionsView(choices: Choices, changed: () => void): HTMLElement {
  const pick = <T extends string>(
    label: string,
    words: [T, string][],
    current: T,
    put: (word: T) => void,
  ) =>
    el(
      "label",
      {},
      el("span", {}, label),
      el(
        "select",
        {
          onchange: (event: Event) => {
            put((event.target as HTMLSelectElement).value as T);
            changed();
          },
        },
        ...words.map(([word, name]) =>
          el("option", { value: word, selected: word === current }, name),
        ),
      ),
    );
  return el(
    "div",
    { class: "bar" },
    el(
      "label",
      {},
      el("span", {}, "Registers per thread"),
      el("input", {
        type: "number",
        min: 1,
        value: choices.registers,
        placeholder: "compiled",
        onchange: (event: Event) => {
          const given = (event.target as HTMLInputElement).valueAsNumber;
          choices.registers = Number.isNaN(given) ? null : given;
          changed();
        },
      }),
    ),
    pick(
      "Barriers",
      [
        ["strict", "strict"],
        ["hardware", "hardware"],
      ],
      choices.barriers,
      (word) => {
        choices.barriers = word;
      },
    ),
    pick(
      "L1 and shared memory",
      [
        ["", "as launched"],
        ["prefer-none", "no preference"],
        ["prefer-shared", "more shared memory"],
        ["prefer-l1", "more L1"],
      ],
      choices.cache,
      (word) => {
        choices.cache = word;
      },
    ),
    pick(
      "Optimization",
      [
        ["0", "none (-O0)"],
        ["3", "full (-O3)"],
      ],
      choices.optLevel === 0 ? "0" : "3",
      (word) => {
        choices.optLevel = Number(word);
      },
    ),
    el(
      "label",
      {},
      el("input", {
        type: "checkbox",
        checked: choices.fmad,
        onchange: (event: Event) => {
          choices.fmad = (event.target as HTMLInputElement).checked;
          changed();
        },
      }),
      "Fuse products and sums (--fmad)",
    ),
  );
}
