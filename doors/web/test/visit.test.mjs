// What a visitor sees: colors of verdicts, names of typed programs, buttons of commands, a link on a
// phone, and a header that does not move.

import { check, open, run, server, setEditor, shot, text } from "./page.mjs";
import assert from "node:assert/strict";

const PHONE = { viewport: { width: 390, height: 800 } };

const verdict = (page) => page.getAttribute("#verdict", "class");

/** Runs what the editor has. */
async function press(page) {
  await page.click("#run");
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
}

/** A product that is wrong, and ends as a right one. */
const WRONG = `#include <cstdio>
__global__ void product(float *p) { p[threadIdx.x] = 7; }
int main() {
  float *d, p[32];
  cudaMalloc(&d, sizeof(p));
  product<<<1, 32>>>(d);
  cudaMemcpy(p, d, sizeof(p), cudaMemcpyDeviceToHost);
  printf("%g\\n", p[0]);
  return 0;
}
`;

check("only a checked result is green", async () => {
  const { page, context, errors } = await open(server.url);
  assert.equal(await verdict(page), "verdict unchecked", "a program checks itself");
  assert.match(await text(page, "#verdict"), /^Finished; the results are not checked/);
  await shot(page, "unchecked-light");
  await setEditor(page, WRONG);
  await press(page);
  assert.equal(await verdict(page), "verdict unchecked");
  await setEditor(page, WRONG.replace("return 0", "return 1"));
  await press(page);
  assert.equal(await verdict(page), "verdict bad");
  await run(page, "vecadd", 256);
  assert.equal(await verdict(page), "verdict good");
  // The user's PTX with its launch file, with expected results and without them.
  const ptx = await page.evaluate(() => document.querySelector(".cm-content").innerText);
  assert.match(ptx, /\.entry/);
  await page.selectOption("#kernel", "");
  await press(page);
  assert.equal(await verdict(page), "verdict good");
  await page.click("#tab-launch");
  const launch = await text(page, "#panel-launch .cm-content");
  await page.click("#panel-launch .cm-content");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(launch.replace(/\n +expect: \[[^]*$/, "\n)\n"));
  await press(page);
  assert.equal(await verdict(page), "verdict unchecked");
  assert.deepEqual(errors, []);
  await context.close();
});

check("a changed program has its own name", async () => {
  const { page, context, errors } = await open(server.url);
  const name = async () =>
    /warpsim run (\S+)/.exec(await text(page, "#panel-report .bar .note"))?.[1];
  const first = await name();
  assert.match(first, /^\w+\.cu$/);
  await setEditor(page, WRONG);
  await press(page);
  assert.equal(await name(), "program.cu");
  assert.equal(await page.inputValue("#kernel"), "");
  // The program of the list again.
  await page.selectOption("#kernel", first);
  await press(page);
  assert.equal(await name(), first);
  assert.deepEqual(errors, []);
  await context.close();
});

check("commands of the lessons have buttons", async () => {
  const { page, context, errors } = await open(`${server.url}#lesson=1`);
  for (let number = 1; number <= 14; number++) {
    await page.evaluate((number) => (location.hash = `#lesson=${number}`), number);
    await page.waitForFunction(
      (number) => document.querySelector("#course h2")?.innerText.startsWith(`Lesson ${number}:`),
      number,
    );
    const bare = await page.evaluate(() => {
      const commands = [...document.querySelectorAll(".prose pre[aria-label=Command]")];
      return commands
        .filter((one) => /^warpsim (run|debug|compare|sweep|lab new)/m.test(one.innerText))
        .filter((one) => !one.nextElementSibling?.querySelector("button"))
        .map((one) => one.innerText);
    });
    assert.deepEqual(bare, [], `lesson ${number}`);
  }
  // A launch file: its program, its launch and its chip, and a result that is checked.
  await page.evaluate(() => (location.hash = "#lesson=12"));
  const load = page.locator("button.load", {
    hasText: "Load product.ron (fermi, BY_ROWS)",
  });
  await load.first().click();
  await page.waitForFunction(() => document.querySelector("#chip").value === "fermi");
  await page.waitForFunction(() =>
    document.querySelector("#panel-ptx .cm-content").innerText.startsWith("#define BY_ROWS"),
  );
  await press(page);
  assert.equal(await verdict(page), "verdict good");
  assert.match(await text(page, "#panel-report .bar .note"), /product.cu --launch product.ron/);
  // The next program is a program again.
  await page.evaluate(() => (location.hash = "#lesson=2"));
  await page.locator("button.load", { hasText: "Load product.cu (g80)" }).first().click();
  await page.waitForFunction(() => document.querySelector("#chip").value === "g80");
  await press(page);
  assert.equal(await verdict(page), "verdict unchecked");
  // Overrides of one command are not those of the next.
  await page.evaluate(() => (location.hash = "#lesson=12"));
  const narrow = page.locator("button.load", { hasText: "sm.max_blocks=2" });
  await narrow.first().click();
  await page.waitForFunction(() =>
    document.querySelector("#status").innerText.includes("rows.ron"),
  );
  await press(page);
  assert.match(await text(page, "#panel-report .bar .note"), /--set sm.max_blocks=2/);
  await page.evaluate(() => (document.querySelector("#status").textContent = ""));
  await page.click("#tab-course");
  const plain = page.locator("button.load", { hasText: /^Load rows\.ron \(fermi\)$/ });
  await plain.first().click();
  await page.waitForFunction(() =>
    document.querySelector("#status").innerText.includes("rows.ron"),
  );
  await press(page);
  assert.doesNotMatch(await text(page, "#panel-report .bar .note"), /--set/);
  // A kernel in OpenCL C: its NDRange, its arguments and its expected values.
  await page.evaluate(() => (location.hash = "#lesson=14"));
  await page.locator("button.load", { hasText: "Load vadd.cl (g80, 1024" }).click();
  await page.waitForFunction(() =>
    document.querySelector("#status").innerText.includes("vadd.cl is ready"),
  );
  await press(page);
  assert.equal(await verdict(page), "verdict good");
  assert.match(await text(page, "#panel-report .bar .note"), /vadd.cl --launch vadd.ron/);
  assert.match(await text(page, "#panel-report"), /4 work-groups \(4,1,1\) of 256 work-items/);
  await shot(page, "opencl-lesson");
  await page.click("#tab-course");
  await page.locator("button.load", { hasText: "Load vadd.cl (g80, 1000" }).click();
  await page.waitForFunction(() =>
    document.querySelector("#status").innerText.includes("no multiple of a work-group"),
  );
  // A built-in kernel, and an exercise.
  await page.evaluate(() => (location.hash = "#lesson=10"));
  const kernel = page.locator("button.load", {
    hasText: "Choose histogram-words, size 32768",
  });
  await kernel.first().click();
  await page.waitForFunction(() => document.querySelector("#kernel").value === "histogram-words");
  assert.equal(await page.inputValue("#size"), "32768");
  await page.locator("button.load", { hasText: "Open the exercise histogram" }).click();
  await page.waitForSelector("#course-check:enabled");
  assert.deepEqual(errors, []);
  await context.close();
});

check("a kernel in OpenCL C that is opened gets a launch file", async () => {
  const { page, context, errors } = await open(server.url);
  const kernel = "__kernel void doubled(__global float *x)\n{\n  x[get_global_id(0)] *= 2;\n}\n";
  const file = { name: "doubled.cl", mimeType: "text/plain", buffer: Buffer.from(kernel) };
  await page.locator("header input[type=file]").setInputFiles(file);
  await page.waitForFunction(() =>
    document.querySelector("#panel-ptx .cm-content").innerText.includes("doubled"),
  );
  await press(page);
  assert.equal(await verdict(page), "verdict unchecked");
  assert.match(await text(page, "#panel-report"), /doubled: 4 work-groups \(4,1,1\) of 256/);
  await page.click("#tab-launch");
  assert.match(await text(page, "#panel-launch .cm-content"), /number of work-groups/);
  assert.deepEqual(errors, []);
  await context.close();
});

check("a link to a lesson opens at the lesson on a phone", async () => {
  for (const place of ["lesson=5", "exercise=vector-add"]) {
    const { page, context, errors } = await open(`${server.url}#${place}`, PHONE);
    await page.waitForSelector(".prose");
    await page.waitForTimeout(300);
    const top = await page.evaluate(
      () => document.querySelector("#course h2").getBoundingClientRect().top,
    );
    assert.ok(top >= 0 && top < 500, `${place}: the heading is at ${top}`);
    await shot(page, `phone-${place.replace("=", "-")}`);
    assert.deepEqual(errors, []);
    await context.close();
  }
});

/** Notes the heights of the header from the first frame on. */
function watchHeader(page) {
  return page.addInitScript(() => {
    window.heights = [];
    const frame = () => {
      const height = document.querySelector("header")?.getBoundingClientRect().height;
      if (height && window.heights.at(-1) !== height) window.heights.push(height);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

check("the header does not move", async () => {
  for (const width of [1600, 1280, 1000, 700, 390]) {
    const viewport = { width, height: 800 };
    const { page, context, errors } = await open(server.url, { viewport }, watchHeader);
    // In a narrow window, the field for the size of a kernel takes a place of its own.
    if (width > 900) await run(page, "matmul-naive", 64);
    else await press(page);
    const heights = await page.evaluate(() => window.heights);
    assert.equal(heights.length, 1, `${width}: ${heights}`);
    assert.deepEqual(errors, []);
    await context.close();
  }
});
