import type { Json } from 'rsi-loop';
import type { SandboxCall, SandboxFailure, SandboxLanguage, SandboxLimits, SandboxModule } from '../sandbox.js';

/** Functions that a worker asks the host for. The others are answered inside of the worker. */
export type HostFunction = Exclude<SandboxCall['function'], 'clock' | 'random'>;

/** First message of a worker: its data. */
export interface WorkerSetup {
  readonly engine: 'quickjs' | 'wasi' | 'types';
  /**
   * Two numbers: of the last run that the host stopped, by which a busy program is interrupted; and of messages sent to the
   * worker, on which a program that waits for the host sleeps.
   */
  readonly state: SharedArrayBuffer;
  /** Limits to prepare the next run for. */
  readonly memoryBytes: number;
}

/** Run, as the worker gets it. */
export interface RunMessage {
  readonly kind: 'run';
  readonly run: number;
  readonly language: SandboxLanguage;
  readonly code: string | Uint8Array;
  readonly hash: string;
  readonly modules?: Readonly<Record<string, SandboxModule>>;
  /** JSON. */
  readonly input: string;
  readonly limits: SandboxLimits;
  readonly seed: number;
  /** Folders that a WASI program may read. QuickJS asks the host. */
  readonly read: readonly string[];
}

export type ToWorker =
  | RunMessage
  | { readonly kind: 'stop'; readonly run: number }
  /** Loads what TypeScript needs. Its time does not count as time of a run. */
  | { readonly kind: 'load' }
  /** Result of a host function, or the reason why it failed. */
  | ({ readonly kind: 'result'; readonly run: number; readonly call: number } & HostResult);

export type HostResult = { readonly value: Json } | { readonly error: string };

export type FromWorker =
  /** The worker can take a run. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'loaded' }
  | { readonly kind: 'missing'; readonly packages: readonly string[]; readonly message: string }
  | {
      readonly kind: 'call';
      readonly run: number;
      readonly call: number;
      readonly function: HostFunction;
      /** JSON: an array. */
      readonly args: string;
    }
  | ({ readonly kind: 'done'; readonly run: number } & WorkerAnswer);

/** End of a run. A run that the host stopped has the reason `timeout`; the host knows better. */
export interface WorkerAnswer {
  readonly end: WorkerEnd;
  readonly log: readonly string[];
  /** Calls that the worker answered. */
  readonly calls: readonly SandboxCall[];
}

/** JSON of the output, checked, or the reason of a failure. */
export type WorkerEnd = { readonly output: string } | { readonly reason: SandboxFailure; readonly message: string };
