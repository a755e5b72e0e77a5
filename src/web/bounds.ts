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

// Grows to hold a mesh, if that is not much larger than what it holds: a drum, not a landscape.
function aroundMesh(region: Bounds, wall: any, origin: number[], plane: boolean) {
  const points = wall.surface.array('edge').length > 0 ? wall.surface.array('edge') : wall.surface.array('corner'), mesh = emptyBounds();
  const turn = wall.turn ?? [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let k = 0; k + 2 < points.length; k += 3)
    for (let d = 0; d < (plane ? 2 : 3); ++d) {
      const row = turn[d] ?? [0, 0, 1], at = wall.point[d] - origin[d] + row[0] * points[k] + row[1] * points[k + 1] + row[2] * points[k + 2];
      mesh.low[d] = Math.min(mesh.low[d], at);
      mesh.high[d] = Math.max(mesh.high[d], at);
    }
  if (plane) mesh.low[2] = mesh.high[2] = 0;
  const both = joined(region, mesh);
  if (diagonalOf(both) < 8 * diagonalOf(region)) [region.low, region.high] = [both.low, both.high];
}

// Fixed and driven bodies far from the free ones, a gate drawn aside: too few to be what is looked at, and too far to touch anything.
function asideOf(frame: Frame): Set<number> {
  const { count, kind, radius } = frame.bodies, free = emptyBounds(), aside = new Set<number>();
  for (let k = 0; k < count; ++k) {
    if (kind[k] !== 0) continue;
    for (let d = 0; d < 3; ++d) {
      free.low[d] = Math.min(free.low[d], frame.position[3 * k + d] - radius[k]);
      free.high[d] = Math.max(free.high[d], frame.position[3 * k + d] + radius[k]);
    }
  }
  const far = 1.5 * diagonalOf(free);
  if (!Number.isFinite(far)) return aside;
  for (let k = 0; k < count; ++k) {
    if (kind[k] === 0) continue;
    const off = [0, 1, 2].map((d) => Math.max(0, free.low[d] - frame.position[3 * k + d], frame.position[3 * k + d] - free.high[d]));
    if (Math.hypot(...off) - radius[k] > far) aside.add(k);
  }
  return aside.size <= Math.max(2, 0.1 * count) ? aside : new Set();
}

// Of the bodies of a frame, and of the cylinders that hold them; the few that have flown far off do not count, nor those held aside.
export function boundsOf(frame: Frame, origin: number[]): Bounds {
  const region = emptyBounds(), n = frame.bodies.count, stride = Math.max(1, Math.floor(n / 20000)), aside = asideOf(frame);
  if (n === 0) return { low: [-1, -1, -1], high: [1, 1, 1] };
  for (let d = 0; d < 3; ++d) {
    const low: number[] = [], high: number[] = [];
    for (let k = 0; k < n; k += stride) {
      if (aside.has(k)) continue;
      low.push(frame.position[3 * k + d] - frame.bodies.radius[k]);
      high.push(frame.position[3 * k + d] + frame.bodies.radius[k]);
    }
    low.sort((a, b) => a - b);
    high.sort((a, b) => a - b);
    const cut = Math.floor(0.01 * low.length), most = low.length - 1;
    const span = high[most] - low[0], inner = high[most - cut] - low[cut];
    region.low[d] = span > 4 * inner ? low[cut] - 0.2 * inner : low[0];
    region.high[d] = span > 4 * inner ? high[most - cut] + 0.2 * inner : high[most];
  }
  for (const wall of frame.header.walls) if (wall.shape === 'cylinder' && wall.radius < diagonalOf(region)) around(region, wall, origin, !!frame.angle);
  for (const wall of frame.header.walls) if (wall.shape === 'mesh') aroundMesh(region, wall, origin, !!frame.angle);
  if (frame.angle) region.low[2] = region.high[2] = 0;
  return region;
}

// What a picture should hold: bodies of the frames that lie in the region, a few thousand of them, or its corners if walls made it.
export function outstanding(frames: Frame[], region: Bounds): { points: number[]; margin: number } {
  const points: number[] = [];
  let margin = 0;
  for (const frame of frames) {
    const n = frame.bodies.count, stride = Math.max(1, Math.floor(n / 4000)), p = frame.position;
    for (let k = 0; k < n; k += stride) {
      if (![0, 1, 2].every((d) => p[3 * k + d] >= region.low[d] && p[3 * k + d] <= region.high[d])) continue;
      points.push(p[3 * k], p[3 * k + 1], p[3 * k + 2]);
      margin = Math.max(margin, frame.bodies.radius[k]);
    }
  }
  const round = frames.some((f) => f.header.walls.some((w: any) => w.shape === 'cylinder' || w.shape === 'mesh')), cell = frames.some((f) => f.header.cell);
  if (!round && !cell && points.length > 0) return { points, margin };
  const corners: number[] = [];
  for (let c = 0; c < 8; ++c) for (let d = 0; d < 3; ++d) corners.push((c >> d) & 1 ? region.high[d] : region.low[d]);
  return { points: corners, margin: 0 };
}
