// The lab in a real browser, as students use it.

import assert from "node:assert/strict";
import { single } from "./browser.mjs";
import { accessible, check, open, run, server, setEditor, shot, text } from "./page.mjs";

check("the page opens and shows a first picture within 2 s on an idle machine", async (t) => {
  const { page, context, errors } = await open(server.url);
  const ready = await page.evaluate(() => performance.now());
  await run(page, "matmul-tiled", 64);
  const took = await page.evaluate(() => performance.now());
  await page.click("#tab-pictures");
  await page.waitForSelector("#panel-pictures svg");
  t.diagnostic(`usable ${ready.toFixed(0)} ms after opening, report after ${took.toFixed(0)} ms`);
  assert.match(await page.locator("#verdict").textContent(), /PASSED/);
  assert.deepEqual(errors, []);
  await context.close();
});

check("a kernel with an error is marked while it is typed, corrected and run", async () => {
  const { page, context, errors } = await open(server.url);
  await page.selectOption("#kernel", "vecadd");
  await page.waitForFunction(() =>
    document.querySelector(".cm-content").textContent.includes("vecadd"),
  );
  const good = await page.evaluate(
    () =>
      document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ??
      document.querySelector(".cm-content").innerText,
  );
  await setEditor(
    page,
    ".version 1.4\n.target sm_10\n.entry k ( .param .u32 out )\n{\n  .reg .u32 %r<3>;\n  ld.param.u32 %r1, [out];\n  mov.u32 %r2, 7;\n  st.global.u33 [%r1], %r2;\n  exit;\n}\n",
  );
  // The check follows the last key after a moment.
  await page.waitForFunction(() =>
    /error\[E\d+\] line 8: .*\.u33/.test(document.querySelector("#problems")?.textContent ?? ""),
  );
  await page.waitForSelector(".cm-lintRange-error");
  assert.ok(await page.locator(".cm-lintRange-error").count());
  await shot(page, "error-light");
  await setEditor(
    page,
    ".version 1.4\n.target sm_10\n.entry k ( .param .u32 out )\n{\n  .reg .u32 %r<3>;\n  ld.param.u32 %r1, [out];\n  mov.u32 %r2, 7;\n  st.global.u32 [%r1], %r2;\n  exit;\n}\n",
  );
  await page.waitForFunction(() => !document.querySelector("#problems"));
  await page.click("#tab-launch");
  await page.click("#new-launch");
  await page.waitForFunction(() =>
    document.querySelector("#panel-launch .cm-content").textContent.includes('entry: "k"'),
  );
  await page.click("#run");
  // The report of the program with which the page opens is there before.
  await page.waitForFunction(() =>
    /kernel +k: /.test(document.querySelector("#report-text")?.innerText ?? ""),
  );
  assert.ok(good.length > 0);
  assert.deepEqual(errors, []);
  await context.close();
});

check("the stepper goes forward and back to the same state", async () => {
  const { page, context, errors } = await open(server.url);
  await page.selectOption("#kernel", "reduce-interleaved");
  await page.fill("#size", "2048");
  await page.dispatchEvent("#size", "change");
  await page.click("#tab-stepper");
  await page.waitForFunction(() => document.querySelectorAll("#panel-stepper .pane").length >= 8);
  const state = () =>
    page.evaluate(() =>
      [
        document.querySelector("#step-cycle").textContent,
        ...[...document.querySelectorAll("#panel-stepper tr")].map((row) => row.textContent),
      ].join("\n"),
    );
  const cycle = () => text(page, "#step-cycle");
  const step = async (name) => {
    const before = await cycle();
    await page.click(`[data-step="${name}"]`);
    await page.waitForFunction(
      (before) => document.querySelector("#step-cycle").textContent !== before,
      before,
    );
  };
  for (let i = 0; i < 12; i++) await step("instruction");
  const middle = await state();
  await step("cycle");
  await step("cycle");
  assert.notEqual(await state(), middle);
  await step("cycle-back");
  await step("cycle-back");
  assert.equal(await state(), middle);
  // The keyboard moves as well.
  await page.locator("#panel-stepper .pane .body").first().focus();
  const before = await cycle();
  await page.keyboard.press("i");
  await page.waitForFunction(
    (before) => document.querySelector("#step-cycle").textContent !== before,
    before,
  );
  await shot(page, "stepper-light");
  await page.click("#theme");
  await shot(page, "stepper-dark");
  await accessible(page, "stepper");
  assert.deepEqual(errors, []);
  await context.close();
});

check("the checker finds the race of a printed kernel", async () => {
  const { page, context, errors } = await open(server.url);
  await page.selectOption("#kernel", "dot-product-printed");
  await page.click("#tab-checkers");
  await page.click("#check");
  await page.waitForSelector("#check-result #report-text");
  assert.match(await text(page, "#check-result"), /RACECHECK: [1-9]\d* error/);
  await shot(page, "race");
  assert.deepEqual(errors, []);
  await context.close();
});

check("naive and tiled products are compared, side by side", async () => {
  const { page, context, errors } = await open(server.url);
  await run(page, "matmul-naive", 64);
  assert.match(await text(page, "#report-text"), /PASSED/);
  await shot(page, "report-light");
  await page.click("#tab-compare");
  await page.click("#keep-a");
  await run(page, "matmul-tiled", 64);
  await page.click("#tab-compare");
  await page.click("#keep-b");
  await page.click("#compare");
  await page.waitForSelector("#compare-text");
  assert.match(await text(page, "#compare-text"), /B is [\d.]+ times as fast as A/);
  await shot(page, "compare-light");
  await accessible(page, "comparison");
  assert.deepEqual(errors, []);
  await context.close();
});

