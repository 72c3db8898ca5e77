import type { Json } from 'rsi-loop';
import type { BuildOptions, Sandbox, SandboxAnswer, SandboxLanguage, SandboxProgram, SandboxRun } from '../sandbox.js';
import { buildAssembly } from './build-assembly.js';
import { mustRunLanguage, QuickJsSandbox, WasiSandbox, type WorkerSandboxOptions } from './worker-sandbox.js';

/** Opens a sandbox for all languages. Threads and packages of a language are loaded at its first program. */
export function openSandbox(options: WorkerSandboxOptions = {}): Sandbox {
  return new AllLanguages([new QuickJsSandbox(options), new WasiSandbox(options)]);
}

class AllLanguages implements Sandbox {
  readonly name = 'webassembly';
  readonly languages: readonly SandboxLanguage[];
  readonly #sandboxes: readonly Sandbox[];

  constructor(sandboxes: readonly Sandbox[]) {
    this.#sandboxes = sandboxes;
    this.languages = sandboxes.flatMap(({ languages }) => languages);
  }

  async run(program: SandboxProgram, input: Json, options?: SandboxRun): Promise<SandboxAnswer> {
    mustRunLanguage(this, program);
    const sandbox = this.#sandboxes.find(({ languages }) => languages.includes(program.language));
    if (!sandbox) throw new Error('a language without a sandbox');
    return sandbox.run(program, input, options);
  }

  build(sources: Readonly<Record<string, string>>, options: BuildOptions = {}): Promise<SandboxAnswer> {
    return buildAssembly(sources, options);
  }

  async close(): Promise<void> {
    await Promise.all(this.#sandboxes.map((sandbox) => sandbox.close()));
  }
}
