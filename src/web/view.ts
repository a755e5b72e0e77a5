// What is shown and how: all that the address of the page keeps.

export interface Picked { run: number; kind: 'body' | 'contact'; a: number; b: number }  // b < 0: wall -b-1

export interface View {
  frame: number;
  colour: string;                   // a field; empty: not chosen yet
  map: string;
  range: [number, number] | null;   // of the colours; null: of the frame
  bodies: 'solid' | 'faint' | 'hidden';
  forces: boolean;
  width: number;                    // of the forces, 1: the strong ones half as wide as a body
  through: boolean;                 // forces are seen through bodies
  arrows: '' | 'velocity' | 'displacement';
  since: number | null;             // frame from which displacements count; null: birth
  thrust: boolean;
  cracks: boolean;                  // joints of blocks that have opened or slid since the first frame
  mortar: boolean;                  // where joints have it, and whether it holds
  walls: boolean;
  wear: boolean;                    // work of friction on meshes
  cell: boolean;
  images: boolean;
  rule: string;
  ruleShows: boolean;               // false: what the rule says is hidden
  clip: ([number, number] | null)[];  // along x, y, z
  dark: boolean;
  picked: Picked | null;
  plots: string[];                  // "table/column", "!" in front: logarithmic
  camera: string;
}

// Of masonry cracks are looked at, and force chains would hide the stones; of an arch the line of thrust, which in a wall is a web.
export function firstView(plane: boolean, masonry: boolean, arch: boolean): View {
  return {
    frame: -1, colour: '', map: 'viridis', range: null, bodies: 'solid', forces: plane && !masonry, width: 1, through: plane, arrows: '', since: null,
    thrust: masonry && plane && arch, cracks: masonry, mortar: true, walls: true, wear: true, cell: true, images: false, rule: '', ruleShows: true, clip: [null, null, null], dark: false,
    picked: null, plots: ['series/kinetic', '!series/relative_residual'], camera: '',
  };
}

// Only what differs from the first view is written.
export function viewToAddress(view: View, first: any): string {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(view)) {
    if (JSON.stringify(value) === JSON.stringify(first[key])) continue;
    words.set(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return words.toString();
}

const isPair = (x: any) => Array.isArray(x) && x.length === 2 && x.every(Number.isFinite);
const isWhole = (x: any) => Number.isInteger(x) && x >= 0;
const checks: Partial<Record<keyof View, (x: any) => boolean>> = {
  frame: isWhole, range: (x) => x === null || isPair(x), width: (x) => x > 0 && x < 100, since: (x) => x === null || isWhole(x),
  bodies: (x) => ['solid', 'faint', 'hidden'].includes(x), arrows: (x) => ['', 'velocity', 'displacement'].includes(x),
  clip: (x) => Array.isArray(x) && x.length === 3 && x.every((s) => s === null || isPair(s)),
  plots: (x) => Array.isArray(x) && x.length <= 6 && x.every((p) => typeof p === 'string'),
  picked: (x) => x === null || (isWhole(x.run) && ['body', 'contact'].includes(x.kind) && isWhole(x.a) && Number.isInteger(x.b)),
};

// What an address says and is understood; the rest stays as in the first view.
export function viewFromAddress(text: string, first: View): View {
  const view = structuredClone(first) as any;
  new URLSearchParams(text).forEach((word, key) => {
    if (!(key in view)) return;
    let value: any = word;
    if (typeof view[key] !== 'string') try { value = JSON.parse(word); } catch { return; }
    const check = (checks as any)[key];
    if (check ? check(value) : typeof value === typeof view[key]) view[key] = value;
  });
  return view;
}
