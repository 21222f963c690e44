// What a student has done in the course: programs, results and hand-outs, kept in the browser.

import type { Given } from "./types";

/** What is kept of an exercise. */
export interface Kept {
  /** The student's program; absent if it is the starting program. */
  text?: string;
  /** Best result of the open tests, and their points. */
  best?: number;
  of?: number;
  /** Texts of a hand-out. */
  files?: Record<string, string>;
  /** Milliseconds since 1970 of the last change of the program. */
  at?: number;
}

type All = Record<string, Kept>;

const PLACE = "warpsim.course";
/** What is kept while the page is open, if the browser keeps nothing. */
let without: string | null = null;

function stored(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return without;
  }
}

/** Returns a document of exercises without the parts that have other types. */
function valid(document: unknown): All {
  const made: All = {};
  if (typeof document !== "object" || document === null) return made;
  for (const [key, value] of Object.entries(document as Record<string, unknown>)) {
    if (typeof value !== "object" || value === null) continue;
    const { text, best, of, files, at } = value as Record<string, unknown>;
    const texts =
      typeof files === "object" &&
      files !== null &&
      Object.values(files).every((one) => typeof one === "string");
    made[key] = {
      ...(typeof text === "string" ? { text } : {}),
      ...(typeof best === "number" && typeof of === "number" ? { best, of } : {}),
      ...(texts ? { files: files as Record<string, string> } : {}),
      ...(typeof at === "number" ? { at } : {}),
    };
  }
  return made;
}

/** Returns what is kept of all exercises. */
export function kept(): All {
  try {
    return valid(JSON.parse(stored() ?? "{}"));
  } catch {
    return {};
  }
}

/** Keeps another state of an exercise. Returns whether the browser keeps it after the page. */
export function keep(key: string, change: (of: Kept) => Kept): boolean {
  // Another window may have changed the document.
  const all = kept();
  return write({ ...all, [key]: change(all[key] ?? {}) });
}

function write(all: All): boolean {
  without = JSON.stringify(all);
  try {
    localStorage.setItem(PLACE, without);
    return true;
  } catch {
    return false;
  }
}

/** Returns the name under which an exercise is kept: hand-outs with other files have other names. */
export function keyOf({ name, files }: Given): string {
  if (!Object.keys(files).length) return name;
  let hash = 0x811c9dc5;
  for (const character of files["exercise.ron"] ?? "")
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return `${name}@${hash.toString(36)}`;
}

/** Returns the progress as a file. */
export function progressFile(): string {
  return `${JSON.stringify({ warpsim_course: 1, exercises: kept() }, null, 2)}\n`;
}

/** Whether a text is a file of the progress. */
export function isProgress(text: string): boolean {
  return text.slice(0, 200).includes('"warpsim_course"');
}

/** Adds the progress of a file: the later program and the better result of each exercise. */
export function addProgress(text: string): void {
  const found = JSON.parse(text) as Record<string, unknown>;
  const all = kept();
  for (const [key, other] of Object.entries(valid(found["exercises"]))) {
    const own = all[key] ?? {};
    const [late, early] = (other.at ?? 0) > (own.at ?? 0) ? [other, own] : [own, other];
    const [good, bad] = (other.best ?? -1) > (own.best ?? -1) ? [other, own] : [own, other];
    const best = good.best ?? bad.best;
    const of = good.of ?? bad.of;
    all[key] = {
      ...early,
      ...late,
      ...(best !== undefined && of !== undefined ? { best, of } : {}),
    };
  }
  write(all);
}
