import { wordSet } from '../lib/word-set.js';
import { isEmptyCompletion } from './completion.js';
import { parseFields } from './fields.js';
import { headerDelayMs, statedDelayMs } from './retry-after.js';

/** What one layer of an error says: the error itself, or what caused it. */
export interface Facts {
  /** Class name, e.g. `RateLimitError`. */
  name?: string;
  /** The provider's code or type, or an errno name. */
  code?: string;
  /** HTTP status, 100 to 599. */
  status?: number;
  /** Every status it gives, outermost first. */
  readonly statuses: number[];
  /** What programs wrote and no stranger can word: class names and codes, outermost first. */
  readonly signs: string[];
  /** What it says in words, outermost first. */
  readonly messages: string[];
  retryAfterMs?: number;
  /** The server asked not to be asked again (`x-should-retry: false`). */
  final?: boolean;
}

/** Longest text looked at; of longer ones the head and the tail, where programs put what went wrong. */
const HEAD = 4_000;
const TAIL = 2_000;
/** Most text looked at in one error. */
const MAX_TEXT = 24_000;
const MAX_CODE = 200;
/** Where the body of an answer begins at the latest: `Unexpected answer: {...`. */
const MAX_BEFORE_BODY = 80;

/** An error is small, whatever an attacker sends is not: causes followed, objects read in all, members read of a list. */
const MAX_LAYERS = 8;
const MAX_OBJECTS = 48;
const MAX_MEMBERS = 8;

// What a field is for, by its name; read in this order. A number or word that says which error it is:
const CODES =
  'status statusCode status_code httpStatusCode http_status type code __type error_code errorCode reason signal';
/** When to try again. */
const WAITS = 'headers responseHeaders retryAfterMs retry_after_ms retryAfter retry_after retryDelay';
/** What it says, and objects that say more about the same failure. */
const TEXTS =
  'statusText title description error_description msg detail error_message errorMessage message stderr text raw ' +
  '$metadata response details metadata body responseBody data content error innererror';
/** Objects that say why it happened. */
const CAUSES = 'cause errors lastError innerError originalError';

const READ_CODE = 0;
const READ_WAIT = 1;
const READ_TEXT = 2;
type Use = typeof READ_CODE | typeof READ_WAIT | typeof READ_TEXT | 3;

interface Key {
  readonly name: string;
  readonly use: Use;
  readonly order: number;
}

const KEYS = /* @__PURE__ */ keysByName();

function keysByName(): ReadonlyMap<string, Key> {
  const keys = new Map<string, Key>();
  [CODES, WAITS, TEXTS, CAUSES].forEach((names, use) => {
    for (const name of names.split(' ')) keys.set(name, { name, use: use as Use, order: keys.size }); // four lists, four uses
  });
  return keys;
}

/**
 * Reads whatever was thrown, outermost layer first. Never throws. What `parseFields` made has few keys, which are looked at
 * instead of all that anything thrown could have.
 */
export function readFacts(input: unknown, parsed = false): readonly Facts[] {
  if (typeof input === 'string') {
    const messages = input === '' ? [] : [ends(input)];
    return [{ statuses: [], signs: isEmptyCompletionText(input) ? [EMPTY] : [], messages }];
  }
  return readLayers(input, parsed);
}

function readLayers(input: unknown, parsed: boolean): readonly Facts[] {
  const layers: Facts[] = [];
  const seen = new Set<unknown>();
  let left = MAX_TEXT;

  function addLayer(value: unknown): void {
    if (layers.length >= MAX_LAYERS || value === null || value === undefined || seen.has(value)) return;
    const facts: Facts = { statuses: [], signs: [], messages: [] };
    layers.push(facts);
    add(value, facts);
  }

  function add(value: unknown, facts: Facts): void {
    if (typeof value === 'string') {
      if (value === '' || left <= 0) return;
      const text = ends(value);
      left -= text.length;
      facts.messages.push(text);
    } else if (typeof value === 'object' && value !== null && seen.size < MAX_OBJECTS && !seen.has(value)) {
      seen.add(value);
      if (isArray(value)) for (let index = 0; index < MAX_MEMBERS; index++) add(read(value, index), facts);
      else addObject(value, facts);
    }
  }

  function addObject(object: object, facts: Facts): void {
    if (isEmptyAnswer(object)) facts.signs.push(EMPTY);
    const name = readName(object);
    if (name !== undefined) {
      facts.name ??= name;
      facts.signs.push(name);
    }
    let waits = false;
    for (const { name: key, use } of parsed ? keysIn(object) : KEYS.values()) {
      if (use === READ_WAIT) {
        if (!waits) addHeaders(object, facts);
        waits = true;
        continue;
      }
      const value = read(object, key);
      if (value === undefined || value === null) continue;
      if (use === READ_CODE) addCode(value, facts);
      else if (use === READ_TEXT) add(value, facts);
      else if (isArray(value)) for (let index = 0; index < MAX_MEMBERS; index++) addLayer(read(value, index));
      else addLayer(value);
    }
  }

  addLayer(input);
  return layers;
}

