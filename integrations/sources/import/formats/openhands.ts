import { BoundedMap } from 'rsi-loop/kit';
import { timedId } from '../../timed-id.js';
import {
  between,
  contentText,
  idOf,
  isRow,
  nonEmptyText,
  numberOf,
  type Row,
  rowOf,
  timeOf,
  tokenUse,
} from '../import-fields.js';
import type { InputHead } from '../importer.js';
import { AGENT_RUN, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import { exitError, failure, type ToolError, tellingPart } from '../tool-error.js';

const MAX_OPEN = 2_000;

/**
 * Importer for events of OpenHands: a trajectory (a list), `output.jsonl` of its benchmarks and its resolver, or one
 * event per file or line.
 */
export const openHands = documentImporter({
  name: 'openhands',
  title: 'trajectories of OpenHands (events, output.jsonl)',
  detect: ({ text }: InputHead) =>
    (/"(?:observation|action)"\s*:\s*"/.test(text) && /"source"\s*:\s*"(?:agent|user|environment)"/.test(text)) ||
    /"kind"\s*:\s*"(?:ActionEvent|ObservationEvent|AgentErrorEvent|MessageEvent|SystemPromptEvent)"/.test(text) ||
    (/"instance_id"\s*:/.test(text) && /"test_result"\s*:/.test(text)) ||
    (/"git_patch"\s*:/.test(text) && /"(?:result_explanation|comment_success)"\s*:/.test(text)),
  open: (found) => new Events(found),
});

interface Action {
  readonly name: string;
  readonly atMs: number | undefined;
  readonly model?: string | undefined;
}

/** Actions without an external effect, so they have no result that could fail. */
const NO_TASKS: ReadonlySet<string> = new Set(
  'message system think recall change_agent_state condensation null finish reject'.split(' '),
);

class Events implements DocumentReader {
  #run: string | undefined;
  readonly #actions = new BoundedMap<Action>(MAX_OPEN);
  /** Members of a line of `output.jsonl`, or of an event in its own file. */
  readonly #own: Record<string, unknown> = {};
  #finished: boolean | undefined;
  #lastMs: number | undefined;
  #failure: string | undefined;

  constructor(private readonly found: OutcomeCollector) {}

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === undefined || key === 'history') {
      // Older histories are pairs of an action and its result.
      for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
        if (isRow(each)) this.#event(each, place);
        else this.found.reject('an event is not an object', place.line);
      }
    } else if (WANTED.has(key)) this.#own[key] = value;
  }

  row(row: Row, place: Place): boolean {
    if (row.history !== undefined || row.test_result !== undefined || row.git_patch !== undefined) return false;
    this.#event(row, place);
    return true;
  }

  end(): void {
    const own = this.#own;
    if (own.source !== undefined && own.id !== undefined) {
      this.#event(own, { line: 1, digest: () => this.found.key() });
    } else this.#end(own);
    if (this.#actions.size > 0) this.found.ignore('action without an observation');
  }

  #end(own: Row): void {
    const resolved = resolvedOf(own);
    const error = nonEmptyText(own.error) ?? this.#failure;
    const success = resolved ?? (error === undefined ? this.#finished : false);
    if (success === undefined) {
      if (this.#run !== undefined) this.found.ignore('run whose end is not known');
      return;
    }
    const name = idOf(own.instance_id) ?? issueOf(rowOf(own.issue));
    const metrics = rowOf(own.metrics);
    this.found.add(AGENT_RUN, this.#runId(name), {
      success,
      atMs: this.#lastMs,
      session: this.#run ?? name,
      model: nonEmptyText(rowOf(rowOf(own.metadata).llm_config).model),
      tokens: tokensOf(rowOf(metrics.accumulated_token_usage)),
      costUsd: numberOf(metrics.accumulated_cost) || undefined,
      context: name === undefined ? undefined : { instance: name },
      ...(success
        ? { tags: resolved === undefined ? ['handed-in'] : undefined }
        : {
            error,
            actual: nonEmptyText(own.result_explanation),
            issues: error === undefined ? ['wrong_output'] : undefined,
          }),
    });
  }

  #event(event: Row, place: Place): void {
    const atMs = timeOf(event.timestamp);
    this.#lastMs = atMs ?? this.#lastMs;
    this.#run ??= this.found.key(place.digest());
    if (nonEmptyText(event.kind) !== undefined) this.#kitEvent(event, atMs);
    else if (nonEmptyText(event.observation) !== undefined) this.#observation(event, atMs);
    else if (nonEmptyText(event.action) !== undefined) this.#action(event, atMs);
  }

  #action(event: Row, atMs: number | undefined): void {
    const action = String(event.action);
    if (action === 'finish') this.#finished = !/^false$/i.test(String(rowOf(event.args).task_completed ?? 'true'));
    if (action === 'reject') this.#finished = false;
    if (NO_TASKS.has(action) || event.source === 'user') return;
    const call = rowOf(event.tool_call_metadata);
    const name = nonEmptyText(call.function_name) ?? action;
    this.#actions.put(idOf(event.id) ?? '', { name, atMs, model: nonEmptyText(rowOf(call.model_response).model) });
  }

  #observation(event: Row, atMs: number | undefined): void {
    const extras = rowOf(event.extras);
    const cause = idOf(event.cause) ?? '';
    const isError = event.observation === 'error';
    if (event.observation === 'agent_state_changed') {
      if (extras.agent_state === 'error')
        this.#failure = nonEmptyText(extras.reason) ?? 'the agent stopped with an error';
      return;
    }
    const action = this.#actions.take(cause) ?? (isError ? { name: 'action', atMs } : undefined);
    if (event.observation === 'user_rejected') this.found.ignore('rejected by a person');
    else if (action) {
      const code = codeOf(extras);
      const own = idOf(event.id) ?? cause;
      this.#add(action, own, atMs, errorOf(isError || extras.error === true, code, contentText(event.content), extras));
    }
  }

  /** Reads an event of the SDK that followed version 0. */
  #kitEvent(event: Row, atMs: number | undefined): void {
    const id = nonEmptyText(event.tool_call_id) ?? idOf(event.action_id) ?? '';
    switch (event.kind) {
      case 'ActionEvent': {
        const name = nonEmptyText(event.tool_name) ?? 'unknown tool';
        if (name === 'finish') this.#finished = true;
        else if (name !== 'think') this.#actions.put(id, { name, atMs });
        break;
      }
      case 'ConversationErrorEvent':
        this.#failure =
          nonEmptyText(event.detail) ?? nonEmptyText(event.code) ?? 'the conversation ended with an error';
        break;
      case 'UserRejectObservation':
        this.#actions.delete(id);
        this.found.ignore('rejected by a person');
        break;
      case 'ObservationEvent':
      case 'AgentErrorEvent': {
        const action = this.#actions.take(id);
        const observation = rowOf(event.observation);
        const failed = event.kind === 'AgentErrorEvent' || observation.is_error === true;
        const said = nonEmptyText(event.error) ?? contentText(observation.content ?? observation.output);
        if (action) this.#add(action, idOf(event.id) ?? id, atMs, errorOf(failed, codeOf(observation), said, {}));
        break;
      }
      default: // messages and settings
    }
  }

  #add({ name, atMs: startMs, model }: Action, own: string, atMs: number | undefined, error?: ToolError): void {
    this.found.addCall(
      name,
      timedId(atMs, `${this.#run}-${own}`),
      {
        atMs,
        session: this.#run,
        parent: this.#runId(idOf(this.#own.instance_id)),
        model,
        durationMs: between(startMs, atMs),
      },
      error,
    );
  }

  #runId(name: string | undefined): string {
    return timedId(undefined, `${this.#run ?? this.found.key(name ?? '')}-run`);
  }
}

/** Returns whether the tests, or the resolver, found the work right; undefined if neither did. */
function resolvedOf({ report, test_result, resolved, success }: Row): boolean | undefined {
  const result = rowOf(test_result);
  const found = rowOf(report).resolved ?? rowOf(result.report).resolved ?? result.resolved ?? resolved ?? success;
  return typeof found === 'boolean' ? found : undefined;
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
  return tokenUse(numberOf(usage.prompt_tokens), numberOf(usage.completion_tokens), numberOf(usage.cache_read_tokens));
}

/** Reads an exit code, whose place has changed between versions. */
function codeOf(holder: Row): number | undefined {
  return numberOf(rowOf(holder.metadata).exit_code) ?? numberOf(holder.exit_code);
}

/** Returns the error of an observation; undefined if it shows no failure. */
function errorOf(failed: boolean, code: number | undefined, said: string, extras: Row): ToolError | undefined {
  if (code === -1) return failure(tellingPart(said) || 'the command did not end in time', { name: 'TimeoutError' });
  if (code !== undefined && code !== 0) return exitError(code, said);
  const name = nonEmptyText(extras.error_id);
  return failed ? failure(tellingPart(said.trim()), name === undefined ? {} : { name }) : undefined;
}
