// Walls that are meshes. What lies between the viewer and the bodies is a veil; a mesh within another, as a screw in its trough, is opaque;
// faces redden with the work of friction on them, but for the veil, through which bodies keep their colours. As `moreau draw` does.

import * as THREE from 'three';
import { Bounds, boundsOfMesh, diagonalOf } from './bounds';
import { Capsules } from './capsules';
import { Rgb } from './colours';
import { Parcel } from './parcel';
import { Frame } from './run';
import { Shared, material } from './shading';

const UNWORN: Rgb = [138, 147, 163], STEEL: Rgb = [150, 172, 200], WORN: Rgb = [184, 0, 20], LINE: Rgb = [75, 85, 99];
const VEIL = 0.16;

// Roots show where little is worn.
export const wornColour = (share: number, unworn: Rgb = UNWORN): Rgb => {
  const w = Math.sqrt(Math.min(1, Math.max(0, share)));
  return unworn.map((c, k) => Math.round(c + w * (WORN[k] - c))) as Rgb;
};

const vec3 = (c: Rgb) => `vec3(${c.map((x) => (x / 255).toFixed(4)).join(', ')})`;
const vertex = `
  attribute float wear;
  varying vec3 vPoint; varying float vWear;
  void main() {
    vPoint = (modelViewMatrix * vec4(position, 1.0)).xyz;
    vWear = wear;
    gl_Position = projectionMatrix * vec4(vPoint, 1.0);
  }`;
// The normal of what is seen points to the viewer, whichever way the triangle is turned.
const head = `
  uniform vec3 content; uniform float clear;
  varying vec3 vPoint; varying float vWear;
  vec3 normalThere() { return normalize(cross(dFdx(vPoint), dFdy(vPoint))); }
  bool before() { return dot(content - vPoint, normalThere()) < 0.0; }
`;
const solidFragment = head + `
  void main() {
    if (cutAway(vPoint)) discard;
    if (picking > 0.5) { gl_FragColor = vec4(0.0); return; }
    gl_FragColor = painted(lit(mix(${vec3(STEEL)}, ${vec3(WORN)}, sqrt(vWear)), normalThere()), 1.0);
  }`;
// Those behind the bodies first, then those before them.
const veilFragment = (front: boolean) => head + `
  void main() {
    if (cutAway(vPoint) || before() != ${front}) discard;
    float w = sqrt(vWear) * ${front ? '(1.0 - clear)' : '1.0'};
    gl_FragColor = painted(mix(${vec3(UNWORN)}, ${vec3(WORN)}, w), mix(${VEIL}, 0.95, w));
  }`;
const edgeFragment = head + `
  void main() {
    if (cutAway(vPoint)) discard;
    gl_FragColor = painted(vec3(0.42, 0.447, 0.502), 0.75);
  }`;

// Within the box of another that is larger; an axle may stand out.
function isInner(box: Bounds, others: Bounds[]): boolean {
  return others.some((outer) => {
    const size = diagonalOf(outer), margin = 0.05 * size;
    return diagonalOf(box) < size && [0, 1, 2].every((d) => box.low[d] >= outer.low[d] - margin && box.high[d] <= outer.high[d] + margin);
  });
}

interface Drawn { surface: Parcel; faces: any; edges: any; group: any; solid: any; veils: any[] }

export class Meshes {
  readonly solids = new THREE.Group();  // drawn while things are picked too: they hide what lies behind
  readonly veils = new THREE.Group();
  readonly lines: Capsules;             // of the plane
  mostWorn = 0;                         // work of friction per area that is drawn darkest; 0: none is shown
  private drawn = new Map<number, Drawn>();
  private solid: any;
  private behind: any;
  private before: any;
  private edge: any;
  private uniforms = { content: { value: new THREE.Vector3() }, clear: { value: 1 } };
  private middle = new THREE.Vector3();  // of the bodies

