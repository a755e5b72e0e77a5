// Balls and discs without meshes: a quad each, on which the sphere is found by a ray. Cut by a plane, a ball shows a flat face.

import * as THREE from 'three';
import { Quads, quadHead } from './quads';
import { Sight, seenBalls } from './seen';
import { Shared, kindsOfPick, material, setFaint, smoothRims } from './shading';

// Four numbers of each: centre and radius; of a disc, the angle in the place of z.
const head = quadHead(1) + `
  flat varying vec3 vCentre; flat varying float vRadius; flat varying vec3 vTint; flat varying float vNumber; flat varying float vAngle;
  varying vec3 vPoint;
`;
const pass = 'vRadius = radius; vTint = quadTint(); vNumber = quadIndex();';

// The quad stands across the sight and holds the silhouette, which perspective makes larger than the radius.
const ballVertex = head + `
  void main() {
    vec4 numbers = quadNumber(0);
    float radius = numbers.w;
    vec3 c = (modelViewMatrix * vec4(numbers.xyz, 1.0)).xyz;
    ${pass} vAngle = 0.0; vCentre = c; vPoint = c;
    if (radius <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    float far = dot(c, c);
    vec3 toEye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : -c * inversesqrt(far);
    vec3 side = normalize(cross(abs(toEye.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), toEye)), up = cross(toEye, side);
    float reach = 1.03 * radius * (orthographic > 0.5 ? 1.0 : sqrt(far / max(far - radius * radius, 0.01 * far)));
    vec2 corner = quadCorner();
    vPoint = c + reach * (corner.x * side + corner.y * up);
    gl_Position = projectionMatrix * vec4(vPoint, 1.0);
  }`;
const ballFragment = `
  flat varying vec3 vCentre; flat varying float vRadius; flat varying vec3 vTint; flat varying float vNumber; flat varying float vAngle;
  varying vec3 vPoint;
  void main() {
    vec3 origin, direction;
    rayThrough(vPoint, origin, direction);
    vec3 toCentre = vCentre - origin;
    float along = dot(toCentre, direction);
    vec3 across = toCentre - along * direction;
    float away = length(across), covered = picking > 0.5 ? step(away, vRadius) : clamp((vRadius - away) / fwidth(away) + 0.5, 0.0, 1.0);
    if (covered <= 0.0) discard;
    float inside = max(0.0, vRadius * vRadius - away * away);
    float enter = along - sqrt(inside), leave = along + sqrt(inside);
    vec3 normal = (origin + enter * direction - vCentre) / vRadius;
    bool cut = false;
    for (int k = 0; k < 6; ++k) {
      float slope = dot(planes[k].xyz, direction), height = dot(planes[k].xyz, origin) + planes[k].w;
      if (abs(slope) < 1e-9) { if (height < 0.0) discard; continue; }
      float at = -height / slope;
      if (slope > 0.0) { if (at > enter) { enter = at; normal = -planes[k].xyz; cut = true; } } else leave = min(leave, at);
    }
    if (enter > leave) discard;
    gl_FragDepthEXT = depthOf(origin + enter * direction);
    if (picking > 0.5) { gl_FragColor = numberColour(vNumber, ${kindsOfPick.ball}.0); return; }
    float rim = cut ? 1.0 : smoothstep(0.0, 0.45, abs(dot(normal, direction)));
    gl_FragColor = painted(cut ? vTint * 0.92 : lit(vTint, normal) * mix(0.72, 1.0, rim), fade * covered);
  }`;

// Flat, with an outline and a mark that turns with the disc.
const discVertex = head + `
  void main() {
    vec4 numbers = quadNumber(0);
    float radius = numbers.w;
    vec3 c = (modelViewMatrix * vec4(numbers.xy, 0.0, 1.0)).xyz;
    ${pass} vAngle = numbers.z; vCentre = c; vPoint = vec3(quadCorner(), 0.0);
    gl_Position = radius > 0.0 ? projectionMatrix * vec4(c + (modelViewMatrix * vec4(radius * 1.02 * vPoint, 0.0)).xyz, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  }`;
const discFragment = `
  flat varying vec3 vCentre; flat varying float vRadius; flat varying vec3 vTint; flat varying float vNumber; flat varying float vAngle;
  varying vec3 vPoint;
  void main() {
    vec2 p = 1.02 * vPoint.xy;
    float distance = length(p), pixel = fwidth(distance);
    if (distance > 1.0 || cutAway(vCentre + vec3(vRadius * p, 0.0))) discard;
    if (picking > 0.5) { gl_FragColor = numberColour(vNumber, ${kindsOfPick.ball}.0); return; }
    float rim = smoothstep(1.0 - 1.8 * pixel, 1.0 - 0.6 * pixel, distance);
    float turned = abs(dot(p, vec2(-sin(vAngle), cos(vAngle)))), ahead = dot(p, vec2(cos(vAngle), sin(vAngle)));
    float mark = pixel < 0.12 && ahead > 0.55 ? 1.0 - smoothstep(0.5 * pixel, 1.5 * pixel, turned - 0.02) : 0.0;
    vec3 colour = mix(vTint, vTint * 0.35, max(rim, 0.5 * mark));
    gl_FragColor = painted(colour, fade * (1.0 - smoothstep(1.0 - pixel, 1.0, distance)));
  }`;

export class Balls {
  readonly mesh: any;
  readonly material: any;
  drawn = new Int32Array(0);  // rows, in the order of the numbers that picking finds
  private quads = new Quads(1);
  private given: { rows: Int32Array; position: Float32Array; radius: Float32Array; tint: Uint8Array; angle: Float32Array | null } | null = null;

  constructor(shared: Shared, private flat: boolean) {
    this.material = flat ? material(shared, discVertex, discFragment, { transparent: true, depthWrite: false, side: THREE.DoubleSide, extensions: { derivatives: true } }, this.quads.uniforms)
      : material(shared, ballVertex, ballFragment, { extensions: { fragDepth: true, derivatives: true } }, this.quads.uniforms);
    this.mesh = new THREE.Mesh(this.quads.geometry, this.material);
    this.mesh.frustumCulled = false;
    if (!flat) smoothRims(this.mesh);
  }

  // Those of `rows`; colours three per row of the frame; a row that is hidden has radius 0 in `radius`.
  set(rows: Int32Array, position: Float32Array, radius: Float32Array, tint: Uint8Array, angle: Float32Array | null) {
    this.given = { rows, position, radius, tint, angle };
    this.fill(rows);
  }

  setAll() { if (this.given && this.drawn !== this.given.rows) this.fill(this.given.rows); }

  // Only those that are seen from there.
  setSeen(sight: Sight) {
    if (this.given) this.fill(seenBalls(this.given.rows, this.given.position, this.given.radius, sight));
  }

  private fill(rows: Int32Array) {
    const { position, radius, tint, angle } = this.given!, { numbers, tint: tints } = this.quads.reserve(rows.length);
    for (let k = 0; k < rows.length; ++k) {
      const row = rows[k];
      numbers[4 * k] = position[3 * row];
      numbers[4 * k + 1] = position[3 * row + 1];
      numbers[4 * k + 2] = angle ? angle[row] : position[3 * row + 2];
      numbers[4 * k + 3] = radius[row];
      for (let d = 0; d < 3; ++d) tints[4 * k + d] = tint[3 * row + d];
    }
    this.drawn = rows;
  }

  set faint(faint: boolean) { if (!this.flat) setFaint(this.material, faint); }
}
