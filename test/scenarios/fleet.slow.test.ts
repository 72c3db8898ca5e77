import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Deployment, type Outcome, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { networkError, World } from './world.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-fleet-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function outcomesOf(loop: RSILoop): Promise<readonly Outcome[]> {
  const found: Outcome[] = [];
  for await (const { record } of loop.store.journal.read()) if (record.kind === 'outcome') found.push(record.outcome);
  return found;
}

describe('a fleet', () => {
  it('learns which release fails in which region, from patterns and from health', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    const random = seededRandom(5);
    const loop = new RSILoop({ clock });
    for (let round = 0; round < 150; round++) {
      for (const version of ['1.4.1', '1.4.2']) {
        for (const region of ['eu-3', 'us-1', 'us-2']) {
          const success = random() >= (version === '1.4.2' && region === 'eu-3' ? 0.6 : 0.02);
          const deployment = { service: 'checkout', version, region, host: `${region}-${round % 4}` };
          const failure = success ? {} : { error: 'schema mismatch in field amount' };
          loop.observer.record({ task: 'pay', success, ...failure, ...deployment });
        }
      }
      await clock.advance(60_000);
    }
    const { patterns } = await loop.runCycle();
    expect(patterns[0]?.where).toEqual([{ version: '1.4.2', region: 'eu-3' }]);
    const { byVersion, byRegion, byService, byHost } = loop.health();
    expect(byVersion['1.4.2']?.score).toBeLessThan((byVersion['1.4.1']?.score ?? 0) - 0.1);
    expect(byRegion['eu-3']?.score).toBeLessThan((byRegion['us-1']?.score ?? 0) - 0.1);
    expect([Object.keys(byService), Object.keys(byHost).length]).toEqual([['checkout'], 12]);
    await loop.close();
  });

  it('writes the deployment of a process on what it records itself, redacted, and not on outcomes from elsewhere', async () => {
    const deployment: Deployment = { service: 'checkout', version: '1.4.2', host: 'sk-ant-api03-abcdefghijklmnopqrst' };
    const loop = new RSILoop({ deployment });
    await loop.ready();
    loop.observer.recordSimple('pay', { success: true });
    loop.observer.record({ task: 'pay', success: true, version: '1.4.3' });
    await loop.run('pay', () => 'done');
    const { outcome } = loop.observer.read({ task: 'pay', success: true, service: 'search' });
    if (outcome) loop.observer.take(outcome);
    const outcomes = await outcomesOf(loop);
    expect(outcomes.map(({ service, version, region }) => [service, version, region])).toEqual([
      ['checkout', '1.4.2', undefined],
      ['checkout', '1.4.3', undefined],
      ['checkout', '1.4.2', undefined],
      ['search', undefined, undefined],
    ]);
    expect(outcomes[0]?.host).not.toContain('abcdefghijklmnopqrst');
    await loop.close();
    const wrong = { deployment: { zone: 'eu' } } as object;
    expect(() => new RSILoop(wrong)).toThrow(
      "give an object of texts, such as { service: 'checkout', version: '1.4.2'",
    );
  });

  it('tries a fix in the release that needs it, over all its processes, and leaves the others alone', async () => {
    const open = (version: string, seed: number) => {
      const world = new World(
        { store: new FileStore(folder, { writer: `agent${seed}`.padEnd(12, '0') }), deployment: { version } },
        { seed },
      );
      world.loop.fixer.register({
        name: 'retries-of-1.4.2',
        match: ({ task }) => task === 'pay',
        propose: () => [
          { set: { 'retries.network': 2 }, scope: { version: '1.4.2' }, safe: true, reason: '1.4.2 opens no pool' },
        ],
      });
      return world;
    };
    const [old, one, other] = [open('1.4.1', 1), open('1.4.2', 2), open('1.4.2', 3)];
    const worlds = [one, other, old];
    await Promise.all(worlds.map(({ loop }) => loop.ready()));
    const hasVerdict = () => one.loop.fixes()[0]?.verdict !== undefined;
    for (let day = 0; day < 40 && !hasVerdict(); day++) {
      for (const world of worlds) {
        const flaky = () => (world.happens(0.3) ? networkError() : undefined);
        await world.work(30, world === old ? () => undefined : flaky, { task: 'pay', cycleEvery: 30 });
      }
      await one.loop.runCycle();
    }
    expect(one.loop.fixes()[0]).toMatchObject({
      verdict: { kind: 'confirmed' },
      change: { scope: { version: '1.4.2' } },
    });
    await Promise.all([other.loop.runCycle(), old.loop.runCycle()]);
    const retries = worlds.map(({ loop }) => loop.policy('pay')['retries.network']);
    expect(retries).toEqual([2, 2, 0]);
    const writers = new Set<string>();
    for await (const { writer, record } of one.loop.store.journal.read()) {
      if (record.kind !== 'start') continue;
      expect(record.start.scope.version).toBe('1.4.2');
      writers.add(writer);
    }
    expect(writers.size).toBe(2);
    for (const { loop } of worlds) await loop.close();
  });
});

describe('sampling at the edge', () => {
  it('keeps rates unbiased, and every failure', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    const loop = new RSILoop({ sample: 0.1, random: seededRandom(3), clock });
    await loop.ready();
    for (let count = 0; count < 20_000; count++) {
      const success = count % 20 > 0;
      loop.observer.recordSimple('pay', { success, ...(!success && { error: 'ECONNRESET: socket hang up' }) });
    }
    const outcomes = await outcomesOf(loop);
    const failures = outcomes.filter(({ success }) => !success);
    expect(failures).toHaveLength(1_000);
    expect(outcomes.length).toBeLessThan(3_500);
    const { patterns } = await loop.runCycle();
    expect(patterns[0]?.count).toBe(1_000);
    expect(patterns[0]?.rate.value).toBeCloseTo(0.05, 2);
    expect(loop.healthScore()).toBeCloseTo(0.95, 2);
    await loop.close();
  });

  it('never leaves out a task of a trial', async () => {
    const world = new World({ sample: 0.001 });
    await world.work(1_200, () => (world.happens(0.3) ? networkError() : undefined));
    expect(world.loop.fixes()[0]?.verdict?.kind).toBe('confirmed');
    const started = new Set<string>();
    const ended = new Set<string>();
    for await (const { record } of world.loop.store.journal.read()) {
      if (record.kind === 'start') started.add(record.start.id);
      else ended.add(record.outcome.id);
    }
    expect(started.size).toBeGreaterThan(50);
    expect([...started].filter((id) => !ended.has(id))).toEqual([]);
    await world.loop.close();
  });
});
