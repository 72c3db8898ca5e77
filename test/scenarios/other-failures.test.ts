import { describe, expect, it } from 'vitest';
import { World } from './world.js';

const OTHER = () => Object.assign(new Error('401 Unauthorized: invalid api key'), { status: 401 });
const BROKEN = () => new SyntaxError('Unexpected token < in JSON at position 0');

describe('an agent whose task fails in several ways', () => {
  it('gets the retry that cures a few of the failures proven within hundreds of tasks', async () => {
    const world = new World();
    await world.work(700, ({ number, task }) => {
      // One task in five is refused for good; one in twenty gets a broken answer, once.
      if (task % 5 === 0) return OTHER();
      return number === 1 && world.happens(0.0625) ? BROKEN() : undefined;
    });
    const fix = world.loop.fixes().find(({ target }) => target === 'retries.parse_error');
    expect(fix).toMatchObject({ status: 'confirmed', trial: { trigger: { failedWith: ['parse_error'] } } });
    const figures = fix?.verdict && 'figures' in fix.verdict ? fix.verdict.figures : undefined;
    const { inScope } = figures ?? {};
    expect((figures?.fix.tasks ?? 0) + (figures?.control.tasks ?? 0)).toBeLessThan(60);
    expect((inScope?.fix.tasks ?? 0) + (inScope?.control.tasks ?? 0)).toBeLessThan(600);
    const reasons = world.loop.explain(fix?.id ?? '').history.map((entry) => ('reason' in entry ? entry.reason : ''));
    expect(reasons.at(-1)).toContain('tasks that it could act on failed with it');
    await world.loop.close();
  });

  it('gets no retry that only gives the failures another name', async () => {
    const world = new World();
    await world.work(1_500, ({ number, task }) => {
      if (task % 5 === 0) return OTHER();
      if (number > 1) return OTHER();
      return world.happens(0.2) ? BROKEN() : undefined;
    });
    const fix = world.loop.fixes().find(({ target }) => target === 'retries.parse_error');
    expect(fix).toMatchObject({ trial: { trigger: { failedWith: ['parse_error'] } } });
    expect(fix?.status).not.toBe('confirmed');
    await world.loop.close();
  });
});
