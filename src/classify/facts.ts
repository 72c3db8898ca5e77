import { wordSet } from '../lib/word-set.js';
import { isEmptyCompletion } from './completion.js';
import { parseFields } from './fields.js';
import { headerDelayMs, statedDelayMs } from './retry-after.js';

/** Facts from one layer of an error: the error itself, or one of its causes. */
export interface Facts {
  /** Class name, e.g. `RateLimitError`. */
  name?: string;
  /** Code or type from the provider, or an errno name. */
  code?: string;
  /** HTTP status, 100 to 599. */
  status?: number;
  /** All statuses, outermost first. */
  readonly statuses: number[];
  /** Class names and codes, outermost first. Programs write these; outsiders cannot choose their wording. */
  readonly signs: string[];
  /** Messages, outermost first. */
  readonly messages: string[];
  retryAfterMs?: number;
  /** The server asked not to retry (`x-should-retry: false`). */
  final?: boolean;
}

/** Text limits. Of longer texts, only the head and the tail are read, where programs state the error. */
const HEAD = 4_000;
const TAIL = 2_000;
/** Text limit per error. */
const MAX_TEXT = 24_000;
const MAX_CODE = 200;
/** Latest start of a response body inside a text: `Unexpected answer: {...`. */
const MAX_BEFORE_BODY = 80;

/**
 * Limits against attacks, as genuine errors are small: causes followed, objects read in total, members read per list.
 */
const MAX_LAYERS = 8;
const MAX_OBJECTS = 48;
const MAX_MEMBERS = 8;

// Use of a field by its name, read in this order. Numbers or words that identify the error:
const CODES =
  'status statusCode status_code httpStatusCode http_status type code __type error_code errorCode reason signal';
/** Times for a retry. */
const WAITS = 'headers responseHeaders retryAfterMs retry_after_ms retryAfter retry_after retryDelay';
/** Messages, and objects with more details on the same failure. */
const TEXTS =
  'statusText title description error_description msg detail error_message errorMessage message stderr text raw ' +
  '$metadata response details metadata body responseBody data content error innererror';
/** Objects that hold the cause. */
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
 * Reads any thrown value, outermost layer first. Never throws. For results of `parseFields`, which have few keys, it
 * reads those instead of trying all known keys.
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
    if (typeof value === 'string') addText(value, facts);
    else if (typeof value === 'object' && value !== null && seen.size < MAX_OBJECTS && !seen.has(value)) {
      seen.add(value);
      if (!isArray(value)) addObject(value, facts);
      else for (const member of membersOf(value)) add(member, facts);
    }
  }

  function addText(value: string, facts: Facts): void {
    if (value === '' || left <= 0) return;
    const text = ends(value);
    left -= text.length;
    facts.messages.push(text);
  }

  function addObject(object: object, facts: Facts): void {
    addNames(object, facts);
    const keys = parsed ? keysIn(object) : KEYS.values();
    let waits = false;
    for (const { name, use } of keys) {
      if (use !== READ_WAIT) addMember(use, read(object, name), facts);
      else if (!waits) {
        waits = true;
        addHeaders(object, facts);
      }
    }
  }

  function addMember(use: Use, value: unknown, facts: Facts): void {
    if (value === undefined || value === null) return;
    if (use === READ_CODE) addCode(value, facts);
    else if (use === READ_TEXT) add(value, facts);
    else for (const cause of isArray(value) ? membersOf(value) : [value]) addLayer(cause);
  }

  addLayer(input);
  return layers;
}

/** Adds the class name of an error, or the sign for an empty answer. */
function addNames(object: object, facts: Facts): void {
  if (isEmptyAnswer(object)) facts.signs.push(EMPTY);
  const name = readName(object);
  if (name === undefined) return;
  facts.name ??= name;
  facts.signs.push(name);
}

/** Sign for an empty answer, which contains no words itself. */
const EMPTY = 'empty_response';

/** Returns whether the text is a logged model answer without content: JSON, or Python's object notation. */
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
    return false; // a throwing getter
  }
}

/** Returns the known keys of an object, in reading order. */
function keysIn(object: object): readonly Key[] {
  const known: Key[] = [];
  for (const name of Object.keys(object)) {
    const key = KEYS.get(name);
    if (key) known.push(key);
  }
  return known.sort((one, other) => one.order - other.order);
}

/**
 * Returns whether the host stopped the work itself. Checks the class names and codes of abort signals in JavaScript,
 * Python and the SDKs. Names must match exactly, because a service may have errors such as `OrderCancelledError`.
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

/** Adds a status (a number or `"429"`) or a code (a word). gRPC puts its code under `status`. */
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

/** Reads a member of an object that may be a proxy or have a throwing getter. */
function read(object: unknown, key: string | number): unknown {
  try {
    return (object as Record<string | number, unknown>)[key]; // holds for any value: the read returns or throws
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

function membersOf(list: unknown): readonly unknown[] {
  return Array.from({ length: MAX_MEMBERS }, (_, index) => read(list, index));
}

/** Returns the error's name, or the class name if the SDK left the name at `Error`. */
function readName(object: object): string | undefined {
  let name = read(object, 'name');
  if (name === undefined || name === 'Error') {
    const maker = read(object, 'constructor');
    const className = maker === undefined ? undefined : read(maker, 'name');
    name = className === 'Object' ? name : className;
  }
  return typeof name === 'string' && name !== '' ? name.slice(0, MAX_CODE) : undefined;
}

/** Returns one header of a plain object or of `Headers`. */
export function readHeader(headers: object, name: string): string | undefined {
  let value =
    read(headers, name) ??
    read(
      headers,
      name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    );
  try {
    value ??= (headers as Headers).get(name); // throws if the method is missing
  } catch {
    // Headers that cannot be read state nothing.
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
