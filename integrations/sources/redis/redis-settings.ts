import { LoopError } from 'rsi-loop';
import type { RedisConnection } from './connection.js';

/** Settings of a server that decide whether entries of a stream outlast a crash. Undefined: the server does not show it. */
export interface RedisSettings {
  /** Whether each command is appended to a file. */
  readonly appendonly?: boolean;
  /** When that file is flushed to disk: `always`, `everysec` or `no`. */
  readonly appendfsync?: string;
  /** When snapshots are written, e.g. `3600 1 300 100`. Empty: never. */
  readonly save?: string;
  /** False if the last write of that file failed. */
  readonly canWrite: boolean;
  /** Which keys are deleted when memory is full. */
  readonly policy?: string;
  /** Whether memory has a limit. */
  readonly isLimited: boolean;
}

/** Reads the settings by `INFO`, and by `CONFIG GET` if the server allows it. Managed servers and ACLs often do not. */
export async function readSettings(connection: RedisConnection): Promise<RedisSettings> {
  const persistence = await info(connection, 'persistence');
  const memory = await info(connection, 'memory');
  const appendfsync = await setting(connection, 'appendfsync');
  const save = await setting(connection, 'save');
  const appended = persistence.get('aof_enabled');
  const policy = memory.get('maxmemory_policy');
  return {
    ...(appended !== undefined && { appendonly: appended !== '0' }),
    ...(appendfsync !== undefined && { appendfsync }),
    ...(save !== undefined && { save }),
    ...(policy !== undefined && { policy }),
    canWrite: persistence.get('aof_last_write_status') !== 'err',
    isLimited: (memory.get('maxmemory') ?? '0') !== '0',
  };
}

/** Returns whether the server can delete the stream when its memory is full. */
export function canEvict({ isLimited, policy }: Pick<RedisSettings, 'isLimited' | 'policy'>): boolean {
  return isLimited && policy?.startsWith('allkeys') === true;
}

/** Returns the lines of `INFO` on one subject; none if this user may not ask. */
async function info(connection: RedisConnection, subject: string): Promise<ReadonlyMap<string, string>> {
  const text = await ifAllowed(() => connection.call('INFO', subject));
  const lines = typeof text === 'string' ? text.split('\r\n') : [];
  return new Map(lines.map((line) => line.split(':', 2) as [string, string]));
}

/** Returns a value of `CONFIG GET`, which answers with a list of names and values, or a map in RESP 3. */
async function setting(connection: RedisConnection, name: string): Promise<string | undefined> {
  const answer = await ifAllowed(() => connection.call('CONFIG', 'GET', name));
  const value = Array.isArray(answer) ? answer.flat()[1] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Returns undefined if the server forbids the command or has none of that name. */
async function ifAllowed(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (LoopError.is(error) && /NOPERM|unknown command|not allowed|disabled/i.test(error.message)) return undefined;
    throw error;
  }
}
