// One run: its frames, fields, contacts and curves, fetched when they are asked for and kept while there is room.

import { Numbers, Parcel } from './parcel';
import { Source } from './source';

const MOST_BYTES = 384e6;  // of what was fetched and decoded

export interface Bodies {
  hash: string;
  count: number;
  radius: Float32Array;
  kind: Uint8Array;              // 0 free, 1 fixed, 2 driven
  body: (row: number) => number; // the number of the body in the run
  row: (body: number) => number; // -1: not there
  round: Int32Array;             // rows of round bodies
  blocks: Int32Array;            // rows of the others, in the order of Frame.turn
  shape: Int32Array;             // of each row, -1: round
  shapes: Parcel | null;         // surfaces, if some are not round
  size: number;                  // mean radius
}

export interface Frame {
  number: number;
  time: number;
  header: any;
  position: Float32Array;        // three per row, relative to the origin of the picture
  angle: Float32Array | null;    // of discs [rad]
  turn: Float32Array;            // quaternions w x y z of the blocks
  bodies: Bodies;
}

export interface Field { name: string; low: number; high: number; whole: boolean; exceeded: boolean; categories: string[] | null; value: Float32Array }

export interface Contacts {
  count: number;
  a: Int32Array; b: Int32Array;            // rows; b < 0: wall -b-1
  force: Float32Array; friction: Float32Array; gap: Float32Array;
  mobilised: Uint8Array; status: Uint8Array; // in 200ths; 255: none
  point: Float32Array; shift: Float32Array | null;
}

// Segments and points, relative to the origin of the picture; states of cracks: 1 slid, 2 open at one end, 3 parted; of mortar: 1 intact,
// 2 broken in part, 3 broken.
export interface Joints {
  thrust: Float32Array; hinge: Float32Array;
  crack: Float32Array; crackState: Uint8Array; crackOpening: Float32Array; crackSliding: Float32Array;
  mortar: Float32Array; mortarState: Uint8Array;
}

export function unpackPlaces(parcel: Parcel, name: string, origin: number[], plane: boolean): Float32Array {
  const packed = parcel.array(name), cells = parcel.array(name + '_cells'), step = parcel.array(name + '_side')[0] / 65536;
  const count = packed.length / 4, result = new Float32Array(3 * count);
  for (let k = 0; k < count; ++k) {
    const cell = 3 * packed[4 * k];
    result[3 * k] = cells[cell] - origin[0] + (packed[4 * k + 1] + 0.5) * step;
    result[3 * k + 1] = cells[cell + 1] - origin[1] + (packed[4 * k + 2] + 0.5) * step;
    result[3 * k + 2] = plane ? 0 : cells[cell + 2] - origin[2] + (packed[4 * k + 3] + 0.5) * step;
  }
  return result;
}

// Of every third number from `first` on.
function middle(corners: Numbers, first: number): number {
  let sum = 0;
  for (let k = first; k < corners.length; k += 3) sum += corners[k];
  return corners.length > 0 ? (3 * sum) / corners.length : 0;
}

export class Run {
  info: any = null;
  origin: number[] | null = null;  // subtracted in double precision from every position; chosen with the first frame
  private kept = new Map<string, { value: Promise<any>; bytes: number }>();
  private keptBytes = 0;

  constructor(private source: Source, readonly index: number) {}

  get offline() { return this.source.offline; }
  get plane() { return this.info.dimension === 2; }
  get bodyCount(): number { return this.info.certificate?.bodies ?? 0; }  // at the end, as far as it is known
  get frames(): number[] { return this.info.offline ? this.info.offline.frames : this.info.times.map((_: any, k: number) => k); }
  // "M L/T²" with what the scene calls its units.
  inUnits(letters: string): string { return letters.replace(/[LMT]/g, (letter) => this.info.units?.[letter] || letter); }
  path(rest: string) { return `run/${this.index}/${rest}`; }

