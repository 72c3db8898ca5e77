/**
 * How long a process waits for the main entry, beside an empty module: a new process each time, in turns. Needs a build.
 * `npx tsup && npm run bench -- load`
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROUNDS = 21;
const folder = mkdtempSync(join(tmpdir(), 'rsi-load-'));
const empty = join(folder, 'empty');
writeFileSync(`${empty}.mjs`, 'export const nothing = 0;\n');
writeFileSync(`${empty}.cjs`, 'exports.nothing = 0;\n');

const rows = [
  { name: 'an empty module, import', load: imported(`${empty}.mjs`) },
  { name: 'rsi-loop, import', load: imported(resolve('dist/index.js')) },
  { name: 'rsi-loop and rsi-loop/node, import', load: imported(resolve('dist/index.js'), resolve('dist/node.js')) },
  { name: 'an empty module, require', load: required(`${empty}.cjs`) },
  { name: 'rsi-loop, require', load: required(resolve('dist/index.cjs')) },
];

try {
  if (!existsSync('dist/index.js')) throw new Error('there is no dist/: run npx tsup first');
  const times = rows.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { load }] of rows.entries()) {
      times[index]?.push(Number(execFileSync(process.execPath, ['-e', load], { encoding: 'utf8' })));
    }
  }
  console.log(`Node ${process.version}, ${ROUNDS} processes each, milliseconds`);
  for (const [index, { name }] of rows.entries()) {
    const sorted = times[index]?.sort((one, other) => one - other) ?? [];
    const median = sorted[ROUNDS >> 1] ?? Number.NaN;
    console.log(
      `${name.padEnd(36)} median ${median.toFixed(1).padStart(6)}   best ${sorted[0]?.toFixed(1).padStart(6)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function imported(...paths: readonly string[]): string {
  const loads = paths.map((path) => `await import(${JSON.stringify(pathToFileURL(path).href)});`).join('');
  return `(async () => { const start = performance.now(); ${loads} process.stdout.write(String(performance.now() - start)); })()`;
}

function required(path: string): string {
  return `const start = performance.now(); require(${JSON.stringify(path)}); process.stdout.write(String(performance.now() - start));`;
}
