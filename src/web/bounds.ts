// Boxes that hold bodies.

import { Frame } from './run';

export interface Bounds { low: number[]; high: number[] }

export const emptyBounds = (): Bounds => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });

export function joined(a: Bounds, b: Bounds): Bounds {
  return { low: a.low.map((x, d) => Math.min(x, b.low[d])), high: a.high.map((x, d) => Math.max(x, b.high[d])) };
}

export const centreOf = (r: Bounds) => r.low.map((x, d) => 0.5 * (x + r.high[d]));
export const diagonalOf = (r: Bounds) => Math.hypot(...r.low.map((x, d) => r.high[d] - x));

// Grows to hold a cylinder, across its axis.
function around(region: Bounds, wall: any, origin: number[], plane: boolean) {
  for (let d = 0; d < (plane ? 2 : 3); ++d) {
    const reach = wall.radius * (plane ? 1 : Math.sqrt(Math.max(0, 1 - wall.direction[d] ** 2))), at = wall.point[d] - origin[d];
    if (reach < 0.5 * wall.radius) continue;  // along it: bodies say how far
    region.low[d] = Math.min(region.low[d], at - reach);
    region.high[d] = Math.max(region.high[d], at + reach);
  }
}

// Of a mesh at the time of the frame.
export function boundsOfMesh(wall: any, origin: number[], plane: boolean): Bounds {
  const points = wall.surface.array('edge').length > 0 ? wall.surface.array('edge') : wall.surface.array('corner'), mesh = emptyBounds();
  const turn = wall.turn ?? [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let k = 0; k + 2 < points.length; k += 3)
    for (let d = 0; d < (plane ? 2 : 3); ++d) {
      const row = turn[d] ?? [0, 0, 1], at = wall.point[d] - origin[d] + row[0] * points[k] + row[1] * points[k + 1] + row[2] * points[k + 2];
      mesh.low[d] = Math.min(mesh.low[d], at);
      mesh.high[d] = Math.max(mesh.high[d], at);
    }
  if (plane) mesh.low[2] = mesh.high[2] = 0;
  return mesh;
}

// What a body reaches: three numbers for each of its points, and how far it goes beyond them. A block is its corners: the ball about a long
// base reaches far above and below it.
class Reach {
  private block = new Map<number, number>();  // of each row, its place in the order of the turns
  constructor(private frame: Frame) { frame.bodies.blocks.forEach((row, k) => this.block.set(row, k)); }

  of(row: number): { points: number[]; margin: number } {
    const { position, turn, bodies } = this.frame, centre = [0, 1, 2].map((d) => position[3 * row + d]), k = this.block.get(row);
    if (k === undefined || !bodies.shapes) return { points: centre, margin: bodies.radius[row] };
    const first = bodies.shapes.array('first_corner'), corner = bodies.shapes.array('corner'), shape = bodies.shape[row], points: number[] = [];
    const [w, x, y, z] = [0, 1, 2, 3].map((d) => turn[4 * k + d]);
    for (let c = 3 * first[shape]; c < 3 * first[shape + 1]; c += 3) {
      const v = [corner[c], corner[c + 1], corner[c + 2]];
      const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
      points.push(centre[0] + v[0] + w * t[0] + y * t[2] - z * t[1], centre[1] + v[1] + w * t[1] + z * t[0] - x * t[2], centre[2] + v[2] + w * t[2] + x * t[1] - y * t[0]);
    }
    return points.length > 0 ? { points, margin: 0 } : { points: centre, margin: bodies.radius[row] };
  }
  box(row: number): Bounds {
    const { position: p, bodies } = this.frame, r = bodies.radius[row];
    if (!this.block.has(row)) return { low: [p[3 * row] - r, p[3 * row + 1] - r, p[3 * row + 2] - r], high: [p[3 * row] + r, p[3 * row + 1] + r, p[3 * row + 2] + r] };
    const { points, margin } = this.of(row), box = emptyBounds();
    points.forEach((x, k) => { box.low[k % 3] = Math.min(box.low[k % 3], x - margin); box.high[k % 3] = Math.max(box.high[k % 3], x + margin); });
    return box;
  }
}

