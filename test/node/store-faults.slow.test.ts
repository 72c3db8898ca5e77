import { describe, expect, it } from 'vitest';
import {
  cutPower,
  type FaultReport,
  flipBits,
  killAtEveryCall,
  loseFolder,
  refuse,
  tearTails,
} from './store-faults.js';

/** Short cuts of `npm run campaign -- store`. */
function kept(name: string, report: FaultReport): void {
  const { broken, ...counts } = report;
  console.log(`${name}: ${JSON.stringify({ ...counts, broken: broken.length })}`);
  expect(broken.slice(0, 5)).toEqual([]);
}

describe('FileStore under faults', { timeout: 120_000 }, () => {
  it('keeps what it acknowledged when the power is cut anywhere', async () => {
    kept('power cuts', await cutPower(500, 1));
  });

  it('keeps what it acknowledged when the process is killed at any call, and starts again without help', async () => {
    kept('kills', await killAtEveryCall([1]));
  });

  it('never throws, stays bounded, recovers and counts what it drops when the disk refuses at any call', async () => {
    kept('refusals', await refuse([1, 30], 7));
  });

  it('has every record made after its folder was deleted, moved or replaced, and says so', async () => {
    kept('folders lost', await loseFolder(7));
  });

  it('notices every flipped bit and keeps the neighbours', async () => {
    kept('flipped bits', await flipBits(500, 1));
  });

  it('reads everything before a torn end', async () => {
    kept('torn ends', await tearTails(50, 1));
  });
});
