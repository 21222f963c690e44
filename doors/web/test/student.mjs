// A new student with the lab: from opening the page to the reason why the naive matrix product is
// slow. Prints the steps with their times; with a folder as argument it keeps pictures.
//
//   node doors/web/test/student.mjs docs/lab

import { mkdirSync } from "node:fs";
import { available, executable, launch, single } from "./browser.mjs";

if (!available) throw new Error(`no browser at ${executable}`);
const folder = process.argv[2];
if (folder) mkdirSync(folder, { recursive: true });

const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1100, height: 700 } });
const page = await context.newPage();
const begin = performance.now();

/** Prints a step with its time. */
async function step(name, action, find) {
  const start = performance.now();
  await action();
  const seen = find ? await find() : "";
  const [took, at] = [performance.now() - start, performance.now() - begin];
  console.log(`${(at / 1000).toFixed(1)} s (${(took / 1000).toFixed(1)} s): ${name}`);
  if (seen) console.log(`    ${seen.trim().replace(/\s*\n\s*/g, "\n    ")}`);
}

const shot = async (name, clip) => {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, ...(clip ? { clip } : {}) });
};
const right = { x: 440, y: 48, width: 660, height: 440 };
const ready = () => page.waitForFunction(() => !document.querySelector("#run").disabled);
const text = (selector) => page.locator(selector).innerText();
const tall = async (selector) => {
  await page.locator(selector).scrollIntoViewIfNeeded();
};

await step(
  "open the page",
  async () => {
    await page.goto(single);
    await page.waitForSelector("#verdict");
    await ready();
  },
  () => text("#panel-report"),
);
await shot("open", { x: 0, y: 0, width: 1100, height: 560 });
await step(
  "choose matmul-naive and the chip g80, enter the size 64, run",
  async () => {
    await page.selectOption("#kernel", "matmul-naive");
    await page.selectOption("#chip", "g80");
    await page.fill("#size", "64");
    await page.click("#run");
    await ready();
  },
  () => text("#verdict"),
);
await shot("naive", right);
await step(
  "open Pictures: the lines with the most time",
  async () => {
    await page.click("#tab-pictures");
    await page.waitForSelector("#panel-pictures svg");
  },
  async () => {
    const tips = await page.locator("#panel-pictures svg >> nth=0 >> text").allTextContents();
    return tips.slice(3, 9).join(" | ");
  },
);
await shot("pictures", right);
await step(
  "open Memory, draw the accesses",
  async () => {
    await page.click("#tab-memory");
    await page.click("#draw-accesses");
    await page.waitForSelector("#panel-memory svg");
  },
  async () => {
    const titles = await page.locator("#panel-memory svg > title").allTextContents();
    return titles.slice(0, 4).join("\n");
  },
);
await tall("#panel-memory svg >> nth=0");
await shot("memory", right);
await step("keep the run as A", async () => {
  await page.click("#tab-compare");
  await page.click("#keep-a");
});
await step(
  "choose matmul-tiled and run",
  async () => {
    await page.selectOption("#kernel", "matmul-tiled");
    await page.click("#run");
    await ready();
  },
  () => text("#verdict"),
);
await step(
  "keep it as B and compare",
  async () => {
    await page.click("#tab-compare");
    await page.click("#keep-b");
    await page.click("#compare");
    await page.waitForSelector("#compare-text");
  },
  () => text("#compare-text"),
);
await shot("compare", right);
await browser.close();
