// The course in the page, as a student uses it: lessons, exercises, tests, progress and links.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { single } from "./browser.mjs";
import { accessible, check, open, server, setEditor, shot, text } from "./page.mjs";

const folder = new URL("../../../course/exercises/", import.meta.url);
const file = (path) => readFileSync(new URL(path, folder), "utf8");
const solution = file("vector-add/solution.cu");

/** The rubric of a hand-out, as `warpsim lab new` writes it. */
const RUBRIC = `(
    title: "Twice", name: "twice", level: easy, kind: write, kernels: ["twice"], seed: 7, closed: 3,
    tests: [
        (name: "4", args: ["4", "a b"], open: true, chips: ["g80"], points: 2,
        hint: "Compare \`<\` and \`<=\`.", answers: [
            (chip: "g80", cycles: 1000, steps: 10000, program_ns: 100000, output: "0 2 4 6\\n"),
        ]),
    ],
    checks: [(check: memory, points: 1)],
)
`;
const STATEMENT = "# Twice\n\nDouble **each** element.\n\n| a | b |\n|---|---:|\n| `x` | 1 |\n";
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
__global__ void twice(int *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 1; }
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), x[64], *d;
    for (int i = 0; i < n; i++) x[i] = i;
    cudaMalloc((void **)&d, sizeof(x));
    cudaMemcpy(d, x, n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<1, 64>>>(d, n);
    cudaMemcpy(x, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int i = 0; i < n; i++) printf("%d ", x[i]);
    printf("\\n");
}
`;

/** Checks the program in the editor and waits for the grade. */
async function grade(page) {
  await page.click("#course-check");
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
  return text(page, "#grade-verdict");
}

/** Opens an exercise of the list. */
async function exercise(page, name) {
  await page.click("#tab-course");
  await page.click(`#exercise-${name}`);
  await page.waitForSelector("#course-check:enabled");
}

const editor = (page) => text(page, "#panel-ptx .cm-content");

check("a lesson is read, and its program and its exercise are opened", async () => {
  const { page, context, errors } = await open(server.url);
  await page.click("#tab-course");
  await page.waitForSelector("#course-table");
  assert.equal(await page.locator("[id^='lesson-']").count(), 14);
  assert.equal(await page.locator("[id^='exercise-']").count(), 25);
  await shot(page, "course-light");
  await accessible(page, "course");
  await page.click("#lesson-1");
  await page.waitForSelector(".prose svg");
  assert.equal(await text(page, "#course h2"), "Lesson 1: Vector addition and indices");
  assert.match(await text(page, ".prose"), /number of blocks in the grid/);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H2");
  await shot(page, "lesson-light");
  await accessible(page, "lesson");
  await page.click("#theme");
  await page.locator(".prose figure").scrollIntoViewIfNeeded();
  await shot(page, "lesson-dark");
  await accessible(page, "lesson, dark");
  // A command of the lesson, with its chip and its arguments.
  await page.locator("button.load", { hasText: "(fermi, 20000)" }).click();
  await page.waitForFunction(() => document.querySelector("#arguments").value === "20000");
  assert.equal(await page.inputValue("#chip"), "fermi");
  await page.click("#run");
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
  assert.match(await text(page, "#panel-report"), /20000 elements in 79 blocks, 0 wrong/);
  await page.click("#tab-course");
  await page.locator(".prose button.link", { hasText: "vector-add" }).first().click();
  await page.waitForSelector("#course-check:enabled");
  assert.equal(await text(page, "#course h2"), "Vector addition");
  assert.deepEqual(errors, []);
  await context.close();
});