// Of boxes; the few that have flown far off do not count.
function boundsOfMost(boxes: Bounds[]): Bounds {
  const region = emptyBounds();
  if (boxes.length === 0) return region;
  for (let d = 0; d < 3; ++d) {
    const low = boxes.map((b) => b.low[d]).sort((a, b) => a - b), high = boxes.map((b) => b.high[d]).sort((a, b) => a - b);
    const cut = Math.floor(0.01 * low.length), most = low.length - 1;
    const span = high[most] - low[0], inner = high[most - cut] - low[cut];
    region.low[d] = span > 4 * inner ? low[cut] - 0.2 * inner : low[0];
    region.high[d] = span > 4 * inner ? high[most - cut] + 0.2 * inner : high[most];
  }
  return region;
}

const distanceBetween = (p: Bounds, q: Bounds) => Math.hypot(...p.low.map((_, d) => Math.max(0, p.low[d] - q.high[d], q.low[d] - p.high[d])));

// What matters in a frame: the free bodies, the meshes and cylinders that hold them, and of the fixed and driven bodies those that are not
// far from all this: a gate drawn aside is not looked at. Empty bounds for a frame without anything.
export function boundsOf(frame: Frame, origin: number[]): Bounds {
  const plane = !!frame.angle, { count, kind } = frame.bodies, reach = new Reach(frame), stride = Math.max(1, Math.floor(count / 20000));
  const free: Bounds[] = [], held: Bounds[] = [], driven: Bounds[] = [];
  for (let k = 0; k < count; k += stride) (kind[k] === 0 ? free : kind[k] === 1 ? held : driven).push(reach.box(k));
  let region = boundsOfMost(free);
  for (const wall of frame.header.walls) {
    if (wall.shape !== 'mesh') continue;
    const mesh = boundsOfMesh(wall, origin, plane), both = joined(region, mesh);
    // Not what is much larger than its content: a drum, not a landscape.
    if (free.length === 0 || diagonalOf(both) < 8 * diagonalOf(region)) region = both;
  }
  for (const others of [held, driven]) {
    const size = diagonalOf(region), near = Number.isFinite(size) ? others.filter((box) => distanceBetween(box, region) <= 1.5 * size) : others;
    // Many of them are what is looked at, wherever they are.
    const counted = others.length - near.length <= Math.max(2, 0.1 * (count / stride)) ? near : others;
    if (counted.length > 0) region = joined(region, boundsOfMost(counted));
  }
  for (const wall of frame.header.walls) if (wall.shape === 'cylinder' && !(wall.radius >= diagonalOf(region))) around(region, wall, origin, plane);
  if (plane && Number.isFinite(region.low[0])) region.low[2] = region.high[2] = 0;
  return region;
}

export const isEmpty = (region: Bounds) => !(region.low[0] <= region.high[0]);

// What a picture should hold: bodies of the frames that lie in the region, a few thousand of them, or its corners if walls made it. Three
// numbers for every point, and how far around it.
export function outstanding(frames: Frame[], region: Bounds): { points: number[]; margins: number[] } {
  const points: number[] = [], margins: number[] = [];
  for (const frame of frames) {
    const n = frame.bodies.count, stride = Math.max(1, Math.floor(n / 4000)), p = frame.position, reach = new Reach(frame);
    for (let k = 0; k < n; k += stride) {
      if (![0, 1, 2].every((d) => p[3 * k + d] >= region.low[d] && p[3 * k + d] <= region.high[d])) continue;
      const body = reach.of(k);
      points.push(...body.points);
      for (let i = 0; i < body.points.length; i += 3) margins.push(body.margin);
    }
  }
  const round = frames.some((f) => f.header.walls.some((w: any) => w.shape === 'cylinder' || w.shape === 'mesh')), cell = frames.some((f) => f.header.cell);
  if (!round && !cell && points.length > 0) return { points, margins };
  const corners: number[] = [];
  for (let c = 0; c < 8; ++c) for (let d = 0; d < 3; ++d) corners.push((c >> d) & 1 ? region.high[d] : region.low[d]);
  return { points: corners, margins: new Array(8).fill(0) };
}
