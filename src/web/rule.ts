// Rules like "force > 2 mean", "speed < 0.1 and contacts >= 3", "z > 0.5 or radius > 1.2 mean".
//
//   rule       comparison { ("and" | "or") comparison }      from left to right
//   comparison field ("<" | "<=" | ">" | ">=" | "=") number [ "mean" | "max" | "min" | "median" ]

export const contactFields = ['force', 'friction', 'mobilised', 'gap', 'status'];
export const placeFields = ['x', 'y', 'z'];

interface Comparison { joint: 'and' | 'or'; field: string; sign: string; number: number; unit: string }
export interface Rule { ofContacts: boolean; fields: string[]; comparisons: Comparison[] }

const form = /^\s*([a-z]+)\s*(<=|>=|<|>|=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(mean|max|min|median)?(?![\w.])/i;

// null for an empty text; an Error with a sentence for one that is not understood.
export function readRule(text: string, bodyFields: string[]): Rule | null {
  let rest = text.trim();
  if (rest === '') return null;
  const comparisons: Comparison[] = [];
  let joint: 'and' | 'or' = 'and';
  while (true) {
    const found = form.exec(rest);
    if (!found) throw new Error(`'${rest}' is not understood; a rule is like "force > 2 mean" or "speed < 0.1 and contacts >= 3"`);
    const field = found[1].toLowerCase();
    if (!contactFields.includes(field) && !placeFields.includes(field) && !bodyFields.includes(field))
      throw new Error(`there is no field '${field}'; of bodies: ${[...bodyFields, ...placeFields].join(', ')}; of contacts: ${contactFields.join(', ')}`);
    comparisons.push({ joint, field, sign: found[2], number: Number(found[3]), unit: (found[4] ?? '').toLowerCase() });
    rest = rest.slice(found[0].length).trim();
    if (rest === '') break;
    const next = /^(and|or)\b/i.exec(rest);
    if (!next) throw new Error(`'${rest}' is not understood; comparisons are joined by "and" or "or"`);
    joint = next[1].toLowerCase() as 'and' | 'or';
    rest = rest.slice(next[0].length);
  }
  const fields = [...new Set(comparisons.map((c) => c.field))], ofContacts = contactFields.includes(fields[0]);
  if (fields.some((f) => contactFields.includes(f) !== ofContacts)) throw new Error('a rule is about bodies or about contacts, not about both');
  return { ofContacts, fields, comparisons };
}

function unitOf(values: ArrayLike<number>, unit: string): number {
  if (unit === '') return 1;
  const finite = Array.from(values).filter(Number.isFinite);
  if (finite.length === 0) return 0;
  if (unit === 'mean') return finite.reduce((s, x) => s + x, 0) / finite.length;
  finite.sort((a, b) => a - b);
  return unit === 'min' ? finite[0] : unit === 'max' ? finite[finite.length - 1] : finite[Math.floor(finite.length / 2)];
}

// For each of `count` things, whether the rule holds. The mean of a force is that of the contacts that push.
export function applyRule(rule: Rule, count: number, values: Record<string, ArrayLike<number>>): Uint8Array {
  const holds = new Uint8Array(count).fill(1);
  for (const c of rule.comparisons) {
    const value = values[c.field], counted = c.field === 'force' ? Array.from(value).filter((x) => x > 0) : value;
    const bound = c.number * unitOf(counted, c.unit);
    for (let k = 0; k < count; ++k) {
      const v = value[k];
      const good = c.sign === '<' ? v < bound : c.sign === '<=' ? v <= bound : c.sign === '>' ? v > bound : c.sign === '>=' ? v >= bound : v === bound;
      holds[k] = c.joint === 'and' ? holds[k] & Number(good) : holds[k] | Number(good);
    }
  }
  return holds;
}
