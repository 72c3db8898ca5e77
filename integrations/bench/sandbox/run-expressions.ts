import { type Json, LoopError } from 'rsi-loop';
import { packageFolder } from 'rsi-loop/node';
import { runSandboxed } from './sandbox.js';
import { DEFAULTS, type SandboxOptions } from './sandbox-options.js';
import { runnableModule } from './typescript.js';

/** Value of an expression, or the name and message of what it threw. */
export type Evaluated = { readonly value: Json } | { readonly error: string };

/**
 * Evaluates texts one after the other in the process of the module. Values that JSON does not have become texts, such as
 * `(undefined)`. The module shares the process and can forge each value, so no text may contain what it is
 * expected to yield.
 */
const RUNNER = `
import { writeSync } from 'node:fs';
const texts = TEXTS;
const AsyncFunction = (async () => {}).constructor;
const plain = (value, parents = []) => {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return '(' + typeof value + ')';
  if (typeof value === 'bigint') return value + 'n';
  if (typeof value === 'number' && !Number.isFinite(value)) return '(' + value + ')';
  if (typeof value !== 'object' || value === null) return value;
  if (parents.includes(value)) return '(circular)';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '(Invalid Date)' : value.toISOString();
  const inside = [...parents, value];
  if (Array.isArray(value)) return Array.from(value, (each) => plain(each, inside));
  if (value instanceof Map || value instanceof Set) return { [value.constructor.name]: plain([...value], inside) };
  if (ArrayBuffer.isView(value)) return Array.from(value, (each) => plain(each, inside));
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined).map(([key, each]) => [key, plain(each, inside)]),
  );
};
const compile = (names, text) => {
  try {
    return new AsyncFunction(...names, '"use strict"; return (' + text + '\\n)');
  } catch {
    return new AsyncFunction(...names, '"use strict"; ' + text);
  }
};
const answer = await import(MODULE);
const names = Object.keys(answer).filter((name) => name !== 'default' && /^[\\w$]+$/.test(name));
const values = names.map((name) => answer[name]);
for (const text of texts) {
  let result;
  try {
    result = { value: plain(await compile(names, text)(...values)) };
  } catch (error) {
    result = { error: String(error?.name) + ': ' + String(error?.message) };
  }
  writeSync(3, JSON.stringify(result) + '\\n');
}
process.exit(0);
`;

/**
 * Runs a TypeScript module that is not trusted in the sandbox, and evaluates texts with its exports in scope. A text is an
 * expression, or statements with `return`. Both may await.
 * @returns one result per text, in their order.
 * @throws LoopError `not-accepted` if the module crashed, reached a limit or broke off; `missing-peer` if it has types and
 * this Node needs `typescript` to remove them; what `runSandboxed` throws.
 */
export async function runExpressions(
  module: string,
  texts: readonly string[],
  options: Omit<SandboxOptions, 'files' | 'folder' | 'hidden'> = {},
): Promise<readonly Evaluated[]> {
  const fail = (what: string) => new LoopError('not-accepted', `the module ${what}`);
  const file = await runnableModule('answer', module, options.timeoutMs ?? DEFAULTS.timeoutMs);
  if (!file) throw fail('reached its time limit');
  const runner = RUNNER.replace('TEXTS', () => JSON.stringify(texts)).replace('MODULE', () => `'./${file.path}'`);
  // Problems with their expected values may lie in this package, below a system folder.
  const { ended, code, signal, stderr, channel } = await runSandboxed(
    process.execPath,
    ['--no-warnings', ...file.flags, 'runner.mjs'],
    { ...options, hidden: [packageFolder()], files: { [file.path]: file.text, 'runner.mjs': runner } },
  );
  if (ended !== 'exit') throw fail(ended === 'timed-out' ? 'reached its time limit' : `was killed: ${ended}`);
  if (code !== 0 && file.lacksCompiler && stderr.includes('SyntaxError')) throw file.lacksCompiler;
  if (code !== 0) throw fail(`crashed (${signal ?? `exit code ${code}`}): ${firstError(stderr)}`);
  const results = channel.split('\n').filter(Boolean).map(readResult);
  if (results.length !== texts.length || results.includes(undefined)) {
    throw fail(`ended after ${results.length} of ${texts.length} results`);
  }
  return results as readonly Evaluated[]; // none is undefined
}

/** The module may have written anything. */
function readResult(line: string): Evaluated | undefined {
  try {
    const result: unknown = JSON.parse(line);
    if (typeof result !== 'object' || result === null) return undefined;
    if ('error' in result && typeof result.error === 'string') return { error: result.error };
    return 'value' in result ? { value: result.value as Json } : undefined; // parsed from JSON
  } catch {
    return undefined;
  }
}

function firstError(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0] ?? 'no message';
}
