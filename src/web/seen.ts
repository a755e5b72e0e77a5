// Which balls can be seen at all. In a heap nearer ones cover most of the others, and a renderer without a graphics card spends seconds on
// what is never seen: 10⁵ balls of which a fifth remains. Exact: none is left out of which a pixel shows.
//
// Two passes over a grid on the picture: the nearest distance at which a cell is wholly covered; then every ball is looked for behind it.

export interface Sight { toEye: ArrayLike<number>; projection: ArrayLike<number>; orthographic: boolean; width: number; height: number }

// Numbers of the rows with a radius that are in the picture and not covered. `pixel`: nothing closer than this to a rim counts as covered.
export function seenBalls(rows: Int32Array, position: Float32Array, radius: Float32Array, sight: Sight, pixel = 1): Int32Array {
  const { toEye: m, projection: p, orthographic } = sight, n = rows.length;
  // In units of pixels, from the lower left.
  const scaleX = 0.5 * sight.width * p[0], scaleY = 0.5 * sight.height * p[5];
  const middleX = 0.5 * sight.width * (1 + (orthographic ? p[12] : -p[8])), middleY = 0.5 * sight.height * (1 + (orthographic ? p[13] : -p[9]));
  const eye = new Float32Array(3 * n), distance = new Float32Array(n);
  let mean = 0;
  for (let k = 0; k < n; ++k) {
    const row = rows[k], x = position[3 * row], y = position[3 * row + 1], z = position[3 * row + 2];
    const ex = m[0] * x + m[4] * y + m[8] * z + m[12], ey = m[1] * x + m[5] * y + m[9] * z + m[13], ez = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
    eye[3 * k] = ex; eye[3 * k + 1] = ey; eye[3 * k + 2] = ez;
    distance[k] = orthographic ? ez : Math.hypot(ex, ey, ez);
    mean += (radius[row] * scaleY) / (orthographic ? 1 : Math.max(ez, 1e-3 * distance[k])) / n;
  }
  const cell = Math.max(1, mean / 5), columns = Math.ceil(sight.width / cell), lines = Math.ceil(sight.height / cell);
  const cover = new Float32Array(columns * lines).fill(Infinity);
  for (let k = 0; k < n; ++k) {
    const r = radius[rows[k]], ez = eye[3 * k + 2];
    if (!(r > 0) || (!orthographic && ez < 1.05 * r)) continue;
    // A disc through the centre, across the sight: what lies before it hides what lies behind.
    const near = orthographic ? 1 : 1 / ez, cx = (middleX + scaleX * eye[3 * k] * near) / cell, cy = (middleY + scaleY * eye[3 * k + 1] * near) / cell;
    const reach = (r * scaleY * near - pixel) / cell, square = reach * reach;
    if (!(reach > 0.7)) continue;  // holds no cell
    const first = Math.max(0, Math.ceil(cy - reach)), last = Math.min(lines, Math.floor(cy + reach)) - 1;
    for (let j = first; j <= last; ++j) {
      const high = Math.max(Math.abs(j - cy), Math.abs(j + 1 - cy)), rest = square - high * high;
      if (rest <= 0) continue;
      const half = Math.sqrt(rest), left = Math.max(0, Math.ceil(cx - half)), right = Math.min(columns, Math.floor(cx + half));
      for (let i = left; i < right; ++i) if (distance[k] < cover[j * columns + i]) cover[j * columns + i] = distance[k];
    }
  }
  const seen = new Int32Array(n);
  let count = 0;
  for (let k = 0; k < n; ++k) {
    const r = radius[rows[k]], ex = eye[3 * k], ey = eye[3 * k + 1], ez = eye[3 * k + 2];
    if (!(r > 0)) continue;
    if (orthographic || ez > 1.05 * r) {
      const a = orthographic ? 1 : 1 / (ez - r), b = orthographic ? 1 : 1 / (ez + r);
      const edge = (middle: number, scale: number, x: number, side: number) => (middle + scale * side * Math.max(side * x * a, side * x * b) + side * pixel) / cell;
      const left = Math.max(0, Math.floor(edge(middleX, scaleX, ex - r, -1))), right = Math.min(columns, Math.ceil(edge(middleX, scaleX, ex + r, 1)));
      const first = Math.max(0, Math.floor(edge(middleY, scaleY, ey - r, -1))), last = Math.min(lines, Math.ceil(edge(middleY, scaleY, ey + r, 1)));
      const front = distance[k] - r;
      let hidden = true;
      for (let j = first; j < last && hidden; ++j) for (let i = left; i < right; ++i) if (!(cover[j * columns + i] <= front)) { hidden = false; break; }
      if (hidden) continue;
    }
    seen[count++] = rows[k];
  }
  return seen.subarray(0, count);
}
