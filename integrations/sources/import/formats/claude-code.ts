import { Observer, type Outcome, type OutcomeFields, type OutcomeId, type TokenUse } from 'rsi-loop';
import { contentText, isRow, projectOf, type Row, rowsOf, textOf, timeOf, tokenUse } from '../fields.js';
import type { Batch, Importer, Input, InputHead, InputProblem } from '../importer.js';
import type { Piece } from '../open-piece.js';
import { AGENT_RUN, MODEL_CALL } from '../outcome-collector.js';
import { LineSplitter, parseLine } from '../split-lines.js';
import { readToolError, toolIssues } from '../tool-error.js';

const SOURCE = 'claude-code';
/** Maximum number of open calls. Older ones, whose result never comes because the session ended, are forgotten. */
const MAX_OPEN = 2_000;
const MAX_SEEN_MESSAGES = 2_000;

/**
 * Importer for session transcripts of Claude Code (`~/.claude/projects/<project>/<session>.jsonl`), and for its output
 * with `--output-format stream-json`.
 */
export const claudeCode: Importer = {
  name: SOURCE,
  title: 'session transcripts of Claude Code (.jsonl)',
  detect: isTranscript,
  read,
};

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

async function* read(input: Input): AsyncGenerator<Batch> {
  const splitter = new LineSplitter();
  const session = new Session(input);
  for await (const chunk of input.chunks) {
    yield session.take(splitter.push(chunk), chunk.byteLength);
  }
  yield session.finish(splitter.end());
}

interface Call {
  readonly name: string;
  readonly atMs: number | undefined;
  readonly model: string | undefined;
  readonly agent: string;
}

/** Model answer, written as one line per block. Its usage is on each line, and complete on the last. */
interface Message {
  readonly id: string;
  readonly record: Row;
  readonly model: string | undefined;
  atMs: number | undefined;
  tokens: TokenUse | undefined;
}

/** Follows one transcript from its calls to their results. */
class Session {
  private readonly input: Input;
  /** Classifies, redacts and shortens what is read here, as it does for a host's records. */
  private readonly observer = new Observer({
    clock: { now: () => this.input.atMs },
    newId: () => this.id,
    emit: (outcome) => this.keep(outcome),
    report: () => {}, // the fields are made here, of the types it takes
    source: SOURCE,
    rules: [{ id: 'claude-code.tool-use-error', category: 'validation', pattern: /tool_use_error/ }],
  });
  /** Id of the call or answer whose outcome is being built. */
  private id = '';
  private readonly calls = new Map<string, Call>();
  private readonly messages = new Map<string, Message>();
  private readonly doneMessages = new Set<string>();
  private outcomes: Outcome[] = [];
  private skipped: InputProblem[] = [];
  private leftOut: Record<string, number> = {};

  constructor(input: Input) {
    this.input = input;
  }

  take(lines: readonly Piece[], bytes: number): Batch {
    for (const line of lines) this.line(line);
    return this.batch(lines.length, bytes);
  }

  finish(lines: readonly Piece[]): Batch {
    for (const line of lines) this.line(line);
    for (const message of this.messages.values()) this.endMessage(message);
    this.messages.clear();
    return this.batch(lines.length, 0);
  }

  private batch(lines: number, bytes: number): Batch {
    const { outcomes, skipped, leftOut } = this;
    this.outcomes = [];
    this.skipped = [];
    this.leftOut = {};
    return { outcomes, skipped, leftOut, lines, bytes };
  }

  private line(line: Piece): void {
    if (isOfNoInterest(line)) return;
    const parsed = parseLine(line);
    if (parsed.kind === 'blank') return;
    if (parsed.kind === 'bad') {
      this.skipped.push({ path: this.input.path, line: line.number, reason: parsed.reason });
      return;
    }
    const row = parsed.value;
    const message = row.message;
    if (row.type === 'result') this.runEnd(row);
    if (!isRow(message)) return;
    if (row.type === 'assistant') this.answer(row, message);
    else if (row.type === 'user') this.results(row, message);
  }

  private answer(row: Row, message: Row): void {
    const model = textOf(message.model);
    const atMs = timeOf(row.timestamp);
    if (row.isApiErrorMessage === true) {
      this.add(row, MODEL_CALL, `api-${textOf(row.uuid) ?? this.outcomes.length}`, {
        success: false,
        ...(atMs !== undefined && { atMs }),
        error: contentText(message.content) || 'API error',
      });
      return;
    }
    for (const block of rowsOf(message.content)) {
      const id = textOf(block.id);
      if (block.type !== 'tool_use' || id === undefined) continue;
      this.calls.set(id, { name: textOf(block.name) ?? 'unknown tool', atMs, model, agent: agentOf(row) });
      if (this.calls.size > MAX_OPEN) this.calls.delete(this.calls.keys().next().value ?? '');
    }
    this.count(row, message, model, atMs);
  }

  /** Counts a model answer once, for any number of lines it was written in. */
  private count(row: Row, message: Row, model: string | undefined, atMs: number | undefined): void {
    const id = textOf(message.id);
    if (id === undefined || model === '<synthetic>' || this.doneMessages.has(id)) return;
    const tokens = tokensOf(message.usage);
    const known = this.messages.get(id);
    if (known) {
      known.atMs = atMs ?? known.atMs;
      if (tokens && tokens.output >= (known.tokens?.output ?? 0)) known.tokens = tokens;
      return;
    }
    this.messages.set(id, { id, record: row, model, atMs, tokens });
    if (this.messages.size <= MAX_OPEN_MESSAGES) return;
    for (const oldest of this.messages.values()) {
      this.messages.delete(oldest.id);
      this.endMessage(oldest);
      break;
    }
  }

