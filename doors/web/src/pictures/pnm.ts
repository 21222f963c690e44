// Images that programs write: PGM and PPM, as text or as bytes.

import { el } from "../dom";

/** Most pixels of an image that is drawn. */
const MOST = 1 << 22;

/** Draws an image; `undefined` if the bytes are not one. */
export function pnm(bytes: Uint8Array, name: string): HTMLElement | undefined {
  let at = 0;
  /** The next word; comments reach to the end of their line. */
  const word = (): string => {
    let text = "";
    for (; at < bytes.length; at++) {
      const c = String.fromCharCode(bytes[at]!);
      if (c === "#" && !text) while (at < bytes.length && bytes[at] !== 10) at++;
      else if (/\s/.test(c)) {
        if (text) break;
      } else text += c;
    }
    at++;
    return text;
  };
  const kind = word();
  if (!/^P[2356]$/.test(kind)) return undefined;
  const [width, height, largest] = [Number(word()), Number(word()), Number(word())];
  const parts = kind === "P3" || kind === "P6" ? 3 : 1;
  const whole = [width, height, largest].every((one) => Number.isInteger(one) && one > 0);
  if (!whole || largest > 255 || width * height > MOST) return undefined;
  const isText = kind === "P2" || kind === "P3";
  const value = () => ((isText ? Number(word()) : (bytes[at++] ?? 0)) * 255) / largest;
  const image = new ImageData(width, height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const red = value();
    const [green, blue] = parts === 3 ? [value(), value()] : [red, red];
    image.data.set([red, green, blue, 255], 4 * pixel);
  }
  const canvas = el("canvas", { width, height, class: "image", role: "img", "aria-label": name });
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}
