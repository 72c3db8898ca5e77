import { readToolError } from '../import/tool-error.js';
import { firstText, parsed, type Row, rowOf } from './body.js';
import type { AgentFailure } from './event.js';

/** Result of a tool call, as far as its response shows it. */
export type ToolResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: AgentFailure }
  /** A person stopped or rejected it, or another call's failure cancelled it: not a failure of the call. */
  | { readonly kind: 'left-out' };

const DONE: ToolResult = { kind: 'done' };
const EXIT = /^(?:Exit code:? |Process exited with code |exit(?:ed)?(?: with)? (?:code|status) )(\d{1,3})\b/im;
const FAILED_TEXT = /^(?:failed in sandbox|execution error|tool call error|error:)/i;
/** Characters searched at the beginning of a text. A marker further down may belong to a file that was read. */
const HEAD = 400;

/** Reads the response of a hook that also fires for failed calls. */
export function readToolResponse(response: unknown): ToolResult {
  const value = parsed(response);
  const row = rowOf(value);
  if (row?.interrupted === true) return { kind: 'left-out' };
  if (row) return readRow(row);
  return typeof value === 'string' ? readText(value) : DONE;
}

function readRow(row: Row): ToolResult {
  const exitCode = exitCodeOf(row) ?? exitCodeOf(rowOf(row.metadata));
  const error = row.error;
  const isError = row.is_error === true || row.success === false;
  const said = typeof error === 'string' ? error : firstText(rowOf(error), 'message');
  if (exitCode !== undefined && exitCode !== 0) {
    return failed(`Exit code ${exitCode}\n${said ?? firstText(row, 'stderr', 'output', 'stdout') ?? contentText(row)}`);
  }
  // An error that is an object is read like every answer that states a failure.
  if (typeof error === 'string' && error !== '' && row.ok !== false) return failed(error);
  if (isError) return failed(contentText(row) || (firstText(row, 'message', 'stderr', 'output') ?? ''));
  return DONE;
}

function readText(text: string): ToolResult {
  const head = text.slice(0, HEAD);
  const code = EXIT.exec(head)?.[1];
  if (code !== undefined && Number(code) !== 0) return failed(`Exit code ${code}\n${text.replace(EXIT, '').trim()}`);
  return FAILED_TEXT.test(head) ? failed(text) : DONE;
}

/** Classifies the text of a failure by the phrases coding agents use for failures, rejections and interruptions. */
export function failed(text: string): ToolResult {
  const read = readToolError(text);
  return read.kind === 'not-a-failure' ? { kind: 'left-out' } : { kind: 'failed', failure: read.error };
}

function exitCodeOf(row: Row | undefined): number | undefined {
  const value = row?.exit_code ?? row?.exitCode;
  return typeof value === 'number' ? value : undefined;
}

/** Returns the text of MCP content blocks. */
function contentText(row: Row): string {
  const { content } = row;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => firstText(rowOf(block), 'text') ?? '').join('\n');
}
