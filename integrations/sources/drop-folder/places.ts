import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { PinnedDirectory } from 'rsi-loop/node';

/**
 * Directories of a drop folder, held open while it is used. None may be a link, because a repository could bring one
 * that leads outside. On systems that can address files of an open folder, replacing a folder by a link has no effect.
 */
export class Places {
  readonly root: PinnedDirectory;
  readonly done: PinnedDirectory;
  readonly rejected: PinnedDirectory;
  readonly claimed: PinnedDirectory;

  /**
   * Opens the directories and creates missing ones.
   * @throws LoopError `store-failed` if one of them is a link or not a folder.
   */
  constructor(folder: string) {
    const held: PinnedDirectory[] = [];
    const hold = (open: () => PinnedDirectory | undefined): PinnedDirectory => {
      const one = open();
      if (one === undefined) throw new LoopError('store-failed', `${folder} vanished while it was opened`);
      held.push(one);
      return one;
    };
    try {
      // Links above the folder were chosen by the user who named it.
      this.root = hold(() => PinnedDirectory.open(join(realpathSync.native(dirname(folder)), basename(folder))));
      this.done = hold(() => this.root.inside('done', { create: true }));
      this.rejected = hold(() => this.root.inside('rejected', { create: true }));
      this.claimed = hold(() => this.root.inside('.processing', { create: true }));
    } catch (error) {
      for (const each of held) each.close();
      throw LoopError.is(error) ? new LoopError('store-failed', error.message, { cause: error }) : error;
    }
  }

  /** Returns true if all of them are still the folders at their paths. */
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
