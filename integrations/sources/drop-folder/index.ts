export { DropFolder } from './drop-folder.js';
export type { DropCounts, DropFolderOptions } from './drop-folder-options.js';
export { dropFolder } from './drop-folder-source.js';
export type { Watching } from './watch-loop.js';
