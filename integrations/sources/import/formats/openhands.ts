import { between, contentText, idOf, isRow, numberOf, type Row, rowOf, textOf, timeOf, tokenUse } from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { AGENT_RUN, OutcomeCollector, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { readToolError, tellingPart } from '../tool-error.js';

const SOURCE = 'openhands';
const MAX_OPEN = 2_000;

/**
 * Importer for events of OpenHands: a trajectory (a list), `output.jsonl` of its benchmarks and its resolver, or one
 * event per file or line.
 */
export const openHands: Importer = {
  name: SOURCE,
  title: 'trajectories of OpenHands (events, output.jsonl)',
  detect: ({ text }: InputHead) =>
    (/"(?:observation|action)"\s*:\s*"/.test(text) && /"source"\s*:\s*"(?:agent|user|environment)"/.test(text)) ||
    /"kind"\s*:\s*"(?:ActionEvent|ObservationEvent|AgentErrorEvent|MessageEvent|SystemPromptEvent)"/.test(text) ||
    (/"instance_id"\s*:/.test(text) && /"test_result"\s*:/.test(text)) ||
    (/"git_patch"\s*:/.test(text) && /"(?:result_explanation|comment_success)"\s*:/.test(text)),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Events(gathering));
  },
};

interface Action {
  readonly name: string;
  readonly atMs: number | undefined;
  readonly model: string | undefined;
}

/** Actions without an external effect, so they have no result that could fail. */
const NO_TASKS: ReadonlySet<string> = new Set([
  'message',
  'system',
  'think',
  'recall',
  'change_agent_state',
  'condensation',
  'null',
]);

