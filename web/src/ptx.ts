// Syntax coloring of PTX, and of RON in launch files.

import {
  HighlightStyle,
  StreamLanguage,
  syntaxHighlighting,
  type StringStream,
} from "@codemirror/language";
import { tags } from "@lezer/highlight";

function comment(stream: StringStream, state: { comment: boolean }): string | null {
  if (state.comment) {
    state.comment = !stream.match(/.*?\*\//);
    if (state.comment) stream.skipToEnd();
    return "comment";
  }
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) {
    state.comment = true;
    return "comment";
  }
  return null;
}

export const ptx = StreamLanguage.define({
  name: "ptx",
  startState: () => ({ comment: false }),
  token(stream, state) {
    const found = comment(stream, state);
    if (found) return found;
    if (stream.eatSpace()) return null;
    if (
      stream.match(
        /^\.(?:version|target|address_size|entry|func|visible|extern|param|reg|shared|global|const|local|align|maxntid|reqntid|minnctapersm|maxnreg|b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f16|f32|f64|pred|v2|v4)\b/,
      )
    ) {
      return "keyword";
    }
    if (stream.match(/^%(?:tid|ntid|ctaid|nctaid|laneid|warpid|smid|clock|gridid)\b(?:\.[xyz])?/))
      return "atom";
    if (stream.match(/^%[\w$]+/)) return "variableName";
    if (stream.match(/^@!?%?[\w$]+/)) return "meta";
    if (stream.match(/^0[fFdDxX][0-9a-fA-F]+|^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?U?/)) return "number";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^[$\w]+:/)) return "labelName";
    if (stream.match(/^[a-z]\w*(?:\.[\w]+)+/)) return "operator";
    if (stream.match(/^(?:ret|exit|trap|brkpt|bra|bar|call)\b/)) return "operator";
    if (stream.match(/^[$\w]+/)) return null;
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
});

export const ron = StreamLanguage.define({
  name: "ron",
  startState: () => ({ comment: false }),
  token(stream, state) {
    const found = comment(stream, state);
    if (found) return found;
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^-?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?/)) return "number";
    if (stream.match(/^\w+(?=\s*:)/)) return "keyword";
    if (stream.match(/^\w+(?=\s*\()/)) return "operator";
    if (stream.match(/^\w+/)) return "atom";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
});

/** Colors of both languages, from variables of the page, so that light and dark differ. */
export const colors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, color: "var(--code-comment)" },
    { tag: tags.keyword, color: "var(--code-keyword)" },
    { tag: tags.operator, color: "var(--code-operator)" },
    { tag: tags.variableName, color: "var(--code-register)" },
    { tag: tags.number, color: "var(--code-number)" },
    { tag: tags.string, color: "var(--code-number)" },
    { tag: tags.atom, color: "var(--code-special)" },
    { tag: tags.labelName, color: "var(--code-special)", fontWeight: "bold" },
    { tag: tags.meta, color: "var(--code-special)" },
  ]),
);
