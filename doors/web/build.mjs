// Builds the lab: static files in dist/, and the single file dist/lab.html that works offline. It
// takes the WebAssembly module and build/lab.js, which scripts/lab makes.
//
// `node build.mjs page` builds only the script and the style of the pages that the program writes,
// analysis/report/assets/page.js and page.css; `node build.mjs check` fails if the committed files differ.

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

const assets = `${here}../../analysis/report/assets/`;
const pages = {
  "page.js": await bundle("src/report/main.ts", { format: "iife" }),
  "page.css": await bundle("src/report/page.css"),
};
const task = process.argv[2];
if (task === "page") {
  await mkdir(assets, { recursive: true });
  for (const [name, text] of Object.entries(pages)) {
    await writeFile(assets + name, text);
    console.log(`analysis/report/assets/${name}: ${text.length} bytes`);
  }
  process.exit();
}
for (const [name, text] of Object.entries(pages)) {
  const committed = await readFile(assets + name, "utf8").catch(() => "");
  if (committed !== text)
    throw new Error(
      `analysis/report/assets/${name} is not that of doors/web/src; run \`node doors/web/build.mjs page\``,
    );
}
if (task === "check") process.exit();

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
const embedded = `window.labAssets=${JSON.stringify({ worker, wasm: packed })};`;
await writeFile(
  `${here}dist/lab.html`,
  fill(page, {
    style: `<style>${style}</style>`,
    script: `<script>${inline(embedded)}</script><script>${inline(main)}</script>`,
  }),
);

const size = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const files = [main, worker, style, page, wasm];
const compressed = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
console.log(`lab.wasm ${size(wasm.length)}, all files compressed with gzip ${size(compressed)}`);
if (compressed > 5e6) throw new Error("the page has more than 5 MB compressed");
