import type { Clock } from 'rsi-loop';
import { hashing, isWithin, mustBe } from 'rsi-loop/kit';
import { type ChildProcess, type LeftProcesses, ProcessGroups, type SpawnOptions } from './process-groups.js';
import { memoryOf, mustListProcesses, processesOf } from './process-table.js';

/** Limits of the processes of a run and its children together. */
export interface ProcessLimits {
  /** Resident memory of all processes, in MiB. Linux and macOS. */
  readonly memoryMb?: number;
  /** Processes at the same time. Linux and macOS. */
  readonly processes?: number;
  /** How often one command line may be started again. */
  readonly restarts?: number;
}

interface ProcessParts {
  readonly limits: ProcessLimits;
  readonly graceMs: number;
  readonly clock: Pick<Clock, 'after'>;
  /** Processes of the run around this one. */
  readonly around: RunProcesses | undefined;
  readonly onExceeded: (why: 'memory' | 'processes' | 'restarts', message: string) => void;
  readonly onLeft: (left: LeftProcesses) => void;
}

/** Interval at which processes are counted and measured. */
const LOOK_MS = 250;
/** Command lines whose starts are counted; the oldest are forgotten. */
const MAX_COMMANDS = 1_000;

/** Processes of a run, which count for all runs around it, and their limits. */
export class RunProcesses {
  readonly #parts: ProcessParts;
  readonly #groups: ProcessGroups;
  readonly #inner = new Set<RunProcesses>();
  readonly #starts = new Map<string, number>();
  #cancel: () => void = () => undefined;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.#groups = new ProcessGroups({ graceMs: parts.graceMs, onLeft: parts.onLeft });
    parts.around?.take(this);
    const { memoryMb, processes } = parts.limits;
    if (memoryMb !== undefined || processes !== undefined) this.#lookLater();
  }

  get running(): readonly string[] {
    return this.#groups.running;
  }

  /** Takes note of a start, which may exceed a limit of this run or of one around it. */
  count(command: string, args: readonly string[]): void {
    const { limits, around, onExceeded } = this.#parts;
    around?.count(command, args);
    if (limits.restarts === undefined) return;
    const key = hashing.hashJson([command, ...args]);
    const restarts = this.#starts.get(key) ?? 0;
    this.#starts.delete(key);
    this.#starts.set(key, restarts + 1);
    for (const oldest of [...this.#starts.keys()].slice(0, -MAX_COMMANDS)) this.#starts.delete(oldest);
    if (restarts > limits.restarts)
      onExceeded('restarts', `${command} was started ${restarts} times, and ${limits.restarts} restarts are allowed`);
  }

  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    return this.#groups.spawn(command, args, options);
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#groups.kill(signal);
  }

  /** Kills everything immediately, also in children. */
  killAll(): void {
    this.#groups.kill('SIGKILL');
    for (const inner of this.#inner) inner.killAll();
  }

  /** Ends the commands in progress. */
  terminate(): void {
    this.#groups.terminate();
  }

  /** Resolves when no group is left whose leader has ended. */
  ended(): Promise<void> {
    return this.#groups.ended();
  }

  /** Ends the watch and all processes. */
  close(): void {
    this.#cancel();
    this.#groups.close();
    this.#parts.around?.drop(this);
  }

  /** Counts the processes of a child too. */
  take(inner: RunProcesses): void {
    this.#inner.add(inner);
  }

  drop(inner: RunProcesses): void {
    this.#inner.delete(inner);
  }

  get #ids(): readonly number[] {
    return [...this.#groups.ids, ...[...this.#inner].flatMap((each) => each.#ids)];
  }

  #lookLater(): void {
    const look = () => {
      this.#look();
      this.#lookLater();
    };
    this.#cancel = this.#parts.clock.after(LOOK_MS, look, { background: true });
  }

  #look(): void {
    const ids = this.#ids;
    if (ids.length === 0) return;
    const { limits, onExceeded } = this.#parts;
    const found = processesOf(ids);
    if (limits.processes !== undefined && found.length > limits.processes)
      onExceeded('processes', `${found.length} processes run, and ${limits.processes} are allowed: ${namesOf(found)}`);
    if (limits.memoryMb === undefined) return;
    const usedMb = Math.round(memoryOf(found));
    if (usedMb > limits.memoryMb)
      onExceeded('memory', `its processes use ${usedMb} of ${limits.memoryMb} MiB: ${namesOf(found)}`);
  }
}

/** Returns the most frequent names, such as `3 node, sh`. */
function namesOf(processes: readonly { readonly name: string }[]): string {
  const counts = new Map<string, number>();
  for (const { name } of processes) counts.set(name, (counts.get(name) ?? 0) + 1);
  const all = [...counts].sort(([, one], [, other]) => other - one);
  const shown = all.slice(0, 3).map(([name, count]) => (count > 1 ? `${count} ${name}` : name));
  return [...shown, ...(all.length > 3 ? ['...'] : [])].join(', ');
}

/** @throws LoopError `invalid-input` for a limit that is out of range, or that this platform cannot hold. */
export function checkProcessLimits({ memoryMb, processes, restarts = 0 }: ProcessLimits): void {
  if (memoryMb !== undefined || processes !== undefined) mustListProcesses();
  mustBe(isWithin(memoryMb ?? 1, Number.MIN_VALUE), 'budget.memoryMb', memoryMb, 'MiB above 0');
  mustBe(
    isWithin(processes ?? 1, 1) && Number.isInteger(processes ?? 1),
    'budget.processes',
    processes,
    'a whole number from 1',
  );
  mustBe(isWithin(restarts, 0) && Number.isInteger(restarts), 'budget.restarts', restarts, 'a whole number from 0');
}
