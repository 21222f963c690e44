// Parts of pictures. Pictures are pure functions from documents of the engine to SVG texts; they
// know nothing of the page. Colors are variables of CSS, with defaults for a file of its own.

/** Escapes a text for SVG. */
export function escape(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!,
  );
}

/** Returns an SVG with a title, which screen readers read. */
export function svg(width: number, height: number, title: string, body: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` +
    ` style="max-width:100%;min-width:${Math.min(width, 560)}px;height:auto"` +
    ` role="img" aria-label="${escape(title)}" font-family="system-ui, sans-serif" font-size="12">` +
    `<title>${escape(title)}</title>${body}</svg>`
  );
}

const TEXT = "var(--text, #1a1a1a)";

/** A text; `anchor` is start, middle or end. */
export function text(x: number, y: number, words: string, anchor = "start", more = ""): string {
  return `<text x="${n(x)}" y="${n(y)}" text-anchor="${anchor}" fill="${TEXT}" ${more}>${escape(words)}</text>`;
}

/** A rectangle with a tooltip. */
export function box(
  x: number,
  y: number,
  w: number,
  h: number,
  fill: string,
  tip = "",
  more = "",
): string {
  const title = tip ? `<title>${escape(tip)}</title>` : "";
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(Math.max(w, 0))}" height="${n(h)}" fill="${fill}" ${more}>${title}</rect>`;
}

/** A line. */
export function line(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke = "var(--muted, #666)",
  more = "",
): string {
  return `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" stroke="${stroke}" ${more}/>`;
}

/** A number with at most two decimals. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The key of each state, in the order of the engine, with its color. The colors differ in lightness. */
export const STATES: Record<string, string> = {
  issuing: "#1b7f4d",
  not_selected: "#a6d8bd",
  pipe_busy: "#e3b505",
  lsu_full: "#b5651d",
  fetch: "#7a5195",
  execution_dependency: "#f2a65a",
  constant_dependency: "#d6a5e0",
  shared_dependency: "#4aa3df",
  memory_dependency: "#2f68c8",
  barrier: "#c0392b",
  membar: "#7b241c",
  exited: "#b8b8b8",
};

/** The color of a state. */
export function color(key: string): string {
  return STATES[key] ?? "#888888";
}

/** Keys whose words in reports are others. */
const WORDS: Record<string, string> = {
  lsu_full: "load/store unit full",
  fetch: "instruction fetch",
  exited: "exited, block resident",
  warps: "warp and thread slots",
  shared: "shared memory",
};

/** The words of a key: `memory_dependency` is "memory dependency". */
export function words(key: string): string {
  return WORDS[key] ?? key.replaceAll("_", " ");
}
