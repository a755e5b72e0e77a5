// The controls beside the picture. They write into the view and say so; `sync` shows what the view holds.

import { Camera, standardViews } from './camera';
import { mapNames } from './colours';
import { button, check, choice, element, row } from './dom';
import { Bounds } from './bounds';
import { Frame, Run } from './run';
import { contactFields, placeFields } from './rule';
import { View } from './view';

export interface Actions {
  changed(): void;        // the view: load what it needs, draw
  moved(): void;          // the camera only
  fit(): void;
  screenshot(): void;
  frame(): Frame | null;  // that is shown
  film(): void;
}

export class Panel {
  readonly selection = element('div', {});
  readonly trust = element('div', {});
  readonly log = element('pre', { tabindex: '0', 'aria-label': 'End of the log of the run' });
  readonly filmButton: HTMLButtonElement;
  private sync_: (() => void)[] = [];
  private mistake = element('p', { class: 'mistake', role: 'alert' });

  constructor(box: HTMLElement, private view: View, private camera: Camera, run: Run, region: () => Bounds, private actions: Actions) {
    this.filmButton = button('Film (WebM)', () => actions.film());
    box.replaceChildren(element('h2', {}, 'Selection'), this.selection,
      ...this.colours(run), ...this.shown(run), ...this.rule(run), ...this.camera_(), ...this.clip(run, region),
      element('h2', {}, 'Save'), element('div', { class: 'buttons' }, button('Picture (PNG)', () => actions.screenshot()), this.filmButton),
      element('p', { class: 'note' }, 'The address of this page holds the view: a copy of it shows the same.'),
      element('h2', {}, 'Can it be trusted?'), this.trust, element('h2', {}, 'Log'), this.log,
      element('h2', {}, 'Keys'), element('p', { class: 'note' }, 'Space: play. , and .: a frame back or on. Home, End: first, last. f: fit. o: parallel or perspective. '
        + '1 to 7: standard views. In the picture: arrows turn, with Shift they move, + and - zoom. Mouse: drag to turn, right or Shift to move, wheel to zoom.'));
  }

  sync() { for (const s of this.sync_) s(); }
  say(mistake: string) { this.mistake.textContent = mistake; }

  private selectRow(text: string, key: keyof View, options: [string, string][]) {
    const select = choice(options, (v) => { (this.view as any)[key] = v; this.actions.changed(); });
    this.sync_.push(() => { select.value = String(this.view[key]); });
    return row(text, select);
  }
  // Not there while the frame has nothing of it.
  private checkLine(text: string, key: keyof View, has: (frame: Frame) => boolean = () => true) {
    const { label, box } = check(text, (on) => { (this.view as any)[key] = on; this.actions.changed(); });
    this.sync_.push(() => {
      const frame = this.actions.frame();
      box.checked = !!this.view[key];
      label.hidden = frame !== null && !has(frame);
    });
    return label;
  }

  private colours(run: Run) {
    const fields: [string, string][] = [['none', 'none'], ...run.info.fields.map((f: any) => [f.name, f.name])] as any;
    const low = element('input', { type: 'number', step: 'any', 'aria-label': 'Lowest value of the colours' });
    const high = element('input', { type: 'number', step: 'any', 'aria-label': 'Highest value of the colours' });
    const take = () => {
      const range: [number, number] = [Number(low.value), Number(high.value)];
      this.view.range = low.value !== '' && high.value !== '' && range.every(Number.isFinite) && range[0] < range[1] ? range : null;
      this.actions.changed();
    };
    low.addEventListener('change', take);
    high.addEventListener('change', take);
    this.sync_.push(() => { low.value = this.view.range ? String(this.view.range[0]) : ''; high.value = this.view.range ? String(this.view.range[1]) : ''; });
    low.placeholder = high.placeholder = 'frame';
    const ends = element('div', { class: 'row' }, element('label', { for: 'range-low' }, 'Range'), low, high);
    low.id = 'range-low';
    return [element('h2', {}, 'Colours'), this.selectRow('Colour by', 'colour', fields), this.selectRow('Map', 'map', mapNames.map((m) => [m, m])), ends, this.checkLine('Dark background', 'dark')];
  }

