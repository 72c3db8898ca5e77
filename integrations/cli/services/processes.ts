import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Identity of one run of a process. A later process with the same pid has another start time. */
export interface ProcessId {
  readonly pid: number;
  /** Start time: boot and clock ticks on Linux, date and time elsewhere. */
  readonly started: string;
}

/** Running process. Those that ended and wait for their parent are left out. */
export interface Running extends ProcessId {
  /** Process group, whose id is the pid of its leader. */
  readonly group: number;
  /** True if its environment holds the token. */
  readonly isMarked: boolean;
}

/** Variable with the token of a service, in the environment of its processes. */
export const TOKEN_VARIABLE = 'RUN_BY_RSI_SERVICES';

/** Returns all processes that run. `token` is that of a service, to mark its processes. */
export async function listProcesses(token?: string): Promise<readonly Running[]> {
  if (process.platform === 'linux') return listByProc(token);
  const args = ['-axww', '-E', '-o', 'pid=,pgid=,stat=,lstart=,command='];
  const { stdout } = await promisify(execFile)('ps', args, { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 64e6 });
  return readPs(stdout, token);
}

/** Returns the identity of a process; `undefined` if it has ended. */
export async function identify(pid: number): Promise<ProcessId | undefined> {
  const found = process.platform === 'linux' ? readProc(pid) : (await listProcesses()).find((each) => each.pid === pid);
  return found && { pid, started: found.started };
}

export async function isAlive(id: ProcessId | undefined): Promise<boolean> {
  return id !== undefined && (await identify(id.pid))?.started === id.started;
}

/**
 * Returns the processes of a service: the group of its main process, unless another process has its pid by now, and all
 * that carry its token, which children inherit.
 */
export async function processesOf({
  token,
  main,
}: {
  readonly token: string;
  readonly main?: ProcessId | undefined;
}): Promise<readonly Running[]> {
  const all = await listProcesses(token);
  const now = main && all.find(({ pid }) => pid === main.pid);
  const isMain = now !== undefined && now.started === main?.started;
  return all.filter(({ group, isMarked }) => isMarked || (isMain && group === main?.pid));
}

/** Reads the output of `ps`: pid, group, state, start as five words, then command and environment. */
export function readPs(text: string, token?: string): readonly Running[] {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line);
    if (!found) return [];
    const [, pid, group, state = '', started = '', rest = ''] = found;
    if (state.startsWith('Z')) return [];
    const isMarked = token !== undefined && rest.includes(`${TOKEN_VARIABLE}=${token}`);
    return [{ pid: Number(pid), group: Number(group), started: started.replace(/\s+/g, ' '), isMarked }];
  });
}

function listByProc(token: string | undefined): readonly Running[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    const found = Number.isInteger(pid) ? readProc(pid) : undefined;
    if (!found) return [];
    // Another user's environment cannot be read, and is none of ours.
    const isMarked = token !== undefined && readOr(`/proc/${pid}/environ`).includes(`${TOKEN_VARIABLE}=${token}`);
    return [{ pid, ...found, isMarked }];
  });
}

/** Reads `/proc/<pid>/stat`: the fields after the command's name, which may hold spaces and brackets; see proc(5). */
function readProc(pid: number): { readonly started: string; readonly group: number } | undefined {
  const line = readOr(`/proc/${pid}/stat`);
  const [state, , group, , , , , , , , , , , , , , , , , ticks] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  if (ticks === undefined || state === 'Z' || state === 'X') return undefined;
  return { group: Number(group), started: `${readOr('/proc/sys/kernel/random/boot_id').trim()}/${ticks}` };
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
