import { describe, expect, it } from 'vitest';
import { createCapture, type EnclosingTask, SUPPRESSED } from '../../src/run/capture.js';

describe('the task around a call', () => {
  const capture = createCapture();
  const seen = () => ({ id: capture.current(), task: capture.enclosing(), isSuppressed: capture.isSuppressed() });
  const outside = { id: undefined, task: undefined, isSuppressed: false };

  it('is the innermost one, also after a wait, and none outside of all', async () => {
    const task: EnclosingTask = { id: 'outer', readHeaders: () => {} };
    const after = async () => {
      await Promise.resolve();
      return seen();
    };
    expect(seen()).toEqual(outside);
    expect(await capture.run(task, after, undefined)).toEqual({ id: 'outer', task, isSuppressed: false });
    expect(capture.run(task, () => capture.run('inner', seen, undefined), undefined)).toEqual({
      id: 'inner',
      task: undefined,
      isSuppressed: false,
    });
    expect(seen()).toEqual(outside);
  });

  it('is none in code that is not captured, until a task starts in it', () => {
    expect(capture.run(SUPPRESSED, seen, undefined)).toEqual({ id: undefined, task: undefined, isSuppressed: true });
    const inside = () => capture.run('inner', seen, undefined);
    expect(capture.run(SUPPRESSED, inside, undefined)).toMatchObject({ id: 'inner', isSuppressed: false });
  });
});

it('without a call context on the platform, runs the work and knows no task around it', () => {
  const { process } = globalThis;
  for (const without of [undefined, {}, { getBuiltinModule: () => undefined }]) {
    Object.defineProperty(globalThis, 'process', { value: without, configurable: true, writable: true });
    const capture = createCapture();
    Object.defineProperty(globalThis, 'process', { value: process, configurable: true, writable: true });
    const seen = (given: string) => [given, capture.current(), capture.enclosing(), capture.isSuppressed()];
    expect(capture.run('task', seen, 'given')).toEqual(['given', undefined, undefined, false]);
  }
});
