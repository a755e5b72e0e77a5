// Pictures and films of what is seen, made in the page.

import { Stage } from './stage';

export function save(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The picture with its labels and, below, its legend, at `scale` pixels for each of the page's.
export function composed(stage: Stage, labels: HTMLElement, legend: HTMLElement, scale: number, into?: HTMLCanvasElement): HTMLCanvasElement {
  stage.draw(scale);
  const canvas = into ?? document.createElement('canvas');
  const width = Math.round(stage.canvas.clientWidth * scale), above = Math.round(stage.canvas.clientHeight * scale), height = above + 2 * Math.round(0.5 * legend.offsetHeight * scale);
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const g = canvas.getContext('2d')!, frame = stage.canvas.getBoundingClientRect();
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.drawImage(stage.canvas, 0, 0, width, above);
  g.scale(scale, scale);
  g.textBaseline = 'top';
  const write = (node: HTMLElement) => {
    const style = getComputedStyle(node), range = document.createRange();
    for (const child of node.childNodes) {
      if (child.nodeType !== Node.TEXT_NODE || !child.textContent) continue;
      range.selectNodeContents(child);
      const box = range.getBoundingClientRect();
      g.font = `${style.fontSize} ${style.fontFamily}`;
      g.fillStyle = style.color;
      g.fillText(child.textContent, box.left - frame.left, box.top - frame.top + 1);
    }
  };
  for (const label of labels.querySelectorAll<HTMLElement>('div')) write(label);
  if (legend.childElementCount > 0) {
    const box = legend.getBoundingClientRect();
    g.fillStyle = '#fff';
    g.fillRect(box.left - frame.left, box.top - frame.top, box.width, box.height);
    for (const part of legend.querySelectorAll<HTMLElement>('*')) {
      const at = part.getBoundingClientRect();
      if (part instanceof HTMLCanvasElement) g.drawImage(part, at.left - frame.left, at.top - frame.top, at.width, at.height);
      else if (part.classList.contains('swatch')) { g.fillStyle = getComputedStyle(part).backgroundColor; g.fillRect(at.left - frame.left, at.top - frame.top, at.width, at.height); }
      else write(part);
    }
  }
  return canvas;
}

export async function screenshot(stage: Stage, labels: HTMLElement, legend: HTMLElement): Promise<Blob> {
  const large = composed(stage, labels, legend, 2);
  const blob = await new Promise<Blob | null>((done) => large.toBlob(done, 'image/png'));
  stage.redraw();
  if (!blob) throw new Error('the picture is too large for this browser');
  return blob;
}

// Shows the frames one by one and records them; `show` comes back when a frame is drawn.
export async function film(stage: Stage, labels: HTMLElement, legend: HTMLElement, frames: number[], perSecond: number,
  show: (frame: number) => Promise<void>, stopped: () => boolean): Promise<Blob> {
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((t) => MediaRecorder.isTypeSupported(t));
  if (!type) throw new Error('this browser records no WebM films');
  await show(frames[0]);
  legend.style.height = `${legend.offsetHeight}px`;  // a film has one size, whatever its frames have to tell
  const canvas = composed(stage, labels, legend, 1), stream = canvas.captureStream(0), track: any = stream.getVideoTracks()[0];
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12e6 }), pieces: Blob[] = [];
  recorder.ondataavailable = (e) => pieces.push(e.data);
  const ended = new Promise((done) => { recorder.onstop = done; });
  const begun = new Promise((done) => { recorder.onstart = done; }), pause = (ms: number) => new Promise((done) => setTimeout(done, Math.max(0, ms)));
  // Browsers capture only what they would paint.
  canvas.style.cssText = 'position:fixed;left:0;top:0;width:1px;height:1px;pointer-events:none';
  canvas.setAttribute('aria-hidden', 'true');
  document.body.append(canvas);
  recorder.start();
  await begun;
  for (const frame of frames) {
    if (stopped()) break;
    const due = performance.now() + 1000 / perSecond;
    await show(frame);
    composed(stage, labels, legend, 1, canvas);
    track.requestFrame();
    await pause(Math.max(1000 / perSecond, due - performance.now()));
  }
  await pause(100);
  recorder.stop();
  await ended;
  canvas.remove();
  legend.style.height = '';
  return new Blob(pieces, { type: 'video/webm' });
}

