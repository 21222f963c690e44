// Tasks of the engine, one at a time, with the buttons and the progress in the header.

import { byId, count, el } from "./dom";
import { Cancelled, type Engine } from "./engine";
import type { Progress } from "./types";

const status = byId("status");

/** Shows a message for some seconds. */
export function say(text: string): void {
  status.textContent = text;
  if (text)
    setTimeout(() => {
      if (status.textContent === text) status.textContent = "";
    }, 5000);
}

/** The tasks of one engine. */
export class Jobs {
  readonly start = el(
    "button",
    { type: "button", class: "primary", id: "run", title: "Ctrl+Enter" },
    "Run",
  );
  private readonly stop = el("button", { type: "button", id: "cancel", disabled: true }, "Cancel");
  private readonly bar = el("progress", {
    "aria-label": "Blocks that have ended",
    max: 1,
    value: 0,
    hidden: true,
  });
  private readonly text = el("span", { class: "note", id: "progress" });

  constructor(engine: Engine) {
    this.stop.addEventListener("click", () => engine.cancel());
  }

  /** The elements for the header. */
  get elements(): HTMLElement[] {
    return [this.start, this.stop, this.bar, this.text];
  }

  /** Whether a task runs. */
  get busy(): boolean {
    return this.start.disabled;
  }

  /** Shows the progress of a run. */
  show(progress: Progress): void {
    this.bar.hidden = false;
    this.bar.value = progress.retired / Math.max(progress.blocks, 1);
    const { retired, blocks, instructions } = progress;
    this.text.textContent = `${count(retired)} of ${count(blocks)} blocks, ${count(instructions)} warp instructions`;
  }

  /** Runs a task of the engine with progress; errors go to `place`. */
  async run(name: string, task: () => Promise<void>, place?: HTMLElement): Promise<void> {
    if (this.start.disabled) {
      say("Another run is in progress.");
      return;
    }
    this.start.disabled = true;
    this.stop.disabled = false;
    this.text.textContent = "runs…";
    try {
      await task();
      this.text.textContent = "";
    } catch (why) {
      this.text.textContent = "";
      if (why instanceof Cancelled) say(`${name} was cancelled.`);
      else if (place)
        place.replaceChildren(el("pre", { class: "error", tabindex: 0 }, (why as Error).message));
      else say((why as Error).message);
    } finally {
      this.start.disabled = false;
      this.stop.disabled = true;
      this.bar.hidden = true;
    }
  }
}
