import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LoopError, RSILoop } from 'rsi-loop';
import { FileStore, readOnlyFileSystem } from 'rsi-loop/node';
import { DashboardData } from '../../dashboard/data/dashboard-data.js';
import type { DashboardOptions } from '../../dashboard/index.js';
import { mustBeStore } from '../store/check-folder.js';
import { onProblem, withLoop } from '../store/open-loop.js';
import { notice } from '../terminal/output.js';

/** Loop that reads a folder beside the agents that write it, with what a dashboard needs to decide there. */
export type Followed = Required<Pick<DashboardOptions, 'loop' | 'decide' | 'whyUnreadable'>>;

/**
 * Opens a folder to be read. Nothing is written but decisions, each by a loop of its own that ends with it.
 * @throws LoopError `invalid-input` or `store-failed` if the folder is not a store that this version can read.
 */
export async function followFolder(folder: string): Promise<Followed> {
  await mustBeStore(folder);
  const store = new FileStore(folder, { fs: readOnlyFileSystem });
  // Throws if the whole store is unreadable, e.g. in a newer format, before a loop starts without it.
  await store.ledger.head();
  const loop = new RSILoop({ store });
  let last = '';
  onProblem(loop, (message) => {
    // A store that stays unreadable is reported at each reading.
    if (message !== last) void notice(message);
    last = message;
  });
  await loop.ready();
  if (loop.store !== store) {
    await loop.close();
    throw new LoopError('store-failed', last === '' ? `${folder} cannot be read` : last);
  }
  return {
    loop,
    decide: (request) =>
      withLoop(folder, 'decide', async (deciding) => {
        // Its verdict compares with the records so far.
        if (request.verb === 'apply') await deciding.rebuilt();
        const data = new DashboardData({ loop: deciding, store: folder });
        try {
          return await data.decide(request);
        } finally {
          data.close();
        }
      }),
    whyUnreadable: async () => {
      const isThere = await access(join(folder, 'store.json')).then(
        () => true,
        () => false,
      );
      if (isThere) return undefined;
      return `The folder ${resolve(folder)} is gone. Put it back, or start "rsi dashboard" with the path where it is now.`;
    },
  };
}
