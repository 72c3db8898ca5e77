// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LoopError } from 'rsi-loop';
import { runSandboxed, type SandboxResult } from 'rsi-loop/bench';
import type { BuildOptions, SandboxAnswer, SandboxFailure } from '../sandbox.js';

/** Time for one module: the compiler takes seconds to load. */
const BUILD_MS = 60_000;
const MEMORY_MB = 512;
const MAX_MODULE_BYTES = 2 << 20;
const MAX_MESSAGE = 2_000;
/** Prints the module in Base64, or errors. It reads nothing but the sources of its input and the compiler's own library. */
const COMPILER = `
const { main } = await import(process.argv[2]);
let text = '';
for await (const part of process.stdin) text += part;
const sources = JSON.parse(text);
let module;
const options = '-O2z --exportStart _start --use abort= --runtime stub --noAssert'.split(' ');
const { error, stderr } = await main(['main.ts', '--outFile', 'main.wasm', ...options], {
  readFile: (name) => (Object.hasOwn(sources, name) ? sources[name] : null),
  writeFile: (name, content) => { if (name === 'main.wasm') module = content; },
  listFiles: () => [],
});
const message = String(stderr).trim() || (error ? error.message : 'no module was written');
process.stdout.write(JSON.stringify(
  error || module === undefined ? { error: message.slice(0, ${MAX_MESSAGE}) } : { module: Buffer.from(module).toString('base64') },
));
`;

/**
 * Compiles AssemblyScript in a process without network, with limits of time and memory. The compiler is not in a thread: it can use up
 * the heap in one allocation, which ends the whole process.
 */
export async function buildAssembly(
  sources: Readonly<Record<string, string>>,
  { signal }: BuildOptions,
): Promise<SandboxAnswer> {
  const compiler = compilerFile();
  const result = await runSandboxed(
    process.execPath,
    ['--no-warnings', `--max-old-space-size=${MEMORY_MB}`, 'compile.mjs', pathToFileURL(compiler).href],
    {
      files: { 'compile.mjs': COMPILER },
      input: JSON.stringify(sources),
      readable: [dirname(dirname(dirname(compiler)))],
      timeoutMs: BUILD_MS,
      memoryMb: 2 * MEMORY_MB,
      maxOutputBytes: 2 * MAX_MODULE_BYTES,
      ...(signal && { signal }),
    },
  );
  return answerOf(result);
}

/** @throws LoopError `missing-peer` without the package. */
function compilerFile(): string {
  try {
    return nodeModule.createRequire(import.meta.url).resolve('assemblyscript/dist/asc.js');
  } catch (cause) {
    const why = 'building AssemblyScript needs assemblyscript: npm install assemblyscript';
    throw new LoopError('missing-peer', why, { cause });
  }
}

const ENDS: Readonly<Record<Exclude<SandboxResult['ended'], 'exit'>, readonly [SandboxFailure, string]>> = {
  'timed-out': ['timeout', `the compiler took longer than ${BUILD_MS} ms`],
  memory: ['memory', `the compiler needs more than ${2 * MEMORY_MB} MB of memory`],
  output: ['output', `the module has more than ${MAX_MODULE_BYTES} bytes`],
  stopped: ['stopped', 'the caller stopped the build'],
};

function answerOf({ ended, stdout, stderr, durationMs }: SandboxResult): SandboxAnswer {
  const trace = { calls: [], log: [], durationMs };
  const failed = (reason: SandboxFailure, message: string): SandboxAnswer => ({
    kind: 'failed',
    reason,
    message,
    ...trace,
  });
  if (ended !== 'exit') return failed(...ENDS[ended]);
  if (/heap out of memory/.test(stderr)) return failed(...ENDS.memory);
  try {
    const { module, error }: { readonly module?: string; readonly error?: string } = JSON.parse(stdout);
    return module === undefined ? failed('error', String(error)) : { kind: 'answer', output: module, ...trace };
  } catch {
    return failed('crashed', `the compiler ended without a module: ${stderr.trim().slice(-MAX_MESSAGE)}`);
  }
}
