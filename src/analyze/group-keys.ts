import type { Issue } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';
import { type GroupKey, OUTLIER } from './failure-group.js';
import { kindOfNamed } from './outliers.js';

/** Limit on counted issues per outcome. Further issues are noise. */
const MAX_ISSUES = 4;

/** Returns the groups of a failure. Its message describes the first issue; further ones are counted without a wording. */
export function keysOfFailure(outcome: Outcome, wordingOf: (message: string) => string): readonly GroupKey[] {
  const { task, parent, error } = outcome;
  return namedIssues(outcome).map((issue, position) => {
    const wording = position === 0 && error ? wordingOf(error.message) : '';
    return { kind: 'failure', task, child: parent !== undefined, issue, wording };
  });
}

/** Returns the groups of a success whose caller named issues. */
export function keysOfNamed({ task, parent, issues }: Outcome): readonly GroupKey[] {
  const named = issues.slice(0, MAX_ISSUES);
  return named.map((issue) => ({ kind: kindOfNamed(issue), task, child: parent !== undefined, issue, wording: '' }));
}

/** Returns the issues an outcome is counted under: `unknown` only if no other issue is named. */
function namedIssues(outcome: Outcome): readonly Issue[] {
  const named = [...new Set(outcome.issues)].filter((issue) => issue !== 'unknown').slice(0, MAX_ISSUES);
  return named.length > 0 ? named : ['unknown'];
}

/** Describes a group that has no message of its own. */
export function sentenceOf({ kind, task, issue, wording }: GroupKey): string {
  if (kind === 'failure') return `${task} failed: ${issue}`;
  if (wording !== OUTLIER) return `${task} succeeded with ${issue}`;
  switch (kind) {
    case 'slow':
      return `${task} took longer than nine in ten of its past`;
    case 'costly':
      return `${task} cost more than nine in ten of its past`;
    case 'low-quality':
      return `${task} succeeded with quality 1 or 2`;
    default:
      return kind satisfies never;
  }
}
