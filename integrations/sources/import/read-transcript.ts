import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { detectImporter } from './detect.js';
import { contentText, isRow, jsonOf, nonEmptyText, type Row, rowOf, rowsOf, timeOf } from './import-fields.js';
import { openInput } from './open-input.js';
import { LineSplitter, parseLine } from './split-lines.js';

/** Formats whose calls can be read again from their files. */
export const TRANSCRIPT_FORMATS: ReadonlySet<string> = new Set(['claude-code', 'codex']);

/** Larger files are not read. */
const MAX_BYTES = 512 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** Request of a person in a session. */
export interface SessionRequest {
  readonly atMs: number;
  readonly text: string;
}

/** Call of a tool, or an answer of a model, as the transcript holds it. */
export interface TranscriptCall {
  /** Arguments as JSON. */
  readonly input?: string;
  readonly result?: string;
  /** Words of the model in the same answer. */
  readonly said?: string;
}

/** Content of a transcript, as it was written: neither redacted nor cut. */
export interface Transcript {
  readonly requests: readonly SessionRequest[];
  /** Most telling argument of each call, such as its file or command, by the id that the agent gave it. */
  readonly about: ReadonlyMap<string, string>;
  readonly call?: TranscriptCall;
}

/**
 * Reads the requests of a session from its transcript, and the call with the id `call`.
 * Returns undefined for a file that is no transcript of Claude Code or Codex.
 * @throws the error of the file system if the file cannot be read.
 */
export async function readTranscript(path: string, call?: string): Promise<Transcript | undefined> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`the file has ${size} bytes, more than are read`);
  const reading = await readFile(path, { call, chunkBytes: CHUNK_BYTES, isEnough: () => false });
  if (!reading) return undefined;
  const { requests, about } = reading;
  return { requests, about, ...(reading.isFound && { call: reading.found }) };
}

/**
 * Reads the first request of a session from the first megabyte of its transcript, which says what the session is about.
 * Returns undefined if there is none.
 * @throws the error of the file system if the file cannot be read.
 */
export async function readFirstRequest(path: string): Promise<string | undefined> {
  let chunks = 0;
  const isEnough = ({ requests }: Reading) => requests.length > 0 || ++chunks * HEAD_BYTES >= CHUNK_BYTES;
  const reading = await readFile(path, { call: undefined, chunkBytes: HEAD_BYTES, isEnough });
  return reading?.requests[0]?.text;
}

interface FileOptions {
  readonly call: string | undefined;
  readonly chunkBytes: number;
  /** Called after each chunk. */
  readonly isEnough: (reading: Reading) => boolean;
}

async function readFile(path: string, { call, chunkBytes, isEnough }: FileOptions): Promise<Reading | undefined> {
  const opened = await openInput(createReadStream(path, { highWaterMark: chunkBytes }));
  try {
    const format = detectImporter({ path, text: opened.head })?.name;
    if (format === undefined || !TRANSCRIPT_FORMATS.has(format)) return undefined;
    const reading = format === 'codex' ? new CodexTranscript(call) : new ClaudeTranscript(call);
    const splitter = new LineSplitter();
    const take = (lines: ReturnType<LineSplitter['push']>) => {
      for (const line of lines) {
        const parsed = parseLine(line);
        if (parsed.kind === 'object') reading.row(parsed.value);
      }
    };
    for await (const chunk of opened.chunks) {
      take(splitter.push(chunk));
      if (isEnough(reading)) return reading;
    }
    take(splitter.end());
    return reading;
  } finally {
    await opened.close();
  }
}

/** Requests and one call, filled while the lines are read. */
abstract class Reading {
  readonly requests: SessionRequest[] = [];
  readonly about = new Map<string, string>();
  found: { input?: string; result?: string; said?: string } = {};

  constructor(protected readonly call: string | undefined) {}

  get isFound(): boolean {
    return Object.keys(this.found).length > 0;
  }

  abstract row(row: Row): void;

  protected note(id: unknown, input: unknown): void {
    const said = aboutOf(input);
    if (typeof id === 'string' && said !== undefined) this.about.set(id, said.slice(0, MAX_ABOUT));
  }

