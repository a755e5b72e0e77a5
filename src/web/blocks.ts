// Bodies that are not round. Where they are stands in a texture, three texels each, so that a frame costs one upload however many
// shapes there are. A shape of many bodies is drawn by instancing, shapes of one body each are drawn together.

import * as THREE from 'three';
import { Bodies } from './run';
import { Shared, kindsOfPick, material, setFaint } from './shading';

const WIDTH = 1024;

const place = `
  uniform sampler2D states;
  attribute float block;
  vec4 texel(int k) {
    int at = 3 * int(block + 0.5) + k;
    return texelFetch(states, ivec2(at % ${WIDTH}, at / ${WIDTH}), 0);
  }
  vec3 turned(vec4 q, vec3 v) { vec3 t = 2.0 * cross(q.yzw, v); return v + q.x * t + cross(q.yzw, t); }
`;
const faceVertex = place + `
  varying vec3 vPoint; varying vec3 vNormal; flat varying vec3 vTint; flat varying float vNumber;
  void main() {
    vec4 centre = texel(0), turn = texel(1);
    vTint = texel(2).rgb; vNumber = block;
    vPoint = (modelViewMatrix * vec4(centre.xyz + turned(turn, position), 1.0)).xyz;
    vNormal = (modelViewMatrix * vec4(turned(turn, normal), 0.0)).xyz;
    gl_Position = centre.w > 0.5 ? projectionMatrix * vec4(vPoint, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  }`;
const faceFragment = (flat: boolean) => `
  varying vec3 vPoint; varying vec3 vNormal; flat varying vec3 vTint; flat varying float vNumber;
  void main() {
    if (cutAway(vPoint)) discard;
    if (picking > 0.5) { gl_FragColor = numberColour(vNumber, ${kindsOfPick.block}.0); return; }
    gl_FragColor = painted(${flat ? 'vTint' : 'gl_FrontFacing ? lit(vTint, normalize(vNormal)) : vTint * 0.55'}, fade);
  }`;
const edgeVertex = place + `
  varying vec3 vPoint; flat varying vec3 vTint;
  void main() {
    vec4 centre = texel(0);
    vTint = texel(2).rgb * 0.35;
    vPoint = (modelViewMatrix * vec4(centre.xyz + turned(texel(1), position), 1.0)).xyz;
    gl_Position = centre.w > 0.5 ? projectionMatrix * vec4(vPoint, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  }`;
const edgeFragment = `
  varying vec3 vPoint; flat varying vec3 vTint;
  void main() {
    if (picking > 0.5 || cutAway(vPoint)) discard;
    gl_FragColor = painted(vTint, fade);
  }`;

export class Blocks {
  readonly group = new THREE.Group();
  readonly faces: any;
  readonly edges: any;
  private states: any = null;
  private hash = '';
  private uniform = { value: null as any };

  constructor(shared: Shared, flat: boolean) {
    const uniforms = { states: this.uniform };
    this.faces = material(shared, faceVertex, faceFragment(flat), { side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }, uniforms);
    this.edges = material(shared, edgeVertex, edgeFragment, {}, uniforms);
  }

  // Geometry of the shapes, made once for frames that have the same bodies.
  private prepare(bodies: Bodies) {
    if (bodies.hash === this.hash) return;
    this.hash = bodies.hash;
    for (const child of [...this.group.children]) { this.group.remove(child); child.geometry.dispose(); }
    const count = bodies.blocks.length, height = Math.max(1, Math.ceil(3 * count / WIDTH));
    if (this.states) this.states.dispose();
    this.states = new THREE.DataTexture(new Float32Array(4 * WIDTH * height), WIDTH, height, THREE.RGBAFormat, THREE.FloatType);
    this.states.minFilter = this.states.magFilter = THREE.NearestFilter;
    this.uniform.value = this.states;
    if (count === 0) return;
    const ofShape = new Map<number, number[]>();
    bodies.blocks.forEach((row, k) => {
      const shape = bodies.shape[row];
      if (!ofShape.has(shape)) ofShape.set(shape, []);
      ofShape.get(shape)!.push(k);
    });
    const single: [number, number][] = [];
    for (const [shape, blocks] of ofShape) {
      if (blocks.length === 1) single.push([shape, blocks[0]]);
      else this.add(bodies, [[shape, -1]], blocks);
    }
    for (let k = 0; k < single.length; k += 2000) this.add(bodies, single.slice(k, k + 2000), null);
  }

  // Shapes with the block that each belongs to, or one shape with all its blocks as instances.
  private add(bodies: Bodies, members: [number, number][], instances: number[] | null) {
    const surface = bodies.shapes!;
    const build = (what: string, first: Int32Array, Mesh: any, paint: any, withNormals: boolean) => {
      const total = members.reduce((sum, [s]) => sum + first[s + 1] - first[s], 0);
      if (total === 0) return;
      const from = surface.array(what) as Float32Array, normals = withNormals ? surface.array('normal') as Float32Array : null;
      const position = new Float32Array(3 * total), normal = new Float32Array(withNormals ? 3 * total : 0), block = new Float32Array(total);
      let at = 0;
      for (const [s, k] of members) {
        position.set(from.subarray(3 * first[s], 3 * first[s + 1]), 3 * at);
        if (normals) normal.set(normals.subarray(3 * first[s], 3 * first[s + 1]), 3 * at);
        block.fill(k, at, at + first[s + 1] - first[s]);
        at += first[s + 1] - first[s];
      }
      const geometry = instances ? new THREE.InstancedBufferGeometry() : new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
      if (normals) geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 3));
      if (instances) {
        geometry.setAttribute('block', new THREE.InstancedBufferAttribute(Float32Array.from(instances), 1));
        geometry.maxInstancedCount = instances.length;
      } else geometry.setAttribute('block', new THREE.BufferAttribute(block, 1));
      const mesh = new Mesh(geometry, paint);
      mesh.frustumCulled = false;
      this.group.add(mesh);
    };
    build('corner', surface.array('first_corner') as Int32Array, THREE.Mesh, this.faces, true);
    build('edge', surface.array('first_edge') as Int32Array, THREE.LineSegments, this.edges, false);
  }

  set(bodies: Bodies, position: Float32Array, turn: Float32Array, radius: Float32Array, tint: Uint8Array) {
    this.prepare(bodies);
    const data = this.states.image.data as Float32Array;
    bodies.blocks.forEach((row, k) => {
      data.set([position[3 * row], position[3 * row + 1], position[3 * row + 2], radius[row] > 0 ? 1 : 0,
        turn[4 * k], turn[4 * k + 1], turn[4 * k + 2], turn[4 * k + 3],
        tint[3 * row] / 255, tint[3 * row + 1] / 255, tint[3 * row + 2] / 255, 1], 12 * k);
    });
    this.states.needsUpdate = true;
  }

  set faint(faint: boolean) { setFaint(this.faces, faint); setFaint(this.edges, faint); }
}
