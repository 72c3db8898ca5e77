import { contentText, idOf, isRow, numberOf, type Row, rowOf, rowsOf, textOf } from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { AGENT_RUN, OutcomeCollector, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { readRunEnd } from '../run-end.js';
import { findStepError } from '../step-output.js';

const SOURCE = 'swe-agent';

/** Importer for trajectories of SWE-agent: `trajectories/**\/*.traj`. */
export const sweAgent: Importer = {
  name: SOURCE,
  title: 'trajectories of SWE-agent (.traj)',
  detect: ({ path, text }: InputHead) =>
    (/"trajectory"\s*:\s*\[/.test(text) && /"(?:observation|action)"\s*:/.test(text)) ||
    (/\.traj$/.test(path) && /"history"\s*:\s*\[/.test(text)),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Trajectory(gathering));
  },
};

class Trajectory implements DocumentReader {
  readonly #gathering: OutcomeCollector;
  /** Name of the run, made from its first step, which distinguishes it from others. */
  #run: string | undefined;
  #steps = 0;
  #info: Row = {};
  #model: string | undefined;
  #sawTrajectory = false;
  /** Action that the next message answers, in a history without a trajectory. */
  #action: { readonly name: string; readonly index: number } | undefined;
  readonly #openCalls = new Map<string, string>();

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    switch (key) {
      case 'trajectory':
        this.#sawTrajectory = true;
        if (isRow(value)) this.#step(value, place);
        else this.#gathering.reject('a step is not an object', place.line);
        break;
      case 'history':
        if (!this.#sawTrajectory && isRow(value)) this.#message(value, place);
        break;
      case 'info':
        this.#info = rowOf(value);
        break;
      case 'replay_config':
        this.#model = modelOf(value);
        break;
      default:
    }
  }

  end(): void {
    if (this.#run !== undefined) this.#end();
    this.#run = undefined;
    this.#steps = 0;
    this.#info = {};
    this.#model = undefined;
    this.#sawTrajectory = false;
    this.#action = undefined;
    this.#openCalls.clear();
  }

  #end(): void {
    const { exit_status: status } = this.#info;
    if (status === undefined || status === null) {
      this.#gathering.ignore('run whose end is not known');
      return;
    }
    const stats = rowOf(this.#info.model_stats);
    const input = numberOf(stats.tokens_sent);
    const output = numberOf(stats.tokens_received);
    this.#gathering.add({
      task: AGENT_RUN,
      id: this.#runId(),
      session: this.#run,
      model: this.#model,
      tokens: input || output ? { input: input ?? 0, output: output ?? 0 } : undefined,
      costUsd: numberOf(stats.instance_cost) || undefined,
      ...readRunEnd(String(status)),
    });
  }

  #step(step: Row, place: Place): void {
    this.#run ??= this.#gathering.key(place.digest());
    const index = ++this.#steps;
    const action = textOf(step.action)?.trim();
    if (action === undefined) {
      this.#gathering.ignore('step without an action');
      return;
    }
    const seconds = numberOf(step.execution_time);
    this.#add(
      commandOf(action),
      index,
      contentText(step.observation),
      seconds === undefined ? undefined : seconds * 1e3,
    );
  }

  #message(message: Row, place: Place): void {
    // A demonstration at the beginning is not part of this run.
    if (message.is_demo === true) return;
    if (message.role === 'assistant') {
      this.#run ??= this.#gathering.key(place.digest());
      const action = textOf(message.action)?.trim();
      this.#action = action === undefined ? undefined : { name: commandOf(action), index: ++this.#steps };
      for (const call of rowsOf(message.tool_calls)) {
        const id = idOf(call.id);
        if (id !== undefined && this.#action)
          this.#openCalls.set(id, textOf(rowOf(call.function).name) ?? 'unknown tool');
      }
      return;
    }
    if (this.#action === undefined || (message.role !== 'tool' && message.role !== 'user')) return;
    const { name, index } = this.#action;
    this.#action = undefined;
    this.#add(name, index, contentText(message.content), undefined);
  }

  #add(tool: string, index: number, observation: string, durationMs: number | undefined): void {
    const error = findStepError(observation, SHOWS.has(tool));
    this.#gathering.add({
      task: tool,
      id: timedId(undefined, `${this.#run}-${index}`),
      success: error === undefined,
      tool,
      session: this.#run,
      parent: this.#runId(),
      model: this.#model,
      durationMs,
      error,
    });
  }

  #runId(): string {
    return timedId(undefined, `${this.#run}-run`);
  }
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
const SHOWS: ReadonlySet<string> = new Set([
  'open',
  'goto',
  'scroll_up',
  'scroll_down',
  'view',
  'search_dir',
  'search_file',
]);

function commandOf(action: string): string {
  const word = /^[a-z_]+/.exec(action)?.[0] ?? '';
  return COMMANDS.has(word) ? word : 'bash';
}

function modelOf(config: unknown): string | undefined {
  const value = typeof config === 'string' ? parsed(config) : config;
  const model = rowOf(rowOf(rowOf(value).agent).model);
  return textOf(model.name) ?? textOf(model.model_name);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