  private endMessage({ id, record, model, atMs, tokens }: Message): void {
    this.doneMessages.add(id);
    if (this.doneMessages.size > MAX_SEEN_MESSAGES) {
      this.doneMessages.delete(this.doneMessages.values().next().value ?? '');
    }
    this.add(record, MODEL_CALL, id, {
      success: true,
      ...(atMs !== undefined && { atMs }),
      ...(model !== undefined && { model }),
      ...(tokens && { tokens }),
    });
  }

  private results(row: Row, message: Row): void {
    for (const block of rowsOf(message.content)) {
      const id = textOf(block.tool_use_id);
      if (block.type !== 'tool_result' || id === undefined) continue;
      const call = this.calls.get(id);
      this.calls.delete(id);
      if (call === undefined) {
        // The result is written twice, or the line of its call is lost, so its tool is unknown.
        this.leave('result without its call');
        continue;
      }
      this.result(row, id, call, block);
    }
  }

  private result(row: Row, id: string, call: Call, block: Row): void {
    const endMs = timeOf(row.timestamp);
    const detail = row.toolUseResult;
    const durationMs = (endMs ?? Number.NaN) - (call.atMs ?? Number.NaN);
    const common = {
      tool: call.name,
      agent: call.agent,
      ...(endMs !== undefined && { atMs: endMs }),
      ...(call.model !== undefined && { model: call.model }),
      ...(durationMs >= 0 && { durationMs }),
    };
    if (block.is_error !== true) {
      if (isRow(detail) && detail.interrupted === true) this.leave('interrupted by a person');
      else this.add(row, call.name, id, { ...common, success: true });
      return;
    }
    const failure = readToolError(contentText(block.content) || (textOf(detail) ?? ''));
    if (failure.kind === 'not-a-failure') this.leave(failure.reason);
    else this.add(row, call.name, id, { ...common, success: false, error: failure.error });
  }

  /** Handles the end of a run, printed only by runs without a terminal; transcripts have none. */
  private runEnd(row: Row): void {
    const failed = row.is_error === true || (textOf(row.subtype) ?? 'success') !== 'success';
    const durationMs = row.duration_ms;
    const costUsd = row.total_cost_usd;
    this.add(row, AGENT_RUN, `run-${textOf(row.uuid) ?? textOf(row.session_id) ?? ''}`, {
      success: !failed,
      ...(typeof durationMs === 'number' && { durationMs }),
      ...(typeof costUsd === 'number' && { costUsd }),
      ...(failed && { error: textOf(row.result) ?? `ended with ${textOf(row.subtype) ?? 'an error'}` }),
    });
  }

  private add(row: Row, task: string, id: string, fields: OutcomeFields): void {
    this.id = id;
    const session = textOf(row.sessionId) ?? textOf(row.session_id);
    const project = projectOf(row.cwd);
    this.observer.recordSimple(task, {
      agent: agentOf(row),
      ...(session !== undefined && { session }),
      ...(project !== undefined && { context: { project } }),
      ...fields,
      atMs: fields.atMs ?? this.input.atMs,
    });
  }

  private keep(outcome: Outcome): void {
    const issues = outcome.task === MODEL_CALL ? outcome.issues : toolIssues(outcome.issues);
    // The id sorts by time and stays the same if the transcript is read again.
    const id = `${sortable(outcome.atMs)}-${this.id}` as OutcomeId; // built as an outcome's id
    this.outcomes.push({ ...outcome, issues, id });
  }

  private leave(reason: string): void {
    this.leftOut[reason] = (this.leftOut[reason] ?? 0) + 1;
  }
}

const MAX_OPEN_MESSAGES = 64;
const RESULT = Buffer.from('"tool_result"');
const ANSWER = Buffer.from('"assistant"');
const END = Buffer.from('"type":"result"');

/**
 * Recognises lines without outcomes by their bytes, so that they are never decoded. Progress, snapshots and plain
 * prompts are most of a transcript.
 */
function isOfNoInterest({ bytes, cutFrom }: Piece): boolean {
  const looksWhole = bytes[0] === 0x7b /* { */ && bytes[bytes.length - 1] === 0x7d; /* } */
  if (!looksWhole || cutFrom !== undefined) return false;
  return !bytes.includes(RESULT) && !bytes.includes(ANSWER) && !bytes.includes(END);
}

/** Returns the calling agent: the main one, or one that it started. */
function agentOf(row: Row): string {
  return textOf(row.attributionAgent) ?? (row.isSidechain === true ? 'sidechain' : 'main');
}

/** Returns the tokens used. Input includes what was read from the cache or written to it. */
function tokensOf(usage: unknown): TokenUse | undefined {
  if (!isRow(usage)) return undefined;
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : 0);
  const input = count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens');
  return tokenUse(input, count('output_tokens'), count('cache_read_input_tokens'));
}

function sortable(atMs: number): string {
  return Math.max(0, Math.floor(atMs)).toString(36).padStart(9, '0');
}
