import type { Pattern, Scope } from 'rsi-loop';
import { plain } from '../terminal/text.js';

/** Describes the places of a pattern: `model is haiku and tool is search, or agent is lead`; empty for everywhere. */
export function whereWords(where: Pattern['where']): string {
  return where === 'global' ? '' : where.map(placeWords).join(', or ');
}

function placeWords(place: Omit<Scope, 'except'>): string {
  return Object.entries(place)
    .map(([name, value]) => `${name} is ${plain(String(value))}`)
    .join(' and ');
}
