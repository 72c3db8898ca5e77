import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names one run of one process, so that a later process with the same number is not taken for it. */
export interface ProcessIdentity {
  /** The space in which `pid` means something: machine, its boot, and the container's process namespace. */
  readonly host: string;
  readonly pid: number;
  /** When the process started, in whatever the system counts; `''` where the system does not tell. */
  readonly started: string;
}

/** `unknown`: it ran on another host, or this system cannot tell a process from a later one with the same number. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Tells living processes from dead ones. */
export interface ProcessTable {
  readonly self: ProcessIdentity;
  liveness(other: ProcessIdentity): Liveness;
}

/** The processes of this machine. */
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
    // EPERM: it exists and belongs to somebody else.
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

/** Field 22 of `/proc/<pid>/stat`, counted after the command's name, which may hold spaces and brackets; see proc(5). */
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
