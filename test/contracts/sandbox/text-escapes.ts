import type { SandboxLanguage } from 'rsi-loop/sandbox';
import { attempt, type Escape, fails, gives } from './escape.js';

/** Program for each sandbox that runs text. */
export interface TextEscape extends Escape {
  readonly language: Extract<SandboxLanguage, 'javascript' | 'typescript'>;
}

const LIMITS = { timeMs: 700, memoryBytes: 32 << 20, outputBytes: 20_000 };
const OVER = fails('timeout', 'memory', 'stack', 'error', 'output', 'crashed');

/** Texts that keep a parser of types busy, or make it nest deeply. */
const TYPES: readonly (readonly [name: string, text: string])[] = [
  ['arrows in arrows', `const x = ${'(a = '.repeat(24)}1${') => 1'.repeat(24)};`],
  ['arrows with types', `const x = ${'(a: number = '.repeat(24)}1${') => 1'.repeat(24)};`],
  ['async arrows', `const x = ${'async (a = '.repeat(24)}1${') => 1'.repeat(24)};`],
  ['type arguments', `let x = ${'a<b>(c => '.repeat(26)}1${')'.repeat(26)};`],
  ['open type arguments', `let x = ${'a<'.repeat(4_000)}1;`],
  ['conditions', `const x = ${'a ? (b) : c => '.repeat(26)}1;`],
  ['a megabyte of types', 'type A = 1;\n'.repeat(87_000)],
  ['deep brackets', `const x = ${'['.repeat(20_000)}`],
  ['deep types', `type A = ${'('.repeat(20_000)}1${')'.repeat(20_000)};`],
  ['a long template', `const x = \`${'${`'.repeat(5_000)}`],
  ['a long union', `type A = ${'1|'.repeat(200_000)}1;`],
  ['many enums', 'enum A { B = 1 }\n'.repeat(20_000)],
];

/** Work of an engine that a program asks for without a loop of its own. */
const BUSY: readonly (readonly [name: string, body: string])[] = [
  ['an expression that backtracks', `return /^(a+)+$/.test('a'.repeat(40) + 'b')`],
  ['an expression that backtracks in replace', `return 'x'.repeat(45).replace(/(x+x+)+y/, '').length < 0`],
  ['an expression that backtracks in split', `return 'a'.repeat(45).split(/(a|aa)+$b/).length < 0`],
  ['JSON that nests deeply', `return JSON.parse('['.repeat(2_000_000)).length`],
  ['JSON that is long', `return JSON.parse('[' + '{"a":1},'.repeat(30_000_000) + '1]').length`],
  ['an answer that nests deeply', `let a = 1; for (let i = 0; i < 100_000; i++) a = [a]; return a`],
  ['a sort without an order', `return Array.from({ length: 9_000_000 }, (_, i) => -i).sort(() => { for (;;); })`],
  ['a text that doubles', `let t = 'ab'; for (;;) t += t`],
  ['an array that grows', `const a = []; for (;;) a.push(a.length, {})`],
  ['a number with many digits', `return String((10n ** 3_000_000n) ** 20n).length < 0`],
  ['code that is long', `return new Function('return ' + '1+'.repeat(9_000_000) + '1')() < 0`],
  ['code that nests deeply', `return new Function('return ' + '('.repeat(900_000) + '1')()`],
  ['a getter that never ends', `return { get a() { for (;;); } }`],
  ['toJSON that never ends', `return { toJSON() { for (;;); } }`],
  ['a promise chain without end', `const f = () => Promise.resolve().then(f); return await f()`],
];

const TRIES: readonly Escape[] = [
  attempt('a poisoned then', `Object.prototype.then = (go) => go(7); return {}`, gives(7)),
  attempt('a poisoned stringify', `JSON.stringify = () => '{"forged":1}'; return { real: 1 }`, gives({ real: 1 })),
  attempt('a list that lies', `const a = [1]; a.toJSON = () => [2]; return a`, gives([2])),
];

const text = (name: string, code: string, language: TextEscape['language']): TextEscape => ({
  name,
  code,
  language,
  ends: OVER,
  options: { limits: LIMITS },
});

/** Programs that run in each sandbox for text. The time to read them counts as time of the run. */
export const TEXT_ESCAPES: readonly TextEscape[] = [
  ...TYPES.map(([name, types]) => text(name, `export default () => { for (;;); };\n${types}`, 'typescript')),
  ...BUSY.map(([name, body]) => text(name, `export default async (input, host) => { ${body} }`, 'javascript')),
  ...TRIES.map((each) => ({
    ...each,
    language: 'javascript' as const,
    options: { limits: { ...LIMITS, timeMs: 5_000 } },
  })),
];
