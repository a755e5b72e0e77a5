// What all shaders of the picture share: uniforms, clip planes, light, numbers for picking.

import * as THREE from 'three';

export const MOST_PLANES = 6;

// One set for the whole picture; materials refer to these objects.
export function sharedUniforms() {
  const planes = Array.from({ length: MOST_PLANES }, () => new THREE.Vector4(0, 0, 0, 1));
  return {
    planes: { value: planes },        // in the frame of the eye: kept where xyz . p + w >= 0
    orthographic: { value: 0 },
    picking: { value: 0 },            // 1: colours are numbers
    fade: { value: 1 },               // opacity of bodies
    veil: { value: 0 },               // images in a periodic cell are paler: this much of the background
    ground: { value: new THREE.Vector3(1, 1, 1) },
  };
}
export type Shared = ReturnType<typeof sharedUniforms>;

export const common = `
  uniform vec4 planes[${MOST_PLANES}];
  uniform float orthographic;
  uniform float picking;
  uniform float fade;
  uniform float veil;
  uniform vec3 ground;

  vec4 painted(vec3 colour, float opacity) { return vec4(mix(colour, ground, veil), opacity); }
  // The ray through a point of the picture, in the frame of the eye.
  void rayThrough(vec3 point, out vec3 origin, out vec3 direction) {
    origin = orthographic > 0.5 ? vec3(point.xy, 0.0) : vec3(0.0);
    direction = orthographic > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(point);
  }
  bool cutAway(vec3 p) {
    for (int k = 0; k < ${MOST_PLANES}; ++k) if (dot(planes[k].xyz, p) + planes[k].w < 0.0) return true;
    return false;
  }
  float depthOf(vec3 p) {
    vec4 clip = projectionMatrix * vec4(p, 1.0);
    return 0.5 * clip.z / clip.w + 0.5;
  }
  vec4 numberColour(float number, float kind) {
    return vec4(mod(floor(number / 65536.0), 256.0), mod(floor(number / 256.0), 256.0), mod(number, 256.0), kind) / 255.0;
  }
  // Light over the left shoulder of the viewer, a little of it from everywhere.
  vec3 lit(vec3 colour, vec3 normal) {
    float light = max(0.0, dot(normal, normalize(vec3(-0.35, 0.5, 0.8))));
    return colour * (0.42 + 0.62 * light);
  }
`;

export const kindsOfPick = { ball: 1, block: 2, contact: 3 };

export function material(shared: Shared, vertex: string, fragment: string, more: any = {}, uniforms: any = {}): any {
  return new THREE.ShaderMaterial({
    uniforms: { ...shared, ...uniforms },
    vertexShader: common + vertex,
    fragmentShader: 'uniform mat4 projectionMatrix;\n' + common + fragment,
    ...more,
  });
}

// The same material for the images of a periodic cell.
const pale = new WeakMap<any, any>();
export function veiled(target: any): any {
  if (!target.isShaderMaterial) return target;
  if (!pale.has(target)) {
    const copy = new THREE.ShaderMaterial({ vertexShader: target.vertexShader, fragmentShader: target.fragmentShader, side: target.side,
      extensions: target.extensions, polygonOffset: target.polygonOffset, polygonOffsetFactor: target.polygonOffsetFactor, polygonOffsetUnits: target.polygonOffsetUnits });
    copy.uniforms = { ...target.uniforms, veil: { value: 0.55 } };
    pale.set(target, copy);
  }
  const copy = pale.get(target);
  copy.depthTest = target.depthTest;
  if (copy.transparent !== target.transparent) copy.needsUpdate = true;
  [copy.transparent, copy.depthWrite] = [target.transparent, target.depthWrite];
  return copy;
}

// Bodies that are seen through, or solid.
export function setFaint(target: any, faint: boolean) {
  if (target.transparent === faint) return;
  target.transparent = faint;
  target.depthWrite = !faint;
  target.needsUpdate = true;
}

// Rims that a shader finds by itself are smoothed by letting its opacity decide how many samples of a pixel are covered.
export function smoothRims(mesh: any) {
  const set = (on: boolean) => (renderer: any, _scene: any, _camera: any, _geometry: any, paint: any) => {
    const gl = renderer.getContext();
    if (on && !paint.transparent && !paint.uniforms.picking.value) gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE); else gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
  };
  mesh.onBeforeRender = set(true);
  mesh.onAfterRender = set(false);
}

// An instanced geometry whose arrays grow when they must; `specification`: name -> components (bytes: normalised u8).
export class Instances {
  geometry: any;
  private capacity = 0;
  private arrays = new Map<string, any>();

  constructor(private base: { position: number[]; normal?: number[]; index?: number[] },
    private specification: Record<string, { components: number; bytes?: boolean }>) {
    this.geometry = new THREE.InstancedBufferGeometry();
    this.reserve(1);
    this.count = 0;
  }

  set count(n: number) { this.geometry.maxInstancedCount = n; }

  // For `count` instances; what was in the arrays is lost.
  reserve(count: number): Record<string, any> {
    if (count > this.capacity) {
      this.capacity = Math.ceil(1.2 * count);
      this.geometry.dispose();
      this.geometry = new THREE.InstancedBufferGeometry();
      this.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(this.base.position), 3));
      if (this.base.normal) this.geometry.setAttribute('normal', new THREE.BufferAttribute(new Float32Array(this.base.normal), 3));
      if (this.base.index) this.geometry.setIndex(this.base.index);
      this.arrays.clear();
      for (const [name, s] of Object.entries(this.specification)) {
        const array = s.bytes ? new Uint8Array(s.components * this.capacity) : new Float32Array(s.components * this.capacity);
        const attribute = new THREE.InstancedBufferAttribute(array, s.components, !!s.bytes);
        attribute.setUsage(THREE.DynamicDrawUsage);
        this.geometry.setAttribute(name, attribute);
        this.arrays.set(name, attribute);
      }
    }
    this.count = count;
    const result: Record<string, any> = {};
    for (const [name, attribute] of this.arrays) {
      attribute.needsUpdate = true;
      attribute.updateRange = { offset: 0, count: attribute.itemSize * count };
      result[name] = attribute.array;
    }
    return result;
  }
}
