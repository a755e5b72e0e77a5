// Elements of the page. Texts always become text, never markup: titles, names and logs come from files.

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, any> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

export const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

let made = 0;
const freshId = () => `control-${++made}`;

export function row(text: string, control: HTMLElement): HTMLElement {
  if (!control.id) control.id = freshId();
  return element('div', { class: 'row' }, element('label', { for: control.id }, text), control);
}

export function choice(options: [string, string][], changed: (value: string) => void): HTMLSelectElement {
  const select = element('select', { onchange: () => changed(select.value) });
  setOptions(select, options);
  return select;
}

export function setOptions(select: HTMLSelectElement, options: [string, string][]) {
  const value = select.value;
  select.replaceChildren(...options.map(([v, text]) => element('option', { value: v }, text)));
  if (options.some(([v]) => v === value)) select.value = value;
}

export function check(text: string, changed: (on: boolean) => void): { label: HTMLLabelElement; box: HTMLInputElement } {
  const box = element('input', { type: 'checkbox', onchange: () => changed(box.checked) });
  return { label: element('label', { class: 'check' }, box, text), box };
}

export const button = (text: string, pressed: () => void, more: Record<string, any> = {}) => element('button', { type: 'button', onclick: pressed, ...more }, text);

// Four digits, as short as they can be.
export function short(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return '0';
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(2).replace(/\.?0*e\+?/, 'e') : String(+x.toPrecision(4));
}
