// The value that all but 2 % of the positive ones stay below, from a sample of at most 20 000; 0 if none is positive.
export function high(count: number, value: (k: number) => number): number {
  const stride = Math.max(1, Math.floor(count / 20000)), found: number[] = [];
  for (let k = 0; k < count; k += stride) { const v = value(k); if (v > 0) found.push(v); }
  found.sort((a, b) => a - b);
  return found.length > 0 ? found[Math.floor(0.98 * (found.length - 1))] : 0;
}

// The next neat number that is not smaller: scales then stay as they are while values of frames differ by little.
export function neat(x: number): number {
  if (!(x > 0 && Number.isFinite(x))) return x;
  const unit = 10 ** Math.floor(Math.log10(x)), steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15];
  return +(unit * steps.find((s) => s * unit >= x * (1 - 1e-9))!).toPrecision(3);
}
