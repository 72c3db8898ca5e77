import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { LoopError } from 'rsi-loop';
import { rotate } from './log-file.js';
import { identify, TOKEN_VARIABLE } from './processes.js';
import { addToRecord, pathsOf, type ServiceEnd } from './record.js';
import type { Service } from './service.js';

/** Order of `rsi services start` to its keeper, sent to its standard input: the arguments of a process are public. */
export interface KeeperOrder {
  readonly folder: string;
  readonly token: string;
  readonly service: Service;
}

const LOOK_EVERY_MS = 2_000;

/**
 * Runs one service: starts it in a process group of its own, records its identity and its end, and rotates its log. The
 * service writes to the log itself, so it continues if the keeper is killed.
 * @throws LoopError `invalid-input` for an order that was cut off, because its sender died.
 */
export async function keep(text: string): Promise<void> {
  let order: KeeperOrder;
  try {
    order = JSON.parse(text);
  } catch {
    throw new LoopError('invalid-input', 'the order of this keeper is incomplete: run rsi services start');
  }
  const { folder, token, service } = order;
  const paths = pathsOf(folder, service.name);
  const end = (more: Partial<ServiceEnd>) =>
    addToRecord(paths.record, { token }, { end: { atMs: Date.now(), code: null, signal: null, ...more } });
  await rotate(paths.log, service.maxLogBytes);
  let child: ChildProcess;
  try {
    child = await begin(service, token, openSync(paths.log, 'a', 0o600));
  } catch (error) {
    return end({ failure: wordsFor(error, service) });
  }
  const ended = new Promise<Partial<ServiceEnd>>((done) =>
    child.once('exit', (code, signal) => done({ code, signal })),
  );
  // A child that has ended has no identity to record.
  const main = child.pid === undefined ? undefined : await identify(child.pid);
  if (main) await addToRecord(paths.record, { token }, { main });
  const timer = setInterval(() => void rotate(paths.log, service.maxLogBytes).catch(() => undefined), LOOK_EVERY_MS);
  const found = await ended;
  clearInterval(timer);
  await end(found);
}

function begin({ command, cwd, env }: Service, token: string, log: number): Promise<ChildProcess> {
  const [program = '', ...args] = command;
  return new Promise((started, failed) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env, [TOKEN_VARIABLE]: token },
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.once('error', failed).once('spawn', () => started(child));
  });
}

function wordsFor(error: unknown, { command: [program], cwd }: Service): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `there is no program ${program}, or no folder ${cwd}`;
  return code === 'EACCES' ? `${program} cannot be executed: this user may not` : message;
}
