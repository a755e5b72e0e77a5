// What the colours mean, with units: on the page, and drawn into pictures that are saved.

import { categoryColour, fixedColour, mapColour } from './colours';
import { element, short } from './dom';
import { wornColour } from './meshes';
import { Pane, crackColours, mobilisedColour, mortarColours } from './pane';
import { View } from './view';

export interface Scale { name: string; unit: string; low: number; high: number; exceeded: boolean; categories: string[] | null; present: number[] }

const css = (c: number[]) => `rgb(${c.join(',')})`;

export function gradient(canvas: HTMLCanvasElement, colour: (t: number) => number[]) {
  const g = canvas.getContext('2d')!;
  for (let k = 0; k < canvas.width; ++k) { g.fillStyle = css(colour(k / (canvas.width - 1))); g.fillRect(k, 0, 1, canvas.height); }
}

function bar(text: string, ends: [string, string], colour: (t: number) => number[]) {
  const canvas = element('canvas', { class: 'bar', width: 220, height: 12, 'aria-hidden': 'true' });
  gradient(canvas, colour);
  return element('div', {}, element('div', {}, text), canvas, element('div', { class: 'ends' }, element('span', {}, ends[0]), element('span', {}, ends[1])));
}

const swatch = (colour: number[]) => element('span', { class: 'swatch', style: `background:${css(colour)}`, 'aria-hidden': 'true' });
export const withUnit = (name: string, unit: string) => (unit ? `${name} [${unit}]` : name);

// All entries: scale of the bodies, then what else is in the picture.
export function fillLegend(target: HTMLElement, scale: Scale | null, view: View, panes: Pane[]) {
  const parts: HTMLElement[] = [], pane = panes[0], widestCrack = Math.max(...panes.map((p) => p.widestCrack)), farthestSlid = Math.max(...panes.map((p) => p.farthestSlid));
  if (scale?.categories) {
    const line = element('div', {});
    for (const k of scale.present.slice(0, 12)) line.append(swatch(categoryColour(k, scale.categories)), scale.categories[k] || `${scale.name} ${k}`);
    parts.push(element('div', {}, element('div', {}, scale.name), line));
  } else if (scale) {
    parts.push(bar(withUnit(scale.name, scale.unit), [short(scale.low), (scale.exceeded ? '≥ ' : '') + short(scale.high)], (t) => mapColour(view.map, t)));
    if (pane.content && pane.content.frame.bodies.kind.some((k) => k !== 0)) parts.push(element('div', {}, swatch(fixedColour), 'fixed or driven'));
  }
  // What is switched on has its entry in every frame, also where there is none of it, so that the picture keeps its size.
  if (view.forces) {
    parts.push(bar('force chains: friction mobilised', ['0', '1'], mobilisedColour));
    parts.push(element('div', {}, pane.strongest > 0 ? `full width: ${short(pane.strongest)} ${pane.run.inUnits('M L/T²')}` : 'no forces'));
  }
  if (view.arrows && pane.longest > 0) parts.push(element('div', {}, `arrows: ${view.arrows}, three radii long: ${short(pane.longest)} ${pane.run.inUnits(view.arrows === 'velocity' ? 'L/T' : 'L')}`));
  if (view.walls && panes.some((p) => p.content?.wear))
    parts.push(bar(withUnit('wear of meshes: work of friction per area', pane.run.inUnits(pane.run.plane ? 'M L/T²' : 'M/T²')), ['0', pane.meshes.mostWorn > 0 ? short(pane.meshes.mostWorn) : 'none yet'], (t) => wornColour(t)));
  const joints = pane.content?.joints;
  if (view.thrust && joints) parts.push(element('div', {}, swatch([200, 30, 40]), 'line of thrust', swatch([255, 217, 26]), 'hinge'));
  if (view.cracks && joints) {
    const told = (words: string, length: number) => length > 0 ? [`${words} ${short(length)} ${pane.run.inUnits('L')}`] : [];
    const widths = [...told('widest', widestCrack), ...told('slid by up to', farthestSlid)].join(', ') || 'none yet';
    parts.push(element('div', {}, `cracks (${widths}): `, ...['slid', 'open at one end', 'parted'].flatMap((name, k) => [swatch(crackColours[k + 1]), name])));
  }
  const mortar = Array.from(view.mortar ? joints?.mortarState ?? [] : []);
  if (mortar.length > 0) {
    const count = [1, 2, 3].map((state) => mortar.filter((s) => s === state).length);
    parts.push(element('div', {}, 'mortar ', ...['intact', 'broken in part', 'broken'].flatMap((name, k) => [swatch(mortarColours[k + 1]), `${name} (${count[k]})`])));
  }
  target.replaceChildren(...parts);
}
