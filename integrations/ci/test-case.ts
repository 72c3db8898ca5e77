/** Result of one test case in one report. */
export interface TestCase {
  /** File, class or package, as stable as the runner names it. */
  readonly suite: string;
  /** Titles and parameters within the suite. */
  readonly name: string;
  /** Result of the last attempt. */
  readonly result: 'passed' | 'failed' | 'skipped';
  /** Attempts that failed, including the last one of a failed case. Default 1 for `failed`, else 0. */
  readonly failedAttempts?: number;
  /** True if this is a further attempt of the case of the same name that failed just before. */
  readonly isRetry?: true;
  /** True for what contains tests, such as a file that has to be loaded: it counts as a test only if it fails. */
  readonly isContainer?: true;
  readonly durationMs?: number;
  /** Of the last attempt that failed. */
  readonly failure?: TestFailure;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** Words of a failure, as the runner reports them. */
export interface TestFailure {
  readonly message: string;
  /** Stack trace or longer report. */
  readonly details?: string;
}

/** Reason why a report, or a part of it, could not be read. `line` is counted from 1. */
export interface ReportProblem {
  readonly problem: string;
  readonly line?: number;
}

export type ReportItem = TestCase | ReportProblem;

export interface ReportInput {
  /** Path as the user gave it. */
  readonly path: string;
  /** Folder that file names are relative to. */
  readonly root: string;
  /** Text of the report, decoded. */
  readonly text: AsyncIterable<string>;
}

/** Reader of one format of test reports. */
export interface ReportReader {
  readonly name: string;
  /** Returns whether a report that begins with `head` has this format. */
  detect(head: string): boolean;
  /** Yields results in batches, so that memory is bounded if the format allows it. */
  read(input: ReportInput): AsyncIterable<readonly ReportItem[]>;
}

/** Longest text kept of a message or a stack trace. */
const MAX_WORDS = 4_000;
/** Most lines of a message. */
const MAX_LINES = 6;
const ESCAPE = '\u001b';

/** Returns a failure whose texts are bounded and without terminal colours. */
export function failureOf(message: string | undefined, details?: string): TestFailure {
  const short = cleanWords(message ?? '').trim();
  const long = details === undefined ? '' : cleanWords(details).trim();
  // A stack trace begins with the message, which may take several lines.
  const first = short || (long.split('\n', 1)[0] ?? '') || 'failed without a message';
  return long === '' || long === first ? { message: first } : { message: first, details: long };
}

/** Returns the words of an error before its stack trace on one line: the message, and what was expected and received. */
export function wordsOfError(text: string): string {
  const words: string[] = [];
  for (const line of cleanWords(text).split('\n')) {
    if (/^\s+at\s/.test(line) || words.length === MAX_LINES) break;
    if (line.trim() !== '') words.push(line.trim());
  }
  return words.join(' ');
}

const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

function cleanWords(text: string): string {
  const kept = text.slice(0, 2 * MAX_WORDS);
  return (kept.includes(ESCAPE) ? kept.replace(COLOURS, '') : kept).slice(0, MAX_WORDS);
}
