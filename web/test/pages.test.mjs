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

/** Pages: name, arguments of the program, and the drawings that must have a picture. */
const pages = [
  [
    "run",
    ["run", "matmul-naive", "--size", "64"],
    "stalls states timeline accesses lanes divergence roofline residency occupancy sms partitions rows",
  ],
  [
    "run-divergent",
    ["run", "reduce-interleaved", "--size", "4096", "--chip", "gt200"],
    "stalls timeline accesses lanes divergence",
  ],
  ["run-shared", ["run", "matmul-tiled", "--size", "64", "--chip", "fermi"], "accesses timeline"],
  ["run-functional", ["run", "vecadd", "--size", "1000", "--functional"], "divergence occupancy"],
  ["run-races", ["run", "dot-product-printed", "--check", "race"], ""],
  [
    "compare",
    "compare --html FILE -- run matmul-naive --size 64 -- run matmul-tiled --size 64".split(" "),
    "outcomes lines states stalls roofline",
  ],
  ["occupancy", ["occupancy", "matmul-tiled"], "occupancy"],
  ["book", ["book", "OCC-12", "SIMT-01", "MEM-01"], ""],
  ["validate", ["validate", "V345", "V353", "V318"], "scatter errors"],
  ["sweep", "sweep matmul-tiled --size 32,64 --set sm.max_warps=8,16,24".split(" "), "plot"],
  ["experiment", ["experiment", "drawn.ron", "--store", "s.sqlite"], ""],
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

for (const [name, args, drawn] of pages) {
  test(`the page of ${name} has its pictures and is accessible`, { skip: missing }, async () => {
    const url = write(name, args);
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 800],
    ]) {
      const { page, context, errors } = await open(url, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      for (const drawing of drawn.split(" ").filter(Boolean)) {
        const place = page.locator(`[data-draw="${drawing}"]`).first();
        assert.ok(await place.locator("svg, canvas").count(), `${drawing} is empty`);
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.ok(!wide, `${name} is wider than a window of ${width} pixels`);
      assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}`);
      assert.deepEqual(errors, []);
      if (shots) {
        await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true });
        if (colorScheme === "light") await page.pdf({ path: `${shots}/${name}.pdf` });
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

test("without scripts the page shows its texts", { skip: missing }, async () => {
  const { page, context } = await open(write("run", pages[0][1]), { javaScriptEnabled: false });
  assert.match(await page.locator("#report pre").innerText(), /PASSED[^]*limited by/);
  assert.equal(await page.locator("svg").count(), 0);
  assert.match(await page.locator("noscript").innerText(), /JavaScript/);
  await context.close();
});
