// A web worker with one instance of the engine.

import {
  Debug,
  accesses,
  catalog,
  check,
  checkChip,
  chipText,
  claim,
  claims,
  compare,
  course,
  exercise,
  grade,
  initSync,
  kernel,
  lanes,
  launchFor,
  lesson,
  lowered,
  names,
  newChip,
  run,
  schema,
  settings,
  timeline,
} from "../build/lab.js";

let current = 0;
let session: Debug | undefined;

// The engine calls this function during a run.
(globalThis as unknown as { labProgress: (text: string) => void }).labProgress = (text) => {
  postMessage({ id: current, progress: JSON.parse(text) });
};

const functions: Record<string, (...args: never[]) => unknown> = {
  catalog: () => JSON.parse(catalog()),
  kernel: (name: string) => kernel(name),
  settings: (request: object) => JSON.parse(settings(JSON.stringify(request))),
  chipText: (name: string) => chipText(name),
  newChip: (request: object) => newChip(JSON.stringify(request)),
  checkChip: (request: object) => JSON.parse(checkChip(JSON.stringify(request))),
  claims: () => JSON.parse(claims()),
  claim: (id: string) => JSON.parse(claim(id)),
  course: () => JSON.parse(course()),
  lesson: (number: number) => JSON.parse(lesson(number)),
  exercise: (given: object) => JSON.parse(exercise(JSON.stringify(given))),
  grade: (given: object, text: string) => JSON.parse(grade(JSON.stringify(given), text)),
  schema: () => schema(),
  check: (request: object) => JSON.parse(check(JSON.stringify(request))),
  lowered: (request: object) => JSON.parse(lowered(JSON.stringify(request))),
  names: (request: object) => JSON.parse(names(JSON.stringify(request))),
  launchFor: (request: object, direct: object | null) =>
    launchFor(JSON.stringify(request), JSON.stringify(direct)),
  run: (request: object) => JSON.parse(run(JSON.stringify(request))),
  compare: (a: string, x: string, b: string, y: string) => JSON.parse(compare(a, x, b, y)),
  timeline: (request: object, launch: number, sm: number, cycles: number) =>
    JSON.parse(timeline(JSON.stringify(request), launch, sm, cycles)),
  lanes: (request: object, launch: number, sm: number, cycles: number) =>
    JSON.parse(lanes(JSON.stringify(request), launch, sm, cycles)),
  accesses: (request: object) => JSON.parse(accesses(JSON.stringify(request))),
  debug: (request: object, launch: number) => {
    session?.free();
    session = undefined;
    session = new Debug(JSON.stringify(request), launch);
    return JSON.parse(session.program());
  },
  step: (step: object) => {
    if (!session) throw new Error("no launch is open");
    return JSON.parse(session.step(JSON.stringify(step)));
  },
};

onmessage = ({ data }: MessageEvent) => {
  if (data.module) {
    initSync({ module: data.module });
    return;
  }
  current = data.id;
  try {
    const result = functions[data.name]!(...(data.args as never[]));
    postMessage({ id: data.id, result });
  } catch (why) {
    // A trap of WebAssembly is a defect of the engine: the worker ends, the page starts another.
    if (why instanceof WebAssembly.RuntimeError || why instanceof RangeError) throw why;
    postMessage({ id: data.id, error: why instanceof Error ? why.message : String(why) });
  }
};
