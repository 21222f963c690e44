// What the lab does for CUDA C: PTX beside its lines, steps by lines, completion, input and files.

import assert from "node:assert/strict";
import { accessible, check, open, server, setEditor, shot, text } from "./page.mjs";

/** Runs the program in the editor. */
async function run(page) {
  await page.click("#run");
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
}

/** Chooses a program of the list. */
async function choose(page, name) {
  await page.selectOption("#kernel", name);
  await page.waitForFunction((name) => document.querySelector("#kernel").value === name, name);
}

const code = "#panel-ptx .cm-content";

check("lines of CUDA C and their PTX and micro-ops mark each other", async () => {
  const { page, context, errors } = await open(server.url);
  await page.click("#tab-lowered");
  await page.waitForSelector("#panel-lowered .cm-line >> text=.entry");
  const line = page.locator(`${code} .cm-line`, { hasText: "sum += a[row * n + k]" }).first();
  await line.click();
  await page.waitForSelector("#panel-lowered .line-current");
  const marked = await page.locator("#panel-lowered .line-current").allInnerTexts();
  assert.ok(
    marked.some((row) => /ld\.global\.f32/.test(row)),
    marked.join("\n"),
  );
  assert.ok(
    marked.some((row) => /ld\.global\.b32 w\d+.*\/\/ ld_global/.test(row)),
    marked.join("\n"),
  );
  assert.match(
    await text(page, "#lowered-line"),
    /line \d+: sum \+= .*PTX instructions, \d+ micro-ops/,
  );
  await shot(page, "ptx-light");
  // The other way round: a micro-op marks its line of CUDA C, by the mouse and by the keyboard.
  const rows = "#panel-lowered .cm-line";
  await page.locator(rows, { hasText: "setp.lt.s32 p0" }).first().click();
  const markedLine = () => text(page, `${code} .line-current`);
  assert.match(await markedLine(), /for \(int k = 0; k < n; k\+\+\)/);
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowUp");
  assert.match(await markedLine(), /sum \+= a\[row/);
  await page.uncheck("#micro-ops");
  const shown = await text(page, "#panel-lowered .cm-content");
  assert.ok(!shown.includes("// ld_global") && shown.includes("ld.global"), shown);
  await page.click("#theme");
  await accessible(page, "PTX");
  await shot(page, "ptx-dark");
  // Another text, and one with errors.
  await setEditor(
    page,
    "__global__ void k(int *p) { p[0] = 42; }\nint main() { k<<<1, 1>>>(0); }\n",
  );
  await page.waitForFunction(() =>
    /, 42;/.test(document.querySelector("#panel-lowered .cm-content").innerText),
  );
  await setEditor(page, "__global__ void k(int *p) { p[0] = x; }\nint main() { }\n");
  await page.waitForSelector("#panel-lowered pre.error:not([hidden])");
  assert.match(await text(page, "#panel-lowered pre.error"), /undeclared-name/);
  // A kernel in PTX has its own lines.
  await page.check("#micro-ops");
  await page.selectOption("#kernel", "vecadd");
  await page.waitForFunction(() =>
    document.querySelector("#panel-lowered .cm-content").innerText.includes(".target sm_10"),
  );
  await page.click("#panel-lowered .cm-line >> nth=0");
  await page.keyboard.press("Control+End");
  await page.waitForFunction(() =>
    /\d {2}exit +\/\/ /.test(document.querySelector("#panel-lowered .cm-content").innerText),
  );
  assert.deepEqual(errors, []);
  await context.close();
});

check("the stepper steps by lines of CUDA C, forward and back", async () => {
  const { page, context, errors } = await open(server.url);
  await page.click("#tab-stepper");
  await page.waitForSelector("section[aria-label='Variables of the warp'] td");
  const line = () => text(page, "#panel-stepper .line-current");
  const cycle = () => text(page, "#step-cycle");
  const step = async (action) => {
    const before = await cycle();
    await action();
    await page.waitForFunction(
      (before) => document.querySelector("#step-cycle").textContent !== before,
      before,
    );
  };
  const seen = [await line()];
  for (let i = 0; i < 4; i++) {
    await step(() => page.click('[data-step="line"]'));
    seen.push(await line());
  }
  // Each step ends in another line.
  seen.slice(1).forEach((one, i) => assert.notEqual(one, seen[i], seen.join("\n")));
  await shot(page, "lines-light");
  const middle = await cycle();
  await page.locator("#panel-stepper .pane .body").first().focus();
  await step(() => page.keyboard.press("l"));
  await step(() => page.keyboard.press("Shift+L"));
  assert.deepEqual([await cycle(), await line()], [middle, seen.at(-1)]);
  await step(() => page.click('[data-step="line-back"]'));
  assert.equal(await line(), seen.at(-2));
  // An instruction is less than a line.
  await step(() => page.click('[data-step="instruction"]'));
  // PTX has no lines of CUDA C.
  await page.selectOption("#kernel", "vecadd");
  await page.click("#tab-report");
  await page.click("#tab-stepper");
  await page.waitForSelector("section[aria-label='PTX']");
  assert.ok(!(await page.isVisible('[data-step="line"]')));
  assert.deepEqual(errors, []);
  await context.close();
});

check("names of CUDA and of the program are completed by keyboard", async () => {
  const { page, context, errors } = await open(server.url);
  const list = ".cm-tooltip-autocomplete";
  const options = () => page.locator(`${list} [role=option]`).allInnerTexts();
  const write = async (words) => {
    await setEditor(page, "");
    await page.keyboard.type(words, { delay: 5 });
    await page.waitForSelector(list);
    await page.waitForTimeout(100);
  };
  const editor = () => page.locator(code).first().innerText();
  await write("__syncth");
  assert.match((await options())[0], /__syncthreads\b/);
  await shot(page, "completion-light");
  await accessible(page, "completion");
  await page.keyboard.press("Tab");
  assert.match(await editor(), /^__syncthreads/);
  await write("threadIdx.");
  assert.deepEqual(
    (await options()).map((one) => one.slice(0, 11)),
    ["threadIdx.x", "threadIdx.y", "threadIdx.z"],
  );
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await editor(), /^threadIdx\.y/);
  await write("cudaMemcpyHo");
  await page.keyboard.press("Escape");
  await page.waitForFunction((list) => !document.querySelector(list), list);
  assert.match(await editor(), /^cudaMemcpyHo$/m);
  // With the list closed, Tab leaves the editor.
  await page.keyboard.press("Tab");
  assert.ok(!(await page.evaluate(() => document.activeElement.closest(".cm-editor"))));
  await write("int my_counter = 0; my_c");
  assert.match((await options()).join("\n"), /my_counter/);
  await page.keyboard.press("Enter");
  assert.match(await editor(), /my_counter = 0; my_counter/);
  // Neither comments nor PTX are completed.
  await setEditor(page, "");
  await page.keyboard.type("// __syncth", { delay: 5 });
  await page.waitForTimeout(300);
  assert.equal(await page.locator(list).count(), 0);
  // A program of PTX comes while a name waits for its completion.
  await setEditor(page, "");
  await page.keyboard.type("__syncth");
  await page.selectOption("#kernel", "vecadd");
  await page.waitForTimeout(300);
  assert.deepEqual(errors, []);
  await context.close();
});

