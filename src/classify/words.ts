import { wordSet } from '../lib/word-set.js';

/** Kinds of words: what they say about themselves or about the next word. Looked up by hash in the single pass. */
export const PLAIN = 0;
/** Unit of the number before it: `20 ms`, `1.16 KB`. */
export const UNIT = 1;
/** Day and month names, as variable as the digits of a date. */
export const CALENDAR = 2;
/** A value like any other if a value is expected: `allDrawn=false`. */
export const LITERAL = 3;
/** The number or name after it is a status and distinguishes errors. */
export const CODE = 4;
/** A number of three digits or more after it is a code: `error -32603`. */
export const ERROR = 5;
/** A well-known HTTP status after it counts as one: `upstream said 429`. */
export const REPORTS = 6;
/** The quoted value after it is the message, not a value inside it: `"message": "..."`, `"code": "..."`. */
export const SPEAKS = 7;
/** Before a full URL it belongs to the call, like the URL. */
export const METHOD = 8;
/** The next word is likely to be a name: `for user root`. */
export const NAMES = 9;
/** The next word is often a name: `from peer7`. */
export const POINTS = 10;
/** Follows an HTTP status: `429 Too Many Requests`. */
export const REASON = 11;
/** Changes the meaning of a sentence; never a value. */
export const GRAMMAR = 12;

/** An exit status follows. */
export const EXIT = 13;
/** After a colon, another program's text follows, which may say anything: `tool "x" threw: ...`. */
export const THREW = 14;
/** The bare word after it is one of many reasons: `finishReason SPII`. In a field it is a state. */
export const REASONED = 16;
/** States what happened to the thing named before it, even in place of a name: `user denied`, `model loading`. */
export const PREDICATE = 15;

const TABLE: readonly (readonly [kind: number, words: string])[] = [
  [UNIT, 'b kb mb gb tb kib mib gib byte bytes ms us ns s sec secs second seconds min mins minute minutes'],
  [UNIT, 'h hr hrs hour hours day days hz khz mhz ghz am pm utc gmt est edt cst cdt pst pdt cet cest'],
  [CALENDAR, 'Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday'],
  [CALENDAR, 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec January February March April June July August'],
  [CALENDAR, 'September October November December'],
  [LITERAL, 'true false null none nil undefined nan NaN'],
  [CODE, 'status statuscode status_code code error_code errorcode errno http http_status httpstatus'],
  [EXIT, 'exit exits exited exitcode exit_code'],
  [ERROR, 'error err errors failure'],
  [REPORTS, 'said got returned returns answered responded answers response with'],
  [SPEAKS, 'message msg detail details reason type title description status_text error_type'],
  [METHOD, 'GET POST PUT PATCH DELETE HEAD OPTIONS'],
  [NAMES, 'user users username account organization org host hostname node domain file directory folder table column'],
  [NAMES, 'relation database variable function method operation tool script module package image container model'],
  [NAMES, 'deployment queue topic bucket device interface job task service attribute property command named called'],
  [
    NAMES,
    'server peer upstream broker replica cluster namespace pod customer member role tenant project repository branch',
  ],
  [NAMES, 'operation action endpoint bash zsh dash ksh sh'],
  [THREW, 'threw'],
  [REASONED, 'finishReason stopReason finish_reason stop_reason'],
  [POINTS, 'for from by at via on'],
  [REASON, 'Bad Unauthorized Payment Forbidden Not Method Request Conflict Gone Payload Unprocessable Too Internal'],
  [REASON, 'Service Gateway Client Content Precondition Unsupported Locked Network Site Server'],
  [GRAMMAR, 'not is was are were be been has had have can cannot could will would the a an and or to of in into'],
  [GRAMMAR, 'unknown invalid valid failed failure success successful ok too no more less before after while because'],
  [
    PREDICATE,
    'denied failed refused closed expired exceeded reached required rejected cancelled canceled aborted timed',
  ],
  [
    PREDICATE,
    'disconnected terminated overloaded loading missing unavailable unreachable disabled enabled suspended locked',
  ],
  [
    PREDICATE,
    'revoked blocked deleted removed created updated changed changing moved renamed replaced restarted restarting',
  ],
  [
    PREDICATE,
    'started starting stopped stopping crashed running pending waiting connected connecting reset exhausted limited',
  ],
  [
    PREDICATE,
    'throttled flagged deprecated retired decommissioned skipped ignored added accepted completed finished lost',
  ],
  [
    PREDICATE,
    'returned responded dropped interrupted corrupted truncated found needed allowed permitted authorized supported',
  ],
  [
    PREDICATE,
    'registered configured installed specified provided defined declared opened received requested restricted',
  ],
];

/** Seeds and multipliers of the two hash lanes, which are updated while a word's characters are read. */
export const SEED_HIGH = 0x2f0b4c47;
export const SEED_LOW = 0x41c6ce57;
export const PRIME_HIGH = 0x01000193;
export const PRIME_LOW = 0x5f356495;

const SLOTS = 2_048;
/** Built on first use to keep importing free. Never changes afterwards. */
let wordIndex: ReturnType<typeof indexTable> | undefined;

/** Returns the kind of the word with this hash in the high lane. */
export function kindOfHash(hash: number): number {
  wordIndex ??= indexTable();
  const { keys, kinds } = wordIndex;
  let slot = slotOf(hash);
  for (;;) {
    const kind = kinds[slot];
    if (kind === undefined || kind === PLAIN) return PLAIN;
    if (keys[slot] === hash) return kind;
    slot = (slot + 1) % SLOTS;
  }
}

export function kindOfWord(word: string): number {
  return kindOfHash(hashOf(word));
}

/** Builds an open-addressed table, because a look-up per word must not allocate. */
function indexTable(): { readonly keys: Int32Array; readonly kinds: Uint8Array } {
  const keys = new Int32Array(SLOTS);
  const kinds = new Uint8Array(SLOTS);
  const add = (word: string, kind: number) => {
    const hash = hashOf(word);
    let slot = slotOf(hash);
    while (kinds[slot] !== PLAIN && keys[slot] !== hash) slot = (slot + 1) % SLOTS;
    // A word in two rows belongs to the first.
    if (kinds[slot] !== PLAIN) return;
    keys[slot] = hash;
    kinds[slot] = kind;
  };
  for (const [kind, words] of TABLE) {
    const asWritten = kind === CALENDAR || kind === METHOD || kind === REASON;
    for (const word of words.split(' ')) for (const form of asWritten ? [word] : spellings(word)) add(form, kind);
  }
  return { keys, kinds };
}

function hashOf(word: string): number {
  let hash = SEED_HIGH;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), PRIME_HIGH);
  return hash;
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function spellings(word: string): readonly string[] {
  return [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];
}

