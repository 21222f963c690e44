// Elements of a Markdown text: headings, paragraphs, lists, tables, code, quotes, links, pictures.
// It knows the Markdown of the lessons and statements; other marks stay text.

import { el, picture } from "./dom";

/** What a text refers to. */
export interface References {
  /** Returns the element of a link; without one the link is text. */
  link?: (path: string, name: string) => HTMLElement | undefined;
  /** Returns a picture as SVG. */
  picture?: (path: string) => string | undefined;
  /** Returns an element below a block of code. */
  below?: (language: string, code: string) => HTMLElement | undefined;
}

const SPAN =
  /`` (.+?) ``|`([^`]+)`|\*\*(.+?)\*\*|\*(\S(?:.*?\S)?)\*|\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)/;

/** Returns the parts of a line of text. */
export function inline(text: string, to: References = {}): (Node | string)[] {
  const found = SPAN.exec(text);
  if (!found) return [text];
  const [all, long, code, strong, weak, name, path] = found;
  const before = text.slice(0, found.index);
  const rest = inline(text.slice(found.index + all.length), to);
  let part: Node | string;
  const verbatim = long ?? code;
  if (verbatim !== undefined) part = el("code", {}, verbatim);
  else if (strong !== undefined) part = el("strong", {}, ...inline(strong, to));
  else if (weak !== undefined) part = el("em", {}, ...inline(weak, to));
  else {
    const link = to.link?.(path!, name!);
    part = link ?? el("span", {}, ...inline(name!));
    link?.append(...inline(name!));
  }
  return [before, part, ...rest];
}

/** A list item: its indentation, whether it is numbered, and its text. */
const ITEM = /^(\s*)(?:([-*])|(\d+)\.)\s+(.*)$/;
const FENCE = /^```(\w*)\s*$/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const PICTURE = /^!\[([^\]]*)\]\(([^)]+)\)$/;

/** Returns the cells of a row of a table. */
const cells = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function table(lines: string[], to: References): HTMLElement {
  const [head, marks, ...rows] = lines.map(cells);
  const number = (at: number) => (marks?.[at]?.endsWith(":") ? { class: "number" } : {});
  const row = (values: string[]) =>
    el("tr", {}, ...values.map((cell, at) => el("td", number(at), ...inline(cell, to))));
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...(head ?? []).map((cell, at) =>
          el("th", { scope: "col", ...number(at) }, ...inline(cell, to)),
        ),
      ),
    ),
    el("tbody", {}, ...rows.map(row)),
  );
}

/** Returns the list that begins at the first line; items have paragraphs and lists inside. */
function list(lines: string[], to: References, level: number): HTMLElement {
  const first = ITEM.exec(lines[0]!)!;
  const made = first[3]
    ? el("ol", first[3] === "1" ? {} : { start: Number(first[3]) })
    : el("ul", {});
  const width = first[1]!.length;
  let item: string[] = [];
  const close = () => {
    if (!item.length) return;
    const parts = markdown(item.join("\n"), to, level);
    // An item of one paragraph has its text without the paragraph.
    const only = parts[0];
    const bare =
      only instanceof HTMLParagraphElement &&
      parts.slice(1).every((part) => part instanceof HTMLUListElement);
    made.append(el("li", {}, ...(bare ? [...only.childNodes, ...parts.slice(1)] : parts)));
    item = [];
  };
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found && found[1]!.length === width) {
      close();
      item.push(found[4]!);
    } else {
      const indent = Math.min(line.search(/\S|$/), width + (first[3] ? first[3].length + 2 : 2));
      item.push(line.slice(indent));
    }
  }
  close();
  return made;
}

/** Returns the elements of a text; `level` is the level of its first heading in the page. */
export function markdown(text: string, to: References, level = 2): HTMLElement[] {
  const lines = text.split("\n");
  const made: HTMLElement[] = [];
  let at = 0;
  const take = (until: (line: string) => boolean) => {
    const start = at;
    at += 1;
    while (at < lines.length && !until(lines[at]!)) at += 1;
    return lines.slice(start, at);
  };
  const blank = (line: string) => !line.trim();
  while (at < lines.length) {
    const line = lines[at]!;
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    const image = PICTURE.exec(line);
    if (blank(line)) {
      at += 1;
    } else if (fence) {
      const code = take((one) => one.startsWith("```")).slice(1);
      at += 1;
      const label = fence[1] === "sh" ? "Command" : "Text of a program or its output";
      made.push(el("pre", { tabindex: 0, "aria-label": label }, code.join("\n")));
      const below = to.below?.(fence[1]!, code.join("\n"));
      if (below) made.push(below);
    } else if (heading) {
      const tag = `h${Math.min(6, heading[1]!.length + level - 1)}` as "h2";
      made.push(el(tag, {}, ...inline(heading[2]!, to)));
      at += 1;
    } else if (image) {
      const svg = to.picture?.(image[2]!);
      made.push(el("figure", {}, svg ? picture(svg) : null, el("figcaption", {}, image[1]!)));
      at += 1;
    } else if (line.trimStart().startsWith("|")) {
      made.push(
        table(
          take((one) => !one.trimStart().startsWith("|")),
          to,
        ),
      );
    } else if (ITEM.test(line)) {
      // A list ends at a line that is neither indented nor an item after an empty line.
      const items = take(
        (one) => !blank(one) && blank(lines[at - 1]!) && !/^\s|^[-*] |^\d+\./.test(one),
      );
      made.push(list(items, to, level));
    } else if (line.startsWith(">")) {
      const quoted = take((one) => !one.startsWith(">")).map((one) => one.replace(/^> ?/, ""));
      made.push(el("blockquote", {}, ...markdown(quoted.join("\n"), to, level)));
    } else {
      const own = (one: string) =>
        blank(one) || FENCE.test(one) || HEADING.test(one) || ITEM.test(one);
      const words = take((one) => own(one) || one.trimStart().startsWith("|"));
      // Lines of code stay lines.
      const codes = words.every((one) => /^`[^`]+`$/.test(one.trim()));
      const parts = codes
        ? words.flatMap((one, number) => [...(number ? [el("br")] : []), ...inline(one.trim(), to)])
        : inline(words.map((one) => one.trim()).join(" "), to);
      made.push(el("p", {}, ...parts));
    }
  }
  return made;
}
