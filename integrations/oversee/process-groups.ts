import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { LoopError } from 'rsi-loop';
import { type ListedProcess, processesOf } from './process-table.js';

export type { ChildProcess, SpawnOptions };

/** Processes that went on when the command that started them had ended. */
export interface LeftProcesses {
  readonly command: string;
  /** Their names and ids, such as `sleep (4711)`. Empty where processes cannot be listed. */
  readonly processes: readonly string[];
}

/** Options of `ProcessGroups`. */
export interface GroupOptions {
  /** Time that a group has to end after its leader, in milliseconds. Default 0. */
  readonly graceMs?: number;
  /** Called when a group did not end in that time. It is killed. */
  readonly onLeft?: (left: LeftProcesses) => void;
}

const LOOK_MS = 20;

/** Process groups that a run started. Each process leads its own group, so a stop also ends what it started. */
export class ProcessGroups {
  readonly #options: GroupOptions;
  readonly #leaders = new Map<ChildProcess, string>();
  /** Groups whose leader has ended. */
  readonly #ending = new Set<Promise<void>>();
  /** Groups that got a signal: what goes on in them was not left. */
  readonly #signalled = new WeakSet<ChildProcess>();
  /** Processes outside of the groups that got a signal. */
  #strays: readonly number[] = [];

  constructor(options: GroupOptions = {}) {
    this.#options = options;
  }

  /** Commands of the groups that have not ended. */
  get running(): readonly string[] {
    return [...this.#leaders.values()];
  }

  /** Ids of the groups that have not ended. */
  get ids(): readonly number[] {
    return [...this.#leaders.keys()].flatMap(({ pid }) => pid ?? []);
  }

  /** @throws LoopError `invalid-input` on a platform without processes. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = processes().spawn(command, [...args], { ...options, detached: true });
    const forget = () => {
      this.#leaders.delete(child);
    };
    this.#leaders.set(child, command);
    child.on('error', () => {
      if (child.pid === undefined) forget();
    });
    child.on('exit', () => {
      const ending = this.#outlive(child, command).finally(() => {
        forget();
        this.#ending.delete(ending);
      });
      this.#ending.add(ending);
    });
    return child;
  }

  /** Sends a signal to every group, and to the processes that its members started in other groups. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { ids } = this;
    if (ids.length === 0 && this.#strays.length === 0) return;
    this.#strays = list([...ids, ...this.#strays]).flatMap(({ group, pid }) => (ids.includes(group) ? [] : pid));
    for (const child of this.#leaders.keys()) this.#signal(child, signal);
    for (const pid of this.#strays) send(pid, signal);
  }

  /** Ends the commands in progress by SIGTERM. Groups whose leader has ended have their own time to end. */
  terminate(): void {
    for (const child of this.#leaders.keys()) if (!hasExited(child)) this.#signal(child, 'SIGTERM');
  }

  /** Kills everything. Groups whose leader has ended are reported. */
  close(): void {
    for (const [child, command] of this.#leaders) if (hasExited(child)) this.#endLeft(child, command);
    this.kill('SIGKILL');
  }

  /** Resolves when the groups whose leader has ended have ended too. */
  async ended(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  /** Grants a group time to end after its leader, and kills it after that. */
  async #outlive(child: ChildProcess, command: string): Promise<void> {
    const { graceMs = 0 } = this.#options;
    for (const untilMs = performance.now() + graceMs; performance.now() < untilMs; ) {
      if (!lives(child)) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    this.#endLeft(child, command);
  }

  /** Kills a group that went on after its leader, and reports what was in it. */
  #endLeft(child: ChildProcess, command: string): void {
    if (!lives(child)) return;
    const isLeft = !this.#signalled.has(child);
    const left = list([child.pid ?? 0]).map(({ name, pid }) => `${name} (${pid})`);
    this.#signal(child, 'SIGKILL');
    if (isLeft) this.#options.onLeft?.({ command, processes: left });
  }

  #signal(child: ChildProcess, signal: NodeJS.Signals): void {
    this.#signalled.add(child);
    signalGroup(child, signal);
  }
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Returns whether a process of the group runs. Dead ones that nothing has collected do not. */
function lives(child: ChildProcess): boolean {
  if (!signalGroup(child, 0)) return false;
  try {
    return processesOf([child.pid ?? 0]).length > 0;
  } catch {
    return true;
  }
}

/** Returns the processes of these leaders; none where they cannot be listed, where groups are still ended as a whole. */
function list(leaders: readonly number[]): readonly ListedProcess[] {
  try {
    return processesOf(leaders);
  } catch {
    return [];
  }
}

/** Sends a signal to the group of a process. Returns false if the group has ended. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  // Windows has no process groups.
  if (globalThis.process.platform === 'win32') return child.exitCode === null && child.kill(signal);
  return send(-child.pid, signal);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return globalThis.process.kill(pid, signal);
  } catch {
    return false; // it has ended
  }
}

/** Returns Node's processes without importing them, so that browsers can load this module. */
function processes(): typeof import('node:child_process') {
  const found = globalThis.process?.getBuiltinModule?.('node:child_process');
  if (found) return found;
  throw new LoopError('invalid-input', 'this platform has no processes: spawn works in Node, Bun and Deno');
}
