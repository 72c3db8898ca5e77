import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, sep } from 'node:path';

/** Sessions that read a file or a folder of skills. */
type Reach =
  /** Sessions in this folder and everything inside. */
  | { readonly root: string }
  /** All sessions of the user. */
  | 'everywhere'
  /** Sessions of one project, by the key that Claude Code gives to its path: its memory. */
  | { readonly project: string };

/** Folders of agents, whose rules and skills belong to the folder around them. */
const OF_AGENTS: ReadonlySet<string> = new Set(['.claude', '.codex', '.cursor', '.gemini', '.agents']);
const MEMORY = /[\\/]\.claude[\\/]projects[\\/]([^\\/]+)[\\/]memory(?:[\\/]|$)/;

/**
 * Whether the sessions of an agent that works in `folder` read this file or this folder of skills: it applies to its
 * folder and everything inside. One in a folder of an agent such as `.claude` applies to the folder around it, one in
 * the home of the user everywhere, and the memory of a project to that project.
 */
export function appliesTo(path: string, folder: string): boolean {
  const reach = reachOf(path);
  if (reach === 'everywhere') return true;
  const whole = real(folder);
  return 'root' in reach ? isInside(whole, reach.root) : above(whole).some((each) => keyOf(each) === reach.project);
}

/** Whether some sessions may read both. */
export function haveSharedSessions(path: string, other: string): boolean {
  const [one, two] = [reachOf(path), reachOf(other)];
  if (one === 'everywhere' || two === 'everywhere' || 'project' in one || 'project' in two) return true;
  return isInside(one.root, two.root) || isInside(two.root, one.root);
}

function reachOf(path: string): Reach {
  const project = MEMORY.exec(path)?.[1];
  if (project !== undefined) return { project };
  const own = dirname(path);
  const agent = above(own).find((folder) => OF_AGENTS.has(basename(folder)));
  const hidden = agent ?? (basename(own).startsWith('.') ? own : undefined);
  if (hidden === undefined) return { root: own };
  const root = dirname(hidden);
  return root === real(homedir()) ? 'everywhere' : { root };
}

/** Returns a folder and all folders above it, the innermost first. */
function above(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

/** Returns the name that Claude Code gives to the folder of a project. */
function keyOf(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9]/g, '-');
}

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root.endsWith(sep) ? root : root + sep);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
