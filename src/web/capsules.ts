// Segments with round ends, found by rays on a quad each: force chains and lines of thrust.

import * as THREE from 'three';
import { Quads, quadHead } from './quads';
import { Shared, kindsOfPick, material } from './shading';

// Eight numbers of each: one end and the width, the other end and the number that picking finds.
const vertex = quadHead(2) + `
  flat varying vec3 vFrom; flat varying vec3 vTo; flat varying float vWidth; flat varying vec3 vTint; flat varying float vNumber;
  varying vec3 vPoint;
  void main() {
    vec4 from = quadNumber(0), to = quadNumber(1);
    vec2 corner = quadCorner();
    float width = from.w;
    vec3 a = (modelViewMatrix * vec4(from.xyz, 1.0)).xyz, b = (modelViewMatrix * vec4(to.xyz, 1.0)).xyz;
    vFrom = a; vTo = b; vWidth = width; vTint = quadTint(); vNumber = to.w; vPoint = a;
    if (width <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    vec3 middle = 0.5 * (a + b), toEye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : -normalize(middle), axis = b - a;
    vec3 side = cross(axis, toEye);
    float size = length(side);
    side = size > 1e-6 * length(axis) && size > 0.0 ? side / size : normalize(cross(toEye, vec3(0.31, 0.95, 0.0)));
    vec3 ahead = cross(toEye, side);
    if (dot(ahead, axis) < 0.0) ahead = -ahead;
    float reach = 1.15 * width;
    vPoint = (corner.x < 0.0 ? a - reach * ahead : b + reach * ahead) + reach * corner.y * side;
    gl_Position = projectionMatrix * vec4(vPoint, 1.0);
  }`;
// Nearest point of the ray on the cylinder between the ends, else on the ball at the nearer end.
const fragment = `
  flat varying vec3 vFrom; flat varying vec3 vTo; flat varying float vWidth; flat varying vec3 vTint; flat varying float vNumber;
  varying vec3 vPoint;
  float ballAt(vec3 centre, vec3 origin, vec3 direction) {
    vec3 toCentre = centre - origin;
    float along = dot(toCentre, direction);
    vec3 across = toCentre - along * direction;
    float inside = vWidth * vWidth - dot(across, across);
    return inside < 0.0 ? 1e30 : along - sqrt(inside);
  }
  void main() {
    vec3 origin, direction;
    rayThrough(vPoint, origin, direction);
    vec3 axis = vTo - vFrom, shift = origin - vFrom;
    float square = dot(axis, axis), hit = 1e30;
    if (square > 0.0) {
      // What is left of ray and origin across the axis.
      vec3 u = direction - dot(direction, axis) / square * axis, w = shift - dot(shift, axis) / square * axis;
      float a = dot(u, u), b = dot(u, w), c = dot(w, w) - vWidth * vWidth, root = b * b - a * c;
      if (a > 1e-12 && root >= 0.0) {
        float t = (-b - sqrt(root)) / a, place = dot(shift + t * direction, axis) / square;
        if (place >= 0.0 && place <= 1.0) hit = t;
      }
    }
    hit = min(hit, min(ballAt(vFrom, origin, direction), ballAt(vTo, origin, direction)));
    if (hit > 1e29) discard;
    vec3 p = origin + hit * direction;
    if (cutAway(p)) discard;
    gl_FragDepthEXT = depthOf(p);
    if (picking > 0.5) { gl_FragColor = numberColour(vNumber, ${kindsOfPick.contact}.0); return; }
    float place = square > 0.0 ? clamp(dot(p - vFrom, axis) / square, 0.0, 1.0) : 0.0;
    gl_FragColor = painted(lit(vTint, (p - vFrom - place * axis) / vWidth), 1.0);
  }`;

export class Capsules {
  readonly mesh: any;
  readonly material: any;
  private quads = new Quads(2);
  private next = 0;
  private out = this.quads.reserve(1);

  constructor(shared: Shared, onTop: boolean) {
    this.material = material(shared, vertex, fragment, { extensions: { fragDepth: true, derivatives: true }, depthTest: !onTop, transparent: onTop, side: THREE.DoubleSide },
      this.quads.uniforms);
    this.mesh = new THREE.Mesh(this.quads.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = onTop ? 10 : 0;
  }

  begin(most: number) {
    this.out = this.quads.reserve(Math.max(1, most));
    this.next = 0;
  }
  add(ax: number, ay: number, az: number, bx: number, by: number, bz: number, width: number, r: number, g: number, b: number, number: number) {
    const k = this.next++, { numbers, tint } = this.out;
    numbers.set([ax, ay, az, width, bx, by, bz, number], 8 * k);
    tint.set([r, g, b, 255], 4 * k);
  }
  end() { this.quads.count = this.next; this.mesh.visible = this.next > 0; }
}