check("a shared link restores the kernel, the launch and the chip", async () => {
  const { page, context } = await open(server.url);
  await page.selectOption("#kernel", "vecadd");
  await page.waitForFunction(() =>
    document.querySelector(".cm-content").textContent.includes("vecadd"),
  );
  await setEditor(page, ".version 1.4\n.target sm_10\n.entry shared_kernel { exit; } // ä €\n");
  await page.waitForFunction(() => document.querySelector("#kernel").value === "");
  await page.selectOption("#chip", "fermi");
  await page.click("#tab-settings");
  await page.fill("#set-sm-max_warps", "16");
  await page.dispatchEvent("#set-sm-max_warps", "change");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  const link = page.url();
  await context.close();
  const second = await open(link);
  await second.page.waitForFunction(() =>
    document.querySelector(".cm-content").textContent.includes("shared_kernel"),
  );
  assert.match(await text(second.page, ".cm-content >> nth=0"), /ä €/);
  assert.equal(await second.page.inputValue("#chip"), "fermi");
  await second.page.click("#tab-settings");
  assert.equal(await second.page.inputValue("#set-sm-max_warps"), "16");
  assert.deepEqual(second.errors, []);
  await second.context.close();
});

check("a damaged link and a wrong file give a message", async () => {
  for (const fragment of ["#s=AAAA", "#s=%%%", "#s=q1YqTyxKLckvUrJSAAA"]) {
    const { page, context } = await open(server.url + fragment);
    await page.waitForFunction(() =>
      document.querySelector("#status").textContent.startsWith("The link cannot be read"),
    );
    await context.close();
  }
});

check("a long run is cancelled, and the next one runs", async () => {
  const { page, context } = await open(server.url);
  await page.selectOption("#kernel", "matmul-naive");
  await page.fill("#size", "512");
  await page.dispatchEvent("#size", "change");
  await page.click("#run");
  await page.waitForFunction(() =>
    document.querySelector("#progress").textContent.includes("blocks"),
  );
  // The page answers while the simulation runs.
  await page.click("#tab-settings");
  await page.click("#cancel");
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
  await run(page, "vecadd", 256);
  assert.match(await text(page, "#report-text"), /PASSED/);
  await context.close();
});

check("the single file works offline", async () => {
  const { page, context, errors } = await open(single, { offline: true });
  await run(page, "matmul-tiled", 64, "gt200");
  assert.match(await text(page, "#report-text"), /PASSED[^]*GeForce GTX 280/);
  await page.click("#tab-timeline");
  await page.waitForSelector("#panel-timeline canvas");
  await page.click("#tab-memory");
  await page.click("#draw-accesses");
  await page.waitForSelector("#panel-memory svg");
  await shot(page, "accesses");
  assert.deepEqual(errors, []);
  await context.close();
});

for (const [theme, width, height] of [
  ["light", 1280, 800],
  ["dark", 1024, 768],
]) {
  check(`every tab is accessible, ${theme}, ${width} x ${height}`, async () => {
    const { page, context, errors } = await open(server.url, {
      viewport: { width, height },
      colorScheme: theme,
    });
    await run(page, "matmul-naive", 64);
    await page.click("#tab-timeline");
    await page.waitForSelector("#panel-timeline canvas");
    await page.click("#tab-memory");
    await page.click("#draw-accesses");
    await page.waitForSelector("#panel-memory svg");
    for (const tab of [
      "report",
      "pictures",
      "timeline",
      "memory",
      "stepper",
      "checkers",
      "compare",
      "claims",
      "launch",
      "settings",
      "chipfile",
      "ptx",
    ]) {
      await page.click(`#tab-${tab}`);
      await page.waitForTimeout(150);
      await shot(page, `${tab}-${theme}-${width}`);
      await accessible(page, tab);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.ok(!wide, `${tab} is wider than the window`);
    }
    assert.deepEqual(errors, []);
    await context.close();
  });
}

check(
  "the page opens with a program that has run; its launches are stepped with variables",
  async () => {
    const { page, context, errors } = await open(server.url);
    await page.waitForSelector("#verdict");
    assert.match(await text(page, "#panel-report"), /PASSED[^]*launch 1 +naive[^]*launch 2 +tiled/);
    await shot(page, "program-light");
    await page.click("#tab-stepper");
    await page.waitForSelector("section[aria-label='Variables of the warp'] td");
    assert.match(await text(page, "section[aria-label='Variables of the warp']"), /const float \*/);
    await accessible(page, "program-stepper");
    await setEditor(
      page,
      "__global__ void k(int *out) { out[0] = valeu; }\nint main() { int value; k<<<1, 1>>>(0); }\n",
    );
    await page.waitForFunction(() =>
      /error\[undeclared-name\] line 1/.test(
        document.querySelector("#problems")?.textContent ?? "",
      ),
    );
    await setEditor(
      page,
      '#include <stdio.h>\nint main() { int *p = 0; printf("before\\n"); return *p; }\n',
    );
    await page.waitForFunction(() => !document.querySelector("#problems"));
    await page.click("#run");
    await page.waitForFunction(() => !document.querySelector("#run").disabled);
    const ended = await text(page, "#panel-report");
    assert.match(ended, /a null pointer is used[^]*program\.cu:2/);
    assert.match(ended, /^before$/m);
    assert.deepEqual(errors, []);
    await context.close();
  },
);
