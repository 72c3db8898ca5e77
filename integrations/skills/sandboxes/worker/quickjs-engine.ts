import { readFile } from 'node:fs/promises';
// The bundle declares `createRequire` at its top.
import * as nodeModule from 'node:module';
import type { RunMessage, WorkerAnswer } from '../messages.js';
import type { AskHost, Engine, Watch } from './engine.js';
import { QuickJsInstance } from './quickjs-instance.js';
import { QuickJsRun } from './quickjs-run.js';
import { StrippedTypes } from './strip-types.js';

type Variant = typeof import('@jitl/quickjs-wasmfile-release-sync').default;

const noModule = (name: string) => new ReferenceError(`there is no module ${name.slice(0, 100)}`);

/** Runs JavaScript and TypeScript in QuickJS. Each run has a WebAssembly instance and memory of its own. */
export class QuickJsEngine implements Engine {
  readonly #stripped = new StrippedTypes();
  #compiled: { readonly module: WebAssembly.Module; readonly variant: Variant } | undefined;
  #next: { readonly memoryBytes: number; readonly instance: QuickJsInstance } | undefined;

  async load(): Promise<void> {
    const { default: variant } = await import('@jitl/quickjs-wasmfile-release-sync');
    const file = nodeModule.createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
    this.#compiled = { module: await WebAssembly.compile(await readFile(file)), variant };
  }

  async prepare(memoryBytes: number): Promise<void> {
    if (this.#next?.memoryBytes === memoryBytes) return;
    if (this.#compiled === undefined) throw new Error('the engine is not loaded');
    this.#next = { memoryBytes, instance: await QuickJsInstance.create(this.#compiled, memoryBytes) };
  }

  async run(message: RunMessage, ask: AskHost, watch: Watch, stopped: Promise<void>): Promise<WorkerAnswer> {
    const failed = (text: string): WorkerAnswer => ({ end: { reason: 'error', message: text }, log: [], calls: [] });
    if (typeof message.code !== 'string') return failed('the code is not text');
    let code: string;
    const modules = new Map<string, string>();
    try {
      code = await this.#plain({ ...message, code: message.code });
      for (const [name, module] of Object.entries(message.modules ?? {}))
        modules.set(name, await this.#plain({ ...module, hash: name }));
    } catch (error) {
      if (error instanceof SyntaxError) return failed(`SyntaxError: ${error.message}`);
      throw error;
    }
    await this.prepare(message.limits.memoryBytes);
    const instance = this.#next?.instance;
    if (instance === undefined) throw new Error('no instance was prepared');
    this.#next = undefined;
    if (modules.size > 0) instance.runtime.setModuleLoader((name) => modules.get(name) ?? { error: noModule(name) });
    return new QuickJsRun(instance, message, ask, watch).run(code, stopped);
  }

  /** Returns code without types. */
  async #plain({
    language,
    hash,
    code,
  }: Pick<RunMessage, 'language' | 'hash'> & { readonly code: string }): Promise<string> {
    return language === 'typescript' ? this.#stripped.of(hash, code) : code;
  }
}