  protected request(text: string, at: unknown): void {
    const atMs = timeOf(at);
    if (atMs !== undefined && text.trim() !== '') this.requests.push({ atMs, text });
  }
}

/** Arguments that say what a call is about, the most telling first. */
const TELLING = ['command', 'cmd', 'file_path', 'path', 'pattern', 'query', 'url', 'description', 'prompt', 'skill'];
const MAX_ABOUT = 400;

function aboutOf(input: unknown): string | undefined {
  if (typeof input === 'string') return input;
  const row = rowOf(input);
  const stated = TELLING.map((name) => row[name]).find((value) => value !== undefined) ?? Object.values(row)[0];
  return Array.isArray(stated) ? stated.join(' ') : nonEmptyText(stated);
}

/** Lines that programs write into the place of a user. */
const NOT_SAID =
  /^\s*(?:<(?:command-|local-command|bash-|task-notification|teammate|system-reminder)|Caveat: |\[Request interrupted |Operation stopped by hook|Stop hook feedback)/;

class ClaudeTranscript extends Reading {
  /** Answer that the last text block belongs to. */
  #answer: { readonly id: unknown; text: string } = { id: undefined, text: '' };

  row(row: Row): void {
    const { content, id } = rowOf(row.message);
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : rowsOf(content);
    if (row.type === 'assistant') this.#said(blocks, id);
    if (row.type !== 'user') return;
    for (const block of blocks) {
      if (block.type === 'tool_result' && this.call !== undefined && block.tool_use_id === this.call)
        this.found.result = resultOf(block.content, row.toolUseResult);
    }
    const text = textIn(blocks);
    const isOwn = row.isSidechain === true || row.isMeta === true || row.isCompactSummary === true;
    if (!isOwn && !NOT_SAID.test(text)) this.request(text, row.timestamp);
  }

  #said(blocks: readonly Row[], id: unknown): void {
    if (this.#answer.id !== id) this.#answer = { id, text: '' };
    const text = textIn(blocks);
    if (text !== '') this.#answer.text = this.#answer.text === '' ? text : `${this.#answer.text}\n${text}`;
    if (id === this.call && id !== undefined && this.#answer.text !== '') this.found.said = this.#answer.text;
    for (const block of blocks) {
      if (block.type !== 'tool_use') continue;
      this.note(block.id, block.input);
      if (block.id !== this.call) continue;
      this.found.input = JSON.stringify(block.input, undefined, 2);
      if (this.#answer.text !== '') this.found.said = this.#answer.text;
    }
  }
}

function textIn(blocks: readonly Row[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' ? (nonEmptyText(text) ?? []) : [])).join('\n');
}

function resultOf(content: unknown, detail: unknown): string {
  return contentText(content) || (typeof detail === 'string' ? detail : '');
}

class CodexTranscript extends Reading {
  #said = '';

  row(row: Row): void {
    const item = isRow(row.payload) ? row.payload : row;
    const isAsked = this.call !== undefined && (item.call_id ?? item.id) === this.call;
    if (item.type === 'message') this.#message(item, row.timestamp);
    else if (CALLS.has(String(item.type))) {
      this.note(item.call_id ?? item.id, jsonOf(inputOf(item)) ?? inputOf(item));
      if (isAsked) this.found = { ...this.found, input: inputOf(item), ...(this.#said !== '' && { said: this.#said }) };
      this.#said = '';
    } else if (isAsked && OUTPUTS.has(String(item.type))) {
      const output = nonEmptyText(item.output) ?? contentText(item.output);
      this.found.result = nonEmptyText(rowOf(jsonOf(output)).output) ?? output;
    }
  }

  #message({ role, content }: Row, at: unknown): void {
    const text = contentText(content);
    if (role === 'assistant') this.#said = text;
    // The program writes what it knows about the machine in the place of the user.
    else if (role === 'user' && !/^\s*<\w/.test(text)) this.request(text, at);
  }
}

const CALLS: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);
const OUTPUTS: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output']);

function inputOf({ arguments: stated, input, action }: Row): string {
  const text = nonEmptyText(stated) ?? nonEmptyText(input);
  const value = text === undefined ? action : (jsonOf(text) ?? text);
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
