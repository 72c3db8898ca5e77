import { nonEmptyText, type Row } from '../import/import-fields.js';
import type { Call } from './trace.js';

/** Characters of a result that are kept: the beginning and the end of long ones. */
const HEAD_CHARS = 3_000;
const TAIL_CHARS = 3_000;

export function shortened(text: string): string {
  if (text.length <= HEAD_CHARS + TAIL_CHARS) return text;
  return `${text.slice(0, HEAD_CHARS)}\n…\n${text.slice(-TAIL_CHARS)}`;
}

const WRITERS =
  /^(?:edit|write|multiedit|notebookedit|str_replace\w*|apply_patch|create_file|write_file|replace|edit_file)$/i;

/** Returns a call with what its arguments say about commands and files. */
export function makeCall(tool: string, input: Row, line: number): Call {
  const stated = input.command ?? input.cmd;
  const command = Array.isArray(stated) ? stated.map(String).join(' ') : nonEmptyText(stated);
  const file =
    nonEmptyText(input.file_path) ??
    nonEmptyText(input.path) ??
    nonEmptyText(input.notebook_path) ??
    nonEmptyText(input.filePath);
  const patched = /\*\*\* (?:Update|Add) File: (\S+)/.exec(command ?? nonEmptyText(input.input) ?? '')?.[1];
  const writes = patched ?? (WRITERS.test(tool) ? file : undefined);
  return {
    tool,
    input: shortened(JSON.stringify(input)),
    line,
    ...(command !== undefined && patched === undefined && { command }),
    ...(writes !== undefined && { writes }),
  };
}
