import { parseFields } from './fields.js';
import { headerDelayMs, statedDelayMs } from './retry-after.js';

/** What one layer of an error says: the error itself, or what caused it. */
export interface Facts {
  /** Class name, e.g. `RateLimitError`. */
  name?: string | undefined;
  /** Provider codes, types and errno names, as stated. */
  readonly codes: string[];
  /** HTTP status, 100 to 599. */
  status?: number;
  /** Outermost first; the innermost useful wording is the last one. */
  readonly messages: string[];
  retryAfterMs?: number | undefined;
  /** The server asked not to be asked again (`x-should-retry: false`). */
  final?: boolean;
}

/** Longest text looked at; of longer ones the head and the tail, where programs put what went wrong. */
export const MAX_TEXT = 6_000;
const HEAD = 3_500;

/** Causes followed, members read per object, objects read in all: an error is small, whatever an attacker sends is not. */
const MAX_LAYERS = 8;
const MAX_OBJECTS = 48;
const MAX_MEMBERS = 8;

/** Reads whatever was thrown, outermost layer first. Never throws. */
export function readFacts(input: unknown, nowMs: number = Date.now()): readonly Facts[] {
  const reader = new Reader(nowMs);
  reader.layer(input);
  return reader.layers;
}

const STATUS_KEYS = ['status', 'statusCode', 'status_code', 'httpStatus', 'http_status', 'httpStatusCode'] as const;
const CODE_KEYS = ['code', 'type', 'error_code', 'errorCode', '__type', 'reason', 'errno', 'signal'] as const;
const TEXT_KEYS = [
  'message',
  'error_message',
  'errorMessage',
  'error_msg',
  'msg',
  'detail',
  'error_description',
] as const;
const MORE_TEXT_KEYS = ['description', 'title', 'text', 'stderr', 'raw', 'statusText'] as const;
/** Objects that say more about the same failure. */
const SAME_KEYS = [
  '$metadata',
  'response',
  'details',
  'metadata',
  'body',
  'responseBody',
  'data',
  'error',
  'content',
] as const;
/** Objects that say why it happened. */
const CAUSE_KEYS = [
  'cause',
  'errors',
  'lastError',
  'innererror',
  'innerError',
  'originalError',
  'inner_error',
] as const;

class Reader {
  readonly layers: Facts[] = [];
  private readonly seen = new Set<object>();
  private readonly nowMs: number;

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  layer(input: unknown): void {
    if (this.layers.length >= MAX_LAYERS) return;
    const facts: Facts = { codes: [], messages: [] };
    this.layers.push(facts);
    this.value(input, facts);
  }

  private value(input: unknown, facts: Facts): void {
    if (typeof input === 'string') this.text(input, facts);
    else if (typeof input === 'object' && input !== null) this.object(input, facts);
  }

  /** A text, and after it what the JSON or dict inside it says. */
  private text(input: string, facts: Facts): void {
    const text = clip(input);
    const start = text.indexOf('{');
    if (start < 0) {
      if (text.trim() !== '') facts.messages.push(text);
      return;
    }
    const fields = parseFields(text, start);
    if (!fields) {
      facts.messages.push(text);
      return;
    }
    const around = `${text.slice(0, start)} ${text.slice(fields.end)}`;
    if (/\w/.test(around)) facts.messages.push(around);
    const before = facts.messages.length + facts.codes.length + this.layers.length;
    this.object(fields.value, facts);
    // Nothing in it was about an error: it is wording after all.
    if (facts.messages.length + facts.codes.length + this.layers.length === before && facts.status === undefined) {
      facts.messages.push(text.slice(start, fields.end));
    }
  }

  private object(object: object, facts: Facts): void {
    if (this.seen.size >= MAX_OBJECTS || this.seen.has(object)) return;
    this.seen.add(object);
    if (isArray(object)) {
      for (let index = 0; index < MAX_MEMBERS; index++) this.value(read(object, index), facts);
      return;
    }
    facts.name ??= readName(object);
    for (const key of STATUS_KEYS) this.status(read(object, key), facts);
    for (const key of CODE_KEYS) this.code(read(object, key), facts);
    this.headers(object, facts);
    for (const key of TEXT_KEYS) this.value(read(object, key), facts);
    for (const key of MORE_TEXT_KEYS) if (facts.messages.length === 0) this.value(read(object, key), facts);
    for (const key of SAME_KEYS) this.value(read(object, key), facts);
    for (const key of CAUSE_KEYS) this.causes(read(object, key));
  }

  private causes(cause: unknown): void {
    if (cause === undefined || cause === null) return;
    if (!isArray(cause)) this.layer(cause);
    else for (let index = 0; index < MAX_MEMBERS; index++) this.causes(read(cause, index));
  }

  private status(value: unknown, facts: Facts): void {
    const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
    if (typeof status === 'number' && Number.isInteger(status) && status >= 100 && status < 600)
      facts.status ??= status;
    else if (typeof value === 'string' && /^[A-Z_]+$/.test(value)) facts.codes.push(clip(value)); // gRPC: RESOURCE_EXHAUSTED
  }

  private code(value: unknown, facts: Facts): void {
    if (typeof value === 'number' && value >= 400 && value < 600) facts.status ??= value;
    else if (typeof value === 'string' && value !== '') {
      if (/^[45]\d\d$/.test(value)) facts.status ??= Number(value);
      else facts.codes.push(clip(value));
    }
  }

  private headers(object: object, facts: Facts): void {
    const headers = read(object, 'headers') ?? read(object, 'responseHeaders');
    const header = (name: string) => readHeader(headers, name);
    facts.retryAfterMs ??= statedDelayMs((key) => read(object, key)) ?? headerDelayMs(header, this.nowMs);
    if (headers && header('x-should-retry') === 'false') facts.final = true;
  }
}

/** Reads a member of an object that may be a proxy or have a throwing getter. */
function read(object: unknown, key: string | number): unknown {
  try {
    return (object as Record<string | number, unknown>)[key]; // only called on objects; a wrong guess reads undefined
  } catch {
    return undefined;
  }
}

function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}

/** The name an error was given, or that of its class where the SDK left the name at `Error`. */
function readName(object: object): string | undefined {
  const name = read(object, 'name');
  if (typeof name === 'string' && name !== '' && name !== 'Error') return clip(name);
  const className = read(read(object, 'constructor') ?? {}, 'name');
  const found = typeof className === 'string' && className !== 'Object' && className !== '' ? className : name;
  return typeof found === 'string' ? clip(found) : undefined;
}

function readHeader(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const get = read(headers, 'get');
  let value: unknown;
  try {
    value = typeof get === 'function' ? get.call(headers, name) : read(headers, name);
  } catch {
    return undefined;
  }
  value ??= read(
    headers,
    name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
  );
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function clip(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, HEAD)}\n${text.slice(text.length - (MAX_TEXT - HEAD))}`;
}
