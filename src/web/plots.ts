// Curves of the series and of the measures below the picture.

import { check, choice, element, setOptions } from './dom';
import { Plot } from './plot';
import { Run } from './run';
import { View } from './view';

interface Entry { plot: Plot; select: HTMLSelectElement; log: HTMLInputElement; what: string; rows: number }

export class Plots {
  private entries: Entry[] = [];

  constructor(private box: HTMLElement, private run: Run, private view: View, private jump: (time: number) => void, private changed: () => void) {}

  private options(): [string, string][] {
    const options: [string, string][] = [];
    for (const [table, columns] of Object.entries(this.run.info.tables)) for (const c of columns as string[]) if (c !== 'time') options.push([`${table}/${c}`, `${table}: ${c}`]);
    return options;
  }

  // As the view says; curves are fetched when they are new, or when the run has gone on.
  sync() {
    while (this.entries.length > this.view.plots.length) this.box.lastElementChild!.remove(), this.entries.pop();
    while (this.entries.length < this.view.plots.length) this.add(this.entries.length);
    this.entries.forEach((entry, k) => {
      const what = this.view.plots[k], logarithmic = what.startsWith('!'), name = what.replace(/^!/, '');
      setOptions(entry.select, this.options());
      entry.select.value = name;
      entry.log.checked = entry.plot.logarithmic = logarithmic;
      if (entry.what !== name || entry.rows !== this.run.info.rows) this.fetch(entry, name);
      else entry.plot.draw();
    });
  }

  private add(k: number) {
    const select = choice(this.options(), () => set()), log = check('log', () => set());
    select.setAttribute('aria-label', `Curve of plot ${k + 1}`);
    const set = () => { this.view.plots[k] = (log.box.checked ? '!' : '') + select.value; this.sync(); this.changed(); };
    const canvas = element('canvas', { role: 'img' });
    this.box.append(element('figure', {}, element('figcaption', {}, select, log.label), canvas));
    this.entries.push({ plot: new Plot(canvas, this.jump), select, log: log.box, what: '', rows: -1 });
  }

  private async fetch(entry: Entry, name: string) {
    entry.what = name;
    entry.rows = this.run.info.rows;
    const slash = name.indexOf('/');
    try {
      const parcel = await this.run.curve(name.slice(0, slash), name.slice(slash + 1));
      if (entry.what !== name) return;
      entry.plot.curve = { time: parcel.array('time'), low: parcel.array('low'), high: parcel.array('high') };
    } catch {
      entry.plot.curve = { time: [], low: [], high: [] };
    }
    entry.plot.canvas.setAttribute('aria-label', `${name.replace('/', ': ')} over time`);
    entry.plot.draw();
  }

  mark(time: number | null) { for (const e of this.entries) { e.plot.marker = time; e.plot.draw(); } }
}
