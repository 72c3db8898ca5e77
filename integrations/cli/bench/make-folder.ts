import { existsSync, mkdirSync } from 'node:fs';
import { hideFromGit } from '../store/own-data.js';

/** Creates the folder of runs and results if it is missing. Git ignores it: answers of the agent may be in it. */
export function makeBenchFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  hideFromGit(folder);
}
