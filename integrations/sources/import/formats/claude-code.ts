import type { TokenUse } from 'rsi-loop';
import { BoundedMap } from 'rsi-loop/kit';
import { RecentIds } from '../../recent-ids.js';
import { timedId } from '../../timed-id.js';
import { Course, type CourseCall, courseCall } from '../course.js';
import {
  between,
  contentText,
  isRow,
  nonEmptyText,
  numberOf,
  projectOf,
  type Row,
  rowsOf,
  timeOf,
  tokenUse,
} from '../import-fields.js';
import type { InputHead } from '../importer.js';
import type { Piece } from '../open-piece.js';
import { AGENT_RUN, type Facts, MODEL_CALL, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import { parseLine } from '../split-lines.js';
import { EXIT_CODE_LOST, readToolError, type ToolError } from '../tool-error.js';
import { unmarkedFailure } from '../unmarked.js';

/** Maximum number of open calls. The result of older ones never comes, because the session ended. */
const MAX_OPEN = 2_000;
const MAX_OPEN_ANSWERS = 64;
const MAX_SEEN_ANSWERS = 4_000;

/**
 * Importer for session transcripts of Claude Code (`~/.claude/projects/<project>/<session>.jsonl`), and for its output
 * with `--output-format stream-json`.
 */
export const claudeCode = documentImporter({
  name: 'claude-code',
  title: 'session transcripts of Claude Code (.jsonl)',
  detect: isTranscript,
  open: (found) => new Session(found),
});

const TYPES = 'user|assistant|system|progress|file-history-snapshot|summary|queue-operation';
const TYPE = new RegExp(`"type":\\s?"(?:${TYPES})"`);
const SESSION = /"(?:sessionId|messageId|leafUuid|session_id)"/;

function isTranscript({ text }: InputHead): boolean {
  for (const line of text.split('\n').slice(0, 50)) {
    if (!line.startsWith('{') || !SESSION.test(line) || !TYPE.test(line)) continue;
    // Other agents write both keys inside the messages of one document; in this format they belong to the line. The
    // last line may be torn.
    const parsed = parseLine({ number: 1, bytes: Buffer.from(line) });
    if (parsed.kind !== 'object' || TYPES.split('|').includes(String(parsed.value.type))) return true;
  }
  return false;
}

interface Call {
  readonly name: string;
  readonly atMs: number | undefined;
  readonly model: string | undefined;
  readonly agent: string;
  readonly input: CourseCall;
}

/** Model answer, written as one line per block. Its usage is on each line, and complete on the last. */
interface Answer {
  readonly id: string;
  readonly row: Row;
  readonly model: string | undefined;
  readonly atMs: number | undefined;
  readonly tokens: TokenUse | undefined;
}

/** Follows one transcript from its calls to their results. */
class Session implements DocumentReader {
  readonly #calls = new BoundedMap<Call>(MAX_OPEN);
  readonly #answers = new BoundedMap<Answer>(MAX_OPEN_ANSWERS);
  readonly #ended = new RecentIds(MAX_SEEN_ANSWERS);
  readonly #course = new Course();

  constructor(private readonly found: OutcomeCollector) {}

  /** Progress, snapshots and plain prompts are most of a transcript. */
  skips({ bytes, cutFrom }: Piece): boolean {
    const looksWhole = bytes[0] === 0x7b /* { */ && bytes[bytes.length - 1] === 0x7d; /* } */
    return looksWhole && cutFrom === undefined && MARKS.every((mark) => !bytes.includes(mark));
  }

  row(row: Row, place: Place): boolean {
    const { type, message } = row;
    if (type === 'result') this.#runEnd(row);
    if (isRow(message) && type === 'assistant') this.#answer(row, message, place);
    if (isRow(message) && type === 'user') this.#results(row, message);
    return true;
  }

  end(): void {
    for (const answer of this.#answers.values()) this.#addAnswer(answer);
  }

  #answer(row: Row, message: Row, place: Place): void {
    const model = nonEmptyText(message.model);
    const atMs = timeOf(row.timestamp);
    if (row.isApiErrorMessage === true) {
      const error = contentText(message.content) || 'API error';
      this.#add(row, MODEL_CALL, `api-${nonEmptyText(row.uuid) ?? place.line}`, { success: false, atMs, error });
      return;
    }
    for (const block of rowsOf(message.content)) {
      const id = nonEmptyText(block.id);
      if (block.type !== 'tool_use' || id === undefined) continue;
      const name = nonEmptyText(block.name) ?? 'unknown tool';
      this.#calls.put(id, { name, atMs, model, agent: agentOf(row), input: courseCall(name, block.input) });
    }
    this.#count(row, message, model, atMs);
  }

  /** Counts a model answer once, for any number of lines it was written in. */
  #count(row: Row, message: Row, model: string | undefined, atMs: number | undefined): void {
    const id = nonEmptyText(message.id);
    if (id === undefined || model === '<synthetic>' || this.#ended.get(id) !== undefined) return;
    const tokens = tokensOf(message.usage);
    const known = this.#answers.get(id);
    if (known) {
      const isNewer = tokens !== undefined && tokens.output >= (known.tokens?.output ?? 0);
      this.#answers.set(id, { ...known, atMs: atMs ?? known.atMs, tokens: isNewer ? tokens : known.tokens });
      return;
    }
    const oldest = this.#answers.put(id, { id, row, model, atMs, tokens });
    if (oldest) this.#addAnswer(oldest);
  }

  #addAnswer({ id, row, atMs, model, tokens }: Answer): void {
    this.#ended.add(id);
    this.#add(row, MODEL_CALL, id, { success: true, atMs, model, tokens });
  }

  #results(row: Row, message: Row): void {
    for (const block of rowsOf(message.content)) {
      const id = nonEmptyText(block.tool_use_id);
      if (block.type !== 'tool_result' || id === undefined) continue;
      const call = this.#calls.take(id);
      // The result is written twice, or the line of its call is lost, so its tool is unknown.
      if (call === undefined) this.found.ignore('result without its call');
      else this.#result(row, id, call, block);
    }
  }

  #result(row: Row, id: string, { name, atMs: startMs, model, agent, input }: Call, block: Row): void {
    const detail = row.toolUseResult;
    const failed = block.is_error === true;
    if (!failed && isRow(detail) && detail.interrupted === true) {
      this.found.ignore('interrupted by a person');
      return;
    }
    const said = contentText(block.content) || (nonEmptyText(detail) ?? '');
    const error = failed ? readToolError(said) : unmarked(input, said);
    const message = error?.kind === 'failure' ? error.error.message : undefined;
    if (message !== undefined && Course.isWanted(input, message)) this.found.ignore('meant to fail');
    else {
      const atMs = timeOf(row.timestamp);
      const durationMs = between(startMs, atMs);
      const facts = { agent, session: sessionOf(row), context: contextOf(row), atMs, model, durationMs };
      const fact = message === undefined ? undefined : this.#course.factOf(input, message);
      this.found.addCall(
        name,
        timedId(atMs, id),
        { ...facts, ...(fact !== undefined && { tags: [`course:${fact}`] }) },
        error,
      );
    }
    this.#course.add(input, said, failed);
  }

  /** Handles the end of a run, printed only by runs without a terminal; transcripts have none. */
  #runEnd(row: Row): void {
    const failed = row.is_error === true || (nonEmptyText(row.subtype) ?? 'success') !== 'success';
    this.#add(row, AGENT_RUN, `run-${nonEmptyText(row.uuid) ?? nonEmptyText(row.session_id) ?? ''}`, {
      success: !failed,
      durationMs: numberOf(row.duration_ms),
      costUsd: numberOf(row.total_cost_usd),
      error: failed ? (nonEmptyText(row.result) ?? `ended with ${nonEmptyText(row.subtype) ?? 'an error'}`) : undefined,
    });
  }

  #add(row: Row, task: string, own: string, facts: Facts): void {
    const about = { agent: agentOf(row), session: sessionOf(row), context: contextOf(row) };
    this.found.add(task, timedId(facts.atMs, own), Object.assign(about, facts));
  }
}

