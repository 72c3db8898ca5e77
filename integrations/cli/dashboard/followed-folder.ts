import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LoopError, RSILoop } from 'rsi-loop';
import { FileStore, readOnlyFileSystem } from 'rsi-loop/node';
import { DashboardData } from '../../dashboard/data/dashboard-data.js';
import type { DashboardEvent, DecisionRequest, FixRow, LoopStatus, ViewSource, Views } from '../../dashboard/views.js';
import { mustBeStore } from '../store/check-folder.js';
import { onProblem, withLoop } from '../store/open-loop.js';
import { suggestedName } from '../store/user-name.js';
import { notice } from '../terminal/output.js';

/**
 * Views of a folder that other processes write. Nothing is written but decisions, each by a loop of its own that ends
 * with it: this one never leads.
 */
export class FollowedFolder implements ViewSource {
  readonly user?: string;
  readonly #folder: string;
  readonly #loop: RSILoop;
  readonly #data: DashboardData;

  /** @throws LoopError `invalid-input` or `store-failed` if the folder is not a store that this version can read. */
  static async open(folder: string): Promise<FollowedFolder> {
    await mustBeStore(folder);
    const store = new FileStore(folder, { fs: readOnlyFileSystem });
    // Throws if the whole store is unreadable, e.g. in a newer format, before a loop starts without it.
    await store.ledger.head();
    const loop = new RSILoop({ store });
    let last: string | undefined;
    onProblem(loop, (message) => {
      // A store that stays unreadable is reported at each reading.
      if (message !== last) void notice(message);
      last = message;
    });
    await loop.ready();
    if (!loop.hasLostStore) return new FollowedFolder(folder, loop);
    await loop.close();
    throw new LoopError('store-failed', last ?? `${folder} cannot be read`);
  }

  private constructor(folder: string, loop: RSILoop) {
    this.#folder = resolve(folder);
    this.#loop = loop;
    const user = suggestedName();
    if (user !== undefined) this.user = user;
    this.#data = new DashboardData({ loop, store: this.#folder, folder: this.#folder });
  }

  async view<Name extends keyof Views>(
    name: Name,
    params: Readonly<Record<string, string>>,
  ): Promise<Views[Name] | undefined> {
    const view = await this.#data.view(name, params);
    if (name !== 'status' || view === undefined || (await this.#isThere())) return view;
    const stale = `The folder ${this.#folder} is gone. Put it back, or start "rsi dashboard" with its new path.`;
    const status: LoopStatus = { ...(view as LoopStatus), stale }; // as the name says
    return status as Views[Name]; // likewise
  }

  onEvent(handler: (event: DashboardEvent) => void): () => void {
    return this.#data.onEvent(handler);
  }

  async decide(request: DecisionRequest): Promise<FixRow | undefined> {
    const fix = await withLoop(this.#folder, 'decide', async (loop) => {
      // Its verdict compares with the records so far.
      if (request.verb === 'apply') await loop.rebuilt();
      const data = new DashboardData({ loop, store: this.#folder });
      try {
        return await data.decide(request);
      } finally {
        await data.close();
      }
    });
    await this.#data.refresh();
    return fix;
  }

  async close(): Promise<void> {
    await this.#data.close();
    await this.#loop.close();
  }

  #isThere(): Promise<boolean> {
    return access(join(this.#folder, 'store.json')).then(
      () => true,
      () => false,
    );
  }
}
