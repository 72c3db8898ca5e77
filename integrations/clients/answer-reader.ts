import type { CallSpan } from 'rsi-loop';
import { type Answer, readAnswer, readText } from './answer.js';

/**
 * Longest document held in memory, in characters. Of a longer one, keeps its start and its end: usage and errors are
 * there.
 */
const MAX_HELD = 65_536;
const TAIL = 16_384;

/** Matches lines of a stream that hold more than text. Only these are parsed; inside text every quote is escaped. */
const TELLING =
  /"(?:usage|usageMetadata|error|finish_reason|finishReason|stop_reason|done_reason|blockReason|refusal)":\s*["{]|\[DONE\]|"done":\s*true|"message_stop"/;

/** Matches a non-empty string in a field that streams use for text. */
const WORDS = /"(?:content|text|delta|thinking|refusal|name|arguments|partial_json)":\s*"[^"]/;

export type BodyKind = 'events' | 'lines' | 'document';

export function bodyKindOf(contentType: string): BodyKind {
  if (contentType.includes('event-stream')) return 'events';
  return /ndjson|jsonl|json-seq/.test(contentType) ? 'lines' : 'document';
}

/**
 * Reads an answer while the host reads it, part by part. Holds one line of a stream, and parses only lines that hold
 * more than text.
 */
export class AnswerReader {
  readonly answer: Answer = {};
  readonly kind: BodyKind;
  /** The parse error of a document or line that should be JSON. */
  malformed: unknown;
  /** Failure that the answer states, such as a refusal. */
  stated: ReturnType<CallSpan['failureIn']>;
  /** True for a document that holds neither text nor a tool call. */
  #isEmptyDocument = false;
  /** True once a stream has brought text or part of a tool call. */
  #hasWords = false;
  readonly #wantsText: boolean;
  readonly #check: Pick<CallSpan, 'accepts' | 'failureIn'>;
  readonly #decoder = new TextDecoder();
  /** True if the last chunk may have ended inside a character, which the decoder then holds. */
  #isSplit = false;
  #held = '';
  /** The latest lines, so that `stopped` can check the last one. */
  #lastLine = '';
  #isCut = false;

  constructor(kind: BodyKind, wantsText: boolean, check: Pick<CallSpan, 'accepts' | 'failureIn'>) {
    this.#check = check;
    this.kind = kind;
    this.#wantsText = wantsText;
  }

  /**
   * Whether the answer is complete without text or tool calls. A token count of 0 is not enough: some servers count
   * nothing.
   */
  get isEmpty(): boolean {
    if (this.kind === 'document') return this.#isEmptyDocument;
    const { isFinished, outputTokens } = this.answer;
    return isFinished === true && outputTokens === 0 && !this.#hasWords && !this.#check.accepts('empty');
  }

  takeBytes(chunk: unknown): void {
    if (typeof chunk === 'string') this.takeText(chunk);
    else if (chunk instanceof Uint8Array) this.#takeEncoded(chunk);
    else if (ArrayBuffer.isView(chunk)) {
      this.#takeEncoded(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    } else if (chunk instanceof ArrayBuffer) this.#takeEncoded(new Uint8Array(chunk));
  }

  /** Decodes a chunk. Most chunks end with a whole character, and stateless decoding is twice as fast. */
  #takeEncoded(bytes: Uint8Array): void {
    const last = bytes.at(-1);
    if (last === undefined) return;
    const isSplit = last >= 0x80;
    this.takeText(this.#decoder.decode(bytes, isSplit || this.#isSplit ? STREAM : undefined));
    this.#isSplit = isSplit;
  }

  takeText(text: string): void {
    const all = this.#held === '' ? text : this.#held + text;
    const end = this.kind === 'document' ? -1 : all.lastIndexOf('\n');
    this.#held = end === -1 ? all : all.slice(end + 1);
    if (end !== -1) this.#takeLines(all.slice(0, end));
    if (this.#held.length > MAX_HELD + TAIL) {
      this.#held = this.#held.slice(0, MAX_HELD - TAIL) + this.#held.slice(-TAIL);
      this.#isCut = true;
    }
  }

  takeJson(value: unknown): void {
    readAnswer(value, this.answer);
    this.#readFailure(value);
    if (this.#wantsText) readText(value, this.answer);
  }

  /** Reads what a document states; of the parts of a stream, only a refusal. */
  #readFailure(value: unknown): void {
    const stated =
      this.#check.failureIn(value) ??
      this.#check.failureIn((value as Readonly<Record<string, unknown>> | null)?.response); // any JSON value
    if (this.kind === 'document') this.#isEmptyDocument = stated?.category === 'empty_response';
    if (this.kind === 'document' ? !this.#isEmptyDocument : stated?.kind === 'refusal') this.stated ??= stated;
  }

  /** Ends the input. The last line of a stream may lack its line break. */
  finish(): void {
    if (this.#held === '') return;
    if (this.kind === 'document') this.#parse(this.#held);
    else this.#takeLines(this.#held);
    this.#held = '';
  }

  /** Checks the last line of a stream that the host stopped reading: the host may have failed on it. */
  stopped(): void {
    if (this.kind === 'document' || this.answer.isFinished) return;
    const block = this.#lastLine.trimEnd();
    this.#parseLine(block.slice(block.lastIndexOf('\n') + 1));
  }

  #takeLines(block: string): void {
    this.#lastLine = block;
    this.#hasWords ||= WORDS.test(block);
    if (!this.#wantsText && !TELLING.test(block)) return;
    for (const line of block.split('\n')) {
      if (this.#wantsText || TELLING.test(line)) this.#parseLine(line.trimEnd());
    }
  }

  #parseLine(line: string): void {
    if (line.startsWith('{')) this.#parse(line);
    else if (line.startsWith('data:')) {
      const data = line.slice(5).trim();
      if (data === '[DONE]') this.answer.isFinished = true;
      else this.#parse(data);
    }
  }

  #parse(json: string): void {
    try {
      this.takeJson(JSON.parse(json));
    } catch (error) {
      if (this.#isCut) this.#search(json);
      else this.malformed ??= error;
    }
  }

  /** Reads the token counts of an answer that is too long to be parsed whole. */
  #search(json: string): void {
    const usage: Record<string, number> = {};
    for (const [, name = '', digits] of json.slice(-TAIL).matchAll(COUNTS)) usage[name] = Number(digits);
    readAnswer({ usage }, this.answer);
    if (this.kind !== 'events' || /"type":\s*"response\.completed"/.test(json)) this.answer.isFinished = true;
    this.#isCut = false;
  }
}

const STREAM: TextDecodeOptions = { stream: true };

const COUNTS =
  /"(prompt_tokens|completion_tokens|input_tokens|output_tokens|promptTokenCount|candidatesTokenCount|cache_read_input_tokens|cache_creation_input_tokens)":\s*(\d{1,12})/g;
