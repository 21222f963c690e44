// Elements of the page.

export type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

/** Creates an element. Attributes that begin with `on` are listeners; `null` and false are left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(
    ...children.filter(
      (child): child is Node | string => child !== null && child !== undefined && child !== false,
    ),
  );
  return node;
}

/** Returns the element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found as T;
}

/** Makes an element of an SVG text. */
export function picture(svg: string): HTMLElement {
  // A wide picture scrolls in a narrow window, also by the keyboard.
  const wide = Number(svg.match(/width="(\d+)/)?.[1] ?? 0) > 300;
  const frame = el(
    "div",
    wide
      ? { class: "picture", tabindex: 0, role: "group", "aria-label": "Picture" }
      : { class: "picture" },
  );
  frame.innerHTML = svg;
  return frame;
}

/** Formats a number with commas. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Makes a download of a text. */
export function download(name: string, text: string, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A tab list with panels, by the pattern of the ARIA guide: arrow keys choose a tab. */
export class Tabs {
  private readonly tabs: HTMLButtonElement[] = [];
  private readonly panels: HTMLElement[] = [];
  readonly list: HTMLElement;

  constructor(
    label: string,
    private readonly changed: (name: string) => void = () => {},
  ) {
    this.list = el("div", { role: "tablist", "aria-label": label, class: "tabs" });
  }

  /** Adds a tab; `name` identifies it. */
  add(name: string, title: string, panel: HTMLElement): void {
    const at = this.tabs.length;
    const tab = el(
      "button",
      {
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `panel-${name}`,
        type: "button",
        onclick: () => this.show(name),
        onkeydown: (event: KeyboardEvent) => this.key(event, at),
      },
      title,
    );
    panel.id = `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    this.tabs.push(tab);
    this.panels.push(panel);
    this.list.append(tab);
    this.mark(0);
  }

  /** Shows a tab. */
  show(name: string): void {
    const at = this.tabs.findIndex((tab) => tab.id === `tab-${name}`);
    if (at >= 0) {
      this.mark(at);
      this.changed(name);
    }
  }

  private key(event: KeyboardEvent, at: number): void {
    const last = this.tabs.length - 1;
    const moves: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    const tab = to === undefined ? undefined : this.tabs[to];
    if (!tab) return;
    event.preventDefault();
    tab.focus();
    tab.click();
  }

  private mark(at: number): void {
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
    });
    this.panels.forEach((panel, i) => {
      panel.hidden = i !== at;
    });
  }
}
