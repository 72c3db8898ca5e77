import { RSILoop } from 'rsi-loop';
import { describe, expect, it } from 'vitest';

function bytes(...chunks: readonly (readonly number[])[]): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(new Uint8Array(next));
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
  });
}

describe('a stream of bytes that a task returns', () => {
  it('can still be read into a buffer of the caller', async () => {
    const loop = new RSILoop();
    await loop.ready();
    const stream = await loop.run('download', () => bytes([1, 2, 3], [4, 5]));
    const reader = stream.getReader({ mode: 'byob' });
    const first = await reader.read(new Uint8Array(2));
    const second = await reader.read(new Uint8Array(8));
    const third = await reader.read(new Uint8Array(8));
    const end = await reader.read(new Uint8Array(8));
    expect([first, second, third].map(({ value }) => [...(value ?? [])])).toEqual([[1, 2], [3], [4, 5]]);
    expect(end).toMatchObject({ done: true });
    expect(loop.health()).toMatchObject({ score: 1, known: true });
    await loop.close();
  });

  it('reads the same without a buffer, as a Response does', async () => {
    const loop = new RSILoop();
    const stream = await loop.run('download', () => bytes([1, 2, 3], [4, 5]));
    expect([...new Uint8Array(await new Response(stream).arrayBuffer())]).toEqual([1, 2, 3, 4, 5]);
    await loop.close();
  });

  it('that breaks half-way fails its task, and gives its reader the error', async () => {
    const loop = new RSILoop();
    await loop.ready();
    let isFirst = true;
    const broken = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (!isFirst) throw new Error('socket hang up');
        isFirst = false;
        controller.enqueue(new Uint8Array([1]));
      },
    });
    const reader = (await loop.run('download', () => broken)).getReader({ mode: 'byob' });
    expect([...((await reader.read(new Uint8Array(4))).value ?? [])]).toEqual([1]);
    await expect(reader.read(new Uint8Array(4))).rejects.toThrow('socket hang up');
    expect(loop.health()).toMatchObject({ score: 0, known: true });
    await loop.close();
  });

  it('that its reader gives up is a success, and is cancelled at its source', async () => {
    const loop = new RSILoop();
    await loop.ready();
    let reason: unknown;
    const endless = new ReadableStream({
      type: 'bytes',
      pull: (controller) => controller.enqueue(new Uint8Array([7])),
      cancel: (why) => {
        reason = why;
      },
    });
    const reader = (await loop.run('download', () => endless)).getReader({ mode: 'byob' });
    await reader.read(new Uint8Array(1));
    await reader.cancel('enough');
    expect(reason).toBe('enough');
    expect(loop.health()).toMatchObject({ score: 1, known: true });
    await loop.close();
  });
});
