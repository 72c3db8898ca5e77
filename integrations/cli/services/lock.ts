import { randomUUID } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { LoopError } from 'rsi-loop';
import { identify, isAlive, type ProcessId } from './processes.js';

/**
 * Runs `work` while no other process works on the same service. The lock of a process that died counts as none.
 * @throws LoopError `invalid-input` if another process holds the lock.
 */
export async function withLock<T>(path: string, name: string, work: () => Promise<T>): Promise<T> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(await identify(process.pid)), { mode: 0o600 });
  try {
    await take(path, draft, name);
  } finally {
    await unlink(draft);
  }
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

async function take(path: string, draft: string, name: string): Promise<void> {
  for (;;) {
    try {
      // A link appears with its content, so no reader finds an empty lock.
      return await link(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const holder: ProcessId = JSON.parse(text);
    if (await isAlive(holder)) {
      throw new LoopError(
        'invalid-input',
        `process ${holder.pid} is starting or stopping ${name}: wait until it is done`,
      );
    }
    // Only one of several processes moves the old lock away. One that moves a new lock puts it back.
    const moved = `${draft}.old`;
    if (
      !(await rename(path, moved).then(
        () => true,
        () => false,
      ))
    )
      continue;
    if ((await readFile(moved, 'utf8')) !== text) await link(moved, path).catch(() => undefined);
    await unlink(moved);
  }
}
