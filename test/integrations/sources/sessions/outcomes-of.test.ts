import { describe, expect, it } from 'vitest';
import { sessionRow } from '../../../../integrations/dashboard/data/session-row.js';
import { readInputs } from '../../../../integrations/sources/import/read-inputs.js';
import { findingOutcomes, isAside } from '../../../../integrations/sources/sessions/outcomes-of.js';
import { transcript } from './transcript.js';

const TEXT = transcript('s1', [
  { user: 'Repair the parser' },
  { edits: '/work/app/src/parser.ts' },
  { runs: 'npm test', prints: ' Tests  2 failed | 29 passed (31)' },
  { says: 'Done. All tests pass.' },
  { user: 'no, it still fails' },
]);
const INPUT = { path: 's1.jsonl', atMs: Date.UTC(2026, 0, 6) };

async function read(findings?: 'aside' | 'counted') {
  const stdin = (async function* () {
    yield Buffer.from(TEXT);
  })();
  const outcomes = [];
  for await (const batch of readInputs(['-'], { stdin, nowMs: INPUT.atMs, ...(findings && { findings }) }))
    outcomes.push(...batch.outcomes);
  return outcomes;
}

describe('findingOutcomes', () => {
  it('records claims and corrections beside rates and health unless a person turns them on', () => {
    const aside = findingOutcomes(TEXT, INPUT, 'aside');
    expect(aside.map(({ issues, parent, session }) => [issues, parent, session])).toEqual([
      [['claimed_not_seen'], 'session-s1', 's1'],
      [['corrected_by_user'], 'session-s1', 's1'],
    ]);
    expect(aside.every(isAside)).toBe(true);
    const counted = findingOutcomes(TEXT, INPUT, 'counted');
    expect(counted.map(({ parent, success }) => [parent, success])).toEqual([
      [undefined, false],
      [undefined, false],
    ]);
  });

  it('counts them among all answers, and quotes only the words of the user', () => {
    const text = transcript('s2', [
      { user: 'Rename the option' },
      { says: 'Renamed.' },
      { user: 'and the docs?' },
      { runs: 'npm run docs', prints: 'built' },
      { says: 'Done.' },
      { user: 'no, it still has the old name' },
      { says: 'Corrected.' },
    ]);
    const found = findingOutcomes(text, INPUT, 'aside');
    expect(found.map(({ task, success }) => [task, success])).toEqual([
      ['answer', true],
      ['answer', true],
      ['answer', false],
    ]);
    expect(found.every(isAside)).toBe(true);
    const failure = found.find(({ success }) => !success);
    expect(failure?.error?.message).toBe('the user wrote: “no, it still has the old name”');
    expect(failure?.context).toMatchObject({ after: expect.stringContaining('npm run docs') });
  });

  it('keeps the claim, the lines that prove the opposite, and the same id when it is read again', () => {
    const [claim] = findingOutcomes(TEXT, INPUT, 'aside');
    expect(claim).toMatchObject({ context: { line: 6 } });
    expect(claim?.actual).toMatch(/^"All tests pass.", but the last tests run failed; line 5: npm test/);
    // An expected result would be worded as a rule.
    expect(claim?.expected).toBeUndefined();
    expect(findingOutcomes(TEXT, INPUT, 'aside').map(({ id }) => id)).toEqual(
      findingOutcomes(TEXT, INPUT, 'aside').map(({ id }) => id),
    );
  });

  it('comes with an import only if asked for, and changes no failure count of the session', async () => {
    const plain = await read();
    const withFindings = await read('aside');
    expect(withFindings).toHaveLength(plain.length + 2);
    expect(sessionRow('s1', withFindings).failures).toBe(sessionRow('s1', plain).failures);
    expect(sessionRow('s1', await read('counted')).failures).toBe(sessionRow('s1', plain).failures + 2);
  });
});
