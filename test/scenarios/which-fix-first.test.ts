import type { CatalogEntry, Policy } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { Life } from '../campaigns/verdicts/life.js';

const CUT = { success: false, error: 'socket hang up' };

function entry(name: string, set: CatalogEntryOutput['set']): CatalogEntry {
  const match: CatalogEntry['match'] = ({ issue }) => issue === 'network';
  return { name, match, propose: () => [{ set, safe: true, reason: name }] };
}
type CatalogEntryOutput = ReturnType<CatalogEntry['propose']>[number];

/** Lives until a fix of the task is confirmed; `cures` says under which settings nothing fails any more. */
async function liveUntilConfirmed(life: Life, name: string, cures: (policy: Policy) => boolean): Promise<number> {
  for (let task = 1; task <= 6_000; task++) {
    life.task(name, ({ policy }) => (life.happens(0.3) && !cures(policy) ? CUT : { success: true }));
    life.clock.skip(10_000);
    if (task % 25 !== 0) continue;
    await life.cycle();
    if (life.loop.fixes({ status: 'confirmed' }).some((fix) => fix.task === name)) return task;
  }
  return Number.POSITIVE_INFINITY;
}

describe('an agent with many kinds of tasks that fail alike', () => {
  it('gets what helped before tried first on the next kind, and what never helped last', async () => {
    const life = new Life(5, { idempotent: false });
    life.loop.fixer.register(entry('works', { 'backoff.baseMs': 900, 'backoff.maxMs': 9_000 }));
    life.loop.fixer.register(entry('useless', { 'backoff.baseMs': 333, 'timeout.taskMs': 60_000 }));
    const works = (policy: Policy) => policy['backoff.baseMs'] === 900;
    const took: number[] = [];
    const first = new Map<string, string>();
    life.loop.on('trial-started', ({ fix: { task, target } }) => first.has(task) || first.set(task, target));
    for (let kind = 0; kind < 6; kind++) took.push(await liveUntilConfirmed(life, `kind-${kind}`, works));
    const targets = [...first.values()];
    expect(targets[0]).toContain('timeout');
    expect(targets.slice(1).filter((target) => target.includes('maxMs')).length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...took.slice(1))).toBeLessThan(took[0] ?? 0);
    await life.loop.close();
  });
});

describe('failures for which two changes of different settings are known', () => {
  it('are tried with both at the same time, and only the one that helps is confirmed', async () => {
    const life = new Life(6, { idempotent: false });
    life.loop.fixer.register(entry('works', { 'backoff.baseMs': 900 }));
    life.loop.fixer.register(entry('useless', { 'backoff.maxMs': 9_000 }));
    let atOnce = 0;
    life.loop.on('trial-started', () => {
      atOnce = Math.max(atOnce, life.loop.fixes({ status: 'trial' }).length);
    });
    await liveUntilConfirmed(life, 'job', (policy) => policy['backoff.baseMs'] === 900);
    expect(atOnce).toBe(2);
    const [works] = life.loop.fixes({ status: 'confirmed' });
    expect(works?.target).toBe('backoff.baseMs');
    const other = life.loop.fixes().find(({ target }) => target === 'backoff.maxMs');
    expect(other?.status).not.toBe('confirmed');
    await life.loop.close();
  });
});
