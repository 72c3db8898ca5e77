import type { Json } from 'rsi-loop';

/**
 * Language of a program. `javascript` and `typescript` are one module, which imports nothing but `modules`. Its default export is a function
 * `(input, host) => output`, async or not, and `host` is a `SandboxHost`. `wasm` is a WASI command: it reads the input as
 * JSON from its standard input and writes the output as JSON to its standard output.
 */
export type SandboxLanguage = 'javascript' | 'typescript' | 'wasm';

/** Module that a program may import. */
export interface SandboxModule {
  readonly language: Exclude<SandboxLanguage, 'wasm'>;
  readonly code: string;
}

/** Code that a sandbox may run. */
export interface SandboxProgram {
  readonly language: SandboxLanguage;
  /** Bytes for `wasm`, text otherwise. */
  readonly code: string | Uint8Array;
  /** Name under which prepared code is cached. A wrong hash costs time, and never runs other code. */
  readonly hash: string;
  /** Modules that JavaScript and TypeScript may import, by the text of the import. Default: none. */
  readonly modules?: Readonly<Record<string, SandboxModule>>;
}

/** Limits of one run. The sandbox ends the run within 500 ms after it exceeds one. */
export interface SandboxLimits {
  /** Wall clock time, including host functions. Default: 5,000. */
  readonly timeMs: number;
  /**
   * Everything the program allocates, including its engine. A text that a host function reads or receives may have a
   * sixteenth of it. Default: 64 MiB.
   */
  readonly memoryBytes: number;
  /** Depth of nested function calls, in bytes. Default: 256 KiB. */
  readonly stackBytes: number;
  /** Output as JSON in UTF-8, and separately the log. Default: 256 KiB. */
  readonly outputBytes: number;
  /** Calls of `http` and `files`. Default: 100. */
  readonly calls: number;
}

/**
 * Access that a run gets. Everything is denied by default. A `wasm` program sees the folders of `read` by the names given
 * here, and may import `call` and `answer` of the module `rsi` for the functions of `SandboxHost`.
 */
export interface SandboxPermissions {
  /**
   * Hosts for `http`: `api.example.com`, `*.example.com` for its subdomains, or with a port as `api.example.com:8443`.
   * A name that resolves to a private address is denied: only an entry that is the address itself allows one.
   */
  readonly hosts?: readonly string[];
  /** Folders for `files.read` and `files.list`. */
  readonly read?: readonly string[];
  /** Folders for `files.write`. They are not readable unless `read` lists them too. */
  readonly write?: readonly string[];
}

/** Options of one run in a sandbox. */
export interface SandboxRun {
  /** Default of each limit: see `SandboxLimits`. */
  readonly limits?: Partial<SandboxLimits>;
  /** Default: nothing. */
  readonly allow?: SandboxPermissions;
  /** Ends the run with reason `stopped`. */
  readonly signal?: AbortSignal;
  /** Seed of `random`: same seed, same numbers. Default: 1. */
  readonly seed?: number;
}

/** Options of compiling a program. */
export interface BuildOptions {
  readonly signal?: AbortSignal;
}

/** Call of a host function. Calls of `clock` and `random` are one record each, with their number. */
export interface SandboxCall {
  readonly function: 'http.get' | 'http.post' | 'files.read' | 'files.list' | 'files.write' | 'clock' | 'random';
  /** URL or path as the program gave it, at most 500 characters; `''` for `clock` and `random`. */
  readonly target: string;
  readonly result: 'ok' | 'refused' | 'failed';
  /** Reason; present if and only if the result is not `ok`. */
  readonly message?: string;
  readonly durationMs: number;
  /** Bytes read, received or written. */
  readonly bytes: number;
  readonly times: number;
}

/** Why a program in a sandbox has no answer. */
export type SandboxFailure =
  /** The program threw, returned something other than JSON, or cannot be parsed. */
  | 'error'
  | 'timeout'
  | 'memory'
  | 'stack'
  | 'output'
  | 'calls'
  /** A host function was denied and the program did not handle it. */
  | 'refused'
  /** The caller's signal ended it. */
  | 'stopped'
  /** The worker or process that ran it ended unexpectedly. The next run gets a new one. */
  | 'crashed';

interface SandboxTrace {
  /** In order of their end. At most `limits.calls`, and the one of `clock` and `random`. */
  readonly calls: readonly SandboxCall[];
  /** Lines of `host.log` and `console.log`: at most 1,000, and `outputBytes`. If more are dropped, the last one says so. */
  readonly log: readonly string[];
  readonly durationMs: number;
}

/** End of a program in a sandbox: its answer, or why there is none. */
export type SandboxAnswer =
  | ({ readonly kind: 'answer'; readonly output: Json } & SandboxTrace)
  | ({
      readonly kind: 'failed';
      readonly reason: SandboxFailure;
      /** One sentence. Text of the program, so untrusted and at most 2,000 characters. */
      readonly message: string;
    } & SandboxTrace);

/** Runs programs that are not trusted. Every implementation passes the suite of escapes in `test/contracts`. */
export interface Sandbox {
  /** Display name in reports, such as `quickjs`. */
  readonly name: string;
  readonly languages: readonly SandboxLanguage[];
  /**
   * Runs a program with a JSON input. Never rejects for what the program does: each failure is an answer.
   * @throws LoopError `closed`; `invalid-input` for a language, limit or permission that is not valid; `missing-peer` if
   * an optional package is not installed; `sandbox-refused` if this machine cannot isolate a program.
   */
  run(program: SandboxProgram, input: Json, options?: SandboxRun): Promise<SandboxAnswer>;
  /**
   * Compiles AssemblyScript to a WASI command within limits. `sources` by name has `main.ts`, and what it imports. The output is the
   * module in Base64. Default: it cannot.
   * @throws LoopError as `run` does.
   */
  build?(sources: Readonly<Record<string, string>>, options?: BuildOptions): Promise<SandboxAnswer>;
  /** Ends all runs with reason `stopped`, and all workers. Idempotent. */
  close(): Promise<void>;
}

/** Second argument of a `javascript` or `typescript` program. Functions that are not allowed reject. */
export interface SandboxHost {
  readonly http: {
    get(url: string, options?: SandboxRequest): Promise<SandboxResponse>;
    /** Sends text as it is, and anything else as JSON. */
    post(url: string, body: Json, options?: SandboxRequest): Promise<SandboxResponse>;
  };
  readonly files: {
    /** Returns the text of a file (UTF-8). */
    read(path: string): Promise<string>;
    list(path: string): Promise<readonly { readonly name: string; readonly kind: 'file' | 'folder' | 'other' }[]>;
    /** Creates or replaces a file. */
    write(path: string, text: string): Promise<void>;
  };
  /** Returns the time, in ms since 1970. */
  clock(): number;
  /** Returns a number from 0 to below 1, by the seed of the run. `Math.random` returns the same sequence. */
  random(): number;
  log(...values: readonly unknown[]): void;
}

/** Options of an HTTP request from a sandbox. */
export interface SandboxRequest {
  readonly headers?: { readonly [name: string]: string };
}

/** Answer to an HTTP request from a sandbox. */
export interface SandboxResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}
