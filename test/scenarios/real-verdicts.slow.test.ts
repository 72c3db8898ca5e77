import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { RSILoop, type Verdict } from 'rsi-loop';
import { namedTexts } from 'rsi-loop/prompts';
import { ManualClock } from 'rsi-loop/testing';
import { expect, it } from 'vitest';
import { percent } from '../../integrations/reports/words/numbers.js';
import { verdictWords } from '../../integrations/reports/words/sentences.js';
import { seededRandom } from '../../src/lib/random.js';
import { failureRate, type Pool, type PoolAgent, readPools, tasksOf } from '../campaigns/replay/pools.js';

const data = resolve(import.meta.dirname, '../../../shared/data/replay');
const OLD = 'Answer.';
const NEW = 'Answer. Think first.';
const LONGEST = 2_000;

interface End {
  readonly isFix: boolean;
  readonly failed: boolean;
}

/** Runs tasks of one text as a recorded agent would, and those of another text as a second. Returns what the host saw. */
async function judge(pool: Pool, control: PoolAgent, fix: PoolAgent, seed: number) {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const random = seededRandom(seed);
  const loop = new RSILoop({ clock, random: seededRandom(seed + 1), prompts: namedTexts({ system: { text: OLD } }) });
  const shared = tasksOf(pool, control).filter((task) => fix.ends[task]?.length);
  const seen: End[] = [];
  let verdict: Verdict | undefined;
  loop.on('verdict', (event) => {
    verdict ??= event.verdict;
  });
  const work = async (count: number) => {
    for (let number = 1; number <= count && verdict === undefined; number++) {
      await clock.advance(30_000);
      const { prompts, end } = loop.begin('work', { idempotent: false });
      const isFix = prompts.system === NEW;
      const task = shared[Math.floor(random() * shared.length)] ?? 0;
      const ends = (isFix ? fix : control).ends[task] ?? [];
      const failed = (ends[Math.floor(random() * ends.length)] ?? 0) > random();
      seen.push({ isFix, failed });
      end({ success: !failed, ...(failed && { error: 'wrong', issues: ['wrong_output'] }) });
      if (number % 20 === 0) await loop.runCycle();
    }
  };
  await work(100);
  const { id } = await loop.tryPrompt('system', NEW, { by: 'ann' });
  await loop.approve(id, { by: 'ann' });
  await loop.runCycle();
  seen.length = 0; // the trial begins here
  await work(LONGEST);
  const explained = loop.explain(id);
  await loop.close();
  return { verdict, explained, seen };
}

const arm = (ends: readonly End[], isFix: boolean) => {
  const own = ends.filter((end) => end.isFix === isFix);
  return { tasks: own.length, failures: own.filter(({ failed }) => failed).length };
};

it.skipIf(!existsSync(data))('every figure and word of a verdict on recorded agents is counted again', async () => {
  let judged = 0;
  // The fourth pool needs many more tasks per verdict, and no other figures.
  for (const [index, pool] of readPools(data).slice(0, 3).entries()) {
    const rate = (agent: PoolAgent) => failureRate(agent, tasksOf(pool, agent));
    const ranked = pool.agents.filter((agent) => tasksOf(pool, agent).length > 20).sort((a, b) => rate(a) - rate(b));
    const [best, worst] = [ranked[0], ranked.at(-1)];
    if (best === undefined || worst === undefined) throw new Error(`${pool.name} holds no agents`);
    for (const [control, fix] of [[worst, best] as const, [best, worst] as const]) {
      const { verdict, explained, seen } = await judge(pool, control, fix, 3 + index);
      if (verdict === undefined) continue;
      if (!('figures' in verdict)) throw new Error(`${pool.name}: a verdict without figures`);
      judged++;
      const { figures, kind } = verdict;
      // The test decides at a task, and the cycle that says so comes up to 20 tasks later.
      const counted = seen.slice(0, figures.fix.tasks + figures.control.tasks);
      expect(figures.fix, pool.name).toMatchObject(arm(counted, true));
      expect(figures.control, pool.name).toMatchObject(arm(counted, false));
      const [withFix, without] = [arm(counted, true), arm(counted, false)];
      const shares = [withFix, without].map(({ failures, tasks }) => percent((tasks - failures) / tasks));
      expect(verdictWords(verdict)).toContain(
        `: ${shares[0]} of ${withFix.tasks} tasks succeeded with it, ${shares[1]} of ${without.tasks} without`,
      );
      const ratio = Math.min(10, withFix.failures / withFix.tasks / (without.failures / without.tasks));
      expect(figures.effect.low).toBeLessThanOrEqual(ratio);
      expect(figures.effect.high).toBeGreaterThanOrEqual(ratio);
      expect(kind === 'confirmed', pool.name).toBe(fix === best);
      expect(explained.fix.verdict).toEqual(verdict);
      if (explained.figures) expect(explained.figures).toMatchObject({ fix: figures.fix, control: figures.control });
    }
  }
  expect(judged).toBe(6);
});
