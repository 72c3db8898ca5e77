export { type DropCounts, DropFolder, type DropFolderOptions } from './drop-folder.js';
export { dropFolder } from './source.js';
export type { Watching } from './watch-loop.js';
