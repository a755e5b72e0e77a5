// Balls and discs without meshes: a quad each, on which the sphere is found by a ray. Cut by a plane, a ball shows a flat face.

import * as THREE from 'three';
import { Instances, Shared, kindsOfPick, material, quad, setFaint, smoothRims } from './shading';

const head = `
  attribute vec3 centre; attribute float radius; attribute vec4 tint; attribute float angle;
  flat varying vec3 vCentre; flat varying float vRadius; flat varying vec3 vTint; flat varying float vNumber; flat varying float vAngle;
  varying vec3 vPoint;
`;
const pass = 'vRadius = radius; vTint = tint.rgb; vNumber = float(gl_InstanceID); vAngle = angle;';

// The quad stands across the sight and holds the silhouette, which perspective makes larger than the radius.
const ballVertex = head + `
  void main() {
    vec3 c = (modelViewMatrix * vec4(centre, 1.0)).xyz;
    ${pass} vCentre = c; vPoint = c;
    if (radius <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    float far = dot(c, c);
    vec3 toEye = orthographic > 0.5 ? vec3(0.0, 0.0, 1.0) : -c * inversesqrt(far);
    vec3 side = normalize(cross(abs(toEye.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), toEye)), up = cross(toEye, side);
    float reach = 1.03 * radius * (orthographic > 0.5 ? 1.0 : sqrt(far / max(far - radius * radius, 0.01 * far)));
    vPoint = c + reach * (position.x * side + position.y * up);
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
    vec3 c = (modelViewMatrix * vec4(centre, 1.0)).xyz;
    ${pass} vCentre = c; vPoint = vec3(position.xy, 0.0);
    gl_Position = radius > 0.0 ? projectionMatrix * vec4(c + (modelViewMatrix * vec4(radius * 1.02 * position, 0.0)).xyz, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
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
  private instances: Instances;

  constructor(shared: Shared, private flat: boolean) {
    this.instances = new Instances(quad, { centre: { components: 3 }, radius: { components: 1 }, tint: { components: 4, bytes: true }, angle: { components: 1 } });
    this.material = flat ? material(shared, discVertex, discFragment, { transparent: true, depthWrite: false, side: THREE.DoubleSide, extensions: { derivatives: true } })
      : material(shared, ballVertex, ballFragment, { extensions: { fragDepth: true, derivatives: true } });
    this.mesh = new THREE.Mesh(this.instances.geometry, this.material);
    this.mesh.frustumCulled = false;
    if (!flat) smoothRims(this.mesh);
  }

  // Those of `rows`; colours three per row of the frame; a row that is hidden has radius 0 in `radius`.
  set(rows: Int32Array, position: Float32Array, radius: Float32Array, tint: Uint8Array, angle: Float32Array | null) {
    const out = this.instances.reserve(rows.length);
    for (let k = 0; k < rows.length; ++k) {
      const row = rows[k];
      out.centre[3 * k] = position[3 * row];
      out.centre[3 * k + 1] = position[3 * row + 1];
      out.centre[3 * k + 2] = position[3 * row + 2];
      out.radius[k] = radius[row];
      out.tint[4 * k] = tint[3 * row];
      out.tint[4 * k + 1] = tint[3 * row + 1];
      out.tint[4 * k + 2] = tint[3 * row + 2];
      if (angle) out.angle[k] = angle[row];
    }
    this.mesh.geometry = this.instances.geometry;
  }

  set faint(faint: boolean) { if (!this.flat) setFaint(this.material, faint); }
}
