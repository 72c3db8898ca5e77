import type { CatalogEntry } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { Life } from '../campaigns/verdicts/life.js';

const CUT = { success: false, error: 'socket hang up' };
const SHORT: CatalogEntry = {
  name: 'short waits',
  match: ({ issue, task }) => issue === 'network' && task === 'fetch',
  propose: () => [{ set: { 'backoff.baseMs': 333 }, safe: true, reason: 'wait less' }],
};

/** A setting after which nothing fails at `fetch`; with `moves`, the next task that is not one fails instead. */
async function live(moves: boolean): Promise<Life> {
  const life = new Life(4, { idempotent: false });
  life.loop.fixer.register(SHORT);
  let owed = 0;
  for (let task = 1; task <= 2_000; task++) {
    const isFetch = life.happens(0.5);
    life.task(isFetch ? 'fetch' : 'parse', ({ policy }) => {
      const fails = life.happens(0.25);
      const spared = fails && isFetch && policy['backoff.baseMs'] === 333;
      const pays = moves && !fails && !isFetch && owed > 0;
      owed += (spared ? 1 : 0) - (pays ? 1 : 0);
      return (fails && !spared) || pays ? CUT : { success: true };
    });
    life.clock.skip(10_000);
    if (task % 25 === 0) await life.cycle();
  }
  return life;
}

describe('a setting that spares failures of its task, after which tasks of another name fail instead', () => {
  it('fails, and the reason names the other tasks', async () => {
    const { loop } = await live(true);
    const fix = loop.fixes().find(({ target }) => target === 'backoff.baseMs');
    expect(fix).toMatchObject({ status: 'rolled-back', verdict: { why: 'guard', guard: 'other-tasks' } });
    const reasons = loop.explain(fix?.id ?? '').history.map((entry) => ('reason' in entry ? entry.reason : ''));
    expect(reasons.at(-1)).toContain('makes something else worse (other-tasks)');
    await loop.close();
  });

  it('is confirmed where the other tasks fail no more than before', async () => {
    const { loop } = await live(false);
    const fix = loop.fixes().find(({ target }) => target === 'backoff.baseMs');
    expect(fix?.verdict).toMatchObject({ kind: 'confirmed' });
    await loop.close();
  });
});
