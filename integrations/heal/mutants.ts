import { blanked } from './blanked.js';

/** Changes of code, each of which alters what it does. */
const CHANGES: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/===|!==/g, (found) => (found === '===' ? '!==' : '===')],
  [/(?<![=<>])[<>]=(?!=)/g, (found) => (found === '<=' ? '>' : '<')],
  [/&&|\|\|/g, (found) => (found === '&&' ? '||' : '&&')],
  [/\?\?(?!=)/g, () => '&&'],
  [/(?<= )[+*](?= )/g, (found) => (found === '+' ? '-' : '+')],
  [/\b(?:true|false)\b/g, (found) => (found === 'true' ? 'false' : 'true')],
  [/(?<![\w.])\d+(?![\w.])/g, (found) => `${Number(found) + 1}`],
  [/(?<=[\w)\]]\??\.)[A-Za-z_$][\w$]*/g, (found) => `${found}_`],
];

/** Returns up to `max` versions of a changed body, each with one more change in the part that differs from the old one. */
export function mutantsOf(before: string, after: string, max: number): readonly string[] {
  const code = blanked(after);
  if (code === undefined) return [];
  const [from, to] = changedPart(before, after);
  const found = CHANGES.flatMap(([pattern, change]) =>
    [...code.matchAll(pattern)]
      .filter(({ index, 0: text }) => index >= from && index + text.length <= to)
      .slice(0, 2)
      .map(({ index, 0: text }) => after.slice(0, index) + change(text) + after.slice(index + text.length)),
  );
  return found.slice(0, max);
}

/** Returns the ends of the part between the common beginning and the common end. */
function changedPart(before: string, after: string): readonly [from: number, to: number] {
  const least = Math.min(before.length, after.length);
  let from = 0;
  while (from < least && before[from] === after[from]) from++;
  let end = 0;
  while (end < least - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [from, after.length - end];
}
