import { expect, it } from 'vitest';
import { appliesTo } from '../../../integrations/cli/prove/study-root.js';

it('gives rules, skills and memory of an agent to the sessions that read them, and to no others', () => {
  expect(appliesTo('/w/app/CLAUDE.md', '/w/app/src')).toBe(true);
  expect(appliesTo('/w/app/.claude/rules/style.md', '/w/app/src')).toBe(true);
  expect(appliesTo('/w/app/.claude/rules/style.md', '/w/other')).toBe(false);
  expect(appliesTo('/w/.dots/app/CLAUDE.md', '/w/.dots/app')).toBe(true);
  expect(appliesTo('/w/.dots/app/CLAUDE.md', '/w/other')).toBe(false);
  const memory = '/home/me/.claude/projects/-w-app/memory/MEMORY.md';
  expect(appliesTo(memory, '/w/app')).toBe(true);
  expect(appliesTo(memory, '/w/app/src')).toBe(true);
  expect(appliesTo(memory, '/w/other')).toBe(false);
});
