// Play, step, speed, and where in time the picture is.

import { button, check, choice, element } from './dom';

export class Timeline {
  readonly follow: { label: HTMLLabelElement; box: HTMLInputElement };
  playing = false;
  private slider = element('input', { type: 'range', min: 0, value: 0, step: 1, 'aria-label': 'Frame' });
  private output = element('output', { 'aria-live': 'off' });
  private play: HTMLButtonElement;
  private speed = choice([['2', '2 frames/s'], ['5', '5 frames/s'], ['10', '10 frames/s'], ['25', '25 frames/s'], ['60', '60 frames/s']], () => {});
  private frames: number[] = [];
  private at = 0;

  constructor(box: HTMLElement, private show: (frame: number) => Promise<void>, live: boolean) {
    this.play = button('Play', () => this.toggle(), { 'aria-pressed': 'false' });
    this.speed.value = '10';
    this.speed.setAttribute('aria-label', 'Speed of playing');
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
    this.follow = check('follow the run', (on) => { if (on) this.go(this.frames.length - 1, true); });
    this.follow.label.hidden = !live;
    box.replaceChildren(this.play, button('|<', () => this.go(0), { 'aria-label': 'First frame' }), button('<', () => this.step(-1), { 'aria-label': 'Frame before' }),
      button('>', () => this.step(1), { 'aria-label': 'Next frame' }), button('>|', () => this.go(this.frames.length - 1), { 'aria-label': 'Last frame' }),
      this.slider, this.output, this.speed, this.follow.label);
  }

  get perSecond() { return Number(this.speed.value); }

  set(frames: number[], current: number, time: number | null, count: number) {
    this.frames = frames;
    this.at = Math.max(0, frames.indexOf(current));
    this.slider.max = String(Math.max(0, frames.length - 1));
    this.slider.value = String(this.at);
    const said = time === null ? 'cannot be read' : `time ${+time.toPrecision(6)}`;
    this.output.textContent = `frame ${current} of ${count - 1}, ${said}`;
    this.slider.setAttribute('aria-valuetext', `frame ${current}, ${said}`);
  }

  go(place: number, following = false): Promise<void> {
    if (!following) this.follow.box.checked = false;
    if (this.frames.length === 0) return Promise.resolve();
    return this.show(this.frames[Math.max(0, Math.min(this.frames.length - 1, place))]);
  }
  step(by: number) { return this.go(this.at + by); }

  async toggle() {
    this.playing = !this.playing;
    this.play.textContent = this.playing ? 'Pause' : 'Play';
    this.play.setAttribute('aria-pressed', String(this.playing));
    if (this.playing && this.at === this.frames.length - 1) await this.go(0);
    while (this.playing) {
      const due = performance.now() + 1000 / this.perSecond;
      if (this.at >= this.frames.length - 1) { this.toggle(); return; }
      await this.step(1);
      await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
    }
  }
}