/** Stands for an answer that holds nothing, which says so in no word. */
const EMPTY = 'empty_response';

/** An answer of a model, as a host logs it: JSON, or the way Python prints its objects. */
function isEmptyCompletionText(text: string): boolean {
  const start = text.indexOf('{');
  if (start < 0 && !text.includes('=')) return false;
  if (!/\b(?:choices|candidates|content)\b/.test(text.slice(0, HEAD))) return false;
  const fields = start < 0 || start > MAX_BEFORE_BODY ? undefined : parseFields(text.slice(0, HEAD), start);
  if (fields !== undefined) return isEmptyAnswer(fields.value);
  return (
    /\bchoices=\[\s{0,4}\]/.test(text) ||
    /\w{2,40}\((?:.{0,200}[ ,])?content=(?:''|""|None|\[\])/.test(text.slice(0, HEAD))
  );
}

function isEmptyAnswer(value: object): boolean {
  try {
    return isEmptyCompletion(value);
  } catch {
    return false; // a getter that throws
  }
}

/** The keys of an object that say something, in the order in which all are read. */
function keysIn(object: object): readonly Key[] {
  const known: Key[] = [];
  for (const name of Object.keys(object)) {
    const key = KEYS.get(name);
    if (key) known.push(key);
  }
  return known.sort((one, other) => one.order - other.order);
}

/**
 * Whether the host stopped the work itself: the class names and codes that abort signals have in JavaScript, Python and the
 * SDKs. Exact names only, because a service may call its own errors `OrderCancelledError`.
 */
export function isAbort({ name, code, signs }: Facts): boolean {
  return isAbortSign(name) || isAbortSign(code) || signs.some(isAbortSign);
}

function isAbortSign(sign: string | undefined): boolean {
  return sign !== undefined && ABORTS.has(sign);
}

const ABORTS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'AbortError APIUserAbortError CanceledError CancelledError KeyboardInterrupt ABORT_ERR ERR_CANCELED',
);

function ends(text: string): string {
  return text.length > HEAD + TAIL ? `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}` : text;
}

/** A number or `"429"` is a status; a word is a code, also under `status`, where gRPC puts it. */
function addCode(value: unknown, facts: Facts): void {
  if ((typeof value !== 'number' && typeof value !== 'string') || value === '') return;
  const status = Number(value);
  if (Number.isInteger(status) && status >= 100 && status < 600) {
    facts.status ??= status;
    if (!facts.statuses.includes(status)) facts.statuses.push(status);
  } else if (typeof value === 'string') {
    const code = value.slice(0, MAX_CODE);
    facts.code ??= code;
    facts.signs.push(code);
  }
}

function addHeaders(object: object, facts: Facts): void {
  const headers = read(object, 'headers') ?? read(object, 'responseHeaders');
  let wait = statedDelayMs((key) => read(object, key));
  if (typeof headers === 'object' && headers !== null) {
    wait ??= headerDelayMs((name) => readHeader(headers, name), Date.now());
    if (readHeader(headers, 'x-should-retry') === 'false') facts.final = true;
  }
  if (wait !== undefined) facts.retryAfterMs ??= wait;
}

/** Reads a member of what may be a proxy or have a throwing getter. */
function read(object: unknown, key: string | number): unknown {
  try {
    return (object as Record<string | number, unknown>)[key]; // whatever it is: reading from it gives a value or throws
  } catch {
    return undefined;
  }
}

function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}

/** The name an error was given, or that of its class where the SDK left the name at `Error`. */
function readName(object: object): string | undefined {
  let name = read(object, 'name');
  if (name === undefined || name === 'Error') {
    const maker = read(object, 'constructor');
    const className = maker === undefined ? undefined : read(maker, 'name');
    name = className === 'Object' ? name : className;
  }
  return typeof name === 'string' && name !== '' ? name.slice(0, MAX_CODE) : undefined;
}

function readHeader(headers: object, name: string): string | undefined {
  let value =
    read(headers, name) ??
    read(
      headers,
      name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    );
  try {
    value ??= (headers as Headers).get(name); // throws where there is no such method
  } catch {
    // Headers that cannot be asked state nothing.
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
