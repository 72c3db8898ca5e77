import type { HostFunction, HostResult, RunMessage, WorkerAnswer } from '../messages.js';

/** Asks the host to run a function. Never rejects. */
export interface AskHost {
  (name: HostFunction, args: string): Promise<HostResult>;
  /** The same for a program that cannot wait for a promise: the thread sleeps. `undefined` if the host stopped the run. */
  now(name: HostFunction, args: string): HostResult | undefined;
}

/** Whether the run must end, and why. Called often while a program runs. */
export type Watch = () => 'timeout' | undefined;

/** Runs programs of one kind, each in a fresh instance. */
export interface Engine {
  /** Loads what every run needs. @throws if a package is missing. */
  load(): Promise<void>;
  /** Creates the instance of the next run before it arrives. */
  prepare(memoryBytes: number): Promise<void>;
  /** Never rejects for what the program does. */
  run(message: RunMessage, ask: AskHost, watch: Watch, stopped: Promise<void>): Promise<WorkerAnswer>;
}
