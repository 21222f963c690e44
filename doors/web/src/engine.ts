// The engine in web workers: each worker has one instance of the WebAssembly module.

import type { Progress } from "./types";

declare global {
  interface Window {
    labAssets?: { worker: string; wasm: string };
  }
}

/** Returns the script of the workers and the compiled module. */
async function assets(): Promise<{ script: string; module: WebAssembly.Module }> {
  const inlined = window.labAssets;
  if (inlined) {
    const script = URL.createObjectURL(new Blob([inlined.worker], { type: "text/javascript" }));
    const packed = Uint8Array.from(atob(inlined.wasm), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    return { script, module };
  }
  const response = await fetch("lab.wasm");
  if (!response.ok) throw new Error(`cannot load lab.wasm: ${response.status}`);
  return { script: "worker.js", module: await WebAssembly.compile(await response.arrayBuffer()) };
}

let loading: ReturnType<typeof assets> | undefined;

/** Why a call has no result: the user cancelled it. */
export class Cancelled extends Error {}

interface Call {
  resolve: (value: unknown) => void;
  reject: (why: Error) => void;
  progress?: ((progress: Progress) => void) | undefined;
}

/** A worker that starts at its first call and starts again after a cancellation. */
export class Engine {
  private worker: Promise<Worker> | undefined;
  private readonly calls = new Map<number, Call>();
  private next = 1;

  /** Calls a function of the engine; results that are JSON are parsed. */
  async call<T>(
    name: string,
    args: unknown[],
    progress?: (progress: Progress) => void,
  ): Promise<T> {
    this.worker ??= this.start();
    const worker = await this.worker;
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.calls.set(id, { resolve: resolve as (value: unknown) => void, reject, progress });
      worker.postMessage({ id, name, args });
    });
  }

  /** Ends all calls. */
  cancel(): void {
    const worker = this.worker;
    this.worker = undefined;
    void worker?.then((one) => one.terminate());
    this.fail(new Cancelled("cancelled"));
  }

  private fail(why: Error): void {
    for (const call of this.calls.values()) call.reject(why);
    this.calls.clear();
  }

  private async start(): Promise<Worker> {
    loading ??= assets();
    const { script, module } = await loading;
    const worker = new Worker(script);
    worker.onmessage = ({ data }) => {
      const call = this.calls.get(data.id);
      if (!call) return;
      if (data.progress) {
        call.progress?.(data.progress);
        return;
      }
      this.calls.delete(data.id);
      if (data.error !== undefined) call.reject(new Error(data.error));
      else call.resolve(data.result);
    };
    worker.onerror = (event) => {
      // A panic or exhausted memory leaves the module unusable: the next call starts a new one.
      this.worker = undefined;
      worker.terminate();
      this.fail(new Error(`the engine stopped: ${event.message || "out of memory"}`));
    };
    worker.postMessage({ module });
    return worker;
  }
}
