import { BoundedMap } from 'rsi-loop/kit';
import { timedId } from '../../timed-id.js';
import { between, idOf, isRow, nonEmptyText, numberOf, type Row, rowOf, timeOf } from '../import-fields.js';
import type { InputHead } from '../importer.js';
import { AGENT_RUN, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import { exitError, failure, type ToolError } from '../tool-error.js';

const MAX_OPEN = 2_000;

/**
 * Importer for the output of Cursor's command line with `--output-format stream-json`, its only record of how calls
 * ended.
 */
export const cursor = documentImporter({
  name: 'cursor',
  title: 'runs of Cursor (--output-format stream-json)',
  detect: ({ text }: InputHead) =>
    /"type"\s*:\s*"tool_call"/.test(text) && /"subtype"\s*:\s*"(?:started|completed)"/.test(text),
  open: (found) => new Stream(found),
});

class Stream implements DocumentReader {
  #model: string | undefined;
  #lastMs: number | undefined;
  readonly #started = new BoundedMap<number | undefined>(MAX_OPEN);

  constructor(private readonly found: OutcomeCollector) {}

  row(row: Row, place: Place): boolean {
    const atMs = timeOf(row.timestamp_ms) ?? timeOf(row.timestamp);
    this.#lastMs = atMs ?? this.#lastMs;
    if (row.type === 'system') this.#model = nonEmptyText(row.model) ?? this.#model;
    else if (row.type === 'tool_call') this.#call(row, atMs, place);
    else if (row.type === 'result') this.#result(row, place);
    return true;
  }

  #call(row: Row, atMs: number | undefined, place: Place): void {
    const id = idOf(row.call_id) ?? place.digest();
    if (row.subtype === 'started') this.#started.put(id, atMs);
    if (row.subtype !== 'completed') return;
    const startMs = this.#started.take(id);
    const found = Object.entries(rowOf(row.tool_call)).find(([, value]) => isRow(value));
    if (found === undefined) {
      this.found.reject('a call names no tool', place.line);
      return;
    }
    const call = rowOf(found[1]);
    const tool = nonEmptyText(call.name) ?? found[0].replace(/ToolCall$/, '');
    this.found.addCall(
      tool,
      // A call id may hold a line break.
      timedId(atMs, id.replace(/\s+/g, ' ')),
      {
        atMs,
        session: nonEmptyText(row.session_id),
        model: this.#model,
        durationMs: between(startMs, atMs),
      },
      errorOf(rowOf(call.result)),
    );
  }

  #result(row: Row, place: Place): void {
    const failed = row.is_error === true || (row.subtype !== undefined && row.subtype !== 'success');
    const run = idOf(row.request_id) ?? idOf(row.session_id) ?? place.digest();
    this.found.add(AGENT_RUN, timedId(this.#lastMs, `${run}-run`), {
      success: !failed,
      atMs: this.#lastMs,
      session: nonEmptyText(row.session_id),
      model: this.#model,
      durationMs: numberOf(row.duration_ms),
      error: failed ? (nonEmptyText(row.result) ?? 'the run failed') : undefined,
    });
  }
}

/** Returns the error of a call; `undefined` if it succeeded. */
function errorOf(result: Row): ToolError | undefined {
  if (result.rejected !== undefined || result.permissionDenied !== undefined) {
    return { kind: 'not-a-failure', reason: 'rejected by a person' };
  }
  if (isRow(result.success)) return exitOf(numberOf(result.success.exitCode) ?? 0, result.success);
  if (isRow(result.failure)) return exitOf(numberOf(result.failure.exitCode) ?? 1, result.failure);
  if (result.timeout !== undefined) return failure('the call timed out', { name: 'TimeoutError' });
  const error = result.error ?? result.fileNotFound ?? result.failed;
  if (error === undefined) return undefined;
  const { error: inner, errorMessage, message } = rowOf(error);
  const said = nonEmptyText(error) ?? nonEmptyText(inner) ?? nonEmptyText(errorMessage) ?? nonEmptyText(message);
  return failure(said ?? (result.fileNotFound === undefined ? '' : 'file not found'));
}

function exitOf(code: number, { stderr, stdout }: Row): ToolError | undefined {
  return code === 0
    ? undefined
    : exitError(code, [stderr, stdout].flatMap((text) => nonEmptyText(text) ?? []).join('\n'));
}