check("every lesson and every exercise opens", async () => {
  const { page, context, errors } = await open(`${server.url}#lesson=1`);
  for (let number = 1; number <= 14; number++) {
    await page.evaluate((number) => (location.hash = `#lesson=${number}`), number);
    await page.waitForFunction(
      (number) => document.querySelector("#course h2")?.innerText.startsWith(`Lesson ${number}:`),
      number,
    );
    const prose = await page.evaluate(() => {
      const copy = document.querySelector(".prose").cloneNode(true);
      copy.querySelectorAll("pre, code, svg").forEach((one) => one.remove());
      return copy.textContent;
    });
    assert.ok(!/\*\*|`|\]\(|^#|\|---/m.test(prose), `lesson ${number}: ${prose}`);
    assert.ok(number >= 13 || (await page.locator(".prose svg").count()) > 0, `lesson ${number}`);
  }
  await page.click("#course-list");
  const names = await page
    .locator("[id^='exercise-']")
    .evaluateAll((all) => all.map((one) => one.id.slice(9)));
  for (const name of names) {
    await page.click(`#exercise-${name}`);
    await page.waitForSelector("#course-check:enabled");
    assert.match(await text(page, ".prose"), /lab check/, name);
    await page.click("#course-list");
  }
  assert.deepEqual(errors, []);
  await context.close();
});

check("vector-add is solved: hints, all open points, and the progress after a reload", async () => {
  const { page, context, errors } = await open(server.url);
  await exercise(page, "vector-add");
  assert.match(await editor(page), /__global__ void add/);
  assert.match(await page.inputValue("#arguments"), /^128 \d+$/);
  assert.match(await text(page, "#course-about"), /easy, write a kernel; 10 points, 5 of them/);
  await shot(page, "exercise-light");
  await accessible(page, "exercise");
  assert.match(await grade(page), /^[0-4] of 5 open points$/);
  assert.match(await text(page, "#course-grade"), /Hint: All threads are in one block/);
  assert.match(await text(page, "#course-grade"), /Expected output/);
  await shot(page, "grade-light");
  await accessible(page, "grade");
  await setEditor(page, "int main() { return x; }\n");
  assert.equal(await grade(page), "0 of 5 open points");
  assert.match(await text(page, "#course-grade"), /undeclared-name/);
  await setEditor(page, solution);
  await page.keyboard.press("Control+Shift+Enter");
  await page.waitForFunction(() =>
    document.querySelector("#grade-verdict")?.textContent.startsWith("5 of 5"),
  );
  assert.match(await text(page, "#course-about"), /Best result: 5 of 5/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#course-export")]);
  assert.equal(saved.suggestedFilename(), "vector-add.cu");
  assert.equal(readFileSync(await saved.path(), "utf8"), solution);
  // The run of the program has the arguments.
  await page.click("#run");
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
  assert.match(await text(page, "#panel-report"), /elements 0 to 127/);
  // A reload opens the exercise with the student's program.
  await page.reload();
  await page.waitForSelector("#course-check:enabled");
  assert.match(await text(page, "#course-about"), /Best result: 5 of 5/);
  const own = await editor(page);
  await page.click("#course-start");
  await page.waitForSelector("#course-undo");
  assert.notEqual(await editor(page), own);
  await page.click("#course-undo");
  await page.waitForFunction(
    (own) => document.querySelector("#panel-ptx .cm-content").innerText === own,
    own,
  );
  // Another program in the editor is not a submission.
  await page.selectOption("#kernel", "vecadd.cu");
  await page.waitForSelector("#course-mine");
  assert.ok(await page.isDisabled("#course-check"));
  await page.click("#course-mine");
  await page.waitForSelector("#course-check:enabled");
  assert.equal(await editor(page), own);
  // The list has the result, and the progress is a file.
  await page.click("#course-list");
  assert.match(await text(page, "#course-table"), /Vector addition vector-add\s.*10\s+5 of 5 open/);
  assert.match(await text(page, "#course-done"), /^1 of 25 exercises/);
  const [progress] = await Promise.all([page.waitForEvent("download"), page.click("#course-save")]);
  assert.equal(progress.suggestedFilename(), "course.json");
  const path = await progress.path();
  const document = JSON.parse(readFileSync(path, "utf8"));
  assert.equal(document.exercises["vector-add"].best, 5);
  assert.deepEqual(errors, []);
  // Another browser continues with the file.
  const second = await open(server.url);
  await second.page.click("#tab-course");
  const [chooser] = await Promise.all([
    second.page.waitForEvent("filechooser"),
    second.page.click("#course-load"),
  ]);
  await chooser.setFiles({
    name: "course.json",
    mimeType: "application/json",
    buffer: readFileSync(path),
  });
  await second.page.waitForFunction(() =>
    /^1 of 25/.test(document.querySelector("#course-done").textContent),
  );
  await exercise(second.page, "vector-add");
  assert.equal(await editor(second.page), own);
  assert.deepEqual(second.errors, []);
  await second.context.close();
  await context.close();
});

check("a check is cancelled, and the next one runs", async () => {
  const { page, context, errors } = await open(`${server.url}#exercise=vector-add`);
  await page.waitForSelector("#course-check:enabled");
  await setEditor(
    page,
    solution
      .replace("int main(", "int slow = 0;\nint main(")
      .replace(
        /(int main\([^]*?\{)/,
        "$1\n    for (volatile int i = 0; i < 2000000000; i++) slow += i;",
      ),
  );
  await page.click("#course-check");
  await page.waitForSelector("#cancel:enabled");
  // The page answers while the tests run.
  await page.click("#tab-files");
  await page.click("#cancel");
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
  await page.click("#tab-ptx");
  await setEditor(page, solution);
  assert.equal(await grade(page), "5 of 5 open points");
  assert.deepEqual(errors, []);
  await context.close();
});

check("an exercise opens from a link, and a wrong link gives a message", async () => {
  const { page, context, errors } = await open(`${server.url}#exercise=transpose`);
  await page.waitForSelector("#course-check:enabled");
  assert.equal(await text(page, "#course h2"), "Transposition without scattered stores");
  // A share link has the program, its arguments and its exercise.
  await setEditor(page, "// mine\nint main() { }\n");
  await page.fill("#arguments", "12 'a b'");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  const second = await open(page.url());
  await second.page.waitForSelector("#course-check:enabled");
  assert.match(await editor(second.page), /^\/\/ mine/);
  assert.equal(await text(second.page, "#course h2"), "Transposition without scattered stores");
  assert.equal(await second.page.inputValue("#arguments"), "12 'a b'");
  await second.context.close();
  const wrong = await open(`${server.url}#exercise=transpos`);
  await wrong.page.waitForSelector("#course .error");
  assert.match(await text(wrong.page, "#course .error"), /did you mean `transpose`/);
  assert.deepEqual([...errors, ...second.errors, ...wrong.errors], []);
  await wrong.context.close();
  await context.close();
});

check("a hand-out opens from its files and from a link, offline", async () => {
  const { page, context, errors } = await open(single, { offline: true });
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#open")]);
  const files = { "exercise.ron": RUBRIC, "README.md": STATEMENT, "twice.cu": PROGRAM };
  const named = Object.entries(files).map(([name, content]) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(content),
  }));
  await chooser.setFiles(named);
  await page.waitForSelector("#course-check:enabled");
  assert.match(await text(page, ".prose"), /Double each element/);
  assert.equal(await page.inputValue("#arguments"), "4 'a b'");
  assert.equal(await grade(page), "0 of 3 open points");
  assert.match(await text(page, "#course-grade"), /3 more points[^]*expected `?0 2 4 6/);
  await setEditor(page, PROGRAM.replace("*= 1", "*= 2"));
  assert.equal(await grade(page), "3 of 3 open points");
  await page.click("#course-link");
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  const link = page.url();
  await page.click("#course-list");
  assert.match(await text(page, "#course-handouts"), /twice\s+3 of 3 open/);
  assert.deepEqual(errors, []);
  await context.close();
  // Another student gets the starting program.
  const second = await open(link, { offline: true });
  await second.page.waitForSelector("#course-check:enabled");
  assert.match(await editor(second.page), /\*= 1/);
  assert.equal(await grade(second.page), "0 of 3 open points");
  await second.page.reload();
  await second.page.waitForSelector("#course-check:enabled");
  assert.equal(await text(second.page, "#course h2"), "Twice");
  assert.deepEqual(second.errors, []);
  await second.context.close();
});

check("the course fits a narrow window, and the keyboard reaches it", async () => {
  const { page, context, errors } = await open(server.url, {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
  });
  const fits = async (what) => {
    await page.locator("#panel-course").scrollIntoViewIfNeeded();
    await shot(page, `${what}-narrow`);
    await accessible(page, what);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.ok(!wide, `${what} is wider than the window`);
  };
  await page.focus("#tab-report");
  await page.keyboard.press("End");
  await page.waitForSelector("#course-table");
  await fits("course");
  await page.focus("#lesson-2");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".prose svg");
  await fits("lesson");
  await page.click("#course-list");
  await page.focus("#exercise-race");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#course-check:enabled");
  await page.focus("#course-check");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#grade-verdict");
  await fits("grade");
  assert.deepEqual(errors, []);
  await context.close();
});
