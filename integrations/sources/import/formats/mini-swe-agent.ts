import { contentText, isRow, numberOf, type Row, rowOf, rowsOf, textOf, timeOf } from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { AGENT_RUN, MODEL_CALL, OutcomeCollector, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { readRunEnd } from '../run-end.js';
import { readToolError } from '../tool-error.js';

const SOURCE = 'mini-swe-agent';
const SUBMITS = /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT/;

/**
 * Importer for trajectories of mini-swe-agent (`*.traj.json`): messages with the facts of the run, or the messages
 * alone.
 */
export const miniSweAgent: Importer = {
  name: SOURCE,
  title: 'trajectories of mini-swe-agent (.traj.json)',
  detect: ({ text }: InputHead) =>
    /"(?:mini_version|trajectory_format)"\s*:/.test(text) ||
    (/^\s*(?:\[|\{[\s\S]*"messages"\s*:\s*\[)\s*\{\s*"role"\s*:/.test(text) &&
      (SUBMITS.test(text) || /mswea_bash_command|<returncode>/.test(text))),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Messages(gathering));
  },
};

class Messages implements DocumentReader {
  readonly #gathering: OutcomeCollector;
  #run: string | undefined;
  #info: Row = {};
  #count = 0;
  /** Answer that the next message reacts to. */
  #answer: { readonly submits: boolean; readonly atMs: number | undefined } | undefined;
  #submitted = false;
  #exit: string | undefined;
  #lastMs: number | undefined;

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'info') this.#info = rowOf(value);
    if (key !== undefined && key !== 'messages') return;
    if (isRow(value)) this.#message(value, place);
    else this.#gathering.reject('a message is not an object', place.line);
  }

  end(): void {
    if (this.#run !== undefined) this.#end(this.#run);
    this.#run = undefined;
    this.#info = {};
    this.#count = 0;
    this.#answer = undefined;
    this.#submitted = false;
    this.#exit = undefined;
    this.#lastMs = undefined;
  }

  #end(run: string): void {
    const status = textOf(this.#info.exit_status) ?? this.#exit ?? (this.#submitted ? 'Submitted' : undefined);
    if (status === undefined) {
      this.#gathering.ignore('run whose end is not known');
      return;
    }
    this.#gathering.add({
      task: AGENT_RUN,
      id: timedId(undefined, `${run}-run`),
      session: run,
      atMs: this.#lastMs,
      model: this.#model,
      costUsd: numberOf(rowOf(this.#info.model_stats).instance_cost) || undefined,
      ...readRunEnd(status),
    });
  }

  #message(message: Row, place: Place): void {
    const extra = rowOf(message.extra);
    const atMs = timeOf(extra.timestamp) ?? timeOf(message.timestamp);
    this.#lastMs = atMs ?? this.#lastMs;
    if (message.role === 'exit') {
      this.#exit = textOf(extra.exit_status) ?? this.#exit;
      return;
    }
    if (message.role === 'assistant') {
      this.#run ??= this.#gathering.key(place.digest());
      const said = `${contentText(message.content)}\n${rowsOf(extra.actions)
        .map((action) => textOf(action.command) ?? '')
        .join('\n')}`;
      this.#answer = { submits: SUBMITS.test(said), atMs };
      return;
    }
    if (this.#answer === undefined || (message.role !== 'user' && message.role !== 'tool')) return;
    const { submits, atMs: startMs } = this.#answer;
    this.#count++;
    this.#reaction(message, { submits, startMs, atMs });
    // Several calls in one answer are followed by several results.
    if (message.role === 'user') this.#answer = undefined;
  }

  #reaction(
    message: Row,
    { submits, startMs, atMs }: { submits: boolean; startMs?: number | undefined; atMs?: number | undefined },
  ): void {
    const text = contentText(message.content);
    const extra = rowOf(message.extra);
    if (FORMAT_ERROR.test(text)) {
      this.#add(MODEL_CALL, {
        success: false,
        error: { message: firstLine(text), name: 'FormatError' },
        issues: ['parse_error'],
        atMs,
      });
      return;
    }
    const code =
      numberOf(extra.returncode) ??
      numberOf(/<returncode>\s*(-?\d+)/.exec(text)?.[1]) ??
      numberOf(/\[exit code (-?\d+)\]\s*$/.exec(text.slice(-200))?.[1]) ??
      numberOf(jsonMember(text, 'returncode'));
    const timedOut = TIMED_OUT.test(text);
    if (code === undefined && !timedOut && !submits) {
      this.#gathering.ignore('message of a person');
      return;
    }
    if (submits && (code ?? 0) === 0) this.#submitted = true;
    const failed = timedOut || (code !== undefined && code !== 0);
    const result = failed ? failureOf(text, timedOut ? undefined : code) : undefined;
    this.#add('bash', {
      tool: 'bash',
      success: !failed,
      atMs,
      durationMs: atMs !== undefined && startMs !== undefined && atMs >= startMs ? atMs - startMs : undefined,
      error: result,
    });
  }

  #add(task: string, found: Omit<Parameters<OutcomeCollector['add']>[0], 'task' | 'id'>): void {
    const run = this.#run ?? 'run';
    const id = timedId(undefined, `${run}-${this.#count}`);
    const parent = timedId(undefined, `${run}-run`);
    this.#gathering.add({ ...found, task, id, parent, session: run, model: this.#model });
  }

  /** Model of the run; known only if the facts of the run come before its messages. */
  get #model(): string | undefined {
    const model = rowOf(rowOf(this.#info.config).model);
    return textOf(model.model_name) ?? textOf(rowOf(this.#info.model_stats).model_name);
  }
}

const FORMAT_ERROR =
  /^(?:Please always provide EXACTLY ONE action|Format error|.{0,80}No tool calls found|Tool call error)/i;
const TIMED_OUT = /^The last command\b[\s\S]{0,2000}timed out and has been killed|<exception>[\s\S]{0,200}timed out/;

function failureOf(text: string, code: number | undefined): unknown {
  const from = text.indexOf('<output>');
  const to = text.lastIndexOf('</output>');
  const output = from < 0 ? text : text.slice(from + '<output>'.length, to < from ? undefined : to).trim();
  if (code === undefined) return { message: 'the command timed out and was killed', name: 'TimeoutError' };
  const read = readToolError(`Exit code ${code}\n${output}`);
  return read.kind === 'failure' ? read.error : read.reason;
}

function jsonMember(text: string, name: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return rowOf(JSON.parse(text))[name];
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
