import type { Issue } from 'rsi-loop';

/** Meaning of a failed tool call's text in coding-agent transcripts. */
export type ToolError =
  /** A person said no, or another call's failure cancelled this one. */
  | { readonly kind: 'not-a-failure'; readonly reason: string }
  | {
      readonly kind: 'failure';
      readonly error: { readonly message: string; readonly name?: string; readonly code?: string };
    };

const REFUSED =
  /^(?:Error: )?(?:The user doesn't want to (?:proceed|take this action)|\[Request interrupted by user|User rejected|\[Operation Cancelled\]|The user rejected|The agent was interrupted by the user)/;
const KNOCK_ON =
  /^(?:Error: )?(?:<tool_use_error>)?\s*(?:Sibling tool call errored|Cancelled: parallel tool call [\s\S]{1,400} errored|Streaming fallback - tool execution discarded)/;
const REFUSED_CALL = /^<tool_use_error>(.*?)(?:<\/tool_use_error>|$)/s;
const EXIT_CODE = /^(?:Error: )?Exit code (\d{1,3})\b\s*/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what colours begin with
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;
/** Line of a long output that states what went wrong. */
const TELLING =
  /\b(?:error|fail(?:ed|ure|s)?|fatal|exception|denied|refused|cannot|can't|could not|unable|not found|no such|invalid|missing|undefined|unexpected|timed? ?out|killed|panic)\b|Error:|ERR!/i;

/** Lines drawn around a heading. */
const RULED = /^[\s\u2010-\u2015\u23af\u2500-\u257f=*#_-]{3,}|[\s\u2010-\u2015\u23af\u2500-\u257f=*#_-]{3,}$/g;
/** Line in which a compiler or linter names a place in a file. */
const PLACED = /^(?:\[[\w:-]{1,20}\] )?[\w@./~-]{1,200}\.\w{1,5}:\d{1,7}:\d{1,7}: \S/;
/** Line in which a test runner names a failed test. */
const FAILED_TEST = /^(?:--- FAIL: |FAILED \S+::|✕ |× |● |not ok \d|FAIL \S+)/;
/** Heading that states how many failed, but not what. */
const HEADING =
  /^(?:\d+ )?(?:failed|failing|failures?|errors?)(?: (?:tests?|suites?|files?|checks?))*:?\s*\d*$|ERROR task failed$|^FAIL$/i;

const MAX_LOOKED_AT = 16_000;
/** Maximum length of an output kept whole; of longer ones, only the relevant line is kept. */
const SHORT = 200;

export function readToolError(raw: string): ToolError {
  const text = raw.slice(0, MAX_LOOKED_AT).replace(COLOURS, '').trim();
  if (REFUSED.test(text)) return { kind: 'not-a-failure', reason: 'rejected by a person' };
  if (KNOCK_ON.test(text)) return { kind: 'not-a-failure', reason: 'cancelled because another call failed' };
  const refusedCall = REFUSED_CALL.exec(text)?.[1];
  if (refusedCall !== undefined) return failure(refusedCall.trim());
  const exit = EXIT_CODE.exec(text);
  if (exit === null) return failure(tellingPart(text.replace(/^Error: /, '')));
  const said = tellingPart(text.slice(exit[0].length));
  const code = `exit ${exit[1]}`;
  return failure(said === '' ? `Exit code ${exit[1]}` : `Exit code ${exit[1]}: ${said}`, { code });
}

/** Builds a failure from what was said about it. */
export function failure(message: string, marks: { readonly name?: string; readonly code?: string } = {}): ToolError {
  return { kind: 'failure', error: { message: message || 'failed without a message', ...marks } };
}

/** Returns the failure of a command that ended with this exit code. */
export function exitError(code: number, output: string): ToolError {
  return readToolError(`Exit code ${code}\n${output}`);
}

/** Error name of runs that failed although their call was reported as a success. */
export const EXIT_CODE_LOST = 'ExitCodeLost';

/** Issues that only a model's answer can have. In a program's output the same words mean something else. */
const OF_MODELS: ReadonlySet<string> = new Set(['unknown', 'empty_response', 'content_filter', 'context_length']);

/**
 * Returns the issues of a failed tool call: `tool_failure` if its text is not conclusive, and `exit_code_lost` beside it
 * if the call was reported as a success.
 */
export function toolIssues(issues: readonly Issue[], name?: string): readonly Issue[] {
  const known = issues[0] !== undefined && OF_MODELS.has(issues[0]) ? ['tool_failure', ...issues.slice(1)] : issues;
  return name === EXIT_CODE_LOST ? [...known, 'exit_code_lost'] : known;
}

/** Returns a short output unchanged; of a long one, the line that states what went wrong. */
export function tellingPart(output: string): string {
  if (output.length <= SHORT) return output;
  const lines = output
    .split('\n')
    .map((line) => line.replace(RULED, '').trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => TELLING.test(line));
  const placed = placedLine(lines) ?? lines.find((line) => FAILED_TEST.test(line));
  return (placed ?? telling.find((line) => !HEADING.test(line)) ?? telling[0] ?? lines[0] ?? '').slice(0, 1_000);
}

/** Name of the linter rule at the end of its message. */
const NAMED_RULE = /\([a-z][a-z0-9]{2,20}\)$/;
/** Summary line of a linter run: the messages above it end with the names of their rules. */
const LINTED = /^(?:\[[\w:-]{1,20}\] )?\d{1,6} issues?:$/;
const MAX_QUOTED_LINES = 8;

/** Returns the first line that names a place. A linter message that quotes several lines is joined up to its rule. */
function placedLine(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => PLACED.test(line));
  const placed = lines[at];
  if (placed === undefined || NAMED_RULE.test(placed) || !lines.some((line) => LINTED.test(line))) return placed;
  const quoted = lines.slice(at + 1, at + MAX_QUOTED_LINES);
  const end = quoted.findIndex((line) => NAMED_RULE.test(line));
  const isOwn = end >= 0 && !quoted.slice(0, end + 1).some((line) => PLACED.test(line));
  return isOwn ? [placed, ...quoted.slice(0, end + 1)].join(' ') : placed;
}
