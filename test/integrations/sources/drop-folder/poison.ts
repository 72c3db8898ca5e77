import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Something that cannot be taken from a drop folder. */
export interface Poison {
  readonly kind: string;
  readonly ending: '.json' | '.jsonl' | '.ndjson';
  /** Form of the name around a number. */
  readonly name?: (number: number) => string;
  /** Puts it there; where the name is no text, under a name of its own choosing. */
  readonly put: (path: string) => void | Promise<void>;
}

const content = (kind: string, text: string | Buffer, ending: Poison['ending'] = '.json'): Poison => ({
  kind,
  ending,
  put: (path) => writeFileSync(path, text),
});
const GOOD = '{"task":"good","success":true}';

export const POISON: readonly Poison[] = [
  content('empty', ''),
  content('only spaces', ' \n\n  ', '.jsonl'),
  content('only a byte-order mark', '\ufeff'),
  content('half an object', '{"task":"x","succ'),
  content('half a list', '[{"task":"x","success":tr'),
  content('a list without its end', '['),
  content('an unterminated text', '{"task":"x'),
  content('lines, torn in the first', '{"task":"x","success":', '.jsonl'),
  content('lines that are lists', '[1]\n[2]\n', '.jsonl'),
  { kind: '1 GB of holes', ending: '.json', put: sparse },
  { kind: '1 GB of holes, lines', ending: '.jsonl', put: sparse },
  { kind: 'a pipe', ending: '.json', put: (path) => void execFileSync('mkfifo', [path]) },
  { kind: 'an empty folder', ending: '.json', put: (path) => void mkdirSync(path) },
  {
    kind: 'a folder with files',
    ending: '.jsonl',
    put: (path) => filled(path),
  },
  { kind: 'a link to a file', ending: '.json', put: (path) => symlinkSync(outside(path), path) },
  { kind: 'a link to nothing', ending: '.json', put: (path) => symlinkSync('/nowhere/at/all', path) },
  { kind: 'a link to itself', ending: '.json', put: (path) => symlinkSync(path, path) },
  { kind: 'a link to a folder', ending: '.json', put: (path) => symlinkSync(dirname(path), path) },
  { kind: 'unreadable', ending: '.json', put: (path) => unreadable(path) },
  { kind: 'a socket', ending: '.json', put: socket },
  { ...content('a name with line breaks', '{'), name: (number) => `a\n${number}\nb` },
  { ...content('a name with control characters', '{'), name: (number) => `\u001b[31m${number}\u0007` },
  { ...content('a name of 255 bytes', '{'), name: (number) => `${number}`.padEnd(250, 'x') },
  { ...content('a name that looks like an option', '{'), name: (number) => `--${number}` },
  { kind: 'a name that is no UTF-8', ending: '.json', put: (path) => writeFileSync(latin(path), '{') },
  content('UTF-16, little end first', Buffer.from(`\ufeff${GOOD}`, 'utf16le')),
  content('UTF-16, big end first', Buffer.from(`\ufeff${GOOD}`, 'utf16le').swap16(), '.jsonl'),
  content('zeros', Buffer.alloc(65_536)),
  content('random bytes', Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7_919 + 31) % 251)), '.jsonl'),
  content('compressed', gzipSync(GOOD)),
  content('a web page', '<!doctype html><p>{}</p>'),
  content('a document of another kind', '%PDF-1.7\n1 0 obj << >> endobj'),
  content('a text', '"just a text"'),
  content('a number', '42'),
  content('null', 'null', '.ndjson'),
  content('an empty list', '[]'),
  content('an empty object', '{}'),
  content('lists in lists', '[[[]]]'),
  content('100,000 levels of lists', '['.repeat(100_000) + ']'.repeat(100_000)),
  content('100,000 levels of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  content('no task', '{"success":true}'),
  content('no success', '{"task":"x"}', '.jsonl'),
  content('a task that is a number', '{"task":{"a":1},"success":true}'),
  content('a record of 2 MB', `{"task":"x","success":true,"note":"${'x'.repeat(2_000_000)}"}`),
  content('single quotes', "{'task': 'x', 'success': True}"),
  content('values JSON does not have', '{"task":"x","success":true,"costUsd":NaN}', '.jsonl'),
  content('a comma too many', '{"task":"x","success":true,}'),
  content('a comment', '// mine\n# mine too\n', '.jsonl'),
  content('tables', 'task,success\nx,true\n', '.jsonl'),
  content('brackets that close nothing', ']]]}}}'),
];

/** Odd, but good: each gives one record. */
export const ODD: readonly Poison[] = [
  content('a byte-order mark', `\ufeff${GOOD}`),
  content('a byte-order mark, lines', `\ufeff${GOOD}\r\n`, '.jsonl'),
  content('line breaks of another system', `\r\n${GOOD}\r\n\r\n`, '.ndjson'),
  content('written for people', JSON.stringify([{ task: 'good', success: true }], null, 2)),
  { ...content('a name with line breaks', GOOD), name: (number) => `good\n${number}` },
  { ...content('a name of 255 bytes', GOOD), name: (number) => `g${number}`.padEnd(250, 'y') },
  { ...content('a name in other letters', GOOD), name: (number) => `gut-❤️-привет-${number}` },
  { kind: 'a name that is no UTF-8', ending: '.json', put: (path) => writeFileSync(latin(path), GOOD) },
  content(
    '100,000 levels in an unknown field',
    `{"task":"good","success":true,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ),
  content('keys that are no keys', '{"task":"good","success":true,"__proto__":{"a":1},"constructor":1}'),
];

export async function put(folder: string, poison: Poison, number: number): Promise<void> {
  const first = POISON.includes(poison) ? 'p' : 'g';
  const { name = (each: number) => `${first}-${poison.kind.replace(/\W+/g, '-').slice(0, 40)}-${each}`, ending } =
    poison;
  await poison.put(join(folder, name(number) + ending));
}

function filled(path: string): void {
  mkdirSync(path);
  writeFileSync(join(path, 'in.json'), GOOD);
}

function unreadable(path: string): void {
  writeFileSync(path, '{"');
  chmodSync(path, 0);
}

function sparse(path: string): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, 1_073_741_824);
  closeSync(file);
}

function latin(path: string): Buffer {
  const dot = path.lastIndexOf('.');
  return Buffer.concat([Buffer.from(path.slice(0, dot)), Buffer.from([0xff, 0xe4]), Buffer.from(path.slice(dot))]);
}

/** A file that would be taken if its link were followed. */
function outside(path: string): string {
  const target = join(dirname(dirname(path)), 'outside.txt');
  const file = openSync(target, 'a');
  writeSync(file, '{"task":"followed","success":true}\n');
  closeSync(file);
  return target;
}

function socket(path: string): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    // The path of a socket may not be long: made elsewhere and left there.
    server.once('error', reject).listen(path.slice(0, 100), () => {
      server.unref();
      resolve();
    });
  });
}
