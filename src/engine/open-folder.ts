import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { Store } from '../contract/store.js';
import { DeferredStore } from '../defaults/deferred-store.js';
import type { Random } from '../lib/random.js';

/** A variable, so that bundlers do not include Node modules in the main entry point. */
const NODE_ENTRY = 'rsi-loop/node';

/**
 * Opens the folder given as `store: './rsi_data'`, as a `FileStore` of `rsi-loop/node`.
 * @throws LoopError `invalid-input` in environments without folders, such as browsers and workers.
 */
export function openFolder(folder: string, clock: Clock, random: Random): Store {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  if (process?.versions?.node === undefined) {
    throw new LoopError('invalid-input', `store is "${folder}": folders need Node, Bun or Deno; give a store object`);
  }
  return new DeferredStore(writerName(clock, random), async (writer) => {
    const { FileStore } = (await import(/* @vite-ignore */ NODE_ENTRY)) as typeof import('../node/index.js');
    return new FileStore(folder, { clock, writer });
  });
}

/** Returns twelve letters and digits, unique among living processes. */
function writerName(clock: Clock, random: Random): string {
  const digits = (value: number) => Math.floor(value).toString(36).padStart(6, '0').slice(-6);
  return digits(clock.now() / 1000) + digits(random() * 36 ** 6);
}
