import { expect, it } from 'vitest';
import { changesOf } from '../../../../integrations/dashboard/data/version-change.js';

it('shows what differs between two versions, without secrets', () => {
  const key = `sk-ant-api03-${'aB3x'.repeat(24)}`;
  const before = { prompts: { system: 'Answer.', tools: 'same' }, code: { 'src/a.ts': 'old', 'src/b.ts': 'gone' } };
  const after = { prompts: { system: `Use ${key}.`, tools: 'same' }, code: { 'src/a.ts': 'new', 'src/b.ts': null } };
  const changes = changesOf(before, after);
  expect(changes.map(({ name }) => name)).toEqual(['text system', 'file src/a.ts', 'file src/b.ts']);
  expect(changes[2]).toEqual({ name: 'file src/b.ts', before: 'gone', after: null });
  expect(changes[0]?.before).toBe('Answer.');
  expect(JSON.stringify(changes)).not.toContain(key);
});
