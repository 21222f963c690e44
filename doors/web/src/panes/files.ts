// Standard input of a program and the files in its folder: those that the user adds, and those that
// the last run has written.

import { count, el } from "../dom";
import { say } from "../jobs";
import { pnm } from "../pictures/pnm";
import type { NamedBytes } from "../types";
import { fileButton } from "./header";

/** Encodes bytes in base 64. */
function encode(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 1 << 15)
    binary += String.fromCharCode(...bytes.subarray(at, at + (1 << 15)));
  return btoa(binary);
}

const decode = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** The tab of standard input and files. */
export class FilesPane {
  readonly element = el("div");
  /** The files that the user has added. */
  added: NamedBytes[] = [];
  private readonly input: HTMLTextAreaElement;
  private readonly own = el("ul", { class: "files", id: "own-files" });
  private readonly written = el("ul", { class: "files", id: "written-files" });

  /** `typed` is called after each change of standard input, `limit` is the most bytes of files. */
  constructor(
    typed: (input: string) => void,
    private readonly limit: number,
  ) {
    this.input = el("textarea", {
      id: "stdin",
      rows: 5,
      spellcheck: "false",
      oninput: () => typed(this.input.value),
    });
    const size = `${limit >> 20} MiB`;
    this.element.append(
      el("h2", {}, el("label", { for: "stdin" }, "Standard input")),
      el("p", { class: "note" }, "What scanf, getchar and std::cin of the program read."),
      this.input,
      el("h2", {}, "Files for the program"),
      el(
        "p",
        { class: "note" },
        `fopen finds them by their name. Each run starts with these files, at most ${size}. They are neither in links nor in saved files.`,
      ),
      el(
        "div",
        { class: "bar" },
        ...fileButton("add-file", "Add file", "", (file) => void this.add(file)),
      ),
      this.own,
      el("h2", {}, "Files that the last run has written"),
      this.written,
    );
    this.show();
    this.wrote([]);
  }

  /** Shows the standard input of the choices. */
  set text(text: string) {
    this.input.value = text;
  }

  /** Adds a file, or replaces the one with its name. */
  async add(file: File): Promise<void> {
    const others = this.added.filter((one) => one.name !== file.name);
    const used = others.reduce((sum, one) => sum + decode(one.base64).length, 0);
    if (used + file.size > this.limit) {
      say(`${file.name} is too large: all files together have at most ${this.limit >> 20} MiB.`);
      return;
    }
    const base64 = encode(new Uint8Array(await file.arrayBuffer()));
    this.added = [...others, { name: file.name, base64 }];
    this.show();
  }

  /** Adds a file of an exercise, or replaces the one with its name. */
  put(file: NamedBytes): void {
    this.added = [...this.added.filter((one) => one.name !== file.name), file];
    this.show();
  }

  /** Shows what a run has written. */
  wrote(files: NamedBytes[]): void {
    this.list(this.written, files, "No file.", ({ name, base64 }) => {
      const href = `data:application/octet-stream;base64,${base64}`;
      return el("a", { href, download: name.split("/").at(-1) }, `Download ${name}`);
    });
  }

  private show(): void {
    this.list(this.own, this.added, "No file.", ({ name }) =>
      el(
        "button",
        {
          type: "button",
          onclick: () => {
            this.added = this.added.filter((one) => one.name !== name);
            this.show();
          },
        },
        `Remove ${name}`,
      ),
    );
  }

  private list(
    place: HTMLElement,
    files: NamedBytes[],
    none: string,
    button: (file: NamedBytes) => HTMLElement,
  ): void {
    const item = (file: NamedBytes) => {
      const bytes = decode(file.base64);
      const image = pnm(bytes, file.name);
      return el(
        "li",
        {},
        el("code", { class: "mono" }, file.name),
        ` ${count(bytes.length)} bytes `,
        button(file),
        image ? el("div", { class: "picture" }, image) : null,
      );
    };
    place.replaceChildren(
      ...(files.length ? files.map(item) : [el("li", { class: "note" }, none)]),
    );
  }
}
