// The picture of one run: everything that is drawn of one of its frames.

import * as THREE from 'three';
import { Arrows } from './arrows';
import { Balls } from './balls';
import { Blocks } from './blocks';
import { Capsules } from './capsules';
import { Rgb, categoryColour, colourTable, fixedColour, mapColour, pickedColour, plainColour, scaleOf } from './colours';
import { Bounds } from './bounds';
import { Rule, applyRule, readRule } from './rule';
import { Contacts, Field, Frame, Joints, Run } from './run';
import { Sight } from './seen';
import { Shared, sharedUniforms, veiled } from './shading';
import { View } from './view';
import { high, neat } from './high';
import { Meshes } from './meshes';
import { cellGroup, disposeGroup, wallGroup } from './walls';

export const mobilisedColour = (m: number): Rgb => mapColour('plasma', 0.8 * Math.min(1, m));
const noFriction: Rgb = [90, 90, 96];
export const mortarColours: Rgb[] = [[60, 60, 60], [0, 158, 115], [204, 121, 167], [40, 40, 40]];  // none, intact, broken in part, broken
export const crackColours: Rgb[] = [[60, 60, 60], [86, 180, 233], [230, 159, 0], [213, 94, 0]];  // whole, slid, open, parted

// All that a frame needs before it can be drawn.
export interface Content {
  frame: Frame;
  field: Field | null;
  contacts: Contacts | null;
  vectors: Float32Array | null;
  joints: Joints | null;
  wear: (Float32Array | null)[] | null;  // work of friction per area, of the faces of each wall
  rule: Rule | null;
  ruleValues: Record<string, ArrayLike<number>>;
}

export class Pane {
  readonly scene = new THREE.Scene();
  readonly shared: Shared = sharedUniforms();
  content: Content | null = null;
  shown = new Float32Array(0);       // radius of each row, 0 where it is hidden
  longest = 0;                       // the value of an arrow of full length
  strongest = 0;                     // the force of a capsule of full width
  widestCrack = 0;
  farthestSlid = 0;
  ruleMistake = '';
  damage = '';                       // why the frame cannot be shown
  private balls: Balls;
  private blocks: Blocks;
  private forces: Capsules;
  private thrust: Capsules;
  private arrows: Arrows;
  readonly meshes: Meshes;
  private bodies = new THREE.Group();
  private images = new THREE.Group();
  private surroundings = new THREE.Group();
  private seenThrough = new THREE.Group();  // no obstacle to picking

  constructor(readonly run: Run) {
    const plane = run.plane;
    this.balls = new Balls(this.shared, plane);
    this.blocks = new Blocks(this.shared, plane);
    this.forces = new Capsules(this.shared, plane);
    this.thrust = new Capsules(this.shared, true);
    this.thrust.mesh.renderOrder = 12;
    this.arrows = new Arrows(this.shared, plane);
    this.meshes = new Meshes(this.shared);
    this.bodies.add(this.balls.mesh, this.blocks.group, this.forces.mesh, this.arrows.mesh);
    this.scene.add(this.bodies, this.images, this.seenThrough, this.thrust.mesh, this.meshes.solids);
    this.seenThrough.add(this.surroundings, this.meshes.veils, this.meshes.lines.mesh);
  }

  async load(number: number, view: View): Promise<Content> {
    const run = this.run, frame = await run.frame(number), names = run.info.fields.map((f: any) => f.name);
    let rule: Rule | null = null;
    try { rule = readRule(view.rule, names); this.ruleMistake = ''; } catch (e) { this.ruleMistake = (e as Error).message; }
    const wantsContacts = view.forces || rule?.ofContacts || view.picked?.kind === 'contact';
    const [field, contacts, vectors, joints, wear] = await Promise.all([
      names.includes(view.colour || 'speed') ? run.field(frame, view.colour || 'speed') : null,
      wantsContacts ? run.contacts(frame) : null,
      view.arrows ? run.vectors(frame, view.arrows, view.arrows === 'displacement' ? view.since : null).catch(() => null) : null,
      ((view.thrust || view.cracks) && frame.bodies.blocks.length > 0) || (view.mortar && frame.header.mortar) ? run.joints(frame) : null,
      view.wear && frame.header.walls.some((wall: any) => wall.wears) ? run.wear(frame) : null,
    ]);
    const ruleValues: Record<string, ArrayLike<number>> = {};
    for (const name of rule?.fields ?? []) {
      const axis = ['x', 'y', 'z'].indexOf(name);
      if (rule!.ofContacts) ruleValues[name] = name === 'mobilised' ? Array.from(contacts!.mobilised, (m) => (m === 255 ? NaN : m / 200)) : (contacts as any)[name];
      else if (axis >= 0) ruleValues[name] = Array.from({ length: frame.bodies.count }, (_, k) => frame.position[3 * k + axis] + run.origin![axis]);
      else ruleValues[name] = (await run.field(frame, name)).value;
    }
    return { frame, field, contacts, vectors, joints, wear, rule, ruleValues };
  }

