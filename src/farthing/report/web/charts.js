/** Charts: a scatter of any number of points on a canvas, and bars as SVG. Colours are those of the style sheet. */
import { drawn, element } from "./dom.js";

const EDGE = { left: 46, right: 12, top: 10, bottom: 34 };

/** Round numbers between two others, about `count` of them. */
export function ticks(low, high, count = 5) {
  const span = high - low || 1;
  const rough = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 5, 10].map((one) => one * rough).find((one) => span / one <= count) ?? rough * 10;
  const found = [];
  for (let at = Math.ceil(low / step); at * step <= high + step * 1e-9; at += 1) found.push(at * step);
  return found;
}

/** The text of a tick, without the noise of binary fractions. */
function tickText(value) {
  return String(Number(value.toPrecision(6)));
}

/**
 * Points on a canvas; the nearest one to a click is chosen.
 *
 * @param canvas   fills its parent's width
 * @param choose   (place of the point) => void
 */
export class Scatter {
  constructor(canvas, { choose }) {
    Object.assign(this, { canvas, choose, xs: [], ys: [], active: -1, labels: ["", ""], dim: null });
    canvas.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Show points; `dim` says which of them are in the background, `active` is the chosen one or -1. */
  show({ xs, ys, labels, dim = null, active = -1, range }) {
    Object.assign(this, { xs, ys, labels, dim, active, range });
    this.draw();
  }

  place(value, wide, edge, size) {
    const [low, high] = this.range;
    const part = (value - low) / (high - low || 1);
    return wide ? edge.left + part * (size - edge.left - edge.right) : size - edge.bottom - part * (size - edge.top - edge.bottom);
  }

  draw() {
    const wide = Math.max(200, this.canvas.parentElement.clientWidth);
    const high = Math.min(wide, 460);
    const scale = window.devicePixelRatio || 1;
    Object.assign(this, { wide, high });
    Object.assign(this.canvas, { width: wide * scale, height: high * scale });
    Object.assign(this.canvas.style, { width: `${wide}px`, height: `${high}px` });
    if (!this.range) return;
    const pen = this.canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.axes(pen, colour);
    this.dots(pen, colour);
  }

  axes(pen, colour) {
    pen.font = "12px system-ui, sans-serif";
    pen.strokeStyle = colour("--rule");
    pen.fillStyle = colour("--soft");
    pen.lineWidth = 1;
    for (const value of ticks(...this.range)) {
      const [x, y] = [this.place(value, true, EDGE, this.wide), this.place(value, false, EDGE, this.high)];
      line(pen, x, EDGE.top, x, this.high - EDGE.bottom);
      line(pen, EDGE.left, y, this.wide - EDGE.right, y);
      pen.textAlign = "center";
      pen.fillText(tickText(value), x, this.high - EDGE.bottom + 15);
      pen.textAlign = "right";
      pen.fillText(tickText(value), EDGE.left - 5, y + 4);
    }
    pen.fillStyle = colour("--ink");
    pen.textAlign = "right";
    pen.fillText(`${this.labels[0]} →`, this.wide - EDGE.right, this.high - 4);
    pen.textAlign = "left";
    pen.fillText(`↑ ${this.labels[1]}`, EDGE.left + 4, EDGE.top + 10);
    pen.strokeStyle = colour("--soft");
    pen.setLineDash([4, 4]);
    line(pen, EDGE.left, this.high - EDGE.bottom, this.wide - EDGE.right, EDGE.top); // equal scores
    pen.setLineDash([]);
  }

  dots(pen, colour) {
    const size = this.xs.length > 20000 ? 1.5 : this.xs.length > 2000 ? 2.5 : 5;
    const dot = (place, grown = 0) => {
      const side = size + grown;
      const [x, y] = [this.place(this.xs[place], true, EDGE, this.wide), this.place(this.ys[place], false, EDGE, this.high)];
      pen.fillRect(x - side / 2, y - side / 2, side, side);
    };
    for (const dim of this.dim ? [true, false] : [false]) {
      pen.globalAlpha = dim ? 0.12 : this.xs.length > 2000 ? 0.45 : 0.75;
      pen.fillStyle = colour(dim ? "--soft" : "--first");
      for (let place = 0; place < this.xs.length; place += 1) {
        if (Boolean(this.dim?.[place]) === dim && !Number.isNaN(this.xs[place] + this.ys[place])) dot(place);
      }
    }
    pen.globalAlpha = 1;
    pen.fillStyle = colour("--second");
    if (this.active >= 0) dot(this.active, 6);
  }

  click(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [nearest, best] = [-1, 30 ** 2];
    for (let place = 0; place < this.xs.length; place += 1) {
      if (this.dim?.[place]) continue;
      const wide = this.place(this.xs[place], true, EDGE, this.wide) - x;
      const high = this.place(this.ys[place], false, EDGE, this.high) - y;
      const far = wide * wide + high * high;
      if (far < best) [nearest, best] = [place, far];
    }
    if (nearest >= 0) this.choose(nearest);
  }
}

function line(pen, fromX, fromY, toX, toY) {
  pen.beginPath();
  pen.moveTo(fromX, fromY);
  pen.lineTo(toX, toY);
  pen.stroke();
}

/**
 * Bars, such as a histogram.
 *
 * @param bars   `{label, value}` each; a label may be empty
 * @param title  what the chart shows, read out in the place of the picture
 */
export function barChart(bars, { title, wide = 320, high = 120 }) {
  const most = Math.max(1e-12, ...bars.map(({ value }) => value));
  const step = wide / bars.length;
  const shapes = bars.map(({ label, value }, place) => {
    const tall = (value / most) * (high - 20);
    return drawn(
      "rect",
      { x: place * step + 0.5, y: high - 16 - tall, width: Math.max(1, step - 1), height: tall, class: "bar" },
      drawn("title", {}, `${label}: ${tickText(value)}`),
    );
  });
  const names = bars.flatMap(({ label }, place) =>
    label ? [drawn("text", { x: (place + 0.5) * step, y: high - 3, "text-anchor": "middle" }, label)] : [],
  );
  return element("figure", { class: "chart" }, drawn("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": title }, shapes, names), element("figcaption", {}, title));
}
