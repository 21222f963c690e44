// The reports of the WebAssembly module are the bytes of the program, for every built-in kernel at
// its small sizes.

import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const program = process.env.WARPSIM;
const module = new URL("../build/lab_bg.wasm", import.meta.url);
const missing = !program
  ? "WARPSIM does not name the program"
  : !existsSync(program)
    ? `${program} does not exist`
    : !existsSync(module)
      ? "the lab is not built"
      : false;

test("reports are the bytes of the program", { skip: missing }, async (t) => {
  const lab = await import("../build/lab.js");
  globalThis.labProgress = () => {};
  lab.initSync({ module: readFileSync(module) });
  assert.match(
    execFileSync(program, ["--version"], { encoding: "utf8" }),
    new RegExp(JSON.parse(lab.catalog()).program),
  );
  const folder = mkdtempSync(join(tmpdir(), "lab-"));
  let compared = 0;
  const same = (request, args, cwd) => {
    const ran = JSON.parse(lab.run(JSON.stringify({ sets: [], ...request })));
    const file = join(folder, "report.json");
    rmSync(file, { force: true });
    const native = spawnSync(program, ["run", ...args, "--json", file], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      cwd,
    });
    assert.equal(ran.text, native.stdout, args.join(" "));
    assert.equal(ran.code, native.status, args.join(" "));
    assert.equal(ran.messages.map((line) => `${line}\n`).join(""), native.stderr, args.join(" "));
    assert.equal(ran.json, existsSync(file) ? readFileSync(file, "utf8") : "", args.join(" "));
    compared += 1;
    return ran.code;
  };
  try {
    for (const { name, small_sizes: sizes } of JSON.parse(lab.catalog()).kernels) {
      for (const size of sizes) {
        // A chip refuses a kernel that needs a higher compute capability: also with the same bytes.
        for (const chip of ["g80", "gt200", "fermi"]) {
          if (
            same({ kernel: name, size, chip }, [name, "--size", String(size), "--chip", chip]) !== 3
          )
            break;
        }
      }
    }
    for (const chip of ["gt200", "fermi"])
      same({ kernel: "matmul-tiled", size: 48, chip }, [
        "matmul-tiled",
        "--size",
        "48",
        "--chip",
        chip,
      ]);
    same({ kernel: "matmul-tiled", size: 32, sets: [["sm.max_warps", "16"]], registers: 20 }, [
      "matmul-tiled",
      "--size",
      "32",
      "--set",
      "sm.max_warps=16",
      "--registers",
      "20",
    ]);
    same({ kernel: "dot-product-printed", checks: ["race"] }, [
      "dot-product-printed",
      "--check",
      "race",
    ]);
    same({ kernel: "reduce-interleaved", size: 1024, checks: ["all"] }, [
      "reduce-interleaved",
      "--size",
      "1024",
      "--check",
      "all",
    ]);
    same({ kernel: "vecadd", size: 100, functional: true }, [
      "vecadd",
      "--size",
      "100",
      "--functional",
    ]);
    same({ kernel: "vecadd", size: 0 }, ["vecadd", "--size", "0"]);
    same({ kernel: "matmul-tiled", size: 64, max_cycles: 500 }, [
      "matmul-tiled",
      "--size",
      "64",
      "--max-cycles",
      "500",
    ]);
    // PTX with a launch file, right and wrong.
    const data = new URL("../../cli/tests/data/", import.meta.url);
    const text = (name) => ({ name, text: readFileSync(new URL(name, data), "utf8") });
    for (const [ptx, code] of [
      ["trace.ptx", 0],
      ["broken.ptx", 2],
    ]) {
      const request = { ptx: text(ptx), launch: text("trace.ron") };
      assert.equal(same(request, [ptx, "--launch", "trace.ron"], data), code);
    }
    t.diagnostic(`${compared} runs have the same bytes`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
