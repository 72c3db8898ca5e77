import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import { COURSE } from '../../src/classify/remedies/row.js';
import { REMEDIES } from '../../src/classify/remedies/table.js';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { rulesFromFailures } from '../../src/fix/rule-templates.js';
import { seededRandom } from '../../src/lib/random.js';

const HOUR_MS = 3_600_000;
/** In words, because tasks whose names hold ids are counted together. */
const ONES = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const NUMBERS = [...ONES, 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen'];

/** Outcomes of two tasks per remedy: each message of the table a few times, among successes. */
function corpus(): readonly Outcome[] {
  const random = seededRandom(31);
  return REMEDIES.flatMap((row, index) => {
    const tool = ['task', 'WebFetch', 'Bash'].find((name) => row.task === undefined || row.task.test(name));
    const task = `${tool} ${NUMBERS[index % 10]} ${NUMBERS[Math.floor(index / 10)]}`;
    return Array.from({ length: 12 }, (_, at): Outcome => {
      const failed = at < 3 || random() < 0.3;
      return {
        id: `o${index}-${at}` as OutcomeId,
        task,
        source: 'generic',
        atMs: HOUR_MS * (1 + at) + index,
        session: `s${at % 4}`,
        success: !failed,
        issues: failed ? [row.issue ?? 'tool_failure'] : [],
        ...(failed && { error: { message: row.example } }),
        ...(failed && row.course && { tags: [`${COURSE}${row.course}`] }),
      };
    });
  });
}

describe('every claim of a finding', () => {
  const outcomes = corpus();
  const analyzer = new Analyzer({});
  analyzer.absorb(outcomes);
  const patterns = analyzer.patterns(13 * HOUR_MS + REMEDIES.length);
  const failuresOf = (task: string) => outcomes.filter((one) => one.task === task && !one.success);

  it('is counted again from the outcomes: texts, quoted words, steps before, and the remedy itself', () => {
    expect(patterns).toHaveLength(REMEDIES.length);
    for (const { task, count, rate, examples, actor } of patterns) {
      const failures = failuresOf(task);
      const texts = new Set(failures.map(({ error }) => error?.message ?? ''));
      expect(count).toBe(failures.length);
      expect(Math.round(rate.value * rate.of)).toBe(failures.length);
      expect(actor.evidence.of).toBe(texts.size);
      expect(actor.evidence.matched).toBeLessThanOrEqual(examples.length);
      const said = [...texts].join('\n').replace(/\s+/g, ' ');
      for (const words of actor.evidence.said) expect(said, task).toContain(words);
      const [, ones = '', tens = ''] = task.split(' ');
      expect(actor.remedy).toBe(REMEDIES[NUMBERS.indexOf(ones) + 10 * NUMBERS.indexOf(tens)]?.id);
      const { course } = actor.evidence;
      if (course === undefined) continue;
      expect(course.count).toBe(failures.filter(({ tags }) => tags?.includes(`${COURSE}${course.fact}`)).length);
      expect(course.of).toBe(failures.filter(({ tags }) => tags?.some((tag) => tag.startsWith(COURSE))).length);
    }
  });

  it('is the only thing that the reason of a rule says', () => {
    for (const pattern of patterns) {
      const said = failuresOf(pattern.task)
        .map(({ error }) => error?.message ?? '')
        .join('\n');
      for (const { why, by } of rulesFromFailures(pattern)) {
        expect(by).toBeUndefined();
        const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
        for (const [, quote = ''] of why.matchAll(/“([^”]*)”/g)) expect(letters(said), why).toContain(letters(quote));
        for (const [, count] of why.matchAll(/: (\d+) of \d+/g))
          expect(Number(count)).toBe(pattern.actor.evidence.course?.count);
      }
    }
  });
});
