// Things drawn on a quad each, any number of them in one call: what each is stands in two textures, and a vertex finds its own by its
// number. (By instancing, software renderers make a call of every instance: 10⁵ balls took ten seconds of a processor.)

import * as THREE from 'three';

const WIDTH = 2048;  // of the textures; a power of two

// For vertex shaders: numbers of the thing, its colour, its own number, the corner of the quad in [-1, 1]².
export const quadHead = (texels: number) => `
  uniform highp sampler2D quadNumbers; uniform highp sampler2D quadTints;
  vec4 quadNumber(int k) { int at = ${texels} * (gl_VertexID / 6) + k; return texelFetch(quadNumbers, ivec2(at % ${WIDTH}, at / ${WIDTH}), 0); }
  vec3 quadTint() { int at = gl_VertexID / 6; return texelFetch(quadTints, ivec2(at % ${WIDTH}, at / ${WIDTH}), 0).rgb; }
  float quadIndex() { return float(gl_VertexID / 6); }
  vec2 quadCorner() { int k = gl_VertexID % 6; return vec2(k == 1 || k == 2 || k == 4 ? 1.0 : -1.0, k == 2 || k == 4 || k == 5 ? 1.0 : -1.0); }
`;

function texture(array: Float32Array | Uint8Array, height: number): any {
  const made = new THREE.DataTexture(array, WIDTH, height, THREE.RGBAFormat, array instanceof Uint8Array ? THREE.UnsignedByteType : THREE.FloatType);
  made.minFilter = made.magFilter = THREE.NearestFilter;
  return made;
}

export class Quads {
  readonly geometry = new THREE.BufferGeometry();
  readonly uniforms = { quadNumbers: { value: null as any }, quadTints: { value: null as any } };
  private capacity = 0;
  private vertices = new THREE.BufferAttribute(new Float32Array(3), 3);

  // `texels`: four numbers each, of one thing.
  constructor(private texels: number) {
    this.geometry.setAttribute('position', this.vertices);
    this.reserve(1);
    this.count = 0;
  }

  // No shader reads the positions: only their number tells three.js how many vertices to draw.
  set count(n: number) { this.vertices.count = 6 * n; }

  // For `count` things; what was there is lost.
  reserve(count: number): { numbers: Float32Array; tint: Uint8Array } {
    const { quadNumbers, quadTints } = this.uniforms;
    if (count > this.capacity) {
      quadNumbers.value?.dispose();
      quadTints.value?.dispose();
      const height = Math.ceil((1.2 * count) / WIDTH);
      this.capacity = WIDTH * height;
      quadNumbers.value = texture(new Float32Array(4 * WIDTH * this.texels * height), this.texels * height);
      quadTints.value = texture(new Uint8Array(4 * WIDTH * height), height);
    }
    this.count = count;
    quadNumbers.value.needsUpdate = quadTints.value.needsUpdate = true;
    return { numbers: quadNumbers.value.image.data, tint: quadTints.value.image.data };
  }
}