class Events implements DocumentReader {
  readonly #gathering: OutcomeCollector;
  #run: string | undefined;
  readonly #actions = new Map<string, Action>();
  /** Members of a line of `output.jsonl`, or of an event in its own file. */
  #own: Record<string, unknown> = {};
  #finished: boolean | undefined;
  #lastMs: number | undefined;
  #failure: string | undefined;

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === undefined || key === 'history') {
      // Older histories are pairs of an action and its result.
      for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
        if (isRow(each)) this.#event(each, place);
        else this.#gathering.reject('an event is not an object', place.line);
      }
      return;
    }
    if (WANTED.has(key)) this.#own[key] = value;
  }

  row(row: Row, place: Place): boolean {
    if (row.history !== undefined || row.test_result !== undefined || row.git_patch !== undefined) return false;
    this.#event(row, place);
    return true;
  }

  end(): void {
    const own = this.#own;
    if (own.source !== undefined && own.id !== undefined) {
      this.#event(own, { line: 1, digest: () => this.#gathering.key() });
    } else this.#end(own);
    if (this.#actions.size > 0) this.#gathering.ignore('action without an observation');
    this.#actions.clear();
    this.#run = undefined;
    this.#own = {};
    this.#finished = undefined;
    this.#lastMs = undefined;
    this.#failure = undefined;
  }

  #end(own: Row): void {
    const result = rowOf(own.test_result);
    const resolved =
      rowOf(own.report).resolved ?? rowOf(result.report).resolved ?? result.resolved ?? own.resolved ?? own.success;
    const error = textOf(own.error) ?? this.#failure;
    const success = typeof resolved === 'boolean' ? resolved : error === undefined ? this.#finished : false;
    if (success === undefined) {
      if (this.#run !== undefined) this.#gathering.ignore('run whose end is not known');
      return;
    }
    const name = idOf(own.instance_id) ?? issueOf(rowOf(own.issue));
    const metadata = rowOf(own.metadata);
    this.#gathering.add({
      task: AGENT_RUN,
      id: this.#runId(name),
      success,
      atMs: this.#lastMs,
      session: this.#run ?? name,
      model: textOf(rowOf(metadata.llm_config).model),
      tokens: tokensOf(rowOf(rowOf(own.metrics).accumulated_token_usage)),
      costUsd: numberOf(rowOf(own.metrics).accumulated_cost) || undefined,
      error: success ? undefined : error,
      actual: success ? undefined : textOf(own.result_explanation),
      issues: success || error !== undefined ? undefined : ['wrong_output'],
      tags: typeof resolved === 'boolean' || !success ? undefined : ['handed-in'],
      context: name === undefined ? undefined : { instance: name },
    });
  }

  #event(event: Row, place: Place): void {
    const atMs = timeOf(event.timestamp);
    this.#lastMs = atMs ?? this.#lastMs;
    this.#run ??= this.#gathering.key(place.digest());
    const kind = textOf(event.kind);
    if (kind !== undefined) this.#newEvent(kind, event, atMs);
    else if (textOf(event.observation) !== undefined) this.#observation(event, atMs);
    else if (textOf(event.action) !== undefined) this.#action(event, atMs);
  }

  #action(event: Row, atMs: number | undefined): void {
    const action = String(event.action);
    if (action === 'finish') this.#finished = !/^false$/i.test(String(rowOf(event.args).task_completed ?? 'true'));
    if (action === 'reject') this.#finished = false;
    if (NO_TASKS.has(action) || action === 'finish' || action === 'reject' || event.source === 'user') return;
    const call = rowOf(event.tool_call_metadata);
    const name = textOf(call.function_name) ?? action;
    this.#open(idOf(event.id) ?? '', { name, atMs, model: textOf(rowOf(call.model_response).model) });
  }

  #open(id: string, action: Action): void {
    this.#actions.set(id, action);
    if (this.#actions.size > MAX_OPEN) this.#actions.delete(this.#actions.keys().next().value ?? '');
  }

  #observation(event: Row, atMs: number | undefined): void {
    const observation = String(event.observation);
    const extras = rowOf(event.extras);
    if (observation === 'agent_state_changed') {
      if (extras.agent_state === 'error') this.#failure = textOf(extras.reason) ?? 'the agent stopped with an error';
      return;
    }
    const cause = idOf(event.cause);
    const action = cause === undefined ? undefined : this.#actions.get(cause);
    if (cause !== undefined) this.#actions.delete(cause);
    if (observation === 'user_rejected') {
      this.#gathering.ignore('rejected by a person');
      return;
    }
    if (action === undefined && observation !== 'error') return;
    const content = contentText(event.content);
    const code = numberOf(rowOf(extras.metadata).exit_code) ?? numberOf(extras.exit_code);
    const failed = observation === 'error' || (code !== undefined && code !== 0) || extras.error === true;
    this.#add(
      action ?? { name: 'action', atMs, model: undefined },
      idOf(event.id) ?? cause ?? '',
      atMs,
      failed ? errorOf(content, code, event) : undefined,
    );
  }

  /** Reads an event of the SDK that followed version 0. */
  #newEvent(kind: string, event: Row, atMs: number | undefined): void {
    const id = textOf(event.tool_call_id) ?? idOf(event.action_id) ?? '';
    if (kind === 'ActionEvent') {
      const name = textOf(event.tool_name) ?? 'unknown tool';
      if (name === 'finish') this.#finished = true;
      if (name !== 'finish' && name !== 'think') this.#open(id, { name, atMs, model: undefined });
    } else if (kind === 'ConversationErrorEvent') {
      this.#failure = textOf(event.detail) ?? textOf(event.code) ?? 'the conversation ended with an error';
    } else if (kind === 'UserRejectObservation') {
      this.#actions.delete(id);
      this.#gathering.ignore('rejected by a person');
    } else if (kind === 'ObservationEvent' || kind === 'AgentErrorEvent') {
      const action = this.#actions.get(id);
      this.#actions.delete(id);
      if (action === undefined) return;
      const observation = rowOf(event.observation);
      const code = numberOf(observation.exit_code) ?? numberOf(rowOf(observation.metadata).exit_code);
      const failed = kind === 'AgentErrorEvent' || observation.is_error === true || (code !== undefined && code !== 0);
      const content = textOf(event.error) ?? contentText(observation.content ?? observation.output);
      this.#add(action, idOf(event.id) ?? id, atMs, failed ? errorOf(content, code, event) : undefined);
    }
  }

  #add({ name, atMs: startMs, model }: Action, own: string, atMs: number | undefined, error: object | undefined): void {
    this.#gathering.add({
      task: name,
      id: timedId(atMs, `${this.#run}-${own}`),
      success: error === undefined,
      tool: name,
      atMs,
      session: this.#run,
      parent: this.#runId(idOf(this.#own.instance_id)),
      model,
      durationMs: between(startMs, atMs),
      error,
    });
  }

  #runId(name: string | undefined): string {
    return timedId(undefined, `${this.#run ?? this.#gathering.key(name ?? '')}-run`);
  }
}

/** Keys that are read from a document besides its events; the rest, such as patches, is dropped. */
const WANTED: ReadonlySet<string> = new Set(
  'instance_id issue success result_explanation test_result error metrics metadata report resolved id timestamp source action args observation content extras cause message tool_call_metadata kind tool_name tool_call_id action_id'.split(
    ' ',
  ),
);

/** Returns `owner/repository#number`, as given to the resolver. */
function issueOf({ owner, repo, number }: Row): string | undefined {
  const id = idOf(number);
  return id === undefined ? undefined : `${[owner, repo].filter((part) => typeof part === 'string').join('/')}#${id}`;
}

/** Returns the tokens used. Prompt tokens include those read from the cache. */
function tokensOf(usage: Row) {
  const input = numberOf(usage.prompt_tokens);
  const output = numberOf(usage.completion_tokens);
  if (input === undefined && output === undefined) return undefined;
  return tokenUse(input ?? 0, output ?? 0, numberOf(usage.cache_read_tokens));
}

function errorOf(content: string, code: number | undefined, event: Row): object {
  if (code === -1) return { message: tellingPart(content) || 'the command did not end in time', name: 'TimeoutError' };
  if (code !== undefined && code !== 0) {
    const read = readToolError(`Exit code ${code}\n${content}`);
    if (read.kind === 'failure') return read.error;
  }
  const name = textOf(rowOf(event.extras).error_id);
  return { message: tellingPart(content.trim()) || 'failed without a message', ...(name !== undefined && { name }) };
}
