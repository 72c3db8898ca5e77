import { type RSILoop, reportProblem, type Source } from 'rsi-loop';
import { DropFolder } from './drop-folder.js';
import type { DropFolderOptions } from './drop-folder-options.js';

/** Creates a source that watches a folder until it is stopped: `loop.sources.attach(dropFolder('./drop'))`. */
export function dropFolder(folder: string, options: DropFolderOptions = {}): Source<RSILoop> {
  return {
    name: 'drop-folder',
    attach: (loop) => {
      const drops = new DropFolder(loop, folder, options);
      drops.start().catch((error) => reportProblem(loop, 'drop-folder', String(error)));
      return () => drops.close();
    },
  };
}
