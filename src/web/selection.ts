// The body or contact that was picked: its true numbers, and how one of them went over the frames.

import { choice, element, row, setOptions, short } from './dom';
import { Pane } from './pane';
import { Plot } from './plot';
import { Run } from './run';
import { Picked } from './view';

const MOST_POINTS = 60;  // of a history: each reads a frame

// A number, a list of numbers, or a word.
const said = (value: any): string => (Array.isArray(value) ? value.map((x) => said(x)).join(', ') : typeof value === 'number' ? (Number.isInteger(value) ? String(value) : String(+value.toPrecision(7))) : String(value));

// What an offline file knows of a body: rounded positions, and the fields that are in it.
async function numbersInFile(run: Run, frameNumber: number, picked: Picked): Promise<any> {
  const frame = await run.frame(frameNumber);
  if (picked.kind === 'contact') {
    const c = await run.contacts(frame), points = [];
    let sum = 0, slide = 0;
    for (let k = 0; k < c.count; ++k) {
      if (frame.bodies.body(c.a[k]) !== picked.a || (c.b[k] < 0 ? c.b[k] : frame.bodies.body(c.b[k])) !== picked.b) continue;
      sum += c.force[k]; slide += c.friction[k];
      points.push({ normal_force: c.force[k], friction_force: c.friction[k], gap: c.gap[k], status: ['open', 'stick', 'slide'][c.status[k]] });
    }
    return { time: frame.time, a: picked.a, b: picked.b, normal_force: sum, friction_force: slide, points };
  }
  const at = frame.bodies.row(picked.a);
  if (at < 0) return { absent: 'the body is not in this frame' };
  const numbers: any = { body: picked.a, time: frame.time, position: [0, 1, 2].slice(0, run.info.dimension).map((d) => frame.position[3 * at + d] + run.origin![d]) };
  for (const f of run.info.fields) {
    const field = await run.field(frame, f.name);
    numbers[f.name] = field.categories ? field.categories[field.value[at]] : field.value[at];
  }
  return numbers;
}

export const numbersOf = (run: Run, frame: number, p: Picked): Promise<any> => (run.offline ? numbersInFile(run, frame, p) : p.kind === 'body' ? run.bodyNumbers(frame, p.a) : run.pairNumbers(frame, p.a, p.b));

export class Selection {
  readonly box = element('div', { id: 'selection', 'aria-live': 'polite' });
  private table = element('table', {});
  private title = element('p', { class: 'note' }, 'Click a body or a force to read its numbers.');
  private quantity = choice([], (q) => { this.wanted = q; this.drawHistory(); });
  private quantityRow = row('History of', this.quantity);
  private canvas = element('canvas', { style: 'width:100%;height:104px;display:block', role: 'img', 'aria-label': 'History of the selection' });
  private plot: Plot;
  private history: any[] = [];
  private wanted = '';
  private key = '';

  constructor(private jump: (time: number) => void) {
    this.plot = new Plot(this.canvas, (t) => this.jump(t));
    this.box.append(this.title, this.table, this.quantityRow, this.canvas);
    this.quantityRow.hidden = this.canvas.hidden = true;
  }

  async show(pane: Pane | null, picked: Picked | null) {
    this.plot.marker = pane?.content?.frame.time ?? null;
    if (!pane?.content || !picked) {
      this.key = '';
      this.title.textContent = 'Click a body or a force to read its numbers.';
      this.table.replaceChildren();
      this.quantityRow.hidden = this.canvas.hidden = true;
      return;
    }
    const name = picked.kind === 'body' ? `Body ${picked.a}` : `Contact of body ${picked.a} with ${picked.b < 0 ? `wall ${-picked.b - 1}` : `body ${picked.b}`}`;
    this.title.textContent = name + (pane.run.offline ? ' (positions rounded)' : '');
    try {
      const numbers = await numbersOf(pane.run, pane.content.frame.number, picked);
      this.fill(numbers);
    } catch (e) {
      this.table.replaceChildren(element('tr', {}, element('td', {}, (e as Error).message)));
    }
    const key = JSON.stringify(picked) + pane.run.frames.length;
    if (key !== this.key) { this.key = key; this.gather(pane.run, picked, key); } else this.drawHistory();
  }

  private fill(numbers: any) {
    if (numbers.absent) { this.table.replaceChildren(element('tr', {}, element('td', {}, numbers.absent))); return; }
    const rows: HTMLElement[] = [];
    for (const [name, value] of Object.entries(numbers)) {
      if (name !== 'points') rows.push(element('tr', {}, element('td', {}, name), element('td', {}, said(value))));
      else (value as any[]).forEach((p, k) => Object.entries(p).forEach(([n, v]) => rows.push(element('tr', {}, element('td', {}, (value as any[]).length > 1 ? `${n} (${k + 1})` : n), element('td', {}, said(v))))));
    }
    this.table.replaceChildren(...rows);
  }

  // Frame by frame, so that the curve grows while others are served.
  private async gather(run: Run, picked: Picked, key: string) {
    this.history = [];
    const frames = run.frames, stride = Math.max(1, Math.ceil(frames.length / MOST_POINTS));
    for (let k = 0; k < frames.length; k += stride) {
      try {
        const numbers = await numbersOf(run, frames[k], picked);
        if (!numbers.absent) this.history.push(numbers);
      } catch { /* not there yet, or a frame that cannot be read */ }
      if (this.key !== key) return;
      if (k % 8 === 0 || k + stride >= frames.length) this.drawHistory();
    }
  }

  private drawHistory() {
    const sample = this.history[this.history.length - 1];
    this.quantityRow.hidden = this.canvas.hidden = !sample;
    if (!sample) return;
    const names: string[] = [];
    for (const [name, value] of Object.entries(sample)) {
      if (['time', 'body', 'a', 'b', 'points'].includes(name)) continue;
      if (typeof value === 'number') names.push(name);
      else if (Array.isArray(value)) value.forEach((_, d) => names.push(`${name} ${'xyzw'[d]}`));
    }
    setOptions(this.quantity, names.map((n) => [n, n]));
    if (!names.includes(this.wanted)) this.wanted = names.includes('speed') ? 'speed' : names[0];
    this.quantity.value = this.wanted;
    const [name, axis] = this.wanted.split(' '), values = this.history.map((h) => (axis ? h[name]?.['xyzw'.indexOf(axis)] : h[name]) ?? NaN);
    this.plot.curve = { time: this.history.map((h) => h.time), low: values, high: values };
    this.canvas.setAttribute('aria-label', `${this.wanted} of the selection over time, now ${short(values[values.length - 1])} at the last frame`);
    this.plot.draw();
  }
}
