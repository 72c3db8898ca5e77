import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { mustBe, showValue } from 'rsi-loop/kit';
import { isolatedCommand, SYSTEM_PATH } from './namespaces.js';
import { type Ended, runLimited } from './run-limited.js';
import { type SandboxOptions, type SandboxSettings, settingsOf } from './sandbox-options.js';

/** Limits that were enforced in a run. Time and output are always limited. */
export interface Enforced {
  /** No network, not even loopback. */
  readonly network: boolean;
  /** Only system folders, the files given and `readable` could be read, and nothing outside be written. */
  readonly files: boolean;
  readonly processes: boolean;
  readonly memory: boolean;
  readonly disk: boolean;
  /** Every process it started was killed, also those in a session of their own. */
  readonly leftovers: boolean;
}

/** End of a command in a sandbox of namespaces. */
export interface SandboxResult extends Ended {
  readonly enforced: Enforced;
  /** Processes that were alive half a second after the command had ended. They were killed. 0 if it was killed itself. */
  readonly left: number;
  /**
   * Paths in `folder` that the command wrote, created or removed, relative to it. The changes were discarded. Absent
   * without a folder, and if the command was killed.
   */
  readonly changed?: readonly string[];
}

/** First line of the status, when everything is isolated. */
const READY = 'ready\n';

const NOTHING: Enforced = {
  network: false,
  files: false,
  processes: false,
  memory: false,
  disk: false,
  leftovers: false,
};

/**
 * Runs a command that is not trusted: no network, an empty environment, a scratch folder, and limits of time, memory,
 * processes, disk and output. Needs Linux, and either root or user namespaces. All that the command does is in the result.
 * The command may write to the file descriptor 3 too: `channel` returns it.
 * @throws LoopError `sandbox-refused` if the platform cannot isolate the command and `unsafe` is not set;
 * `invalid-input` for an option out of range.
 */
export async function runSandboxed(
  command: string,
  args: readonly string[],
  options: SandboxOptions = {},
): Promise<SandboxResult> {
  const settings = settingsOf(options);
  for (const [name, text] of [['command', command] as const, ...args.map((one) => ['args', one] as const)])
    mustBe(typeof text === 'string', name, showValue(text), 'a text');
  const base = await mkdtemp(join(tmpdir(), 'rsi-sandbox-'));
  const paths = { root: join(base, 'root'), files: join(base, 'files') };
  try {
    await mkdir(paths.root);
    await mkdir(paths.files);
    for (const [path, text] of Object.entries(settings.files)) {
      await mkdir(dirname(join(paths.files, path)), { recursive: true });
      await writeFile(join(paths.files, path), text);
    }
    return await runIn(paths, [command, ...args], settings);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

async function runIn(
  paths: { readonly root: string; readonly files: string },
  command: readonly string[],
  settings: SandboxSettings,
): Promise<SandboxResult> {
  const { folder, allowNetwork, unsafe } = settings;
  const owner = folder === undefined ? undefined : await ownerOf(folder);
  const { program, args, limitsProcesses } = isolatedCommand(settings, paths, command, owner);
  // The setup runs outside of the sandbox at first: its programs are those of this process, not of the command's path.
  const environment = { ...settings.environment, PATH: process.env.PATH ?? SYSTEM_PATH };
  const { status, ...ended } = await runLimited(program, args, { ...settings, environment }, '/scratch', '/');
  if (status.startsWith(READY) || ended.ended !== 'exit') {
    const enforced = { ...NOTHING, network: !allowNetwork, files: true, processes: limitsProcesses };
    const report = ended.ended === 'exit' ? reportOf(status, settings) : { left: 0 };
    return { ...ended, ...report, enforced: { ...enforced, memory: true, disk: true, leftovers: true } };
  }
  if (!unsafe || process.platform === 'win32') throw refusal(ended.stderr);
  const limits = `ulimit -c 0; ulimit -f ${settings.diskMb * 2048}; exec "$@"`; // blocks of 512 bytes
  const { status: _, ...bare } = await runLimited(
    'sh',
    ['-c', limits, 'sh', ...command],
    settings,
    paths.files,
    folder ?? paths.files,
  );
  return { ...bare, left: 0, enforced: NOTHING };
}

/** Returns the user who may write to the folder. Absent if all may: then an unused user runs the command. */
async function ownerOf(folder: string): Promise<number | undefined> {
  const { uid, mode } = await stat(folder).catch((cause: unknown) => {
    throw new LoopError('invalid-input', `cannot run a sandbox in ${folder}: the folder cannot be read`, { cause });
  });
  return mode & 0o002 ? undefined : uid;
}

/** Reads what the setup reported after the command. */
function reportOf(status: string, { folder, linked }: SandboxSettings): Pick<SandboxResult, 'left' | 'changed'> {
  const [, left = '0', paths = ''] = /^left (\d+)\n(.*)/s.exec(status.slice(READY.length)) ?? [];
  if (folder === undefined) return { left: Number(left) };
  // The setup creates the places of linked folders.
  const changed = paths.split('\0').filter((path) => path !== '' && !(join(folder, path) in linked));
  return { left: Number(left), changed: [...new Set(changed)] };
}

function refusal(reason: string): LoopError {
  const why = reason.trim().split('\n')[0] || 'setpriv, unshare or mount is missing';
  return new LoopError(
    'sandbox-refused',
    `this machine cannot isolate a command (${why}): use Linux with util-linux and user namespaces, or allow unsafe`,
  );
}
