import { BoundedMap } from 'rsi-loop/kit';
import { RecentIds } from '../../recent-ids.js';
import { timedId } from '../../timed-id.js';
import {
  contentText,
  idOf,
  isRow,
  nonEmptyText,
  numberOf,
  type Row,
  rowOf,
  rowsOf,
  timeOf,
  tokenUse,
} from '../import-fields.js';
import type { InputHead } from '../importer.js';
import { type Facts, MODEL_CALL, type OutcomeCollector } from '../outcome-collector.js';
import { type DocumentReader, documentImporter, type Place } from '../read-documents.js';
import { exitError, readToolError, type ToolError } from '../tool-error.js';

const OWN: ReadonlySet<string> = new Set(['id', 'timestamp', 'type', 'content', 'model', 'tokens']);
/** Maximum number of messages kept open, because the newest ones may be written again. */
const MAX_OPEN = 64;
const MAX_SEEN = 4_000;

/**
 * Importer for sessions of the Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.json`, and `.jsonl` in newer
 * versions.
 */
export const geminiCli = documentImporter({
  name: 'gemini-cli',
  title: 'sessions of Gemini CLI (.json, .jsonl)',
  detect: ({ text }: InputHead) =>
    (/"projectHash"\s*:/.test(text) && /"sessionId"\s*:/.test(text)) || /"type"\s*:\s*"gemini"/.test(text),
  open: (found) => new Session(found),
});

class Session implements DocumentReader {
  #session: string | undefined;
  /** Open messages. In `.jsonl`, a message is written again whenever more of it is known; the last version counts. */
  readonly #open = new BoundedMap<Row>(MAX_OPEN);
  readonly #done = new RecentIds(MAX_SEEN);
  readonly #own: Record<string, unknown> = {};
  readonly #ownCalls: unknown[] = [];

  constructor(private readonly found: OutcomeCollector) {}

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'sessionId') this.#session = nonEmptyText(value);
    else if (key === 'messages' && isRow(value)) this.#take(value, place);
    else if (key === 'messages') this.found.reject('a message is not an object', place.line);
    else if (key === 'toolCalls') this.#ownCalls.push(value);
    else if (key !== undefined && OWN.has(key)) this.#own[key] = value;
  }

  row(row: Row, place: Place): boolean {
    const set = rowOf(row.$set);
    this.#session = nonEmptyText(row.sessionId) ?? nonEmptyText(set.sessionId) ?? this.#session;
    for (const each of [...rowsOf(row.messages), ...rowsOf(set.messages)]) this.#take(each, place);
    if (nonEmptyText(row.type) !== undefined && row.id !== undefined) this.#take(row, place);
    return true;
  }

  end(): void {
    // A document can consist of a single message.
    if (this.#own.type !== undefined) this.#message({ id: '', ...this.#own, toolCalls: this.#ownCalls });
    for (const message of this.#open.values()) this.#message(message);
  }

  #take(message: Row, place: Place): void {
    const id = idOf(message.id) ?? place.digest();
    if (this.#done.get(id) !== undefined) return;
    const known = this.#open.get(id);
    if (known) {
      this.#open.set(id, { ...known, ...message, id });
      return;
    }
    const oldest = this.#open.put(id, { ...message, id });
    if (oldest) this.#message(oldest);
  }

  #message(message: Row): void {
    const id = String(message.id);
    this.#done.add(id);
    const atMs = timeOf(message.timestamp);
    const model = nonEmptyText(message.model);
    if (message.type === 'error') {
      this.#add(MODEL_CALL, id, atMs, { success: false, model, error: contentText(message.content) || 'error' });
      return;
    }
    if (message.type !== 'gemini') return;
    this.#add(MODEL_CALL, id, atMs, { success: true, model, tokens: tokensOf(message.tokens) });
    rowsOf(message.toolCalls).forEach((call, index) => {
      this.#call(call, `${id}-${index}`, atMs, model);
    });
  }

  #call(call: Row, ownId: string, messageMs: number | undefined, model: string | undefined): void {
    if (call.status !== 'success' && call.status !== 'error') {
      this.found.ignore(call.status === 'cancelled' ? 'rejected by a person' : 'call that did not end');
      return;
    }
    const name = nonEmptyText(call.name) ?? 'unknown tool';
    const atMs = timeOf(call.timestamp) ?? messageMs;
    const id = timedId(atMs, idOf(call.id) ?? ownId);
    this.found.addCall(name, id, { atMs, session: this.#session, model }, errorOf(name, call));
  }

  #add(task: string, own: string, atMs: number | undefined, facts: Facts): void {
    this.found.add(task, timedId(atMs, own), { atMs, session: this.#session, ...facts });
  }
}

/** Exit code in the text of a command that ended; its call is a `success` for any exit code. */
const EXIT_CODE = /^Exit Code: (-?\d+)$/gm;

function errorOf(name: string, call: Row): ToolError | undefined {
  const output = outputOf(call.result);
  const code = /shell/.test(name) ? numberOf([...output.matchAll(EXIT_CODE)].at(-1)?.[1]) : undefined;
  if (code !== undefined && code !== 0) return exitError(code, output);
  return call.status === 'error' ? readToolError(output || nonEmptyText(call.resultDisplay) || '') : undefined;
}

/** Returns the output of a call, from the parts that the model received. */
function outputOf(result: unknown): string {
  if (typeof result === 'string') return result;
  const texts: string[] = [];
  for (const part of Array.isArray(result) ? rowsOf(result) : [rowOf(result)]) {
    const response = rowOf(rowOf(part.functionResponse).response);
    texts.push(nonEmptyText(response.error) ?? nonEmptyText(response.output) ?? nonEmptyText(part.text) ?? '');
  }
  return texts.join('\n').trim();
}

function tokensOf(value: unknown) {
  const tokens = rowOf(value);
  const input = numberOf(tokens.input);
  const output = numberOf(tokens.output);
  // Thinking tokens cost the same as output tokens.
  const thoughts = numberOf(tokens.thoughts) ?? 0;
  return tokenUse(input, output === undefined ? undefined : output + thoughts, numberOf(tokens.cached));
}
