// Commands of lessons and statements that the page can do, too.

import type { DirectLaunch } from "../types";

/** What a command loads, and where the page shows its answer. */
export interface Command {
  /** Path of a program or a launch file; empty with a built-in kernel. */
  file: string;
  /** Name of a built-in kernel; empty with a file. */
  kernel: string;
  size: number | null;
  chip: string | undefined;
  args: string;
  /** Macros of `-D`. */
  defines: string[];
  sets: [string, string][];
  registers: number | null;
  cache: string;
  /** Options that replace a launch file. */
  direct: DirectLaunch | undefined;
  /** Tab with the answer of the command; `report` after a run. */
  tab: string;
  /** What the page does not do of it. */
  note: string;
}

/** Something that a line of a block asks for. */
export type Asked =
  | { kind: "load"; command: Command }
  | { kind: "exercise"; name: string }
  | { kind: "settings" }
  | { kind: "none" };

/** Tab with the picture of a kind. */
const PICTURES: Record<string, string> = {
  timeline: "timeline",
  segments: "memory",
  banks: "memory",
};

/** What follows the run, by the tab with the answer. */
const NOTES: Record<string, string> = {
  checkers: "or the button of the tab Checkers",
  stepper: "then open the tab Stepper",
  pictures: "then open the tab Pictures",
  timeline: "then open the tab Timeline",
  memory: "then open the tab Memory",
};

/** Options without a value. */
const FLAGS = ["--details", "--batch", "--verbose", "--why"];

/** Options that replace a launch file, with one value. */
const DIRECT = ["grid", "block", "global", "local", "entry"] as const;

/** Divides a line into words, as a shell does. */
function wordsOf(line: string): string[] {
  const parts = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return parts.map((part) => part.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/** Reads the words of a run: a program, a launch file or a kernel, with its options. */
function runOf(words: string[], tab: string): Command | undefined {
  const command: Command = {
    file: "",
    kernel: "",
    size: null,
    chip: undefined,
    args: "",
    defines: [],
    sets: [],
    registers: null,
    cache: "",
    direct: undefined,
    tab,
    note: "",
  };
  const end = words.indexOf("--");
  if (end >= 0) command.args = words.slice(end + 1).join(" ");
  const rest = end >= 0 ? words.slice(0, end) : [...words];
  while (rest.length) {
    const word = rest.shift()!;
    if (FLAGS.includes(word)) continue;
    if (!word.startsWith("-")) {
      if (command.file || command.kernel) return undefined;
      if (/\.(cu|cl|c|ron)$/.test(word)) command.file = word;
      else if (/^[\w-]+$/.test(word)) command.kernel = word;
      else return undefined;
      continue;
    }
    const value = rest.shift();
    if (value === undefined) return undefined;
    const option = DIRECT.find((name) => word === `--${name}`);
    if (option) command.direct = { ...command.direct, [option]: value };
    const add = (list: string[] | undefined) => [...(list ?? []), value];
    const { direct } = command;
    if (word === "--arg") command.direct = { ...direct, arguments: add(direct?.arguments) };
    if (word === "--expect") command.direct = { ...direct, expect: add(direct?.expect) };
    if (word === "--dynamic-shared") command.direct = { ...direct, dynamic_shared: Number(value) };
    if (word === "--chip") command.chip = value;
    else if (word === "--size") command.size = Number(value);
    else if (word === "-D") command.defines.push(value);
    else if (word === "--registers") command.registers = Number(value);
    else if (word === "--cache") command.cache = value;
    else if (word === "--check") command.tab = "checkers";
    else if (word === "--set" && !value.includes(",")) {
      const [path, ...is] = value.split("=");
      command.sets.push([path!, is.join("=")]);
    }
    // All other options choose a part of the answer, or make other runs.
  }
  // `occupancy --block` describes no launch, and a launch file describes its own.
  const describes = command.direct?.grid ?? command.direct?.global;
  if (!describes || command.file.endsWith(".ron")) command.direct = undefined;
  return command.file || command.kernel ? command : undefined;
}

/** Reads one line. */
function lineOf(line: string): Asked[] {
  const [program, name, ...words] = wordsOf(line);
  if (program !== "warpsim") return [];
  const load = (command: Command | undefined, note = ""): Asked[] =>
    command
      ? [{ kind: "load", command: { ...command, note: note || (NOTES[command.tab] ?? "") } }]
      : [{ kind: "none" }];
  if (name === "run") return load(runOf(words, "report"));
  if (name === "debug") return load(runOf(words, "stepper"));
  if (name === "occupancy") return load(runOf(words, "pictures"), "then see Occupancy in Pictures");
  if (name === "sweep")
    return load(runOf(words, "settings"), "the page runs one point: change it in Chip settings");
  if (name === "picture") {
    const [kind, ...of] = words;
    const pair = of.indexOf("--with");
    if (pair >= 0) of.splice(pair, 2);
    return load(runOf(of, PICTURES[kind ?? ""] ?? "pictures"));
  }
  if (name === "compare") {
    const starts = words.flatMap((word, at) =>
      word === "--" && words[at + 1] === "run" ? [at] : [],
    );
    const runs = starts.map((start, at) => words.slice(start + 2, starts[at + 1]));
    const marks = ["keep the run as A", "keep the run as B"];
    return runs.flatMap((run, at) => load(runOf(run, "compare"), marks[at] ?? ""));
  }
  if (name === "lab" && words[0] === "new" && words[1])
    return [{ kind: "exercise", name: words[1] }];
  // The page has the tests of the exercise that the line before opens.
  if (name === "lab") return [];
  if (name === "config") return [{ kind: "settings" }];
  return [{ kind: "none" }];
}

/** Whether a block of text has nothing but commands. */
export function isCommands(code: string): boolean {
  return code.split("\n").every((line) => !line.trim() || line.startsWith("warpsim "));
}

/** Returns what the lines of a block of commands ask for. */
export function asked(code: string): Asked[] {
  return code.replaceAll("\\\n", " ").split("\n").flatMap(lineOf);
}

/** A text with the macros of `-D` in front. */
export function withDefines(text: string, defines: string[]): string {
  const lines = defines.map((define) => `#define ${define.replace("=", " ")}\n`);
  return lines.join("") + text;
}
