import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from 'rsi-loop/node';
import { afterEach, describe, expect, it } from 'vitest';
import { harmful, inconclusive, reopened, tell } from './stories.js';
import { networkError, World } from './world.js';

const NOW_AND_THEN = 0.2;
const folders: string[] = [];

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rsi-loop-story-'));
  folders.push(made);
  return made;
}

afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

describe('a fix that does harm', () => {
  it('fails and is taken back', async () => {
    const world = await tell(harmful);
    const fix = world.loop.fixes().find(({ target }) => target === 'backoff.baseMs');
    expect(fix).toMatchObject({ status: 'rolled-back', verdict: { kind: 'failed', why: 'harm' } });
    expect(world.loop.policy('api_call')['backoff.baseMs']).toBe(200);
    await world.loop.close();
  });
});

describe('a fix that cannot be proven', () => {
  it('is rolled back if no person asked for it', async () => {
    const world = await tell(inconclusive);
    expect(world.loop.fixes()[0]).toMatchObject({
      status: 'rolled-back',
      verdict: { kind: 'inconclusive', why: 'deadline' },
    });
    await world.loop.close();
  });

  it('stays when the person who approved it keeps it, and is called inconclusive', async () => {
    const world = new World({ autoFix: false });
    world.loop.on('fix-proposed', ({ fix }) => {
      void world.loop.approve(fix.id, { by: 'ada' });
    });
    await inconclusive(world);
    const [fix] = world.loop.fixes();
    expect(fix).toMatchObject({ status: 'trial', verdict: { kind: 'inconclusive' } });
    await world.loop.approve(fix?.id ?? '', { by: 'ada', reason: 'I like it' });
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'applied-unverified' });
    expect(world.loop.policy('api_call')['retries.network']).toBe(2);
    await world.loop.rollback(fix?.id ?? '', { by: 'ada', reason: 'not any more' });
    expect(world.loop.policy('api_call')['retries.network']).toBe(0);
    await world.loop.close();
  });
});

describe('a fix whose failures come back', () => {
  it('is reopened, stays in force, and something else is looked for', async () => {
    const world = await tell(reopened);
    // Another value was tried beside it, and did not help.
    const fixes = world.loop.fixes().filter(({ target }) => target === 'retries.network');
    expect(fixes.map(({ status }) => status)).toEqual(['rolled-back', 'reopened']);
    expect(world.loop.policy('api_call')['retries.network']).toBe(2);
    await world.loop.close();
  });
});

describe('one failure after a long silence', () => {
  it('is no return: the fix stays confirmed', async () => {
    const world = new World({}, { seed: 10 });
    await world.work(600, () => (world.happens(NOW_AND_THEN) ? networkError() : undefined), { everyMs: 120_000 });
    await world.work(600, () => undefined, { everyMs: 240_000 });
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'confirmed' });
    await world.work(1, () => networkError(), { everyMs: 240_000, cycleEvery: 1 });
    expect(world.loop.patterns()[0]).toMatchObject({ trend: 'returned' });
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'confirmed' });
    await world.loop.close();
  });
});

describe('a process that ends in the middle of a trial', () => {
  it('goes on where it stopped: same trial, same figures, same verdict', async () => {
    const path = folder();
    const flaky = (world: World) => () => (world.happens(NOW_AND_THEN) ? networkError() : undefined);
    const first = new World({ store: new FileStore(path, { writer: 'first0000000' }) });
    await first.loop.ready();
    // Ids differ from run to run here, so luck does too: few enough tasks that nothing can be decided yet.
    await first.work(75, flaky(first));
    await first.loop.runCycle();
    const [before] = first.loop.fixes();
    expect(before).toMatchObject({ status: 'trial' });
    const figures = first.loop.explain(before?.id ?? '').figures;
    await first.loop.close();

    const second = new World(
      { store: new FileStore(path, { writer: 'second000000' }) },
      { startMs: first.clock.now() },
    );
    await second.loop.ready();
    expect(second.loop.fixes()).toEqual([before]);
    expect(figures?.inScope?.fix.tasks ?? figures?.fix.tasks).toBeGreaterThan(4);
    await second.loop.runCycle();
    expect(second.loop.explain(before?.id ?? '').figures).toEqual(figures);
    expect(second.loop.health().known).toBe(true);
    // Up to the verdict: what happens to the fix afterwards is luck.
    for (let tasks = 0; tasks < 700 && second.loop.fixes()[0]?.verdict === undefined; tasks += 50) {
      await second.work(50, flaky(second));
    }
    expect(second.loop.fixes()[0]).toMatchObject({ verdict: { kind: 'confirmed' } });
    await second.loop.close();
  });
});

describe('a host that allows fewer false confirmations', () => {
  it('gets trials that need more evidence, and forecasts that say so', async () => {
    const world = new World({ alpha: 0.01 });
    await world.work(60, () => (world.happens(NOW_AND_THEN) ? networkError() : undefined), { cycleEvery: 30 });
    const [fix] = world.loop.fixes();
    expect(fix?.trial?.alpha).toBeCloseTo(0.005, 12);
    expect(world.loop.explain(fix?.id ?? '').figures?.needed).toBeCloseTo(200, 6);
    expect(fix?.forecast).toMatchObject({ kind: 'testable', tasks: expect.any(Number) });
    await world.loop.close();
  });
});

describe('wrong calls', () => {
  it('say what is wrong, with which value, and what to do', async () => {
    const { loop } = new World();
    await expect(loop.approve('fix-nope', { by: 'ada' })).rejects.toThrow(
      'no fix "fix-nope": take an id from loop.fixes(), after loop.ready()',
    );
    expect(() => loop.start({ everyMs: Number.NaN })).toThrow('everyMs is NaN: give milliseconds, at least 10');
    expect(() => new World({ alpha: 2 })).toThrow('alpha is 2: give a share above 0 and at most 0.2');
    expect(() => new World({ policy: { 'retries.network': 99 } })).toThrow('setting retries.network is 99');
    await loop.close();
    await expect(loop.runCycle()).rejects.toThrow('the loop is closed');
    expect(() => loop.observer.recordSimple('late', { success: true })).not.toThrow();
  });
});
