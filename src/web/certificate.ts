// How far the run may be trusted: always in sight, in words that need no colour.

import { element, short } from './dom';

export function fillCertificate(target: HTMLElement, infos: any[]) {
  target.replaceChildren(...infos.map((info) => element('span', {}, ...(infos.length > 1 ? [`${info.folder}: `] : []), ...certificateParts(info))));
}

function certificateParts(info: any): (Node | string)[] {
  const parts: (Node | string)[] = [], c = info.certificate, last = info.last ?? {};
  const say = (kind: string, text: string) => parts.push(element('b', { class: kind }, text), ' · ');
  const warnings = Array.isArray(c.warnings) ? c.warnings.length : 0;
  if (c.absent) {
    say('warn', 'no totals yet');
    if ('relative_residual' in last) parts.push(`last step: residual ${short(last.relative_residual)}, ${last.converged ? 'converged' : 'not converged'} · `);
  } else {
    const run = c.run, unconverged = run.unconverged_steps, steps = run.steps ?? c.step; // its own: not those of the run it has begun from
    if (unconverged !== 0) say(unconverged > 1e-3 * steps ? 'bad' : 'warn', `${unconverged} of ${steps} steps not converged`); else say('good', `all ${steps} steps converged`);
    parts.push(`worst residual ${short(run.worst_residual)}, error ${run.worst_error === null ? "not estimated" : short(run.worst_error)}, penetration ${short(run.worst_penetration)} of a diameter · `);
  }
  if (warnings > 0) say('warn', `${warnings} warning${warnings > 1 ? 's' : ''}`); else if (!c.absent) parts.push('no warnings · ');
  parts.push(state(info));
  return parts;
}

export const isComplete = (info: any) => info.certificate.complete === true;

function state(info: any): string {
  if (info.offline) return `offline file, ${info.offline.said}`;
  if (isComplete(info)) return 'run complete';
  if (info.idle < 0) return 'run has written no rows yet';
  return info.idle < 15 ? `running, at time ${short(info.last?.time ?? 0)}` : `not complete; last row ${info.idle < 120 ? `${Math.round(info.idle)} s` : `${Math.round(info.idle / 60)} min`} ago`;
}

export function warningParts(info: any): HTMLElement[] {
  const parts: HTMLElement[] = [], c = info.certificate;
  if (c.absent) parts.push(element('p', { class: 'note' }, c.absent));
  for (const w of Array.isArray(c.warnings) ? c.warnings : []) parts.push(element('p', { class: 'warning' }, `Warning: ${w?.sentence}`));
  const rows: [string, any][] = c.absent ? Object.entries(info.last ?? {}).filter(([k]) => !k.endsWith('_seconds')) : [
    ['time', c.time], ['steps', c.step], ['bodies', c.bodies], ['contacts', c.contacts], ['residual', c.residual], ['unbalanced', c.unbalanced],
    ['unbalanced force', c.unbalanced_force], ['energy error', c.energy_error], ['worst body error', c.run?.worst_body_error], ['top speed', c.run?.max_speed],
    ['computing', c.run ? `${short(c.run.computing_seconds)} s` : undefined], ['state hash', c.state_hash]];
  const table = element('table', {});
  for (const [name, value] of rows) if (value !== undefined && value !== null) table.append(element('tr', {}, element('td', {}, name), element('td', {}, typeof value === 'number' ? short(value) : String(value))));
  parts.push(table);
  return parts;
}
