import { describe, expect, it } from 'vitest';
import { failureShare } from '../campaigns/whole-loop/report.js';
import { runWholeLoop } from '../campaigns/whole-loop/whole-loop.js';

/** A shorter cut of `npm run campaign -- whole-loop`: two of its faults, at four times the pace. */
describe('an agent that works against a real model server', () => {
  it('loses most of its failures without help of a person', { timeout: 180_000 }, async () => {
    const { done, confirmed } = await runWholeLoop({
      seed: 3,
      mendable: true,
      kinds: ['summarize', 'answer'],
      pace: 4,
      before: 100,
      tasks: 1_300,
    });
    const route = confirmed.find(({ fix }) => fix.task === 'answer');
    expect(route?.fix.change).toMatchObject({ scope: { model: 'aurora' } });
    const answers = done.filter(({ kind }) => kind === 'answer');
    expect(failureShare(answers.slice(-150))).toBeLessThan(failureShare(answers.slice(0, 50)) / 2);
  });
});
