import { exportOutcomes, type Outcome, RSILoop, startCall, untracked } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { INTERNALS } from '../../src/live/internals.js';
import type { CallHandle } from '../../src/live/start-call.js';

async function recorded(loop: RSILoop): Promise<Outcome[]> {
  await loop.flush();
  const outcomes: Outcome[] = [];
  for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
  return outcomes;
}

describe('a call that the host makes by itself', () => {
  it('is recorded once with its duration, and reads no policy', async () => {
    const clock = new ManualClock();
    const loop = new RSILoop({ clock, source: 'bot' });
    const call = startCall(loop, { task: 'model_call', model: 'm', agent: undefined, session: '' });
    await clock.advance(120);
    call?.end({ success: false, error: '429 Too Many Requests' });
    call?.end({ success: true });
    const outcomes = await recorded(loop);
    expect(outcomes).toMatchObject([
      { id: call?.id, task: 'model_call', model: 'm', source: 'bot', durationMs: 120, issues: ['rate_limit'] },
    ]);
    expect(outcomes[0]).toHaveProperty('managed', false);
    expect(outcomes[0]).not.toHaveProperty('session');
    await loop.close();
  });

  it('is a child of the task or call around it, also after an await', async () => {
    const loop = new RSILoop({ clock: new ManualClock() });
    await loop.ready();
    let inner: string | undefined;
    await loop.run('answer', async () => {
      await Promise.resolve();
      const tool = startCall(loop, { task: 'search' });
      await tool?.run(async () => {
        await Promise.resolve();
        const model = startCall(loop, { task: 'model_call' });
        inner = model?.id;
        model?.end({ success: true });
      });
      tool?.end({ success: true });
    });
    const outcomes = await recorded(loop);
    const of = (task: string) => outcomes.find((outcome) => outcome.task === task);
    expect(of('search')?.parent).toBe(of('answer')?.id);
    expect(of('model_call')).toMatchObject({ id: inner, parent: of('search')?.id });
    expect(of('answer')).not.toHaveProperty('parent');
    expect(Object.keys(loop.health().byTask)).toEqual(['answer']);
    await loop.close();
  });

  it('is left out inside `untracked`, and seen again in a task begun there', async () => {
    const loop = new RSILoop();
    const result = await untracked(loop, async () => {
      await Promise.resolve();
      expect(startCall(loop, { task: 'own model' })).toBeUndefined();
      await loop.run('work', () => startCall(loop, { task: 'child' })?.end({ success: true }));
      return 'the value';
    });
    expect(result).toBe('the value');
    const outcomes = await recorded(loop);
    expect(outcomes.map(({ task }) => task).sort()).toEqual(['child', 'work']);
    expect(outcomes.find(({ task }) => task === 'work')).not.toHaveProperty('parent');
    await loop.close();
  });

  it('takes what is badly typed for what it is', async () => {
    const loop = new RSILoop();
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    startCall(loop, { task: 'x' })?.end({ success: true, durationMs: -1 });
    const [outcome] = await recorded(loop);
    expect(outcome).toMatchObject({ task: 'x', success: true });
    expect(outcome?.managed).not.toBe(true);
    expect(problems).toHaveLength(1);
    await loop.close();
  });
});

describe('a call inside a task', () => {
  /** A loop in which a task runs, as the call sees it. */
  function inside() {
    const seen: unknown[] = [];
    const prompts = { greeting: 'Hello' };
    const task = { id: 'outer', prompts, readHeaders: (headers: unknown) => seen.push(headers) };
    const ended: unknown[] = [];
    const parts = {
      capture: { isSuppressed: () => false, current: () => 'outer', enclosing: () => task, run: () => 'ran' },
      clock: new ManualClock(),
      newId: () => 'new',
      observer: { recordEnd: (started: unknown, end: unknown) => void ended.push([started, end]) },
    };
    return { seen, ended, parts, loop: { [INTERNALS]: parts } as unknown as CallHandle }; // the parts that are used
  }

  it('is its child, unless the host names another parent, and names nothing else that it was not given', () => {
    const { loop, ended } = inside();
    const call = startCall(loop, { task: 'search' });
    expect(call?.parent).toBe('outer');
    expect(startCall(loop, { task: 'search', parent: 'other' })?.parent).toBe('other');
    call?.end({ success: true });
    expect(ended).toEqual([
      [
        { id: 'new', task: 'search', managed: false, parent: 'outer' },
        { durationMs: 0, success: true },
      ],
    ]);
  });

  it('offers the texts of the task to the calls inside it', () => {
    const { loop, parts } = inside();
    let prompts: unknown;
    parts.capture.run = (...[around]: unknown[]) => {
      ({ prompts } = around as { prompts: unknown });
      return 'ran';
    };
    expect(startCall(loop, { task: 'search' })?.run(() => 'work')).toBe('ran');
    expect(prompts).toEqual({ greeting: 'Hello' });
    parts.capture.enclosing = () => undefined as never;
    startCall(loop, { task: 'search' })?.run(() => 'work');
    expect(prompts).toBeUndefined();
  });

  it('shows the task what the provider says of its quota', () => {
    const { loop, seen, parts } = inside();
    const headers = { 'retry-after': '7' };
    startCall(loop, { task: 'search' })?.readHeaders(headers);
    expect(seen).toEqual([headers]);
    const alone = { [INTERNALS]: { ...parts, capture: { ...parts.capture, enclosing: () => undefined } } };
    expect(() => startCall(alone as unknown as CallHandle, { task: 'search' })?.readHeaders(headers)).not.toThrow();
  });
});
