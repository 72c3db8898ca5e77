import { expect, it } from 'vitest';
import { parseOutcome } from '../../src/observe/parse-outcome.js';
import { sendHostileInput } from './hostile-input.js';

it('never throws into the host and keeps only plain, bounded records, whatever is sent', () => {
  const { broken, taken } = sendHostileInput(2_000, 11);
  expect(broken).toEqual([]);
  expect(taken).toBeGreaterThan(300);
});

it('does not keep a text of 10 MB alive through the part it keeps', () => {
  const outcome = parseOutcome(
    { task: 't', success: false, error: 'x'.repeat(10_000_000), note: 'y'.repeat(10_000_000) },
    { id: 'i', atMs: 0, source: 's' },
  ).outcome;
  expect(outcome?.error?.message.length).toBeLessThanOrEqual(2_000);
  expect(String(outcome?.context?.note).length).toBeLessThanOrEqual(2_000);
});
