import type { Pattern } from '../contract/pattern.js';
import type { RuleDraft } from './rule-draft.js';

interface AdviceRow {
  readonly says: RegExp;
  readonly text: string;
  readonly why: string;
}

/** Messages of services under pressure. Where no setting is ever read, the agent itself has to wait. */
const ROWS: readonly AdviceRow[] = [
  {
    says: /\b429\b|too many requests|rate.?limit|overloaded|\b529\b|throttl|at capacity/i,
    text: 'When a call is limited or the service says that it is overloaded, wait as long as the answer says, or else a minute, and make the remaining calls one after another.',
    why: 'each message asks for fewer calls, and no setting of these tasks is read',
  },
  {
    says: /\b50[0234]\b|bad gateway|service unavailable|internal server error|ECONNRESET|socket hang up|ETIMEDOUT|connection (?:reset|closed)|network error|fetch failed/i,
    text: 'When a service breaks or cannot be reached, wait ten seconds, and repeat the call at most twice, only if doing it twice does no harm.',
    why: 'each message says that the service or the connection broke, and no setting of these tasks is read',
  },
];

/** Returns the rule that asks an agent to do what a setting would, if every message of the pattern states it. */
export function adviceRules({ kind, examples }: Pattern): readonly RuleDraft[] {
  if (kind !== 'failure' || examples.length === 0) return [];
  const row = ROWS.find(({ says }) => examples.every((example) => says.test(example)));
  return row ? [{ text: row.text, why: row.why, file: 'TOOLS', confidence: 0.5 }] : [];
}
