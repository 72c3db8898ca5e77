import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { PinnedDirectory } from 'rsi-loop/node';

/**
 * The folders of a drop folder, held open while it is used. None of them may be a link: a repository could bring one that
 * leads out of it. Where the system can name the files of an open folder, swapping a folder for a link changes nothing.
 */
export class Places {
  readonly root: PinnedDirectory;
  readonly done: PinnedDirectory;
  readonly rejected: PinnedDirectory;
  readonly claimed: PinnedDirectory;

  /** @throws LoopError `store-failed` where one of them is a link or no folder. */
  constructor(folder: string) {
    const held: PinnedDirectory[] = [];
    const hold = (open: () => PinnedDirectory | undefined): PinnedDirectory => {
      const one = open();
      if (one === undefined) throw new LoopError('store-failed', `${folder} vanished while it was opened`);
      held.push(one);
      return one;
    };
    try {
      // Links above the folder are the choice of those who named it.
      this.root = hold(() => PinnedDirectory.open(join(realpathSync.native(dirname(folder)), basename(folder))));
      this.done = hold(() => this.root.inside('done', { create: true }));
      this.rejected = hold(() => this.root.inside('rejected', { create: true }));
      this.claimed = hold(() => this.root.inside('.processing', { create: true }));
    } catch (error) {
      for (const each of held) each.close();
      throw LoopError.is(error) ? new LoopError('store-failed', error.message, { cause: error }) : error;
    }
  }

  /** Whether all of them are still the folders at their paths. */
  areThere(): boolean {
    try {
      for (const each of this.#all()) each.confirm();
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    for (const each of this.#all()) each.close();
  }

  #all(): readonly PinnedDirectory[] {
    return [this.root, this.done, this.rejected, this.claimed];
  }
}
