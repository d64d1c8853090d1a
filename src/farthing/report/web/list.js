/** A list of any length of which only the visible rows exist: a listbox that the keyboard moves through. */
import { element } from "./dom.js";

const SPARE = 4; // rows above and below the visible ones
const MOST_PIXELS = 8_000_000; // browsers draw no element much taller; a longer list scrolls in larger steps

/**
 * @param frame    an empty element that scrolls
 * @param height   of one row, in pixels
 * @param render   (index) => what stands in the row: an array of elements or texts
 * @param choose   (index) => void, called when a row is clicked or reached by the keyboard
 */
export class VirtualList {
  constructor(frame, { height, render, choose, label }) {
    Object.assign(this, { frame, height, render, choose, count: 0, active: -1, printing: false });
    this.body = element("div", { class: "rows", role: "presentation" });
    frame.replaceChildren(this.body);
    for (const [name, value] of Object.entries({ role: "listbox", tabindex: "0", "aria-label": label })) {
      frame.setAttribute(name, value);
    }
    frame.addEventListener("scroll", () => this.later());
    frame.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.later()).observe(frame);
  }

  /** Show so many rows; `active` is the index of the chosen one, or -1. */
  show(count, active = -1) {
    Object.assign(this, { count, active });
    this.body.style.height = `${Math.min(count * this.height, MOST_PIXELS)}px`;
    this.draw();
  }

  /** How far the view is from the top, in pixels of a list that has its full height. */
  top() {
    const [total, view] = [this.count * this.height, this.frame.clientHeight];
    const room = Math.min(total, MOST_PIXELS) - view;
    return room > 0 ? (this.frame.scrollTop / room) * (total - view) : 0;
  }

  /** Draw with the next frame; several wishes are one drawing. What is drawn for paper stays: its new size is no wish. */
  later() {
    cancelAnimationFrame(this.waiting);
    if (!this.printing) this.waiting = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const [top, view] = [this.top(), this.frame.clientHeight || 600];
    const first = Math.max(0, Math.floor(top / this.height) - SPARE);
    const last = Math.min(this.count, Math.ceil((top + view) / this.height) + SPARE);
    const rows = [];
    for (let index = first; index < last; index += 1) rows.push(this.row(index, this.frame.scrollTop - top));
    this.body.replaceChildren(...rows);
    const chosen = this.active >= first && this.active < last;
    if (chosen) this.frame.setAttribute("aria-activedescendant", `${this.frame.id}-${this.active}`);
    else this.frame.removeAttribute("aria-activedescendant");
  }

  /** Draw the first rows one below the other, since paper does not scroll; they stay until `printed`. */
  drawForPrint(most = 40) {
    this.printing = true;
    cancelAnimationFrame(this.waiting);
    const rows = Array.from({ length: Math.min(most, this.count) }, (_, index) => this.row(index, 0));
    this.body.replaceChildren(...rows);
  }

  /** Draw for the screen again. */
  printed() {
    this.printing = false;
    this.draw();
  }

  row(index, shift) {
    const made = element(
      "div",
      {
        class: "row",
        role: "option",
        id: `${this.frame.id}-${index}`,
        "aria-selected": String(index === this.active),
        "aria-posinset": index + 1,
        "aria-setsize": this.count,
        onclick: () => this.select(index),
      },
      ...this.render(index),
    );
    made.style.top = `${index * this.height + shift}px`;
    made.style.height = `${this.height}px`;
    return made;
  }

  /** Choose a row, as a click does. */
  select(index) {
    this.active = index;
    this.draw();
    this.choose(index);
  }

  /** Scroll until a row is visible. */
  reveal(index) {
    const [top, view, total] = [this.top(), this.frame.clientHeight, this.count * this.height];
    let wanted = top;
    if (index * this.height < top) wanted = index * this.height;
    if ((index + 1) * this.height > top + view) wanted = (index + 1) * this.height - view;
    const room = Math.min(total, MOST_PIXELS) - view;
    if (wanted !== top) this.frame.scrollTop = total > view ? (wanted / (total - view)) * room : 0;
    this.draw();
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.frame.clientHeight / this.height));
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.count, End: this.count };
    if (!(event.key in steps) || !this.count) return;
    event.preventDefault();
    this.active = Math.min(this.count - 1, Math.max(0, this.active + steps[event.key]));
    this.reveal(this.active);
    this.choose(this.active);
  }
}