const copies = `#include <stdio.h>
int main()
{
    int a, b, c;
    if (scanf("%d %d", &a, &b) != 2) { printf("no input\\n"); return 1; }
    FILE *in = fopen("numbers.txt", "r");
    if (!in) { printf("no file\\n"); return 1; }
    fscanf(in, "%d", &c);
    fclose(in);
    FILE *out = fopen("sum.txt", "w");
    fprintf(out, "%d\\n", a + b + c);
    fclose(out);
    printf("sum %d, outside %d\\n", a + b + c, fopen("../sum.txt", "w") != 0);
}
`;

check("a program reads standard input and files, and its files are downloaded", async () => {
  const { page, context, errors } = await open(server.url);
  await setEditor(page, copies);
  await run(page);
  assert.match(await text(page, "#panel-report"), /^no input$/m);
  await page.click("#tab-files");
  await page.fill("#stdin", "20 20\n");
  await run(page);
  assert.match(await text(page, "#panel-report"), /^no file$/m);
  const upload = async (name, bytes) => {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.click("#add-file"),
    ]);
    await chooser.setFiles({ name, mimeType: "text/plain", buffer: bytes });
  };
  await upload("numbers.txt", Buffer.from("2\n"));
  await page.waitForSelector("#own-files code");
  await run(page);
  assert.match(await text(page, "#panel-report"), /^sum 42, outside 0$/m);
  await page.click("#show-files");
  assert.match(await text(page, "#written-files"), /sum\.txt 3 bytes/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click("#written-files a"),
  ]);
  assert.equal(download.suggestedFilename(), "sum.txt");
  const parts = [];
  for await (const part of await download.createReadStream()) parts.push(part);
  assert.equal(Buffer.concat(parts).toString(), "42\n");
  await upload("large.bin", Buffer.alloc(17 << 20));
  await page.waitForFunction(() =>
    /large\.bin is too large/.test(document.querySelector("#status").textContent),
  );
  await accessible(page, "files");
  await page.click("#own-files button");
  await run(page);
  assert.match(await text(page, "#panel-report"), /^no file$/m);
  assert.match(await text(page, "#written-files"), /No file/);
  // Standard input is part of a link, files are not.
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  const second = await open(page.url());
  await second.page.click("#tab-files");
  await second.page.waitForFunction(() => document.querySelector("#stdin").value === "20 20\n");
  assert.deepEqual([...errors, ...second.errors], []);
  await context.close();
  await second.context.close();
});

check("an image that a program writes is shown", async () => {
  const { page, context, errors } = await open(server.url);
  await choose(page, "mandelbrot.cu");
  await run(page);
  assert.match(await text(page, "#panel-report"), /^PASSED$/m);
  await page.click("#show-files");
  await page.waitForSelector("#written-files canvas");
  await shot(page, "files-light");
  await accessible(page, "image");
  assert.deepEqual(errors, []);
  await context.close();
});

check("each program of the list passes in the page", async (t) => {
  const { page, context, errors } = await open(server.url);
  const names = await page
    .locator(
      "#kernel optgroup[label='Programs in CUDA C'] option, #kernel optgroup[label='OpenCL'] option",
    )
    .evaluateAll((all) => all.map((one) => one.value));
  assert.equal(names.length, 22);
  await page.selectOption("#chip", "fermi");
  for (const name of names) {
    await choose(page, name);
    await page.waitForTimeout(200);
    await run(page);
    const [, seconds] = /Finished in ([\d.]+) s/.exec(await text(page, "#status"));
    t.diagnostic(`${name}: ${seconds} s`);
    assert.match(await text(page, "#panel-report"), /PASSED/, name);
  }
  assert.deepEqual(errors, []);
  await context.close();
});

check("the new parts fit a narrow window", async () => {
  const { page, context, errors } = await open(server.url, {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
  });
  await choose(page, "mandelbrot.cu");
  await run(page);
  for (const tab of ["files", "lowered", "stepper"]) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(600);
    await page.locator(`#panel-${tab}`).scrollIntoViewIfNeeded();
    await shot(page, `${tab}-narrow`);
    await accessible(page, tab);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.ok(!wide, `${tab} is wider than the window`);
  }
  assert.deepEqual(errors, []);
  await context.close();
});
