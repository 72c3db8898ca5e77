import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedder, LoopError, RSILoop, recall } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { networkError, World } from './world.js';

const opened: RSILoop[] = [];
afterEach(async () => {
  for (const loop of opened.splice(0)) await loop.close();
});

/** A loop that has read some days of an agent that reviews and files invoices. */
async function agent(options: ConstructorParameters<typeof RSILoop>[0] = {}): Promise<RSILoop> {
  const loop = new RSILoop({ clock: new ManualClock(Date.UTC(2026, 0, 5)), ...options });
  opened.push(loop);
  const failed = (task: string, error: string, more = {}) =>
    loop.observer.recordSimple(task, { success: false, error, ...more });
  for (let day = 0; day < 5; day++) {
    failed('review', 'The total of the invoice is negative: credit notes are not supported');
    failed('review', 'Unexpected token < in JSON at position 0');
    failed('review', 'The vendor is not in the list of approved vendors', { agent: 'clerk' });
    failed('file', 'The total of the invoice could not be filed');
    loop.observer.record({ task: 'review', success: true, actual: 'credit note booked as a negative invoice line' });
  }
  await loop.runCycle();
  return loop;
}

describe('recall before an attempt', () => {
  it('gives what is most alike first, of this task alone, at most four', async () => {
    const loop = await agent();
    const { recalled, by, temperature } = await recall(loop, {
      task: 'review',
      text: 'credit note with a negative total',
    });
    expect(by).toBe('words');
    expect(
      recalled
        .map(({ kind, text }) => `${kind}: ${text}`)
        .slice(0, 2)
        .sort(),
    ).toEqual([
      'failure: The total of the invoice is negative: credit notes are not supported',
      'success: credit note booked as a negative invoice line',
    ]);
    expect(recalled.some(({ text }) => text.includes('could not be filed'))).toBe(false);
    expect(recalled.every(({ similarity }) => similarity > 0 && similarity <= 1)).toBe(true);
    expect(temperature).toMatchObject({ kind: 'exploit', temperature: 0.2 });
    const few = await recall(loop, { task: 'review', text: 'negative total' }, { atMost: 1 });
    expect(few.recalled).toHaveLength(1);
  });

  it('keeps to one agent if it is named, and says nothing of an unknown task', async () => {
    const loop = await agent();
    const texts = async (who: string) =>
      (await recall(loop, { task: 'review', text: 'vendor approved list', agent: who })).recalled.map(
        ({ text }) => text,
      );
    expect(await texts('clerk')).toEqual(['The vendor is not in the list of approved vendors']);
    expect(await texts('another')).toEqual([]);
    expect((await recall(loop, { task: 'review', text: 'xylophone' })).recalled).toEqual([]);
    expect((await recall(loop, { task: 'unknown to all' })).recalled).toEqual([]);
    expect((await recall(loop, { task: 'unknown to all' })).temperature).toMatchObject({ kind: 'keep' });
  });

  it('gives the newest of each kind when nothing is asked, and believes failures it is told of', async () => {
    const loop = await agent();
    const { recalled, by, temperature } = await recall(loop, { task: 'review', failuresInARow: 3 });
    expect(by).toBe('time');
    expect(recalled.map(({ kind }) => kind)).toEqual(['failure', 'success', 'failure', 'failure']);
    expect(temperature).toMatchObject({ kind: 'explore', temperature: 0.8 });
  });

  it('brings lessons of fixes that were tried', async () => {
    const world = new World();
    opened.push(world.loop);
    await world.work(300, () => (world.happens(0.3) ? networkError() : undefined));
    const [fix] = world.loop.fixes();
    await world.loop.rollback(fix?.id ?? '', { by: 'ada', reason: 'the retries cost too much' });
    const { recalled } = await recall(world.loop, { task: 'api_call', text: 'network retries' });
    expect(recalled[0]).toMatchObject({ kind: 'lesson', lesson: { fixId: fix?.id, result: 'taken-back' } });
    expect(recalled[0]?.text).toContain('the retries cost too much');
  });

  it('compares by meaning with an embedder, and by words when that one fails', async () => {
    const loop = await agent();
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    const asked: string[][] = [];
    // All that this one knows of the world is what markup is.
    const embedder: Embedder = {
      embed: async (texts) => {
        asked.push([...texts]);
        return texts.map((text) => (/JSON|HTML/.test(text) ? [1, 0] : [0, 1]));
      },
    };
    const about = { task: 'review', text: 'the answer was HTML' };
    const first = await recall(loop, about, { embedder });
    expect(first).toMatchObject({ by: 'meaning', recalled: [{ text: expect.stringContaining('JSON') }] });
    await recall(loop, about, { embedder });
    expect(asked).toHaveLength(1);
    for (const broken of [
      async () => Promise.reject(new Error('out of memory')),
      async () => [[1, 2]],
      async (texts: readonly string[]) => texts.map((_, index) => [1, Number.NaN, index]),
      async (texts: readonly string[]) => texts.map((_, index) => Array.from({ length: index + 1 }, () => 1)),
    ]) {
      const { by } = await recall(loop, { task: 'review', text: 'negative total' }, { embedder: { embed: broken } });
      expect(by).toBe('words');
    }
    expect(problems).toHaveLength(4);
  });

  it('does not wait for an embedder that never answers, and ends when its caller says so', async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    const loop = await agent({ clock });
    let tellAsked = () => {};
    const isAsked = new Promise<void>((done) => {
      tellAsked = done;
    });
    const embedder: Embedder = {
      embed: () => {
        tellAsked();
        return new Promise(() => {});
      },
    };
    const about = { task: 'review', text: 'negative total' };
    const recalling = recall(loop, about, { embedder, timeoutMs: 1_000 });
    await isAsked;
    await clock.advance(1_000);
    expect(await recalling).toMatchObject({ by: 'words' });
    const abort = new AbortController();
    const heeding: Embedder = {
      embed: (_, call) =>
        new Promise((_, reject) => call?.signal?.addEventListener('abort', () => reject(call.signal?.reason))),
    };
    const ending = recall(loop, about, { embedder: heeding, signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(ending).rejects.toThrow('enough');
  });

  it('says what is wrong with a question that is none', async () => {
    const loop = await agent();
    const codeOf = async (promise: Promise<unknown>) => {
      const error = await promise.catch((reason: unknown) => reason);
      return LoopError.is(error) ? error.code : 'none';
    };
    expect(await codeOf(recall(loop, { task: '' }))).toBe('invalid-input');
    expect(await codeOf(recall(loop, { task: 7 as never }))).toBe('invalid-input');
    expect(await codeOf(recall(loop, { task: 'review' }, { atMost: 5 }))).toBe('invalid-input');
    expect(await codeOf(recall(loop, { task: 'review', failuresInARow: -1 }))).toBe('invalid-input');
  });

  it('remembers after a restart, from saved state and from the logs alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-recall-'));
    try {
      const first = await agent({ store: new FileStore(folder) });
      const about = { task: 'review', text: 'credit note' };
      const before = await recall(first, about);
      await first.close();
      const again = async () => {
        const loop = new RSILoop({ store: new FileStore(folder), clock: new ManualClock(Date.UTC(2026, 0, 5)) });
        try {
          return JSON.stringify(await recall(loop, about));
        } finally {
          await loop.close();
        }
      };
      expect(before.recalled.length).toBeGreaterThan(0);
      expect(await again()).toBe(JSON.stringify(before));
      rmSync(join(folder, 'state'), { recursive: true });
      expect(await again()).toBe(JSON.stringify(before));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
