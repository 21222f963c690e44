// The pages that the program writes with --html, opened from disk without a network.

import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { available, executable, launch, violations } from "./browser.mjs";

const program = process.env.WARPSIM;
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const missing = !program
  ? "WARPSIM does not name the program"
  : !existsSync(program)
    ? `${program} does not exist`
    : !available
      ? `no browser at ${executable}`
      : false;

const EXPERIMENT = `(
  kernels: [(kernel: "matmul-tiled", size: 32)],
  chips: ["g80"],
  factors: [(name: "policy", vary: chip("sm.scheduler"), values: [lrr, gto]),
            (name: "latency", vary: chip("crossbar.latency"), range: (60, 100, 20))],
  metrics: ["microseconds"],
  analyses: [effects(of: "microseconds", interactions: true)],
)`;

/** Pages: name, arguments of the program, and the fewest pictures. */
const pages = [
  ["run", ["run", "matmul-naive", "--size", "64"], 14],
  ["run-divergent", ["run", "reduce-interleaved", "--size", "4096", "--chip", "gt200"], 12],
  ["run-shared", ["run", "matmul-tiled", "--size", "64", "--chip", "fermi"], 12],
  ["run-functional", ["run", "vecadd", "--size", "1000", "--functional"], 3],
  ["run-races", ["run", "dot-product-printed", "--check", "race"], 1],
  [
    "compare",
    "compare --html FILE -- run matmul-naive --size 64 -- run matmul-tiled --size 64".split(" "),
    8,
  ],
  ["occupancy", ["occupancy", "matmul-tiled"], 1],
  ["book", ["book", "OCC-12", "SIMT-01", "MEM-01"], 1],
  ["validate", ["validate", "V345", "V353", "V318"], 2],
  ["sweep", "sweep matmul-tiled --size 32,64 --set sm.max_warps=8,16,24".split(" "), 4],
  ["experiment", ["experiment", "drawn.ron", "--store", "s.sqlite"], 2],
];

let browser, folder;

before(async () => {
  if (missing) return;
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "pages-"));
  writeFileSync(join(folder, "drawn.ron"), EXPERIMENT);
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** Writes a page. A run that finds races ends with code 1. */
function write(name, args) {
  const file = join(folder, `${name}.html`);
  if (!existsSync(file)) {
    const all = args.includes("FILE")
      ? args.map((word) => (word === "FILE" ? file : word))
      : [...args, "--html", file];
    const ran = spawnSync(program, all, { encoding: "utf8", cwd: folder, maxBuffer: 1 << 28 });
    assert.ok([0, 1].includes(ran.status), ran.stderr);
  }
  return `file://${file}`;
}

async function open(url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    offline: true,
    ...options,
  });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("request", (request) => {
    if (request.url() !== url) errors.push(`the page requests ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, errors };
}

for (const [name, args, fewest] of pages) {
  test(`the page of ${name} has its pictures and is accessible`, { skip: missing }, async () => {
    const url = write(name, args);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 800],
      ["light", 390],
    ]) {
      const { page, context, errors } = await open(url, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      const pictures = await page.locator("svg, canvas").count();
      assert.ok(pictures >= fewest, `${pictures} pictures`);
      for (const picture of await page.locator("svg, canvas").all())
        assert.ok((await picture.boundingBox()).width > 200, "a picture is visible");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.ok(!wide, `${name} is wider than a window of ${width} pixels`);
      assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}`);
      assert.deepEqual(errors, []);
      if (shots) {
        await page.screenshot({
          path: `${shots}/${name}-${colorScheme}-${width}.png`,
          fullPage: true,
        });
        if (width === 1280) await page.pdf({ path: `${shots}/${name}.pdf` });
      }
      await context.close();
    }
  });
}

test("the timeline is used by keyboard", { skip: missing }, async () => {
  const { page, context, errors } = await open(write("run", pages[0][1]));
  const canvas = page.locator("canvas");
  await canvas.focus();
  const status = () => page.locator('[role="status"]').innerText();
  const image = () => canvas.evaluate((canvas) => canvas.toDataURL());
  const whole = await image();
  await page.keyboard.press("ArrowDown");
  const first = await status();
  assert.match(first, /^warp \d+, (since )?cycle [\d,]+: /);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await status(), first);
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const zoomed = await image();
  assert.notEqual(zoomed, whole);
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await image(), zoomed);
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  assert.match(await status(), /cycle 0: |since cycle/);
  if (shots) await page.screenshot({ path: `${shots}/timeline-keyboard.png` });
  assert.deepEqual(errors, []);
  await context.close();
});

test("a timeline of a whole SM is drawn within a frame or two", { skip: missing }, async (t) => {
  const args = ["run", "matmul-tiled", "--size", "128", "--chip", "fermi"];
  const { page, context } = await open(write("run-large", args));
  const times = await page.evaluate(async () => {
    const canvas = document.querySelector("canvas");
    canvas.focus();
    const all = [];
    for (let i = 0; i < 20; i++) {
      const start = performance.now();
      const key = i < 10 ? "+" : "ArrowRight";
      canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      all.push(performance.now() - start);
    }
    return all.sort((a, b) => a - b);
  });
  t.diagnostic(`median ${times[10].toFixed(1)} ms, longest ${times[19].toFixed(1)} ms`);
  assert.ok(times[10] < 100, `${times}`);
  await context.close();
});

test("without scripts the page shows its texts and pictures", { skip: missing }, async () => {
  const { page, context } = await open(write("run", pages[0][1]), { javaScriptEnabled: false });
  assert.match(await page.locator("#report pre").innerText(), /PASSED[^]*limited by/);
  assert.ok((await page.locator("svg").count()) >= 14);
  assert.ok(await page.locator(".timeline svg").isVisible());
  await context.close();
});
