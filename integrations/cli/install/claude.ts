import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { LoopError } from 'rsi-loop';
import { runningStudies } from '../prove/sessions.js';
import { requireOwnData } from '../store/check-folder.js';
import { folderOf } from '../store/folder-of.js';
import { nextCommand, shellWord } from '../terminal/look.js';
import { shortPath } from '../terminal/short-path.js';
import { addHooks, removeHooks } from './claude-settings.js';
import { ignoreData, trackData } from './git-ignore.js';
import { inFile } from './in-file.js';
import { dropReceipt, keepReceipt, readSettings, removeSettings, replaceSettings, undoneBy } from './settings-file.js';

export const SCOPES = ['project', 'user', 'local'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Installation {
  readonly scope: Scope;
  /** Folder of the project. */
  readonly project: string;
  /** Folder of the loop. Default: `rsi_data` in the project, or `.rsi_data` in the home folder for scope `user`. */
  readonly store?: string;
  /** Whether a session begins with a line on the last 7 days, once a week. */
  readonly weekly?: boolean;
  /** Path of the running `rsi` command. */
  readonly command: string;
  /** Home folder; default: that of the user. */
  readonly home?: string;
}

/** Lines that describe to a person what was done. */
export type Report = readonly string[];

/** Hint for the reader: hooks can be in three files, and only one was checked. */
const ELSEWHERE = '--scope names other settings: project, user, local';

/** Change of a settings file that makes Claude Code call this command. */
export interface HooksChange {
  readonly path: string;
  /** Folder of the loop. */
  readonly store: string;
  /** Text of the file now; absent if there is none. */
  readonly before?: string;
  /** The same without an older installation. */
  readonly base?: string;
  readonly after: string;
  readonly events: readonly string[];
  /** Command that the hooks call. */
  readonly command: string;
}

/**
 * Returns the change that installs the hooks of Claude Code; without `after` if they are there. Writes nothing.
 * @throws LoopError `invalid-input` if its settings are invalid JSON.
 */
export async function claudeChange(
  installation: Installation,
): Promise<HooksChange | { readonly path: string; readonly after?: undefined }> {
  const { path, store, shownStore } = placesOf(installation);
  requireOwnData(store);
  const before = await readSettings(path);
  const command = commandOf(installation, shownStore);
  // Replaces an older installation with another command. One with the same command is already current.
  const isCurrent = before !== undefined && inFile(path, () => addHooks(before, command)).events.length === 0;
  if (isCurrent) return { path };
  const base =
    before === undefined
      ? undefined
      : ((await undoneBy({ store, path }, before))?.text ?? inFile(path, () => removeHooks(before)).text);
  const { text, events } = inFile(path, () => addHooks(base ?? '{}', command));
  const after = before === undefined ? `${text}\n` : text;
  return {
    path,
    store,
    after,
    events,
    command,
    ...(before !== undefined && { before }),
    ...(base !== undefined && { base }),
  };
}

/**
 * Installs the hooks of Claude Code.
 * @throws LoopError `invalid-input` if its settings are invalid JSON; the file is then unchanged.
 */
export async function installClaude(installation: Installation): Promise<Report> {
  const change = await claudeChange(installation);
  const { path } = change;
  if (change.after === undefined) return [`${path} already calls rsi: nothing was changed`];
  const { store, before, base, after, events, command } = change;
  const madeFolder = !existsSync(dirname(path));
  await replaceSettings(path, before, after);
  await keepReceipt({ store, path }, base, after, madeFolder);
  const ignored = installation.scope === 'user' ? undefined : await ignoreData(resolve(installation.project), store);
  return [
    `${path}: ${events.join(', ')} now call`,
    `  ${command}`,
    `outcomes go to ${store}; "${nextCommand()(`analyze ${shellWord(shownIn(installation, store))}`)}" shows what fails most`,
    ...(ignored === undefined ? [] : [`.gitignore: ${ignored} was added, so that no record is committed`]),
    ...(isTemporary(installation.command) ? [TEMPORARY] : []),
  ];
}

/** Warning for hooks that call a command which may disappear. */
export const TEMPORARY =
  'this rsi is in the cache of npx and may be deleted: run "npm install rsi-loop" and install again';

/** Returns whether npx keeps the command only for a while. */
export function isTemporary(command: string): boolean {
  return command.includes(`${sep}_npx${sep}`);
}

/** Removes what `installClaude` added, and nothing else. */
export async function uninstallClaude(installation: Installation): Promise<Report> {
  const { path, store } = placesOf(installation);
  // The receipt in this folder holds the text that an installation replaced.
  requireOwnData(store);
  requireNoStudy(store);
  const text = await readSettings(path);
  if (text === undefined) return [`there is no ${path}: nothing was changed; ${ELSEWHERE}`];
  const known = { store, path };
  const ignored = installation.scope === 'user' ? undefined : await trackData(resolve(installation.project), store);
  const tracked =
    ignored === undefined ? [] : [`.gitignore: ${ignored} was removed; do not commit what that folder holds`];
  const exact = await undoneBy(known, text);
  if (exact && exact.text === undefined) {
    await removeSettings(path, exact.madeFolder);
    await dropReceipt(known);
    return [`${path} was removed: it held nothing else, and install had created it`, ...tracked];
  }
  const removed = inFile(path, () => removeHooks(text));
  if (removed.events.length === 0) return [`${path} does not call rsi: nothing was changed; ${ELSEWHERE}`];
  await replaceSettings(path, text, exact?.text ?? removed.text);
  await dropReceipt(known);
  return [`${path}: ${removed.events.join(', ')} do not call rsi any more; records stay in ${store}`, ...tracked];
}

function placesOf({ scope, project, store, home = homedir() }: Installation): {
  readonly path: string;
  readonly store: string;
  /** Path of the folder as the command shows it. */
  readonly shownStore: string;
} {
  const folder = scope === 'user' ? home : resolve(project);
  const path = join(folder, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
  if (store !== undefined) {
    const given = folderOf(store, 'install');
    return { path, store: given, shownStore: quoted(given) };
  }
  const own = join(folder, scope === 'user' ? '.rsi_data' : 'rsi_data');
  // Project settings are shared, so they must not contain a path of one machine.
  return { path, store: own, shownStore: scope === 'project' ? '"$CLAUDE_PROJECT_DIR/rsi_data"' : quoted(own) };
}

function commandOf({ scope, project, command, weekly }: Installation, shownStore: string): string {
  const inside = join(resolve(project), sep);
  const isInside = scope === 'project' && command.startsWith(inside);
  const script = isInside
    ? `"$CLAUDE_PROJECT_DIR/${quoted(command.slice(inside.length).split(sep).join('/')).slice(1)}`
    : quoted(command);
  return `node ${script} hook claude --store ${shownStore}${weekly ? ' --weekly' : ''}`;
}

/** Quotes a path with double quotes for the shells that run hooks. */
function quoted(path: string): string {
  return `"${path.replace(/[\\"$`]/g, '\\$&')}"`;
}

function shownIn({ project }: Installation, store: string): string {
  const inside = join(resolve(project), sep);
  return store.startsWith(inside) ? `./${store.slice(inside.length)}` : store;
}

/** The hooks give lines to sessions that are not in their files during a study. */
function requireNoStudy(store: string): void {
  const [path] = runningStudies(store);
  if (path === undefined) return;
  throw new LoopError(
    'illegal-step',
    `a study of ${path} is running, and its sessions would lose lines: end it with "rsi prove ${shellWord(shortPath(path))} --stop" first`,
  );
}
