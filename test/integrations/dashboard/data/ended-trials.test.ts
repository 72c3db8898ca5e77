import { MemoryStore, RSILoop, type Verdict } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { resultText, trialText } from '../../../../integrations/dashboard/page/lib/sentences.js';
import { World } from '../../../scenarios/world.js';

/** Returns the row and the page of a trial as a process shows them that begins after its end. */
async function shownLater(store: MemoryStore, clock: ManualClock, id: string) {
  const loop = new RSILoop({ store, clock, autoFix: false });
  const data = new DashboardData({ loop, store: 'memory', clock });
  const row = (await data.view('trials'))?.trials.find(({ fix }) => fix.id === id);
  const view = await data.view('fix', { id });
  await data.close();
  await loop.close();
  if (!row || !view) throw new Error('the trial is not shown');
  const { fix, history } = view.explanation;
  return { row, view, fix, last: history.at(-1) };
}

/** A sentence of the page, with all spaces alike. */
const words = (sentence: string) => sentence.replaceAll(/\s/g, ' ');
const figuresOf = (verdict: Verdict | undefined) => (verdict && 'figures' in verdict ? verdict.figures : undefined);

describe('a trial that the loop ended', () => {
  it('as void keeps its figures, its course, who, why and when, and is in the list', async () => {
    const store = new MemoryStore();
    const world = new World({ store });
    const { loop, clock } = world;
    loop.fixer.register({
      name: 'again',
      match: ({ issue }) => issue === 'server_error',
      propose: () => [{ set: { 'retries.server_error': 2 }, safe: true, reason: 'again' }],
    });
    const busy = () => Object.assign(new Error('503'), { status: 503, headers: { 'retry-after': '15' } });
    const weather = ({ number }: { number: number }) => (number === 1 && world.happens(0.3) ? busy() : undefined);
    const isVoid = () => loop.fixes({ status: 'void' }).length > 0;
    for (let round = 0; round < 40 && !isVoid(); round++) await world.work(50, weather, { everyMs: 20_000 });
    const [ended] = loop.fixes({ status: 'void' });
    const course = ended ? loop.verifier.course(ended.id) : [];
    await loop.close();

    const { row, view, fix, last } = await shownLater(store, clock, ended?.id ?? '');
    const why = 'both arms did the same: the announced wait of 15 s is longer than backoff.maxMs (10 s)';
    const end = { atMs: ended?.changedMs, by: 'auto', reason: why };
    expect(row).toMatchObject({ phase: 'ended', ended: end, fix: { may: ['reconsider'] } });
    expect(last).toMatchObject({ ...end, to: 'void' });
    const { figures } = row;
    expect((figures?.fix.tasks ?? 0) + (figures?.control.tasks ?? 0)).toBeGreaterThan(50);
    expect(fix.trialEnd).toMatchObject({ ...end, figures });
    expect(course.length).toBeGreaterThan(2);
    expect(view.points).toEqual(course);
    expect(words(trialText(row, 0))).toContain(`was ended by the loop without a verdict (${why}): `);
    expect(words(resultText(view, figures, 0))).toMatch(
      /^\d+ % of \d+ tasks succeeded with it, .* without: it was ended/,
    );
  });

  it('by the brake keeps its figures, its course, who, why and when, and is in the list', async () => {
    const store = new MemoryStore();
    const clock = new ManualClock();
    const loop = new RSILoop({ store, clock, random: () => 0, autoFix: false });
    loop.fixer.register({
      name: 'few',
      match: ({ task }) => task === 'chat',
      propose: () => [{ set: { 'limit.concurrency': 1 }, reason: 'few at the same time' }],
    });
    let isFailing = true;
    const call = async () => {
      await new Promise<void>((resolve) => void clock.after(8_000, resolve));
      if (isFailing) throw Object.assign(new Error('429 Too Many Requests'), { status: 429 });
    };
    const arrive = async (tasks: number, everyMs: number) => {
      for (let task = 0; task < tasks; task++) {
        void loop.run('chat', call, { models: ['m'] }).catch(() => undefined);
        await clock.advance(everyMs);
      }
    };
    await loop.ready();
    await arrive(60, 1_000);
    await clock.advance(8_000);
    await loop.runCycle();
    isFailing = false;
    const id = loop.fixes({ status: 'proposed' }).find(({ target }) => target === 'limit.concurrency')?.id ?? '';
    await loop.approve(id, { by: 'ada' });
    await loop.runCycle();
    for (let turn = 0; turn < 4; turn++) {
      await arrive(1, 20_000);
      await loop.runCycle();
    }
    const braked: string[] = [];
    loop.on('fix-braked', ({ reason }) => braked.push(reason));
    for (let second = 0; second < 1_000 && braked.length === 0; second++) await arrive(1, 1_000);
    await clock.advance(1_000);
    await loop.runCycle();
    const { fix: known } = loop.explain(id);
    const course = loop.verifier.course(known.id);
    await loop.close();

    const { row, view, fix, last } = await shownLater(store, clock, id);
    const figures = figuresOf(fix.verdict);
    expect(row).toMatchObject({ phase: 'ended', fix: { status: 'rolled-back' }, verdict: { atMs: known.changedMs } });
    expect(last).toMatchObject({ atMs: known.changedMs, by: 'auto', reason: `failed: guard waits: ${braked[0]}` });
    expect(braked[0]).toMatch(/^\d+ of \d+ tasks waited more than/);
    expect((figures?.fix.tasks ?? 0) + (figures?.control.tasks ?? 0)).toBeGreaterThan(0);
    expect(course.length).toBeGreaterThan(2);
    expect(view.points).toEqual(course);
    expect(words(trialText(row, 0))).toMatch(/worth\): 100 % of \d+ tasks? succeeded with it, 100 % of \d+ without$/);
    expect(words(resultText(view, figures, 0))).toMatch(
      /^100 % of \d+ tasks? succeeded with it, 100 % of \d+ without: it made something else worse \(tasks wait for longer/,
    );
  });
});
