import { commandName } from './terminal/command-name.js';
import { notice } from './terminal/output.js';

/** Earlier names of verbs, and the present ones. They work until version 1.0. */
export const FORMER_NAMES: Readonly<Record<string, string>> = { report: 'record', try: 'propose' };

/** Words that people type for something that has another name here, and what to run instead: one command or several. */
export const HINTS: Readonly<Record<string, string | readonly string[]>> = {
  trials: 'fixes',
  list: 'fixes',
  proposals: 'review',
  pending: 'review',
  todo: 'review',
  log: 'explain <id>',
  history: 'explain <id>',
  why: 'explain <id>',
  who: 'explain <id>',
  decisions: 'fixes',
  remove: ['init --undo', 'erase'],
  delete: ['init --undo', 'erase'],
  clean: ['init --undo', 'erase'],
  purge: ['init --undo', 'erase'],
  forget: 'erase',
  show: 'explain <id>',
  ui: 'dashboard',
  open: 'dashboard',
  web: 'dashboard',
  errors: 'patterns',
  logs: 'analyze <path>',
  run: 'cycle',
  start: 'init',
  setup: 'init',
  refuse: 'reject',
  deny: 'reject',
  stop: 'freeze',
  kill: 'freeze',
  halt: 'freeze',
  off: 'freeze',
  disable: 'freeze',
  compare: 'bench compare <variant>',
  better: 'bench compare <variant>',
  prompt: 'bench compare <variant>',
  test: 'ci <report>',
  skills: 'skill list',
  version: '--version',
};

/**
 * Returns the present name for the earlier name of a verb, after printing both. Returns null for a word that stands for
 * another verb, after printing that verb, and undefined for any other word.
 */
export async function renamed(word: string): Promise<string | null | undefined> {
  const present = FORMER_NAMES[word];
  if (present !== undefined) await sayRenamed(word, present);
  const hints = present === undefined && Object.hasOwn(HINTS, word) ? [HINTS[word] ?? []].flat() : [];
  if (hints.length === 0) return present;
  const commands = hints.map((hint) => `"${commandName()} ${hint}"`);
  await notice(`error: unknown command '${word}'; use ${commands.join(' or ')}`);
  return null;
}

/** Prints that a word has a new name and still works. */
export function sayRenamed(word: string, present: string): Promise<void> {
  return notice(`"${word}" is now "${present}"; the old name works until version 1.0`);
}
