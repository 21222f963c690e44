// A session of `warpsim dap` with the client of VS Code's own tests of debug adapters.
// Usage: node session.mjs PATH-OF-WARPSIM FOLDER-OF-THE-CLIENT, in the folder of test data.
import assert from "node:assert/strict";
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [warpsim, folderOfClient] = process.argv.slice(2);
const { DebugClient } = createRequire(resolve(folderOfClient, "x.js"))("@vscode/debugadapter-testsupport");

/** Runs `steps` with a client of a new adapter. */
async function session(name, steps) {
  const client = new DebugClient(warpsim, "dap", "warpsim");
  client.defaultTimeout = 120_000;
  await client.start();
  try {
    await steps(client);
    console.log(`${name}: ok`);
  } finally {
    await client.stop();
  }
}

const reduction = { program: "reduce-interleaved", size: 4096 };

await session("initialize", async (client) => {
  const { body } = await client.initializeRequest();
  for (const name of ["StepBack", "ConfigurationDoneRequest", "DataBreakpoints", "ReadMemoryRequest"]) {
    assert.equal(body[`supports${name}`], true, name);
  }
  assert.equal(body.exceptionBreakpointFilters.length, 10);
  await assert.rejects(client.send("nosuch"), /unknown request `nosuch`/);
});

await session("run to the end", async (client) => {
  await Promise.all([
    client.configurationSequence(),
    client.launch(reduction),
    client.waitForEvent("terminated"),
    client.waitForEvent("exited").then(({ body }) => assert.equal(body.exitCode, 0)),
  ]);
});

const folder = mkdtempSync(join(tmpdir(), "warpsim-dap-"));
try {
  const launch = join(folder, "launch.ron");
  const buffers = '(entry: "trace", grid: 1, block: 64, params: [buf("data")], buffers: {"data": (type: u32, len: 64)})';
  writeFileSync(launch, buffers);
  await session("a breakpoint in a file", async (client) => {
    const path = join(process.cwd(), "trace.ptx");
    const lines = [];
    client.on("stopped", ({ body }) => lines.push(body.reason));
    // Sets the breakpoint after `initialized`, and checks reason, path and line of the stop.
    await client.hitBreakpoint({ program: path, launch }, { path, line: 12 });
    assert.deepEqual(lines, ["breakpoint"]);
  });
} finally {
  rmSync(folder, { recursive: true });
}

await session("forward and back", async (client) => {
  await Promise.all([
    client.launch({ ...reduction, stopOnEntry: true }),
    client.configurationSequence(),
    client.waitForEvent("stopped"),
  ]);
  const source = { sourceReference: 1 };
  const set = await client.setBreakpointsRequest({ source, breakpoints: [{ line: 70, condition: "%t == 0" }] });
  assert.equal(set.body.breakpoints[0].verified, true);
  const moved = async (request) => (await Promise.all([client.waitForEvent("stopped"), request]))[0].body;
  const stop = await moved(client.continueRequest({ threadId: 1 }));
  const { threadId } = stop;
  assert.equal(stop.reason, "breakpoint");

  const top = async () => (await client.stackTraceRequest({ threadId })).body.stackFrames[0];
  const registers = async (frame) => {
    const { scopes } = (await client.scopesRequest({ frameId: frame.id })).body;
    const { variablesReference } = scopes.find((scope) => scope.name === "Registers");
    const { variables } = (await client.variablesRequest({ variablesReference })).body;
    return variables.map(({ name, value, type }) => ({ name, value, type }));
  };
  const before = await top();
  const values = await registers(before);
  assert.equal(before.line, 70);
  for (const request of ["nextRequest", "stepInRequest", "nextRequest"]) {
    assert.equal((await moved(client[request]({ threadId }))).reason, "step");
  }
  assert.notEqual((await top()).line, 70);
  for (let i = 0; i < 3; i++) {
    assert.equal((await moved(client.stepBackRequest({ threadId }))).reason, "step");
  }
  const after = await top();
  assert.equal(after.line, 70);
  assert.deepEqual(await registers(after), values, "the same registers after three steps and back");

  const info = await client.dataBreakpointInfoRequest({ name: "%value", frameId: after.id });
  const { dataId } = info.body;
  await client.setDataBreakpointsRequest({ breakpoints: [{ dataId, accessType: "write" }] });
  assert.equal((await moved(client.reverseContinueRequest({ threadId }))).reason, "data breakpoint");
  assert.equal((await top()).line, 53, "the load wrote the register");

  const { result } = (await client.evaluateRequest({ expression: "info blocks", context: "repl" })).body;
  assert.match(result, /0 of 8 blocks have ended/);
  await Promise.all([client.waitForEvent("terminated"), client.terminateRequest({})]);
});

await session("a program that does not compile", async (client) => {
  const launch = client.launch({ program: "broken.ptx", launch: "trace.ron" });
  await assert.rejects(launch, /broken\.ptx:6/);
});

console.log("passed");
