import { BoundedMap } from 'rsi-loop/kit';
import { timedId } from '../../timed-id.js';
import {
  between,
  contentText,
  idOf,
  isRow,
  jsonOf,
  nonEmptyText,
  numberOf,
  projectOf,
  type Row,
  rowOf,
  secondsOf,
  timeOf,
  tokenUse,
} from '../import-fields.js';
import type { InputHead } from '../importer.js';
import { type Facts, MODEL_CALL, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import { exitError, failure, type ToolError, tellingPart } from '../tool-error.js';

/** Maximum number of open calls. The result of older ones never comes. */
const MAX_OPEN = 2_000;

/** Importer for rollouts of the Codex CLI: `~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl`. */
export const codex = documentImporter({
  name: 'codex',
  title: 'rollouts of Codex (.jsonl)',
  detect: isRollout,
  open: (found) => new Rollout(found),
});

function isRollout({ text }: InputHead): boolean {
  if (/"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context)"/.test(text))
    return /"payload"\s*:/.test(text);
  // The first versions wrote each item on its own line, below a line that names the session.
  return /"instructions"\s*:/.test(text) && /"type"\s*:\s*"(?:message|function_call)"/.test(text);
}

interface Call {
  readonly name: string;
  readonly atMs: number | undefined;
}

/** End of a tool call, as reported beside its output. */
interface End {
  readonly exitCode?: number | undefined;
  readonly failed?: boolean;
  readonly message?: string | undefined;
}

class Rollout implements DocumentReader {
  #session: string | undefined;
  #model: string | undefined;
  #project: string | undefined;
  readonly #calls = new BoundedMap<Call>(MAX_OPEN);
  readonly #ends = new BoundedMap<End>(MAX_OPEN);
  #lastTotal: number | undefined;
  #answers = 0;

  constructor(private readonly found: OutcomeCollector) {}

  row(row: Row, place: Place): boolean {
    const payload = isRow(row.payload) ? row.payload : row;
    const atMs = timeOf(row.timestamp);
    switch (row.type) {
      case 'session_meta':
        this.#session = idOf(payload.id) ?? this.#session;
        this.#project = projectOf(payload.cwd) ?? this.#project;
        break;
      case 'turn_context':
        this.#model = nonEmptyText(payload.model) ?? this.#model;
        break;
      case 'event_msg':
        this.#event(payload, atMs, place);
        break;
      case undefined:
        this.#session ??= idOf(row.id);
        break;
      default:
        this.#item(payload, atMs, place);
    }
    return true;
  }

  #item(item: Row, atMs: number | undefined, place: Place): void {
    const id = idOf(item.call_id) ?? idOf(item.id);
    switch (item.type) {
      case 'function_call':
      case 'custom_tool_call':
        if (id !== undefined) this.#calls.put(id, { name: nonEmptyText(item.name) ?? 'unknown tool', atMs });
        break;
      case 'local_shell_call':
        if (id !== undefined) this.#calls.put(id, { name: 'shell', atMs });
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#result(id ?? '', item.output, atMs);
        break;
      case 'web_search_call': {
        const failed = item.status === 'failed' || item.status === 'incomplete';
        this.#add('web_search', id ?? `search-${place.line}`, atMs, { success: !failed, tool: 'web_search' });
        break;
      }
      default: // messages and reasoning
    }
  }

  #event(event: Row, atMs: number | undefined, place: Place): void {
    switch (event.type) {
      case 'token_count':
        this.#answer(rowOf(event.info), atMs);
        break;
      case 'error':
      case 'stream_error':
        this.#add(MODEL_CALL, `error-${place.line}`, atMs, {
          success: false,
          model: this.#model,
          error: nonEmptyText(event.message) ?? 'error of the model service',
        });
        break;
      case 'exec_command_end':
      case 'patch_apply_end':
      case 'mcp_tool_call_end':
        this.#ended(event);
        break;
      case 'turn_aborted':
        for (const _ of this.#calls.keys()) this.found.ignore('interrupted by a person');
        this.#calls.clear();
        break;
      default:
    }
  }

  #ended(event: Row): void {
    const id = idOf(event.call_id);
    if (id === undefined) return;
    const result = rowOf(event.result);
    const failed = event.success === false || result.Err !== undefined || isErrorResult(result.Ok);
    const message = nonEmptyText(result.Err) ?? nonEmptyText(event.stderr);
    this.#ends.put(id, { exitCode: numberOf(event.exit_code), failed, message });
  }

  /**
   * Records a model answer from a usage event. These also occur when only the limits have changed; those are ignored.
   */
  #answer(info: Row, atMs: number | undefined): void {
    const total = numberOf(rowOf(info.total_token_usage).total_tokens);
    const last = rowOf(info.last_token_usage);
    if (total === undefined || total === this.#lastTotal) return;
    this.#lastTotal = total;
    this.#answers++;
    const cached = numberOf(last.cached_input_tokens);
    const tokens = tokenUse(numberOf(last.input_tokens) ?? 0, numberOf(last.output_tokens) ?? 0, cached);
    this.#add(MODEL_CALL, `answer-${this.#answers}`, atMs, { success: true, model: this.#model, tokens });
  }

  #result(id: string, output: unknown, atMs: number | undefined): void {
    const call = this.#calls.take(id);
    if (call === undefined) {
      this.found.ignore('result without its call');
      return;
    }
    const { error, durationMs = between(call.atMs, atMs) } = readOutput(output, this.#ends.take(id));
    const facts = { ...this.#about(atMs), model: this.#model, durationMs };
    this.found.addCall(call.name, this.#id(id, atMs), facts, error);
  }

  #add(task: string, own: string, atMs: number | undefined, facts: Facts): void {
    this.found.add(task, this.#id(own, atMs), { ...this.#about(atMs), ...facts });
  }

  #id(own: string, atMs: number | undefined): string {
    return timedId(atMs, `${this.#session ?? 'codex'}-${own}`);
  }

  #about(atMs: number | undefined) {
    const context = this.#project === undefined ? undefined : { project: this.#project };
    return { atMs, session: this.#session, context };
  }
}

