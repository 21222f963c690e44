// Syntax coloring of PTX, of CUDA C, and of RON in launch files.

import {
  HighlightStyle,
  StreamLanguage,
  syntaxHighlighting,
  type StringStream,
} from "@codemirror/language";
import { clike } from "@codemirror/legacy-modes/mode/clike";
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

function words(text: string): Record<string, true> {
  return Object.fromEntries(text.split(" ").map((word) => [word, true as const]));
}

export const cudaC = StreamLanguage.define({
  ...clike({
    name: "cuda",
    keywords: words(
      "auto break case catch class const constexpr continue default delete do else enum extern for friend goto if " +
        "inline namespace new operator private protected public register return sizeof static struct switch template " +
        "this throw try typedef typename union using virtual volatile while __global__ __device__ __host__ __shared__ " +
        "__constant__ __managed__ __restrict__ __launch_bounds__ __forceinline__ __noinline__ __align__",
    ),
    types: words(
      "bool char double float int long short signed unsigned void size_t dim3 uint int2 int3 int4 uint2 uint4 float2 " +
        "float3 float4 double2 uchar4 cudaError_t cudaStream_t cudaEvent_t",
    ),
    blockKeywords: words("case do else for if switch while struct enum union catch try"),
    atoms: words("true false NULL nullptr threadIdx blockIdx blockDim gridDim warpSize"),
    hooks: {
      "#": (stream: StringStream, state: { startOfLine: boolean }) => {
        if (!state.startOfLine) return false;
        stream.skipToEnd();
        return "meta";
      },
    },
  }),
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

/** Colors of all languages, from variables of the page, so that light and dark differ. */
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