  private shown(run: Run) {
    const since = element('input', { type: 'number', min: 0, step: 1, placeholder: 'birth' });
    since.addEventListener('change', () => { this.view.since = since.value === '' ? null : Math.max(0, Math.round(Number(since.value))); this.actions.changed(); });
    this.sync_.push(() => { since.value = this.view.since === null ? '' : String(this.view.since); });
    const width = element('input', { type: 'range', min: -2, max: 2, step: 0.1, 'aria-label': 'Width of the forces' });
    width.addEventListener('input', () => { this.view.width = 2 ** Number(width.value); this.actions.changed(); });
    this.sync_.push(() => { width.value = String(Math.log2(this.view.width)); });
    const blocks = (f: Frame) => f.bodies.blocks.length > 0, cell = (f: Frame) => !!f.header.cell;
    const arrows: [string, string][] = [['', 'none'], ['velocity', 'velocity']];
    if (!run.offline) arrows.push(['displacement', 'displacement']);
    return [element('h2', {}, 'Shown'), this.selectRow('Bodies', 'bodies', [['solid', 'solid'], ['faint', 'faint'], ['hidden', 'hidden']]),
      this.checkLine('Force chains', 'forces'), this.checkLine('Forces through bodies', 'through'), row('Width', width),
      this.selectRow('Arrows', 'arrows', arrows), ...(run.offline ? [] : [row('since frame', since)]),
      this.checkLine('Line of thrust and hinges (blocks)', 'thrust', blocks), this.checkLine('Cracks (blocks)', 'cracks', blocks), this.checkLine('Mortar of joints', 'mortar', (f) => !!f.header.mortar),
      this.checkLine('Walls', 'walls', (f) => f.header.walls.length > 0), ...(run.info.wears ? [this.checkLine('Wear of meshes', 'wear')] : []),
      this.checkLine('Periodic cell', 'cell', cell), this.checkLine('Images in the periodic cell', 'images', cell)];
  }

  private rule(run: Run) {
    const text = element('input', { type: 'text', placeholder: 'force > 2 mean', spellcheck: 'false' });
    text.addEventListener('change', () => { this.view.rule = text.value; this.actions.changed(); });
    this.sync_.push(() => { if (document.activeElement !== text) text.value = this.view.rule; });
    const mode = choice([['show', 'only where'], ['hide', 'not where']], (v) => { this.view.ruleShows = v === 'show'; this.actions.changed(); });
    mode.setAttribute('aria-label', 'What the rule does');
    this.sync_.push(() => { mode.value = this.view.ruleShows ? 'show' : 'hide'; });
    const fields = [...run.info.fields.map((f: any) => f.name), ...placeFields.slice(0, run.info.dimension)].join(', ');
    const help = `Bodies: ${fields}. Contacts: ${contactFields.join(', ')}. Then < <= > >= =, a number, and perhaps mean, max, min or median; joined by and, or.`;
    return [element('h2', {}, 'Hide by rule'), row('Show', mode), row('Rule', text), this.mistake,
      element('details', {}, element('summary', { class: 'note' }, 'What a rule may say'), element('p', { class: 'note' }, help))];
  }

  private camera_() {
    if (this.camera.plane) return [element('h2', {}, 'View'), element('div', { class: 'buttons' }, button('fit', () => this.actions.fit()))];
    const buttons = Object.keys(standardViews).map((name) => button(name, () => { this.camera.look(name); this.actions.fit(); }));
    const parallel = check('Parallel projection', (on) => { this.camera.orthographic = on; this.actions.moved(); });
    this.sync_.push(() => { parallel.box.checked = this.camera.orthographic; });
    return [element('h2', {}, 'View'), element('div', { class: 'buttons' }, button('fit', () => this.actions.fit()), ...buttons), parallel.label];
  }

  // A slab along each axis: what lies before its first plane or behind its second is cut away.
  private clip(run: Run, region: () => Bounds) {
    const parts: HTMLElement[] = [element('h2', {}, 'Cut')];
    for (let d = 0; d < run.info.dimension; ++d) {
      const name = 'xyz'[d], slider = (which: string) => element('input', { type: 'range', min: 0, max: 1000, step: 1, 'aria-label': `${which} plane across ${name}` });
      const low = slider('First'), high = slider('Second'), on = check(`across ${name}`, () => take());
      const bounds = () => { const r = region(), o = run.origin ?? [0, 0, 0], slack = 0.01 * (r.high[d] - r.low[d]); return [r.low[d] + o[d] - slack, r.high[d] + o[d] + slack]; };
      const take = () => {
        const [a, b] = bounds(), at = (s: HTMLInputElement) => a + (Number(s.value) / 1000) * (b - a);
        this.view.clip[d] = on.box.checked ? [Math.min(at(low), at(high)), Math.max(at(low), at(high))] : null;
        this.actions.moved();
      };
      low.value = '0';
      high.value = '1000';
      for (const s of [low, high]) s.addEventListener('input', () => { on.box.checked = true; take(); });
      this.sync_.push(() => {
        const slab = this.view.clip[d], [a, b] = bounds();
        on.box.checked = !!slab;
        if (slab) [low, high].forEach((s, k) => { if (document.activeElement !== s) s.value = String(Math.round((1000 * (slab[k] - a)) / (b - a))); });
      });
      parts.push(element('div', { class: 'row' }, on.label, low, high));
    }
    return parts;
  }
}
