// The canvas: one picture per run, side by side, with one camera.

import * as THREE from 'three';
import { Camera } from './camera';
import { Pane } from './pane';
import { Bounds } from './bounds';
import { View } from './view';

const MANY = 20000;  // balls, too many to be drawn without care by a processor

// Whether a processor draws, not a graphics card.
function isSoftware(context: WebGL2RenderingContext | null): boolean {
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(names ? String(context!.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '');
}

export class Stage {
  readonly renderer: any;
  leaveOutFrom: number;  // of so many balls those that others hide are not drawn
  region: Bounds = { low: [-1, -1, -1], high: [1, 1, 1] };
  resized = () => {};  // before the picture of another size is drawn
  private asked = false;
  private drawn = [0, 0];  // width and height of the last picture

  constructor(readonly canvas: HTMLCanvasElement, readonly panes: Pane[], readonly camera: Camera, private view: () => View) {
    const many = panes.some((pane) => pane.run.bodyCount >= MANY);
    const context = canvas.getContext('webgl2', { antialias: !(many && isSoftware(document.createElement('canvas').getContext('webgl2'))), alpha: false, preserveDrawingBuffer: false });
    if (!context) throw new Error('this browser shows no WebGL 2 pictures (is the graphics driver blocked?)');
    this.leaveOutFrom = isSoftware(context) ? MANY : Infinity;
    this.renderer = new THREE.WebGLRenderer({ canvas, context });
    this.renderer.autoClear = false;
    this.renderer.setScissorTest(true);
    new ResizeObserver(() => { if (canvas.clientWidth !== this.drawn[0] || canvas.clientHeight !== this.drawn[1]) { this.resized(); this.redraw(); } }).observe(canvas);
  }

  get aspect() { return this.canvas.clientWidth / this.panes.length / Math.max(1, this.canvas.clientHeight); }

  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { if (this.asked) this.draw(); });
  }

  // With `scale` pixels for each of the page's.
  draw(scale = Math.min(2, window.devicePixelRatio || 1)) {
    this.asked = false;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight, each = width / this.panes.length;
    if (width === 0 || height === 0) return;
    this.drawn = [width, height];
    this.renderer.setPixelRatio(scale);
    this.renderer.setSize(width, height, false);
    const ground = this.view().dark ? 0x15181d : 0xffffff;
    this.camera.update(this.aspect, this.region);
    this.panes.forEach((pane, k) => {
      this.renderer.setViewport(k * each, 0, each, height);
      this.renderer.setScissor(k * each, 0, each, height);
      this.renderer.setClearColor(ground, 1);
      this.renderer.clear();
      pane.shared.ground.value.set(((ground >> 16) & 255) / 255, ((ground >> 8) & 255) / 255, (ground & 255) / 255);
      this.prepare(pane);
      const { matrixWorldInverse, projectionMatrix } = this.camera.three;
      pane.leaveOutHidden(this.leaveOutFrom, { toEye: matrixWorldInverse.elements, projection: projectionMatrix.elements, orthographic: this.camera.orthographic, width: each, height }, this.view());
      this.renderer.render(pane.scene, this.camera.three);
    });
  }

  private prepare(pane: Pane) {
    const camera = this.camera.three, origin = pane.run.origin ?? [0, 0, 0];
    pane.shared.orthographic.value = this.camera.orthographic ? 1 : 0;
    const toEye = camera.matrixWorldInverse;
    pane.meshes.prepare(toEye);
    const set = (k: number, normal: number[], offset: number) => {  // kept where normal . x + offset >= 0
      const n = new THREE.Vector3(...normal).transformDirection(toEye), t = new THREE.Vector3().setFromMatrixPosition(toEye);
      pane.shared.planes.value[k].set(n.x, n.y, n.z, offset - n.dot(t));
    };
    this.view().clip.forEach((slab, d) => {
      const axis = [0, 0, 0];
      axis[d] = 1;
      set(2 * d, slab ? axis : [0, 0, 0], slab ? origin[d] - slab[0] : 1);
      set(2 * d + 1, slab ? axis.map((x) => -x) : [0, 0, 0], slab ? slab[1] - origin[d] : 1);
    });
  }

  paneAt(x: number): number {
    const box = this.canvas.getBoundingClientRect();
    return Math.min(this.panes.length - 1, Math.max(0, Math.floor(((x - box.left) / box.width) * this.panes.length)));
  }

  // What is seen at a place of the page: drawn once more, one pixel, numbers instead of colours.
  pick(x: number, y: number): { run: number; kind: 'body' | 'contact'; a: number; b: number } | null {
    const index = this.paneAt(x), pane = this.panes[index], box = this.canvas.getBoundingClientRect();
    const width = box.width / this.panes.length, camera = this.camera.three, target = new THREE.WebGLRenderTarget(1, 1);
    this.camera.update(this.aspect, this.region);
    camera.setViewOffset(width, box.height, x - box.left - index * width, y - box.top, 1, 1);
    this.prepare(pane);
    pane.picking(true);
    const before = new Map<any, any[]>();
    pane.scene.traverse(({ material: m }: any) => {
      if (!m || before.has(m)) return;
      before.set(m, [m.blending, m.depthWrite]);
      [m.blending, m.depthWrite] = [THREE.NoBlending, true];
    });
    this.renderer.setRenderTarget(target);
    this.renderer.setScissorTest(false);
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.clear();
    this.renderer.render(pane.scene, camera);
    const pixel = new Uint8Array(4);
    this.renderer.readRenderTargetPixels(target, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    this.renderer.setScissorTest(true);
    for (const [m, old] of before) [m.blending, m.depthWrite] = old;
    pane.picking(false);
    camera.clearViewOffset();
    target.dispose();
    const thing = pane.pickedThing(pixel[3], pixel[0] * 65536 + pixel[1] * 256 + pixel[2]);
    return thing ? { run: index, ...thing } : null;
  }

  // Where on the page a point of the picture `run` is drawn; relative to the origin of the picture.
  project(run: number, point: number[]): [number, number] {
    this.camera.update(this.aspect, this.region);
    const box = this.canvas.getBoundingClientRect(), width = box.width / this.panes.length, p = new THREE.Vector3(...point).project(this.camera.three);
    return [box.left + (run + 0.5 * (p.x + 1)) * width, box.top + 0.5 * (1 - p.y) * box.height];
  }
}
