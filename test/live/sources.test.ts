import { type Outcome, RSILoop, type Source } from 'rsi-loop';
import { describe, expect, it } from 'vitest';

/** Records one outcome when it is attached and one when it is stopped. */
const source = (name: string): Source<RSILoop> => ({
  name,
  attach: (loop) => {
    loop.observer.recordSimple(`${name} began`, { success: true });
    return async () => {
      await Promise.resolve();
      loop.observer.recordSimple(`${name} ended`, { success: true });
    };
  },
});

describe('sources of a loop', () => {
  it('are listed while they are attached', async () => {
    const loop = new RSILoop();
    const stop = loop.sources.attach(source('drop-folder'));
    loop.sources.attach(source('http'));
    expect(loop.sources.names).toEqual(['drop-folder', 'http']);
    await stop();
    await stop();
    expect(loop.sources.names).toEqual(['http']);
    await loop.close();
    expect(loop.sources.names).toEqual([]);
  });

  it('may record until they have stopped, because the loop closes after them', async () => {
    const loop = new RSILoop();
    loop.sources.attach(source('drop-folder'));
    await loop.close();
    const tasks: string[] = [];
    for await (const { record } of loop.store.journal.read()) tasks.push((record as { outcome: Outcome }).outcome.task);
    expect(tasks).toEqual(['drop-folder began', 'drop-folder ended']);
  });

  it('that fail to stop are reported and hold up no other', async () => {
    const loop = new RSILoop();
    const problems: string[] = [];
    loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
    loop.sources.attach({ name: 'broken', attach: () => () => Promise.reject(new Error('no answer')) });
    let stopped = false;
    loop.sources.attach({
      name: 'other',
      attach: () => () => {
        stopped = true;
      },
    });
    await loop.close();
    expect(stopped).toBe(true);
    expect(problems).toContain('broken: no answer');
  });
});
