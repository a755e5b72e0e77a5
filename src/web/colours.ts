// From numbers to colours. All maps keep their order in print and for the colour-blind.

export type Rgb = [number, number, number];

// Evenly spaced knots. viridis and plasma: Smith and van der Walt; cividis: Nuñez, Anderton and Renslow (all public domain).
const knots: Record<string, Rgb[]> = {
  viridis: [[68, 1, 84], [72, 26, 108], [71, 47, 125], [65, 68, 135], [57, 86, 140], [49, 104, 142], [42, 120, 142], [35, 136, 142],
    [31, 152, 139], [34, 168, 132], [53, 183, 121], [84, 197, 104], [122, 209, 81], [165, 219, 54], [210, 226, 27], [253, 231, 37]],
  cividis: [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116], [195, 179, 105],
    [225, 204, 85], [254, 232, 56]],
  plasma: [[13, 8, 135], [75, 3, 161], [125, 3, 168], [168, 34, 150], [203, 70, 121], [229, 107, 93], [248, 148, 65], [253, 195, 40], [240, 249, 33]],
  greys: [[235, 235, 235], [20, 20, 20]],
  'blue to red': [[5, 48, 97], [67, 147, 195], [209, 229, 240], [247, 247, 247], [253, 219, 199], [214, 96, 77], [103, 0, 31]],
};
export const mapNames = Object.keys(knots);

export function mapColour(map: string, t: number): Rgb {
  if (Number.isNaN(t)) return [217, 0, 217];
  const list = knots[map] ?? knots.viridis;
  const place = Math.min(1, Math.max(0, t)) * (list.length - 1), i = Math.min(Math.floor(place), list.length - 2), s = place - i;
  return [0, 1, 2].map((c) => Math.round((1 - s) * list[i][c] + s * list[i + 1][c])) as Rgb;
}

// Okabe and Ito, for things without order; the same order as in the pictures of `moreau draw`.
const categories: Rgb[] = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [60, 60, 60], [240, 228, 66]];
const named = new Map<string, Rgb>(Object.entries({
  red: [210, 40, 40], blue: [0, 114, 178], green: [0, 158, 115], yellow: [240, 228, 66], orange: [230, 140, 0], purple: [120, 60, 160], violet: [120, 60, 160],
  pink: [226, 135, 180], brown: [130, 84, 50], black: [40, 40, 40], white: [245, 245, 245], grey: [140, 140, 140], gray: [140, 140, 140],
}));
// What is called by a colour has that.
export const categoryColour = (k: number, names: string[]): Rgb => named.get(names[k]) ?? categories[((k % 8) + 8) % 8];

export const plainColour: Rgb = [204, 209, 217];
export const fixedColour: Rgb = [150, 153, 158];
export const pickedColour: Rgb = [230, 30, 40];

// 256 colours of a map, so that a million bodies need no arithmetic.
export function colourTable(map: string): Uint8Array {
  const table = new Uint8Array(3 * 256);
  for (let k = 0; k < 256; ++k) table.set(mapColour(map, k / 255), 3 * k);
  return table;
}

// Place of a value on the scale; a field that is the same everywhere has none: zero takes the lowest colour, else the middle one.
export function scaleOf(low: number, high: number): (value: number) => number {
  const span = high - low;
  if (!(span > 1e-12 * Math.max(Math.abs(low), Math.abs(high)))) return () => (high === 0 ? 0 : 0.5);
  return (value) => (value - low) / span;
}
