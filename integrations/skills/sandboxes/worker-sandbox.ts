import type { Json } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import type { Sandbox, SandboxAnswer, SandboxLanguage, SandboxProgram, SandboxRun } from '../sandbox.js';
import { machineNetwork, type Network } from './host/network.js';
import { DEFAULT_MEMORY_BYTES, invalid, settingsOf } from './sandbox-settings.js';
import { WorkerPool } from './worker-pool.js';

/** Options of `QuickJsSandbox` and `WasiSandbox`. */
export interface WorkerSandboxOptions {
  /** Programs that run at the same time, each in a thread. Default 2. */
  readonly workers?: number;
  /** Network that `http` uses. Default: that of the machine. */
  readonly network?: Network;
}

/** Runs programs in worker threads. */
class WorkerSandbox implements Sandbox {
  readonly name: string;
  readonly languages: readonly SandboxLanguage[];
  readonly #pool: WorkerPool;

  constructor(name: 'quickjs' | 'wasi', languages: readonly SandboxLanguage[], options: WorkerSandboxOptions) {
    const { workers = 2, network = machineNetwork } = options;
    if (!Number.isInteger(workers) || workers < 1 || workers > 64) {
      throw invalid(`workers is ${showValue(workers)}`, 'give a whole number from 1 to 64');
    }
    this.name = name;
    this.languages = languages;
    this.#pool = new WorkerPool({ engine: name, memoryBytes: DEFAULT_MEMORY_BYTES }, workers, network);
  }

  async run(program: SandboxProgram, input: Json, options: SandboxRun = {}): Promise<SandboxAnswer> {
    const settings = settingsOf(options);
    mustRunLanguage(this, program);
    const { limits, seed, read } = settings;
    const message = { ...program, input: JSON.stringify(input), limits, seed, read };
    return this.#pool.run({ message, settings });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Runs JavaScript and TypeScript in QuickJS, compiled to WebAssembly. Needs the packages it names when they are missing. */
export class QuickJsSandbox extends WorkerSandbox {
  constructor(options: WorkerSandboxOptions = {}) {
    super('quickjs', ['javascript', 'typescript'], options);
  }
}

/** Runs WASI commands. They read the folders of `allow.read`, and may import the functions of `SandboxHost` as one. */
export class WasiSandbox extends WorkerSandbox {
  constructor(options: WorkerSandboxOptions = {}) {
    super('wasi', ['wasm'], options);
  }
}

/** @throws LoopError `invalid-input` for a language that the sandbox does not run. */
export function mustRunLanguage({ name, languages }: Sandbox, { language }: SandboxProgram): void {
  if (!languages.includes(language)) {
    throw invalid(`${name} does not run ${String(language)}`, `it runs ${languages.join(' and ')}`);
  }
}
