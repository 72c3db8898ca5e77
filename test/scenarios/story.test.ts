import { describe, expect, it } from 'vitest';
import { noEffect, tell } from './stories.js';
import { networkError, World } from './world.js';

const NOW_AND_THEN = 0.2;

describe('an agent whose calls fail now and then', () => {
  it('gets a retry that is tried on half of its tasks, proven, and kept', async () => {
    const world = new World();
    const kinds: string[] = [];
    for (const kind of ['pattern-found', 'fix-proposed', 'fix-approved', 'trial-started', 'verdict'] as const) {
      world.loop.on(kind, (event) => kinds.push(event.kind));
    }
    const flaky = () => (world.happens(NOW_AND_THEN) ? networkError() : undefined);
    const before = await world.work(100, flaky);
    expect(before.patterns[0]).toMatchObject({ task: 'api_call', issue: 'network', recurring: true });

    await world.work(700, flaky);
    const [fix] = world.loop.fixes();
    expect(fix).toMatchObject({ status: 'confirmed', target: 'retries.network', verdict: { kind: 'confirmed' } });
    expect(world.loop.explain(fix?.id ?? '').holdsOverAllTrials).toBe(true);
    expect(kinds).toEqual(['pattern-found', 'fix-proposed', 'fix-approved', 'trial-started', 'verdict']);
    expect(world.loop.policy('api_call')['retries.network']).toBe(2);
    expect(world.loop.policy('another_task')['retries.network']).toBe(0);
    const history = world.loop
      .explain(fix?.id ?? '')
      .history.map((entry) => (entry.kind === 'fix-moved' ? entry.to : entry.kind));
    expect(history).toEqual(['fix-proposed', 'approved', 'trial', 'confirmed']);
    await world.loop.close();
  });

  it('gets a useless fix taken back, and is not asked about it again', async () => {
    const world = await tell(noEffect);
    const settings = () => world.loop.fixes().filter(({ change }) => change.kind === 'policy');
    const fixes = settings();
    expect(fixes).toHaveLength(1);
    expect(fixes[0]).toMatchObject({ status: 'rolled-back', verdict: { kind: 'failed', why: 'no-effect' } });
    expect(world.loop.policy('api_call')['retries.parse_error']).toBe(0);
    await world.work(200, () => (world.happens(0.4) ? new SyntaxError('Unexpected end of JSON input') : undefined));
    expect(settings()).toHaveLength(1);
    // The class of an error makes no rule: nothing in this message says what the agent should do.
    expect(world.loop.fixes({ status: 'proposed' })).toEqual([]);
    await world.loop.close();
  });
});

describe('an agent that is well', () => {
  it('has health 1, no patterns and no fixes', async () => {
    const world = new World();
    const report = await world.work(200, () => undefined);
    expect(report.patterns.filter(({ kind }) => kind === 'failure')).toEqual([]);
    expect(report.fixes).toEqual([]);
    expect(world.loop.healthScore()).toBe(1);
    expect(world.loop.health().known).toBe(true);
    await world.loop.close();
  });
});

describe('an agent that only records', () => {
  it('gets patterns and health, and is told for each fix what it would need', async () => {
    const { loop, clock } = new World();
    for (let call = 0; call < 100; call++) {
      loop.observer.recordSimple(
        'api_call',
        call % 5 === 0 ? { success: false, error: networkError() } : { success: true },
      );
      await clock.advance(1_000);
    }
    for (let cycle = 0; cycle < 6; cycle++) await loop.runCycle();
    const { patterns, fixes, health } = await loop.runCycle();
    expect(patterns).toHaveLength(1);
    expect(patterns[0]).toMatchObject({ issue: 'network', count: 20, rate: { value: 0.2, of: 100 } });
    expect(fixes).toHaveLength(1);
    expect(fixes[0]).toMatchObject({ status: 'proposed' });
    expect(fixes[0]?.needs).toContain('loop.run("api_call"');
    expect(health.score).toBeCloseTo(0.8, 1);
    await loop.close();
  });
});

describe('autoFix: false', () => {
  it('applies nothing until a person approves', async () => {
    const world = new World({ autoFix: false });
    const flaky = () => (world.happens(NOW_AND_THEN) ? networkError() : undefined);
    await world.work(300, flaky);
    const [fix] = world.loop.fixes();
    expect(fix).toMatchObject({ status: 'proposed' });
    expect(world.loop.policy('api_call')['retries.network']).toBe(0);
    await world.loop.approve(fix?.id ?? '', { by: 'ada' });
    await world.work(50, flaky);
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'trial', decision: { by: 'ada' } });
    await world.loop.close();
  });
});

describe('freeze', () => {
  it('takes the running trial back and starts no other until unfreeze', async () => {
    const world = new World();
    const flaky = () => (world.happens(NOW_AND_THEN) ? networkError() : undefined);
    await world.work(40, flaky, { cycleEvery: 40 });
    expect(world.loop.fixes({ status: 'trial' })).toHaveLength(1);
    await world.loop.freeze({ by: 'ada', reason: 'something is odd' });
    expect(world.loop.fixes({ status: 'rolled-back' })).toHaveLength(1);
    await world.work(100, flaky);
    expect(world.loop.fixes({ status: 'trial' })).toHaveLength(0);
    const proposal = world.loop.fixes({ status: 'proposed' })[0];
    await world.loop.approve(proposal?.id ?? '', { by: 'ada' });
    expect(world.loop.explain(proposal?.id ?? '').waitsFor).toBe('the loop is frozen by ada: something is odd');
    await world.loop.close();
  });
});

describe('a setting of the host', () => {
  it('is tried like any other: drawn, read by the function, proven, kept', async () => {
    const depth = { type: 'number', default: 1, min: 1, max: 5, unit: 'levels', whole: true } as const;
    const world = new World({ ownSettings: { 'my.depth': depth } });
    world.loop.fixer.register({
      name: 'deeper-search',
      match: (pattern) => pattern.issue === 'network',
      propose: () => [{ set: { 'my.depth': 3 }, safe: true, reason: 'shallow searches end in the wrong place' }],
    });
    await world.work(600, ({ policy }) =>
      policy['my.depth'] === 1 && world.happens(0.3) ? networkError() : undefined,
    );
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'confirmed', target: 'my.depth' });
    expect(world.loop.policy('api_call')['my.depth']).toBe(3);
    expect(world.loop.policy('other')['my.depth']).toBe(1);
    await world.loop.close();
  });
});