/** Final labels that mark a dotted word as a host or file name. */
const NAME_ENDINGS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'com org net edu gov mil dev app info biz local localdomain internal intranet corp home lan test example invalid cloud ' +
    'js cjs mjs ts tsx jsx py pyc json jsonl yaml yml toml ini cfg conf env lock md txt csv tsv log html htm xml css svg png ' +
    'jpg jpeg gif pdf sh bash zsh c cc cpp h hpp java jar class kt go rs rb php pl so dll exe bin dat db sqlite sql gz zip tar ' +
    'asia xyz shop online site tech store agency systems network travel mobi name pro top club live space website global ' +
    'solutions digital group world today media studio design software services host run page link zone news earth ' +
    'pt onnx gguf safetensors parquet ipynb tmp bak out pid sock service properties',
);

/** Returns whether the text is a host, file, package or address, not a word. `start` to `end` contains no digit. */
export function isName(text: string, start: number, end: number): boolean {
  let slashes = 0;
  let dots = 0;
  let lastDot = -1;
  let upper = false;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 92 || (unit === 64 && index + 1 < end)) return true;
    if (unit === 47) {
      slashes++;
      dots = 0;
    } else if (unit === 46) {
      dots++;
      lastDot = index;
    } else if (unit > 64 && unit < 91) upper = true;
  }
  if (dots === 0) return slashes > 1;
  return (
    slashes > 0 ||
    hasNameEnding(text.slice(lastDot + 1, end), upper) ||
    (dots > 1 && !upper && isDotted(text, start, end))
  );
}

/** Returns whether the last label of a dotted word marks a host or file. Countries and many files end in two letters. */
function hasNameEnding(ending: string, hasUpper: boolean): boolean {
  return (ending.length === 2 && !hasUpper) || (ending.length <= 11 && NAME_ENDINGS.has(ending));
}

/** Returns whether a word of three or more labels is a host or a package such as `com.example.reader`. */
function isDotted(text: string, start: number, end: number): boolean {
  return isHostLike(text, start, end) || /^(com|org|net|edu|gov|io|cn|de)\./.test(text.slice(start, start + 4));
}

/** Returns whether the text has three or more lower-case labels: a host, package or module with any ending. */
function isHostLike(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    if (unit !== 45 && unit !== 46 && (unit < 97 || unit > 122)) return false;
  }
  return true;
}

/** Returns whether a word looks like the name of an error class. These are never variable, with or without digits. */
export function isErrorClass(text: string, start: number, end: number): boolean {
  switch (text.charCodeAt(end - 1)) {
    case 114:
      return end - start > 5 && text.startsWith('Error', end - 5);
    case 110:
      return end - start > 9 && text.startsWith('Exception', end - 9);
    case 116:
      return end - start > 9 && (text.startsWith('Interrupt', end - 9) || text.startsWith('Fault', end - 5));
    case 103:
      return end - start > 7 && text.startsWith('Warning', end - 7);
    default:
      return false;
  }
}

export function isFileName(text: string, start: number, end: number): boolean {
  const dot = text.lastIndexOf('.', end - 1);
  return dot > start && isName(text, dot - 1, end);
}
