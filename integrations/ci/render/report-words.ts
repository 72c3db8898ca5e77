import { stripVTControlCharacters } from 'node:util';
import { recordedText } from 'rsi-loop/kit';
import type { CiReport, Finding } from '../ci-report.js';
import type { TestClass } from '../judge-test.js';

/** Words for each class, for people. */
export const CLASS_WORDS: Readonly<Record<TestClass, { readonly title: string; readonly meaning: string }>> = {
  new: { title: 'New', meaning: 'fails now, and did not fail before' },
  returned: { title: 'Returned', meaning: 'was fixed, and fails again' },
  broken: { title: 'Broken', meaning: 'failed before, and still fails' },
  flaky: { title: 'Flaky', meaning: 'passed and failed at the same commit' },
  fixed: { title: 'Fixed', meaning: 'failed before, and passes now' },
};

/** Returns recorded text on one line without control and invisible characters. */
export function oneLine(text: string, maxBytes = 400): string {
  return recordedText(stripVTControlCharacters(text), maxBytes);
}

/** Returns the result in one line: `2 new, 1 flaky, 1 fixed of 120 tests`. */
export function headline({ counts, more }: CiReport): string {
  const parts = (['new', 'returned', 'broken', 'flaky', 'fixed'] as const)
    .filter((each) => counts[each] > 0)
    .map((each) => `${counts[each]} ${each}`);
  const all = `${number(counts.tests)} ${counts.tests === 1 ? 'test' : 'tests'}`;
  if (more > 0) parts.push(`${more} more not listed`);
  if (parts.length > 0) return `${parts.join(', ')} of ${all}`;
  return counts.failed > 0 ? `${counts.failed} failed of ${all}` : `${all}, none failed`;
}

/** Returns what the results were compared with, as a sentence. */
export function comparedWords({ compared: { branchRuns, baseRuns }, run: { branch, base } }: CiReport): string {
  const parts = [
    ...(branchRuns > 0 ? [`${runs(branchRuns)} of ${oneLine(branch, 80)}`] : []),
    ...(baseRuns > 0 ? [`${runs(baseRuns)} of ${oneLine(base, 80)}`] : []),
  ];
  if (parts.length === 0) return 'Nothing to compare with yet: every failing test counts as new.';
  return `Compared with ${parts.join(' and ')}.`;
}

/** Returns what is known of the past of a finding; empty if nothing. */
export function pastWords(finding: Finding): string {
  const { class: found, streak, sinceMs, sinceCommit, failsOnBase, attempts, rate } = finding;
  const parts: string[] = [];
  if (found === 'flaky') {
    const share = rate
      ? `: ${percent(rate.value)} %, 95 % interval ${percent(rate.low)} to ${percent(rate.high)} %`
      : ', not enough data for a rate';
    parts.push(`${attempts.failed} of ${attempts.of} attempts failed${share}`);
  } else if (found === 'fixed') parts.push(`failed in ${runs(streak)} before`);
  else if (streak > 1) {
    const since = sinceMs === undefined ? '' : ` since ${new Date(sinceMs).toISOString().slice(0, 10)}`;
    parts.push(`failed in ${runs(streak)}${since}${sinceCommit ? `, first at ${shortCommit(sinceCommit)}` : ''}`);
  }
  if (failsOnBase !== undefined && found !== 'fixed' && found !== 'flaky')
    parts.push(failsOnBase ? 'fails on the base branch too' : 'passes on the base branch');
  return parts.join('; ');
}

/** Returns branch, commit and job in one line. */
export function runWords({ run: { branch, commit, job } }: CiReport): string {
  return [branch, ...(commit ? [shortCommit(commit)] : []), job].map((each) => oneLine(each, 120)).join(' · ');
}

export function testName({ suite, name }: Pick<Finding, 'suite' | 'name'>): string {
  return oneLine(`${suite} › ${name}`);
}

export function shortCommit(commit: string): string {
  return oneLine(/^[\da-f]{12,}$/i.test(commit) ? commit.slice(0, 8) : commit, 40);
}

function runs(count: number): string {
  return `${number(count)} ${count === 1 ? 'run' : 'runs'}`;
}

const NUMBER = new Intl.NumberFormat('en');

function number(value: number): string {
  return NUMBER.format(value);
}

function percent(share: number): string {
  return (share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0);
}
