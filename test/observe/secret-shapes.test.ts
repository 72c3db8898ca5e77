import { describe, expect, it } from 'vitest';
import { parseOutcome } from '../../src/observe/parse-outcome.js';
import { redact } from '../../src/observe/redact.js';
import { buildShapes } from '../../src/observe/secret-shapes.js';
import { type Fixture, issued, ordinaryFixtures, secretFixtures } from './secret-fixtures.js';

function leaks({ text, secrets }: Fixture): boolean {
  const { outcome } = parseOutcome({ task: 't', success: false, error: text }, { id: 'x', atMs: 0, source: 's' });
  const kept = `${redact(text)}\n${outcome?.error?.message}`;
  return secrets.some((secret) => kept.includes(secret));
}

const KEY = issued(3, 0).find(({ shape }) => shape === 'openai-project')?.secrets[0] ?? '';

describe('secrets in what a host sends along', () => {
  const kept = (context: object) =>
    JSON.stringify(parseOutcome({ task: 't', success: false, context }, { id: 'x', atMs: 0, source: 's' }).outcome);

  it.each([
    ['a list of user and password', { auth: ['user', 'hunter2hunter'] }, 'hunter2hunter'],
    ['a list of passwords', { passwords: ['hunter2hunter', 'other'] }, 'hunter2hunter'],
    ['items of a list', { parts: [KEY.slice(0, 30), KEY.slice(30)] }, KEY.slice(30)],
    ['fields side by side', { first: KEY.slice(0, 30), second: KEY.slice(30) }, KEY.slice(30)],
    ['numbers of characters', { bytes: [...KEY].map((sign) => sign.charCodeAt(0)) }, '115,107,45,112,114,111,106'],
    ['a buffer as JSON', { data: { type: 'Buffer', data: [...Buffer.from(KEY)] } }, '115,107,45,112,114,111,106'],
    ['a name in another language', { 'mot de passe': 'bonjour-a-tous' }, 'bonjour-a-tous'],
    ['an environment', { env: { DB_PW: 'swordfish', OPENAI_KEY: 'a8Kd03kfLs92kdlW' } }, /swordfish|a8Kd/],
    ['a PIN', { pin: 4711 }, '4711'],
  ])('are redacted in %s', (_, context, secret) => {
    expect(kept(context)).not.toMatch(secret);
  });

  it('leave ordinary values of such names alone', () => {
    const context = { primary_key: 'order_id', key: 'ArrowDown', sort_key: 'created', pin: 13, tokens: [120, 80] };
    expect(kept({ ...context, names: ['task-one', 'task-two-2'] })).toContain(JSON.stringify(context).slice(1, -1));
  });
});

it('no shape matches an empty text, where its search would never end', () => {
  const { hinted, bare, card } = buildShapes();
  for (const { pattern } of [...hinted, ...Object.values(bare), card]) {
    expect([...'a://b:c@d jdbc:oracle:thin:user/ Bearer'.matchAll(pattern)].map(([match]) => match)).not.toContain('');
    expect(''.match(pattern)).toBeNull();
  }
});

describe('secrets in the formats of their issuers', () => {
  const fixtures = secretFixtures(2026);

  it('are redacted in at least 95 of 100 of more than 300 shapes', () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(300);
    const missed = fixtures.filter(leaks).map(({ shape, text }) => `${shape}: ${text.slice(0, 120)}`);
    expect(missed.length / fixtures.length, missed.join('\n')).toBeLessThanOrEqual(0.05);
    expect(missed).toEqual([]);
  });

  it('are known by their mark, not by a length that they happen to have', () => {
    const byLuck = [0, 1, 5, 9].flatMap((longer) =>
      issued(7, longer).filter((fixture) => leaks(fixture) || /aws-secret|card/.test(redact(fixture.text))),
    );
    expect(byLuck.map(({ shape, text }) => `${shape}: ${text}`)).toEqual([]);
  });

  it('leave at least 99 of 100 ordinary texts as they are', () => {
    const texts = ordinaryFixtures(11);
    const changed = texts.filter((text) => redact(text) !== text);
    expect(changed.length / texts.length, changed.join('\n')).toBeLessThanOrEqual(0.01);
  });
});
