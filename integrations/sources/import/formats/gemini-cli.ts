import { contentText, idOf, isRow, numberOf, type Row, rowOf, rowsOf, textOf, timeOf, tokenUse } from '../fields.js';
import type { Importer, InputHead } from '../importer.js';
import { MODEL_CALL, OutcomeCollector, timedId } from '../outcome-collector.js';
import { type DocumentReader, type Place, readDocuments } from '../read-documents.js';
import { readToolError, type ToolError } from '../tool-error.js';

const SOURCE = 'gemini-cli';
const OWN: ReadonlySet<string> = new Set(['id', 'timestamp', 'type', 'content', 'model', 'tokens']);
/** Maximum number of messages kept open, because the newest ones may be written again. */
const MAX_OPEN = 64;
const MAX_SEEN = 4_000;

/**
 * Importer for sessions of the Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.json`, and `.jsonl` in newer
 * versions.
 */
export const geminiCli: Importer = {
  name: SOURCE,
  title: 'sessions of Gemini CLI (.json, .jsonl)',
  detect: ({ text }: InputHead) =>
    (/"projectHash"\s*:/.test(text) && /"sessionId"\s*:/.test(text)) || /"type"\s*:\s*"gemini"/.test(text),
  read: (input) => {
    const gathering = new OutcomeCollector(input, SOURCE);
    return readDocuments(input, gathering, new Session(gathering));
  },
};

class Session implements DocumentReader {
  readonly #gathering: OutcomeCollector;
  #session: string | undefined;
  /** Open messages. In `.jsonl`, a message is written again whenever more of it is known; the last version counts. */
  readonly #open = new Map<string, Row>();
  readonly #done = new Set<string>();
  #own: Record<string, unknown> = {};
  #ownCalls: unknown[] = [];

  constructor(gathering: OutcomeCollector) {
    this.#gathering = gathering;
  }

  member(key: string | undefined, value: unknown, place: Place): void {
    if (key === 'sessionId') this.#session = textOf(value);
    else if (key === 'messages' && isRow(value)) this.#take(value, place);
    else if (key === 'messages') this.#gathering.reject('a message is not an object', place.line);
    else if (key === 'toolCalls') this.#ownCalls.push(value);
    else if (key !== undefined && OWN.has(key)) this.#own[key] = value;
  }

  row(row: Row, place: Place): boolean {
    const set = rowOf(row.$set);
    this.#session = textOf(row.sessionId) ?? textOf(set.sessionId) ?? this.#session;
    for (const each of [...rowsOf(row.messages), ...rowsOf(set.messages)]) this.#take(each, place);
    if (textOf(row.type) !== undefined && row.id !== undefined) this.#take(row, place);
    return true;
  }

  end(): void {
    // A document can consist of a single message.
    if (this.#own.type !== undefined) this.#message({ id: '', ...this.#own, toolCalls: this.#ownCalls });
    this.#own = {};
    this.#ownCalls = [];
    for (const message of this.#open.values()) this.#message(message);
    this.#open.clear();
    this.#session = undefined;
  }

  #take(message: Row, place: Place): void {
    const id = idOf(message.id) ?? place.digest();
    if (this.#done.has(id)) return;
    this.#open.set(id, { ...this.#open.get(id), ...message, id });
    if (this.#open.size <= MAX_OPEN) return;
    for (const [oldest, row] of this.#open) {
      this.#open.delete(oldest);
      this.#message(row);
      break;
    }
  }

  #message(message: Row): void {
    const id = String(message.id);
    this.#done.add(id);
    if (this.#done.size > MAX_SEEN) this.#done.delete(this.#done.values().next().value ?? '');
    const atMs = timeOf(message.timestamp);
    const model = textOf(message.model);
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
    const name = textOf(call.name) ?? 'unknown tool';
    const found = { tool: name, model };
    const id = idOf(call.id) ?? ownId;
    const atMs = timeOf(call.timestamp) ?? messageMs;
    const output = outputOf(call.result);
    switch (call.status) {
      case 'cancelled':
        this.#gathering.ignore('rejected by a person');
        return;
      case 'success':
      case 'error': {
        const error = errorOf(name, output, call);
        if (error?.kind === 'not-a-failure') this.#gathering.ignore(error.reason);
        else this.#add(name, id, atMs, { ...found, success: error === undefined, error: error?.error });
        return;
      }
      default:
        this.#gathering.ignore('call that did not end');
    }
  }

  #add(
    task: string,
    own: string,
    atMs: number | undefined,
    found: Omit<Parameters<OutcomeCollector['add']>[0], 'task' | 'id'>,
  ) {
    this.#gathering.add({ ...found, task, id: timedId(atMs, own), atMs, session: this.#session });
  }
}

/** Exit code in the text of a command that ended; its call is a `success` for any exit code. */
const EXIT_CODE = /^Exit Code: (-?\d+)$/gm;

function errorOf(name: string, output: string, call: Row): ToolError | undefined {
  const code = /shell/.test(name) ? numberOf([...output.matchAll(EXIT_CODE)].at(-1)?.[1]) : undefined;
  if (code !== undefined && code !== 0) return readToolError(`Exit code ${code}\n${output}`);
  return call.status === 'error' ? readToolError(output || textOf(call.resultDisplay) || '') : undefined;
}

/** Returns the output of a call, from the parts that the model received. */
function outputOf(result: unknown): string {
  if (typeof result === 'string') return result;
  const texts: string[] = [];
  for (const part of Array.isArray(result) ? rowsOf(result) : [rowOf(result)]) {
    const response = rowOf(rowOf(part.functionResponse).response);
    texts.push(textOf(response.error) ?? textOf(response.output) ?? textOf(part.text) ?? '');
  }
  return texts.join('\n').trim();
}

function tokensOf(value: unknown) {
  const tokens = rowOf(value);
  const input = numberOf(tokens.input);
  const output = numberOf(tokens.output);
  if (input === undefined && output === undefined) return undefined;
  // Thinking tokens cost the same as output tokens.
  return tokenUse(input ?? 0, (output ?? 0) + (numberOf(tokens.thoughts) ?? 0), numberOf(tokens.cached));
}
