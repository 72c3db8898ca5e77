import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identity of one run of a process. Distinguishes it from a later process with the same pid. */
export interface ProcessIdentity {
  /** Scope in which `pid` is unique: machine, its boot, and the container's process namespace. */
  readonly host: string;
  readonly pid: number;
  /** Start time of the process, in the system's unit; `''` if the system does not report it. */
  readonly started: string;
}

/**
 * `unknown`: it ran on another host, or this system cannot distinguish a process from a later one with the same pid.
 */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Table that distinguishes living processes from dead ones. */
export interface ProcessTable {
  readonly self: ProcessIdentity;
  liveness(other: ProcessIdentity): Liveness;
}

/** Returns the processes of this machine. */
export function machineProcesses(): ProcessTable {
  const self = { host: hostIdentity(), pid: process.pid, started: startOf(process.pid) ?? '' };
  return {
    self,
    liveness(other) {
      if (other.host !== self.host) return 'unknown';
      if (!exists(other.pid)) return 'dead';
      const started = startOf(other.pid);
      if (started === undefined || other.started === '') return other.pid === self.pid ? 'alive' : 'unknown';
      return started === other.started ? 'alive' : 'dead';
    },
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hostIdentity(): string {
  const boot = readOr('/proc/sys/kernel/random/boot_id', '');
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: one namespace for all.
  }
  return `${hostname()}/${boot}/${namespace}`;
}

/**
 * Reads field 22 of `/proc/<pid>/stat`, counted after the command's name, which may hold spaces and brackets; see
 * proc(5).
 */
function startOf(pid: number): string | undefined {
  const line = readOr(`/proc/${pid}/stat`, '');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended and waits for its parent to notice.
  return fields[0] === 'Z' ? 'ended' : fields[19];
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return otherwise;
  }
}