  // `range` of the colours and the wear that is drawn darkest, the same for all pictures.
  show(content: Content, view: View, range: [number, number], mostWorn: number, region: Bounds) {
    this.content = content;
    const { frame } = content, bodies = frame.bodies;
    const holds = content.rule && !this.ruleMistake ? applyRule(content.rule, content.rule.ofContacts ? content.contacts!.count : bodies.count, content.ruleValues) : null;
    this.shown = bodies.radius.slice();
    if (view.bodies === 'hidden') this.shown.fill(0);
    else if (holds && !content.rule!.ofContacts) for (let k = 0; k < bodies.count; ++k) if (!!holds[k] !== view.ruleShows) this.shown[k] = 0;
    const tint = this.tints(content, view, range);
    this.balls.set(bodies.round, frame.position, this.shown, tint, frame.angle);
    this.blocks.set(bodies, frame.position, frame.turn, this.shown, tint);
    this.shared.fade.value = view.bodies === 'faint' ? 0.18 : 1;
    this.balls.faint = this.blocks.faint = view.bodies === 'faint';
    this.showForces(content, view, content.rule?.ofContacts ? holds : null);
    this.showJoints(content, view, frame.bodies.size);
    this.longest = 0;
    if (content.vectors) this.longest = this.arrows.set(frame.position, content.vectors, this.shown, 3 * frame.bodies.size);
    this.arrows.mesh.visible = !!content.vectors && this.longest > 0;
    this.showSurroundings(frame, view, region);
    this.meshes.set(frame, this.run.origin!, view.walls, content.wear, mostWorn, view.bodies !== 'hidden');
  }

  private tints(content: Content, view: View, range: [number, number]): Uint8Array {
    const { frame, field } = content, bodies = frame.bodies, tint = new Uint8Array(3 * bodies.count);
    const table = colourTable(view.map), place = scaleOf(range[0], range[1]);
    for (let k = 0; k < bodies.count; ++k) {
      if (bodies.kind[k] !== 0 && !field?.categories) { tint.set(fixedColour, 3 * k); continue; }
      if (!field) tint.set(plainColour, 3 * k);
      else if (field.categories) tint.set(categoryColour(field.value[k], field.categories), 3 * k);
      else {
        const at = 3 * Math.min(255, Math.max(0, Math.round(255 * place(field.value[k]))));
        tint[3 * k] = table[at]; tint[3 * k + 1] = table[at + 1]; tint[3 * k + 2] = table[at + 2];
      }
    }
    const picked = view.picked;
    if (picked && picked.run === this.run.index)
      for (const body of picked.kind === 'body' ? [picked.a] : []) {
        const row = bodies.row(body);
        if (row >= 0) tint.set(pickedColour, 3 * row);
      }
    return tint;
  }

  private showForces(content: Content, view: View, holds: Uint8Array | null) {
    const { frame, contacts } = content;
    this.strongest = 0;
    this.forces.begin(contacts && view.forces ? 2 * contacts.count : 1);
    this.forces.material.depthTest = !view.through;
    this.forces.material.transparent = view.through;  // drawn last
    this.forces.mesh.renderOrder = view.through ? 10 : 0;
    if (contacts && view.forces) {
      this.strongest = neat(high(contacts.force.length, (c) => contacts.force[c]));
      // Thinner between blocks: forces go through their faces, and would hide them.
      const widest = 0.45 * view.width * frame.bodies.size, thin = 0.3, p = frame.position, picked = view.picked;
      for (let c = 0; c < contacts.count; ++c) {
        if (holds && !!holds[c] !== view.ruleShows) continue;
        if (!(Math.abs(contacts.force[c]) > 1e-9 * this.strongest)) continue;
        const a = contacts.a[c], b = contacts.b[c], ofBlocks = frame.bodies.shape[a] >= 0 || (b >= 0 && frame.bodies.shape[b] >= 0);
        const width = (ofBlocks ? thin : 1) * widest * Math.min(1.5, Math.abs(contacts.force[c]) / this.strongest);
        let colour = contacts.mobilised[c] === 255 ? noFriction : mobilisedColour(contacts.mobilised[c] / 200);
        if (picked?.kind === 'contact' && picked.run === this.run.index && frame.bodies.body(a) === picked.a && (b < 0 ? b : frame.bodies.body(b)) === picked.b) colour = pickedColour;
        const q = contacts.point, s = contacts.shift;
        const add = (from: number[], to: number[]) => this.forces.add(from[0], from[1], from[2], to[0], to[1], to[2], width, colour[0], colour[1], colour[2], c);
        const centreA = [p[3 * a], p[3 * a + 1], p[3 * a + 2]], point = [q[3 * c], q[3 * c + 1], q[3 * c + 2]];
        if (b < 0) { add(centreA, point); continue; }
        const centreB = [0, 1, 2].map((d) => p[3 * b + d] + (s ? s[3 * c + d] : 0));
        if (!ofBlocks) add(centreA, centreB);
        else { add(centreA, point); add(point, centreB); }
      }
    }
    this.forces.end();
  }

