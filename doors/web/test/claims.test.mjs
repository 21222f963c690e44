// The claims of the course texts, chips of one's own, and active lanes, in a real browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { accessible, check, open, run, server, shot, text } from "./page.mjs";

const program = process.env.WARPSIM;

check("a claim of the book is found, run and shown with its numbers", async () => {
  const { page, context, errors } = await open(server.url);
  await page.click("#tab-claims");
  await page.waitForSelector("#claims td .id");
  const all = await page.locator("#claims td .id:visible").count();
  await page.fill("#claim-find", "occ-12");
  assert.ok((await page.locator("#claims td .id:visible").count()) < all);
  await page.click("#claim-OCC-12");
  await page.waitForSelector("#claim-text");
  assert.match(await text(page, "#claim-verdict"), /^OCC-12: passed$/);
  if (program) {
    const printed = execFileSync(program, ["book", "OCC-12"], { encoding: "utf8" });
    assert.equal(await page.locator("#claim-text").textContent(), printed);
  }
  await page.fill("#claim-find", "MEM-08");
  await page.click("#claim-MEM-08");
  await page.waitForFunction(() =>
    document.querySelector("#claim-verdict")?.textContent.startsWith("MEM-08"),
  );
  await page.waitForSelector("#claim-result svg");
  await shot(page, "claim");
  await accessible(page, "claim");
  assert.deepEqual(errors, []);
  await context.close();
});

check("a chip of one's own is made, corrected, run, shared and opened", async () => {
  const { page, context, errors } = await open(server.url);
  await page.selectOption("#chip", "fermi");
  await page.click("#tab-chipfile");
  await page.waitForFunction(() =>
    document.querySelectorAll(".cm-content")[2].textContent.includes('name: "fermi"'),
  );
  await page.click("#new-chip");
  await page.waitForFunction(() => document.querySelector("#chip").value === "");
  const chip = page.locator("#panel-chipfile .cm-content");
  const written = await chip.evaluate((node) => node.innerText);
  assert.match(written, /base: "fermi"/);
  await page.waitForSelector("#chip-valid");
  await shot(page, "chip-new");
  const type = async (value) => {
    await chip.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(value);
  };
  await type('(\n    name: "mine",\n    base: "fermi",\n    sm: (max_wraps: 8),\n)\n');
  await page.waitForFunction(() =>
    /error\[E\d+\] line 4: .*max_wraps/.test(
      document.querySelector("#chip-problems")?.textContent ?? "",
    ),
  );
  assert.ok(await page.locator("#panel-chipfile .cm-lintRange-error").count());
  await shot(page, "chip-error");
  await accessible(page, "chip file");
  const good = '(\n    name: "mine",\n    base: "fermi",\n    sm: (max_warps: 8),\n)\n';
  await type(good);
  await page.waitForSelector("#chip-valid");
  // The settings are those of the user's chip.
  assert.equal(await page.inputValue("#set-sm-max_warps"), "8");
  await run(page, "matmul-tiled", 64, "");
  assert.match(await text(page, "#report-text"), /PASSED/);
  assert.match(await text(page, "#panel-report"), /--chip mine\.ron/);
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  const link = page.url();
  assert.deepEqual(errors, []);
  await context.close();

  const second = await open(link);
  await second.page.waitForFunction(() =>
    document.querySelectorAll(".cm-content")[2].textContent.includes("max_warps: 8"),
  );
  assert.equal(await second.page.inputValue("#chip"), "");
  // A chip file and a launch file have the same ending.
  await second.page.click("#tab-chipfile");
  const [dialog] = await Promise.all([
    second.page.waitForEvent("filechooser"),
    second.page.click("#open-chip"),
  ]);
  await dialog.setFiles({
    name: "wide.ron",
    mimeType: "text/plain",
    buffer: Buffer.from('(\n    name: "wide",\n    base: "g80",\n    clusters: 4,\n)\n'),
  });
  await second.page.waitForFunction(() =>
    document.querySelector("#chip-valid")?.textContent.includes("wide"),
  );
  assert.deepEqual(second.errors, []);
  await second.context.close();
});

check("active lanes are counted by source line", async () => {
  const { page, context, errors } = await open(server.url);
  await run(page, "reduce-interleaved", 4096);
  await page.click("#tab-pictures");
  await page.click("#count-lanes");
  await page.waitForSelector("#lanes svg");
  const title = await page.locator("#lanes svg > title").textContent();
  assert.equal(title, "Active lanes by source line");
  // Half of the lanes, then a quarter, and so on.
  const tips = await page.locator("#lanes rect title").allTextContents();
  for (const lanes of [1, 2, 4, 8, 16])
    assert.ok(
      tips.some((tip) => tip.includes(`: ${lanes} active lanes in `)),
      `${lanes} lanes`,
    );
  await page.locator("#lanes").scrollIntoViewIfNeeded();
  await shot(page, "lanes");
  await accessible(page, "lanes");
  assert.deepEqual(errors, []);
  await context.close();
});
