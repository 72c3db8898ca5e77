import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from 'rsi-loop/bench';
import { mustBe, showValue } from 'rsi-loop/kit';
import { openRepository, tipOf, treeOf } from '../worktree/repository.js';
import type { CodeRules } from './code-rules.js';
import { HIDDEN, PathSet } from './protected-paths.js';

/** File that candidates can read, with expected answers in it. */
export interface ExposedAnswers {
  readonly path: string;
  /** Ids of the problems whose answers it has. */
  readonly problems: readonly string[];
}

/** Question with its answer, as texts. */
type Answer = readonly [question: string, answer: string];

/** Files above this size are not read. */
const MAX_BYTES = 4_000_000;
/** A shorter text must stand alone in the file: `3` is not in `13`. */
const SHORT = 6;
/** An answer of this length counts without its question. */
const TELLING = 24;
/** Part of a text that is searched for. */
const MAX_TEXT = 200;

/**
 * Returns the files of a repository that candidates can read and that hold expected answers of problems, those with the most
 * first. Searches the tracked files for the texts of an answer and its question. Name the files in `hide`, or move them.
 * @throws LoopError `invalid-input` if the folder is not a repository.
 */
export async function exposedAnswers(
  { folder, hide = HIDDEN }: { readonly folder: string } & Pick<CodeRules, 'hide'>,
  problems: readonly Problem[],
): Promise<readonly ExposedAnswers[]> {
  mustBe(typeof folder === 'string', 'folder', showValue(folder), 'the path of a repository');
  mustBe(Array.isArray(problems), 'problems', showValue(problems), 'a list of problems');
  const repository = await openRepository(folder);
  const hidden = new PathSet(hide);
  const answers = problems.map((problem) => ({ id: problem.id, answers: answersOf(problem) }));
  const exposed: ExposedAnswers[] = [];
  for (const [path, { mode }] of await treeOf(repository.git, await tipOf(repository))) {
    const text = mode.startsWith('100') && !hidden.has(path) ? await textOf(join(repository.root, path)) : undefined;
    if (text === undefined) continue;
    const dense = densely(text);
    const found = answers.filter(({ answers }) => answers.some((answer) => isIn(answer, text, dense)));
    if (found.length > 0) exposed.push({ path, problems: found.map(({ id }) => id) });
  }
  return exposed.sort((a, b) => b.problems.length - a.problems.length);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > MAX_BYTES) return undefined;
    const text = await readFile(path, 'utf8');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined; // removed since the last commit
  }
}

/** Returns the answers of a problem: what is expected, and what its tests expect. */
function answersOf({ input, expected, check }: Problem): readonly Answer[] {
  const spec = typeof check === 'function' ? undefined : check;
  const question = longestText(input);
  return [
    ...(expected === undefined ? [] : [[question, longestText(expected)] as const]),
    ...(spec?.kind === 'contains' ? spec.texts.map((text) => [question, text] as const) : []),
    ...(spec?.kind === 'code-tests'
      ? spec.tests.map((test) => [test.run, 'throws' in test ? test.throws : longestText(test.expected)] as const)
      : []),
  ];
}

/** Returns the longest text in a value; without any, the value as JSON. */
function longestText(value: unknown): string {
  if (typeof value === 'string') return value;
  const texts: string[] = [];
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'string') texts.push(inner);
    return inner;
  });
  return texts.sort((a, b) => b.length - a.length)[0] ?? JSON.stringify(value);
}

function isIn([question, answer]: Answer, text: string, dense: string): boolean {
  if (!has(answer, text, dense)) return false;
  return densely(answer).length >= TELLING || has(question, text, dense);
}

/** Looks for the longest line of a text, in any indentation and with or without escaped quotes. */
function has(wanted: string, text: string, dense: string): boolean {
  const [line = ''] = wanted.split('\n').sort((a, b) => b.length - a.length);
  const short = line.trim().slice(0, MAX_TEXT);
  if (short.length >= SHORT) return dense.includes(densely(short));
  if (short === '') return false;
  for (let at = text.indexOf(short); at >= 0; at = text.indexOf(short, at + 1))
    if (!isWord(text[at - 1]) && !isWord(text[at + short.length])) return true;
  return false;
}

function densely(text: string): string {
  return text.replace(/[\s\\]/g, '');
}

function isWord(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}.+-]/u.test(letter);
}
