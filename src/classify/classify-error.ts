import type { ErrorCategory } from '../records.js';
import { type Facts, readFacts } from './facts.js';
import { type RuleFinder, ruleFinder } from './find-rules.js';
import { growTree } from './phrase-tree.js';
import { statedInText } from './retry-after.js';
import { RULES as ENGLISH_RULES, type RuleRow } from './rules.js';
import { LANGUAGE_RULES } from './rules-languages.js';

/** What an error was called, and on what grounds. */
export interface Classification {
  readonly category: ErrorCategory;
  /** 0 to 1; 0 where nothing matched. */
  readonly confidence: number;
  /** The same call may succeed a moment later. Never true for an error that a second try cannot mend. */
  readonly retryable: boolean;
  /** The wait the other side asked for. */
  readonly retryAfterMs?: number;
  /** Other categories something pointed at, most likely first. */
  readonly alternatives: readonly { readonly category: ErrorCategory; readonly confidence: number }[];
  /** Which rule decided, e.g. `rate_limit/wording`; `none` where nothing matched. */
  readonly rule: string;
}

/** A rule of the user's own. They go in front of the built-in ones, the first that matches decides. */
export interface ErrorRule {
  readonly id: string;
  readonly category: ErrorCategory;
  /** Tried on names, codes and messages of the error, one a line. */
  readonly pattern: RegExp;
  /** 0 to 1. Default 1. */
  readonly confidence?: number;
}

export interface ClassifyOptions {
  readonly rules?: readonly ErrorRule[];
}

/** Whether the same call may succeed a moment later, as far as the category tells. */
export function isRetryable(category: ErrorCategory): boolean {
  return RETRYABLE.includes(category);
}

// Not `tool_failure` and `unknown`: nothing says that they pass.
const RETRYABLE: readonly ErrorCategory[] = [
  'rate_limit',
  'overloaded',
  'timeout',
  'network',
  'empty_response',
  'parse_error',
  'resource_exhausted',
  'server_error',
];

/** A cause this sure decides, whatever wraps it. */
const DECIDES = 45;

const RULES: readonly RuleRow[] = /* @__PURE__ */ ENGLISH_RULES.concat(LANGUAGE_RULES);

/** Built on first use, so that importing costs nothing; never changes after. */
let finder: RuleFinder | undefined;

/** Gives an error its name. Never throws: what nothing is known about is `unknown`. */
export function classifyError(input: unknown, options: ClassifyOptions = {}): Classification {
  return classifyFacts(readFacts(input), options.rules);
}

/** The category alone, for whoever has read the error already. */
export function categoryOf(layers: readonly Facts[], rules: readonly ErrorRule[]): ErrorCategory {
  return findOwn(rules, layers)?.category ?? decide(layers, [])?.[0] ?? 'unknown';
}

function classifyFacts(layers: readonly Facts[], rules: readonly ErrorRule[] = []): Classification {
  const matched: RuleRow[] = [];
  const decided = decide(layers, matched);
  const sure = decided !== undefined && decided[2] >= DECIDES;
  const own = findOwn(rules, layers);
  const category = own?.category ?? decided?.[0] ?? 'unknown';
  const retryAfterMs = waitOf(layers, isRetryable(category) || category === 'quota_exceeded');
  const said = {
    category,
    confidence: own ? (own.confidence ?? 1) : (decided?.[2] ?? 0) / 100,
    retryable: isRetryable(category) && (own !== undefined || sure) && !layers.some((facts) => facts.final),
    alternatives: matched.length > 1 || own ? alternativesOf(matched, category) : [],
    rule: own?.id ?? (decided ? `${decided[0]}/${decided[1]}` : 'none'),
  };
  return retryAfterMs === undefined ? said : { ...said, retryAfterMs };
}

/** The surest row that matches, innermost layer first; `matched` is given all that do. */
function decide(layers: readonly Facts[], matched: RuleRow[]): RuleRow | undefined {
  finder ??= ruleFinder(growTree(RULES.map((row) => row[3])));
  let decided: RuleRow | undefined;
  let settled = false;
  const onRule = (rule: number) => {
    const row = RULES[rule];
    if (!row || matched.includes(row)) return;
    matched.push(row);
    if (!settled && (!decided || row[2] >= decided[2])) decided = row;
  };
  for (let index = layers.length - 1; index >= 0; index--) {
    settled = decided !== undefined && decided[2] >= DECIDES;
    for (const text of layers[index]?.texts ?? []) finder(text, onRule);
  }
  return decided;
}

/** The surest row of each other category, surest first. */
function alternativesOf(matched: readonly RuleRow[], category: ErrorCategory): Classification['alternatives'] {
  const others: RuleRow[] = [];
  for (const row of matched) {
    const known = others.findIndex((other) => other[0] === row[0]);
    if (row[0] === category || (others[known]?.[2] ?? 0) >= row[2]) continue;
    others[known < 0 ? others.length : known] = row;
  }
  if (others.length > 1) others.sort((one, other) => other[2] - one[2]);
  return others.map((row) => ({ category: row[0], confidence: row[2] / 100 }));
}

function findOwn(rules: readonly ErrorRule[], layers: readonly Facts[]): ErrorRule | undefined {
  if (rules.length === 0) return undefined;
  const text = layers.flatMap((facts) => facts.texts).join('\n'); // bounded by `readFacts`
  return rules.find((rule) => text.search(rule.pattern) >= 0);
}

/** The innermost wait stated as a field or header; else, where waiting can help at all, the first stated in words. */
function waitOf(layers: readonly Facts[], inWords: boolean): number | undefined {
  let wait: number | undefined;
  for (const facts of layers) wait = facts.retryAfterMs ?? wait;
  if (wait === undefined && inWords)
    for (const facts of layers) for (const text of facts.texts) wait ??= statedInText(text);
  return wait;
}