  constructor(private shared: Shared) {
    const of = (fragment: string, more: any) => material(shared, vertex, fragment, { side: THREE.DoubleSide, extensions: { derivatives: true }, ...more }, this.uniforms);
    this.solid = of(solidFragment, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.behind = of(veilFragment(false), { transparent: true, depthWrite: false });
    this.before = of(veilFragment(true), { transparent: true, depthWrite: false });
    this.edge = of(edgeFragment, { transparent: true });
    this.lines = new Capsules(shared, false);
    this.lines.end();
  }

  private make(surface: Parcel): Drawn {
    const geometry = (name: string) => {
      const made = new THREE.BufferGeometry(), points = surface.array(name) as Float32Array;
      made.setAttribute('position', new THREE.BufferAttribute(points, 3));
      made.setAttribute('wear', new THREE.BufferAttribute(new Float32Array(points.length / 3), 1));
      return made;
    };
    const faces = geometry('corner'), edges = geometry('edge'), group = new THREE.Group();
    const add = (made: any, order: number) => { made.frustumCulled = false; made.renderOrder = order; group.add(made); return made; };
    const solid = new THREE.Mesh(faces, this.solid);
    solid.frustumCulled = false;
    const veils = [add(new THREE.Mesh(faces, this.behind), 1), add(new THREE.Mesh(faces, this.before), 2)];
    add(new THREE.LineSegments(edges, this.edge), 3);
    return { surface, faces, edges, group, solid, veils };
  }

  // `wear`: work of friction per area of every face of each wall, where it is told. `clear`: bodies are to be seen through worn faces before them.
  set(frame: Frame, origin: number[], shown: boolean, wear: (Float32Array | null)[] | null, mostWorn: number, clear: boolean) {
    const plane = !!frame.angle, walls: any[] = frame.header.walls;
    this.mostWorn = mostWorn;
    this.solids.visible = this.veils.visible = shown && !plane;
    this.lines.begin(1);
    if (shown && plane) this.setLines(walls, origin, wear, mostWorn, frame.bodies.size);
    this.lines.end();
    if (plane) return;
    this.uniforms.clear.value = clear ? 1 : 0;
    this.findMiddle(frame);
    const boxes = walls.map((wall) => (wall.shape === 'mesh' ? boundsOfMesh(wall, origin, false) : null));
    walls.forEach((wall, k) => {
      if (wall.shape !== 'mesh') return;
      let drawn = this.drawn.get(k);
      if (drawn?.surface !== wall.surface) this.drop(k);
      drawn = this.drawn.get(k) ?? this.make(wall.surface);
      this.drawn.set(k, drawn);
      const inner = isInner(boxes[k]!, boxes.filter((b, j) => b && j !== k) as Bounds[]);
      for (const veil of drawn.veils) veil.visible = !inner;
      drawn.solid.visible = inner;
      this.veils.add(drawn.group);
      this.solids.add(drawn.solid);
      this.tint(drawn, wear?.[k] ?? null);
      for (const part of [drawn.group, drawn.solid]) this.put(part, wall, origin);
    });
  }

  // Before a picture is drawn: where the bodies are, as the eye sees it.
  prepare(toEye: any) { this.uniforms.content.value.copy(this.middle).applyMatrix4(toEye); }

  private findMiddle(frame: Frame) {
    const p = frame.position, { count, kind } = frame.bodies, sum = [0, 0, 0], stride = Math.max(1, Math.floor(count / 5000));
    let free = 0;
    for (let k = 0; k < count; k += stride) if (kind[k] === 0) { ++free; for (let d = 0; d < 3; ++d) sum[d] += p[3 * k + d]; }
    this.middle.set(...sum.map((x) => x / Math.max(1, free)));
  }

  private tint(drawn: Drawn, wear: Float32Array | null) {
    const attribute = drawn.faces.getAttribute('wear'), values = attribute.array as Float32Array;
    for (let k = 0; k < values.length; ++k) values[k] = wear && this.mostWorn > 0 ? Math.min(1, Math.max(0, wear[Math.floor(k / 3)] / this.mostWorn)) : 0;
    attribute.needsUpdate = true;
  }

  private put(part: any, wall: any, origin: number[]) {
    part.position.set(...wall.point.map((x: number, d: number) => x - origin[d]));
    if (!wall.turn) return;
    const m = new THREE.Matrix4(), [a, b, c] = wall.turn;
    m.set(a[0], a[1], a[2], 0, b[0], b[1], b[2], 0, c[0], c[1], c[2], 0, 0, 0, 0, 1);
    part.quaternion.setFromRotationMatrix(m);
  }

  private setLines(walls: any[], origin: number[], wear: (Float32Array | null)[] | null, mostWorn: number, size: number) {
    const meshes = walls.map((wall, k) => ({ wall, k })).filter(({ wall }) => wall.shape === 'mesh');
    this.lines.begin(meshes.reduce((n, { wall }) => n + wall.surface.array('edge').length / 6, 1));
    for (const { wall, k } of meshes) {
      const points = wall.surface.array('edge'), turn = wall.turn ?? [[1, 0, 0], [0, 1, 0]];
      const at = (i: number, d: number) => wall.point[d] - origin[d] + turn[d][0] * points[i] + turn[d][1] * points[i + 1];
      for (let i = 0; i + 5 < points.length; i += 6) {
        const colour = wear?.[k] && mostWorn > 0 ? wornColour(wear[k]![i / 6] / mostWorn, LINE) : LINE;
        this.lines.add(at(i, 0), at(i, 1), 0, at(i + 3, 0), at(i + 3, 1), 0, 0.12 * size, colour[0], colour[1], colour[2], 0);
      }
    }
  }

  private drop(k: number) {
    const drawn = this.drawn.get(k);
    if (!drawn) return;
    this.veils.remove(drawn.group);
    this.solids.remove(drawn.solid);
    drawn.faces.dispose();
    drawn.edges.dispose();
    this.drawn.delete(k);
  }
}
