// A curve over time, with a marker at the time of the picture. Where several rows of a table share a pixel, a band from the least to
// the greatest of them is drawn, so that no peak is lost.

import { short } from './dom';

export interface Curve { time: ArrayLike<number>; low: ArrayLike<number>; high: ArrayLike<number> }

const LEFT = 62, BOTTOM = 16, TOP = 6, RIGHT = 8;
const DECADES = 12;  // of a logarithmic axis: a first step that is exact but for roundings would press all others together

export class Plot {
  curve: Curve = { time: [], low: [], high: [] };
  logarithmic = false;
  marker: number | null = null;

  constructor(readonly canvas: HTMLCanvasElement, private jump: (time: number) => void) {
    canvas.addEventListener('click', (e) => {
      const range = this.times();
      if (range) this.jump(range[0] + ((e.offsetX - LEFT) / (canvas.clientWidth - LEFT - RIGHT)) * (range[1] - range[0]));
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  private times(): [number, number] | null {
    const t = this.curve.time;
    return t.length > 0 ? [t[0], t[t.length - 1] > t[0] ? t[t.length - 1] : t[0] + 1] : null;
  }

  draw() {
    const { canvas } = this, scale = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, range = this.times();
    if (width === 0) return;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const g = canvas.getContext('2d')!;
    g.scale(scale, scale);
    g.font = '11px system-ui, "DejaVu Sans", sans-serif';
    g.fillStyle = '#5b6675';
    if (!range) { g.fillText('no rows', LEFT, height / 2); return; }
    const value = (x: number) => (this.logarithmic ? (x > 0 ? Math.log10(x) : NaN) : x);
    let low = Infinity, high = -Infinity;
    for (let k = 0; k < this.curve.time.length; ++k) {
      const a = value(this.curve.low[k]), b = value(this.curve.high[k]);
      if (Number.isFinite(a)) low = Math.min(low, a);
      if (Number.isFinite(b)) high = Math.max(high, b);
    }
    if (!(low <= high)) { g.fillText(this.logarithmic ? 'nothing above zero' : 'no numbers', LEFT, height / 2); return; }
    if (high - low < 1e-12 * Math.max(Math.abs(low), Math.abs(high), 1e-300)) [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
    if (this.logarithmic) low = Math.max(low, high - DECADES);
    const x = (t: number) => LEFT + ((t - range[0]) / (range[1] - range[0])) * (width - LEFT - RIGHT);
    const y = (v: number) => TOP + (1 - (Math.max(low, v) - low) / (high - low)) * (height - TOP - BOTTOM);
    g.strokeStyle = '#d9dee5';
    g.lineWidth = 1;
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    for (const at of [low, 0.5 * (low + high), high]) {
      g.beginPath(); g.moveTo(LEFT, y(at)); g.lineTo(width - RIGHT, y(at)); g.stroke();
      g.fillText(short(this.logarithmic ? 10 ** at : at), LEFT - 5, Math.min(height - BOTTOM, Math.max(TOP + 4, y(at))));
    }
    g.textBaseline = 'alphabetic';
    g.textAlign = 'left';
    g.fillText(short(range[0]), LEFT, height - 3);
    g.textAlign = 'right';
    g.fillText(`time ${short(range[1])}`, width - RIGHT, height - 3);
    g.strokeStyle = g.fillStyle = '#0b5cad';
    g.lineWidth = 1.4;
    g.beginPath();
    let pen = false;
    for (let k = 0; k < this.curve.time.length; ++k) {
      const a = value(this.curve.low[k]), b = value(this.curve.high[k]), at = x(this.curve.time[k]);
      if (!Number.isFinite(b)) { pen = false; continue; }
      if (pen) g.lineTo(at, y(b)); else g.moveTo(at, y(b));
      if (Number.isFinite(a) && a < b) g.lineTo(at, y(a));
      pen = true;
    }
    g.stroke();
    if (this.marker !== null) {
      const at = x(Math.min(range[1], Math.max(range[0], this.marker)));  // rows may end before the last frame
      g.strokeStyle = '#b3261e';
      g.lineWidth = 1.2;
      g.beginPath(); g.moveTo(at, TOP - 3); g.lineTo(at, height - BOTTOM); g.stroke();
    }
  }
}
