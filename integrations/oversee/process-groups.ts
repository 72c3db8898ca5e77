import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { LoopError } from 'rsi-loop';

export type { ChildProcess, SpawnOptions };

/** Process groups that a run started. Each process leads its own group, so a stop also ends what it started. */
export class ProcessGroups {
  readonly #leaders = new Map<ChildProcess, string>();

  /** Commands of the processes that have not ended. */
  get running(): readonly string[] {
    return [...this.#leaders.values()];
  }

  /** @throws LoopError `invalid-input` on a platform without processes. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = processes().spawn(command, [...args], { ...options, detached: true });
    this.#leaders.set(child, command);
    const forget = () => {
      this.#leaders.delete(child);
    };
    child.on('error', forget);
    child.on('exit', () => {
      // Members of the group may outlive their leader.
      kill(child, 'SIGKILL');
      forget();
    });
    return child;
  }

  /** Sends a signal to every group. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    for (const child of this.#leaders.keys()) kill(child, signal);
  }
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    // Windows has no process groups.
    if (globalThis.process.platform === 'win32') child.kill(signal);
    else globalThis.process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}

/** Returns Node's processes without importing them, so that browsers can load this module. */
function processes(): typeof import('node:child_process') {
  const found = globalThis.process?.getBuiltinModule?.('node:child_process');
  if (found) return found;
  throw new LoopError('invalid-input', 'this platform has no processes: spawn works in Node, Bun and Deno');
}
