import {
  between,
  contentText,
  idOf,
  isRow,
  numberOf,
  projectOf,
  type Row,
  rowOf,
  textOf,
  timeOf,
  tokenUse,
} from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { MODEL_CALL, OutcomeCollector, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { readToolError, type ToolError, tellingPart } from '../tool-error.js';

const SOURCE = 'codex';
/** Maximum number of open calls. Older ones, whose result never comes, are forgotten. */
const MAX_OPEN = 2_000;

/** Importer for rollouts of the Codex CLI: `~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl`. */
export const codex: Importer = {
  name: SOURCE,
  title: 'rollouts of Codex (.jsonl)',
  detect: isRollout,
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Rollout(gathering));
  },
};

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
  readonly #gathering: OutcomeCollector;
  #session: string | undefined;
  #model: string | undefined;
  #project: string | undefined;
  readonly #calls = new Map<string, Call>();
  readonly #ends = new Map<string, End>();
  #lastTotal: number | undefined;
  #answers = 0;
  #answerMs: number | undefined;

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  end(): void {}

  row(row: Row, place: Place): boolean {
    const payload = isRow(row.payload) ? row.payload : row;
    const atMs = timeOf(row.timestamp);
    switch (row.type) {
      case 'session_meta':
        this.#session = idOf(payload.id) ?? this.#session;
        this.#project = projectOf(payload.cwd) ?? this.#project;
        break;
      case 'turn_context':
        this.#model = textOf(payload.model) ?? this.#model;
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
        this.#open(id, textOf(item.name) ?? 'unknown tool', atMs);
        break;
      case 'local_shell_call':
        this.#open(id, 'shell', atMs);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#result(id, item.output, atMs);
        break;
      case 'web_search_call': {
        const failed = item.status === 'failed' || item.status === 'incomplete';
        this.#add('web_search', id ?? `search-${place.line}`, atMs, { success: !failed, tool: 'web_search' });
        break;
      }
      default: // messages and reasoning
    }
  }

  #open(id: string | undefined, name: string, atMs: number | undefined): void {
    if (id === undefined) return;
    this.#calls.set(id, { name, atMs });
    if (this.#calls.size > MAX_OPEN) this.#calls.delete(this.#calls.keys().next().value ?? '');
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
          error: textOf(event.message) ?? 'error of the model service',
        });
        break;
      case 'exec_command_end':
      case 'patch_apply_end':
      case 'mcp_tool_call_end':
        this.#ended(event);
        break;
      case 'turn_aborted':
        for (const id of this.#calls.keys()) {
          this.#gathering.ignore('interrupted by a person');
          this.#calls.delete(id);
        }
        break;
      default:
    }
  }

  #ended(event: Row): void {
    const id = idOf(event.call_id);
    if (id === undefined) return;
    const result = rowOf(event.result);
    const failed = event.success === false || result.Err !== undefined || isErrorResult(result.Ok);
    const message = textOf(result.Err) ?? textOf(event.stderr);
    this.#ends.set(id, { exitCode: numberOf(event.exit_code), failed, message });
    if (this.#ends.size > MAX_OPEN) this.#ends.delete(this.#ends.keys().next().value ?? '');
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
    this.#answerMs = atMs;
    const cached = numberOf(last.cached_input_tokens);
    const tokens = tokenUse(numberOf(last.input_tokens) ?? 0, numberOf(last.output_tokens) ?? 0, cached);
    this.#add(MODEL_CALL, `answer-${this.#answers}`, this.#answerMs, { success: true, model: this.#model, tokens });
  }

  #result(id: string | undefined, output: unknown, atMs: number | undefined): void {
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || call === undefined) {
      this.#gathering.ignore('result without its call');
      return;
    }
    this.#calls.delete(id);
    const end = this.#ends.get(id);
    this.#ends.delete(id);
    const { result, durationMs } = readOutput(output, end);
    if (result?.kind === 'not-a-failure') {
      this.#gathering.ignore(result.reason);
      return;
    }
    this.#add(call.name, id, atMs, {
      success: result === undefined,
      tool: call.name,
      model: this.#model,
      durationMs: durationMs ?? between(call.atMs, atMs),
      error: result?.error,
    });
  }

  #add(
    task: string,
    own: string,
    atMs: number | undefined,
    found: Omit<Parameters<OutcomeCollector['add']>[0], 'task' | 'id'>,
  ) {
    const id = timedId(atMs, `${this.#session ?? 'codex'}-${own}`);
    const context = this.#project === undefined ? undefined : { project: this.#project };
    this.#gathering.add({ ...found, task, id, atMs, session: this.#session, context });
  }
}

function isErrorResult(value: unknown): boolean {
  const result = rowOf(value);
  return result.is_error === true || result.isError === true;
}

interface Output {
  /** Absent if the call succeeded. */
  readonly result?: ToolError | undefined;
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
  const { text, exitCode, durationMs, failed } = unwrap(raw);
  const code = exitCode ?? end?.exitCode;
  const said = text === '' ? (end?.message ?? '') : text;
  if (code !== undefined && code !== 0) return { result: readToolError(`Exit code ${code}\n${said}`), durationMs };
  // With exit code 0, the printed text does not make the call a failure.
  if (code === 0 && !failed) return { durationMs };
  const head = text.slice(0, 400);
  if (REFUSED.test(head) && head.length < 300) {
    return { result: { kind: 'not-a-failure', reason: 'rejected by a person' } };
  }
  if (!failed && end?.failed !== true && !FAILED.test(head)) return { durationMs };
  return {
    result: { kind: 'failure', error: { message: tellingPart(said.trim()) || 'failed without a message' } },
    durationMs,
  };
}

function unwrap(raw: unknown): {
  text: string;
  exitCode?: number | undefined;
  durationMs?: number | undefined;
  failed: boolean;
} {
  const value = typeof raw === 'string' && raw.startsWith('{') ? parsed(raw) : raw;
  if (typeof value === 'string' || Array.isArray(value)) {
    const text = contentText(value);
    const seconds = numberOf(WALL_TIME.exec(text)?.[1]);
    return {
      text: text.replace(/^[\s\S]{0,400}?\nOutput:\n/, ''),
      exitCode: numberOf(EXIT.exec(text)?.[1]),
      durationMs: seconds === undefined ? undefined : seconds * 1e3,
      failed: false,
    };
  }
  const row = rowOf(value);
  const metadata = rowOf(row.metadata);
  const seconds = numberOf(metadata.duration_seconds);
  return {
    text: contentText(row.output ?? row.content),
    exitCode: numberOf(metadata.exit_code),
    durationMs: seconds === undefined ? undefined : seconds * 1e3,
    failed: row.success === false || isErrorResult(row),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