  private showJoints(content: Content, view: View, size: number) {
    const joints = content.joints;
    this.widestCrack = this.farthestSlid = 0;
    const through = this.run.plane || view.thrust;  // in space cracks behind the stones are hidden by them; a line of thrust runs inside
    this.thrust.material.depthTest = !through;
    this.thrust.material.transparent = through;
    this.thrust.begin(joints ? joints.thrust.length / 6 + joints.hinge.length / 3 + joints.crackState.length + joints.mortarState.length : 1);
    if (joints && view.mortar) {
      const m = joints.mortar;
      for (let k = 0; k < joints.mortarState.length; ++k) {
        const colour = mortarColours[joints.mortarState[k]];
        this.thrust.add(m[6 * k], m[6 * k + 1], m[6 * k + 2], m[6 * k + 3], m[6 * k + 4], m[6 * k + 5], 0.035 * size, colour[0], colour[1], colour[2], 0);
      }
    }
    if (joints && view.cracks) {
      const c = joints.crack;
      for (let k = 0; k < joints.crackState.length; ++k) {
        const colour = crackColours[joints.crackState[k]];
        const hasOpened = joints.crackState[k] > 1, opening = joints.crackOpening[k], sliding = joints.crackSliding[k];
        if (hasOpened) this.widestCrack = Math.max(this.widestCrack, opening);
        if (sliding > 3e-4 * size) this.farthestSlid = Math.max(this.farthestSlid, sliding);
        if ((hasOpened ? opening : sliding) > 0.5 * size) continue;  // the stones have come apart: what lies between them is no crack
        this.thrust.add(c[6 * k], c[6 * k + 1], c[6 * k + 2], c[6 * k + 3], c[6 * k + 4], c[6 * k + 5], 0.045 * size, colour[0], colour[1], colour[2], 0);
      }
    }
    if (joints && view.thrust) {
      const t = joints.thrust, h = joints.hinge;
      for (let k = 0; k + 5 < t.length; k += 6) this.thrust.add(t[k], t[k + 1], t[k + 2], t[k + 3], t[k + 4], t[k + 5], 0.07 * size, 200, 30, 40, 0);
      for (let k = 0; k + 2 < h.length; k += 3) this.thrust.add(h[k], h[k + 1], h[k + 2], h[k], h[k + 1], h[k + 2], 0.2 * size, 255, 217, 26, 0);
    }
    this.thrust.end();
  }

  private showSurroundings(frame: Frame, view: View, region: Bounds) {
    for (const child of [...this.surroundings.children]) { this.surroundings.remove(child); disposeGroup(child); }
    if (view.walls) this.surroundings.add(wallGroup(frame.header.walls, this.run.origin!, region, this.run.plane));
    for (const child of [...this.images.children]) this.images.remove(child);
    const cell = frame.header.cell;
    if (!cell) return;
    if (view.cell) this.surroundings.add(cellGroup(cell, this.run.origin!));
    if (!view.images) return;
    const steps = cell.periodic.map((p: boolean) => (p ? [-1, 0, 1] : [0]));
    for (const i of steps[0]) for (const j of steps[1]) for (const k of steps[2] ?? [0]) {
      if (i === 0 && j === 0 && k === 0) continue;
      const copy = this.bodies.clone();
      copy.traverse((o: any) => { if (o.material) o.material = veiled(o.material); });
      copy.position.set(...[0, 1, 2].map((d) => i * cell.vectors[0][d] + j * cell.vectors[1][d] + (cell.vectors[2] ? k * cell.vectors[2][d] : 0)));
      this.images.add(copy);
    }
  }

  // Leaves out the balls that others hide, where it is worth it and where all of a ball can be seen: no planes cut, no images, none faint.
  leaveOutHidden(from: number, sight: Sight, view: View) {
    if (this.run.plane || !this.content) return;
    const whole = this.content.frame.bodies.round.length >= from && view.bodies === 'solid' && view.clip.every((slab) => slab === null) && !(view.images && this.content.frame.header.cell);
    if (whole) this.balls.setSeen(sight); else this.balls.setAll();
  }

  // While numbers of bodies are drawn instead of colours.
  picking(on: boolean) {
    this.shared.picking.value = on ? 1 : 0;
    this.images.visible = this.seenThrough.visible = !on;
    this.thrust.mesh.visible = !on && !!this.content?.joints;
  }

  // Thing with the number that was drawn.
  pickedThing(kind: number, number: number): { kind: 'body' | 'contact'; a: number; b: number } | null {
    const content = this.content;
    if (!content) return null;
    const { frame, contacts } = content, bodies = frame.bodies;
    if (kind === 1 && number < this.balls.drawn.length) return { kind: 'body', a: bodies.body(this.balls.drawn[number]), b: -1 };
    if (kind === 2 && number < bodies.blocks.length) return { kind: 'body', a: bodies.body(bodies.blocks[number]), b: -1 };
    if (kind === 3 && contacts && number < contacts.count) {
      const b = contacts.b[number];
      return { kind: 'contact', a: bodies.body(contacts.a[number]), b: b < 0 ? b : bodies.body(b) };
    }
    return null;
  }
}
