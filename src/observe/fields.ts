import { OUTCOME_FIELDS, type OutcomeField } from '../contract/outcome.js';
import {
  readDuration,
  readHttpStatus,
  readName,
  readStatus,
  readSuccess,
  readTime,
  readTokenCount,
  type StatusRead,
} from './values.js';

/** Form in which senders state part of an outcome, in other fields or units than the outcome has. */
interface Form<Value> {
  /** Accepted spellings besides its own name, without case, `_`, `-`, `.` and spaces. */
  readonly also: string;
  readonly expected: string;
  readonly read: (value: unknown) => Value | undefined;
}

/** Values read by form. */
export interface Forms {
  readonly failed: boolean;
  readonly status: StatusRead;
  readonly at: number;
  readonly durationS: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly errorName: string;
  readonly errorCode: string;
  readonly errorStatus: number;
  readonly retryAfterMs: number;
  readonly retryAfterS: number;
}

export const FORMS: { readonly [Name in keyof Forms]: Form<Forms[Name]> } = {
  failed: { also: 'iserror', expected: 'true or false', read: readSuccess },
  status: { also: 'outcome result', expected: 'ok, error, or an HTTP status', read: readStatus },
  at: {
    also: 'ts timestamp time endtime endedat finishedat createdat',
    expected: 'an ISO date or epoch seconds or milliseconds, 1990 to 2099',
    read: readTime,
  },
  durationS: {
    also: 'durationsec durationseconds latencys latencyseconds elapsedseconds',
    expected: 'seconds, 0 or more',
    read: (value) => readDuration(value, 1_000),
  },
  inputTokens: {
    also: 'prompttokens tokensin tokensinput inputtokencount prompttokencount promptevalcount',
    expected: 'a count of tokens',
    read: readTokenCount,
  },
  outputTokens: {
    also: 'completiontokens tokensout tokensoutput outputtokencount candidatestokencount evalcount',
    expected: 'a count of tokens',
    read: readTokenCount,
  },
  cacheReadInputTokens: { also: 'cachecreationinputtokens', expected: 'a count of tokens', read: readTokenCount },
  errorName: { also: 'errortype errorclass exceptiontype', expected: 'a text', read: readName },
  errorCode: { also: 'code', expected: 'a text', read: readName },
  errorStatus: {
    also: 'statuscode httpstatus httpstatuscode httpcode',
    expected: 'an HTTP status, 100 to 599',
    read: readHttpStatus,
  },
  retryAfterMs: { also: '', expected: 'a time to wait, 0 or more', read: (value) => readDuration(value, 1) },
  retryAfterS: {
    also: 'retryafter retryafterseconds',
    expected: 'seconds to wait, 0 or more',
    read: (value) => readDuration(value, 1_000),
  },
};

/** Meaning of a sender's key: a field of the outcome, or a form of one. */
export type Meaning =
  | { readonly kind: 'field'; readonly name: keyof typeof OUTCOME_FIELDS; readonly field: OutcomeField }
  | { readonly kind: 'form'; readonly name: keyof Forms };

const MEANINGS = /* @__PURE__ */ meaningsBySpelling();

function meaningsBySpelling(): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  const add = (meaning: Meaning, also = '') => {
    const spellings = `${meaning.name} ${meaning.name.toLowerCase()} ${also}`.trim().split(' ');
    for (const spelling of spellings) meanings.set(spelling, meaning);
  };
  for (const [name, field] of Object.entries<OutcomeField>(OUTCOME_FIELDS)) {
    add({ kind: 'field', name: name as keyof typeof OUTCOME_FIELDS, field }, field.also); // the table's keys are the names
  }
  for (const [name, { also }] of Object.entries(FORMS)) add({ kind: 'form', name: name as keyof Forms }, also); // likewise
  return meanings;
}

/** Maximum length of a spelling, with its separators. */
const MAX_SPELLING = 40;

/** Returns what a key means; `undefined` if it belongs in `context`. */
export function meaningOf(key: string): Meaning | undefined {
  if (key.length > MAX_SPELLING) return undefined;
  return MEANINGS.get(key) ?? MEANINGS.get(key.replace(/[_\-. ]/g, '').toLowerCase());
}
