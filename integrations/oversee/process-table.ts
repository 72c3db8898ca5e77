import { LoopError } from 'rsi-loop';

/** Process of this machine. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Its first process leads the session. Absent on macOS. */
  readonly session?: number;
  readonly name: string;
}

/** Returns the processes of these leaders: those of their groups and sessions, and what such a process started. */
export function processesOf(leaders: readonly number[]): readonly ListedProcess[] {
  const all = platform().list();
  const own = new Set(leaders);
  const found = new Map<number, ListedProcess>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const each of all) {
      const { pid, parent, group, session = 0 } = each;
      if (own.has(pid) || own.has(group) || own.has(session) || found.has(parent)) found.set(pid, each);
    }
  }
  return [...found.values()];
}

/** Returns the resident memory of these processes in MiB. Pages that they share count for each. */
export function memoryOf(processes: readonly ListedProcess[]): number {
  return platform().memoryKb(processes.map(({ pid }) => pid)) / 1_024;
}

interface Platform {
  list(): readonly ListedProcess[];
  memoryKb(pids: readonly number[]): number;
}

/** @throws LoopError `invalid-input` where processes cannot be listed. */
export function mustListProcesses(): void {
  platform();
}

function platform(): Platform {
  const { process } = globalThis;
  const name = process?.platform;
  if (name === 'linux') return linux(process.getBuiltinModule('node:fs'));
  if (name === 'darwin') return darwin(process.getBuiltinModule('node:child_process'));
  throw new LoopError(
    'invalid-input',
    `processes are not counted on ${name ?? 'this platform'}: leave memoryMb and processes out`,
  );
}

function linux({ readdirSync, readFileSync }: typeof import('node:fs')): Platform {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return ''; // it ended meanwhile
    }
  };
  return {
    list: () =>
      readdirSync('/proc').flatMap((entry) => {
        const stat = /^\d+$/.test(entry) ? read(`/proc/${entry}/stat`) : '';
        // The name may hold spaces and brackets; see proc(5).
        const end = stat.lastIndexOf(')');
        const [state, parent, group, session] = stat.slice(end + 2).split(' ');
        if (end < 0 || state === 'Z') return [];
        const name = stat.slice(stat.indexOf('(') + 1, end);
        return [{ pid: Number(entry), parent: Number(parent), group: Number(group), session: Number(session), name }];
      }),
    memoryKb: (pids) => {
      const kilobytes = (pid: number) => Number(/^VmRSS:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
      return pids.reduce((sum, pid) => sum + kilobytes(pid), 0);
    },
  };
}

function darwin({ execFileSync }: typeof import('node:child_process')): Platform {
  const lines = (args: readonly string[]) => {
    try {
      return execFileSync('/bin/ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        .trim()
        .split('\n');
    } catch {
      return []; // none of them runs
    }
  };
  return {
    list: () =>
      lines(['-A', '-o', 'pid=,ppid=,pgid=,stat=,ucomm=']).flatMap((line) => {
        const [pid, parent, group, state = '', ...name] = line.trim().split(/ +/);
        if (state.startsWith('Z')) return [];
        return [{ pid: Number(pid), parent: Number(parent), group: Number(group), name: name.join(' ') }];
      }),
    memoryKb: (pids) =>
      pids.length === 0 ? 0 : lines(['-o', 'rss=', '-p', pids.join(',')]).reduce((sum, line) => sum + Number(line), 0),
  };
}
