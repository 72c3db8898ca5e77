import { describe, expect, it } from 'vitest';
import { liveOnQuota } from '../campaigns/verdicts/shared-quota.js';

/** Failed tasks of every hundred in the newest half. */
const failing = ({ lateFailed, lateTasks }: { readonly lateFailed: number; readonly lateTasks: number }) =>
  (100 * lateFailed) / lateTasks;

describe('callers who share the quota of a provider that only says "too many requests"', () => {
  it('see four in ten tasks fail while no call waits', async () => {
    const life = await liveOnQuota(2, { tasks: 1_600, processes: 1, autoFix: false });
    expect(failing(life)).toBeGreaterThan(35);
  });

  it('get nearly all of them answered once they wait for the pace that it grants', async () => {
    const waits = { 'limit.resetMs': 60_000 };
    const life = await liveOnQuota(2, { tasks: 1_600, processes: 1, autoFix: false, policy: waits });
    expect(failing(life)).toBeLessThan(6);
    expect(life.lateWaitMs.p50).toBeLessThan(20_000);
    expect(life.lateWaitMs.p95).toBeLessThanOrEqual(60_000);
  });

  it('get alike in two processes that know nothing of each other', async () => {
    const waits = { 'limit.resetMs': 60_000 };
    const life = await liveOnQuota(2, { tasks: 1_600, processes: 2, autoFix: false, policy: waits });
    expect(failing(life)).toBeLessThan(10);
    const [one = 0, other = 0] = life.shares;
    expect(Math.min(one, other) / Math.max(one, other)).toBeGreaterThan(0.8);
  });

  it('keep to what its answers state, for each API key apart', async () => {
    const waits = { 'limit.resetMs': 60_000 };
    const stated = { processes: 1, autoFix: false, policy: waits, isStated: true };
    expect(failing(await liveOnQuota(2, { ...stated, tasks: 1_600 }))).toBeLessThan(6);
    expect(failing(await liveOnQuota(2, { ...stated, tasks: 3_200, keys: 2 }))).toBeLessThan(6);
  });

  // Blocks are ten times as long as the waiting tasks are open, so a verdict takes more tasks.
  it('are helped by two loops over one store', async () => {
    const life = await liveOnQuota(4, { tasks: 20_000, processes: 2, oneStore: true });
    expect(life.confirmed).toBe(true);
    expect(failing(life)).toBeLessThan(15);
  });

  it('are helped by the loop, which tries the wait although no caller allowed to repeat a task', async () => {
    const life = await liveOnQuota(4, { tasks: 20_000, processes: 1 });
    expect(life.confirmed).toBe(true);
    expect(failing(life)).toBeLessThan(15);
  });
});
