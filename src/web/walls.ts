// Planes and cylinders, transparent and seen from the side of the bodies only, each cut off where another wall or the region ends.

import * as THREE from 'three';
import { Bounds, centreOf, diagonalOf } from './bounds';

type Point = number[];
interface HalfSpace { point: Point; normal: Point }

const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a: Point, b: Point) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (a: Point, s: number, b: Point) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const cross = (a: Point, b: Point) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Point) => { const n = Math.hypot(...a); return a.map((x) => x / n); };

// The part of a polygon in a half-space (Sutherland and Hodgman).
function clipped(polygon: Point[], half: HalfSpace): Point[] {
  const result: Point[] = [];
  polygon.forEach((p, k) => {
    const q = polygon[(k + 1) % polygon.length], a = dot(sub(p, half.point), half.normal), b = dot(sub(q, half.point), half.normal);
    if (a >= 0) result.push(p);
    if ((a < 0) !== (b < 0)) result.push(along(p, a / (a - b), sub(q, p)));
  });
  return result;
}

function sidesOf(region: Bounds, margin: number): HalfSpace[] {
  const sides: HalfSpace[] = [];
  for (let d = 0; d < 3; ++d) {
    const normal = [0, 0, 0];
    normal[d] = 1;
    sides.push({ point: region.low.map((x) => x - margin), normal }, { point: region.high.map((x) => x + margin), normal: normal.map((x) => -x) });
  }
  return sides;
}

function planePolygon(wall: HalfSpace, others: HalfSpace[], region: Bounds): Point[] {
  const size = 4 * diagonalOf(region) + 1e-9, centre = centreOf(region);
  const foot = along(centre, -dot(sub(centre, wall.point), wall.normal), wall.normal);
  const u = unit(cross(wall.normal, Math.abs(wall.normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), v = cross(wall.normal, u);
  let polygon = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([a, b]) => along(along(foot, a * size, u), b * size, v));
  // Front side: seen from where the bodies are.
  if (dot(cross(sub(polygon[1], polygon[0]), sub(polygon[2], polygon[1])), wall.normal) < 0) polygon.reverse();
  for (const side of sidesOf(region, 0.06 * diagonalOf(region))) if (Math.abs(dot(side.normal, wall.normal)) < 0.99) polygon = clipped(polygon, side);
  for (const other of others) {
    const less = clipped(polygon, other);
    if (less.length >= 3) polygon = less;  // walls that leave each other no room are still seen
  }
  return polygon;
}

const paint = (opacity: number) => new THREE.MeshBasicMaterial({ color: 0x8a93a3, transparent: true, opacity, depthWrite: false, side: THREE.FrontSide });
const ink = new THREE.LineBasicMaterial({ color: 0x6b7280, transparent: true, opacity: 0.75 });
const solid = new THREE.MeshBasicMaterial({ color: 0x4b5563, side: THREE.DoubleSide });

function polygonMesh(polygon: Point[], material: any) {
  const geometry = new THREE.BufferGeometry(), corners: number[] = [];
  for (let k = 1; k + 1 < polygon.length; ++k) corners.push(...polygon[0], ...polygon[k], ...polygon[k + 1]);
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(corners), 3));
  const mesh = new THREE.Mesh(geometry, material);
  mesh.frustumCulled = false;
  return mesh;
}

function outline(points: Point[]) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(points.flat()), 3));
  return new THREE.LineLoop(geometry, ink);
}

