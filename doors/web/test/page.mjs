// What the tests of the lab in a browser share: a page, a run, a screenshot, the check by axe.

import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { available, executable, launch, serve, violations } from "./browser.mjs";

const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

let browser;
/** The server of the built page. */
export let server;

before(async () => {
  if (!available) return;
  browser = await launch();
  server = await serve();
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens the page; an error or a console error of the page fails the test. `prepare` gets the page
 * before it loads. */
export async function open(url, options = {}, prepare = async () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await prepare(page);
  await page.goto(url);
  await page.waitForSelector("#run");
  // The page opens with the result of a program; a link does not run.
  if (!url.includes("#")) await page.waitForSelector("#verdict");
  return { page, context, errors };
}

/** Declares a test, or says why it is skipped. */
export function check(name, body) {
  test(name, { skip: available ? false : `no browser at ${executable}`, timeout: 240_000 }, body);
}

export async function run(page, kernel, size, chip = "g80") {
  await page.selectOption("#kernel", kernel);
  await page.selectOption("#chip", chip);
  if (size !== undefined) {
    await page.fill("#size", String(size));
    await page.dispatchEvent("#size", "change");
  }
  await page.click("#run");
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
}

export const text = (page, selector) => page.locator(selector).innerText();

export async function setEditor(page, value) {
  await page.click(".cm-content >> nth=0");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(value);
}

export async function shot(page, name) {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
}

export async function accessible(page, what) {
  assert.deepEqual(await violations(page), [], what);
}
