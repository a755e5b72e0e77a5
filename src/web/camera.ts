// One camera for all pictures: it turns about a point, moves across, and comes nearer. Mouse, fingers and keys.

import * as THREE from 'three';
import { Bounds, centreOf, diagonalOf } from './bounds';

export const standardViews: Record<string, [number, number]> = {  // azimuth, elevation [degrees]
  oblique: [-60, 22], front: [-90, 0], back: [90, 0], left: [180, 0], right: [0, 0], top: [-90, 90], bottom: [-90, -90],
};
const OPENING = 30;  // of the perspective, upright [degrees]

export class Camera {
  target = [0, 0, 0];
  azimuth = -60;
  elevation = 22;
  height = 1;           // of what is seen, at the target [length]
  orthographic = false;
  readonly perspectiveCamera = new THREE.PerspectiveCamera(OPENING, 1, 0.1, 100);
  readonly orthographicCamera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.1, 100);

  constructor(readonly plane: boolean) {
    if (plane) [this.azimuth, this.elevation, this.orthographic] = [-90, 90, true];
  }

  get three(): any { return this.orthographic ? this.orthographicCamera : this.perspectiveCamera; }
  get distance() { return (0.5 * this.height) / Math.tan((OPENING * Math.PI) / 360); }

  // Unit vectors: to the eye, to the right of the picture, to its top.
  axes() {
    const a = (this.azimuth * Math.PI) / 180, e = (this.elevation * Math.PI) / 180;
    const back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)], right = [-Math.sin(a), Math.cos(a), 0];
    const up = [back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2], back[0] * right[1] - back[1] * right[0]];
    return { back, right, up };
  }

  update(aspect: number, region: Bounds) {
    const { back, right, up } = this.axes(), camera = this.three, d = this.distance, reach = diagonalOf(region) + d;
    camera.position.set(...this.target.map((x, k) => x + d * back[k]));
    camera.matrixAutoUpdate = true;
    const m = new THREE.Matrix4();
    m.makeBasis(new THREE.Vector3(...right), new THREE.Vector3(...up), new THREE.Vector3(...back));
    camera.quaternion.setFromRotationMatrix(m);
    const toCentre = Math.hypot(...centreOf(region).map((x, k) => x - this.target[k]));
    if (this.orthographic) {
      const h = 0.5 * this.height;
      Object.assign(camera, { left: -h * aspect, right: h * aspect, top: h, bottom: -h, near: d - 2 * (reach + toCentre), far: d + 2 * (reach + toCentre) });
    } else {
      Object.assign(camera, { aspect, near: Math.max(1e-3 * d, d - 1.2 * (diagonalOf(region) + toCentre)), far: d + 1.5 * (diagonalOf(region) + toCentre) });
    }
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  // So that the points (three numbers each, with a margin around each) just fill the picture, in the middle of it.
  fit(points: ArrayLike<number>, margins: ArrayLike<number>, aspect: number) {
    const { back, right, up } = this.axes(), slope = Math.tan((OPENING * Math.PI) / 360);
    const spans = [right, up, back].map((axis) => {
      let low = Infinity, high = -Infinity;
      for (let k = 0; k + 2 < points.length; k += 3) {
        const at = points[k] * axis[0] + points[k + 1] * axis[1] + points[k + 2] * axis[2], margin = margins[k / 3];
        low = Math.min(low, at - margin);
        high = Math.max(high, at + margin);
      }
      return 0.5 * (low + high);
    });
    this.target = [0, 1, 2].map((d) => spans[0] * right[d] + spans[1] * up[d] + spans[2] * back[d]);
    let distance = 0, across = 0;
    for (let k = 0; k + 2 < points.length; k += 3) {
      const margin = margins[k / 3], arm = this.target.map((x, d) => points[k + d] - x), along = (axis: number[]) => arm[0] * axis[0] + arm[1] * axis[1] + arm[2] * axis[2];
      const half = Math.max(Math.abs(along(up)) + margin, (Math.abs(along(right)) + margin) / aspect);
      distance = Math.max(distance, along(back) + half / slope);
      across = Math.max(across, half);
    }
    this.height = 1.06 * Math.max(1e-9, this.orthographic ? 2 * across : 2 * distance * slope);
  }

  look(view: string) { if (standardViews[view] && !this.plane) [this.azimuth, this.elevation] = standardViews[view]; }

  turn(right: number, up: number) {  // degrees
    if (this.plane) return;
    this.azimuth -= right;
    this.elevation = Math.min(90, Math.max(-90, this.elevation + up));
  }
  move(right: number, up: number) {  // in heights of the picture
    const axes = this.axes();
    this.target = this.target.map((x, d) => x - this.height * (right * axes.right[d] + up * axes.up[d]));
  }
  zoom(factor: number) { this.height = Math.min(1e12, Math.max(1e-12, this.height * factor)); }

  // Whatever moves the camera ends with `moved`.
  listen(element: HTMLElement, moved: () => void, clicked: (x: number, y: number) => void) {
    const down = new Map<number, { x: number; y: number }>();
    let start: { x: number; y: number } | null = null, spread = 0;
    element.addEventListener('contextmenu', (e) => e.preventDefault());
    element.addEventListener('pointerdown', (e) => {
      element.setPointerCapture(e.pointerId);
      down.set(e.pointerId, { x: e.clientX, y: e.clientY });
      start = down.size === 1 ? { x: e.clientX, y: e.clientY } : null;
      spread = 0;
    });
    element.addEventListener('pointermove', (e) => {
      const before = down.get(e.pointerId);
      if (!before) return;
      const dx = e.clientX - before.x, dy = e.clientY - before.y, h = element.clientHeight;
      down.set(e.pointerId, { x: e.clientX, y: e.clientY });
      if (start && Math.hypot(e.clientX - start.x, e.clientY - start.y) > 4) start = null;
      if (start) return;
      if (down.size === 2) {
        const [p, q] = [...down.values()], now = Math.hypot(p.x - q.x, p.y - q.y);
        if (spread > 0) this.zoom(spread / now);
        spread = now;
        this.move(0.5 * dx / h, -0.5 * dy / h);
      } else if (e.buttons & 2 || e.buttons & 4 || e.shiftKey || this.plane) this.move(dx / h, -dy / h);
      else this.turn(0.4 * dx, 0.4 * dy);
      moved();
    });
    const up = (e: PointerEvent) => {
      if (start && e.type === 'pointerup') clicked(e.clientX, e.clientY);
      down.delete(e.pointerId);
      start = null;
      spread = 0;
    };
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', up);
    element.addEventListener('wheel', (e) => {
      e.preventDefault();
      this.zoom(Math.exp(0.0012 * Math.max(-200, Math.min(200, e.deltaY))));
      moved();
    }, { passive: false });
    element.addEventListener('keydown', (e) => {
      const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      const arrow = arrows[e.key];
      if (arrow && (e.shiftKey || this.plane)) this.move(-0.05 * arrow[0], -0.05 * arrow[1]);
      else if (arrow) this.turn(-5 * arrow[0], 5 * arrow[1]);
      else if (e.key === '+' || e.key === '=') this.zoom(1 / 1.15);
      else if (e.key === '-') this.zoom(1.15);
      else return;
      e.preventDefault();
      moved();
    });
  }

  // For the address of the page.
  text(origin: number[]) {
    const numbers = [...this.target.map((x, d) => x + origin[d]), this.azimuth, this.elevation, this.height].map((x) => +x.toPrecision(8));
    return numbers.join(',') + (this.orthographic ? ',o' : ',p');
  }
  read(text: string, origin: number[]): boolean {
    const words = text.split(','), numbers = words.slice(0, 6).map(Number);
    if (words.length !== 7 || numbers.some((x) => !Number.isFinite(x)) || !(numbers[5] > 0)) return false;
    this.target = numbers.slice(0, 3).map((x, d) => x - origin[d]);
    if (!this.plane) [this.azimuth, this.elevation, this.orthographic] = [numbers[3], Math.max(-90, Math.min(90, numbers[4])), words[6] === 'o'];
    this.height = numbers[5];
    return true;
  }
}
