import { RSILoop } from 'rsi-loop';
import { afterEach, describe, expect, it } from 'vitest';
import { MISBEHAVES, MISBEHAVING_HOSTS } from './misbehaviours.js';

const loops: RSILoop[] = [];

function createLoop() {
  const loop = new RSILoop();
  loops.push(loop);
  return { loop };
}

afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.close();
});

describe.each(MISBEHAVES)('a host function that %s', (kind) => {
  it.each(MISBEHAVING_HOSTS)('$name', ({ check }) => check(kind));
});

describe('checks that take time', () => {
  it('are awaited: an async accept that says yes is a success, one that says no is a failure', async () => {
    const { loop } = createLoop();
    for (let index = 0; index < 10; index++) {
      await loop.run('yes', async () => ({ ok: true }), { accept: async (answer) => answer.ok });
      await loop.run('no', async () => ({ ok: false }), { accept: async (answer) => answer.ok || 'not ok' });
    }
    await loop.runCycle();
    const { byTask } = loop.health();
    expect([byTask.yes?.score, byTask.no?.score]).toEqual([1, 0]);
    expect(loop.patterns().map(({ task, issue }) => [task, issue])).toEqual([['no', 'wrong_output']]);
  });

  it('give a reason in words, which are not taken for an error: a bad answer stays a bad answer', async () => {
    const { loop } = createLoop();
    for (let index = 0; index < 5; index++) {
      await loop.run('job', () => 'x', { accept: () => 'the rate limit and the timeout of 401 are not mentioned' });
    }
    await loop.runCycle();
    expect(loop.patterns().map(({ issue, count }) => [issue, count])).toEqual([['wrong_output', 5]]);
  });

  it('may read tokens from a promise', async () => {
    const { loop } = createLoop();
    const ended: number[] = [];
    loop.observer.record({ task: 'other', success: true });
    await loop.run('job', () => 'answer', {
      measure: async () => ({ tokens: { input: 3, output: 4 } }),
      onEnd: () => ended.push(1),
    });
    expect(ended).toEqual([1]);
  });
});
