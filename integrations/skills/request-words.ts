import { comparing } from 'rsi-loop/kit';

/** Words of requests that name no subject. */
const ASKING: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'what which who how why when where many much me need give make find show get let please want tell list use new out any some each all there us our his her their'.split(
    ' ',
  ),
);
/** Subjects of requests that name no subject: values of a known shape, and questions after a quantity. */
const SUBJECTS: readonly (readonly [shape: RegExp, words: string])[] = [
  [/\bhttps?:\/\/\S/i, 'url link'],
  [/[\w.+-]@[\w-]+\.\w/, 'email address'],
  [/#(?:[0-9a-f]{3}){1,2}\b/i, 'hex color'],
  [/\brgb\(/i, 'rgb color'],
  [/(?:^|\s)[v^~<>=]{0,3}\d{1,9}\.\d{1,9}\.\d/, 'version semver'],
  [/\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/, 'date'],
  [/\b\d{1,3}\.\d{1,9}, ?-?\d{1,3}\.\d/, 'coordinates'],
  [/\*\*\/|\/\*\.|\*\.\w/, 'glob path'],
  [/(?:^|\s)(?:[\d*/,-]{1,20} ){4}[\d*]/, 'cron'],
  [/\\[dws]|\(\?:|\^[([\\]/, 'regex'],
  [/%[0-9A-F]{2}/, 'percent encode'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-/i, 'uuid'],
  [/\{\s*"/, 'json'],
  [/<\/?[a-z][^<>]{0,200}>/i, 'html'],
  [/\b[A-Z]{2}\d{2}[ \dA-Z]{11}/, 'iban'],
  [/[$€£¥]\s?\d|\d\s?[$€£¥]/, 'currency'],
  [/\d\s?%/, 'percent'],
  [/\bhow many\b/i, 'count number'],
  [/\bhow much\b/i, 'amount'],
  [/\bhow long\b/i, 'time'],
  [/\bhow far\b/i, 'distance'],
  [/\bhow heavy\b/i, 'weight'],
  [/\bwhen\b/i, 'time date'],
];
const MAX_CHARS = 2_000;

/** Returns the words by which a request is compared with skills: those it contains, and those that its values mean. */
export function requestWords(text: string): readonly string[] {
  const read = text.slice(0, MAX_CHARS);
  const meant = SUBJECTS.flatMap(([shape, words]) => (shape.test(read) ? [words] : []));
  const terms = new Set([...comparing.termsOf(read).keys(), ...comparing.termsOf(meant.join(' ')).keys()]);
  return [...terms].filter((term) => !ASKING.has(term));
}
