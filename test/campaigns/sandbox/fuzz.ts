import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoopError } from 'rsi-loop';
import {
  ProcessSandbox,
  QuickJsSandbox,
  type Sandbox,
  type SandboxAnswer,
  type SandboxProgram,
  WasiSandbox,
} from 'rsi-loop/sandbox';
import wabt from 'wabt';
import { schemaOf } from '../../../integrations/skills/infer-schema.js';
import { readSchema } from '../../../integrations/skills/read-schema.js';
import { RetrievalIndex } from '../../../integrations/skills/retrieval.js';
import { readSkill } from '../../../integrations/skills/skill-files.js';
import { checkValue } from '../../../integrations/skills/value-schema.js';
import { seededRandom } from '../../../src/lib/random.js';
import { LONG_TEXTS } from '../skills/long-descriptions.js';
import { Draw, damaged, frontMatter, program, typescript, value, wasi } from './fuzz-cases.js';
import { type HostFigures, HostWatch, withoutLag } from './host-watch.js';

/** Result of a fuzzing run. */
export interface FuzzReport {
  readonly seed: number;
  /** Cases of each kind. */
  readonly cases: Readonly<Record<string, number>>;
  /** Problems, each with its case as JSON. */
  readonly problems: readonly string[];
  readonly host: HostFigures;
}

/** Most that one case may take of the host's thread. What the host reads itself is limited in length. */
const MOST_BUSY_MS = 500;
/** Most that a limit may be enforced late. A run that ends later is repeated, because these programs run beside others. */
const LATE_MS = 500;
const MOST_MEMORY_MB = 700;
const MOST_DESCRIPTORS = 20;
const LIMITS = { timeMs: 300, memoryBytes: 16 << 20, outputBytes: 20_000, calls: 40 };
/** One in so many programs runs in a process too: its start takes as long as ten others. */
const PROCESS_EVERY = 12;
const MAX_SHOWN = 600;

/** Runs random cases until the time is over, and watches the host: its loop, memory, open files and processes. */
export async function fuzz(ms: number, seed: number): Promise<FuzzReport> {
  const fuzzer = await new Fuzzer(seed).open();
  try {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs) await fuzzer.step();
  } finally {
    await fuzzer.close();
  }
  return fuzzer.report();
}

type Kind = 'front matter' | 'values' | 'requests' | 'typescript' | 'javascript' | 'wasi' | 'damaged wasm';
const KINDS = [
  'front matter',
  'values',
  'requests',
  'typescript',
  'javascript',
  'wasi',
  'damaged wasm',
] as const satisfies readonly Kind[];

class Fuzzer {
  readonly #seed: number;
  readonly #draw: Draw;
  readonly #home = mkdtempSync(join(tmpdir(), 'rsi-fuzz-'));
  readonly #quickjs = new QuickJsSandbox();
  readonly #wasi = new WasiSandbox();
  readonly #process = new ProcessSandbox();
  readonly #index = new RetrievalIndex(LONG_TEXTS);
  readonly #problems: string[] = [];
  readonly #cases = new Map<Kind, number>();
  #build: (text: string) => Uint8Array = () => new Uint8Array();
  #watch = new HostWatch();
  #hasProcess = true;

  constructor(seed: number) {
    this.#seed = seed;
    this.#draw = new Draw(seededRandom(seed));
  }

