import type { ErrorCategory } from '../records.js';
import { readFacts } from './facts.js';

/** What an error was called, and on what grounds. */
export interface Classification {
  readonly category: ErrorCategory;
  /** 0 to 1. */
  readonly confidence: number;
  /** The same call may succeed a moment later. Never true for an error that a second try cannot mend. */
  readonly retryable: boolean;
  /** The wait the other side asked for. */
  readonly retryAfterMs?: number;
  /** Other categories something pointed at, most likely first. */
  readonly alternatives: readonly { readonly category: ErrorCategory; readonly confidence: number }[];
  /** Id of the rule that decided; `none` where nothing matched. */
  readonly rule: string;
}

/** A rule of the user's own. They go in front of the built-in ones, the first that matches decides. */
export interface ErrorRule {
  readonly id: string;
  readonly category: ErrorCategory;
  /** A regular expression tried on the error's text. */
  readonly pattern: RegExp;
  /** 0 to 1. Default 1. */
  readonly confidence?: number;
}

export interface ClassifyOptions {
  readonly rules?: readonly ErrorRule[];
}

/** Whether the same call may succeed a moment later, as far as the category tells. */
export function isRetryable(category: ErrorCategory): boolean {
  return RETRYABLE.has(category);
}

const RETRYABLE: ReadonlySet<ErrorCategory> = new Set([
  'rate_limit',
  'overloaded',
  'timeout',
  'network',
  'empty_response',
  'parse_error',
  'resource_exhausted',
  'server_error',
]);

/** Gives an error its name. Never throws: what nothing is known about is `unknown`. */
export function classifyError(input: unknown, options: ClassifyOptions = {}): Classification {
  const layers = readFacts(input);
  const text = layers.map((facts) => [facts.name, ...facts.codes, ...facts.messages].join('\n')).join('\n');
  const status = layers.findLast((facts) => facts.status !== undefined)?.status;
  const retryAfterMs = layers.findLast((facts) => facts.retryAfterMs !== undefined)?.retryAfterMs;
  const rule = options.rules?.find(({ pattern }) => text.search(pattern) >= 0);
  const category = rule?.category ?? BY_STATUS[status ?? 0] ?? byWord(text) ?? 'unknown';
  return {
    category,
    confidence: rule ? (rule.confidence ?? 1) : category === 'unknown' ? 0 : 0.6,
    retryable: isRetryable(category),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    alternatives: [],
    rule: rule?.id ?? (category === 'unknown' ? 'none' : category),
  };
}

const BY_STATUS: Readonly<Record<number, ErrorCategory>> = {
  401: 'auth',
  402: 'quota_exceeded',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  429: 'rate_limit',
  500: 'server_error',
  502: 'server_error',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

const WORDS: readonly (readonly [ErrorCategory, RegExp])[] = [
  ['rate_limit', /rate.?limit|too many requests|\b429\b/i],
  ['quota_exceeded', /quota|billing/i],
  ['overloaded', /overloaded|\b529\b/i],
  ['timeout', /ETIMEDOUT|timed? ?out|deadline/i],
  ['network', /ECONN|ENOTFOUND|EAI_AGAIN|socket hang up|fetch failed|connection error/i],
  ['auth', /unauthorized|api.?key|\b401\b/i],
  ['permission', /permission|forbidden|\b403\b/i],
  ['not_found', /not found|ENOENT|\b404\b/i],
  ['context_length', /context.?length|maximum context/i],
  ['empty_response', /empty (?:response|reply)/i],
  ['parse_error', /JSON/],
  ['cancelled', /cancell?ed|abort/i],
  ['server_error', /internal server error|\b50[0-9]\b/i],
];

function byWord(text: string): ErrorCategory | undefined {
  return WORDS.find(([, pattern]) => pattern.test(text))?.[0];
}
