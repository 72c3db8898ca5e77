import { timedId } from '../../timed-id.js';
import {
  between,
  idOf,
  isRow,
  nonEmptyText,
  numberOf,
  type Row,
  rowOf,
  rowsOf,
  timeOf,
  tokenUse,
} from '../import-fields.js';
import type { InputHead } from '../importer.js';
import { MODEL_CALL, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import { exitError, readToolError, type ToolError } from '../tool-error.js';

/**
 * Importer for sessions of OpenCode: the output of `opencode export`, and the files of
 * `~/.local/share/opencode/storage` (one message or part each).
 */
export const openCode = documentImporter({
  name: 'opencode',
  title: 'sessions of OpenCode (export, storage)',
  detect: ({ text }: InputHead) =>
    /"sessionID"\s*:/.test(text) && /"(?:messageID|modelID|providerID|callID)"\s*:/.test(text),
  open: (found) => new Session(found),
});

class Session implements DocumentReader {
  readonly #own: Record<string, unknown> = {};

  constructor(private readonly found: OutcomeCollector) {}

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key !== undefined && key !== 'messages') {
      if (WANTED.has(key)) this.#own[key] = value;
    } else if (isRow(value)) this.#entry(value);
    else this.found.reject('a message is not an object', place.line);
  }

  row(row: Row): boolean {
    if (Array.isArray(row.messages)) return false;
    this.#entry(row);
    return true;
  }

  end(): void {
    if (this.#own.sessionID !== undefined) this.#entry(this.#own);
  }

  /** Reads a message with its parts, a message, or a part. */
  #entry(row: Row): void {
    const info = isRow(row.info) ? row.info : row;
    if (info.role === 'assistant') this.#message(info);
    const model = nonEmptyText(info.modelID);
    for (const part of rowsOf(row.parts)) this.#part(part, model, nonEmptyText(info.mode) ?? nonEmptyText(info.agent));
    if (row.type === 'tool') this.#part(row, undefined, undefined);
  }

  #message(info: Row): void {
    const { created, completed } = rowOf(info.time);
    const startMs = timeOf(created);
    const endMs = timeOf(completed);
    const error = errorOf(rowOf(info.error));
    if (error?.name === 'MessageAbortedError') this.found.ignore('interrupted by a person');
    else if (endMs === undefined && error === undefined) this.found.ignore('call that did not end');
    else {
      this.found.add(MODEL_CALL, timedId(startMs, idOf(info.id) ?? ''), {
        success: error === undefined,
        atMs: endMs ?? startMs,
        session: nonEmptyText(info.sessionID),
        agent: nonEmptyText(info.mode) ?? nonEmptyText(info.agent),
        model: nonEmptyText(info.modelID),
        durationMs: between(startMs, endMs),
        tokens: tokensOf(rowOf(info.tokens)),
        costUsd: numberOf(info.cost) || undefined,
        error,
      });
    }
  }

  #part(part: Row, model: string | undefined, agent: string | undefined): void {
    if (part.type !== 'tool') return;
    const state = rowOf(part.state);
    if (state.status !== 'completed' && state.status !== 'error') {
      this.found.ignore('call that did not end');
      return;
    }
    const { start, end } = rowOf(state.time);
    const endMs = timeOf(end);
    const tool = nonEmptyText(part.tool) ?? 'unknown tool';
    this.found.addCall(
      tool,
      timedId(endMs, idOf(part.id) ?? idOf(part.callID) ?? ''),
      {
        atMs: endMs,
        session: nonEmptyText(part.sessionID),
        agent,
        model,
        durationMs: between(timeOf(start), endMs),
      },
      toolError(tool, state),
    );
  }
}

/** Returns the error of a message; undefined if it has none. */
function errorOf({ name: given, data }: Row) {
  const name = nonEmptyText(given);
  if (name === undefined) return undefined;
  const { message, statusCode } = rowOf(data);
  const status = numberOf(statusCode);
  return { name, message: nonEmptyText(message) ?? name, ...(status !== undefined && { status }) };
}

/** Returns the tokens used. Input includes what was read from the cache or written to it. */
function tokensOf(tokens: Row) {
  const { read, write } = rowOf(tokens.cache);
  const input = (numberOf(tokens.input) ?? 0) + (numberOf(read) ?? 0) + (numberOf(write) ?? 0);
  const output = (numberOf(tokens.output) ?? 0) + (numberOf(tokens.reasoning) ?? 0);
  return input + output > 0 ? tokenUse(input, output, numberOf(read)) : undefined;
}

const REJECTED = /rejected permission|^The user (?:has )?(?:rejected|denied)|Tool execution aborted/i;

/** Returns the error of a tool call. The shell tool counts as completed for any exit code of its command. */
function toolError(tool: string, state: Row): ToolError | undefined {
  const isShell = tool === 'bash' || tool === 'shell';
  const code = (isShell ? numberOf(rowOf(state.metadata).exit) : undefined) ?? 0;
  if (state.status !== 'error' && code === 0) return undefined;
  const said = nonEmptyText(state.error);
  if (said === undefined) return code === 0 ? readToolError('') : exitError(code, nonEmptyText(state.output) ?? '');
  return REJECTED.test(said) ? { kind: 'not-a-failure', reason: 'rejected by a person' } : readToolError(said);
}

/** Keys that are read from a file with a message or a part. */
const WANTED: ReadonlySet<string> = new Set(
  'id sessionID messageID role type tool callID state time modelID providerID mode agent tokens cost error'.split(' '),
);
