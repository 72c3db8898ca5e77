import { describe, expect, it } from 'vitest';
import { causeInWords } from '../../src/analyze/cause-words.js';
import { findRootCause } from '../../src/analyze/root-cause.js';
import { issueSaid } from '../../src/classify/said.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { Observer } from '../../src/observe/observer.js';
import {
  FIFTH_SENTENCES,
  FOURTH_SENTENCES,
  LAST_SENTENCES,
  LATER_SENTENCES,
  REVIEWER_SENTENCES,
} from '../classify/reviewer-sentences.js';

function noticed(actual: string, expected?: string): Outcome | undefined {
  const found: Outcome[] = [];
  const observer = new Observer({
    clock: { now: () => 1 },
    newId: () => 'o1',
    into: { take: (outcome) => found.push(outcome) },
    report: () => {},
  });
  observer.recordFailure({ task: 'review', actual, ...(expected !== undefined && { expected }) });
  return found[0];
}

const TRANSPORT = /^(?:auth|timeout|network|rate_limit|quota_exceeded|permission|server_error|overloaded|not_found)$/;

function causeOf(actual: string): string {
  const issue = noticed(actual)?.issues[0] ?? 'unknown';
  const behaviour = { seen: 1, differed: 0, missing: 0, claimed: 0, asked: 0, repeated: 0 };
  return findRootCause({ issue, behaviour, precededBy: [], texts: [actual] }).cause;
}

describe('words of people', () => {
  it('are no transport errors: a mail to the wrong person is no rejected login', () => {
    expect(noticed('sent the mail to the wrong person', 'a mail to Kim')?.issues).toEqual(['wrong_output']);
    expect(noticed('mixed up UTC and local time')?.issues).toEqual(['unknown']);
    expect(noticed('confused the billing address with the shipping address')?.issues).toEqual(['unknown']);
  });

  it('have the class of an error if they say that a service failed, or quote what a program printed', () => {
    expect(noticed('the calendar API timed out after 30 s')?.issues).toEqual(['timeout']);
    expect(noticed('connect ECONNREFUSED 10.0.0.1:80', 'a page')?.issues).toEqual(['network']);
    expect(noticed('429 Too Many Requests')?.issues).toEqual(['rate_limit']);
    expect(noticed('timed out')?.issues).toEqual(['timeout']);
  });

  it('say that a service failed only if the agent is not the subject', () => {
    expect(noticed('the search service was down')?.issues).toEqual(['tool_failure']);
    expect(noticed('concluded that the server is down because one ping failed')?.issues).toEqual(['unknown']);
    expect(noticed('bash: $OUT: ambiguous redirect')?.issues).toEqual(['tool_failure']);
  });

  it('are read alike in the typed path', () => {
    const found: Outcome[] = [];
    const options = { clock: { now: () => 1 }, newId: () => 'o1', report: () => {} };
    const observer = new Observer({ ...options, into: { take: (outcome) => found.push(outcome) } });
    const actual = 'sent the mail to the wrong person, error 401 in the log';
    observer.recordSimple('review', { success: false, actual, error: actual, issues: ['wrong_step'] });
    observer.recordSimple('review', { success: false, actual: '4', error: 'connect ECONNREFUSED 10.0.0.1:80' });
    expect(found.map(({ issues }) => issues)).toEqual([['wrong_step'], ['network']]);
  });

  it('yield to the issue that the caller named', () => {
    const found: Outcome[] = [];
    const observer = new Observer({
      clock: { now: () => 1 },
      newId: () => 'o1',
      into: { take: (outcome) => found.push(outcome) },
      report: () => {},
    });
    observer.recordFailure({ task: 't', actual: 'the API timed out', issues: ['loop'] });
    expect([found[0]?.issues, issueSaid('the API timed out')]).toEqual([['loop'], 'timeout']);
  });

  const all = [REVIEWER_SENTENCES, LATER_SENTENCES, LAST_SENTENCES, FOURTH_SENTENCES, FIFTH_SENTENCES].flatMap(
    (table) => Object.entries(table).flatMap(([cause, texts]) => texts.map((text) => [text, cause] as const)),
  );

  it.each(all.filter(([, cause]) => cause !== 'tool_failure'))('give "%s" no class of the transport', (text) => {
    expect(noticed(text)?.issues[0]).not.toMatch(TRANSPORT);
  });

  it('find the cause of most sentences, and of hardly any the wrong one', () => {
    const wrong = all.filter(([text, cause]) => ![cause, 'undetermined'].includes(causeOf(text)));
    expect(wrong.length / all.length).toBeLessThanOrEqual(0.03);
    const later = Object.entries(LATER_SENTENCES).flatMap(([cause, texts]) => texts.map((text) => [text, cause]));
    const right = later.filter(([text, cause]) => causeInWords(text as string)?.cause === cause);
    expect(right.length).toBeGreaterThanOrEqual(25);
  });

  it.each([
    ['a fourth day', FOURTH_SENTENCES, 22],
    ['a fifth day, written after all signs', FIFTH_SENTENCES, 23],
  ])('names no wrong cause for the sentences of %s', (_, table, found) => {
    const rows = Object.entries(table).flatMap(([cause, texts]) => texts.map((text) => [text, cause] as const));
    expect(rows.filter(([text, cause]) => ![cause, 'undetermined'].includes(causeOf(text)))).toEqual([]);
    const right = rows.filter(([text, cause]) => (causeInWords(text)?.cause ?? 'undetermined') === cause);
    expect([rows.length, right.length]).toEqual([30, found]);
  });

  it('finds the cause of most of the last sentences, and is undetermined about the others', () => {
    const last = Object.entries(LAST_SENTENCES).flatMap(([cause, texts]) =>
      texts.map((text) => [text, cause] as const),
    );
    expect(last.filter(([text, cause]) => ![cause, 'undetermined'].includes(causeOf(text)))).toEqual([]);
    const right = last.filter(([text, cause]) => (causeInWords(text)?.cause ?? 'undetermined') === cause);
    expect([last.length, right.length]).toEqual([30, 26]);
  });

  it('takes no report of a program for an action of the agent', () => {
    for (const text of [
      'used 512 MB of memory in the last run',
      'sent 3 of 5 parts to https://host/upload',
      'Set PATH_TO_DATA before you begin here',
    ])
      expect(causeInWords(text), text).toBeUndefined();
  });
});

describe('a cause', () => {
  it('is never surer than the class it comes from', () => {
    const behaviour = { seen: 3, differed: 0, missing: 0, claimed: 0, asked: 0, repeated: 0 };
    const known = { issue: 'timeout', behaviour, precededBy: [], texts: [] };
    expect(findRootCause(known).confidence).toBe(0.8);
    expect(findRootCause({ ...known, issueConfidence: 0.4 }).confidence).toBe(0.4);
  });

  it('comes from the words rather than from a guessed class', () => {
    const behaviour = { seen: 3, differed: 0, missing: 0, claimed: 0, asked: 0, repeated: 0 };
    const texts = ['swapped latitude and longitude'];
    const found = findRootCause({ issue: 'auth', issueConfidence: 0.4, behaviour, precededBy: [], texts });
    expect(found.cause).toBe('reasoning_error');
  });
});
