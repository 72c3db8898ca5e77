export { type DropCounts, DropFolder, type DropFolderOptions, type Watching } from './drop-folder.js';
