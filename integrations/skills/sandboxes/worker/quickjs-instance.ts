import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSSyncVariant } from 'quickjs-emscripten-core';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import { PRELUDE } from './prelude.js';

const PAGE = 65_536;
/** Pages that the WebAssembly module asks for at its start. */
const FIRST_PAGES = 256;

/** Work behind the functions of `host`. Set when the run begins, as the instance is older. */
export interface GuestFunctions {
  call(name: string, args: QuickJSHandle): QuickJSHandle;
  clock(): number;
  random(): number;
  log(line: QuickJSHandle): void;
}

/**
 * One engine with its own WebAssembly memory, used for one run and then dropped as a whole. The memory has a maximum: the
 * engine's own limit misses part of what a program allocates.
 */
export class QuickJsInstance {
  functions: GuestFunctions | undefined;
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  /** Function of the prelude: `(main, input) => promise of JSON`. */
  readonly start: QuickJSHandle;
  readonly #memory: WebAssembly.Memory;
  readonly #maxBytes: number;

  private constructor(runtime: QuickJSRuntime, memory: WebAssembly.Memory, maxBytes: number) {
    this.runtime = runtime;
    this.context = runtime.newContext();
    this.#memory = memory;
    this.#maxBytes = maxBytes;
    this.start = this.#runPrelude();
    this.#rehearse();
  }

  /** Runs an empty program, so that the first real one finds memory and code of the engine in use. */
  #rehearse(): void {
    const { context, runtime } = this;
    const empty = context.unwrapResult(context.evalCode('() => null', 'empty.js'));
    context.unwrapResult(context.callFunction(this.start, context.undefined, empty, context.newString('null')));
    runtime.executePendingJobs();
  }

  static async create(
    compiled: { readonly module: WebAssembly.Module; readonly variant: QuickJSSyncVariant },
    memoryBytes: number,
  ): Promise<QuickJsInstance> {
    const maximum = Math.max(FIRST_PAGES, Math.floor(memoryBytes / PAGE));
    const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
    const quickjs = await newQuickJSWASMModuleFromVariant(
      newVariant(compiled.variant, { wasmModule: compiled.module, wasmMemory: memory }),
    );
    const runtime = quickjs.newRuntime();
    runtime.setMemoryLimit(memoryBytes);
    return new QuickJsInstance(runtime, memory, memoryBytes);
  }

  /** Whether little memory was left. Engine errors are then caused by that. */
  get isFull(): boolean {
    if (this.#memory.buffer.byteLength > Math.max(this.#maxBytes, FIRST_PAGES * PAGE) * 0.7) return true;
    return this.#maxBytes < FIRST_PAGES * PAGE;
  }

  #runPrelude(): QuickJSHandle {
    const { context } = this;
    const use = (): GuestFunctions => {
      if (this.functions === undefined) throw new Error('no run has begun');
      return this.functions;
    };
    const functions = context.newObject();
    const define = (name: string, body: (...args: QuickJSHandle[]) => QuickJSHandle | undefined) =>
      context.setProp(functions, name, context.newFunction(name, body));
    define('call', (name, args) => use().call(name ? context.getString(name) : '', args ?? context.undefined));
    define('clock', () => context.newNumber(use().clock()));
    define('random', () => context.newNumber(use().random()));
    define('log', (line) => void use().log(line ?? context.undefined));
    const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'host.js'));
    return context.unwrapResult(context.callFunction(prelude, context.undefined, functions));
  }
}
