// The legend of states as a picture of its own.

import { legend as body } from "./report";
import { svg as make } from "./svg";

export const svg = make;

/** Returns the legend of these states. */
export function legend(keys: string[], draw: typeof make): string {
  const { body: drawn, height } = body(keys, 2, 760);
  return draw(760, height + 2, "Colors of the states", drawn);
}
