import { WASI, WASIProcExit } from '@bjorn3/browser_wasi_shim';
import type { SandboxCall } from '../../sandbox.js';
import type { HostFunction, HostResult, RunMessage, WorkerAnswer, WorkerEnd } from '../messages.js';
import { capModule, ModuleRefused } from './cap-module.js';
import { checkOutput, tooLong } from './check-output.js';
import type { AskHost, Engine } from './engine.js';
import { RunLog } from './run-log.js';
import { seeded } from './seeded.js';
import { InputStream, OpenFiles, OutputStream, ReadableFolder, type RecordCall } from './wasi-files.js';
import { hostImports } from './wasi-host.js';

const MAX_TEXT = 500;

/** Runs WASI commands, each in an instance of its own. The host ends one that takes too long together with its worker. */
export class WasiEngine implements Engine {
  readonly #compiled = new Map<string, { readonly from: Uint8Array; readonly module: WebAssembly.Module }>();

  async load(): Promise<void> {
    // Its package is imported above.
  }

  async prepare(): Promise<void> {
    // An instance is created from the program.
  }

  async run(message: RunMessage, ask: AskHost): Promise<WorkerAnswer> {
    const run = new WasiRun(message, ask);
    try {
      const module = await this.#moduleOf(message);
      return run.run(module);
    } catch (error) {
      return run.failed(error);
    } finally {
      run.close();
    }
  }

  async #moduleOf({ hash, code, limits }: RunMessage): Promise<WebAssembly.Module> {
    if (typeof code === 'string') throw new ModuleRefused('the code is text: give the bytes of a module');
    const key = `${hash} ${limits.memoryBytes}`;
    const known = this.#compiled.get(key);
    if (known && Buffer.compare(known.from, code) === 0) return known.module;
    const module = await WebAssembly.compile(capModule(code, limits.memoryBytes));
    this.#compiled.delete(key);
    this.#compiled.set(key, { from: code, module });
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > 20 && oldest !== undefined) this.#compiled.delete(oldest);
    return module;
  }
}

/** A limit was reached. Every later system call throws it again, as a program can catch it. */
class Over extends Error {}

