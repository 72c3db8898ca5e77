import { describe, expect, it } from 'vitest';
import { SessionsBegun } from '../../../integrations/prompts/sessions-begun.js';
import type { JournalRecord } from '../../../src/contract/journal-record.js';

const start = (session: string | undefined, atMs: number) =>
  ({ kind: 'start', start: { session, atMs } }) as unknown as JournalRecord; // the parts that are read
const outcome = (session: string | undefined, atMs: number, durationMs?: number) =>
  ({ kind: 'outcome', outcome: { session, atMs, durationMs } }) as unknown as JournalRecord; // the parts that are read

describe('the time at which a session began', () => {
  it('is the earliest that is known, also from records of other processes', () => {
    const sessions = new SessionsBegun(() => true);
    expect(sessions.of('s')).toBeUndefined();
    expect(sessions.note('s', 50)).toBe(50);
    expect(sessions.note('s', 90)).toBe(50);
    sessions.absorb([start('s', 40), start(undefined, 1), outcome(undefined, 1)]);
    expect(sessions.of('s')).toBe(40);
    // A task that ended at 60 and took 25 began at 35.
    sessions.absorb([outcome('s', 60, 25), outcome('other', 60)]);
    expect([sessions.of('s'), sessions.of('other')]).toEqual([35, 60]);
  });

  it('is not noted from records if there are no texts that a session could keep', () => {
    let hasTexts = false;
    const sessions = new SessionsBegun(() => hasTexts);
    sessions.absorb([start('s', 40)]);
    expect(sessions.of('s')).toBeUndefined();
    hasTexts = true;
    sessions.absorb([start('s', 40)]);
    expect(sessions.of('s')).toBe(40);
  });

  it('is remembered for the newest ten thousand sessions at least, and is not kept without limit', () => {
    const sessions = new SessionsBegun(() => true);
    for (let index = 0; index < 10_000; index++) sessions.note(`s${index}`, index);
    expect(sessions.of('s0')).toBe(0);
    // A session that goes on stays known, however many others begin meanwhile.
    for (let index = 10_000; index < 30_000; index++) {
      sessions.note(`s${index}`, index);
      if (index % 5_000 === 0) expect(sessions.note('s1', index)).toBe(1);
    }
    expect(sessions.of('s1')).toBe(1);
    expect(sessions.of('s0')).toBeUndefined();
    expect([sessions.of('s20001'), sessions.of('s29999')]).toEqual([20_001, 29_999]);
  });
});
