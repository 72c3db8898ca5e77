import { existsSync } from 'node:fs';
import { LoopError } from 'rsi-loop';
import { counted } from '../../reports/words/numbers.js';
import type { InputProblem } from '../../sources/import/importer.js';
import { notice, write } from '../terminal/output.js';

/** Number of places kept, and of those the number named on standard error. The rest is only counted. */
const MAX_KEPT = 100;
const MAX_SHOWN = 10;

/** Places of the input that could not be read: the first ones, and how many there are. */
export class ReadProblems {
  readonly first: InputProblem[] = [];
  #count = 0;

  add(problem: InputProblem): void {
    this.#count++;
    if (this.first.length < MAX_KEPT) this.first.push(problem);
  }

  /** Prints one line for each of the first places. */
  async print(): Promise<void> {
    const shown = this.first.slice(0, MAX_SHOWN);
    for (const { path, line, reason } of shown)
      await notice(`${inputName(path)}${line === undefined ? '' : `:${line}`}: ${reason}`);
    const more = this.#count - shown.length;
    if (more > 0) await notice(`and ${counted(more, 'more place')} that could not be read`);
  }
}

/**
 * Checks that at least one of the named files and folders exists. Others are reported once reading comes to them.
 * @throws LoopError `invalid-input` if all are missing.
 */
export function requireSomePath(paths: readonly string[]): void {
  if (paths.length === 0 || paths.some((path) => path === '-' || existsSync(path))) return;
  throw new LoopError('invalid-input', `nothing to read: there is no file or folder ${paths.join(', ')}`);
}

export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** Explains what can be read, for an input in which nothing could be read. */
export function explainNothingRead(): Promise<void> {
  return write(process.stderr, NOTHING_READ);
}

const NOTHING_READ = `Nothing was found to read. Name a folder of transcripts such as
~/.claude/projects, a file of traces, or a file with
a line of JSON for each task, such as
  {"task": "deploy", "success": false, "error": "429"}
docs/import.md in the repository lists the formats.
`;
