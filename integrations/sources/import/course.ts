import { isRow, nonEmptyText } from './import-fields.js';

/** Call of a coding agent's tool, as far as the course of a session needs it. */
export interface CourseCall {
  readonly name: string;
  readonly path: string | undefined;
  readonly command: string | undefined;
  readonly about: string | undefined;
}

const MAX_PATHS = 5_000;
const MAX_TEXT = 20_000;
const MISSING = /does not exist|no such file|ENOENT|not found/i;
const NOT_A_PATH = /command not found|posix_spawn/i;
const PATH = /[\w@.~+-]{0,100}\/[\w@.~+/-]{0,300}[\w@~+-]/g;
const EDITS = /^(?:Edit|MultiEdit|Write|NotebookEdit|str_replace|write_file|replace|apply_patch)/i;
const READS = /^(?:Read|view|read_file|open)/i;
/** Commands that change files which were read before. */
const CHANGES_FILES =
  /\b(?:fmt|format|prettier|gofmt|goimports|black|rustfmt|lint\S* --fix|--fix|--write|sed -i|patch|codegen|generate)\b|\bgit (?:checkout|stash|merge|pull|rebase|reset|apply|restore|switch|cherry-pick|revert)\b/;
/** Words of the agent by which a run is meant to fail. */
const MEANT =
  /\b(?:should|must|expected? to|supposed to|will) (?:\w+ )?fail|\bfails? (?:as expected|first|before (?:the )?fix)|verify (?:that )?(?:it|the test|they) fails?|reproduc(?:e|es|ing) (?:the |this )?(?:bug|failure|issue|error)|\bred (?:phase|test|first)\b|confirm (?:the )?(?:bug|failure)|failing test first/i;
/** Programs that answer a question by their exit code and print nothing. */
const ASKS =
  /(?:^|[;&|])\s{0,20}(?:!\s{0,20})?(?:grep|egrep|rg|diff|cmp|test|\[|which|command -v|pgrep|git (?:config|diff|grep|check-ignore|merge-base|rev-parse|show-ref|ls-files)|type|lsof|jq -e)\b[^;&|]*$/;

/** Reads the input of a tool call. */
export function courseCall(name: string, input: unknown): CourseCall {
  const row = isRow(input) ? input : {};
  const first = (...keys: string[]) => keys.map((key) => nonEmptyText(row[key])).find((text) => text !== undefined);
  return {
    name,
    path: first('file_path', 'path', 'notebook_path', 'filePath'),
    command: first('command', 'cmd')?.slice(0, 4_000),
    about: first('description'),
  };
}

/** Follows the steps of one session: which paths were seen, read and changed. Bounded for sessions of any length. */
export class Course {
  #step = 0;
  readonly #seen = new Set<string>();
  readonly #readAt = new Map<string, number>();
  readonly #editedAt = new Map<string, number>();
  #changedAt = 0;

  /** Returns the fact about the steps before a failed call, if it has one. */
  factOf({ name, path, command }: CourseCall, message: string): string | undefined {
    if (EDITS.test(name)) return path === undefined ? undefined : this.#factOfEdit(path);
    if (!MISSING.test(message) || NOT_A_PATH.test(message)) return undefined;
    const wanted = path ?? pathIn(message) ?? pathIn(command ?? '');
    if (wanted === undefined) return undefined;
    return this.#hasSeen(wanted) ? 'path-listed-before' : 'path-never-listed';
  }

  #factOfEdit(path: string): string {
    const readAt = this.#readAt.get(path);
    if (readAt === undefined) return 'never-read';
    const changedAt = Math.max(this.#changedAt, this.#editedAt.get(path) ?? 0);
    return changedAt > readAt ? 'changed-since-read' : 'read-and-unchanged';
  }

  /**
   * Returns whether the failure was meant: a run that the agent says should fail, such as a test that is red first, or a
   * program that answers a question by its exit code.
   */
  static isWanted({ command = '', about = '' }: CourseCall, message: string): boolean {
    return MEANT.test(about) || (message === 'Exit code 1' && ASKS.test(command));
  }

  /** Adds a call that ended. */
  add({ name, path, command }: CourseCall, output: string, failed: boolean): void {
    const step = ++this.#step;
    if (command !== undefined && CHANGES_FILES.test(command)) this.#changedAt = step;
    if (!failed && path !== undefined) {
      this.#see(path);
      if (READS.test(name)) put(this.#readAt, path, step);
      if (EDITS.test(name)) put(this.#editedAt, path, step);
    }
    if (!failed || command !== undefined)
      for (const [found] of output.slice(0, MAX_TEXT).matchAll(PATH)) this.#see(found);
  }

  #see(path: string): void {
    if (this.#seen.size >= MAX_PATHS) this.#seen.clear();
    this.#seen.add(path.replace(/^\.\//, ''));
  }

  #hasSeen(wanted: string): boolean {
    const path = wanted.replace(/^\.\//, '').replace(/\/$/, '');
    if (this.#seen.has(path)) return true;
    for (const seen of this.#seen)
      if (seen.includes('/') && (path.endsWith(`/${seen}`) || seen.endsWith(`/${path}`))) return true;
    return false;
  }
}

function put(map: Map<string, number>, path: string, step: number): void {
  if (map.size >= MAX_PATHS) map.clear();
  map.set(path, step);
}

function pathIn(text: string): string | undefined {
  return text.match(PATH)?.find((path) => path.length > 3);
}
