import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { inspectStore, type StoreCheck } from 'rsi-loop/node';
import { checksOf } from './checks-of-store.js';

/**
 * Checks the folder of a store: rights, space, formats, the chain of decisions, damaged records, clocks. Reads all
 * records, and changes nothing. `version`: of the rsi-loop that is running.
 */
export async function checkStore(path: string, version: string): Promise<readonly StoreCheck[]> {
  const folder = resolve(path);
  const nowMs = Date.now();
  // Not available on every file system.
  const space = await statfs(folder).catch(() => undefined);
  return checksOf(await inspectStore(folder, { nowMs }), {
    folder,
    nowMs,
    readable: await may(folder, constants.R_OK | constants.X_OK),
    writable: await may(folder, constants.W_OK),
    ...(space && { freeBytes: space.bavail * space.bsize }),
    version,
    node: process.versions.node,
  });
}

async function may(folder: string, mode: number): Promise<boolean> {
  return access(folder, mode).then(
    () => true,
    () => false,
  );
}
