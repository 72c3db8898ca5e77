import { expect, it } from 'vitest';
import { eraseFacts, keepFacts } from '../../../integrations/cli/worse/facts-file.js';
import { readKept } from '../../../integrations/reports/worse/kept-facts.js';
import { testFolder } from '../../node/folder.js';
import { personalYear } from '../reports/worse-worlds.js';

it('erases the numbers of a session that a person wants to be erased, and of no other', () => {
  const store = testFolder();
  const sessions = personalYear(1, 5);
  keepFacts(store, { readMs: 1, paths: ['a'], sessions, told: [] });
  expect(eraseFacts(store, { session: 's1-2' }, { dryRun: true })).toBe(1);
  expect(readKept(store)?.sessions).toHaveLength(5);
  expect(eraseFacts(store, { session: 's1-2', source: 'codex' }, { dryRun: false })).toBe(0);
  expect(eraseFacts(store, { session: 's1-2' }, { dryRun: false })).toBe(1);
  expect(readKept(store)?.sessions.map(({ id }) => id)).toEqual(['s1-0', 's1-1', 's1-3', 's1-4']);
  expect(eraseFacts(store, { session: 's1-2' }, { dryRun: false })).toBe(0);
});
