import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { CompilerThread } from '../../../../integrations/bench/sandbox/compiler-thread.js';
import { LoopMeter } from '../../../campaigns/loop-meter.js';

it('removes types beside the host, and ends code that takes too long', async () => {
  const thread = new CompilerThread(createRequire(import.meta.url).resolve('typescript'));
  expect(await thread.transpile('export const a: number = 1;', 5_000)).toBe('export const a = 1;\n');
  const meter = new LoopMeter();
  meter.start();
  expect(await thread.transpile('type A = 1;\n'.repeat(400_000), 100)).toBeUndefined();
  expect(meter.stop().busyMs).toBeLessThan(250);
  expect(await thread.transpile('const b = 2 as number;', 5_000)).toBe('const b = 2;\n');
});
