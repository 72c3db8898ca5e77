import type { CatalogEntry } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { Life } from '../campaigns/verdicts/life.js';

const WAIT: CatalogEntry = {
  name: 'wait for the quota',
  match: ({ issue }) => issue === 'rate_limit',
  propose: () => [{ set: { 'limit.resetMs': 60_000 }, safe: true, reason: 'wait for the quota' }],
};

/** Four in ten tasks are refused immediately. Tasks that wait for the quota take `waitMs` longer and are hardly refused. */
async function live(waitMs: number): Promise<Life> {
  const life = new Life(4, { idempotent: false, priceMs: 600_000 });
  life.loop.fixer.register(WAIT);
  for (let task = 1; task <= 4_000; task++) {
    life.task('ask', ({ policy }) => {
      const waits = Number(policy['limit.resetMs']) > 0;
      const delayMs = waits ? waitMs * (0.5 + life.luck()) : 0;
      const durationMs = 400 + 800 * life.luck();
      const success = !life.happens(waits ? 0.05 : 0.4);
      const attempt = { delayMs, durationMs, success, ...(!success && { issue: 'rate_limit' as const }) };
      const ended = { success, durationMs: delayMs + durationMs, attempts: [attempt] };
      return success ? ended : { ...ended, error: '429 Too Many Requests' };
    });
    life.clock.skip(20_000);
    if (task % 50 === 0) await life.cycle();
  }
  return life;
}

describe('a wait for the quota, after which every task takes several times as long', () => {
  it('is confirmed and stays, because it prevents a third of all tasks from failing', async () => {
    const { loop } = await live(6_000);
    const fix = loop.fixes().find(({ target }) => target === 'limit.resetMs');
    expect(fix).toMatchObject({ status: 'confirmed' });
    await loop.close();
  });

  it('fails when the waits weigh more than the failures that they prevent', async () => {
    const { loop } = await live(50_000);
    const fix = loop.fixes().find(({ target }) => target === 'limit.resetMs');
    expect(fix).toMatchObject({ status: 'rolled-back', verdict: { why: 'guard', guard: 'duration' } });
    await loop.close();
  });
});
