import type { Json } from 'rsi-loop';
import type { Random } from '../../../src/lib/random.js';

/** Draws parts of hostile texts, modules and values. */
export class Draw {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  whole(below: number): number {
    return Math.floor(this.#random() * below);
  }

  one<Item>(items: readonly Item[]): Item {
    const item = items[this.whole(items.length)];
    if (item === undefined) throw new Error('a list without items');
    return item;
  }

  many<Item>(most: number, item: () => Item): readonly Item[] {
    return Array.from({ length: this.whole(most + 1) }, item);
  }

  /** Mostly few repetitions, sometimes very many. */
  times(): number {
    return this.one([1, 2, 5, 12, 24, 30, 200, 3_000, 20_000]);
  }
}

const YAML = [
  'name: ',
  'a',
  '- ',
  ': ',
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '!!js/function ',
  '!!binary ',
  '|',
  '>',
  '|2-',
  '"\\x41"',
  "'",
  '"',
  '#',
  '? ',
  '\n',
  '\n  ',
  '\t',
  '<<: ',
  '~',
  '1e9999',
  '0x',
  '2024-01-01',
  '%YAML 1.2',
  '---',
  '...',
  '\u2028',
  '\ud800',
  '\u0000',
  '__proto__: ',
  'constructor: ',
  ',',
  '[a, ',
  '{a: ',
] as const;

/** Returns a `SKILL.md` whose front matter is broken, huge or nested. */
export function frontMatter(draw: Draw): string {
  const parts = draw.many(30, () => draw.one(YAML).repeat(Math.min(draw.times(), 4_000)));
  const name = draw.whole(2) === 0 ? 'name: a\ndescription: b\n' : '';
  return `---\n${name}${parts.join('').slice(0, 60_000)}\n${draw.whole(4) === 0 ? '' : '---\n'}body`;
}

const TYPED = [
  ['(a = ', ') => 1'],
  ['(a: number = ', ') => 1'],
  ['async (a = ', ') => 1'],
  ['a<b>(c => ', ')'],
  ['a<', '>'],
  ['a ? (b) : c => ', ''],
  ['[', ']'],
  ['{ a: ', '}'],
  ['(', ')'],
  ['<T>(', ')'],
  ['class { a: ', '}'],
  ['function f(a: ', ') {}'],
  ['`${', '}`'],
  ['type A<T> = ', ';'],
  ['enum A { B = ', '}'],
  ['a as ', ''],
  ['a!', ''],
  ['/', '/'],
  ['namespace A { ', '}'],
  ['@a ', ''],
  ['import type ', ';'],
  ['declare ', ';'],
  ['abstract class A<', '> {}'],
  ["'", "'"],
  ['//', '\n'],
  ['/*', '*/'],
  ['<a>', '</a>'],
  ['satisfies ', ''],
] as const;

/** Returns TypeScript that nests and repeats. */
export function typescript(draw: Draw): string {
  let text = draw.one(['1', 'a', '', '1;\n', 'x: y']);
  for (let depth = draw.whole(5); depth >= 0; depth -= 1) {
    const [open, close] = draw.one(TYPED);
    const count = Math.min(draw.times(), Math.ceil(400_000 / (text.length + 1)));
    text =
      draw.whole(3) === 0
        ? `${open}${text}${close}`.repeat(count)
        : open.repeat(count) + text + close.repeat(draw.whole(2) * count);
    text = text.slice(0, 400_000);
  }
  return `export default () => { ${draw.one(['for (;;);', 'return 1', ''])} };\n${draw.one(['const x = ', 'let y: ', 'type Z = ', ''])}${text}`;
}

const VALUES = [
  '1',
  'NaN',
  '-0',
  '1n',
  'Symbol()',
  'undefined',
  'null',
  "'x'.repeat(1e6)",
  "'\\ud800'",
  '() => 1',
  'new Date(NaN)',
  'new Map([[1, 2]])',
  'new Uint8Array(1e6)',
  'new Proxy({}, { ownKeys() { for (;;); } })',
  '{ get a() { throw null } }',
  '{ toJSON() { return this } }',
  'JSON.parse(\'{"__proto__":{"a":1}}\')',
  'globalThis',
  'host',
  'input',
  'Promise.reject(1)',
  'new Promise(() => {})',
  '{ then(go) { go(1) } }',
  'Array(1e9)',
  '/(a+)+$/.test("a".repeat(30) + "b")',
  'Object.create(null)',
  "(() => { for (;;) host.log('x') })()",
  "await host.files.read('x')",
  "await host.http.get('http://x/')",
  'host.random()',
  'new Function("return this")()',
  'eval("1")',
  "await import('node:fs')",
] as const;

/** Returns JavaScript that returns a strange value. */
export function program(draw: Draw): string {
  let value: string = draw.one(VALUES);
  for (let depth = draw.whole(3); depth > 0; depth -= 1)
    value = draw.one([
      `[${value}]`,
      `{ a: ${value}, ['b']: ${draw.one(VALUES)} }`,
      `(() => { let v = ${draw.one(['1', '{}'])}; for (let i = 0; i < ${draw.times()}; i++) v = [v]; return v })()`,
    ]);
  return `export default async (input, host) => { ${draw.whole(4) === 0 ? 'Object.prototype.a = 1; ' : ''}return ${value} }`;
}

/** Returns a JSON value with strange keys, long texts or many levels. */
export function value(draw: Draw, depth = 0): Json {
  const kind = depth > 6 ? draw.whole(4) : draw.whole(7);
  if (kind === 0) return draw.one([0, -1, 1e308, 5e-324, 2 ** 53]);
  if (kind === 1)
    return draw.one(['', '\u0000', '\ud800', 'x', 'a@b.c', '2024-01-01', '<b>', 'x'.repeat(draw.times())]);
  if (kind === 2) return draw.one([true, false, null]);
  if (kind === 3) return Array.from({ length: Math.min(draw.times(), 3_000) }, () => draw.whole(3));
  if (kind < 6) return draw.many(5, () => value(draw, depth + 1));
  return Object.fromEntries(
    draw.many(6, () => [
      draw.one(['a', '', 'type', '__proto__', 'constructor', 'toString', '0', '\ud800']),
      value(draw, depth + 1),
    ]),
  );
}

/** Functions of WASI preview 1 and of the module `rsi`, with their parameters: `i` of 32 and `l` of 64 bits. */
const CALLS =
  'args_get ii,args_sizes_get ii,environ_get ii,environ_sizes_get ii,clock_res_get ii,clock_time_get ili,fd_advise illi,fd_allocate ill,fd_close i,fd_datasync i,fd_fdstat_get ii,fd_fdstat_set_flags ii,fd_fdstat_set_rights ill,fd_filestat_get ii,fd_filestat_set_size il,fd_filestat_set_times illi,fd_pread iiili,fd_prestat_get ii,fd_prestat_dir_name iii,fd_pwrite iiili,fd_read iiii,fd_readdir iiili,fd_renumber ii,fd_seek ilii,fd_sync i,fd_tell ii,fd_write iiii,path_create_directory iii,path_filestat_get iiiii,path_filestat_set_times iiiilli,path_link iiiiiii,path_open iiiiillii,path_readlink iiiiii,path_remove_directory iii,path_rename iiiiii,path_symlink iiiii,path_unlink_file iii,poll_oneoff iiii,random_get ii,rsi.call ii,rsi.answer i'.split(
    ',',
  );
const NUMBERS = [
  0,
  1,
  2,
  3,
  4,
  5,
  7,
  8,
  16,
  64,
  100,
  104,
  200,
  1_000,
  65_528,
  65_535,
  65_536,
  2 ** 31 - 1,
  -(2 ** 31),
  -1,
  -8,
] as const;

/** Returns a module in the text format that makes random system calls with random arguments, on random memory. */
export function wasi(draw: Draw): string {
  const used = Array.from({ length: 1 + draw.whole(8) }, () => draw.whole(CALLS.length));
  const head = [...new Set(used)].map((at) => {
    const [name = '', kinds = ''] = (CALLS[at] ?? '').split(' ');
    const [module, own] = name.startsWith('rsi.') ? ['rsi', name.slice(4)] : ['wasi_snapshot_preview1', name];
    const params = [...kinds].map((kind) => (kind === 'i' ? 'i32' : 'i64')).join(' ');
    return `(import "${module}" "${own}" (func $f${at} (param ${params}) (result i32)))`;
  });
  const number = () => (draw.whole(4) === 0 ? draw.whole(2 ** 31) : draw.one(NUMBERS));
  const calls = Array.from({ length: 1 + draw.whole(30) }, () => {
    const at = used[draw.whole(used.length)] ?? 0;
    const kinds = [...((CALLS[at] ?? '').split(' ')[1] ?? '')];
    return `(drop (call $f${at} ${kinds.map((kind) => `(${kind}${kind === 'i' ? '32' : '64'}.const ${number()})`.replace('l64', 'i64')).join(' ')}))`;
  });
  const texts = [
    'ok.t',
    'big',
    '..',
    '/etc/passwd',
    '[\\"clock\\"]',
    '[\\"files.read\\",\\"big\\"]',
    '[\\"http.get\\",\\"http://127.0.0.1/\\"]',
  ] as const;
  const words = Array.from({ length: 16 }, () => `\\${draw.whole(256).toString(16).padStart(2, '0')}\\00\\00\\00`).join(
    '',
  );
  const body = calls.join('\n');
  const repeated = draw.whole(4) === 0 ? `(loop $l ${body} (br $l))` : body;
  return `(module ${head.join('\n')} (memory (export "memory") 1) (data (i32.const 0) "${words}") (data (i32.const 100) "${draw.one(texts)}") (func (export "_start") ${repeated}))`;
}

/** Returns bytes with some of them changed, cut off or repeated. */
export function damaged(draw: Draw, bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let count = draw.whole(8); count >= 0; count -= 1) copy[draw.whole(copy.length)] = draw.whole(256);
  return draw.whole(4) === 0 ? copy.slice(0, draw.whole(copy.length)) : copy;
}
