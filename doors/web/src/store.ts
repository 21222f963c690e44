// What the user has chosen: kernel, launch, chip and options; as a request, a link and a file.

import { DEFAULT_CHIP, type Request } from "./types";

/** The choices of the user. */
export interface Choices {
  /** Name of a built-in kernel, or empty for the user's text. */
  kernel: string;
  size: number | null;
  /** File name of the text: CUDA C ends in `.cu`, OpenCL C in `.cl`, C in `.c`. */
  ptxName: string;
  ptx: string;
  launch: string;
  /** Arguments of a program: words as in a shell. */
  args: string;
  /** Standard input of a program. */
  input: string;
  /** Name of the exercise whose program the text is; else empty. */
  exercise: string;
  /** Texts of its hand-out by file name; empty for an exercise of the course. */
  handout: Record<string, string>;
  /** Name of a built-in chip, or empty for the user's chip file. */
  chip: string;
  chipName: string;
  chipFile: string;
  /** Built-in chip of the last choice, on which a new chip file is based. */
  base: string;
  sets: [string, string][];
  registers: number | null;
  barriers: "strict" | "hardware";
  cache: "" | "prefer-none" | "prefer-shared" | "prefer-l1";
  optLevel: number;
  fmad: boolean;
}

export const initial: Choices = {
  kernel: "matmul-tiled",
  size: null,
  ptxName: "kernel.ptx",
  ptx: "",
  launch: "",
  args: "",
  input: "",
  exercise: "",
  handout: {},
  chip: DEFAULT_CHIP,
  chipName: "mine.ron",
  chipFile: "",
  base: DEFAULT_CHIP,
  sets: [],
  registers: null,
  barriers: "strict",
  cache: "",
  optLevel: 3,
  fmad: false,
};

/** Returns the chip of a request. */
export function chipRequest(of: Choices): Pick<Request, "chip" | "chip_file"> {
  return of.chip ? { chip: of.chip } : { chip_file: { name: of.chipName, text: of.chipFile } };
}

/** Returns the request of the choices. */
export function request(of: Choices, more: Partial<Request> = {}): Request {
  const all: Request = {
    ...chipRequest(of),
    sets: of.sets,
    barriers: of.barriers,
    opt_level: of.optLevel,
    fmad: of.fmad,
    ...more,
  };
  if (of.kernel) {
    all.kernel = of.kernel;
    if (of.size !== null) all.size = of.size;
  } else {
    all.ptx = { name: of.ptxName, text: of.ptx };
    if (isProgram(of)) {
      all.input = of.input;
      all.arguments = of.args;
    } else all.launch = { name: launchName(of), text: of.launch };
  }
  if (of.registers !== null) all.registers = of.registers;
  if (of.cache) all.cache = of.cache;
  return all;
}

/** Returns the name of the launch file of the user's text. */
function launchName(of: Choices): string {
  return `${of.ptxName.replace(/\.(ptx|cu|cl|c)$/, "")}.ron`;
}

/** Whether the text is CUDA C, OpenCL C, or a program in C. */
export function isCudaC(of: Choices): boolean {
  return !of.kernel && /\.(cu|cl|c)$/.test(of.ptxName);
}

/** Name of the language of the text. */
export function language(of: Choices): string {
  if (!isCudaC(of)) return "PTX";
  return of.ptxName.endsWith(".cl") ? "OpenCL C" : of.ptxName.endsWith(".c") ? "C" : "CUDA C";
}

/** Whether CUDA C has host code. */
export function hasMain(text: string): boolean {
  return /(^|\s)main\s*\(/.test(text);
}

/** Whether the text is CUDA C whose host code runs. With a launch file, only its kernels run. */
export function isProgram(of: Choices): boolean {
  return isCudaC(of) && !of.launch.trim() && hasMain(of.ptx);
}

/** Returns the arguments of `warpsim run` for the choices. */
export function title(of: Choices): string {
  const options = of.sets.map(
    ([path, value]) => ` --set ${path}=${/^[\w.]+$/.test(value) ? value : `'${value}'`}`,
  );
  if (of.registers !== null) options.push(` --registers ${of.registers}`);
  if (of.barriers !== "strict") options.push(` --barriers ${of.barriers}`);
  if (of.cache) options.push(` --cache ${of.cache}`);
  if (of.optLevel === 0) options.push(" -O0");
  if (of.fmad) options.push(" --fmad true");
  const kernel = of.kernel
    ? `${of.kernel}${of.size !== null ? ` --size ${of.size}` : ""}`
    : isProgram(of)
      ? of.ptxName
      : `${of.ptxName} --launch ${launchName(of)}`;
  const words = isProgram(of) && of.args.trim() ? ` -- ${of.args.trim()}` : "";
  return `${kernel} --chip ${of.chip || of.chipName}${options.join("")}${words}`;
}

/** Returns choices from a JSON document, with the defaults for missing fields. */
export function read(text: string): Choices {
  const document: unknown = JSON.parse(text);
  if (typeof document !== "object" || document === null || !("warpsim" in document)) {
    throw new Error("the file is not a lab file: it has no field `warpsim`");
  }
  const found = document as Record<string, unknown>;
  const result = { ...initial } as Record<string, unknown>;
  for (const [name, value] of Object.entries(initial)) {
    const given = found[name];
    if (given === undefined) continue;
    const nullable = name === "size" || name === "registers";
    const good = nullable
      ? given === null || typeof given === "number"
      : typeof given === typeof value && Array.isArray(given) === Array.isArray(value);
    if (!good) throw new Error(`the field \`${name}\` has a wrong type`);
    result[name] = given;
  }
  const texts = result["handout"] as object | null;
  if (!texts || !Object.values(texts).every((one) => typeof one === "string"))
    throw new Error("the field `handout` has a wrong type");
  const sets = result["sets"] as unknown[];
  if (
    !sets.every(
      (set) =>
        Array.isArray(set) && set.length === 2 && set.every((part) => typeof part === "string"),
    )
  ) {
    throw new Error("the field `sets` has a wrong type");
  }
  return result as unknown as Choices;
}

/** Returns the choices as a JSON document; fields with their default are left out. */
export function write(of: Choices, indent = 0): string {
  const fields = Object.entries(of).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name as keyof Choices]),
  );
  // Texts of built-in kernels and chips are not part of it.
  const unused = [
    ...(of.kernel ? ["ptx", "launch", "ptxName", "input", "args"] : []),
    ...(of.chip ? ["chipFile", "chipName", "base"] : []),
  ];
  const used = fields.filter(([name]) => !unused.includes(name));
  return JSON.stringify({ warpsim: 1, ...Object.fromEntries(used) }, null, indent);
}

/** Packs the choices for the fragment of a link. */
export async function pack(of: Choices): Promise<string> {
  const stream = new Blob([write(of)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  bytes.forEach((byte) => {
    binary += String.fromCharCode(byte);
  });
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Largest number of bytes of an unpacked link. */
const MOST = 4 << 20;

/** Unpacks the fragment of a link. */
export async function unpack(packed: string): Promise<Choices> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST) throw new Error("the link is too large");
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
  return read(await new Blob(parts).text());
}
