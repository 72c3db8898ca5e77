import type { ChildProcess } from 'node:child_process';
import { RSILoop } from 'rsi-loop';
import { type Receipt, supervise } from 'rsi-loop/oversee';
import { afterAll, describe, expect, it } from 'vitest';
import { LIMIT, lives, RUNAWAYS } from './runaways.js';

const loop = new RSILoop();
afterAll(() => loop.close());

describe.runIf(process.platform === 'linux')(
  'a runaway is stopped, with a receipt and without a process left, if it',
  () => {
    it.each(RUNAWAYS)('$name', async ({ why, options, work }) => {
      const receipts: Receipt[] = [];
      const children: ChildProcess[] = [];
      const guarded = supervise(loop, { ...LIMIT, ...options, onStop: (receipt) => receipts.push(receipt) });
      const started = (child: ChildProcess) => {
        children.push(child);
        return child;
      };
      // Work that ends in the grace time may still return something.
      await guarded('work', (run) => work(run, started)).catch(() => undefined);
      expect(receipts.filter(({ task }) => task === 'work')).toMatchObject([{ why }]);
      await expect.poll(() => children.filter(lives)).toEqual([]);
      expect(guarded.running()).toEqual([]);
    });
  },
);