  async open(): Promise<this> {
    const folder = join(this.#home, 'data');
    mkdirSync(folder);
    writeFileSync(join(folder, 'ok.t'), 'x');
    closeSync(openSync(join(folder, 'big'), 'w'));
    truncateSync(join(folder, 'big'), 1_500 * 2 ** 20);
    const { parseWat } = await wabt();
    this.#build = (text) => parseWat('p.wat', text, {}).toBinary({}).buffer;
    // Loads once, so that no case pays for it.
    await this.#quickjs.run({ language: 'typescript', code: 'export default () => 1', hash: '' }, null);
    await this.#wasi.run({ language: 'wasm', code: this.#build(wasi(new Draw(() => 0))), hash: '' }, null, {
      limits: LIMITS,
    });
    this.#hasProcess = await this.#process
      .run({ language: 'typescript', code: 'export default () => 1', hash: '' }, null)
      .then(
        () => true,
        () => false, // no namespaces here
      );
    await this.#index.nearest('sum');
    this.#watch = new HostWatch();
    return this;
  }

  async step(): Promise<void> {
    const kind = this.#draw.one(KINDS);
    this.#cases.set(kind, (this.#cases.get(kind) ?? 0) + 1);
    switch (kind) {
      case 'front matter': {
        const text = frontMatter(this.#draw);
        return this.#here(kind, text, () => readSkill('a', new Map([['SKILL.md', text]])));
      }
      case 'values': {
        const [one, other] = [value(this.#draw), value(this.#draw)];
        return this.#here(kind, JSON.stringify([one, other]), () => {
          const schema = schemaOf([one, other]);
          if (schema && checkValue(one, schema) !== undefined) throw new Error('the schema rejects its own example');
          checkValue(other, readSchema(one, 'the input'));
        });
      }
      case 'requests': {
        const text = this.#draw
          .many(40, () =>
            this.#draw
              .one(['a', ' ', '<', 'x@', '1.', '%2', '# ', 'http://', '\\d', '* ', '{"', 'sum ', '\ud800', '$ 1', '- '])
              .repeat(this.#draw.times()),
          )
          .join('');
        return this.#here(kind, text, () => this.#index.nearest(text));
      }
      case 'typescript':
        return this.#program({ language: 'typescript', code: typescript(this.#draw), hash: `${this.#count()}` });
      case 'javascript':
        return this.#program({ language: 'javascript', code: program(this.#draw), hash: `${this.#count()}` });
      case 'wasi':
      case 'damaged wasm': {
        const text = wasi(this.#draw);
        const bytes = this.#build(text);
        const code = kind === 'wasi' ? bytes : damaged(this.#draw, bytes);
        return this.#run(this.#wasi, kind, { language: 'wasm', code, hash: `${this.#count()}` }, text);
      }
      default:
        return kind satisfies never;
    }
  }

  report(): FuzzReport {
    const host = this.#watch.figures();
    const found = [...this.#problems];
    if (host.memoryMb > MOST_MEMORY_MB) found.push(`the memory of the host grew by ${host.memoryMb.toFixed(0)} MB`);
    if (host.processes > 0) found.push(`${host.processes} processes were left`);
    if (host.descriptors > MOST_DESCRIPTORS) found.push(`${host.descriptors} files were left open`);
    return { seed: this.#seed, cases: Object.fromEntries(this.#cases), problems: found, host };
  }

  async close(): Promise<void> {
    await Promise.all([this.#quickjs.close(), this.#wasi.close(), this.#process.close()]);
    rmSync(this.#home, { recursive: true, force: true });
  }

  #count(): number {
    return [...this.#cases.values()].reduce((sum, one) => sum + one, 0);
  }

  /** Runs code of the host. It may end with a `LoopError` only. */
  async #here(kind: Kind, text: string, work: () => unknown): Promise<void> {
    const { times } = await this.#watch.during(async () => {
      try {
        await work();
      } catch (error) {
        if (!LoopError.is(error)) this.#add(kind, text, String(error));
      }
    });
    if (times.busyMs > MOST_BUSY_MS) this.#add(kind, text, `it kept the host busy for ${times.busyMs.toFixed(0)} ms`);
  }

  async #program(one: SandboxProgram & { readonly code: string }): Promise<void> {
    await this.#run(this.#quickjs, one.language, one, one.code);
    if (this.#hasProcess && this.#draw.whole(PROCESS_EVERY) === 0)
      await this.#run(this.#process, one.language, one, one.code);
  }

  async #run(sandbox: Sandbox, kind: string, one: SandboxProgram, text: string): Promise<void> {
    const input = value(this.#draw);
    const options = { limits: LIMITS, allow: { read: [join(this.#home, 'data')] }, seed: 1 };
    const { answer, times, lateMs } = await withoutLag(
      async () => {
        const { value: answer, times } = await this.#watch.during(() => sandbox.run(one, input, options).catch(String));
        const durationMs = typeof answer === 'string' ? 0 : answer.durationMs;
        return { answer, times, lateMs: durationMs - times.waitedMs - LIMITS.timeMs };
      },
      (end) => end.lateMs > LATE_MS,
    );
    this.#watch.noteLate(lateMs);
    const problem = typeof answer === 'string' ? `it rejected: ${answer}` : problemOf(answer, times.busyMs, lateMs);
    if (problem !== undefined) this.#add(`${sandbox.name} ${kind}`, text, problem);
  }

  #add(kind: string, text: string, problem: string): void {
    this.#problems.push(`${kind}: ${problem}: ${JSON.stringify(text).slice(0, MAX_SHOWN)} (${text.length} characters)`);
  }
}

function problemOf(answer: SandboxAnswer, busyMs: number, lateMs: number): string | undefined {
  if (lateMs > LATE_MS) return `it ended ${lateMs.toFixed(0)} ms after its limit, each time`;
  if (busyMs > MOST_BUSY_MS) return `it kept the host busy for ${busyMs.toFixed(0)} ms`;
  if (answer.calls.length > LIMITS.calls + 2) return `it made ${answer.calls.length} calls`;
  if (JSON.stringify(answer).length > 4 * LIMITS.outputBytes + 200_000) return 'its answer is too long';
  return undefined;
}