// In the plane: a bar behind the edge, so that bodies that touch the wall touch the bar.
function bar(wall: HalfSpace, others: HalfSpace[], region: Bounds) {
  const flat: Bounds = { low: [region.low[0], region.low[1], 0], high: [region.high[0], region.high[1], 0] };
  const size = 2 * diagonalOf(flat), thick = 0.008 * size, centre = centreOf(flat);
  const foot = along(centre, -dot(sub(centre, wall.point), wall.normal), wall.normal), u = [-wall.normal[1], wall.normal[0], 0];
  let low = -size, high = size;
  const limit = (half: HalfSpace, slack: number) => {
    const height = dot(sub(foot, half.point), half.normal) + slack, slope = dot(u, half.normal);
    if (Math.abs(slope) < 1e-9) return;
    if (slope > 0) low = Math.max(low, -height / slope); else high = Math.min(high, -height / slope);
  };
  for (const side of sidesOf(flat, 0.06 * size).slice(0, 4)) limit(side, 0);
  const before = [low, high];
  for (const other of others) limit(other, thick);
  if (!(low < high)) [low, high] = before;
  if (!(low < high)) return null;
  const a = along(foot, low, u), b = along(foot, high, u);
  return polygonMesh([a, b, along(b, -thick, wall.normal), along(a, -thick, wall.normal)], solid);
}

function ring(centre: Point, radius: number, thick: number) {
  const mesh = new THREE.Mesh(new THREE.RingGeometry(radius, radius + thick, 180), solid);
  mesh.position.set(centre[0], centre[1], centre[2]);
  return mesh;
}

function tube(group: any, point: Point, axis: Point, radius: number, region: Bounds) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [0, 1, 2].map((d) => ((c >> d) & 1 ? region.high[d] : region.low[d])));
  const heights = corners.map((c) => dot(sub(c, point), axis)), low = Math.min(...heights), high = Math.max(...heights);
  const u = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), v = cross(axis, u), sides = 96;
  const at = (k: number, h: number) => {
    const t = (2 * Math.PI * k) / sides;
    return along(along(along(point, h, axis), radius * Math.cos(t), u), radius * Math.sin(t), v);
  };
  const triangles: number[] = [];  // seen from inside
  for (let k = 0; k < sides; ++k) triangles.push(...at(k, low), ...at(k, high), ...at(k + 1, low), ...at(k + 1, low), ...at(k, high), ...at(k + 1, high));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(triangles), 3));
  group.add(new THREE.Mesh(geometry, paint(0.22)));
  for (const h of [low, high]) group.add(outline(Array.from({ length: sides }, (_, k) => at(k, h))));
}

// `walls` as in the header of a frame; points are moved by -origin.
export function wallGroup(walls: any[], origin: number[], region: Bounds, plane: boolean): any {
  const group = new THREE.Group(), half: (HalfSpace | null)[] = walls.map((w) => (w.shape === 'plane' ? { point: sub(w.point, origin), normal: w.direction } : null));
  walls.forEach((wall, k) => {
    const others = half.filter((h, j) => h && j !== k) as HalfSpace[], mine = half[k], point = sub(wall.point, origin);
    if (wall.shape === 'mesh') return;  // meshes.ts
    if (mine && plane) { const mesh = bar(mine, others, region); if (mesh) group.add(mesh); }
    else if (mine) {
      const polygon = planePolygon(mine, others, region);
      if (polygon.length >= 3) group.add(polygonMesh(polygon, paint(wall.direction[2] > 0.7 ? 0.34 : 0.2)), outline(polygon));
    } else if (plane) group.add(ring(point, wall.radius, 0.012 * diagonalOf(region)));
    else tube(group, point, wall.direction, wall.radius, region);
  });
  return group;
}

// The edges of the periodic cell.
export function cellGroup(cell: any, origin: number[]): any {
  const group = new THREE.Group(), corner = sub(cell.origin, origin), v = cell.vectors, flat = v.length === 2;
  const at = (a: number, b: number, c: number) => [0, 1, 2].map((d) => corner[d] + a * v[0][d] + b * v[1][d] + (flat ? 0 : c * v[2][d]));
  for (const c of flat ? [0] : [0, 1]) group.add(outline([at(0, 0, c), at(1, 0, c), at(1, 1, c), at(0, 1, c)]));
  if (!flat) for (const [a, b] of [[0, 0], [1, 0], [1, 1], [0, 1]]) group.add(outline([at(a, b, 0), at(a, b, 1)]));
  return group;
}

export function disposeGroup(group: any) { group.traverse((o: any) => o.geometry && o.geometry.dispose()); }
