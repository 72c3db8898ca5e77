import { expect, it } from 'vitest';
import { type BodyEnd, listenTo } from '../../../integrations/clients/watch-response.js';

/** Reaction of a source to a request: sends a chunk, ends, or breaks. */
type Step = string | 'end' | Error;

/** Parts behind a pipe: the transform's part that is written to, and how its other side is read. */
interface Far {
  readonly write?: (chunk: string, controller: TransformStreamDefaultController) => void | Promise<void>;
  readonly flush?: () => void;
  readonly read: (readable: ReadableStream<unknown>) => Promise<unknown>;
  readonly before?: (transform: TransformStream<string, unknown>) => unknown;
}

const drain = async (readable: ReadableStream<unknown>) => {
  const read: unknown[] = [];
  for await (const chunk of readable as unknown as AsyncIterable<unknown>) read.push(chunk);
  return read;
};
const rest = () => new Promise((resolve) => setTimeout(resolve, 5));

const SOURCES: Readonly<Record<string, readonly Step[]>> = {
  'ends well': ['a', 'b', 'c', 'end'],
  'is empty': ['end'],
  'breaks at once': [new Error('hang up')],
  'breaks later': ['a', 'b', new Error('hang up')],
};

const FARS: Readonly<Record<string, Far>> = {
  'passes on': { read: drain },
  'is slow': { write: (chunk, to) => rest().then(() => to.enqueue(chunk)), read: drain },
  'gives several for one': {
    write: (chunk, to) => {
      for (const one of [1, 2, 3]) to.enqueue(chunk + one);
    },
    read: drain,
  },
  throws: {
    write: (chunk) => {
      if (chunk === 'b') throw new Error('cannot read b');
    },
    read: drain,
  },
  'throws at the end': {
    flush: () => {
      throw new Error('not whole');
    },
    read: drain,
  },
  'ends by itself': { write: (chunk, to) => (chunk === 'b' ? to.terminate() : to.enqueue(chunk)), read: drain },
  'breaks by itself': { write: (_, to) => to.error(new Error('enough')), read: drain },
  'is left by its reader': {
    read: async (readable) => {
      const reader = readable.getReader();
      const first = await reader.read();
      await reader.cancel('left');
      return first;
    },
  },
  'is never read': { read: async () => 'nothing' },
  'is locked': { read: drain, before: ({ writable }) => writable.getWriter() },
  'was closed': { read: drain, before: ({ writable }) => writable.close().catch(() => {}) },
  'was aborted': { read: drain, before: ({ writable }) => writable.abort(new Error('no longer')) },
};

/** Events that each of the three sees, in its order. */
interface Happenings {
  readonly source: string[];
  readonly transform: string[];
  readonly host: string[];
}

async function happenings(
  steps: readonly Step[],
  far: Far,
  watch: (stream: ReadableStream<string>) => ReadableStream<unknown>,
): Promise<Happenings> {
  const log: Happenings = { source: [], transform: [], host: [] };
  const note = (who: keyof Happenings, what: string, about?: unknown) =>
    log[who].push(about === undefined ? what : `${what}: ${about}`);
  let at = 0;
  const bare = new ReadableStream<string>(
    {
      pull(controller) {
        const step = steps[at++] ?? 'end';
        note('source', 'asked', step);
        if (step === 'end') controller.close();
        else if (typeof step === 'string') controller.enqueue(step);
        else throw step;
      },
      cancel: (reason) => void note('source', 'cancelled', reason instanceof TypeError ? 'TypeError' : reason),
    },
    { highWaterMark: 0 },
  );
  const source = watch(bare);
  const transform = new TransformStream<string, unknown>({
    transform(chunk, controller) {
      note('transform', 'written', chunk);
      if (far.write) return far.write(chunk, controller);
      controller.enqueue(chunk);
    },
    flush() {
      note('transform', 'closed');
      far.flush?.();
    },
  });
  far.before?.(transform);
  await rest();
  try {
    const readable = source.pipeThrough(transform);
    note('host', 'same side', readable === transform.readable);
    note('host', 'locked', `${source.locked} ${transform.writable.locked}`);
    note('host', 'read', JSON.stringify(await far.read(readable)));
  } catch (error) {
    note('host', 'thrown', error);
  }
  await rest();
  note('host', 'locked', `${source.locked} ${transform.writable.locked}`);
  return log;
}

const cases = Object.entries(SOURCES).flatMap(([source, steps]) =>
  Object.entries(FARS).map(([name, far]) => [source, name, steps, far] as const),
);

it.each(cases)('pipes as the platform does: a source that %s, into one that %s', async (_, name, steps, far) => {
  const ends: BodyEnd['kind'][] = [];
  const heard: unknown[] = [];
  const listener = {
    bytes: (chunk: unknown) => heard.push(chunk),
    text: () => {},
    json: () => {},
    end: ({ kind }: BodyEnd) => ends.push(kind),
  };
  const bare = await happenings(steps, far, (stream) => stream);
  const watched = await happenings(steps, far, (stream) => listenTo(stream, listener));
  expect(watched).toEqual(bare);
  const written = bare.transform.filter((line) => line.startsWith('written')).map((line) => line.slice(9));
  expect(heard.slice(0, written.length)).toEqual(written);
  if (bare.source.some((line) => line.startsWith('asked: Error'))) expect(ends[0]).toBe('broken');
  else if (bare.source.includes('asked: end')) expect(ends[0]).toBe('read');
  else if (bare.source.some((line) => line.startsWith('cancelled'))) expect(ends[0]).toBe('given-up');
  else expect(['is locked', 'is never read']).toContain(name);
});
