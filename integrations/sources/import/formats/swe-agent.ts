import type { Issue } from 'rsi-loop';
import { timedId } from '../../timed-id.js';
import {
  contentText,
  isRow,
  jsonOf,
  nonEmptyText,
  numberOf,
  type Row,
  rowOf,
  secondsOf,
  tokenUse,
} from '../import-fields.js';
import type { InputHead } from '../importer.js';
import { AGENT_RUN, type Facts, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import { findStepError } from '../step-output.js';

/** Importer for trajectories of SWE-agent: `trajectories/**\/*.traj`. */
export const sweAgent = documentImporter({
  name: 'swe-agent',
  title: 'trajectories of SWE-agent (.traj)',
  detect: ({ path, text }: InputHead) =>
    (/"trajectory"\s*:\s*\[/.test(text) && /"(?:observation|action)"\s*:/.test(text)) ||
    (/\.traj$/.test(path) && /"history"\s*:\s*\[/.test(text)),
  open: (found) => new Trajectory(found),
});

class Trajectory implements DocumentReader {
  /** Name of the run, made from its first step, which distinguishes it from others. */
  #run: string | undefined;
  #steps = 0;
  #info: Row = {};
  #model: string | undefined;
  #hasTrajectory = false;
  /** Action that the next message answers. */
  #answer: { readonly action: unknown; readonly place: Place } | undefined;

  constructor(private readonly found: OutcomeCollector) {}

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'info') this.#info = rowOf(value);
    if (key === 'replay_config') this.#model = modelOf(value);
    if (key === 'trajectory') {
      this.#hasTrajectory = true;
      if (isRow(value)) this.#step(value, place);
      else this.found.reject('a step is not an object', place.line);
    }
    if (key === 'history' && !this.#hasTrajectory) this.#message(rowOf(value), place);
  }

  /** Reads a message of a history, which holds the steps of a file without a trajectory. */
  #message({ role, action, content, is_demo: isDemo }: Row, place: Place): void {
    // A demonstration at the beginning is not part of this run.
    if (isDemo === true) return;
    const answered = this.#answer;
    if (role === 'assistant') this.#answer = nonEmptyText(action) === undefined ? undefined : { action, place };
    if (answered === undefined || (role !== 'tool' && role !== 'user')) return;
    this.#answer = undefined;
    this.#step({ action: answered.action, observation: content }, answered.place);
  }

  end(): void {
    const { exit_status: status } = this.#info;
    if (this.#run === undefined) return;
    if (status === undefined || status === null) {
      this.found.ignore('run whose end is not known');
      return;
    }
    const { tokens_sent: input, tokens_received: output, instance_cost: cost } = rowOf(this.#info.model_stats);
    this.found.add(AGENT_RUN, this.#runId, {
      session: this.#run,
      model: this.#model,
      tokens: tokenUse(numberOf(input) || undefined, numberOf(output) || undefined),
      costUsd: numberOf(cost) || undefined,
      ...endOf(String(status)),
    });
  }

  #step(step: Row, place: Place): void {
    this.#run ??= this.found.key(place.digest());
    const index = ++this.#steps;
    const action = nonEmptyText(step.action)?.trim();
    if (action === undefined) {
      this.found.ignore('step without an action');
      return;
    }
    const tool = commandOf(action);
    const error = findStepError(contentText(step.observation), SHOWS.has(tool));
    this.found.add(tool, timedId(undefined, `${this.#run}-${index}`), {
      success: error === undefined,
      tool,
      session: this.#run,
      parent: this.#runId,
      model: this.#model,
      durationMs: secondsOf(step.execution_time),
      error,
    });
  }

  get #runId(): string {
    return timedId(undefined, `${this.#run}-run`);
  }
}

const REASONS: readonly (readonly [RegExp, Issue])[] = [
  [/context/i, 'context_length'],
  [/cost|limitsexceeded|step_?limit|call_?limit/i, 'cost_overrun'],
  [/format/i, 'parse_error'],
  [/time_?out|execution_time/i, 'timeout'],
  [/api|service|model/i, 'server_error'],
  [/environment|sandbox|docker/i, 'resource_exhausted'],
  [/forfeit|skipped|early|incomplete/i, 'incomplete_task'],
  [/interrupt|cancel/i, 'cancelled'],
];

/**
 * Reads an `exit_status`. `submitted` means handed in, which is all that such a file knows. Only the tests of the
 * benchmark show whether the result is right. `submitted (exit_cost)` was handed in for the agent after it reached a
 * limit.
 */
function endOf(status: string): Facts {
  if (/^submitted$/i.test(status)) return { success: true, tags: ['handed-in'] };
  const issue = REASONS.find(([pattern]) => pattern.test(status))?.[1];
  const error = { message: `the run ended with ${status}`, code: status };
  return { success: false, error, issues: issue && [issue] };
}

/** Commands that SWE-agent provides to its agents; any other command belongs to the shell. */
const COMMANDS: ReadonlySet<string> = new Set(
  (
    'open goto scroll_up scroll_down create edit insert append search_dir search_file find_file submit str_replace_editor view undo_edit ' +
    'filemap view_image open_site close_site click_mouse type_text press_keys_on_page execute_script_on_page set_browser_window_size ' +
    'connect_start connect_sendline connect_stop debug_start debug_add_breakpoint debug_continue debug_step debug_exec debug_stop ' +
    'decompile disassemble exit_cost exit_forfeit think image_view review_on_submit'
  ).split(' '),
);
/** Commands that print the content of files. */
const SHOWS: ReadonlySet<string> = new Set('open goto scroll_up scroll_down view search_dir search_file'.split(' '));

function commandOf(action: string): string {
  const word = /^[a-z_]+/.exec(action)?.[0] ?? '';
  return COMMANDS.has(word) ? word : 'bash';
}

function modelOf(config: unknown): string | undefined {
  const value = typeof config === 'string' ? jsonOf(config) : config;
  const model = rowOf(rowOf(rowOf(value).agent).model);
  return nonEmptyText(model.name) ?? nonEmptyText(model.model_name);
}