class WasiRun {
  readonly #message: RunMessage;
  readonly #ask: AskHost;
  readonly #random: () => number;
  readonly #log: RunLog;
  readonly #calls: SandboxCall[] = [];
  readonly #served = { clock: 0, random: 0 };
  readonly #output: Uint8Array[] = [];
  readonly #files = new OpenFiles(
    (call) => this.#record(call),
    () => this.#memory?.buffer.byteLength ?? 0,
  );
  readonly #decoder = new TextDecoder();
  #asked = 0;
  #outputBytes = 0;
  #errorText = '';
  #over: WorkerEnd | undefined;
  #memory: WebAssembly.Memory | undefined;

  constructor(message: RunMessage, ask: AskHost) {
    this.#message = message;
    this.#ask = ask;
    this.#random = seeded(message.seed);
    this.#log = new RunLog(message.limits.outputBytes);
  }

  run(module: WebAssembly.Module): WorkerAnswer {
    const { input, read } = this.#message;
    const files = [
      new InputStream(input),
      new OutputStream((bytes) => this.#write(bytes)),
      new OutputStream((bytes) => this.#writeError(bytes)),
      ...read.map((folder) => new ReadableFolder(folder, folder, this.#files)),
    ];
    const system = new WASI(['program'], [], files);
    const imports = this.#imports(system.wasiImport);
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: imports,
      wasi_unstable: imports,
      rsi: this.#guarded(this.#hostImports()),
    });
    const { memory, _start: start } = instance.exports;
    if (!(memory instanceof WebAssembly.Memory) || typeof start !== 'function') {
      throw new ModuleRefused('the module is no WASI command: it must export memory and _start');
    }
    this.#memory = memory;
    const code = system.start({ exports: { memory, _start: () => start() } });
    if (code !== 0) return this.#end({ reason: 'error', message: this.#exitMessage(code) });
    return this.#end(checkOutput(this.#text(), this.#message.limits.outputBytes));
  }

  failed(error: unknown): WorkerAnswer {
    if (error instanceof ModuleRefused || error instanceof WebAssembly.CompileError) return this.#fail(error.message);
    if (error instanceof WebAssembly.LinkError) return this.#fail(`the module needs more than WASI: ${error.message}`);
    if (error instanceof RangeError && /call stack/.test(error.message)) {
      return this.#end({ reason: 'stack', message: 'the program nests its calls too deeply' });
    }
    const { memoryBytes } = this.#message.limits;
    const isFull = this.#memory !== undefined && this.#memory.buffer.byteLength > memoryBytes * 0.7;
    if (isFull || (error instanceof RangeError && /at its start|allocat/.test(error.message))) {
      return this.#end({ reason: 'memory', message: `the program needs more than ${memoryBytes} bytes of memory` });
    }
    if (error instanceof WASIProcExit) return this.#fail(this.#exitMessage(error.code));
    return this.#fail(`${error instanceof Error ? error.message : String(error)}${this.#errorTail()}`);
  }

  /** Closes the files that the program left open. */
  close(): void {
    this.#files.closeAll();
  }

  #fail(message: string): WorkerAnswer {
    return this.#end({ reason: 'error', message });
  }

  #end(end: WorkerEnd): WorkerAnswer {
    if (this.#errorText !== '') this.#log.add(this.#errorText);
    const served = (['clock', 'random'] as const)
      .filter((name) => this.#served[name] > 0)
      .map((name) => ({ ...ANSWERED, function: name, target: '', times: this.#served[name] }));
    return { end: this.#over ?? end, log: this.#log.end(), calls: [...this.#calls, ...served] };
  }

  /** System calls of the shim. Each ends the program after a limit was reached. */
  #imports(system: WASI['wasiImport']): WASI['wasiImport'] {
    const own: WASI['wasiImport'] = {
      ...system,
      random_get: (at: number, length: number) => {
        this.#served.random += 1;
        const bytes = new Uint8Array(this.#memory?.buffer ?? new ArrayBuffer(0)).subarray(
          at >>> 0,
          (at >>> 0) + (length >>> 0),
        );
        for (let index = 0; index < bytes.length; index += 1) bytes[index] = this.#random() * 256;
        return 0;
      },
      clock_time_get: (...args: unknown[]) => {
        this.#served.clock += 1;
        return system.clock_time_get?.(...args);
      },
    };
    return this.#guarded(own);
  }

  #guarded(functions: WASI['wasiImport']): WASI['wasiImport'] {
    const guarded = Object.entries(functions).map(([name, call]) => [
      name,
      (...args: unknown[]) => {
        if (this.#over) throw new Over();
        return call(...args);
      },
    ]);
    return Object.fromEntries(guarded);
  }

  #hostImports(): WASI['wasiImport'] {
    const { memoryBytes } = this.#message.limits;
    return hostImports({
      memory: () => this.#memory?.buffer ?? new ArrayBuffer(0),
      maxBytes: memoryBytes / 16,
      own: {
        clock: () => {
          this.#served.clock += 1;
          return Date.now();
        },
        random: () => {
          this.#served.random += 1;
          return this.#random();
        },
        log: (line) => {
          this.#log.add(line);
          return null;
        },
      },
      ask: (name, args) => this.#askHost(name, args),
    });
  }

  #askHost(name: string, args: string): HostResult {
    this.#mayCall();
    this.#asked += 1;
    // The host checks the name.
    const result = this.#ask.now(name as HostFunction, args);
    return result ?? this.#stop({ reason: 'timeout', message: 'the run was stopped' });
  }

  #write(bytes: Uint8Array): void {
    const { outputBytes } = this.#message.limits;
    this.#outputBytes += bytes.length;
    if (this.#outputBytes > outputBytes) this.#stop(tooLong(this.#outputBytes, outputBytes));
    this.#output.push(bytes);
  }

  /** Keeps whole lines in the log. */
  #writeError(bytes: Uint8Array): void {
    const lines = (this.#errorText + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#errorText = (lines.pop() ?? '').slice(-2_000);
    for (const line of lines) this.#log.add(line);
  }

  #record(call: Parameters<RecordCall>[0]): void {
    this.#mayCall();
    this.#calls.push({ ...ANSWERED, ...call, target: call.target.slice(0, MAX_TEXT) });
  }

  #mayCall(): void {
    const { calls } = this.#message.limits;
    if (this.#calls.length + this.#asked >= calls)
      this.#stop({ reason: 'calls', message: `the program called the host or opened files more than ${calls} times` });
  }

  #stop(end: WorkerEnd): never {
    this.#over = end;
    throw new Over();
  }

  #text(): string {
    return Buffer.concat(this.#output).toString('utf8').trim();
  }

  #exitMessage(code: number): string {
    return `the program ended with exit code ${code}${this.#errorTail()}`;
  }

  #errorTail(): string {
    const last = [...this.#log.lines, this.#errorText].filter((line) => line.trim() !== '').at(-1);
    return last === undefined ? '' : `: ${last.slice(0, MAX_TEXT)}`;
  }
}

const ANSWERED = { result: 'ok', durationMs: 0, bytes: 0, times: 1 } as const;
