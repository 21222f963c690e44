// Builds the page: static files in dist/, and the single file dist/lab.html that works offline.
//
// `node build.mjs WASM` takes the WebAssembly module and build/lab.js, which scripts/lab makes.

import { build } from "esbuild";
import { readFile, writeFile, mkdir, copyFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url).pathname;
const shared = {
  bundle: true,
  minify: true,
  target: "es2022",
  absWorkingDir: here,
  write: false,
  legalComments: "none",
  charset: "utf8",
};
const bundle = async (entry, more = {}) => {
  const { outputFiles } = await build({ ...shared, ...more, entryPoints: [entry] });
  return outputFiles[0].text;
};

const [main, worker, style, page, wasm] = await Promise.all([
  bundle("src/main.ts", { format: "iife" }),
  bundle("src/worker.ts", { format: "iife" }),
  bundle("src/style.css"),
  readFile(`${here}src/index.html`, "utf8"),
  readFile(`${here}build/lab_bg.wasm`),
]);
await mkdir(`${here}dist`, { recursive: true });

const fill = (text, parts) => text.replace(/<!--(\w+)-->/g, (_, name) => parts[name] ?? "");
await writeFile(
  `${here}dist/index.html`,
  fill(page, {
    style: '<link rel="stylesheet" href="style.css">',
    script: '<script src="main.js"></script>',
  }),
);
await writeFile(`${here}dist/main.js`, main);
await writeFile(`${here}dist/worker.js`, worker);
await writeFile(`${here}dist/style.css`, style);
await copyFile(`${here}build/lab_bg.wasm`, `${here}dist/lab.wasm`);

// A script must not contain the end tag of its own element.
const inline = (script) => script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const packed = gzipSync(wasm, { level: 9 }).toString("base64");
const assets = `window.labAssets=${JSON.stringify({ worker, wasm: packed })};`;
await writeFile(
  `${here}dist/lab.html`,
  fill(page, {
    style: `<style>${style}</style>`,
    script: `<script>${inline(assets)}</script><script>${inline(main)}</script>`,
  }),
);

const size = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const files = [main, worker, style, page, wasm];
const compressed = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
console.log(`lab.wasm ${size(wasm.length)}, all files compressed with gzip ${size(compressed)}`);
if (compressed > 4e6) throw new Error("the page has more than 4 MB compressed");