/** Returns the failure of a run whose exit code was lost in a filter. */
function unmarked({ command }: CourseCall, output: string): ToolError | undefined {
  const message = command === undefined ? undefined : unmarkedFailure(command, output);
  return message === undefined ? undefined : { kind: 'failure', error: { message, name: EXIT_CODE_LOST } };
}

/** Marks of lines that hold a result, an answer, or the end of a run. */
const MARKS = ['"tool_result"', '"assistant"', '"type":"result"'].map((mark) => Buffer.from(mark));

function sessionOf(row: Row): string | undefined {
  return nonEmptyText(row.sessionId) ?? nonEmptyText(row.session_id);
}

function contextOf({ cwd }: Row): Facts['context'] {
  const project = projectOf(cwd);
  return project === undefined ? undefined : { project };
}

/** Returns the calling agent: the main one, or one that it started. */
function agentOf(row: Row): string {
  return nonEmptyText(row.attributionAgent) ?? (row.isSidechain === true ? 'sidechain' : 'main');
}

/** Returns the tokens used. Input includes what was read from the cache or written to it. */
function tokensOf(usage: unknown): TokenUse | undefined {
  if (!isRow(usage)) return undefined;
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : 0);
  const input = count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens');
  return tokenUse(input, count('output_tokens'), count('cache_read_input_tokens'));
}