  async refresh() {
    const info = await this.source.json(this.path('info'));
    const old = this.info;
    this.info = info;
    // A run that was started anew, or taken back: what was fetched may be another's.
    if (old && (old.times.length > info.times.length || old.times.some((t: number, k: number) => t !== info.times[k]))) this.forget();
  }
  forget() { this.kept.clear(); this.keptBytes = 0; }

  // Remembers what was asked for last; what was used longest ago goes first.
  private keep<T>(key: string, make: () => Promise<{ value: T; bytes: number }>): Promise<T> {
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known.value;
    }
    const entry = { value: Promise.resolve() as Promise<any>, bytes: 0 };
    entry.value = make().then((made) => {
      entry.bytes = made.bytes;
      this.keptBytes += made.bytes;
      for (const [other, old] of this.kept) {
        if (this.keptBytes <= MOST_BYTES || other === key) break;
        this.kept.delete(other);
        this.keptBytes -= old.bytes;
      }
      return made.value;
    });
    entry.value.catch(() => this.kept.delete(key));  // it may be readable next time
    this.kept.set(key, entry);
    return entry.value;
  }
  get bytesKept() { return this.keptBytes; }

  private parcel(path: string) {
    return this.source.parcel(this.path(path)).then((p) => ({ value: p, bytes: p.bytes }));
  }

  frame(number: number): Promise<Frame> {
    return this.keep(`frame/${number}`, async () => {
      const parcel = await this.source.parcel(this.path(`frame/${number}`));
      if (!this.origin) this.origin = this.plane ? [0, 1].map((d) => middle(parcel.array('place_cells'), d)).concat(0) : [0, 1, 2].map((d) => middle(parcel.array('place_cells'), d));
      const bodies = await this.bodies(number, parcel.header.bodies);
      await Promise.all(parcel.header.walls.map(async (wall: any, k: number) => {
        if (wall.shape === 'mesh') wall.surface = await this.keep(`mesh/${k}`, () => this.parcel(`mesh/${k}`));
      }));
      const place = parcel.array('place');
      const frame: Frame = {
        number, time: parcel.header.time, header: parcel.header, bodies,
        position: unpackPlaces(parcel, 'place', this.origin!, this.plane),
        angle: this.plane ? new Float32Array(bodies.count) : null,
        turn: parcel.array('turn') as Float32Array,
      };
      if (frame.angle) for (let k = 0; k < bodies.count; ++k) frame.angle[k] = place[4 * k + 3] * (2 * Math.PI / 65536);
      return { value: frame, bytes: frame.position.byteLength + parcel.bytes };
    });
  }

  private frameOfBodies(number: number, hash: string): number {
    return this.info.offline ? this.info.offline.bodies[hash] : number;
  }

  private bodies(number: number, hash: string): Promise<Bodies> {
    return this.keep(`bodies/${hash}`, async () => {
      const at = this.frameOfBodies(number, hash);
      const parcel = await this.source.parcel(this.path(`frame/${at}/bodies`));
      const radius = parcel.array('radius') as Float32Array, count = radius.length;
      const shapeGiven = parcel.array('shape') as Int32Array, numbers = parcel.optional('body');
      const shape = shapeGiven.length > 0 ? shapeGiven : new Int32Array(count).fill(-1);
      const round: number[] = [], blocks: number[] = [];
      for (let k = 0; k < count; ++k) (shape[k] < 0 ? round : blocks).push(k);
      const shapes = blocks.length > 0 ? await this.source.parcel(this.path(`frame/${at}/shapes`)) : null;
      const rows = new Map<number, number>();
      if (numbers) numbers.forEach((b: number, k: number) => rows.set(b, k));
      const bodies: Bodies = {
        hash, count, radius, size: count > 0 ? radius.reduce((s, r) => s + r, 0) / count : 1, kind: parcel.array('kind') as Uint8Array, shape, shapes,
        round: Int32Array.from(round), blocks: Int32Array.from(blocks),
        body: (row) => (numbers ? numbers[row] : row),
        row: (body) => (numbers ? rows.get(body) ?? -1 : body < count ? body : -1),
      };
      return { value: bodies, bytes: parcel.bytes + (shapes ? shapes.bytes : 0) + 8 * count };
    });
  }

  async field(frame: Frame, name: string): Promise<Field> {
    const about = this.info.fields.find((f: any) => f.name === name);
    if (!about) throw new Error(`there is no field '${name}'`);
    const hash = frame.bodies.hash;
    const key = about.constant ? `field/${name}/${hash}` : `field/${name}/${frame.number}`;
    const at = about.constant ? this.frameOfBodies(frame.number, hash) : frame.number;
    const parcel: Parcel = await this.keep(key, () => this.parcel(`frame/${at}/field/${name}`));
    const h = parcel.header;
    return { name, low: h.low, high: h.high, whole: h.whole, exceeded: h.exceeded, categories: h.categories ?? null, value: parcel.array('value') as Float32Array };
  }

  contacts(frame: Frame): Promise<Contacts> {
    return this.keep(`contacts/${frame.number}`, async () => {
      const p = await this.source.parcel(this.path(`frame/${frame.number}/contacts`));
      const get = <T extends Numbers>(name: string) => p.array(name) as T;
      const shift = get<Float32Array>('shift');
      const contacts: Contacts = {
        count: p.array('a').length, a: get<Int32Array>('a'), b: get<Int32Array>('b'),
        force: get<Float32Array>('force'), friction: get<Float32Array>('friction'), gap: get<Float32Array>('gap'),
        mobilised: get<Uint8Array>('mobilised'), status: get<Uint8Array>('status'),
        point: unpackPlaces(p, 'point', this.origin!, this.plane), shift: shift.length > 0 ? shift : null,
      };
      return { value: contacts, bytes: p.bytes + contacts.point.byteLength };
    });
  }

  async joints(frame: Frame): Promise<Joints> {
    const p: Parcel = await this.keep(`joints/${frame.number}`, () => this.parcel(`frame/${frame.number}/joints`));
    const local = (name: string) => Float32Array.from(p.array(name) as Float32Array, (x, k) => x - this.origin![k % 3]);
    return {
      thrust: local('thrust'), hinge: local('hinge'), crack: local('crack'), crackState: p.array('crack_state') as Uint8Array, crackOpening: p.array('crack_opening') as Float32Array, crackSliding: p.array('crack_sliding') as Float32Array,
      mortar: local('mortar'), mortarState: p.array('mortar_state') as Uint8Array,
    };
  }

  // Work of friction per area on the faces of each wall that wears.
  async wear(frame: Frame): Promise<(Float32Array | null)[]> {
    const p: Parcel = await this.keep(`wear/${frame.number}`, () => this.parcel(`frame/${frame.number}/wear`));
    return frame.header.walls.map((_: any, k: number) => p.optional(`wear_${k}`));
  }

  async vectors(frame: Frame, name: string, since: number | null): Promise<Float32Array> {
    const path = `frame/${frame.number}/vectors/${name}` + (since === null ? '' : `/since/${since}`);
    return (await this.keep(path, () => this.parcel(path))).array('vector') as Float32Array;
  }

  // Never kept: the file may have grown.
  curve(table: string, column: string): Promise<Parcel> { return this.source.parcel(this.path(`table/${table}/${column}`)); }

  bodyNumbers(frame: number, body: number): Promise<any> { return this.source.json(this.path(`frame/${frame}/body/${body}`)); }
  pairNumbers(frame: number, a: number, b: number): Promise<any> { return this.source.json(this.path(`frame/${frame}/pair/${a}/${b}`)); }

  // The frame whose time is nearest.
  nearest(time: number): number {
    let best = this.frames[0] ?? 0;
    for (const k of this.frames) {
      const t = this.info.times[k];
      if (t !== null && (this.info.times[best] === null || Math.abs(t - time) < Math.abs(this.info.times[best] - time))) best = k;
    }
    return best;
  }
}
