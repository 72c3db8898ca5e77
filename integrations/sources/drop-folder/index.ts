export { type DropCounts, DropFolder, type DropFolderOptions, dropFolder } from './drop-folder.js';
export type { Watching } from './watch-loop.js';
