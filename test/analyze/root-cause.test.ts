import { describe, expect, it } from 'vitest';
import { Behaviour } from '../../src/analyze/behaviour.js';
import { causeInWords } from '../../src/analyze/cause-words.js';
import { findRootCause } from '../../src/analyze/root-cause.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { CAUSE_TEXTS } from './cause-texts.js';
import { HOUR, makeFailure, START } from './make-outcome.js';

function causeOf(issue: string, outcomes: readonly Partial<Outcome>[] = [], precededBy: readonly string[] = []) {
  const behaviour = new Behaviour();
  for (const fields of outcomes) behaviour.add(makeFailure(issue, 'no', fields));
  const texts = behaviour.differences.map(({ actual }) => actual);
  return findRootCause({ issue, behaviour: behaviour.counts, precededBy, texts });
}

const times = (count: number, fields: Partial<Outcome>) => Array.from({ length: count }, () => fields);

describe('findRootCause', () => {
  it('blames the environment first, however the agent behaved', () => {
    const claimed = times(5, { actual: 'All done, everything is fixed.' });
    expect(causeOf('rate_limit', claimed)).toMatchObject({ cause: 'tool_failure', confidence: 0.95 });
  });

  it('sees lost context in the issue, and in what came before', () => {
    expect(causeOf('compaction_lost_context').cause).toBe('context_loss');
    expect(causeOf('wrong_output', [], ['session_reset']).cause).toBe('context_loss');
  });

  it('sees what the agent lacked, repeated or asked for in the name of the issue', () => {
    expect(causeOf('missing_tool').cause).toBe('knowledge_gap');
    expect(causeOf('loop').cause).toBe('reasoning_error');
    expect(causeOf('over_confirmation').cause).toBe('instruction_ambiguity');
  });

  it('sees overconfidence when the agent says it is done and it is not', () => {
    const finding = causeOf('incomplete_task', times(4, { actual: 'Done! All tests pass.' }));
    expect(finding.cause).toBe('overconfidence');
    expect(finding.evidence).toEqual(['4 of 4 failed although the agent said it was done']);
    expect(causeOf('incomplete_task', times(4, { actual: 'This is not done, I was unable to.' })).cause).toBe(
      'undetermined',
    );
  });

  it('sees ambiguity when the agent asks back', () => {
    expect(causeOf('incomplete_task', times(3, { actual: 'Which file did you mean?' })).cause).toBe(
      'instruction_ambiguity',
    );
  });

  it('sees a reasoning error when the same failure comes again and again in one session', () => {
    const again = [0, 1, 2, 3, 4].map((minute) => ({ session: 's1', atMs: START + minute * 60_000 }));
    expect(causeOf('validation', again).cause).toBe('reasoning_error');
    const apart = [0, 1, 2, 3, 4].map((hour) => ({ session: 's1', atMs: START + hour * HOUR }));
    expect(causeOf('validation', apart).cause).toBe('knowledge_gap');
  });

  it('takes no result that merely differs from the expected one for a cause: a number, a name, nothing at all', () => {
    for (const actual of ['41', 'Paris', 'three apples minus five oranges', ' ']) {
      expect(causeOf('wrong_output', times(9, { expected: '42', actual })).cause).toBe('undetermined');
    }
  });

  it('reads the cause from the words of people who noticed the failure, and quotes them', () => {
    const finding = causeOf('wrong_output', times(3, { actual: 'used the deprecated endpoint of v1' }));
    expect(finding).toEqual({
      cause: 'knowledge_gap',
      confidence: 0.5,
      evidence: ['1 of 1 different texts say so: "deprecated"'],
    });
    const both = ['assumed the list is sorted', 'swapped latitude and longitude'].map((actual) => ({ actual }));
    expect(causeOf('wrong_output', both)).toMatchObject({ cause: 'reasoning_error', confidence: 0.6 });
  });

  it('follows no text against the others', () => {
    const mixed = ['forgot the port', 'search tool crashed', 'the request was vague'].map((actual) => ({ actual }));
    expect(causeOf('wrong_output', mixed).cause).toBe('undetermined');
  });

  it.each(Object.entries(CAUSE_TEXTS))(
    'finds %s in most of its texts, and hardly ever another cause',
    (cause, texts) => {
      const found = texts.map((text) => causeInWords(text)?.cause);
      expect(found.filter((one) => one === cause).length / texts.length).toBeGreaterThanOrEqual(0.6);
      expect(found.filter((one) => one !== undefined && one !== cause).length / texts.length).toBeLessThanOrEqual(0.06);
    },
  );

  it('rather says undetermined than guesses', () => {
    expect(causeOf('unknown')).toEqual({ cause: 'undetermined', confidence: 0, evidence: [] });
    expect(causeOf('wrong_output', times(2, { expected: '42', actual: '41' })).cause).toBe('undetermined');
    const mixed = [...times(3, { actual: 'Done.' }), ...times(9, { actual: 'stopped at step 4' })];
    expect(causeOf('incomplete_task', mixed).cause).toBe('undetermined');
  });

  it('answers quickly for hostile text', () => {
    const actual = `${'which '.repeat(200_000)}${' '.repeat(200_000)}`;
    expect(causeOf('incomplete_task', times(50, { actual })).cause).toBe('undetermined');
  });
});
