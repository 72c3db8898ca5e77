export { DropFolder } from './drop-folder.js';
export type { DropCounts, DropFolderOptions } from './options.js';
export { dropFolder } from './source.js';
export type { Watching } from './watch-loop.js';
