import type { Pattern } from 'rsi-loop';

/**
 * Formats the places of a pattern as one phrase, e.g. `model is haiku and tool is search, or agent is lead`; empty for
 * everywhere.
 */
export function placeWords(where: Pattern['where']): string {
  if (where === 'global') return '';
  return where
    .map((place) =>
      Object.entries(place)
        .map(([name, value]) => `${name} is ${value}`)
        .join(' and '),
    )
    .join(', or ');
}
