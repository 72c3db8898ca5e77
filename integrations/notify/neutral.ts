import { redact } from 'rsi-loop';

/** Longer texts are cut before they are read. */
const MAX_READ = 4_000;

/**
 * Signs that chat services, mail programs or Markdown act on, and look-alikes without an effect. Escaping would differ
 * by service, and a look-alike stays harmless if a service changes its rules.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '@': '\uff20',
  '<': '\u2039',
  '>': '\u203a',
  '[': '(',
  ']': ')',
  '`': "'",
  '*': '\u2217',
  '~': '\u223c',
  '|': '\u2223',
  '\\': '\u2216',
};
const AT_START: Readonly<Record<string, string>> = {
  '#': '\uff03',
  '-': '\u2010',
  '+': '\uff0b',
  '=': '\uff1d',
  '.': '\u2024',
  ')': '\uff09',
};

/**
 * Makes recorded text one line of at most `maxCharacters`, redacted, in which no service finds a mention, a link or
 * markup.
 */
export function neutral(text: string, maxCharacters = 160): string {
  const visible = text
    .slice(0, MAX_READ)
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1');
  const line = redact(visible)
    .replaceAll('<*>', '…')
    .replace(/[@<>[\]`*~|\\]/g, (sign) => LOOK_ALIKES[sign] ?? ' ')
    // Addresses, with and without a scheme.
    .replace(/\/(?=\/)|(?<=\/)\//g, '\u2215')
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, '\u2024')
    .replace(/\b(mailto|tel|javascript|data|vbscript|file|sms|callto):/gi, '$1\u2236')
    // Emphasis; the underscore in `api_call` has no effect.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\uff3f')
    // Entities, emoji names and expressions of cards.
    .replace(/&(?=#?\w+;)/g, '\uff06')
    .replace(/:(?=[\w+-]+:)/g, '\u2236')
    .replace(/\{(?=\{)|(?<=\{)\{|\$(?=\{)/g, (sign) => (sign === '$' ? '\uff04' : '('))
    .trim()
    // Headings, lists and rules, which need the beginning of a line.
    .replace(/^(?:[#+=-]+|\d+[.)](?=\s|$))/, (signs) => signs.replace(/[#+=.)-]/g, (sign) => AT_START[sign] ?? ' '));
  return cut(line, maxCharacters);
}

/** Cuts between characters that people see, never inside one. */
export function cut(text: string, maxCharacters: number): string {
  const characters = Array.from(text);
  return characters.length <= maxCharacters
    ? text
    : `${characters
        .slice(0, maxCharacters - 1)
        .join('')
        .trimEnd()}…`;
}
