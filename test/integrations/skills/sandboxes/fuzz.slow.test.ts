import { describe, expect, it } from 'vitest';
import { fuzz } from '../../../campaigns/sandbox/fuzz.js';

/** Short cut of `npm run campaign -- fuzz`, with a seed of each day. */
const SECONDS = 60;

describe('random texts, values and modules of strangers', () => {
  it('end within their limits, and take neither the loop, the memory, files nor processes of the host', async () => {
    const { seed, cases, problems } = await fuzz(SECONDS * 1_000, Math.floor(Date.now() / 86_400_000));
    expect(problems, `seed ${seed}`).toEqual([]);
    expect(Object.keys(cases)).toHaveLength(7);
  });
});
