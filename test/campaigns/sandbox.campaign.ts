/**
 * Runs every escape of the contract suites in every sandbox, and measures how late limits are enforced and what the programs
 * took of the host: its event loop, memory, open files and processes. Exits 1 after an escape, or if a limit is enforced more
 * than 500 ms late, or if a file or process is left.
 */
import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from 'rsi-loop';
import type { Sandbox, SandboxAnswer, SandboxLanguage, SandboxProgram, SandboxRun } from 'rsi-loop/sandbox';
import { ProcessSandbox, QuickJsSandbox, WasiSandbox } from 'rsi-loop/sandbox';
import wabt from 'wabt';
import { ENGINE_ESCAPES } from '../contracts/sandbox/engine-escapes.js';
import { type Escape, problemOf } from '../contracts/sandbox/escape.js';
import { hostEscapes } from '../contracts/sandbox/host-escapes.js';
import { Place, SECRET } from '../contracts/sandbox/place.js';
import { PROCESS_ESCAPES } from '../contracts/sandbox/process-escapes.js';
import { TEXT_ESCAPES, type TextEscape } from '../contracts/sandbox/text-escapes.js';
import { wasiEscapes } from '../contracts/sandbox/wasi-escapes.js';
import { FORWARD, hostRequests } from '../contracts/sandbox/wasi-host-escapes.js';
import { wasiLimits } from '../contracts/sandbox/wasi-limits.js';
import { HostWatch, withoutLag } from './sandbox/host-watch.js';

/** Program with the check of its answer. */
interface Tried {
  readonly name: string;
  readonly program: SandboxProgram;
  readonly input: Json;
  readonly options?: SandboxRun | undefined;
  readonly problem: (answer: SandboxAnswer) => string | undefined;
}

const LATE_MS = 500;
const SEEN = 'it saw the secret';
const place = await new Place().start();
const big = join(place.base, 'big-folder');
mkdirSync(big);
writeFileSync(join(big, 'ok.t'), 'x');
closeSync(openSync(join(big, 'big'), 'w'));
truncateSync(join(big, 'big'), 1_500 * 2 ** 20);
const { parseWat } = await wabt();

const texts: readonly Tried[] = [...ENGINE_ESCAPES, ...hostEscapes(place), ...TEXT_ESCAPES].map((each) => ({
  name: each.name,
  program: { language: languageOf(each), code: each.code, hash: each.code },
  input: each.input ?? null,
  options: each.options,
  problem: (answer) => problemOf(each, answer),
}));
const wasm: readonly Tried[] = [...wasiEscapes(place.data), ...wasiLimits(big)].map((each) => ({
  name: each.name,
  program: {
    language: 'wasm',
    code: parseWat('p.wat', each.module, { threads: true, reference_types: true }).toBinary({}).buffer,
    hash: each.module,
  },
  input: null,
  options: each.options,
  problem: (answer) => {
    const found = answer.kind === 'answer' ? String(answer.output) : answer.reason;
    const wanted: readonly string[] = 'output' in each.ends ? [each.ends.output] : each.ends.reasons;
    return wanted.includes(found) ? undefined : `found ${JSON.stringify(answer).slice(0, 300)}`;
  },
}));
const forward = parseWat('p.wat', FORWARD, {}).toBinary({}).buffer;
const asking: readonly Tried[] = hostRequests(place).map(({ name, request, options, ends }) => ({
  name: `the host asked for ${name}`,
  program: { language: 'wasm', code: forward, hash: 'forward' },
  input: request,
  options,
  problem: (answer) => {
    const end = answer.kind === 'answer' ? JSON.stringify(answer.output) : answer.reason;
    const isRight = 'contains' in ends ? end.includes(ends.contains) : end === ends.reason;
    return isRight ? undefined : `found ${JSON.stringify(answer).slice(0, 300)}`;
  },
}));
const own: readonly Tried[] = PROCESS_ESCAPES.map((each) => ({
  name: each.name,
  program: { language: 'javascript', code: each.code, hash: each.code },
  input: null,
  options: { limits: { timeMs: 4_000 } },
  problem: (answer) => problemOf(each, answer),
}));
// Programs for QuickJS find Node here: they need not end the same way, but none may see the secret or outlive a limit.
const foreign = texts.map(
  (each): Tried => (TEXT_ESCAPES.some(({ name }) => name === each.name) ? each : { ...each, problem: () => undefined }),
);

let failed = false;
for (const [sandbox, list] of [
  [new QuickJsSandbox({ network: place.network }), texts],
  [new WasiSandbox({ network: place.network }), [...wasm, ...asking]],
  [new ProcessSandbox(), [...foreign, ...own]],
] as const)
  failed = (await tryAll(sandbox, list)) || failed;
await place.remove();
process.exitCode = failed ? 1 : 0;

/** Returns whether something went wrong. */
async function tryAll(sandbox: Sandbox, list: readonly Tried[]): Promise<boolean> {
  for (const each of [list[0], list.find(({ program }) => program.language === 'typescript')])
    if (each) await sandbox.run({ ...each.program, code: first(each.program) }, null);
  const watch = new HostWatch();
  let escaped = 0;
  for (const { name, program, input, options, problem } of list) {
    const { found, lateMs } = await withoutLag(
      async () => {
        const { value: answer, times } = await watch.during(() => sandbox.run(program, input, options ?? {}));
        const lateMs = answer.durationMs - times.waitedMs - (options?.limits?.timeMs ?? 5_000);
        return {
          answer,
          found: JSON.stringify(answer).includes(SECRET) ? SEEN : problem(answer),
          lateMs,
        };
      },
      // Of two processors that others use, a program may not get enough before its limit. One that is wrong is so each time.
      ({ answer, found, lateMs }) => found !== SEEN && (lateMs > LATE_MS || (found !== undefined && isTimeout(answer))),
    );
    if (found !== undefined) console.log(`  ${sandbox.name}, ${name}: ${found}`);
    escaped += Number(found !== undefined);
    watch.noteLate(lateMs);
  }
  await sandbox.close();
  const { latestMs, busyMs, blockedMs, memoryMb, descriptors, processes } = watch.figures();
  console.log(
    `${sandbox.name}: ${list.length} programs, ${escaped} escaped or ended in another way, limits at most ${Math.max(0, latestMs).toFixed(0)} ms late; host: loop busy ${busyMs.toFixed(0)} ms, blocked ${blockedMs.toFixed(0)} ms, memory +${memoryMb.toFixed(0)} MB, ${descriptors} files and ${processes} processes left`,
  );
  return escaped > 0 || latestMs > LATE_MS || processes > 0;
}

function isTimeout(answer: SandboxAnswer): boolean {
  return answer.kind === 'failed' && answer.reason === 'timeout';
}

function languageOf(each: Escape | TextEscape): SandboxLanguage {
  return 'language' in each ? each.language : 'javascript';
}

/** Code that only starts the sandbox. */
function first({ language, code }: SandboxProgram): SandboxProgram['code'] {
  return language === 'wasm' ? code : 'export default () => 1';
}
