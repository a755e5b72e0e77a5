// Vectors of the bodies as arrows: shaft and head of one small mesh, instanced.

import * as THREE from 'three';
import { high, neat } from './high';
import { Instances, Shared, material } from './shading';

// Along x, from 0 to 1; the sides scale with the thickness, the head is three thicknesses long.
function arrowMesh() {
  const position: number[] = [], normal: number[] = [], sides = 10;
  const ring = (k: number) => [Math.cos((2 * Math.PI * k) / sides), Math.sin((2 * Math.PI * k) / sides)];
  const put = (x: number, y: number, z: number, n: number[]) => { position.push(x, y, z); normal.push(...n); };
  for (let k = 0; k < sides; ++k) {
    const [c, s] = ring(k), [d, t] = ring(k + 1), m = ring(k + 0.5);
    const a = [0, c, s], b = [0, d, t], flat = [0.3, m[0], m[1]];
    put(0, 0.35 * c, 0.35 * s, a); put(2, 0.35 * c, 0.35 * s, a); put(2, 0.35 * d, 0.35 * t, b);  // 2: where the head begins
    put(0, 0.35 * c, 0.35 * s, a); put(2, 0.35 * d, 0.35 * t, b); put(0, 0.35 * d, 0.35 * t, b);
    put(2, c, s, flat); put(1, 0, 0, flat); put(2, d, t, flat);
    put(2, 0, 0, [-1, 0, 0]); put(2, c, s, [-1, 0, 0]); put(2, d, t, [-1, 0, 0]);
  }
  return { position, normal };
}

const vertex = `
  attribute vec3 from; attribute vec3 vector;
  uniform float thickness; uniform float stretch;
  varying vec3 vPoint; varying vec3 vNormal;
  void main() {
    float size = length(vector) * stretch, thick = min(thickness, 0.25 * size);
    if (size <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    vec3 x = normalize(vector), y = normalize(cross(x, abs(x.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0))), z = cross(x, y);
    float along = position.x > 1.5 ? size - 3.0 * thick : position.x * size;
    vec3 p = from + along * x + thick * (position.y * y + position.z * z);
    vPoint = (modelViewMatrix * vec4(p, 1.0)).xyz;
    vNormal = (modelViewMatrix * vec4(normal.x * x + normal.y * y + normal.z * z, 0.0)).xyz;
    gl_Position = projectionMatrix * vec4(vPoint, 1.0);
  }`;
const fragment = `
  uniform vec3 colour;
  varying vec3 vPoint; varying vec3 vNormal;
  void main() {
    if (picking > 0.5 || cutAway(vPoint)) discard;
    gl_FragColor = painted(lit(colour, normalize(vNormal)), 1.0);
  }`;

export class Arrows {
  readonly mesh: any;
  private uniforms = { thickness: { value: 1 }, stretch: { value: 1 }, colour: { value: new THREE.Vector3(0.1, 0.1, 0.12) } };
  private instances = new Instances(arrowMesh(), { from: { components: 3 }, vector: { components: 3 } });

  constructor(shared: Shared, onTop: boolean) {
    this.mesh = new THREE.Mesh(this.instances.geometry, material(shared, vertex, fragment, { side: THREE.DoubleSide, depthTest: !onTop, transparent: onTop }, this.uniforms));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 11;
  }

  // Those of rows with a radius; the longest (but for a few) becomes `length`. Returns the value that is so long.
  set(position: Float32Array, vector: Float32Array, radius: Float32Array, length: number): number {
    const rows: number[] = [], sizes: number[] = [];
    for (let k = 0; k < radius.length; ++k) {
      const size = Math.hypot(vector[3 * k], vector[3 * k + 1], vector[3 * k + 2]);
      if (radius[k] > 0 && size > 0) { rows.push(k); sizes.push(size); }
    }
    const out = this.instances.reserve(Math.max(1, rows.length));
    rows.forEach((row, k) => {
      for (let d = 0; d < 3; ++d) { out.from[3 * k + d] = position[3 * row + d]; out.vector[3 * k + d] = vector[3 * row + d]; }
    });
    this.instances.count = rows.length;
    this.mesh.geometry = this.instances.geometry;
    const long = neat(high(sizes.length, (k) => sizes[k]));
    this.uniforms.stretch.value = long > 0 ? length / long : 1;
    this.uniforms.thickness.value = 0.1 * length;
    this.mesh.visible = rows.length > 0;
    return long;
  }
}
