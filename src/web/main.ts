// `moreau view`: puts the parts of the page together.

import { Camera, standardViews } from './camera';
import { fillCertificate, isComplete, warningParts } from './certificate';
import { byId, element } from './dom';
import { film, save, screenshot } from './film';
import { neat } from './high';
import { Scale, fillLegend } from './legend';
import { Content, Pane } from './pane';
import { Panel } from './panel';
import { Plots } from './plots';
import { Bounds, emptyBounds, isEmpty, joined, outstanding, boundsOf } from './bounds';
import { Frame, Run } from './run';
import { Selection } from './selection';
import { findSource } from './source';
import { Stage } from './stage';
import { Timeline } from './timeline';
import { firstView, viewFromAddress, viewToAddress } from './view';

const CHEAP = 20000;  // bodies of a frame that is fetched without need

function complain(sentence: string) {
  const message = byId('message');
  message.hidden = sentence === '';
  message.textContent = sentence;
}

async function start() {
  const source = findSource(), count = (await source.json('runs')).runs;
  const runs = Array.from({ length: count }, (_, k) => new Run(source, k));
  await Promise.all(runs.map((r) => r.refresh()));
  if (runs.some((r) => r.plane !== runs[0].plane)) throw new Error('one run is in the plane and the other in space: they share no camera');
  const run = runs[0], plane = run.plane, usual = firstView(plane, !!run.info.masonry, !!run.info.arch), view = viewFromAddress(location.hash.slice(1), usual);
  if (run.frames.length > 0) run.frame(run.frames.includes(view.frame) ? view.frame : run.frames[run.frames.length - 1]).catch(() => {});  // while the graphics start
  const camera = new Camera(plane), panes = runs.map((r) => new Pane(r));
  const stage = new Stage(byId<HTMLCanvasElement>('canvas'), panes, camera, () => view);
  const labels = byId('labels'), legend = byId('legend'), names: string[] = run.info.fields.map((f: any) => f.name);
  const following = !source.offline && !isComplete(run.info) && view.frame < 0;
  let opening = view.frame < 0;  // the address names no frame
  let seen: Bounds = emptyBounds(), fitted = false, asked = 0, done = 0, working: Promise<void> | null = null, filming = false;
  let framed: Frame[] | null = null;  // what the picture was made to hold, as long as nobody has moved it

  legend.addEventListener('click', () => legend.classList.toggle('folded'));
  document.title = `${run.info.title || run.info.folder} - moreau`;
  byId('title').textContent = runs.map((r) => r.info.title || r.info.folder).join('  |  ');
  labels.replaceChildren(...panes.map(() => element('div', {})));

  // ---- the address ----
  let addressTimer = 0;
  const noteAddress = () => {
    clearTimeout(addressTimer);
    addressTimer = window.setTimeout(() => {
      if (run.origin && fitted) view.camera = camera.text(run.origin);
      history.replaceState(null, '', '#' + viewToAddress({ ...view, frame: timeline.follow.box.checked ? -1 : view.frame }, usual));
    }, 150);
  };

  // ---- the picture ----
  const byHand = () => { framed = null; moved(); };
  const moved = () => { panel.sync(); stage.redraw(); noteAddress(); };
  const fitTo = (frames: Frame[]) => {
    const { points, margins } = outstanding(frames, seen);
    const arrows = view.arrows ? 3 * Math.max(...frames.map((f) => f.bodies.size)) : 0;  // they may point outwards
    if (points.length > 0) camera.fit(points, margins.map((margin) => margin + arrows), stage.aspect);
    framed = frames;
  };
  stage.resized = () => { if (framed) fitTo(framed); };
  const fit = () => { fitTo(panes.flatMap((p) => (p.content ? [p.content.frame] : []))); moved(); };
  // An arch that has fallen stood higher: the first view has room for the beginning, unless that costs too much to fetch.
  const beginnings = async (shown: Frame[]): Promise<Frame[]> => {
    if (shown.some((f) => f.bodies.count > CHEAP)) return [];
    const firsts = await Promise.all(runs.map((r) => r.frame(r.frames[0]).catch(() => null)));
    return firsts.filter((f) => f !== null) as Frame[];
  };

  // Loads what the view needs and shows it; calls that come meanwhile are answered together.
  const changed = (): Promise<void> => {
    ++asked;
    working ??= (async () => {
      while (done < asked) { const serial = asked; await refreshPicture(); done = serial; }
      working = null;
    })();
    return working;
  };

  // Where the address names no colour: speed, or where nothing moves, as in masonry that stands, pressure. True if it is not that of the contents.
  function chooseColour(contents: Content[]): boolean {
    if (view.colour !== '' || contents.length === 0) return false;
    const still = contents.every(({ field, frame }) => field && frame.time > 0 && field.high * frame.time < 1e-3 * frame.bodies.size);
    view.colour = still && names.includes('pressure') ? 'pressure' : 'speed';
    return view.colour !== 'speed';
  }

  async function refreshPicture(): Promise<void> {
    const frames = run.frames;
    if (frames.length === 0) { complain('the run has no frames yet'); return; }
    if (!frames.includes(view.frame)) view.frame = view.frame < 0 ? frames[frames.length - 1] : frames.reduce((b, k) => (Math.abs(k - view.frame) < Math.abs(b - view.frame) ? k : b), frames[0]);
    const damages: string[] = [], contents: (Content | null)[] = [];
    for (const [k, pane] of panes.entries()) {  // one after the other: the second shares the origin of the first
      const number = k === 0 ? view.frame : pane.run.nearest(run.info.times[view.frame] ?? 0);
      if (k > 0) pane.run.origin ??= run.origin;
      try {
        contents[k] = await pane.load(number, view);
        pane.damage = '';
      } catch (e) {
        contents[k] = null;
        pane.damage = `frame ${number} cannot be shown: ${(e as Error).message}`;
        damages.push(pane.damage);
      }
    }
    const there = contents.filter((c) => c !== null) as Content[];
    if (opening && !following && there.length > 0 && there.every(({ frame }) => !frame.bodies.kind.includes(0))) {  // all have left, through a sink
      opening = false;
      view.frame = frames[Math.floor(frames.length / 2)];
      return refreshPicture();
    }
    opening = false;
    if (chooseColour(there)) return refreshPicture();
    const room = there.map((c) => c.frame);
    if (!fitted && there.length > 0) room.push(...(await beginnings(room)));
    seen = room.reduce((r, frame) => joined(r, boundsOf(frame, run.origin!)), seen);
    const region = isEmpty(seen) ? { low: [-1, -1, -1], high: [1, 1, 1] } : seen;  // nothing there yet
    stage.region = region;
    const scale = scaleOfColours(there), mostWorn = neat(there.reduce((most, c) => (c.wear ?? []).reduce((m, faces) => (faces ?? []).reduce((a: number, x: number) => Math.max(a, x), m), most), 0));
    panes.forEach((pane, k) => {
      pane.scene.visible = contents[k] !== null;
      if (contents[k]) pane.show(contents[k]!, view, scale ? [scale.low, scale.high] : [0, 0], mostWorn, region);
    });
    complain(damages.join('; '));
    describe(scale);
    if (!fitted && there.length > 0) {  // the legend has taken its room now
      fitted = !isEmpty(seen);
      if (!(view.camera && run.origin && camera.read(view.camera, run.origin))) fitTo(room);
    }
    stage.draw();
  }

  function scaleOfColours(contents: Content[]): Scale | null {
    const fields = contents.map((c) => c.field).filter((f) => f !== null), first = fields[0];
    if (!first) return null;
    let low = Math.min(...fields.map((f) => f!.low)), high = Math.max(...fields.map((f) => f!.high));
    const about = run.info.fields.find((f: any) => f.name === first.name);
    if (view.range) [low, high] = view.range;
    else if (!first.categories && !first.whole && !about.constant) [low, high] = [-neat(-low), neat(high)];
    const present = first.categories ? [...new Set(contents.flatMap((c) => Array.from(c.field!.value)))].sort((a, b) => a - b) : [];
    const unit = run.inUnits(about.unit);
    return { name: first.name, unit, low, high, exceeded: !view.range && fields.some((f) => f!.exceeded), categories: first.categories, present };
  }

  // Everything that says in words what is seen.
  function describe(scale: Scale | null) {
    const time = run.info.times[view.frame] ?? null;
    timeline.set(run.frames, view.frame, time, run.info.times.length);
    document.body.classList.toggle('dark', view.dark);
    panes.forEach((pane, k) => {
      const frame = pane.content?.frame, info = pane.run.info;
      const text = pane.damage ? pane.damage : frame ? `${count > 1 ? `${info.folder}: ` : ''}time ${+frame.time.toPrecision(6)}${info.units?.T ? ` ${info.units.T}` : ''}${frame.header.phase ? `, ${frame.header.phase}` : ''}` : '';
      labels.children[k].textContent = text;
    });
    const content = panes[0].content;
    const said = panes[0].damage || (content ? `${run.info.title || run.info.folder}: ${content.frame.bodies.count} bodies and ${content.frame.header.contacts} contacts at time ${+content.frame.time.toPrecision(6)}`
      + (scale ? `, coloured by ${scale.name} from ${scale.low} to ${scale.high}` : '') : 'no frame');
    stage.canvas.setAttribute('aria-label', said);
    fillLegend(legend, scale, view, panes);
    panel.say(panes[0].ruleMistake);
    panel.sync();
    plots.mark(time);
    selection.show(view.picked ? panes[view.picked.run] ?? null : null, view.picked);
    noteAddress();
  }

  function sayState() {
    fillCertificate(byId('certificate'), runs.map((r) => r.info));
    timeline.follow.label.hidden = source.offline || runs.every((r) => isComplete(r.info));
    panel.trust.replaceChildren(...runs.flatMap((r) => [...(count > 1 ? [element('p', { class: 'note' }, r.info.folder)] : []), ...warningParts(r.info)]));
    const log = runs.map((r) => r.info.log).join('\n');
    if (panel.log.textContent !== log) { panel.log.textContent = log; panel.log.scrollTop = panel.log.scrollHeight; }
    plots.sync();
  }

  // ---- the controls ----
  const show = (frame: number) => { view.frame = frame; return changed(); };
  const showTime = (time: number) => { timeline.follow.box.checked = false; show(run.nearest(time)); };
  const timeline = new Timeline(byId('timeline'), show, !source.offline);
  const selection = new Selection(showTime);
  const panel: Panel = new Panel(byId('panel'), view, camera, run, () => seen, {
    changed, moved: byHand, fit, frame: () => panes[0].content?.frame ?? null,
    screenshot: async () => save(await screenshot(stage, labels, legend), `${run.info.folder}-${view.frame}.png`),
    film: async () => {
      filming = !filming;
      panel.filmButton.textContent = filming ? 'Stop filming' : 'Film (WebM)';
      if (!filming) return;
      try {
        save(await film(stage, labels, legend, run.frames, timeline.perSecond, show, () => !filming), `${run.info.folder}.webm`);
      } catch (e) { complain((e as Error).message); }
      filming = false;
      panel.filmButton.textContent = 'Film (WebM)';
    },
  });
  panel.selection.append(selection.box);
  const plots = new Plots(byId('plots'), run, view, showTime, noteAddress);
  const toggle = byId('toggle-panel'), hidePanel = (hidden: boolean) => {
    byId('panel').hidden = hidden;
    toggle.setAttribute('aria-expanded', String(!hidden));
  };
  toggle.addEventListener('click', () => { hidePanel(!byId('panel').hidden); stage.redraw(); });
  hidePanel(matchMedia('(max-width: 720px)').matches);  // a narrow window is for the picture
  camera.listen(stage.canvas, byHand, (x, y) => { view.picked = stage.pick(x, y); changed(); });
  addEventListener('keydown', (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.altKey || e.metaKey || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName)) return;
    const views = Object.keys(standardViews), digit = Number(e.key) - 1;
    if (e.key === ' ' && target.tagName !== 'BUTTON') timeline.toggle();
    else if (e.key === ',') timeline.step(-1);
    else if (e.key === '.') timeline.step(1);
    else if (e.key === 'Home') timeline.go(0);
    else if (e.key === 'End') timeline.go(Infinity);
    else if (e.key === 'f') fit();
    else if (e.key === 'o' && !plane) { camera.orthographic = !camera.orthographic; byHand(); }
    else if (views[digit]) { camera.look(views[digit]); fit(); }
    else return;
    e.preventDefault();
  });
  addEventListener('hashchange', () => {
    Object.assign(view, viewFromAddress(location.hash.slice(1), usual));
    if (view.camera && run.origin && camera.read(view.camera, run.origin)) framed = null;
    changed();
  });

  // ---- a run that goes on ----
  timeline.follow.box.checked = following;
  let lost = false;  // the server did not answer last time
  async function watch() {
    try {
      if (lost) { lost = false; complain(''); }
      const before = runs.map((r) => r.info.times.length).join();
      await Promise.all(runs.map((r) => r.refresh()));
      sayState();
      if (runs.map((r) => r.info.times.length).join() !== before) {
        if (timeline.follow.box.checked) view.frame = run.frames[run.frames.length - 1];
        await changed();
      }
    } catch (e) { lost = true; complain((e as Error).message); }
    setTimeout(watch, document.hidden ? 5000 : runs.every((r) => isComplete(r.info)) ? 5000 : 1000);
  }
  sayState();
  await changed();
  if (!source.offline) setTimeout(watch, 1000);

  // For scripts that drive the page.
  (window as any).moreau = {
    runs, view, camera, changed, moved: byHand, stage,
    settled: async () => { while (working) await working; stage.draw(); },
    // Where on the page the middle of a body is.
    place: (body: number, k = 0) => { const f = panes[k].content!.frame, row = f.bodies.row(body); return stage.project(k, Array.from(f.position.subarray(3 * row, 3 * row + 3))); },
    screenshot: () => screenshot(stage, labels, legend),
    film: (frames: number[], perSecond: number) => film(stage, labels, legend, frames, perSecond, show, () => false),
  };
}

start().catch((e) => complain((e as Error).message));
