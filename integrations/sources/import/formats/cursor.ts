import { between, idOf, isRow, numberOf, type Row, rowOf, textOf, timeOf } from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { AGENT_RUN, OutcomeCollector, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { readToolError } from '../tool-error.js';

const SOURCE = 'cursor';
const MAX_OPEN = 2_000;

/**
 * Importer for the output of Cursor's command line with `--output-format stream-json`, its only record of how calls
 * ended.
 */
export const cursor: Importer = {
  name: SOURCE,
  title: 'runs of Cursor (--output-format stream-json)',
  detect: ({ text }: InputHead) =>
    /"type"\s*:\s*"tool_call"/.test(text) && /"subtype"\s*:\s*"(?:started|completed)"/.test(text),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Stream(gathering));
  },
};

class Stream implements DocumentReader {
  readonly #gathering: OutcomeCollector;
  #model: string | undefined;
  #lastMs: number | undefined;
  readonly #started = new Map<string, number | undefined>();

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(): void {}

  end(): void {}

  row(row: Row, place: Place): boolean {
    const atMs = timeOf(row.timestamp_ms) ?? timeOf(row.timestamp);
    this.#lastMs = atMs ?? this.#lastMs;
    if (row.type === 'system') this.#model = textOf(row.model) ?? this.#model;
    else if (row.type === 'tool_call') this.#call(row, atMs, place);
    else if (row.type === 'result') this.#result(row, place);
    return true;
  }

  #call(row: Row, atMs: number | undefined, place: Place): void {
    const id = idOf(row.call_id) ?? place.digest();
    if (row.subtype === 'started') {
      this.#started.set(id, atMs);
      if (this.#started.size > MAX_OPEN) this.#started.delete(this.#started.keys().next().value ?? '');
      return;
    }
    if (row.subtype !== 'completed') return;
    const startMs = this.#started.get(id);
    this.#started.delete(id);
    const found = Object.entries(rowOf(row.tool_call)).find(([, value]) => isRow(value));
    if (found === undefined) {
      this.#gathering.reject('a call names no tool', place.line);
      return;
    }
    const call = rowOf(found[1]);
    const tool = textOf(call.name) ?? found[0].replace(/ToolCall$/, '');
    const ending = endOf(rowOf(call.result));
    if (ending === 'refused') {
      this.#gathering.ignore('rejected by a person');
      return;
    }
    this.#gathering.add({
      task: tool,
      // A call id may hold a line break.
      id: timedId(atMs, id.replace(/\s+/g, ' ')),
      tool,
      success: ending === undefined,
      atMs,
      session: textOf(row.session_id),
      model: this.#model,
      durationMs: between(startMs, atMs),
      error: ending,
    });
  }

  #result(row: Row, place: Place): void {
    const failed = row.is_error === true || (row.subtype !== undefined && row.subtype !== 'success');
    const run = idOf(row.request_id) ?? idOf(row.session_id) ?? place.digest();
    this.#gathering.add({
      task: AGENT_RUN,
      id: timedId(this.#lastMs, `${run}-run`),
      success: !failed,
      atMs: this.#lastMs,
      session: textOf(row.session_id),
      model: this.#model,
      durationMs: numberOf(row.duration_ms),
      error: failed ? (textOf(row.result) ?? 'the run failed') : undefined,
    });
  }
}

/** Returns the error of a call; `undefined` if it succeeded. */
function endOf(result: Row): object | 'refused' | undefined {
  if (result.rejected !== undefined || result.permissionDenied !== undefined) return 'refused';
  if (isRow(result.success)) {
    const code = numberOf(result.success.exitCode);
    return code === undefined || code === 0 ? undefined : exitOf(code, result.success);
  }
  if (isRow(result.failure)) return exitOf(numberOf(result.failure.exitCode) ?? 1, result.failure);
  if (result.timeout !== undefined) return { message: 'the call timed out', name: 'TimeoutError' };
  const error = result.error ?? result.fileNotFound ?? result.failed;
  if (error === undefined) return undefined;
  const message =
    textOf(error) ?? textOf(rowOf(error).error) ?? textOf(rowOf(error).errorMessage) ?? textOf(rowOf(error).message);
  return { message: message ?? (result.fileNotFound === undefined ? 'failed without a message' : 'file not found') };
}

function exitOf(code: number, output: Row): object {
  const said = [textOf(output.stderr), textOf(output.stdout)].filter((text) => text !== undefined).join('\n');
  const read = readToolError(`Exit code ${code}\n${said}`);
  return read.kind === 'failure' ? read.error : { message: `Exit code ${code}` };
}