function isErrorResult(value: unknown): boolean {
  const result = rowOf(value);
  return result.is_error === true || result.isError === true;
}

interface Output {
  /** Absent if the call succeeded. */
  readonly error?: ToolError | undefined;
  readonly durationMs?: number | undefined;
}

const REFUSED =
  /(?:rejected by (?:the )?user|^aborted by user|^user (?:cancelled|rejected|declined)|interrupted by (?:the )?user)/i;
const FAILED =
  /^(?:failed in sandbox|execution error|tool call error|err(?:or)?:|unsupported (?:call|custom tool)|failed to (?:parse|apply|execute|run|read|write|start)|apply_patch verification failed|exec_command failed|write_stdin failed|command (?:timed out|failed)|collab (?:spawn|tool) failed|unable to |invalid patch|unknown process id)/i;
const EXIT = /^(?:Exit code: |(?:.*\n){0,6}?Process exited with code )(-?\d+)/;
const WALL_TIME = /^(?:.*\n){0,6}?Wall time: ([\d.]+) seconds/;

/** Reads an output without a failure flag: JSON with an exit code, or text that states it at the beginning. */
function readOutput(raw: unknown, end: End | undefined): Output {
  const { text, exitCode = end?.exitCode, durationMs, failed } = unwrap(raw);
  const said = text === '' ? (end?.message ?? '') : text;
  if (exitCode !== undefined && exitCode !== 0) return { error: exitError(exitCode, said), durationMs };
  // With exit code 0, the printed text does not make the call a failure.
  if (exitCode === 0 && !failed) return { durationMs };
  const head = text.slice(0, 400);
  if (REFUSED.test(head) && head.length < 300) {
    return { error: { kind: 'not-a-failure', reason: 'rejected by a person' } };
  }
  if (!failed && end?.failed !== true && !FAILED.test(head)) return { durationMs };
  return { error: failure(tellingPart(said.trim())), durationMs };
}

interface Unwrapped {
  readonly text: string;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly failed: boolean;
}

function unwrap(raw: unknown): Unwrapped {
  const value = typeof raw === 'string' && raw.startsWith('{') ? (jsonOf(raw) ?? raw) : raw;
  if (typeof value === 'string' || Array.isArray(value)) {
    const text = contentText(value);
    return {
      text: text.replace(/^[\s\S]{0,400}?\nOutput:\n/, ''),
      exitCode: numberOf(EXIT.exec(text)?.[1]),
      durationMs: secondsOf(WALL_TIME.exec(text)?.[1]),
      failed: false,
    };
  }
  const row = rowOf(value);
  const metadata = rowOf(row.metadata);
  return {
    text: contentText(row.output ?? row.content),
    exitCode: numberOf(metadata.exit_code),
    durationMs: secondsOf(metadata.duration_seconds),
    failed: row.success === false || isErrorResult(row),
  };
}
