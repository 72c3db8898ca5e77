import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Folder of the loop in the command of a hook, as `rsi install` writes it. */
const STORE = /\bhook claude --store \\"((?:[^"\\]|\\\\[\s\S]|\\[^"\\])*)\\"/g;

/** Whether a hook of Claude Code reports to this store, by the settings of the project and of the user. */
export function isHookInstalled(store: string, project: string, home = homedir()): boolean {
  const files = [
    join(project, '.claude', 'settings.local.json'),
    join(project, '.claude', 'settings.json'),
    join(home, '.claude', 'settings.json'),
  ];
  return files.some((path) => storesIn(path).some((found) => resolve(placed(found, project)) === resolve(store)));
}

function storesIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(STORE)].map(([, found = '']) => found);
}

function placed(found: string, project: string): string {
  return found.replace(/\\\\(.)/g, '$1').replace('$CLAUDE_PROJECT_DIR', project);
}
